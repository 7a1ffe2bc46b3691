"""A teacher's rulings on questions: what is asked and accepted from then on, and what they change in the ledger."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from agents.teaching.evidence import TEACHER, GradedAnswer, LedgerRow, QuestionRuling, Rekey
from agents.teaching.grading import grade_answer
from agents.teaching.values import QuizQuestion

OUT_OF_THE_COUNT = "your teacher has taken this question out of the count"
_ALSO_RIGHT = "your teacher counts this answer as right, too"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rulings:
    """What is in force in one course, by the ids of the questions."""

    voided: frozenset[str] = frozenset()
    never_asked: frozenset[str] = frozenset()
    accepted: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def accepted_for(self, question: QuizQuestion) -> tuple[str, ...]:
        """What is right beside the expected answer."""
        return self.accepted.get(question.question_id, ())


@dataclass(frozen=True, slots=True, kw_only=True)
class Amendment:
    """What becomes of one answer; without a new key it counts for nothing."""

    answer: LedgerRow
    reason: str
    rekey: Rekey | None = None
    grader: str = TEACHER


def in_force(rulings: Iterable[QuestionRuling]) -> Rulings:
    """A question that counts for nothing is not asked either."""
    known = list(rulings)
    accepted: dict[str, tuple[str, ...]] = {}
    for each in known:
        if each.accepted_answer is not None:
            accepted[each.question_id] = (*accepted.get(each.question_id, ()), each.accepted_answer)
    return Rulings(
        voided=frozenset(each.question_id for each in known if each.ruling == "void"),
        never_asked=frozenset(each.question_id for each in known if each.ruling in ("void", "retired")),
        accepted=accepted,
    )


def says(answer: GradedAnswer, accepted: str) -> bool:
    """Whether an answer is the one that the teacher accepts, surely enough to count."""
    grade = grade_answer(
        answer.learner_answer,
        question=answer.question_text,
        references=[accepted],
        kind=answer.kind,
        options=answer.options,
    )
    return grade.is_correct and grade.confident


def amendments(rows: Iterable[LedgerRow], rulings: Rulings) -> list[Amendment]:
    """What has to be added so that every answer stands as the rulings want it; nothing when it does already.

    An answer under no ruling stands as it did before any teacher ruled on it: graded, disputed or voided.
    """
    ordered = sorted(rows, key=lambda row: row.id)
    history: dict[int, list[LedgerRow]] = {row.id: [row] for row in ordered if row.amends_id is None}
    for row in ordered:
        if row.amends_id is not None and row.amends_id in history:
            history[row.amends_id].append(row)
    found = (_amendment(rows_of_one, rulings) for rows_of_one in history.values())
    return [each for each in found if each is not None]


def _amendment(history: Sequence[LedgerRow], rulings: Rulings) -> Amendment | None:
    answer, now = history[0], history[-1]
    before = [row for row in history if row.grader != TEACHER][-1]
    wanted = _wanted(answer, before, rulings)
    if _standing(now) == (None if wanted.rekey is None else (wanted.rekey.is_correct, wanted.rekey.score)):
        return None
    return wanted


def _wanted(answer: LedgerRow, before: LedgerRow, rulings: Rulings) -> Amendment:
    if answer.question_id in rulings.voided:
        return Amendment(answer=answer, reason=OUT_OF_THE_COUNT)
    stands = _standing(before)
    accepted = rulings.accepted.get(answer.question_id, ())
    if (stands is None or not stands[0]) and any(says(answer, each) for each in accepted):
        right = Rekey(expected_answer=answer.expected_answer, is_correct=True, score=1.0)
        return Amendment(answer=answer, reason=_ALSO_RIGHT, rekey=right)
    as_before = stands and Rekey(
        expected_answer=before.expected_answer, is_correct=stands[0], score=stands[1]
    )
    return Amendment(answer=answer, reason=before.reason, rekey=as_before, grader=before.grader)


def _standing(row: LedgerRow) -> tuple[bool, float] | None:
    """What a row makes of its answer; None: it does not count."""
    return None if row.action == "void" else (row.is_correct, row.score)
