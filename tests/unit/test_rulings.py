"""A teacher's rulings: which rows the ledger needs so that every answer stands as they want it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from agents.quiz.marking import code_grade
from agents.teaching.evidence import TEACHER, LedgerRow, QuestionRuling, replay, standing
from agents.teaching.rulings import Amendment, Rulings, amendments, in_force, says
from agents.teaching.values import QuizQuestion
from tests.support.ledger import NOW, ledger_row

NONE = Rulings()
VOID = Rulings(voided=frozenset({"q1"}), never_asked=frozenset({"q1"}))
HINGE_TOO = Rulings(accepted={"q1": ("a hinge",)})


def row(number: int, **changes: Any) -> LedgerRow:
    """An answer, or what was made of one later."""
    action, amends = changes.pop("action", "answer"), changes.pop("amends_id", None)
    return replace(ledger_row(**changes), id=number, action=action, amends_id=amends)


def carried_out(rows: Sequence[LedgerRow], rulings: Rulings) -> list[LedgerRow]:
    """The ledger after a ruling was carried out."""
    after = list(rows)
    for each in amendments(rows, rulings):
        news: dict[str, Any] = {"grader": each.grader, "reason": each.reason}
        if each.rekey:
            news |= {"is_correct": each.rekey.is_correct, "score": each.rekey.score}
        action = "rekey" if each.rekey else "void"
        after.append(replace(each.answer, id=len(after) + 1, action=action, amends_id=each.answer.id, **news))
    return after


def ruling(kind: str, *, question_id: str = "q1", accepted: str | None = None) -> QuestionRuling:
    return QuestionRuling(
        id=1,
        course="ros",
        question_id=question_id,
        question_text="?",
        ruling=kind,  # type: ignore[arg-type]
        accepted_answer=accepted,
        decided_by="tess",
        decided_at=NOW,
    )


def test_a_void_or_retired_question_is_never_asked_and_answers_are_accepted_side_by_side() -> None:
    found = in_force(
        [
            ruling("void"),
            ruling("retired", question_id="q2"),
            ruling("also_right", question_id="q3", accepted="a hinge"),
            ruling("also_right", question_id="q3", accepted="an axle"),
        ]
    )

    assert found.voided == {"q1"}
    assert found.never_asked == {"q1", "q2"}
    assert found.accepted == {"q3": ("a hinge", "an axle")}


def test_void_takes_everybodys_answers_on_the_question_out_right_and_wrong() -> None:
    rows = [row(1), row(2, user_id="bob", is_correct=False), row(3, question_id="q2")]
    found = amendments(rows, VOID)

    assert [(each.answer.id, each.rekey, each.grader) for each in found] == [
        (1, None, TEACHER),
        (2, None, TEACHER),
    ]
    assert [each.id for each in standing(carried_out(rows, VOID))] == [3]


def test_also_right_makes_matching_answers_right_and_leaves_the_others() -> None:
    rows = [
        row(1, learner_answer="a hinge", is_correct=False, score=0.2),
        row(2, learner_answer="a motor", is_correct=False, score=0.0),
        row(3, learner_answer="a joint"),
    ]
    found = amendments(rows, HINGE_TOO)

    assert [(each.answer.id, each.rekey and each.rekey.is_correct) for each in found] == [(1, True)]
    assert [each.is_correct for each in standing(carried_out(rows, HINGE_TOO))] == [True, False, True]


def test_also_right_counts_what_a_dispute_had_only_voided() -> None:
    rows = [
        row(1, learner_answer="a hinge", is_correct=False),
        row(2, learner_answer="a hinge", is_correct=False, action="void", amends_id=1, grader="dispute"),
    ]

    assert [each.is_correct for each in standing(carried_out(rows, HINGE_TOO))] == [True]


@pytest.mark.parametrize("rulings", [VOID, HINGE_TOO, NONE])
def test_carrying_a_ruling_out_twice_adds_nothing(rulings: Rulings) -> None:
    rows = carried_out([row(1, learner_answer="a hinge", is_correct=False), row(2)], rulings)

    assert amendments(rows, rulings) == []


@pytest.mark.parametrize("rulings", [VOID, HINGE_TOO])
def test_a_ruling_that_is_taken_back_leaves_the_answer_as_it_was_graded(rulings: Rulings) -> None:
    before = [
        row(1, learner_answer="a hinge", is_correct=False, score=0.2, grader="learner", confident=False)
    ]
    after = carried_out(carried_out(before, rulings), NONE)

    assert replay(after) == replay(before), "the grade, and how much it counts"
    assert replay(carried_out(carried_out(after, VOID), NONE)) == replay(before)


def test_a_ruling_that_is_taken_back_leaves_a_dispute_as_it_was_settled() -> None:
    disputed = [
        row(1, is_correct=False),
        row(2, is_correct=False, action="void", amends_id=1, grader="dispute"),
    ]
    after = carried_out(carried_out(disputed, HINGE_TOO), NONE)

    assert standing(after) == []
    assert after[-1].action == "void"


def test_what_a_teacher_counts_as_right_counts_in_full() -> None:
    """Code was unsure of the answer; its teacher is not."""
    unsure = [row(1, learner_answer="a hinge", is_correct=False, confident=False)]
    [evidence] = replay(carried_out(unsure, HINGE_TOO))["joint"]

    assert (evidence.is_correct, evidence.weight) == (True, 1.0)


@pytest.mark.parametrize(
    ("kind", "options", "answer", "accepted", "expected"),
    [
        ("short_answer", (), "A hinge.", "a hinge", True),
        ("short_answer", (), "purple elephants", "a hinge", False),
        ("multiple_choice", ("a joint", "a node", "a hinge"), "C", "a hinge", True),
        ("multiple_choice", ("a joint", "a node", "a hinge"), "b", "a hinge", False),
        ("true_false", ("true", "false"), "no", "false", True),
        ("cloze", (), "hinge", "a hinge", True),
    ],
)
def test_an_accepted_answer_is_known_again_however_it_is_given(
    kind: str, options: tuple[str, ...], answer: str, accepted: str, expected: bool
) -> None:
    given = ledger_row(kind=kind, options=options, learner_answer=answer, is_correct=False)

    assert says(given, accepted) is expected


def test_a_later_answer_is_graded_by_what_is_accepted_too() -> None:
    question = QuizQuestion(
        question_id="q1",
        question_text="What connects links?",
        concept_name="joint",
        difficulty="easy",
        expected_answer="a joint",
        source_context="",
    )

    assert code_grade(question, "a hinge").is_correct is False
    assert code_grade(question, "a hinge", accepted=["a hinge"]).is_correct is True
    assert code_grade(question, "a joint", accepted=["a hinge"]).is_correct is True
    assert code_grade(question, "purple elephants", accepted=["a hinge"]).is_correct is False


def test_an_amendment_says_why() -> None:
    [void] = amendments([row(1)], VOID)
    assert isinstance(void, Amendment)
    assert "teacher" in void.reason
