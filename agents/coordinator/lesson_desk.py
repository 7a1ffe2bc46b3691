"""What people ask for around a lesson and its quiz: again, shorter, an example, what was that, how much longer."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from agents.citations import above_sources
from agents.conversation import conversation
from agents.coordinator.desk import was_looked_up, way_on
from agents.coordinator.visit import Decision, HandOver, LookUp, Say, Server, Visit
from agents.language.headings import heading_name
from agents.language.words import bold, in_short, joined, subject_words, without_article
from agents.learner_record import load_record, said
from agents.lesson_material import as_results, current_part, elsewhere, part_passages, topic_concepts
from agents.mastery_book import kept_mastery
from agents.state import SessionState
from agents.teaching import loop
from agents.teaching.evidence import LedgerRow, standing
from agents.teaching.lesson import Order, another_way
from agents.teaching.questions.ahead import without_keys
from agents.teaching.questions.hints import gives_away, hint
from agents.teaching.thresholds import exactly, goal
from agents.teaching.values import QuizQuestion, RetrievalResult

SHORT_ROUND = 3  # questions, for who has little time
_SHOWN_MISTAKES = 5
_LOOKED_BACK = 200  # answers
_NO_MODEL = (
    "A comparison from everyday life would take a language model, and none is set up here. "
    "This is how the course itself shows it."
)
_IN_OTHER_WORDS = {
    "multiple_choice": "Only one of the options fits what the course says; the others are wrong or about something else.",
    "several": "One or more of the options fit what the course says; name every one that does.",
    "numeric": "Work it out and give the number with its unit; only the result is marked.",
    "formula": "Write the formula; how its letters are ordered makes no difference.",
    "true_false": "Does the course say what this statement says? If anything in it is different, it is false.",
    "cloze": "It is a sentence of the course with a word or a name left out. Which one belongs there?",
    "ordering": "The lines are mixed up. Say in which order they come, by their letters.",
    "output": "Follow the code line by line, and write what it prints, as it prints it.",
    "recall": "Say from memory what you have just read about it; then I show you the course's words to compare.",
    "short_answer": "Say what the course says about it, in your own words; one sentence is enough.",
}


async def reexplain(visit: Visit) -> Decision:
    """The same again, or from another place of the course; shorter is what each thing is, in one line."""
    state, manner = visit.state, visit.intent.manner or "differently"
    subject = _subject(state)
    if not subject:
        return Say(
            text=f"Gladly, but I haven't explained anything yet. {await way_on(visit)}",
            status="clarification_needed",
        )
    is_lesson = bool(state.explanation) and subject == state.current_topic
    helped = _helped(state)
    if manner == "again" and is_lesson:
        return await _lesson_again(visit, changes=helped)
    if manner == "again":
        return LookUp(question=state.last_question, changes=helped)
    if manner == "shorter" and (lines := await _definitions(visit)):
        return Say(text="\n".join(["In short:", "", *lines]), changes=helped)
    if manner == "deeper":
        return LookUp(question=f"Tell me more about {subject}.", already_said=True, changes=helped)
    return await _another_way(visit, subject, is_lesson=is_lesson)


async def _lesson_again(visit: Visit, *, changes: dict[str, Any]) -> Say:
    """Word for word, with the passages that its marks name."""
    state, services = visit.state, visit.services
    found = await services.library.corpus.chunks_by_id(state.explanation_sources)
    known = {each.chunk_id: each for each in as_results(found)}
    sources = tuple(known[each] for each in state.explanation_sources if each in known)
    return Say(
        text=above_sources(state.explanation, sources, with_scores=False), changes=changes, sources=sources
    )


async def _another_way(visit: Visit, subject: str, *, is_lesson: bool) -> LookUp:
    """Another place of the course that explains it, else the glossary, else plainly that this is all there is."""
    state, services = visit.state, visit.services
    syllabus = await services.syllabus(state.course)
    concepts = topic_concepts(state, syllabus) if is_lesson else ()
    asked = state.pending_question.concept_name if state.pending_question else ""
    subject = without_article(subject)
    names = tuple(sorted((each.name for each in concepts), key=lambda name: name != asked)) or (subject,)
    part = current_part(state, syllabus) if is_lesson else None
    own = part_passages(part) if part else _cited_last(state)
    heard = conversation(visit.invocation.session, since_turn=state.history_reset_turn)
    beside = await elsewhere(names, state, services, beside=own)
    lesson = another_way(
        Order(
            topic=subject,
            concepts=names,
            missed=names,
            definitions=tuple((each.name, each.definition) for each in concepts if each.kind == "glossary"),
            is_aside=True,
        ),
        own,
        beside,
        already_told="\n".join([state.explanation, *(text for role, text in heard if role != "user")]),
    )
    changes = _helped(state) | state.changes(last_subject=subject)
    said = Say(
        text=above_sources(lesson.text, lesson.sources, with_scores=False),
        changes=changes,
        sources=lesson.sources,
    )
    return LookUp(
        question=f"Explain {subject} another way.",
        passages=(*own, *beside),
        instead=said,
        already_said=True,
        changes=changes,
    )


def _cited_last(state: SessionState) -> tuple[RetrievalResult, ...]:
    """What the last answer rests on."""
    return tuple(map(RetrievalResult.model_validate, state.last_response.get("citations") or ()))


async def example(visit: Visit) -> Decision:
    subject = _named_after(visit.message) or _subject(visit.state)
    if not subject:
        return LookUp(question=visit.message)
    return LookUp(question=f"Give me an example of {subject}.", changes=_helped(visit.state))


async def analogy(visit: Visit) -> Decision:
    subject = _subject(visit.state) or visit.message
    return LookUp(question=f"Give me an example of {subject}.", lead=_NO_MODEL, changes=_helped(visit.state))


async def recap(visit: Visit) -> Decision:
    """What this topic is about in a line each, and how the answers went."""
    answers = await _answers(visit)
    today = [row for row in answers if row.session_id == visit.state.session_id]
    lines = await _definitions(visit)
    if not lines and not today and not visit.state.explanation:
        return Say(text=f"We haven't worked on anything yet. {await way_on(visit)}")
    parts = []
    if not lines and not today:
        parts.append(
            f"We have just read about **{visit.state.current_topic}**. A summary would give the answer to the open "
            "question away, so it comes after it: say **sum it up** then."
        )
    if lines:
        parts.append("\n".join([f"**{visit.state.current_topic}** in short:", "", *lines]))
    if today:
        right = [row.concept_name for row in today if row.is_correct]
        missed = [row.concept_name for row in today if not row.is_correct]
        parts.append(f"So far {len(right)} of {len(today)} answers were right.")
        settled = [name for name in dict.fromkeys(right) if name not in missed]
        if settled:
            parts.append(f"What you got right: {joined(bold(settled), most=6)}.")
        if missed:
            parts.append(f"To look at again: {joined(bold(list(dict.fromkeys(missed))), most=6)}.")
    return Say(text="\n\n".join(parts))


async def mistakes(visit: Visit) -> Decision:
    pending = visit.state.pending_question
    wrong = [row for row in await _answers(visit) if not row.is_correct]
    shown = [row for row in wrong if not pending or row.question_id != pending.question_id]
    if not shown:
        return Say(text="Nothing so far: I have no wrong answer of yours on record in this course.")
    lines = [
        without_keys(
            f"- **{row.concept_name}**: “{in_short(row.question_text)}” You said “{said(row)}”. The answer: {row.expected_answer}",
            visit.state.unanswered,
        )
        for row in shown[-_SHOWN_MISTAKES:][::-1]
    ]
    more = len(shown) - len(lines)
    tail = [f"… and {more} more before that."] if more > 0 else []
    again = shown[-1].topic or shown[-1].concept_name
    return Say(
        text="\n".join(
            ["This is what went wrong, newest first:", "", *lines, *tail, "", f"Say **quiz me on {again}** to try again."]
        )
    )  # fmt: skip


async def remaining(visit: Visit) -> Decision:
    state = visit.state
    if state.learning_phase == "quiz" and state.quiz_questions:
        total = len(state.quiz_questions)
        left = total - state.quiz_question_index - 1
        after = "this one is the last" if not left else f"{left} more come after this one"
        threshold = await visit.services.threshold(visit.user_id, state)
        return Say(
            text=f"This is question {state.quiz_question_index + 1} of {total}: {after}, about a minute each. Then I sum up, "
            f"and what is not at {exactly(threshold)} yet gets another round (this is round "
            f"{state.learning_cycle_count + 1}, of at most {state.max_cycles}). In a hurry? Say **I only have a few minutes**."
        )
    if state.pending_question:
        return Say(
            text=f"This is question {len(state.diagnostic_responses) + 1}; I ask six at most, and fewer if I can."
        )
    record = await load_record(visit.services, visit.user_id, state)
    return Say(
        text=f"You have mastered {len(record.mastered)} of the {len(record.concepts)} concepts of "
        f"**{record.course_title}** ({goal(record.threshold)}). "
        "A topic takes about ten minutes: a short lesson and a few questions."
    )


async def short_time(visit: Visit) -> Decision:
    """A shorter round: what is open is cut down, what comes next is short."""
    state = visit.state
    if state.learning_phase == "quiz" and state.quiz_questions:
        kept = state.quiz_questions[: max(SHORT_ROUND, state.quiz_question_index + 1)]
        left = len(kept) - state.quiz_question_index
        return Say(
            text=f"Then we keep it short: {left} {'question' if left == 1 else 'questions'} from here, "
            "and you can stop whenever you like; your place is kept.",
            changes=state.changes(**loop.shorten(kept), quiz_length=SHORT_ROUND),
        )
    topic = state.suggestion or state.next_topic or state.current_topic
    if not topic:
        topics = (await visit.services.syllabus(state.course)).topic_names()
        topic = topics[0] if topics else ""
    if not topic:
        return Say(text=f"That is enough for a short round. {await way_on(visit)}")
    return Say(
        text=f"That is enough for a short round: **{topic}**, with {SHORT_ROUND} questions. Shall we?",
        changes=state.changes(quiz_length=SHORT_ROUND, suggestion=topic),
        status="clarification_needed",
    )


async def rephrase(visit: Visit) -> Decision:
    """The question put another way, with a pointer; as much help as a hint."""
    question = visit.state.pending_question
    if question is None:
        return Say(text=f"No question is open right now. {await way_on(visit)}")
    about = f"It is about **{question.concept_name}**. "
    parts = [
        "" if gives_away(about, question) else about,
        _IN_OTHER_WORDS[question.kind],
        "\n\n" + await _hint(visit, question, number=1),
    ]
    return Say(text="".join(parts), changes=_helped(visit.state))


async def give_hint(visit: Visit) -> Decision:
    question = visit.state.pending_question
    if question is None:
        return Say(text="There is no open question to hint at. Say **teach me** and a topic.")
    text = await _hint(visit, question, number=visit.state.hints_given + 1)
    return Say(text=text, changes=_helped(visit.state))


async def _hint(visit: Visit, question: QuizQuestion, *, number: int) -> str:
    ids = [question.chunk_id] if question.chunk_id else []
    headings = [
        heading_name([each.title, *each.heading_hierarchy][-1])
        for each in await visit.services.library.corpus.chunks_by_id(ids)
    ]
    return hint(question, number=number, place="".join(headings), ahead=visit.state.questions_ahead)


async def show_question(visit: Visit) -> Decision:
    if visit.state.pending_question is None:
        return Say(text=f"No question is open right now. {await way_on(visit)}")
    return Say(text="Here it is again.", changes=visit.state.changes(**loop.pause(is_paused=False)))


async def too_late(visit: Visit) -> Decision:
    """An answer to a question that another window has answered by now is nobody's answer to the next one."""
    return Say(
        text="That question was answered already, perhaps in another window, so this did not count.",
        status="clarification_needed",
    )


async def give_up(visit: Visit) -> Decision:
    """As good as 'I don't know': the answer is shown, and counts as not known."""
    return await _leave_the_question(visit, "give_up")


async def skip(visit: Visit) -> Decision:
    """No answer, and no evidence of anything."""
    return await _leave_the_question(visit, "skip")


async def _leave_the_question(visit: Visit, command: str) -> Decision:
    state = visit.state
    if state.pending_question is None:
        return Say(text=f"No question is open right now. {await way_on(visit)}")
    if state.learning_phase == "quiz":
        return HandOver(
            agent_name="learning_loop",
            changes=state.changes(**loop.command(command), **loop.pause(is_paused=False)),
        )
    return HandOver(agent_name="diagnostic", changes=state.changes(diagnostic_command=command))


async def reviews(visit: Visit) -> Decision:
    """What should be repeated by now, and what comes due next."""
    now = visit.services.now()
    rows = [
        row
        for row in await kept_mastery(visit.services, visit.user_id, course=visit.state.course)
        if row.mastered and row.review_due_at
    ]
    due = [row.concept_name for row in rows if row.is_due(now)]
    if due:
        return Say(
            text=f"Due for a short review: {joined(bold(due), most=6)}. Shall we start with **{due[0]}**?",
            changes=visit.state.changes(suggestion=due[0]),
            status="clarification_needed",
        )
    upcoming = min(rows, key=lambda row: row.review_due_at or now, default=None)
    if upcoming and upcoming.review_due_at:
        return Say(
            text=f"Nothing is due today. Next comes **{upcoming.concept_name}**, on {upcoming.review_due_at:%A, %d %B}."
        )
    return Say(
        text=f"Nothing is due: a topic comes up for review some days after you have mastered it. {await way_on(visit)}"
    )


def _named_after(message: str) -> str:
    """'… of a lifetime annotation': whoever names a thing means that, whatever was taught last."""
    found = re.search(r"\b(?:of|for|about)\s+(.{2,80}?)[\s?.!]*$", message, re.IGNORECASE)
    return found[1] if found and subject_words(found[1]) else ""


def _subject(state: SessionState) -> str:
    """What was explained last: the answer to a question, or the lesson."""
    if was_looked_up(state) and state.last_subject:
        return state.last_subject
    return state.current_topic if state.explanation else state.last_subject


def _helped(state: SessionState) -> dict[str, object]:
    """Whoever reads it again while a question is open has had help with it."""
    return state.changes(hints_given=state.hints_given + 1) if state.pending_question else {}


async def _definitions(visit: Visit) -> list[str]:
    """What each concept of the topic is, as the course defines it; never the answer to the open question."""
    syllabus = await visit.services.syllabus(visit.state.course)
    wanted = set(visit.state.topic_concepts)
    lines = [
        f"- **{concept.name}**: {' '.join(concept.definition.split())}"
        for concept in syllabus.concepts
        if concept.name in wanted and concept.definition
    ]
    return list(_keeping_the_answer(lines, visit.state.pending_question))


def _keeping_the_answer(lines: Iterable[str], question: QuizQuestion | None) -> Iterable[str]:
    return (line for line in lines if question is None or not gives_away(line, question))


async def _answers(visit: Visit) -> Sequence[LedgerRow]:
    """The last answers that count, as they now stand, oldest first."""
    ledger, course = visit.services.ledger, visit.state.course
    return standing(await ledger.newest(visit.user_id, course=course, most=_LOOKED_BACK))


SERVERS: dict[str, Server] = {
    "reexplain": reexplain,
    "example": example,
    "analogy": analogy,
    "recap": recap,
    "mistakes": mistakes,
    "remaining": remaining,
    "short_time": short_time,
    "rephrase": rephrase,
    "hint": give_hint,
    "show_question_again": show_question,
    "give_up": give_up,
    "skip": skip,
    "reviews": reviews,
    "too_late": too_late,
}
