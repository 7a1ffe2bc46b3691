"""The steps of a numbered list, to be put in order."""

import re
from collections.abc import Iterator, Sequence

from agents.language.words import same_text, word_count
from agents.teaching.questions.base import DraftQuestion, Kind, PassageReading
from agents.teaching.questions.grammar import VERBS, split_clause
from agents.teaching.questions.sentences import is_balanced, numbered_steps, prose

# Not every numbered list is a sequence: the line before it, or its heading, says so.
_SEQUENCE = re.compile(
    r"\b(?:steps?|procedures?|process|stages?|phases?|sequence|in order|workflow|algorithm|recipe|cycle|pipeline|happens?|proceeds?|"
    r"schritte?n?|ablauf|reihenfolge|phasen?)\b",
    re.IGNORECASE,
)
_POINTS = re.compile(r"\bsteps? \d|\bbelow\b|\babove\b|https?:|[|{}]", re.IGNORECASE)
_FEWEST, _MOST = 3, 5
_MOST_WORDS = 22


def write(reading: PassageReading) -> Iterator[DraftQuestion]:
    steps = [_main(step) for step in numbered_steps(reading.passage.chunk_text)]
    announced = _announced(reading)
    task = _task(reading, announced) if len(steps) >= _FEWEST else ""
    if not task or not _are_clear(steps):
        return
    part = tuple(steps[:_MOST])
    yield DraftQuestion(
        kind="ordering",
        difficulty="medium",
        text=f"{task} Put these steps in the right order.",
        answer=" → ".join(part),
        concept=reading.concept_of(announced, " ".join(part)),
        source=" ".join(f"{number}. {step}." for number, step in enumerate(part, 1)),
        options=part,
        about=reading.headed,
    )


def _main(step: str) -> str:
    """The step's first sentence."""
    return re.split(r"(?<=[.!?])\s", step, maxsplit=1)[0].rstrip(".;,:")


def _are_clear(steps: Sequence[str]) -> bool:
    # What is done or happens, not what a text has as its parts.
    told = sum(step.split()[0].lower() in VERBS or split_clause(step) is not None for step in steps)
    return 2 * told >= len(steps) == len(set(map(same_text, steps))) and all(
        1 <= word_count(step) <= _MOST_WORDS
        and same_text(step)
        and is_balanced(step)
        and not _POINTS.search(step)
        for step in steps
    )


def _announced(reading: PassageReading) -> str:
    """The line before the steps."""
    text = prose(reading.passage.chunk_text)
    before = re.split(r"^[ \t]*1[.)][ \t]", text, maxsplit=1, flags=re.MULTILINE)[0]
    return before.strip().rpartition("\n")[2]


def _task(reading: PassageReading, line: str) -> str:
    heading = reading.passage.heading_hierarchy[-1] if reading.passage.heading_hierarchy else ""
    if not _SEQUENCE.search(f"{line} {heading}"):
        return ""
    return f"Think of “{heading}”." if heading else "Think of what you just read."


KIND = Kind(name="order", write=write)
