"""The checklist that a learner ticks: short ideas of the author's text."""

import pytest

from agents.teaching.questions.points import FEWEST_POINTS, MOST_POINTS, points_of


def test_each_sentence_of_a_short_solution_is_a_point_in_its_order() -> None:
    found = points_of(
        "Leaves take in light. The roots bring water up. In contrast, the stem only carries both."
    )

    assert found == ("Leaves take in light", "The roots bring water up", "The stem only carries both")


@pytest.mark.parametrize(
    ("solution", "count"),
    [
        ("Copper conducts well; glass hardly conducts at all.", 2),
        ("A lens bends light, whereas a mirror throws it back.", 2),
        ("The parts of a bicycle are the frame, the two wheels, and the chain.", 3),
        ("- it keeps warm air inside\n- it lets bright sunlight in\n- it keeps heavy rain off", 3),
    ],
)
def test_one_sentence_is_cut_where_its_author_set_a_border(solution: str, count: int) -> None:
    assert len(points_of(solution)) == count


@pytest.mark.parametrize(
    "solution", ["", "Yes.", "42 kg", "Water boils at 100 degrees.", "```\nprint(1)\nprint(2)\n```"]
)
def test_what_has_one_idea_has_no_checklist(solution: str) -> None:
    assert points_of(solution) == ()


def test_of_many_sentences_the_ones_that_hang_together_stay() -> None:
    solution = (
        "Salt lowers the freezing point of water. The weather was fine that morning. So salt water freezes at a lower "
        "temperature than fresh water. That is why roads are strewn with salt. Salt on a road melts its water ice. "
        "Sand does nothing of the kind."
    )

    found = points_of(solution)

    assert FEWEST_POINTS <= len(found) <= MOST_POINTS
    assert "The weather was fine that morning" not in found
    assert [solution.find(each) for each in found] == sorted(solution.find(each) for each in found)


def test_notes_to_the_teacher_and_pointers_to_figures_are_no_points() -> None:
    found = points_of("Answers will vary. The valve opens (see Figure 3). Then the steam drives the wheel.")

    assert found == ("The valve opens", "Then the steam drives the wheel")
