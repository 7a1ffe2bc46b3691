"""Exercises of web pages, by what their elements say they are: `data-type` of OpenStax, classes of PreTeXt, Sphinx, bookdown,
Quarto and their like, and `<details>` behind a question.

A solution stands in its exercise, names it by a link, follows it, or answers what stands before it. What stands in an example
is shown with it and stays.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import escape

from bs4 import Tag
from bs4.element import PageElement

from agents.language.headings import is_apart
from agents.teaching.values import AnswerChoice, Exercise
from rag.exercises import Shelf
from rag.exercises.choices import with_solutions
from rag.exercises.details import NO_QUESTION as ANSWERS_NOTHING
from rag.exercises.elements import (
    NO_TEXT,
    inside,
    is_right,
    lettered,
    new_mark,
    take_choices,
    take_title,
    title_tag,
)
from rag.exercises.openstax import KINDS, NO_QUESTION, UNCLOSED
from rag.exercises.roles import role_of_name, role_of_title

_FORM = "html"
_BOXES = frozenset("div section article aside li details fieldset blockquote form".split())
# Other names ask only where something answers.
_SURELY = {"exercise": "exercise", "challenge": "exercise", "problem": "problem", "example": "example"}
_PLURALS = frozenset({"solutions", "answers"})
_ROLES = {"asks": "likely", "answers": "solution", "helps": "hint"}
_FOLDS = frozenset("accordion dropdown toggle spoiler collapsible".split())  # as `<details>` are
_NO_MARKS = frozenset("ul ol dl table form select".split())  # a mark in one of these would be an item of it
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_ASKS = re.compile(r"[?？؟]\W*\Z")
_NO_QUESTION = _HEADINGS | {"details", "hr", "section", "article", "nav", "header"}
_MOST_WORDS = 150  # under a heading that asks: what has more is told there


@dataclass(slots=True)
class _Asking:
    """An element that asks, and what answers it."""

    tag: Tag
    level: int  # of the heading that it stands under
    answers: list[Tag] = field(default_factory=list)
    hints: list[Tag] = field(default_factory=list)
    stop: Tag | None = None  # the first in it that cannot be its own: another exercise, a section's heading
    mark: Tag = field(default_factory=new_mark)


@dataclass(slots=True, kw_only=True)
class _Taken:
    """An exercise that is out of the page, as markup."""

    mark: Tag
    title: str = ""
    text: str = ""
    answers: list[str] = field(default_factory=list)
    choices: list[tuple[str, bool, str]] = field(
        default_factory=list
    )  # each right or not, and the word on it
    trouble: str = ""


_Cut = dict[int, _Asking]  # answers by identity: the first exercise that only seems to stand in each


def take(page: Tag, shelf: Shelf) -> None:
    """Leave a mark where each exercise of the page stood."""
    asking, alone, cut = _found(page)
    taken = [found for each in asking if (found := _taken(each, cut=cut))]
    taken += [found for answer in alone if (found := _behind_its_question(answer, cut=cut))]
    texts = iter(shelf.plain_all([piece for each in taken for piece in _pieces(each)]))
    exercises = {id(each.mark): _exercise(each, texts=texts) for each in taken}
    if exercises:
        for mark in page.find_all("p"):  # in the order of the page
            if exercise := exercises.pop(id(mark), None):
                mark.string = shelf.put(exercise)
        for exercise in exercises.values():  # their marks stand in what another one took
            shelf.put(exercise)


def _pieces(taken: _Taken) -> list[str]:
    choices = [piece for text, _, why in taken.choices for piece in (text, why)]
    return [taken.title, taken.text, *taken.answers, *choices]


def _exercise(taken: _Taken, *, texts: Iterator[str]) -> Exercise:
    title, text = next(texts).replace("**", ""), next(texts)
    title = title if re.search(r"[^\W\d_]", title) else ""  # only its number
    solutions = [solution for _ in taken.answers if (solution := next(texts))]
    choices = tuple(
        AnswerChoice(text=next(texts), is_right=right, why=next(texts)) for _, right, _ in taken.choices
    )
    trouble = taken.trouble or ("" if text else NO_QUESTION if solutions or choices else "it is empty")
    exercise = Exercise(text=text, form=_FORM, title=title, choices=choices, trouble=trouble)
    return with_solutions(exercise, solutions=solutions)


def _kind(tag: Tag) -> str:
    """What an element says it is: one of KINDS, "hint", "likely" (to ask), "folded", or nothing."""
    said = _said(tag)
    holds_several = said == "solution" and not _PLURALS.isdisjoint(tag.get_attribute_list("class"))
    return "" if holds_several and tag.find(_says_something) else said


def _says_something(tag: Tag) -> bool:
    return bool(_said(tag))


def _said(tag: Tag) -> str:
    said = KINDS.get(str(tag.get("data-type", "")).lower())
    if said or tag.name not in _BOXES:
        return said or ""
    found = ""
    for name in tag.get_attribute_list("class"):
        plain = str(name).lower().removesuffix("-like")
        role = role_of_name(plain)
        if plain in _SURELY:
            return _SURELY[plain]
        found = found or (_ROLES[role] if role else "")
    if not found and (tag.name == "details" or _FOLDS.intersection(tag.get_attribute_list("class"))):
        role = role_of_title(_summary(tag))
        return _ROLES[role] if role else "folded"
    return found


def _summary(tag: Tag) -> str:
    """What a page shows of what it folds away."""
    shown = tag.find(["summary", "button", *_HEADINGS])
    return shown.get_text(" ", strip=True) if isinstance(shown, Tag) else ""


def _found(page: Tag) -> tuple[list[_Asking], list[Tag], _Cut]:
    """What asks, with its answers, the answers that stand alone, and where those end that are not closed."""
    cut: _Cut = {}
    known: dict[int, _Asking | str] = {}
    asking: list[_Asking] = []
    alone: list[Tag] = []
    level = 0
    for tag in page.find_all(True):
        if tag.name in _HEADINGS:
            owner = next(_all_around(tag, known=known), None)
            if owner:
                _note_heading(tag, within=owner)
            elif _around(tag, known=known) is None:
                level = int(tag.name[1])
            continue
        kind = _kind(tag)
        if not kind:
            continue
        around = _around(tag, known=known)
        owner = around if isinstance(around, _Asking) and around.stop is None else None
        if kind == "example" or (isinstance(around, str) and kind not in ("exercise", "problem")):
            known[id(tag)] = kind if around is None else "example"
        elif around == "example" or (owner and _is_part(tag, kind=kind, of=owner)):
            continue
        elif kind in ("exercise", "problem") or (kind == "likely" and not owner and _asks(tag)):
            for each in _all_around(tag, known=known):
                each.stop = each.stop or tag
            asking.append(_Asking(tag, level))
            if isinstance(around, str):
                cut.setdefault(next(id(each) for each in tag.parents if id(each) in known), asking[-1])
            known[id(tag)] = asking[-1]
        elif owner and kind in ("solution", "hint", "folded"):
            (owner.hints if kind == "hint" else owner.answers).append(tag)
            known[id(tag)] = kind
        elif kind in ("solution", "folded"):
            alone.append(tag)
            known[id(tag)] = kind
    return asking, _paired(alone, asking=asking), cut


def _around(tag: Tag, *, known: dict[int, "_Asking | str"]) -> "_Asking | str | None":
    return next((known[id(each)] for each in tag.parents if id(each) in known), None)


def _all_around(tag: Tag, *, known: dict[int, "_Asking | str"]) -> Iterator[_Asking]:
    """The exercises around an exercise, up to the first that is known not to end."""
    for each in tag.parents:
        found = known.get(id(each))
        if isinstance(found, _Asking):
            yield found
            if found.stop:
                return


def _note_heading(tag: Tag, *, within: _Asking) -> None:
    """A heading as high as the section's own, below something, shows that the exercise was not closed."""
    if within.stop is None and int(tag.name[1]) <= within.level:
        own = within.tag.get_text("", strip=True).startswith(tag.get_text("", strip=True))
        within.stop = None if own else tag


def _is_part(tag: Tag, *, kind: str, of: _Asking) -> bool:
    is_problem = kind == "problem" and _kind(of.tag) == "exercise"
    return is_problem or "task" in tag.get_attribute_list("class")


def _asks(tag: Tag) -> bool:
    """Whether an element that may ask holds an answer and no other question."""
    inner = [_kind(each) for each in tag.find_all(True)]
    if any(kind in ("exercise", "problem", "likely") for kind in inner):
        return False
    return "solution" in inner or any(is_right(each) for each in tag.find_all(["li", "label"]))


def _paired(alone: Iterable[Tag], *, asking: Iterable[_Asking]) -> list[Tag]:
    """Give each answer to the exercise that it names or follows; those that are left."""
    by_tag = {id(each.tag): each for each in asking}
    by_id = {str(each.tag["id"]): each for each in by_tag.values() if each.tag.get("id")}
    left: list[Tag] = []
    for answer in alone:
        link = answer.find("a", href=re.compile("^#."))
        owner = by_id.get(str(link["href"])[1:]) if isinstance(link, Tag) else None
        before = _tag_before(answer)
        hints: list[Tag] = []
        while before and _kind(before) == "hint":
            hints.append(before)
            before = _tag_before(before)
        if owner is None and before is not None:
            owner = by_tag.get(id(before))
        if owner and owner.stop is None:
            owner.answers.append(answer)
            owner.hints += hints
            by_tag[id(answer)] = owner  # another one may follow
        elif before is None or _kind(before) != "example":
            left.append(answer)
    return left


def _tag_before(tag: Tag) -> Tag | None:
    """The element right before another, with no words between."""
    for each in tag.previous_siblings:
        if isinstance(each, Tag):
            return each
        if each.get_text(strip=True):
            return None
    return None


def _taken(asking: _Asking, *, cut: _Cut) -> _Taken | None:
    """Cut an exercise out of the page; one that only holds others stays."""
    tag, mark = asking.tag, asking.mark
    if asking.stop is None:
        _anchor(tag).insert_before(mark)
        whole = tag.extract()
    else:
        whole = _before_stop(asking)
        if not whole.get_text(strip=True).removeprefix(_titled_text(whole)):
            return None
        _anchor(tag).insert_before(mark)
        tag.unwrap()  # what it holds is not in it
    taken = _Taken(mark=mark, trouble=UNCLOSED if asking.stop else "")
    for hint in asking.hints:
        hint.extract()
    for answer in asking.answers:
        taken.answers.append(inside(_whole(answer, cut=cut)))
    taken.title = take_title(whole)
    taken.choices = take_choices(whole)
    taken.text = inside(whole)
    return taken


def _anchor(tag: Tag) -> Tag:
    """Where a mark can stand as a paragraph of its own."""
    anchor = tag
    for each in tag.parents:
        if each.name in _NO_MARKS:
            anchor = each
    return anchor


def _before_stop(asking: _Asking) -> Tag:
    """What an exercise holds before what cannot be its own, out of the page; a cut answer stays one."""
    nodes: list[PageElement] = []
    node: PageElement | None = asking.stop
    while node is not None and node is not asking.tag:
        nodes = [*list(node.previous_siblings)[::-1], *nodes]
        node = node.parent
        if any(each is node for each in asking.answers):
            whole = _moved(nodes)
            asking.answers = [whole if each is node else each for each in asking.answers]
            nodes = [whole]
    return _moved(nodes)


def _whole(answer: Tag, *, cut: _Cut) -> Tag:
    """An answer out of the page, without the exercises that only seem to stand in it."""
    first = cut.get(id(answer))
    if first is None:
        return answer.extract()
    stop = first.mark if first.mark.parent else first.tag
    if not any(each is answer for each in stop.parents):
        return answer.extract()
    whole = _before_stop(_Asking(answer, 0, stop=stop))
    answer.unwrap()
    return whole


def _moved(nodes: Iterable[PageElement]) -> Tag:
    whole = Tag(name="div")
    for each in nodes:
        whole.append(each.extract())
    return whole


def _titled_text(whole: Tag) -> str:
    title = title_tag(whole)
    return title.get_text(strip=True) if title else ""


def _behind_its_question(answer: Tag, *, cut: _Cut) -> _Taken | None:
    """An answer that stands alone, with the question before it; a disclosure that is none stays."""
    if answer.parent is None:  # it went with something else
        return None
    unclosed = id(answer) in cut
    heading, before = ("", []) if unclosed else _question_before(answer)
    said = " ".join([heading, *(each.get_text(" ", strip=True) for each in before)]).strip()
    mark = new_mark()
    if _kind(answer) == "folded" and not (_summary(answer) and _ASKS.search(said)):
        if not _is_card(answer):
            return None
        _anchor(answer).insert_before(mark)
        return _Taken(mark=mark, text=_summary(answer), answers=[inside(_whole(answer, cut=cut))])
    anchor = _anchor(answer)
    (before[0] if before and anchor is answer else anchor).insert_before(mark)
    whole = _moved(before)
    text = f"<p>{escape(heading)}</p>{lettered(whole)}" if heading else lettered(whole)
    return _Taken(
        mark=mark,
        text=text,
        answers=[inside(_whole(answer, cut=cut))],
        trouble=UNCLOSED if unclosed else "" if said else ANSWERS_NOTHING,
    )


def _is_card(answer: Tag) -> bool:
    """A question that unfolds its answer, where the section is for work: elsewhere it is how a page is told."""
    heading = answer.find_previous(_HEADINGS) if _ASKS.search(_summary(answer)) else None
    name = heading.get_text(" ", strip=True) if isinstance(heading, Tag) else ""
    return role_of_title(name) == "asks" or is_apart(name)


def _question_before(answer: Tag) -> tuple[str, list[PageElement]]:
    """What is asked right before an answer: a heading that asks, and the last paragraph with what follows it."""
    node = answer
    while node.parent is not None and node.parent.name in ("div", "section") and not _any_before(node):
        node = node.parent
    found: list[PageElement] = []
    heading = ""
    words = at = 0  # where the last paragraph is among what was found
    for each in node.previous_siblings:
        text = each.get_text(" ", strip=True)
        tag = each if isinstance(each, Tag) else None
        if text == NO_TEXT or (tag and (tag.name in _NO_QUESTION or _kind(tag))):
            heading = text if tag and tag.name in _HEADINGS and _heading_asks(text) else ""
            break
        found.append(each)
        words += len(text.split())
        at = at or (len(found) if text and tag and tag.name == "p" else 0)
        if words > _MOST_WORDS and at:
            break
    in_item = node.parent is not None and node.parent.name == "li"
    is_short = in_item or (heading and words <= _MOST_WORDS)
    kept = found if is_short or not at else found[:at]
    is_asked = heading and (not words or _ASKS.search(heading))
    return heading if is_asked else "", kept[::-1] if words else []


def _any_before(node: Tag) -> bool:
    return any(each.get_text(strip=True) for each in node.previous_siblings)


def _heading_asks(text: str) -> bool:
    return bool(_ASKS.search(text)) or role_of_title(text) == "asks"
