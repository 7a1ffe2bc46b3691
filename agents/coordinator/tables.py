"""A table cut down to the rows that a question is about."""

from dataclasses import replace

from agents.coordinator.question import Question
from agents.tutor.reading import Unit
from agents.tutor.wording import content_stems, stem

_WHOLE = ("list", "difference", "example")  # these want to see all rows
_HEAD_LINES = 2


def narrowed(unit: Unit, asked: Question) -> Unit:
    """The head and the rows with most of the question's words; the whole table where they do not tell."""
    lines = unit.text.splitlines()
    if unit.kind != "table" or asked.kind in _WHOLE or len(lines) <= _HEAD_LINES + 2:
        return unit
    head, rows = lines[:_HEAD_LINES], lines[_HEAD_LINES:]
    wanted = {stem(word) for word in asked.words} - content_stems(head[0])
    hits = [len(wanted & content_stems(row)) for row in rows]
    kept = [row for row, hit in zip(rows, hits, strict=True) if hit >= max(1, max(hits) / 2)]
    return replace(unit, text="\n".join([*head, *kept])) if kept else unit
