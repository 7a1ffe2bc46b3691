"""Components of an MDX page that ask something: `<Question choices={[…]} />`, `<Quiz questions={…}>`, `<Option correct>`.

What a component is called hardly matters: its attributes, and the components in it, become data, and `shapes.py` says
which data asks. A question that has no words of its own is the one that stands before the component.
"""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from agents.teaching.values import Exercise
from rag.exercises import Shelf
from rag.exercises.before import asked_before
from rag.exercises.blocks import Layout, layout
from rag.exercises.jsliterals import UNREAD, LiteralError, read_literal, read_tag
from rag.exercises.quizfiles import read_beside
from rag.exercises.shapes import DataQuestion, questions_in, words_of

FORM = "mdx"

_NAMES = frozenset("quiz question questions choice choices mcq blank assessment flashcard flashcards".split())
_LIKELY = re.compile(
    r"""<[A-Z][\w.]*[^<>]*=["{][\[{]|<\w*(?:Quiz|Question|Choice|MCQ|Mcq|Blank|Assessment|Flashcard)\w*[\s/>]"""
)
_TAG = re.compile(r"<(/?)([A-Z][\w.]*)(?=[\s/>])")
_EXPORT = re.compile(
    r"^export\s+(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*(?::[^=\n]*)?=\s*(?=[\[{])", re.MULTILINE
)
_IMPORT = re.compile(
    r"""^import\s+([A-Za-z_$][\w$]*)\s+from\s+["']([^"'\n]+\.json)["'];?[ \t]*$""", re.MULTILINE
)
_AFTER_BROKEN = re.compile(r"\n[ \t]*(?:\]\}[ \t]*)?/?>[ \t]*(?=\n|\Z)|\n(?=#{1,6}[ \t])")
_LONGEST_TAG = 100_000
_OPTION = frozenset({"option", "choice", "answer", "alternative"})
_STEM = frozenset({"prompt", "stem", "question"})
_WHY = frozenset("explanation explain feedback rationale solution why".split())


def take(source: str, shelf: Shelf) -> str:
    """An MDX page without what its components ask."""
    if not _LIKELY.search(source):
        return source
    page = layout(source)
    named, exports = _named(source, shelf)
    parts: list[str] = []
    at = 0
    for start, end, exercises in sorted(
        [*_components(source, page, named, shelf), *((*span, []) for span in exports)],
        key=lambda each: each[0],
    ):
        if start < at:
            continue
        parts.append(source[at:start])
        parts += [f"\n\n{shelf.put(each)}\n\n" for each in exercises]
        at = end
    return "".join([*parts, source[at:]])


def _named(source: str, shelf: Shelf) -> tuple[dict[str, Any], list[tuple[int, int]]]:
    """What the page's constants and the data that it imports hold, and where it says so."""
    named: dict[str, Any] = {}
    spans: list[tuple[int, int]] = []
    for found in _EXPORT.finditer(source):
        if spans and found.start() < spans[-1][1]:
            continue
        try:
            named[found[1]], end = read_literal(source, found.end())
        except LiteralError:
            continue
        if questions_in(named[found[1]]):
            spans.append((found.start(), end + source.startswith(";", end)))
    for found in _IMPORT.finditer(source):
        named[found[1]] = read_beside(found[2], shelf=shelf)
    return named, spans


@dataclass(slots=True, kw_only=True)
class _Element:
    name: str
    start: int
    inside: int  # where its content begins
    stop: int
    end: int
    attributes: dict[str, Any] = field(default_factory=dict)
    inner: list["_Element"] = field(default_factory=list)
    is_broken: bool = False

    @property
    def words(self) -> frozenset[str]:
        return words_of(self.name)


def _components(
    source: str, page: Layout, named: Mapping[str, Any], shelf: Shelf
) -> Iterator[tuple[int, int, list[Exercise]]]:
    floor, last = 0, ""
    for element in _asking(_elements(source, page, named), source):
        data = _data(element, source)
        asked = questions_in(data)
        start = element.start
        if not asked:
            before = asked_before(source, layout=page, start=start, floor=floor)
            start = before.start if before else start
            # With nothing between two components the second one is the first for other readers.
            last = before.text if before else last
        if element.is_broken:
            trouble = "its choices cannot be read: a bracket or a quote is missing"
            exercises = [Exercise(text=shelf.plain(last), form=FORM, trouble=trouble)]
        else:
            found = asked or _with_question(data, last)
            exercises = [each.exercise(form=FORM, plain=shelf.plain) for each in found]
        floor = element.end
        yield start, element.end, exercises


def _with_question(data: Mapping[str, Any], text: str) -> tuple[DataQuestion, ...]:
    """Choices with the question that stands before them."""
    found = questions_in({**data, "question": text or "?"})
    trouble = "it has choices but no question"
    return found if text else tuple(replace(each, text="", trouble=trouble) for each in found)


def _asking(elements: list[_Element], source: str) -> Iterator[_Element]:
    """The outermost components that hold questions, and those that look as if they should."""
    for element in elements:
        data = _data(element, source)
        if element.is_broken or questions_in(data) or _has_choices(data, named=element.words & _NAMES):
            yield element
        else:
            yield from _asking(element.inner, source)


def _has_choices(data: Mapping[str, Any], *, named: Collection[str]) -> bool:
    """Whether a component would be a question, had it the words of one."""
    lists = [value for value in data.values() if isinstance(value, list)]
    offers = named or any(isinstance(each, Mapping) for value in lists for each in value)
    return bool(lists and offers and questions_in({**data, "question": "?"}))


def _elements(source: str, page: Layout, named: Mapping[str, Any]) -> list[_Element]:
    """The page's components as a tree, code left out."""
    top: list[_Element] = []
    opened: list[_Element] = []
    tags = [tag for tag in _TAG.finditer(source) if not _is_verbatim(tag.start(), page)]
    starts = [tag.start() for tag in tags]
    skip = 0
    for number, tag in enumerate(tags):
        if tag.start() < skip:  # in an attribute of the one before
            continue
        if tag[1]:
            depth = next((n for n in range(len(opened) - 1, -1, -1) if opened[n].name == tag[2]), None)
            if depth is not None:
                end = source.find(">", tag.end()) + 1 or len(source)
                opened[depth].stop, opened[depth].end = tag.start(), end
                del opened[depth:]
            continue
        element, closes_itself = _element(source, tag, named, starts=starts, number=number)
        if element is None:
            continue
        skip = element.inside
        (opened[-1].inner if opened else top).append(element)
        if not closes_itself and len(opened) < _MOST_DEPTH:
            opened.append(element)
    return top


_MOST_DEPTH = 30


def _element(
    source: str, tag: re.Match[str], named: Mapping[str, Any], *, starts: list[int], number: int
) -> tuple[_Element | None, bool]:
    """One opening tag with its attributes: they end before the next line that begins with such a tag."""
    start = tag.start()
    bound = next(
        (
            place
            for place in starts[number + 1 : number + 200]
            if source.startswith(f"<{tag[2]}", place) and source[place - 1 : place] == "\n"
        ),
        start + _LONGEST_TAG,
    )
    text = source[start : min(bound, start + _LONGEST_TAG)]
    try:
        attributes, closes_itself, end = read_tag(text, len(tag[0]), named=named)
    except LiteralError as err:
        if not words_of(tag[2]) & _NAMES:
            return None, False
        found = _AFTER_BROKEN.search(text, min(err.at, len(text)))
        end = found.end() if found else len(text)
        broken = _Element(
            name=tag[2], start=start, inside=start + end, stop=start + end, end=start + end, is_broken=True
        )
        return broken, True
    element = _Element(
        name=tag[2],
        start=start,
        inside=start + end,
        stop=start + end,
        end=start + end,
        attributes=dict(_bound(attributes)),
    )
    return element, closes_itself


def _bound(attributes: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Attributes with their values; Vue writes `:options="['a', 'b']"`."""
    for key, value in attributes.items():
        if key.startswith((":", "v-bind:")) and isinstance(value, str):
            try:
                value, _ = read_literal(value, 0)  # noqa: PLW2901
            except LiteralError:
                continue
        if value is not UNREAD:
            yield key.removeprefix("v-bind").lstrip(":"), value


def _is_verbatim(at: int, page: Layout) -> bool:
    number = bisect_left(page.verbatim, (at + 1, 0)) - 1
    return number >= 0 and page.verbatim[number][0] <= at < page.verbatim[number][1]


def _data(element: _Element, source: str) -> dict[str, Any]:
    """A component and those in it as data of the same shape that an attribute would have."""
    data = dict(element.attributes)
    options: list[dict[str, Any]] = []
    questions: list[dict[str, Any]] = []
    cut: list[tuple[int, int]] = []
    for part in _parts(element):
        words, inside = part.words, source[part.inside : part.stop].strip()
        if words & _OPTION and not words & {"question", "multiple", "single"}:
            options.append({**({"text": inside} if inside else {}), **part.attributes})
        elif part.inner and words & _NAMES:
            questions.append(_data(part, source))
        elif words & _STEM:
            data.setdefault("question", inside)
        elif words & _WHY:
            data.setdefault("explanation", inside)
        else:
            continue
        cut.append((part.start, part.end))
    if questions:
        data["questions"] = questions
    rest = _without(source, cut, start=element.inside, stop=element.stop)
    if re.search(r"\w", re.sub(r"<[^<>]*>", "", rest)) and not questions:
        said = re.sub(r"</?[A-Z][\w.]*\s*/?>", "", rest).strip()
        # Beside choices that are an attribute, what the component holds tells why.
        data.setdefault("question" if options or said.endswith("?") else "explanation", said)
    return {**_offered(options), **data}


def _offered(options: list[dict[str, Any]]) -> dict[str, Any]:
    """What the options of a component are: its choices, or one answer."""
    unmarked = [each for each in options if not any(words_of(key) & {"correct", "right"} for key in each)]
    if len(options) == 1 and unmarked:
        return {"answer": options[0].get("text", "")}
    for option in unmarked:
        option["correct"] = False
    return {"options": options} if options else {}


def _parts(element: _Element) -> Iterator[_Element]:
    """The components in one, and those in what only groups them."""
    for part in element.inner:
        if part.words & {"options", "choices", "answers", "questions"} and not part.attributes:
            yield from _parts(part)
        else:
            yield part


def _without(source: str, spans: list[tuple[int, int]], *, start: int, stop: int) -> str:
    parts = []
    for cut_start, cut_end in spans:
        parts.append(source[start:cut_start])
        start = max(start, cut_end)
    return "\n".join([*parts, source[start:stop]])
