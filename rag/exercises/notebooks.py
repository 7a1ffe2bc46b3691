"""Exercises of notebooks: a cell that asks, and the cells that answer it.

What answers says so: by a tag, by being folded behind an exercise, by a heading or a first line ("# Solution"), or by
nbgrader's marks, between which only the solution stands. A heading covers the cells down to the next one; a tag or a first
line only its own cell.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import dedent

from agents.teaching.values import Exercise
from rag.exercises import Shelf
from rag.exercises.before import asked_before
from rag.exercises.blocks import layout
from rag.exercises.choices import with_solution
from rag.exercises.roles import Role, is_bare, role_of_label, role_of_name

FORM = "notebook"

_HEADING = re.compile(r"\s*#{1,6}[ \t]+([^\n]*)(?:\n|\Z)")
_LABEL = re.compile(
    r"\s*(?:\*\*|__|<b>)([^*_<\n]{1,60})(?:\*\*|__|</b>)[ \t]*[:.]?|\s*([^\W\d_]+(?:[ \t]+\d+(?:\.\d+)*)?)[ \t]*:"
)
_COMMENT = re.compile(
    r"\s*(?:#|//|--|%)+[ \t]*(?:@title[ \t]+)?([^\n]{1,60}?)[ \t]*(?:\{[^{}\n]*\})?(?:\n|\Z)"
)
_NBGRADER = re.compile(
    r"^([ \t]*)###[ \t]*BEGIN SOLUTION[^\n]*\n(.*?)^[ \t]*###[ \t]*END SOLUTION[^\n]*$",
    re.DOTALL | re.MULTILINE,
)
_LEFT_OUT = r"\1# your code here"
_ONLY_NOTES = re.compile(
    r"(?:\s*(?:(?:#|//)[^\n]*|pass|\.\.\.|raise NotImplementedError\(.*\)|[\w ,]+ = (?:None|\.\.\.)))*\s*\Z"
)
_TO_FILL_IN = re.compile(
    r"(?:YOUR|DEINE|IHRE) (?:ANSWER|ANTWORT)[^\n]*", re.IGNORECASE
)  # nbgrader's place for it
_FENCE = re.compile(r"(```+[^\n]*\n)(.*)(\n```+)\Z", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class NotebookCell:
    """A cell as the loader reads it."""

    source: str
    blocks: tuple[str, ...]  # as Markdown: its text, or its code and what that printed
    is_code: bool
    is_folded: bool = False  # its source is shown after a click only
    is_shown: bool = True  # to somebody who reads the book
    tags: frozenset[str] = frozenset()
    nbgrader: frozenset[str] = frozenset()  # "solution": the author's answer; "grade": it only tests one


def take(cells: Sequence[NotebookCell], shelf: Shelf) -> list[str]:
    """The Markdown of the cells that teach, with marks where exercises stood."""
    return _Notebook(cells, shelf).taught()


class _Notebook:
    def __init__(self, cells: Sequence[NotebookCell], shelf: Shelf) -> None:
        self._cells = cells
        self._shelf = shelf
        self._blocks: list[str] = []
        self._last: int | None = None  # the cell of the text that may be a question, when an answer follows

    def taught(self) -> list[str]:
        at = 0
        while at < len(self._cells):
            cell = self._cells[at]
            role = _role(cell)
            if role == "asks":
                at = self._exercise(at)
            elif _NBGRADER.search(cell.source) if cell.is_code else False:
                at = self._graded(at)
            elif role == "answers" or (self._asks_last() and not (cell.is_shown and not cell.is_folded)):
                at = self._answer_alone(at)
            elif cell.is_code and "grade" in cell.nbgrader:
                at += 1
            else:
                if cell.is_shown:
                    self._last = len(self._blocks) if cell.blocks and not cell.is_code else None
                    self._blocks += cell.blocks
                at += 1
        return self._blocks

    def _exercise(self, at: int) -> int:
        """The cell that asks with all that belongs to it, then the cells that answer."""
        end = self._end_of(at, is_question=True)
        asking = self._cells[at:end]
        answers_end = end
        while answers_end < len(self._cells) and _answers(self._cells[answers_end], behind_question=True):
            answers_end = self._end_of(answers_end)
        title, text = _without_title(asking[0])
        parts = [self._shelf.plain(text), *(block for cell in asking[1:] for block in _as_asked(cell))]
        graded = [_solution_in(cell) for cell in asking if cell.is_code]
        solution = [
            *filter(None, graded),
            *(_said(cell, self._shelf) for cell in self._cells[end:answers_end]),
        ]
        title = self._shelf.plain(title)
        body = "\n\n".join(filter(str.strip, parts))
        exercise = Exercise(text=body or title, form=FORM, title=title)
        self._put(with_solution(exercise, solution="\n\n".join(filter(None, solution))))
        return answers_end

    def _graded(self, at: int) -> int:
        """A cell with nbgrader's marks: the text before it says what to write in it."""
        cell = self._cells[at]
        text = self._blocks[self._last] if self._last is not None else ""
        if self._last is not None:
            del self._blocks[self._last :]
        before, question = _split(text)
        self._blocks += [before] if before else []
        title, question = _titled(question)
        parts = [self._shelf.plain(question), *_as_asked(cell)]
        exercise = Exercise(
            text="\n\n".join(filter(str.strip, parts)), form=FORM, title=self._shelf.plain(title)
        )
        self._put(with_solution(exercise, solution=_solution_in(cell)))
        return at + 1

    def _answer_alone(self, at: int) -> int:
        """An answer without a cell that asks: it answers the end of the text before it."""
        end = self._end_of(at)
        solution = "\n\n".join(filter(None, (_said(cell, self._shelf) for cell in self._cells[at:end])))
        text = self._blocks.pop(self._last) if self._last is not None else ""
        before, question = _split(text)
        self._blocks += [before] if before else []
        if question:
            exercise = with_solution(Exercise(text=self._shelf.plain(question), form=FORM), solution=solution)
        else:
            exercise = Exercise(
                text="", form=FORM, solution=solution, trouble="it is an answer to no question"
            )
        self._put(exercise)
        return end

    def _asks_last(self) -> bool:
        """Whether the text right before this cell ends with a question."""
        return self._last is not None and self._blocks[self._last].rstrip(" \n*_").endswith(("?", "？", "؟"))

    def _put(self, exercise: Exercise) -> None:
        self._blocks.append(self._shelf.put(exercise))
        self._last = None

    def _end_of(self, at: int, *, is_question: bool = False) -> int:
        """Where what a cell begins ends: a heading covers what is below it, a label only code to be filled in."""
        has_heading = not self._cells[at].is_code and _HEADING.match(self._cells[at].source) is not None
        end = at + 1
        while end < len(self._cells):
            cell = self._cells[end]
            goes_on = is_question and cell.is_code and _role(cell) == "asks"
            if (_role(cell) and not goes_on) or (not cell.is_code and _HEADING.match(cell.source)):
                break
            if is_question and _answers(cell, behind_question=True):
                break
            is_stub = goes_on or (
                cell.is_code and (_ONLY_NOTES.match(cell.source) or _NBGRADER.search(cell.source))
            )
            if not has_heading and not (
                is_stub if is_question else cell.is_code and not self._cells[at].is_code
            ):
                break
            end += 1
        return end


def _role(cell: NotebookCell) -> Role | None:
    """What a cell says of itself that it is for."""
    tagged = next((role for tag in sorted(cell.tags) if (role := _of_tag(tag))), None)
    if tagged:
        return tagged if tagged != "helps" else "answers"
    if "solution" in cell.nbgrader and not cell.is_code:
        return "answers"
    if cell.is_code:
        comment = _COMMENT.match(cell.source)
        return "answers" if comment and _says(comment[1]) == "answers" else None
    heading = _HEADING.match(cell.source)
    if heading:
        said = role_of_label(heading[1])
        has_more = bool(cell.source[heading.end() :].strip()) or not is_bare(heading[1])
        return said if said != "asks" or has_more else None
    label = _LABEL.match(cell.source)
    return _says(label[1] or label[2]) if label else None


def _of_tag(tag: str) -> Role | None:
    words = re.split(r"[-_: ]", tag.lower())
    return next((role for word in reversed(words) if (role := role_of_name(word))), None)


def _says(words: str) -> Role | None:
    return role_of_label(words) if len(words.split()) <= 4 else None


def _answers(cell: NotebookCell, *, behind_question: bool) -> bool:
    return _role(cell) == "answers" or (behind_question and (cell.is_folded or not cell.is_shown))


def _without_title(cell: NotebookCell) -> tuple[str, str]:
    return _titled(cell.source)


def _titled(text: str) -> tuple[str, str]:
    """A cell's heading, or the label that begins it, and what it asks."""
    heading = _HEADING.match(text)
    if heading:
        return heading[1].strip(), text[heading.end() :]
    label = _LABEL.match(text)
    name = (label[1] or label[2] or "").strip(" :.") if label else ""
    return (name, text[label.end() :].lstrip(" :.")) if label and _says(name) == "asks" else ("", text)


def _split(text: str) -> tuple[str, str]:
    """The text before a question, and the question at its end."""
    if not text.strip():
        return "", ""
    found = asked_before(text, layout=layout(text), start=len(text), floor=0)
    return (text[: found.start].strip("\n"), found.text) if found else ("", text)


def _as_asked(cell: NotebookCell) -> Sequence[str]:
    """The cell's Markdown without the solution that nbgrader takes out."""
    if "grade" in cell.nbgrader and cell.is_code:
        return ()  # it only tests what was written
    if not cell.is_code or not _NBGRADER.search(cell.source):
        return cell.blocks
    fence = _FENCE.match(cell.blocks[0]) if cell.blocks else None
    # What it printed is what the solution printed.
    return (f"{fence[1]}{_NBGRADER.sub(_LEFT_OUT, fence[2])}{fence[3]}",) if fence else ()


def _solution_in(cell: NotebookCell) -> str:
    parts = [dedent(found[2]).strip("\n") for found in _NBGRADER.finditer(cell.source)]
    fence = _FENCE.match(cell.blocks[0]) if cell.blocks else None
    return fence[1] + "\n\n".join(parts) + fence[3] if parts and fence else ""


def _said(cell: NotebookCell, shelf: Shelf) -> str:
    """What an answering cell says, without the word that it answers."""
    if _TO_FILL_IN.fullmatch(cell.source.strip()):
        return ""
    if cell.is_code:
        return "\n\n".join(cell.blocks)
    heading = _HEADING.match(cell.source)
    rest = cell.source[heading.end() :] if heading and is_bare(heading[1]) else cell.source
    label = None if heading else _LABEL.match(rest)
    if label and is_bare(label[1] or label[2]):
        rest = rest[label.end() :].lstrip(" :.")
    return shelf.plain(rest)
