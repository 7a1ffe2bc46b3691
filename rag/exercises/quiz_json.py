"""Quiz files in JSON, as quiz apps have them: known by the shape of what is in them (`shapes.py`), not by their names.

A quiz belongs to the page that sends its readers to it ("…/quiz/16"); what it is called there is its id.
"""

import json
import re
from collections.abc import Mapping, Sequence
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
_TARGET = re.compile(r"""\]\(\s*<?([^()\s<>]+)|\bhref\s*=\s*["']([^"'\s]+)["']""")
_QUIZ_IN_TARGET = re.compile(r"quiz[\w-]*(?:[/=]|\.html[?#]|/?[?#])(?:[\w-]+=)?([\w-]+)/?$", re.IGNORECASE)


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


def quizzes_of(source: str) -> tuple[str, ...]:
    """The ids of the quizzes that a page links to, in their order."""
    if "quiz" not in source.lower():
        return ()
    targets = (first or second for first, second in _TARGET.findall(source))
    found = (_QUIZ_IN_TARGET.search(target) for target in targets)
    return tuple(dict.fromkeys(each[1] for each in found if each))


def pages_of_quizzes(pages: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The first page that sends its readers to each quiz, where pages are in the order in which they are read."""
    homes: dict[str, str] = {}
    for page, quizzes in pages.items():
        for quiz in quizzes:
            homes.setdefault(quiz, page)
    return homes
