"""Where a course's author asks for numbers, saying it is a part of it, and mastery takes a number."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from agents.teaching.evidence import QUANTITATIVE, Evidence, replay
from agents.teaching.mastery import concept_mastery, course_mastery
from agents.teaching.thresholds import is_enough
from agents.teaching.values import QuestionKind
from tests.support.ledger import ledger_row

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def right(kinds: Sequence[QuestionKind], *, topic: str = "heat") -> list[Evidence]:
    return [
        Evidence(
            is_correct=True,
            answered_at=NOW + timedelta(minutes=number),
            kind=kind,
            topic=topic,
            shows_part=kind not in QUANTITATIVE,
        )
        for number, kind in enumerate(kinds)
    ]


def score(kinds: Sequence[QuestionKind]) -> float:
    return concept_mastery(right(kinds), now=NOW).score


@pytest.mark.parametrize("kind", ["short_answer", "recall", "multiple_choice", "cloze"])
@pytest.mark.parametrize("answers", [1, 4, 20, 60])
def test_words_alone_are_no_mastery_however_many_and_low_the_threshold(
    kind: QuestionKind, answers: int
) -> None:
    assert not is_enough(score([kind] * answers), threshold=0.7)


def test_one_number_among_them_makes_it_mastery() -> None:
    assert is_enough(
        score(["short_answer", "short_answer", "recall", "short_answer", "numeric"]), threshold=0.85
    )
    assert is_enough(score(["short_answer"] * 3 + ["formula", "short_answer"]), threshold=0.85)


def test_a_wrong_number_is_none() -> None:
    worked_out = right(["short_answer"] * 4 + ["numeric"])
    missed = [*worked_out[:-1], replace(worked_out[-1], is_correct=False)]
    assert concept_mastery(missed, now=NOW).score < concept_mastery(worked_out[:-1], now=NOW).score


def test_numbers_alone_count_as_ever() -> None:
    plain = [replace(each, shows_part=False) for each in right(["numeric"] * 4)]
    assert score(["numeric"] * 4) == concept_mastery(plain, now=NOW).score


def test_what_is_shown_on_other_concepts_of_the_topic_does_not_stand_in_for_it() -> None:
    found = course_mastery(
        {"heat": right(["short_answer"] * 6), "work": right(["numeric"] * 12)}, now=NOW + timedelta(hours=1)
    )
    assert is_enough(found["work"].score, threshold=0.85)
    assert not is_enough(found["heat"].score, threshold=0.7)


def test_the_ledger_says_which_answers_show_a_part() -> None:
    [evidence] = replay([ledger_row(shows_part=True)])["joint"]
    assert evidence.shows_part
