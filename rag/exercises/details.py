"""Answers that a page folds away: `<details>` behind what it answers.

Its summary says that it answers, or else what stands right before it is a question. All other disclosures stay: outputs,
notes for speakers, asides.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from agents.language.headings import is_apart
from agents.teaching.values import Exercise
from rag.exercises import Shelf
from rag.exercises.before import asked_before
from rag.exercises.blocks import Layout, layout
from rag.exercises.choices import boxed, offered, with_solutions
from rag.exercises.lists import lettered_lists
from rag.exercises.roles import Role, role_of_name, role_of_title

_FORM = "details"
_OPENS = re.compile(r"<details\b", re.IGNORECASE)
_TAG = re.compile(r"<(/?)details\b([^<>]*)>", re.IGNORECASE)
_SUMMARY = re.compile(r"\s*<summary\b[^<>]*>(.*?)</summary\s*>", re.IGNORECASE | re.DOTALL)
_CLASS = re.compile(r"""\bclass\s*=\s*["']([^"']*)""", re.IGNORECASE)
_ANY_TAG = re.compile(r"<[^<>]*>")
_QUESTION = re.compile(r"[?？؟]\W*\Z")
_CODE = re.compile(r"(?:```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z))\s*", re.DOTALL)
_MOST_DEPTH = 4

NO_QUESTION = "it is an answer to no question"
UNCLOSED = "its disclosure is not closed, and where it ends is not sure"


@dataclass(slots=True)
class _Disclosure:
    """One `<details>` in the source, with those in it."""

    start: int
    body: int
    attributes: str
    summary: str = ""
    stop: int = -1
    end: int = -1
    is_closed: bool = True
    inner: list["_Disclosure"] = field(default_factory=list)

    @property
    def role(self) -> Role | None:
        classes = _CLASS.search(self.attributes)
        names = re.split(r"[\s_-]+", classes[1].lower()) if classes else []
        named = next((role for name in names if (role := role_of_name(name))), None)
        return named or role_of_title(self.summary)


@dataclass(slots=True, kw_only=True)
class _Asked:
    """A question, what answers it, and the stretch of the page that both take."""

    start: int
    end: int
    text: str
    answers: list[str] = field(default_factory=list)
    title: str = ""
    trouble: str = ""


def take(source: str, shelf: Shelf) -> str:
    """A page without what it folds away as answers, and without their questions."""
    if not _OPENS.search(source):
        return source
    asked = list(_Page(source).asked())
    pieces = [piece for each in asked for piece in (each.title, lettered_lists(each.text), *each.answers)]
    texts = iter(shelf.plain_all(pieces))
    parts: list[str] = []
    at = 0
    for each in asked:
        title, text, answers = next(texts), next(texts), [next(texts) for _ in each.answers]
        trouble = each.trouble or ("" if text else NO_QUESTION)
        exercise = Exercise(text=text, form=_FORM, title=title, trouble=trouble)
        exercise = with_solutions(exercise, solutions=[answer for answer in answers if answer])
        parts += [source[at : each.start], f"\n\n{shelf.put(exercise)}\n\n"]
        at = each.end
    return "".join([*parts, source[at:]])


def unfolded(piece: str, *, deep: int = _MOST_DEPTH) -> tuple[str, list[str]]:
    """What a question says, and the answers that are folded away in it; hints are neither."""
    if not deep or not _OPENS.search(piece):
        return piece, []
    parts: list[str] = []
    answers: list[str] = []
    at = 0
    for each in _disclosures(piece, layout=layout(piece)):
        parts.append(piece[at : each.start])
        at = each.end
        if each.role == "asks" or not each.summary:
            text, more = unfolded(piece[each.body : each.stop], deep=deep - 1)
            parts.append(text)
            answers += more
        elif each.role != "helps":
            answers.append(piece[each.body : each.stop])
    return "\n\n".join([*parts, piece[at:]]), answers


class _Page:
    def __init__(self, source: str) -> None:
        self._source = source
        self._layout: Layout = layout(source)

    def asked(self) -> Iterator[_Asked]:
        """The questions that disclosures answer, in their order."""
        floor = 0
        for group in self._groups():
            yield from self._of(group, floor=floor)
            floor = group[-1].end

    def _groups(self) -> Iterator[list[_Disclosure]]:
        """Disclosures with nothing between them belong together: a hint, another one, the solution."""
        group: list[_Disclosure] = []
        for each in _disclosures(self._source, layout=self._layout):
            if group and self._source[group[-1].end : each.start].strip():
                yield group
                group = []
            group.append(each)
        if group:
            yield group

    def _of(self, group: Sequence[_Disclosure], *, floor: int) -> Iterator[_Asked]:
        asked: _Asked | None = None
        for each in group:
            role = each.role
            own = self._asks_itself(each, role=role)
            if asked and own:
                yield asked
            if own:
                asked = own
            elif role == "answers" and asked:
                asked.answers.append(self._body(each))
                asked.end = each.end
            elif asked is None and role != "helps":
                asked = self._behind_its_question(each, role=role, start=group[0].start, floor=floor)
            if asked and not each.is_closed:
                asked.trouble = UNCLOSED
        if asked:
            yield asked

    def _asks_itself(self, each: _Disclosure, *, role: Role | None) -> _Asked | None:
        """A question that is folded away with its answer, or whose answer is."""
        asks = _QUESTION.search(each.summary)
        if role != "asks" and not (asks and role is None and self._is_for_work(each.start)):
            return None
        text, answers = unfolded(self._body(each))
        asked = _Asked(start=each.start, end=each.end, text=text, answers=answers, title=each.summary)
        if asks and not answers and _ANY_TAG.sub("", text).strip():
            asked.text, asked.answers, asked.title = each.summary, [text], ""
        return asked

    def _is_for_work(self, start: int) -> bool:
        number = bisect_right(self._layout.headings, start, key=lambda heading: heading.start) - 1
        heading = self._layout.headings[number].text if number >= 0 else ""
        return role_of_title(heading) == "asks" or is_apart(heading)

    def _behind_its_question(
        self, each: _Disclosure, *, role: Role | None, start: int, floor: int
    ) -> _Asked | None:
        before = asked_before(self._source, layout=self._layout, start=start, floor=floor)
        if role != "answers" and not (each.summary and before and _is_question(before.text)):
            return None
        answers = [self._body(each)]
        if before is None:
            return _Asked(start=start, end=each.end, text="", answers=answers, trouble=NO_QUESTION)
        return _Asked(start=before.start, end=each.end, text=before.text, answers=answers)

    def _body(self, each: _Disclosure) -> str:
        return self._source[each.body : each.stop]


def _is_question(text: str) -> bool:
    """Whether words end in a question, but for the code or the choices behind them."""
    text = lettered_lists(text)
    if boxed(text):
        return True
    listed = offered(text)
    words = _CODE.sub("", listed.stem if listed else text).rstrip()
    return bool(_QUESTION.search(words)) or (listed is not None and words.endswith((":", "_", "…")))


def _disclosures(source: str, *, layout: Layout) -> list[_Disclosure]:
    """The outermost disclosures; one that is not closed ends where the next begins, or the section."""
    top: list[_Disclosure] = []
    opened: list[_Disclosure] = []
    for tag in _TAG.finditer(source):
        number = bisect_right(layout.verbatim, tag.start(), key=lambda span: span[0]) - 1
        if number >= 0 and tag.start() < layout.verbatim[number][1]:
            continue
        if tag[1]:
            if opened:
                closed = opened.pop()
                closed.stop, closed.end = tag.span()
            continue
        summary = _SUMMARY.match(source, tag.end())
        each = _Disclosure(tag.start(), summary.end() if summary else tag.end(), tag[2])
        each.summary = " ".join(_ANY_TAG.sub("", summary[1]).split()) if summary else ""
        (opened[-1].inner if opened else top).append(each)
        opened.append(each)
    return [part for each in top for part in _ended(each, source=source, layout=layout)]


def _ended(each: _Disclosure, *, source: str, layout: Layout) -> Iterator[_Disclosure]:
    """A disclosure with an end, and behind one that has none those that seemed to stand in it."""
    waiting = [each]
    while waiting:
        each = waiting.pop()
        if each.end < 0:
            number = bisect_left(layout.headings, each.body, key=lambda heading: heading.start)
            ends = [heading.start for heading in layout.headings[number : number + 1]]
            each.stop = each.end = min([*ends, *(inner.start for inner in each.inner[:1]), len(source)])
            each.is_closed = False
            waiting += reversed(each.inner)
        yield each
