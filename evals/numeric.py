"""How well numbers with units are marked: answers in every writing, labelled before there was a grader for them."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from agents.teaching.grading import grade_answer
from agents.teaching.questions.author import AuthorItem, items_of
from agents.teaching.values import Grade
from evals.data import bench_data
from evals.report import Report, Row, goal
from rag.loaders import load_document
from storage.errors import ConfigurationError, DocumentError

_LABELS = Path(__file__).parent / "labels" / "numeric_blind.jsonl"
_GOAL = 0.98
_STEP = 7  # to another item of the same kind


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
            *_of_authors(),
        ],
        notes=_NOTES,
    )


def _of_authors() -> list[Row]:
    """What the grader makes of an author's own numbers and formulas; nothing where the course is not there."""
    try:
        root = bench_data("courses/chemistry")
    except ConfigurationError:
        return []
    items = [item for item in authors_items(root) if item.kind in ("numeric", "formula") and not item.trouble]
    rows = []
    for kind in ("numeric", "formula"):
        here = [item for item in items if item.kind == kind]
        own = sum(_is_surely_right(item, item.expected_answer) for item in here)
        pairs = [
            (one, other.expected_answer)
            for one, other in zip(here, [*here[_STEP:], *here[:_STEP]], strict=True)
        ]
        others = [(item, key) for item, key in pairs if key != item.expected_answer]
        taken = sum(_is_surely_right(item, key) for item, key in others)
        rows += [
            goal(
                f"chemistry: {len(here)} keys of kind {kind}, marked right as answers",
                own / len(here),
                at_least=1,
            ),
            goal(f"chemistry: another's key marked right, kind {kind}", taken / len(others), at_most=0.01),
        ]
    return rows


def authors_items(root: Path) -> Iterator[AuthorItem]:
    """What the author of a course in Markdown asks."""
    for path in sorted(root.rglob("*.md")):
        try:
            document = load_document(path, root=root)
        except DocumentError:
            continue
        for exercise in document.exercises:
            yield from items_of(exercise)


def _is_surely_right(item: AuthorItem, answer: str) -> bool:
    grade = grade_answer(
        answer, question=item.question_text, references=[item.expected_answer], kind=item.kind
    )
    return grade.is_correct and grade.confident


_NOTES = (
    "The labels were written from one head, 30 keys with ten answers each, before the grader was begun and without a look at the "
    "one that there was. The same head then wrote the grader with them in mind, and the first run already had all of them: so "
    "they show that nothing breaks, not how strangers fare. An answer that the grader is not sure of counts as a miss.",
)
