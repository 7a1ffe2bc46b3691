"""What a page is for: to be taught, or one of the other things that a book has."""

import re
from pathlib import PurePosixPath
from typing import Literal

from rag.blocks import prose
from rag.headings import heading_name
from rag.loaders.document import LoadedDocument

PageKind = Literal["content", "title", "preface", "licence", "changelog", "exercises", "links"]

_LINKED = 0.5  # of a page's words: above it, it sends its reader elsewhere
_FEWEST_LINKS = 5
_WORDS_A_QUESTION = 100
# The heading of a release has a number, perhaps a date, and no words: '5.6.1. Adding a Column' is a section.
_RELEASE = re.compile(
    r"\[?(?:version )?v?\d+\.\d+(?:[^a-z]*|.*\b(?:19|20)\d\d\b.*)$|\[?(?:19|20)\d\d-\d\d|\[?unreleased",
    re.IGNORECASE,
)
# The last resort, where neither the table of contents nor the page's shape tells: what such pages are called.
_NAMES: dict[PageKind, re.Pattern[str]] = {
    "licence": re.compile(
        r"(?:licen[cs]es?|copying|copyright|notice|third[- ]party notices)$", re.IGNORECASE
    ),
    "changelog": re.compile(
        r"(?:change ?logs?|release notes|history of changes|what'?s new)$", re.IGNORECASE
    ),
    "preface": re.compile(
        r"(?:preface|foreword|vorwort|dedication|acknowledge?ments|about (?:the authors?|this (?:book|course))|"
        r"code of conduct|contribut(?:ing|ors)|credits)$",
        re.IGNORECASE,
    ),
    "exercises": re.compile(
        r"(?:.*\b)?(?:exercises?|quiz(?:zes)?|homework|worksheets?|exam)(?:$|\s*[:–—-]\s|\s+#?\d)|"
        r"(?:exercises?|assignments?|solutions?|challenges?)(?:$|\s*[:–—-]\s|\s+#?\d)|"
        r"(?:review|practice|discussion|study|chapter) (?:questions?|exercises?|problems?)$|exercise solutions$|answer key$",
        re.IGNORECASE,
    ),
    "links": re.compile(
        r"(?:(?:other|further|additional|more|useful|learning) (?:resources|reading|links)|resources|bibliography)$",
        re.IGNORECASE,
    ),
}
_WORK_FOLDERS = frozenset(
    "starter solution solutions exercise exercises assignment assignments quiz quizzes quiz-app".split()
)


def page_kind(document: LoadedDocument, *, name: str) -> PageKind:
    """The kind of a page by its shape, then by what it and its file are called."""
    headings = [section.headings[-1] for section in document.sections if len(section.headings) > 1]
    if len(headings) > 2 and sum(bool(_RELEASE.match(each)) for each in headings) > len(headings) * 0.6:
        return "changelog"
    if document.links >= _FEWEST_LINKS and document.linked > _LINKED:
        return "links"
    path = PurePosixPath(name.lower())
    stem = re.sub(r"^[\d._-]+", "", path.stem).replace("_", " ").replace("-", " ")
    by_name = named_kind(document.title) or named_kind(stem)
    if by_name:
        return by_name
    return "exercises" if _mostly_asks(document) or _is_work(path) else "content"


def _mostly_asks(document: LoadedDocument) -> bool:
    """Questions that hardly anything is told between; a page that teaches may end with a few."""
    if document.questions < 3:
        return False
    return prose_words(document) < document.questions * _WORDS_A_QUESTION


def _is_work(path: PurePosixPath) -> bool:
    """'solution/a.md', 'async-exercises/b.md': work by the name of its folder or its own."""
    words = {word for part in path.parts for word in re.split(r"[-_.]", part)}
    return bool({*path.parts} & _WORK_FOLDERS or words & {"exercises", "exercise", "assignments", "quizzes"})


def named_kind(title: str) -> PageKind | None:
    """What a title alone says."""
    words = heading_name(title)
    return next((kind for kind, pattern in _NAMES.items() if pattern.match(words)), None)


def prose_words(document: LoadedDocument) -> int:
    return sum(len(prose(section.text).split()) for section in document.sections)
