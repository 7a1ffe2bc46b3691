"""Boxes of a Markdown page that ask and answer, in every dialect of `blocks.py`: fenced divs (`::: challenge`), directives
(`{exercise}`, `{solution}` with the label of what it solves, `{admonition} Solution` that is folded), `??? question`, quotes that kramdown marks.

An answer stands in the box of its question, names it, or follows it. One that has no such question answers what stands
before it on the page. Hints and notes for teachers are shown to nobody before the answer.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from textwrap import dedent

from agents.teaching.values import Exercise
from rag.exercises import Shelf, quoted
from rag.exercises.before import asked_before
from rag.exercises.blocks import LIKELY, Layout, PageBox, PageHeading, layout, without
from rag.exercises.choices import with_solution
from rag.exercises.roles import Role, is_bare, role_of_label, role_of_name, role_of_title
from rag.loaders.document import fenced

_FORMS = {"div": "fenced_div", "directive": "directive", "admonition": "admonition"}
_NOT_CLOSED = "its box is not closed, and where it ends is not sure"
_TITLE = re.compile(r"\s*#{1,6}[ \t]+([^\n]*)(?:\n|\Z)")
_TITLE_TAIL = re.compile(r"[ \t]*(?:#+|\{[^{}]*\})[ \t]*$")
_ASKS = re.compile(r"[?？؟]\s*\W*$")
_FOR_TEACHERS = frozenset({"instructor", "instructor-note", "instructors"})
_APART = frozenset({"challenge", "exercise", "solution", "answer", "problem", "question"})
_GATE = re.compile(r"(.+)-(start|end)")


@dataclass(slots=True, kw_only=True, eq=False)
class _Box:
    """A box with a role: what of it stays when what stands in it is taken out."""

    block: PageBox
    role: Role
    title: str
    stop: int
    end: int
    answers: list["_Box"] = field(default_factory=list)
    left_out: list[tuple[int, int]] = field(default_factory=list)


def take(source: str, shelf: Shelf) -> str:
    """A page without the boxes that ask, and without any that answers."""
    if quoted.LIKELY.search(source):
        source = quoted.as_divs(source)
    if not LIKELY.search(source):
        return source
    return _Page(source, shelf).without_boxes()


class _Page:
    def __init__(self, source: str, shelf: Shelf) -> None:
        self._source = source
        self._shelf = shelf
        self._layout: Layout = layout(source, apart=_APART)
        self._labels: dict[str, _Box] = {}

    def without_boxes(self) -> str:
        boxes = list(self._boxes(_gates_joined(self._layout.blocks), within=None))
        asking = [box for box in boxes if box.role == "asks"]
        for box in asking:
            if box.block.label:
                self._labels.setdefault(_same_label(box.block.label), box)
        alone = self._paired(boxes)
        edits: list[tuple[int, int, Exercise | None]] = [
            (box.block.start, box.end, self._exercise(box)) for box in asking
        ]
        floor = 0
        for box in boxes:
            if box.role == "answers":
                start, exercise = (
                    self._of_alone(box, floor=floor) if box in alone else (box.block.start, None)
                )
                edits.append((start, box.end, exercise))
            floor = max(floor, box.end)
        return self._edited(sorted(edits, key=lambda edit: edit[:2]))

    def _edited(self, edits: Sequence[tuple[int, int, Exercise | None]]) -> str:
        """The page with each exercise cut, and its mark in its place: under the section's own heading, not that of a box."""
        pieces: list[tuple[int, int, str]] = []
        for start, end, exercise in edits:
            pieces.append((start, end, "\n\n"))
            if exercise:
                place = self._under_section(start)
                pieces.append((place, place, f"\n\n{self._shelf.put(exercise)}\n\n"))
        parts: list[str] = []
        at = 0
        for start, end, text in sorted(pieces, key=lambda piece: piece[0]):
            parts += [self._source[at : max(start, at)], text]
            at = max(at, end)
        return "".join([*parts, self._source[at:]])

    def _under_section(self, place: int) -> int:
        """A place, or the heading of its section where a box with a heading of its own stands between."""
        if not self._boxes_with_headings:
            return place
        number = bisect_left(self._boxes_with_headings, place, key=lambda each: each[0]) - 1
        if number < 0:
            return place
        start, end = self._boxes_with_headings[number]
        headings = self._own_headings
        last = bisect_left(headings, place, key=lambda each: each.start) - 1
        if end > place or (last >= 0 and headings[last].start > start):
            return place  # in that box, or in a later section
        return headings[last].end if last >= 0 else 0

    @cached_property
    def _boxes_with_headings(self) -> list[tuple[int, int]]:
        """The outermost boxes that have headings in them."""
        starts = [heading.start for heading in self._layout.headings]
        return [
            (block.start, block.end)
            for block in self._layout.blocks
            if bisect_left(starts, block.start) < bisect_left(starts, block.end)
        ]

    @cached_property
    def _own_headings(self) -> list[PageHeading]:
        """The headings that stand in no box."""
        found: list[PageHeading] = []
        boxes = iter([*self._boxes_with_headings, (len(self._source), len(self._source))])
        start, end = next(boxes)
        for heading in self._layout.headings:
            while heading.start >= end and end < len(self._source):
                start, end = next(boxes)
            if not start <= heading.start < end:
                found.append(heading)
        return found

    def _boxes(self, blocks: Sequence[PageBox], *, within: _Box | None) -> Iterator[_Box]:
        """The boxes that ask, with what answers in them, and those that answer alone, in their order."""
        for block in blocks:
            role = self._role(block, within=within)
            if role is None:
                if within and block.name in _FOR_TEACHERS:
                    within.left_out.append((block.start, block.end))
                else:
                    yield from self._boxes(_gates_joined(block.inner), within=within)
                continue
            stop, end = (block.stop, block.end) if block.is_closed else (self._where_to_end(block),) * 2
            box = _Box(block=block, role=role, title=self._title(block), stop=stop, end=end)
            if within:
                within.left_out.append((block.start, end))
            inner = [each for each in block.inner if each.start < stop]
            if role == "asks":
                yield from self._asking(box, inner)
            elif role == "answers" and within:
                within.answers.append(box)
            elif role == "answers":
                yield box
            yield from self._boxes(_gates_joined(block.inner[len(inner) :]), within=within)

    def _asking(self, box: _Box, inner: Sequence[PageBox]) -> Iterator[_Box]:
        """A box that asks and those in it that ask too; one without words of its own only groups them."""
        found = list(self._boxes(_gates_joined(inner), within=box))
        if not found or re.search(r"\w", self._body(box)):
            yield box
        yield from found

    def _where_to_end(self, block: PageBox) -> int:
        """A box that nothing closes ends at the next heading behind its own that stands in no box in it."""
        own = _TITLE.match(self._source, block.body)
        after = own.end() if own else block.body
        inner = [(each.body, each.end) for each in block.inner if each.is_closed]
        headings = self._layout.headings
        for number in range(bisect_left(headings, after, key=lambda each: each.start), len(headings)):
            place = headings[number].start
            if place >= block.end:
                break
            if not any(start <= place < end for start, end in inner):
                return place
        return block.end

    def _role(self, block: PageBox, *, within: _Box | None) -> Role | None:
        if block.name in _FOR_TEACHERS:
            return None
        named = next((role for each in (block.name, *block.classes) if (role := role_of_name(each))), None)
        if named is None and block.dialect == "div":
            named = role_of_name(block.label.partition("-")[0]) if "-" in block.label else None
        title = self._title(block)
        if block.dialect == "admonition" and named == "asks" and not within:
            return named if self._really_asks(block, title) else None
        if named:
            return named
        said = role_of_title(title) if within or block.is_folded else role_of_label(title)
        if within and (said or block.is_folded or block.name == "spoiler"):
            return "helps" if said == "helps" else "answers"
        if block.name == "admonition" or block.is_folded or block.dialect == "admonition":
            return said if said != "helps" else None
        return "answers" if said == "answers" else None

    def _really_asks(self, block: PageBox, title: str) -> bool:
        """Sites fold their frequent problems under "question" too."""
        body = self._source[block.body : block.stop]
        return bool(_ASKS.search(title) or role_of_label(title) or "?" in body or block.inner)

    def _title(self, block: PageBox) -> str:
        if block.title and not (
            block.name.startswith("solution") and _same_label(block.title) in self._labels
        ):
            return block.title
        heading = _TITLE.match(self._source, block.body, max(block.stop, block.body))
        return _TITLE_TAIL.sub("", heading[1]).strip() if heading else ""

    def _has_words(self, box: _Box) -> bool:
        return bool(re.search(r"\w", self._body(box)))

    def _body(self, box: _Box) -> str:
        block = box.block
        body = without(self._source, box.left_out, start=block.body, stop=box.stop)
        if block.code is not None:
            return fenced(body, language=block.code)
        if block.dialect == "admonition":
            body = dedent(body.expandtabs(4))
        own = None if block.title else _TITLE.match(body)
        return body[own.end() :] if own else body

    def _exercise(self, box: _Box) -> Exercise:
        text = self._shelf.plain(self._body(box))
        title = self._shelf.plain(box.title)
        exercise = Exercise(text=text or title, form=_FORMS[box.block.dialect], title=title)
        answers = box.answers
        if not answers and box.block.is_folded and _ASKS.search(title):
            # A question that unfolds its answer.
            return with_solution(replace(exercise, text=title, title=""), solution=text)
        if not exercise.text:
            exercise = replace(exercise, trouble="it has no text")
        elif not all(each.block.is_closed for each in [box, *answers]):
            exercise = replace(exercise, trouble=_NOT_CLOSED)
        return with_solution(exercise, solution=self._solution(answers))

    def _solution(self, answers: Sequence[_Box]) -> str:
        """What the answers say, one under the other; a title that says which is which stays."""
        parts: list[str] = []
        for box in answers:
            title = self._shelf.plain(box.title)
            shown = title and not is_bare(title) and _same_label(box.title) not in self._labels
            parts += [f"**{title}**"] if shown and len(answers) > 1 else []
            parts.append(self._shelf.plain(self._body(box)))
        return "\n\n".join(filter(None, parts))

    def _paired(self, boxes: Sequence[_Box]) -> set[_Box]:
        """Give every answer to the question that it names or follows; what is left stands alone."""
        alone: set[_Box] = set()
        last: _Box | None = None
        for box in boxes:
            if box.role == "asks":
                last = box
                continue
            named = self._labels.get(_same_label(box.block.title or box.block.label))
            if named:
                named.answers.append(box)
            elif last and self._follows(box, last):
                last.answers.append(box)
            else:
                alone.add(box)
        return alone

    def _follows(self, answer: _Box, question: _Box) -> bool:
        """Whether nothing is told between a question and an answer, or the question has none yet in its section."""
        between = self._source[question.end : answer.block.start]
        if question.answers:
            between = self._source[question.answers[-1].end : answer.block.start]
            return not between.strip()
        return not re.search(r"^ {0,3}#{1,6} ", between, re.MULTILINE) and len(between.split()) < 60

    def _of_alone(self, box: _Box, *, floor: int) -> tuple[int, Exercise]:
        """An answer without a box that asks: what stands before it does."""
        form = _FORMS[box.block.dialect]
        before = asked_before(self._source, layout=self._layout, start=box.block.start, floor=floor)
        solution = self._solution([box])
        if before is None:
            return box.block.start, Exercise(
                text="", form=form, solution=solution, trouble="it is an answer to no question"
            )
        exercise = Exercise(text=self._shelf.plain(before.text), form=form)
        if not box.block.is_closed:
            exercise = replace(exercise, trouble=_NOT_CLOSED)
        return before.start, with_solution(exercise, solution=solution)


def _gates_joined(blocks: Sequence[PageBox]) -> list[PageBox]:
    """`{exercise-start}` and `{exercise-end}` with all that stands between them as one box."""
    joined: list[PageBox] = []
    opened: list[PageBox] = []
    for block in blocks:
        gate = _GATE.fullmatch(block.name)
        if gate and gate[2] == "start" and role_of_name(gate[1]):
            if opened and opened[-1].name == gate[1]:  # never closed
                opened.pop()
            whole = replace(block, name=gate[1], classes=(gate[1], *block.classes), body=block.end, inner=[])
            whole.is_closed = False
            whole.stop = whole.end = block.end
            (opened[-1].inner if opened else joined).append(whole)
            opened.append(whole)
        elif gate and gate[2] == "end" and any(each.name == gate[1] for each in opened):
            while opened[-1].name != gate[1]:
                opened.pop()
            whole = opened.pop()
            whole.stop, whole.end, whole.is_closed = block.start, block.end, True
        else:
            (opened[-1].inner if opened else joined).append(block)
    return joined


def _same_label(label: str) -> str:
    """Quarto tells `#sol-loops` and `#exr-loops`."""
    return re.sub(r"^(?:sol|exr|ex|exe|solution|exercise)-", "", label.strip()).casefold()
