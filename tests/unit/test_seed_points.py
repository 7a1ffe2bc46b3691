"""The points of the mission's documents as data: each names tests that are there, and none is forgotten."""

from collections import Counter

import pytest

from evals.seeds import Point, is_expected_to_fail, is_there, judged, outcomes_in, points

POINTS = points()
POINT = Point(
    id="000-001", document="000 x", section="y", says="z", tests=("a.py::test_one", "a.py::test_two")
)


def test_all_five_documents_have_points() -> None:
    assert {point.document[:3] for point in POINTS} == {"000", "001", "002", "003", "004"}
    assert len(POINTS) >= 242  # that many an auditor counted


def test_every_point_has_an_id_of_its_own_and_says_something_of_its_own() -> None:
    assert [name for name, count in Counter(point.id for point in POINTS).items() if count > 1] == []
    said = Counter((point.document, point.section, point.says) for point in POINTS)
    assert [text for text, count in said.items() if count > 1] == []
    assert all(point.id.startswith(point.document[:3]) for point in POINTS)


def test_every_point_names_tests_and_all_of_them_are_there() -> None:
    assert [point.id for point in POINTS if not point.tests] == []
    assert [test for point in POINTS for test in point.tests if not is_there(test)] == []


def test_a_point_is_pending_exactly_while_a_test_of_it_is_expected_to_fail() -> None:
    """Whoever mends it takes away the mark and the word."""
    waiting = {point.id for point in POINTS if any(map(is_expected_to_fail, point.tests))}
    assert waiting == {point.id for point in POINTS if point.pending}


def test_a_test_that_is_not_there_is_noticed() -> None:
    here = "tests/unit/test_seed_points.py"
    assert is_there(f"{here}::test_a_test_that_is_not_there_is_noticed")
    assert is_there(f"{here}::test_a_point_holds_when_all_its_tests_passed[two of its cases]")
    assert not is_there(f"{here}::test_a_point_holds_when_all_its_tests_passed[another case]")
    assert not is_there(f"{here}::test_another")
    assert not is_there("tests/unit/test_nowhere.py::test_another")


@pytest.mark.parametrize(
    ("outcomes", "trouble"),
    [
        pytest.param({"a.py::test_one": "passed", "a.py::test_two": "passed"}, {}, id="both"),
        pytest.param(
            {"a.py::test_one": "passed", "a.py::test_two[x]": "passed", "a.py::test_two[y]": "passed"},
            {},
            id="two of its cases",
        ),
        pytest.param(
            {"a.py::test_one": "passed", "a.py::test_two[x]": "passed", "a.py::test_two[y]": "failed"},
            {"a.py::test_two": "failed"},
            id="one of its cases failed",
        ),
        pytest.param(
            {"a.py::test_one": "skipped", "a.py::test_two": "expected to fail"},
            {"a.py::test_one": "skipped", "a.py::test_two": "expected to fail"},
            id="skipped or expected to fail",
        ),
        pytest.param(
            {"a.py::test_one": "passed", "a.py::test_two_more": "passed"},
            {"a.py::test_two": "missing"},
            id="not run",
        ),
    ],
)
def test_a_point_holds_when_all_its_tests_passed(outcomes: dict[str, str], trouble: dict[str, str]) -> None:
    verdict = judged(POINT, outcomes)
    assert verdict.trouble == trouble
    assert verdict.holds == (not trouble)


def test_outcomes_are_read_from_what_pytest_writes() -> None:
    junit = """<testsuites><testsuite>
      <testcase classname="tests.a" name="test_one[x]" file="tests/a.py"/>
      <testcase classname="tests.a" name="test_two" file="tests/a.py"><failure message="no"/></testcase>
      <testcase classname="tests.a" name="test_three" file="tests/a.py"><skipped type="pytest.skip"/></testcase>
      <testcase classname="tests.a" name="test_four" file="tests/a.py"><skipped type="pytest.xfail"/></testcase>
      <testcase classname="tests.a" name="test_five" file="tests/a.py"/>
      <testcase classname="tests.a" name="test_five" file="tests/a.py"><error message="at its end"/></testcase>
    </testsuite></testsuites>"""
    assert outcomes_in(junit) == {
        "tests/a.py::test_one[x]": "passed",
        "tests/a.py::test_two": "failed",
        "tests/a.py::test_three": "skipped",
        "tests/a.py::test_four": "expected to fail",
        "tests/a.py::test_five": "failed",
    }
