"""Practice: a quiz from the course's bank without a lesson, on as much of the course as was asked for."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TypeVar

from agents import lesson_place
from agents.coordinator import doors
from agents.coordinator.visit import Decision, Say, Visit, before_leaving
from agents.language.practice import MOST, Practice, asks_for_questions, practice_in
from agents.language.spans import topic_span
from agents.language.words import joined
from agents.learner_record import load_record
from agents.lesson_material import as_results, guides_of
from agents.mastery_book import note_asked, reckon
from agents.quiz.offline import before_question, render_question
from agents.state import Choice
from agents.syllabus import Syllabus
from agents.teaching import loop
from agents.teaching.evidence import QUANTITATIVE, LedgerRow, standing
from agents.teaching.questions.bank import Wanted, pick
from agents.teaching.questions.writing import write_items
from agents.teaching.values import Item, Passage, QuizQuestion

_MAY_PRACTISE = ("quiz_me", "mistakes", "example", "recap", "unsure", "reviews")
_ASKED = ("quiz_me",)
_HARDLY_A_QUESTION = 0.1
_LOOKED_BACK = 400  # answers
_ENOUGH = 3  # questions, or as many as were asked for
_MOST_PASSAGES = 60  # that questions are written from, where the bank has too few


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stretch:
    """What the questions are about, as the learner hears of it."""

    label: str
    chapters: frozenset[str] = frozenset()
    concepts: frozenset[str] = frozenset()
    around: frozenset[str] = frozenset()  # the pages of a topic, for what its own concepts have too little of

    def of(self, bank: Sequence[Item], *, count: int) -> list[Item]:
        """The items about it; of a topic with too few those of its pages too."""
        own = [each for each in bank if each.chapter_id in self.chapters or self._is_about(each)]
        near = [each for each in bank if each not in own and each.chapter_id in self.around]
        return own if len(own) >= count else [*own, *near]

    def _is_about(self, item: Item) -> bool:
        return item.question.concept_name in self.concepts


def practice_of(visit: Visit) -> Practice | None:
    """The practice that a message asks for; None for anything else, and for the usual quiz on a topic."""
    intent = visit.intent
    if intent.wish or intent.action not in _MAY_PRACTISE:
        return None
    wanted = practice_in(visit.message)
    names_nothing = not (intent.topic or visit.state.open_lesson or topic_span(visit.message))
    if intent.action in _ASKED and names_nothing:
        return wanted
    is_asked = intent.action in _ASKED or (
        asks_for_questions(visit.message)
        and (wanted.range == "missed" or dict(intent.alternatives).get("ask", 0.0) < _HARDLY_A_QUESTION)
    )
    if intent.action == "mistakes" and wanted.range != "missed":
        return None
    return wanted if is_asked and wanted.is_special else None


async def practise(visit: Visit, wanted: Practice) -> Decision:
    """The first question of the practice; out of a lesson only after a yes."""
    state = visit.state
    choice = Choice(label="Ask me these questions", action="quiz_me", message=visit.message)
    if not state.is_practice and (
        asked := before_leaving(visit, choice, asked="Shall I leave it for practice?")
    ):
        return asked
    rows = await visit.services.ledger.newest(visit.user_id, course=state.course, most=_LOOKED_BACK)
    count = min(wanted.count or visit.services.settings.quiz_questions, MOST)
    if wanted.range == "missed":
        label = "what you got wrong"
        missed = _missed(standing(rows))
        fitting = [each for each in missed if not wanted.is_numeric or each.kind in QUANTITATIVE]
        questions = fitting[: min(wanted.count or MOST, MOST)]
        if not questions:
            return Say(text="Nothing so far: I have no wrong answer of yours on record in this course.")
    else:
        stretches = await _stretches(visit, wanted)
        if isinstance(stretches, Say):
            return stretches
        label, questions = stretches[0].label, list[QuizQuestion]()
        for stretch in stretches:
            found = await _questions(visit, wanted, stretch, count=count, rows=rows)
            if len(found) > len(questions):
                label, questions = stretch.label, found
            if len(questions) >= min(count, _ENOUGH):
                break
        if not questions:
            kind = "question with numbers" if wanted.is_numeric else "fair question"
            return Say(text=f"The course gives me no {kind} on {label}, so I won't make one up.")
    return await _begin(visit, wanted, label=label, questions=questions)


async def _begin(visit: Visit, wanted: Practice, *, label: str, questions: Sequence[QuizQuestion]) -> Say:
    services, session_id = visit.services, visit.invocation.session.id
    if visit.state.is_practice:
        await lesson_place.end(services, visit.state, user_id=visit.user_id)
    else:
        await lesson_place.leave(services, visit.state, user_id=visit.user_id, session_id=session_id)
    concepts = list(dict.fromkeys(each.concept_name for each in questions))
    fresh = visit.state.without_lesson(
        course=visit.state.course,
        current_topic=f"Practice: {label}",
        topic_concepts=concepts,
        is_practice=True,
    )
    state = visit.state.model_copy(
        update={"current_topic": fresh["current_topic"], "learning_cycle_count": 0, "is_practice": True}
    )
    await note_asked(services, visit.invocation, state, kind="quiz", questions=questions, is_new=True)
    total = len(questions)
    few = wanted.count > total
    why = f", all that I have{' at a time' if wanted.count > MOST and total == MOST else ''}" if few else ""
    lead = f"{total} {'question' if total == 1 else 'questions'} on {label}{why}."
    return Say(
        text=before_question(lead, render_question(questions[0], number=1, total=total)),
        changes={
            **fresh,
            **visit.state.changes(
                **loop.start(with_quiz=True),
                **loop.ask(questions, cycle_id=None),
                question_asked_at=services.now(),
                hints_given=0,
            ),
        },
        shows_question=False,  # it is there already
    )


async def _stretches(visit: Visit, wanted: Practice) -> list[_Stretch] | Say:
    """What of the course is meant, the likeliest first; a question back where nobody can tell."""
    services, state = visit.services, visit.state
    syllabus = await services.syllabus(state.course)
    if wanted.range == "part":
        return _part(syllabus, wanted)
    pages = frozenset(each.chapter_id for each in syllabus.documents)
    everything = _Stretch(label="the whole course", chapters=pages)
    if wanted.range == "all":
        return [everything]
    record = await reckon(services, user_id=visit.user_id, course=state.course, state=state)
    seen = [_Stretch(label="everything so far", concepts=frozenset(record.asked))] if record.asked else []
    if wanted.range == "seen":
        return seen or Say(
            text="You have answered nothing in this course yet, so there is nothing to test. Say **teach me** and a topic, "
            "or **quiz me on the whole course**."
        )
    named = topic_span(visit.message) or visit.intent.topic
    topic = await doors.find_topic(visit, named) if named else None
    if topic is not None and topic.course == state.course:
        around = frozenset(piece.passage.chapter_id for part in topic.parts for piece in part.pieces)
        return [_Stretch(label=f"**{topic.name}**", concepts=frozenset(topic.concepts), around=around)]
    is_on_one = bool(state.topic_concepts) and not state.is_practice
    here = [_Stretch(label=f"**{state.topic_label}**", concepts=frozenset(state.topic_concepts))]
    found = [*(here if is_on_one else []), *seen, *([everything] if wanted.is_special else [])]
    if found:
        return found
    topics = (await load_record(services, visit.user_id, state)).topics
    return Say(
        text=f"Gladly. Which topic? The course covers: {'; '.join(topics[:6])}.",
        status="clarification_needed",
        options=topics[:6],
    )


def _part(syllabus: Syllabus, wanted: Practice) -> list[_Stretch] | Say:
    """A chapter by its own number where its name has one, else as a reader counts."""
    name = f"{wanted.part_kind} {'.'.join(map(str, wanted.part))}"
    group = syllabus.counted_part(wanted.part)
    if group is None:
        titles = [each[0].title for each in syllabus.numbered]
        shown = joined([f"{place}. {title}" for place, title in enumerate(titles, 1)], most=12)
        return Say(
            text=f"I can't find {name} in this course. I count: {shown}.", status="clarification_needed"
        )
    return [_Stretch(label=f"{name}, **{group.title}**", chapters=frozenset(group.chapter_ids))]


async def _questions(
    visit: Visit, wanted: Practice, stretch: _Stretch, *, count: int, rows: Sequence[LedgerRow]
) -> list[QuizQuestion]:
    """The bank's best for it; what it lacks is written from the same pages, but never a calculation."""
    services, course = visit.services, visit.state.course
    syllabus = await services.syllabus(course)
    never = (await services.rulings(course)).never_asked
    answers = standing(rows)
    bank = [
        item
        for item in await services.library.corpus.items.of_course(course)
        if not item.trouble
        and item.question.question_id not in never
        and (not wanted.is_numeric or item.question.kind in QUANTITATIVE)
    ]
    order = Wanted(
        count=count,
        missed=tuple(dict.fromkeys(row.concept_name for row in answers if not row.is_correct)),
        avoid=tuple(dict.fromkeys(reversed([row.question_id for row in rows])))[::-1],
        never=never,
    )
    found = pick(_exercises(stretch.of(bank, count=count), most=8 * count), wanted=order)
    if len(found) >= count or wanted.is_numeric:
        return found
    concepts = [
        each
        for each in syllabus.concepts
        if each.chapter_id in stretch.chapters or each.name in stretch.concepts
    ]
    homes = {each.chunk_id for each in concepts}
    passages: list[Passage] = [each for each in syllabus.passages if each.chunk_id in homes]
    return write_items(
        as_results(_spread(passages, most=_MOST_PASSAGES)),
        concepts=concepts,
        count=count,
        topic=[each.name for each in concepts],
        guides=guides_of(syllabus, as_results(passages[:_MOST_PASSAGES])),
        never=never,
        seed=len(rows),
        taken=found,
    )[:count]


def _exercises(bank: Sequence[Item], *, most: int) -> list[Item]:
    """So many of the exercises, from beginning to end, each with all its parts."""
    chosen = set(_spread(list(dict.fromkeys(item.exercise_id for item in bank)), most=most))
    return [item for item in bank if item.exercise_id in chosen]


T = TypeVar("T")


def _spread(found: Sequence[T], *, most: int) -> list[T]:
    """So many of them, from beginning to end."""
    step = max(1.0, len(found) / most)
    return [found[int(place * step)] for place in range(min(most, len(found)))]


def _missed(rows: Sequence[LedgerRow]) -> list[QuizQuestion]:
    """The very questions whose last answer was wrong, the newest first."""
    last = {row.question_id: row for row in sorted(rows, key=lambda row: row.answered_at)}
    wrong = sorted((row for row in last.values() if not row.is_correct), key=lambda row: row.answered_at)
    return [QuizQuestion.model_validate({**asdict(row)}) for row in reversed(wrong)]
