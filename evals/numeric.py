"""How well numbers with units are marked: answers in every writing, labelled before there was a grader for them."""

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from agents.teaching.grading import grade_answer
from agents.teaching.values import Grade
from evals.report import Report, Row, goal

_LABELS = Path(__file__).parent / "labels" / "numeric_blind.jsonl"
_GOAL = 0.98


@dataclass(frozen=True, slots=True, kw_only=True)
class NumericLabel:
    """One answer to one key: right, the right number with a wrong or missing unit ("unit"), or wrong."""

    key: str
    answer: str
    label: str
    question: str = ""


def load_labels(path: Path = _LABELS) -> list[NumericLabel]:
    """The labels, a line each."""
    return [
        NumericLabel(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines() if line
    ]


def verdict(grade: Grade) -> str:
    """What a grade says in the words of the labels; an unsure one says nothing."""
    if not grade.confident:
        return "unsure"
    if grade.is_correct:
        return "right"
    return "unit" if "unit" in grade.reason else "wrong"


def judged(label: NumericLabel) -> str:
    return verdict(
        grade_answer(label.answer, question=label.question, references=[label.key], kind="numeric")
    )


def share_as_labelled() -> float:
    """How many answers are marked as they are labelled."""
    labels = load_labels()
    return sum(judged(each) == each.label for each in labels) / len(labels)


async def run() -> Report:
    """Mark every answer."""
    labels = load_labels()
    said = [judged(each) for each in labels]
    pairs = Counter((each.label, one) for one, each in zip(said, labels, strict=True))
    return Report(
        name="Numbers with units: marks against labels written before",
        command="python -m evals numeric",
        rows=[
            Row(measure="answers / keys", value=f"{len(labels)} / {len({each.key for each in labels})}"),
            goal("marked as labelled", share_as_labelled(), at_least=_GOAL),
            *(
                Row(measure=f"labelled {label}, marked {one}", value=str(count))
                for (label, one), count in sorted(pairs.items())
                if label != one
            ),
        ],
        notes=_NOTES,
    )


_NOTES = (
    "The labels were written from one head, 30 keys with ten answers each, before the grader was begun and without a look at the "
    "one that there was. The same head then wrote the grader with them in mind, and the first run already had all of them: so "
    "they show that nothing breaks, not how strangers fare. An answer that the grader is not sure of counts as a miss.",
)
