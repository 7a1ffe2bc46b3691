"""Questions that only a heading and a numbered list tell of: 'Review Questions', and below it 1., 2., 3.

Works on any document that was read. A heading that says nothing else is believed, one that says more (or nothing) only
where the items themselves ask; a heading of one exercise ('Exercise 4') has one, its steps included. Whatever is taken out
is in no section any more.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from agents.teaching.values import Exercise
from rag.exercises.answers import with_answers
from rag.exercises.choices import offered, with_solution
from rag.exercises.numbered import Listed, bulleted, is_code, labelled, numbered, parted
from rag.exercises.places import AskingPlace, places, without
from rag.exercises.titles import asks

if TYPE_CHECKING:  # the loaders import the readers
    from rag.loaders.document import LoadedDocument

FORM = "plain"
_FEWEST = 3  # items that tell by themselves that they are questions
_FEWEST_WORDS = 3
_TOLD = 10  # words of an exercise that neither asks nor orders; fewer are a link to it
_CALCULATION = re.compile(r"[=+^√∫∑]|\$[^$]+\$|\d\s*[-*/×÷]\s*\d")
_MOST_INSTRUCTION = 300  # letters above a list that say what is to be done with every item
_MOST_QUESTIONS = 20_000  # of one document


def take(document: "LoadedDocument") -> "LoadedDocument":
    """The document without its plain questions and the answers to them."""
    parts: list[tuple[AskingPlace, frozenset[int]]] = []
    found: list[Exercise] = []
    single = False  # the place before was one exercise: a 'Solution' below it is its own
    solution: list[str] = []
    under: tuple[str, ...] = ()
    every = places(document)
    known = {each.headings for each in document.exercises}
    for place in every:
        goes_on = bool(under) and place.headings[: len(under)] == under
        if goes_on or (single and _is_own_answer(place)):
            under = under if goes_on else place.headings
            solution = [*solution, place.text.strip()] if goes_on else [place.text.strip()]
            found[-1] = replace(found[-1], solution="\n\n".join(solution))
            parts.append((place, frozenset(range(len(place.lines)))))
            continue
        items, single = _items(place)
        if single and (place.headings in known or (len(place.headings) == 1 and len(every) > 1)):
            # What is left of one that another reader took, and a page called 'Exercise' that goes through one.
            items, single = [], False
        under = ()
        if len(found) + len(items) > _MOST_QUESTIONS:
            items, single = [], False
        found += _exercises(place, items)
        parts.append((place, _lines_of(items)))
    found = [
        with_solution(each, solution=each.solution) if each.solution and not each.choices else each
        for each in found
    ]
    taken = replace(without(document, parts), exercises=(*document.exercises, *found)) if found else document
    return with_answers({"": taken})[""]


def _is_own_answer(place: AskingPlace) -> bool:
    """'Solution', '1.2 Answers': of what stands right above it, unless it says of which question."""
    own = place.own
    is_counted = own.number and not place.headings[-1].lstrip().startswith(own.number)
    return own.kind == "answers" and own.is_sure and not own.has_both and not is_counted


def _items(place: AskingPlace) -> tuple[list[Listed], bool]:
    """What is asked in a place, and whether the place is one exercise."""
    own, above = place.own, place.above
    if above.kind == "answers" and own.kind == "questions":
        # 'Answers', and below it 'Review Questions': they are asked in a chapter called 'Solutions' only.
        items = _announced(place)
        return (items if _share(items, asks) > 0.5 else []), False
    if "answers" in (own.kind, above.kind):
        items = numbered(place.text, to_the_end=True) if own.has_both or above.has_both else []
        # 'Solved exercises': each with its answer below it.
        return (
            items if len(items) > 1 and _share(items, lambda text: bool(parted(text)[1])) > 0.5 else []
        ), False
    if own.kind == "questions" and own.is_sure:
        return _announced(place), False
    if own.kind == "question" and own.is_sure:
        return _one(place, number=own.number, is_certain=not own.is_perhaps)
    if found := labelled(place.text, to_the_end=above.kind == "questions"):
        return found, False
    if above.kind == "questions":
        return _below(place)
    listed = numbered(place.text, to_the_end=False)
    if own.kind == "questions":
        return (listed if len(listed) >= _FEWEST and _share(listed, asks) > 0.5 else []), False
    return (listed if len(listed) >= _FEWEST and _share(listed, _is_unmistakable) >= 0.8 else []), False


def _announced(place: AskingPlace) -> list[Listed]:
    """Below a heading that says that it asks: numbered items, else those of a list, else paragraphs that ask."""
    to_the_end = not place.opening
    listed = labelled(place.text, to_the_end=to_the_end) or numbered(place.text, to_the_end=to_the_end)
    is_certain = place.own.kind == "questions" and not place.own.is_perhaps
    if listed and (is_certain or _share(listed, _asks_or_calculates) > 0.3):
        return _instructed(place.text, listed)
    bullets = bulleted(place.text)
    if not listed and _share(bullets, asks) > 0.5:
        return bullets
    return [] if listed or bullets else _paragraphs(place.text)


def _below(place: AskingPlace) -> tuple[list[Listed], bool]:
    """Under a heading of its own within the questions: a group of them, or one with a name."""
    listed = numbered(place.text, to_the_end=True)
    is_numbered = bool(re.match(r"\(?\d", place.headings[-1]))
    if len(listed) > 1 and not is_numbered and _share(listed, asks) > 0.5:
        return _instructed(place.text, listed), False
    return _one(place, number=place.own.number, is_certain=False)


def _one(place: AskingPlace, *, number: str, is_certain: bool) -> tuple[list[Listed], bool]:
    """The whole place as one exercise; several questions below 'Exercise' are as many."""
    listed = numbered(place.text, to_the_end=not place.opening)
    if not number and len(listed) > 1 and _share(listed, _is_question) >= 0.8:
        return listed, False
    heading = place.headings[-1]
    # '2. What does this print?' above the code.
    asked = re.sub(r"\A\(?[\d.]+[.):]?\s+", "", heading) if heading.endswith(("?", "？", "؟", ":")) else ""
    text = f"{asked}\n\n{place.text}".strip()
    words = len(text.split())
    if words < _FEWEST_WORDS or not (asks(text) or (is_certain and words >= _TOLD)):
        return [], False
    lines = place.text.count("\n") + 1
    return [Listed(number=number, text=text, start=0, end=lines, label=heading)], True


def _instructed(text: str, listed: Sequence[Listed]) -> list[Listed]:
    """'Solve each equation:' is said once above its items."""
    above = "\n".join(text.split("\n")[: listed[0].start]).strip()
    if not above or len(above) > _MOST_INSTRUCTION or _share(listed, asks) > 0.5:
        return list(listed)
    return [replace(listed[0], start=0, text=f"{above}\n\n{listed[0].text}")] + [
        replace(each, text=f"{above}\n\n{each.text}") for each in listed[1:]
    ]


def _paragraphs(text: str) -> list[Listed]:
    """Paragraphs that end in a question mark, where most of them do."""
    lines = text.split("\n")
    code = is_code(lines)
    starts = [
        at
        for at in range(len(lines))
        if lines[at].strip() and (not at or not lines[at - 1].strip()) and not code[at]
    ]
    found = [
        Listed(number=str(place), text="\n".join(lines[start:end]).strip(), start=start, end=end)
        for place, (start, end) in enumerate(pairwise([*starts, len(lines)]), 1)
    ]
    return [each for each in found if _is_question(each.text)] if _share(found, _is_question) > 0.5 else []


def _is_question(text: str) -> bool:
    """A question mark at the end, or something to choose from."""
    question, answer = parted(text)
    return question.rstrip(" *_\"'”)").endswith(("?", "？", "؟")) or bool(
        ("?" in question or answer) and offered(question)
    )


def _asks_or_calculates(text: str) -> bool:
    return asks(text) or bool(_CALCULATION.search(text))


def _is_unmistakable(text: str) -> bool:
    """'**Speed**: is it fast?' is a point of a list to go through."""
    return _is_question(text) and not text.startswith("**")


def _share(items: Sequence[Listed], holds: Callable[[str], bool]) -> float:
    return sum(holds(each.text) for each in items) / len(items) if items else 0.0


def _exercises(place: AskingPlace, items: Sequence[Listed]) -> list[Exercise]:
    found: list[Exercise] = []
    for each in items:
        question, answer = parted(each.text)
        exercise = Exercise(
            text=question, form=FORM, headings=place.headings, title=each.label or each.number
        )
        found.append(with_solution(exercise, solution=answer))
    return found


def _lines_of(items: Sequence[Listed]) -> frozenset[int]:
    return frozenset(line for each in items for line in range(each.start, each.end))
