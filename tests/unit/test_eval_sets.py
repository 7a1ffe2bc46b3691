"""The eval sets as files: whole, in ADK's format, and covering what the product promises."""

import tomllib
from collections import Counter
from pathlib import Path

import pytest
from google.adk.evaluation.eval_case import EvalCase

from evals.metrics.stored import EVAL_LEARNER
from evals.runner import HERE, load_set, offline_sets

CASES = [(file, case) for file in offline_sets() for case in load_set(file).eval_cases]
TABLE = tomllib.loads((HERE / "coverage.toml").read_text(encoding="utf-8"))
ROWS = {f"{part}.{row}" for part, rows in TABLE.items() if part != "elsewhere" for row in rows}
EXPECTATIONS = {
    "ROUTE",
    "SPEAKERS",
    "GROUNDED",
    "SAYS",
    "NEVER_SAYS",
    "STATUS",
    "GRADED",
    "MASTERY",
    "THRESHOLD",
    "MODEL_CALLS",
}


def covered_by(case: EvalCase) -> set[str]:
    return set((case.model_extra or {}).get("covers", []))


def test_there_are_at_least_sixty_cases() -> None:
    assert len(CASES) >= 60


@pytest.mark.parametrize("row", sorted(ROWS))
def test_every_row_has_a_case(row: str) -> None:
    assert any(row in covered_by(case) for _, case in CASES)


def test_every_case_names_its_rows_and_only_rows_that_exist() -> None:
    named = {(file.name, case.eval_id): covered_by(case) for file, case in CASES}
    assert [name for name, rows in named.items() if not rows] == []
    assert {name: rows - ROWS for name, rows in named.items() if rows - ROWS} == {}


def test_every_row_that_no_conversation_can_show_names_a_test_that_is_there() -> None:
    root = Path(__file__).parents[2]
    assert [test for test in TABLE["elsewhere"].values() if not (root / test).is_file()] == []


def test_every_case_has_a_learner_of_its_own() -> None:
    """ADK judges after all cases have run, so no case may forget the learner of another."""
    learners = [case.session_input.user_id for _, case in CASES if case.session_input]
    assert len(learners) == len(CASES)
    assert [name for name, count in Counter(learners).items() if count > 1] == []
    assert all(name.startswith(EVAL_LEARNER) for name in learners)


def test_every_turn_says_what_is_expected_of_it_in_words_that_a_metric_reads() -> None:
    for file, case in CASES:
        for turn in case.conversation or []:
            types = {rubric.type for rubric in turn.rubrics or []}
            assert {"ROUTE", "GROUNDED"} <= types <= EXPECTATIONS, (file.name, case.eval_id)
            assert turn.final_response, (file.name, case.eval_id)


def test_a_set_is_named_like_its_file() -> None:
    assert all(
        load_set(file).eval_set_id == file.name.removesuffix(".evalset.json") for file in offline_sets()
    )
