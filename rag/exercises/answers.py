"""Answers that stand apart from their questions: below 'Answers' on the page, on a page of the chapter, at the back of the book.

Both are read as groups of numbers under headings. A group of answers belongs to the questions that it names the chapter or
the heading of, else to the nearest before it that have these numbers; 'Exercise 3.2' needs no more than its number.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile
from posixpath import dirname
from typing import TYPE_CHECKING

from agents.language.words import same_text
from agents.teaching.values import Exercise
from rag.exercises.choices import with_solution
from rag.exercises.numbered import Listed, answers_in, parted
from rag.exercises.places import AskingPlace, places, without
from rag.exercises.titles import NUMBER, Title, title_of

if TYPE_CHECKING:  # the loaders import the readers
    from rag.loaders.document import LoadedDocument

_LAST_NUMBER = re.compile(rf"({NUMBER}|[A-Z](?:\.\d+)+)(?=\D*\Z)")
_FIRST_NUMBER = re.compile(NUMBER)
_CHAPTER_LINE = re.compile(r"^(?:\*\*)?([^\n*]{3,60}?)(?:\*\*)?[:.]?$", re.MULTILINE)


@dataclass(kw_only=True)
class _Asked:
    """Questions of one document that count on."""

    document: str
    position: int
    title: str
    places: list[tuple[str, ...]] = field(default_factory=list)  # the headings that they stand under
    exercises: dict[str, int] = field(
        default_factory=dict
    )  # those without an answer by number, as places among all
    last: int = 0

    def goes_on(self, headings: tuple[str, ...], number: str) -> bool:
        """Whether a question is one more: 'Problems 11-20' may go on with the numbers of 'Review Questions 1-10'."""
        if number in self.exercises:
            return False
        last = _last(number)
        return last == self.last + 1 or (last >= self.last and self.places[-1:] == [headings])

    def add(self, headings: tuple[str, ...], number: str) -> None:
        self.last = _last(number)
        if headings not in self.places:
            self.places.append(headings)

    @cached_property
    def headings(self) -> set[str]:
        return {heading for place in self.places for heading in place}

    @cached_property
    def chapters(self) -> frozenset[str]:
        """The numbers that it goes by."""
        named = {self.title, *self.headings}
        found = {title_of(heading).number for heading in named} | {_leading(heading) for heading in named}
        if not any(found):
            found |= {str(int(number)) for number in re.findall(r"\d+", self.document)[-1:]}
        return frozenset(filter(None, found))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answered:
    """A group of answers."""

    document: str
    headings: tuple[str, ...]
    chapter: str
    answers: Sequence[Listed]
    place: int  # among the document's
    is_direct: bool  # right below the heading that says that there are answers
    is_page: bool  # it is the page's title that says so


def with_answers(documents: Mapping[str, "LoadedDocument"]) -> dict[str, "LoadedDocument"]:
    """Documents of a course by chapter id, in its order, with the keys that stand elsewhere, and without those in the sections.

    A question that has an answer keeps it. Answers that belong to no question stay where they are; one too many among others
    that do becomes an exercise that only says so.
    """
    documents = _with_pages(documents)
    asked = _asked(documents)
    if not asked:
        return dict(documents)
    found = {name: places(document) for name, document in documents.items()}
    filling = _Filling(documents, asked)
    taken: defaultdict[str, set[int]] = defaultdict(set)
    groups = _answered(found)
    unmatched: list[_Answered] = []
    for group in groups:
        if filling.take(group):
            taken[group.document].add(group.place)
        else:
            unmatched.append(group)
    for group in unmatched:
        if group.place in taken[group.document]:  # a list below another that has its questions
            filling.lose(group, group.answers)
    filled = dict(documents)
    for name, numbers in taken.items():
        left = [
            (place, frozenset(range(len(place.lines)) if at in numbers else ()))
            for at, place in enumerate(found[name])
        ]
        filled[name] = without(documents[name], left)
    return {name: replace(document, exercises=filling.exercises(name)) for name, document in filled.items()}


def _with_pages(documents: Mapping[str, "LoadedDocument"]) -> dict[str, "LoadedDocument"]:
    """A page called 'Solution' is that of the one page with one exercise in its folder."""
    pages = dict(documents)
    single: defaultdict[str, list[str]] = defaultdict(list)
    for name, page in documents.items():
        if len(page.exercises) == 1 and not page.exercises[0].solution:
            single[dirname(name)].append(name)
    for name, page in documents.items():
        title, asking = title_of(page.title), single[dirname(name)]
        is_solution = title.kind == "answers" and title.is_sure and not title.number and not title.has_both
        whole = "\n\n".join(section.text for section in page.sections)
        if not is_solution or len(asking) != 1 or page.exercises or not whole or len(answers_in(whole)) > 1:
            continue
        [exercise] = documents[asking[0]].exercises
        answered = with_solution(exercise, solution=whole)
        pages[asking[0]] = replace(documents[asking[0]], exercises=(answered,))
        pages[name] = replace(page, sections=())
    return pages


class _Filling:
    """The exercises of the documents while answers are given to them."""

    def __init__(self, documents: "Mapping[str, LoadedDocument]", asked: Sequence[_Asked]) -> None:
        self._asked = asked
        self._kept = {name: list(document.exercises) for name, document in documents.items()}
        self._open = {(group.document, at) for group in asked for at in group.exercises.values()}
        self._without: defaultdict[str, list[Exercise]] = defaultdict(list)
        times = Counter(number for group in asked for number in group.exercises)
        # 'Exercise 3.2' is one of a kind.
        self._unique = {
            number: (group.document, at)
            for group in asked
            for number, at in group.exercises.items()
            if "." in number and times[number] == 1
        }

    def exercises(self, name: str) -> tuple[Exercise, ...]:
        return (*self._kept[name], *self._without[name])

    def take(self, group: _Answered) -> bool:
        """Give the answers of a group to their questions; False where they belong to none."""
        targets = self._by_number(group) or self._by_place(group)
        if not targets:
            return False
        for answer in group.answers:
            if at := targets.get(answer.number):
                self._give(at, answer.text)
        self.lose(group, [answer for answer in group.answers if answer.number not in targets])
        return True

    def lose(self, group: _Answered, answers: Sequence[Listed]) -> None:
        """Answers that nobody asks for are told of."""
        self._without[group.document] += [_lost(group, answer) for answer in answers]

    def _give(self, at: tuple[str, int], answer: str) -> None:
        if at not in self._open or not answer.strip():
            return
        name, place = at
        exercise = self._kept[name][place]
        self._open.discard(at)
        self._kept[name][place] = with_solution(exercise, solution=_only_answer(answer, exercise.text))

    def _by_number(self, group: _Answered) -> dict[str, tuple[str, int]]:
        targets = {
            each.number: self._unique[each.number] for each in group.answers if each.number in self._unique
        }
        return targets if len(targets) * 2 >= len(group.answers) else {}

    def _by_place(self, group: _Answered) -> dict[str, tuple[str, int]]:
        numbers = {answer.number for answer in group.answers}
        best: tuple[float, ...] = ()
        chosen: _Asked | None = None
        for asked in self._asked:
            fit = self._fit(group, asked, numbers)
            if fit and fit > best:
                best, chosen = fit, asked
        return {number: (chosen.document, at) for number, at in chosen.exercises.items()} if chosen else {}

    def _fit(self, group: _Answered, asked: _Asked, numbers: set[str]) -> tuple[float, ...]:
        """How well questions go with answers, the weightiest first; nothing where they cannot."""
        shared = numbers & asked.exercises.keys()
        if len(shared) * 2 < len(numbers):
            return ()
        named = _is_named(group, asked)
        if group.chapter and asked.chapters and group.chapter not in asked.chapters and not named:
            return ()
        is_told = named or group.chapter in asked.chapters
        if not is_told and not _goes_without_saying(group, asked, shared):
            return ()
        fresh = sum((asked.document, asked.exercises[number]) in self._open for number in shared)
        if not fresh:
            return ()
        return (
            float(named),
            float(bool(group.chapter) and group.chapter in asked.chapters),
            float(group.document == asked.document),
            max(_together(group.headings, place) for place in asked.places),
            float(len(shared) > len(numbers) * 0.9),
            -asked.position,  # answers come in the order of their questions
        )


def _goes_without_saying(group: _Answered, asked: _Asked, shared: set[str]) -> bool:
    """Whether answers that do not say to what may belong to these questions: a chapter on 'Solutions' has lists too."""
    if group.document == asked.document:
        return not group.is_page
    is_near = dirname(group.document) == dirname(asked.document)
    return is_near and group.is_direct and len(shared) > len(asked.exercises) * 0.4


def _together(headings: Sequence[str], others: Sequence[str]) -> float:
    """How many headings two places share from the top."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(headings, others, strict=False)))


def _is_named(group: _Answered, asked: _Asked) -> bool:
    """Whether the answers stand under the name of what the questions stand under."""
    over_both = {*group.headings[: int(min(_together(group.headings, place) for place in asked.places))]}
    own = [name for name in group.headings if title_of(name).kind != "answers" and name not in over_both]
    theirs = {_bare(name) for name in asked.headings}
    last = _bare(own[-1]) if own else ""
    about = _about(group.headings)
    return bool(last and last in theirs) or bool(about and about in theirs)


def _bare(name: str) -> str:
    return same_text(name) or " ".join(name.casefold().split())  # of another script


def _about(headings: Sequence[str]) -> str:
    """'Answers to Review Questions' is about the review questions."""
    for heading in reversed(headings):
        title = title_of(heading)
        if title.kind == "answers" and title.has_both:
            found = re.search(
                r"\b(?:to|for|zu|zum|zur|à|aux|a|às|de|der|des|к|на)\s+(?:the\s+|den\s+)?(.+)", heading
            )
            return _bare(found[1]) if found else ""
    return ""


def _only_answer(answer: str, question: str) -> str:
    """An answer without the question, which some authors write once more above it."""
    said, labelled_answer = parted(answer)
    if labelled_answer:
        return labelled_answer
    first, _, rest = said.partition("\n")
    is_repeated = same_text(first) and same_text(question).startswith(same_text(first)) and len(first) > 20
    return rest.strip() if is_repeated and rest.strip() else re.sub(r"\A[:.]\s*", "", said)


def _lost(group: _Answered, answer: Listed) -> Exercise:
    return Exercise(
        text="",
        form="plain",
        headings=group.headings,
        title=answer.label or answer.number,
        solution=answer.text,
        trouble=f"there is an answer to {answer.label or answer.number} and no question",
    )


def _asked(documents: "Mapping[str, LoadedDocument]") -> list[_Asked]:
    """The unanswered questions of all documents in groups."""
    groups: list[_Asked] = []
    for name, document in documents.items():
        group: _Asked | None = None
        for at, exercise in enumerate(document.exercises):
            number = _number(exercise.title)
            if not number or exercise.trouble or not exercise.text:
                continue
            if group is None or not group.goes_on(exercise.headings, number):
                group = _Asked(document=name, position=len(groups), title=document.title)
                groups.append(group)
            group.add(exercise.headings, number)
            if not (exercise.key or exercise.solution or any(each.is_right for each in exercise.choices)):
                group.exercises[number] = at
    return [group for group in groups if group.exercises]


def _last(number: str) -> int:
    last = number.rpartition(".")[2]
    return int(last) if last.isdigit() else 0


def _leading(heading: str) -> str:
    """'3. Pointers', 'Chapter 3', 'Lesson 3 - Pointers'."""
    found = re.match(rf"(?:[^\W\d]+\.?\s+)?({NUMBER})(?!\d)", heading.strip())
    return found[1] if found else ""


def _number(title: str) -> str:
    found = _LAST_NUMBER.search(title) if not title_of(title).number else None
    return title_of(title).number or (found[1] if found else "")


def _answered(found: Mapping[str, Sequence[AskingPlace]]) -> list[_Answered]:
    """Every group of numbered answers below a heading that says that there are some."""
    return [
        _Answered(
            document=name,
            headings=place.headings,
            chapter=_chapter(place, title),
            answers=answers,
            place=at,
            is_direct=_says_answers(place.headings[-1]),
            is_page=not any(map(_says_answers, place.headings[1:])),
        )
        for name, places_of in found.items()
        for at, place in enumerate(places_of)
        if (title := _answering(place))
        for answers in _counting_on(answers_in(place.text))
    ]


def _counting_on(answers: Sequence[Listed]) -> list[list[Listed]]:
    """Answers in groups: where the numbers begin again, so do the questions."""
    groups: list[list[Listed]] = []
    for answer in answers:
        if not groups or _last(answer.number) <= _last(groups[-1][-1].number):
            groups.append([])
        groups[-1].append(answer)
    return groups


def _says_answers(heading: str) -> bool:
    title = title_of(heading)
    return title.is_sure and title.kind == "answers"


def _answering(place: AskingPlace) -> Title | None:
    own, above = place.own, place.above
    if own.kind == "answers" and own.is_sure:
        return own
    return above if above.kind == "answers" else None


def _chapter(place: AskingPlace, title: Title) -> str:
    """The number that a group of answers goes by: of the heading nearest to it that has one."""
    for heading in reversed(place.headings):
        if number := title_of(heading).number or _leading(heading):
            return number
    return title.number
