"""Exercises as OpenStax writes them in Markdown: elements named by `data-type`, each problem with its solution or without.

An exercise in an example is the example's own: it is shown with its solution, and stays where it is. An element that is not
closed, or that holds other exercises, ends where the next one or the next heading begins: no lesson is lost in it, and no
key stays in the lesson.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from agents.teaching.values import Exercise
from rag.exercises import Shelf
from rag.exercises.choices import numbered_keys, with_solutions
from rag.exercises.details import unfolded
from rag.exercises.lists import lettered_lists
from rag.loaders.markup import verbatim_spans

_FORM = "openstax"
_TAG = re.compile(r"<(/?)(div|section|article|aside)\b([^<>]*)>", re.IGNORECASE)
_TYPE = re.compile(r"""\bdata-type\s*=\s*["']?([\w-]+)""", re.IGNORECASE)
KINDS = {
    "exercise": "exercise",
    "injected-exercise": "exercise",
    "problem": "problem",
    "exercise-question": "problem",
    "solution": "solution",
    "question-solution": "solution",
    "example": "example",
}
_ASKS = re.compile(
    r"""\bdata-type\s*=\s*["']?(?:injected-)?(?:exercise|problem|(?:question-)?solution)\b""", re.IGNORECASE
)
_HEADING = re.compile(r"\n {0,3}#{1,6}[ \t]")
_NOTHING = re.compile(r"(?:\s|</?(?:div|section|article|aside)\b[^<>]*>)*", re.IGNORECASE)
_TITLE = re.compile(
    r"""(?:\s|</?(?:div|section)\b(?![^<>]*\bdata-type\s*=\s*["']?title)[^<>]*>)*"""
    r"""<(div|span|p|h[1-6])\b[^<>]*\bdata-type\s*=\s*["']?title\b[^<>]*>(.*?)</\1\s*>""",
    re.DOTALL | re.IGNORECASE,
)
_IMAGE = r"!\[(?:[^\[\]\n]|\[[^\[\]\n]*\])*\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)"
_PICTURE = re.compile(rf"({_IMAGE})\{{:[^{{}}\n]*#([\w.:-]+)")
_MEDIA = re.compile(
    rf"""<span\b[^<>]*\bdata-type\s*=\s*["']?media\b[^<>]*>\s*({_IMAGE})(?:\{{:[^{{}}\n]*\}})?\s*(?:</span\s*>)?""",
    re.IGNORECASE,
)
_REFERENCE = re.compile(r"\]\(#([\w.:-]+)\)")
_MOST_MISNESTED = 8

UNCLOSED = "its end is missing, or another exercise stands in it"
NO_QUESTION = "it has an answer and no question"


@dataclass(slots=True)
class _Element:
    """One element of the page."""

    kind: str  # "" for one that does not say what it is
    name: str
    start: int
    inner: int
    above: "_Element | None"  # the nearest around it that says what it is
    until: int = -1  # where what it holds ends; -1 while it is open
    end: int = -1
    nested: int = -1  # where the first exercise in it begins
    exercise: "_Element | None" = None  # it is a part of
    example: "_Element | None" = None  # it stands in
    parts: list["_Element"] = field(default_factory=list)  # of an exercise: its problems and solutions

    def __post_init__(self) -> None:
        if self.above:
            self.exercise = self.above if self.above.kind == "exercise" else self.above.exercise
            self.example = self.above if self.above.kind == "example" else self.above.example


@dataclass(slots=True, kw_only=True)
class _Found:
    """One exercise in the page's source."""

    start: int
    end: int
    problem: str = ""
    solutions: list[str] = field(default_factory=list)
    trouble: str = ""


def take(source: str, shelf: Shelf) -> str:
    """The page without its exercises."""
    if not _ASKS.search(source):
        return source
    headings = [found.start() for found in _HEADING.finditer(source)]
    found = list(_found(source, headings=headings))
    groups = [bisect_right(headings, each.start) for each in found]
    exercises = _with_shared_keys(_read(found, source=source, shelf=shelf), groups=groups)
    parts: list[str] = []
    at = 0
    for each, exercise in zip(found, exercises, strict=True):
        parts += [source[at : each.start], f"\n\n{shelf.put(exercise)}\n\n"]
        at = each.end
    return "".join([*parts, source[at:]])


def _elements(source: str) -> list[_Element]:
    """The elements that say what they are, in the order in which they begin."""
    hidden = verbatim_spans(source)
    stack: list[_Element] = []
    elements: list[_Element] = []
    above: _Element | None = None
    for tag in _TAG.finditer(source):
        closes, name, attributes = tag.groups()
        if attributes.endswith("/") or (hidden and _is_within(hidden, place=tag.start())):
            continue
        if not closes:
            attribute = _TYPE.search(attributes)
            kind = KINDS.get(attribute[1].lower(), "") if attribute else ""
            element = _Element(kind, name, *tag.span(), above)
            stack.append(element)
            if kind:
                above = element
                elements.append(element)
        elif any(each.name == name for each in stack[: -_MOST_MISNESTED - 1 : -1]):
            while stack[-1].name != name:
                stack.pop()
            closed = stack.pop()
            closed.until, closed.end = tag.span()
            above = closed.above
    return elements


def _is_within(spans: Sequence[tuple[int, int]], *, place: int) -> bool:
    before = bisect_right(spans, place, key=lambda span: span[0]) - 1
    return before >= 0 and place < spans[before][1]


def _found(source: str, *, headings: Sequence[int]) -> Iterator[_Found]:
    """The exercises of the page, in their order."""
    elements = [each for each in _elements(source) if not _is_shown(each, headings=headings)]
    for each in elements:
        if each.kind == "exercise":
            around = each.above
            while around and around.nested < 0:
                around.nested, around = each.start, around.above
        elif each.exercise:
            each.exercise.parts.append(each)
    last: _Found | None = None
    for each in elements:
        if each.kind == "example" or (last and each.start < last.end):
            continue
        found = _one(each, source=source, headings=headings)
        is_next = last and _NOTHING.fullmatch(source, last.end, found.start)
        if last and is_next and found.solutions and not (found.problem or last.solutions):
            last.solutions, last.end = found.solutions, found.end  # a solution behind its exercise
            continue
        if last:
            yield last
        last = found
    if last:
        yield last


def _is_shown(element: _Element, *, headings: Sequence[int]) -> bool:
    """Whether it stands in an example; one that is not closed ends with its section."""
    example = element.example
    if example is None:
        return False
    return example.end >= 0 or element.start < _next(headings, after=example.start, most=element.start + 1)


def _next(places: Sequence[int], *, after: int, most: int) -> int:
    number = bisect_right(places, after)
    return min(places[number], most) if number < len(places) else most


def _one(element: _Element, *, source: str, headings: Sequence[int]) -> _Found:
    """An exercise, with what is asked up to its first solution, and all that follows as its solution."""
    until, end, trouble = element.until, element.end, ""
    parts = element.parts
    if until < 0 or element.nested >= 0:
        trouble = UNCLOSED
        until = _next(headings, after=element.inner, most=len(source))
        until = end = min(until, element.nested) if element.nested >= 0 else until
        parts = [each for each in parts if each.start < until]
        if parts and all(0 <= each.end <= until for each in parts):
            until = end = max(each.end for each in parts)
    if element.kind == "solution":
        return _Found(
            start=element.start, end=end, solutions=[source[element.inner : until]], trouble=trouble
        )
    found = _Found(start=element.start, end=end, trouble=trouble)
    solutions = [each for each in parts if each.kind == "solution"]
    found.problem, folded = unfolded(source[element.inner : solutions[0].start if solutions else until])
    ends = [*(each.start for each in solutions[1:]), until][: len(solutions)]
    found.solutions = [source[each.inner : stop] for each, stop in zip(solutions, ends, strict=True)] + folded
    return found


def _read(found: Sequence[_Found], *, source: str, shelf: Shelf) -> list[Exercise]:
    """The exercises as text, all of the page at once: a call for each would cost as much as the page."""
    figures: dict[str, str] = {}
    if any("](#" in each.problem for each in found):
        figures = {picture[2]: picture[1] for picture in _PICTURE.finditer(source)}
    pieces: list[str] = []
    for each in found:
        title, problem = _titled(_with_pictures(each.problem))
        solutions = [_titled(_with_pictures(solution))[1] for solution in each.solutions]
        pieces += [title, _with_figures(lettered_lists(problem), figures=figures), *solutions]
    texts = iter(shelf.plain_all(pieces))
    return [
        _exercise(each, title=next(texts), text=next(texts), solutions=[next(texts) for _ in each.solutions])
        for each in found
    ]


def _titled(piece: str) -> tuple[str, str]:
    """A piece's title, and the rest; 'Answer' above a solution is no part of it."""
    title = _TITLE.match(piece)
    return (title[2], piece[title.end() :]) if title else ("", piece)


def _with_pictures(piece: str) -> str:
    """Pictures in a line of their own, as a page shows them: in a line of words they would be left out."""
    return _MEDIA.sub(r"\n\n\1\n\n", piece) if "media" in piece else piece


def _with_figures(problem: str, *, figures: dict[str, str]) -> str:
    """The problem with the pictures of the page that it refers to, above it."""
    named = [name for name in dict.fromkeys(_REFERENCE.findall(problem)) if name in figures]
    return "\n\n".join([*(figures[name] for name in named), problem])


def _exercise(found: _Found, *, title: str, text: str, solutions: Sequence[str]) -> Exercise:
    trouble = found.trouble or ("" if text else NO_QUESTION if any(solutions) else "it is empty")
    return with_solutions(
        Exercise(text=text, form=_FORM, title=title, trouble=trouble),
        solutions=[each for each in solutions if each],
    )


def _with_shared_keys(exercises: Sequence[Exercise], *, groups: Sequence[int]) -> list[Exercise]:
    """Exercises of one section whose last solution is the key to all of them, with each its own."""
    shared: list[Exercise] = []
    for _, members in groupby(zip(groups, exercises, strict=True), key=lambda pair: pair[0]):
        section = [exercise for _, exercise in members]
        keys = numbered_keys(section[-1].solution)
        if len(keys) == len(section) and not any(each.solution or each.choices for each in section[:-1]):
            section = [
                with_solutions(replace(each, solution=""), solutions=[key])
                for each, (_, key) in zip(section, sorted(keys.items()), strict=True)
            ]
        shared += section
    return shared
