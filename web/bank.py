"""The teacher's page of a course's questions: those of its author and others, the most troublesome first."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated
from uuid import uuid4

from fastapi import APIRouter, Form, Response
from fastapi.responses import HTMLResponse

from agents.mastery_book import carry_out
from agents.quiz.offline import render_question
from agents.teaching.evidence import QuestionRuling
from agents.teaching.values import Item, QuestionKind, QuizQuestion
from storage.corpus import CourseSummary
from storage.items import ItemFigures
from storage.ledger import QuestionRulings
from storage.tables import clean
from web.caller import Caller, Teacher, Text, TurnedAwayError

router = APIRouter(prefix="/teacher/bank", include_in_schema=False)

_SHOWN = 30  # questions on one page
_FIRM = 2  # a question that was asked once and missed once tells less than one missed by half of a class
_MOST_TEXT = 4000
_MOST_CHOICES = 10
_NO_ANSWERS = ItemFigures(question_id="", times_asked=0, times_right=0, seconds=0.0, disputes=0)
Start = Annotated[int, Form(ge=0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemView:
    """One question, how it went, and whether it is taken out."""

    item: Item
    figures: ItemFigures
    ruling: QuestionRuling | None
    as_asked: str

    @property
    def trouble(self) -> float:
        """The share that missed or disputed it, less where few were asked."""
        missed = self.figures.times_asked - self.figures.times_right
        return (missed + self.figures.disputes) / (self.figures.times_asked + _FIRM)


@router.get("", response_class=HTMLResponse)
async def bank_page(caller: Teacher, course: str = "", start: int = 0) -> Response:
    """The questions that a course keeps."""
    return await _bank(caller, await caller.course(course), start=max(0, start))


@router.post("/retire")
async def retire(caller: Teacher, course: Text, question_id: Text, start: Start = 0) -> Response:
    """Take a question out; what was answered stays as it counts."""
    known = await caller.course(course)
    item = await _item(caller, known, question_id)
    await QuestionRulings(caller.services.database).add(
        course=known.name,
        question_id=question_id,
        question_text=item.question.question_text,
        ruling="retired",
        decided_by=caller.user_id,
        now=caller.services.now(),
    )
    return await _bank(caller, known, start=start, words="The question is not asked again.")


@router.post("/restore")
async def restore(caller: Teacher, course: Text, question_id: Text, start: Start = 0) -> Response:
    """Ask a question again."""
    known = await caller.course(course)
    rulings = QuestionRulings(caller.services.database)
    taken_out = [
        each
        for each in await rulings.of(known.name)
        if each.question_id == question_id and each.ruling in ("retired", "void")
    ]
    for each in taken_out:
        await rulings.withdraw(each.id, now=caller.services.now())
    await carry_out(caller.services, course=known.name, question_id=question_id)
    return await _bank(caller, known, start=start, words="The question is asked again.")


@router.post("/edit")
async def edit(
    caller: Teacher,
    course: Text,
    question_id: Text,
    question_text: Text,
    expected_answer: Text,
    options: Text = "",
    solution: Text = "",
    start: Start = 0,
) -> Response:
    """Other words for a question or its key; answers on record keep the ones that they were given to."""
    known = await caller.course(course)
    before = (await _item(caller, known, question_id)).question
    written = _written(before, question_text, expected_answer, options, solution)
    await caller.services.library.corpus.items.edit(written, course=known.name, now=caller.services.now())
    return await _bank(caller, known, start=start, words="The question is changed, from the next time on.")


@router.post("/add")
async def add(
    caller: Teacher,
    course: Text,
    concept: Text,
    question_text: Text,
    expected_answer: Text,
    options: Text = "",
    solution: Text = "",
) -> Response:
    """A question of the teacher's own."""
    known = await caller.course(course)
    syllabus = await caller.services.syllabus(known.name)
    about = next((each for each in syllabus.concepts if each.name == concept.strip()), None)
    if about is None:
        raise TurnedAwayError(422, "Choose what it is about from the course's concepts.")
    blank = QuizQuestion(
        question_id=str(uuid4()),
        question_text="",
        concept_name=about.name,
        difficulty="medium",
        expected_answer="",
        source_context=about.definition,
        chunk_id=about.chunk_id,
        origin="teacher",
    )
    item = Item(
        question=_written(blank, question_text, expected_answer, options, solution),
        exercise_id=blank.question_id,
        chapter_id=about.chapter_id,
        position=len(await caller.services.library.corpus.items.of_course(known.name)),
        form="teacher",
    )
    await caller.services.library.corpus.items.add(known.name, [item], now=caller.services.now())
    return await _bank(caller, known, words=f"The question about {about.name} is added.")


def _written(before: QuizQuestion, text: str, key: str, options: str, solution: str) -> QuizQuestion:
    """The question in a teacher's words, of the kind that they make it."""
    asked, keys = _plain(text), _lines(key)
    choices = _lines(options)
    if not asked or not keys:
        raise TurnedAwayError(422, "Write the question and its right answer.")
    kind: QuestionKind = before.kind
    if choices:
        if len(choices) < 2 or len(set(choices)) < len(choices) or len(choices) > _MOST_CHOICES:
            raise TurnedAwayError(
                422, f"Write two to {_MOST_CHOICES} different choices, each on its own line."
            )
        if not set(keys) <= set(choices):
            raise TurnedAwayError(
                422, "The right answer is none of the choices: write it as it stands there."
            )
        if kind != "true_false":
            kind = "several" if len(keys) > 1 else "multiple_choice"
    elif kind in ("multiple_choice", "several", "ordering", "true_false"):
        kind = "short_answer"
    same_choices = tuple(choices) == before.options
    return before.model_copy(
        update={
            "question_text": asked,
            "kind": kind,
            "options": tuple(choices),
            "whys": before.whys if same_choices else (),
            "expected_answer": "\n".join(keys) if choices else _plain(key),
            "solution": _plain(solution),
            "points": before.points if _plain(key) == before.expected_answer else (),
        }
    )


def _plain(text: str) -> str:
    return clean(text).replace("\r\n", "\n").strip()[:_MOST_TEXT]


def _lines(text: str) -> list[str]:
    return [line.strip() for line in _plain(text).splitlines() if line.strip()]


async def _item(caller: Caller, course: CourseSummary, question_id: str) -> Item:
    found = await caller.services.library.corpus.items.get(course.name, question_id=question_id)
    if found is None:
        raise TurnedAwayError(404, "That question is not in the course any more.")
    return found


async def _views(caller: Caller, course: CourseSummary) -> Sequence[ItemView]:
    """All questions of a course, the most troublesome first; those that cannot be asked at the end."""
    bank = caller.services.library.corpus.items
    figures = await bank.figures(course.name)
    rulings = {
        each.question_id: each
        for each in await QuestionRulings(caller.services.database).of(course.name)
        if each.ruling in ("retired", "void")
    }
    views = [
        ItemView(
            item=item,
            figures=figures.get(item.question.question_id, _NO_ANSWERS),
            ruling=rulings.get(item.question.question_id),
            as_asked=render_question(item.question, number=1, total=1),
        )
        for item in await bank.of_course(course.name)
    ]
    return sorted(views, key=lambda each: (bool(each.item.trouble), -each.trouble))


async def _bank(caller: Caller, course: CourseSummary, *, start: int = 0, words: str = "") -> Response:
    views = await _views(caller, course)
    begin = start if start < len(views) else 0
    return caller.page(
        "teacher/bank.html",
        room="bank",
        words=words,
        courses=await caller.services.library.courses(),
        course=course,
        views=views[begin : begin + _SHOWN],
        start=begin,
        before=max(0, begin - _SHOWN) if begin else None,
        after=begin + _SHOWN if begin + _SHOWN < len(views) else None,
        total=len(views),
        hopeless=sum(bool(each.item.trouble) for each in views),
        concepts=(await caller.services.syllabus(course.name)).names,
    )
