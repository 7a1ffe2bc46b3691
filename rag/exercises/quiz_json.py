"""Quiz files in JSON, as quiz apps have them: known by the shape of what is in them (`shapes.py`), not by their names.

A quiz belongs to the page that sends its readers to it (`quiz_links.py`).
"""

import json
import re
from collections.abc import Sequence
from typing import Any

from agents.teaching.values import Exercise
from rag.exercises.shapes import DataQuestion, questions_in
from rag.loaders.document import decode
from rag.loaders.markdown import plain
from storage.errors import DocumentError

FORM = "quiz_json"

_BROKEN = "is broken JSON; check its commas and brackets"
_MOST_HEAD = 200_000
_LIKELY = re.compile(r'"[^"\n]{0,40}(?:question|prompt|stem|front)[^"\n]{0,40}"\s*:|"q"\s*:', re.IGNORECASE)
_LIKELY_ANSWERS = re.compile(
    r'"[^"\n]{0,40}(?:choices|options|answer|correct)[^"\n]{0,40}"\s*:', re.IGNORECASE
)


def is_quiz(text: str) -> bool:
    """Whether a JSON file holds questions, more of them with an answer than without: settings and data do not.

    A broken one that has questions and answers counts: who wrote it wants to be told.
    """
    if not _LIKELY.search(text, 0, _MOST_HEAD):
        return False
    try:
        found = questions_in(_parsed(text))
    except DocumentError:
        return bool(_LIKELY_ANSWERS.search(text, 0, _MOST_HEAD))
    return bool(found) and sum(not each.trouble for each in found) * 2 > len(found)


def read(data: bytes, *, name: str) -> Sequence[Exercise]:
    """All questions of a quiz file, each under the titles of what it stands in."""
    return tuple(_exercise(each, name=name) for each in questions_in(_parsed(decode(data))))


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise DocumentError(_BROKEN) from None


def _exercise(question: DataQuestion, *, name: str) -> Exercise:
    return question.exercise(form=FORM, plain=plain, within=name)
