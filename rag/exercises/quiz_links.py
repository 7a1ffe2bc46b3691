"""Which page a quiz belongs to, where it is kept apart from the pages: the one that sends its readers to it ("…/quiz/16")."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from storage.corpus import Document

_TARGET = re.compile(r"""\]\(\s*<?([^()\s<>]+)|\bhref\s*=\s*["']([^"'\s]+)["']""")
_QUIZ_IN_TARGET = re.compile(r"quiz[\w-]*(?:[/=]|\.html[?#]|/?[?#])(?:[\w-]+=)?([\w-]+)/?$", re.IGNORECASE)

Place = tuple[str, tuple[str, ...]]  # a page, and headings on it


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


def quiz_homes(documents: Sequence["Document"]) -> dict[Place, str]:
    """For what is asked in a quiz, by its file and its headings there: the page that sends its readers to the quiz."""
    facts: dict[str, Mapping[str, Any]] = {each.chapter_id: each.about or {} for each in documents}
    homes = pages_of_quizzes({chapter: about.get("quizzes", ()) for chapter, about in facts.items()})
    return {
        (chapter, tuple(headings)): homes[quiz]
        for chapter, about in facts.items()
        for quiz, headings in about.get("asked_in", ())
        if quiz in homes
    }
