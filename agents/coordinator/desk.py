"""The front desk: greetings, help, pauses, courses, whoever has lost the thread, and why the tutor believes what it says."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from textwrap import shorten
from typing import Any

from rapidfuzz import fuzz

from agents import lesson_place
from agents.coordinator.offline import is_answerable
from agents.coordinator.visit import Decision, LookUp, Say, Server, Visit, before_leaving, numbered
from agents.language.words import bold, in_short, joined, words_of
from agents.learner_record import LearnerRecord, load_record, said
from agents.mastery_book import kept_mastery
from agents.quiz.offline import as_quotation
from agents.services import Services
from agents.state import Choice, SessionState
from agents.task_manager.study_tasks import for_reviews, tend
from agents.teaching import loop
from agents.teaching.questions.ahead import without_keys
from agents.teaching.thresholds import goal
from rag.index import Scope
from rag.retriever import MOST_RESULTS
from storage.corpus import CourseSummary

# What a turn was about that ended in a mark.
MARKING = ("answer", "give_up", "skip", "disagree")
# What a turn was about that was answered from the course.
_LOOKED_UP = ("ask", "reexplain", "example", "analogy", "more", "yes", "next")
_MOST_PASSAGES = 2
_MOST_CHARS = 500


def was_looked_up(state: SessionState) -> bool:
    """Whether the last turn was answered from the course."""
    by_us = state.last_routed_to == "coordinator" and state.last_intent in _LOOKED_UP
    return by_us and bool(state.last_response.get("citations"))


def why_unmarked(state: SessionState) -> str:
    """Why the last answer has no mark yet; empty when it has one."""
    if state.self_check_answer:
        question = state.pending_question
        if question and question.points:
            return (
                f"Your answer was “{state.self_check_answer}”. It is in your own words, and I can't tell which of the points "
                "it has, so I'd rather ask than mark it wrong. Name the ones that it had, or say **all** or **none**."
            )
        return (
            f"Your answer was “{state.self_check_answer}”. It uses other words than the course, and I can't tell whether "
            "they mean the same, so I'd rather ask than mark it wrong. Does it say what the course says? **Yes** or **no**."
        )
    if state.unread_answer and state.pending_question:
        return (
            f"Nothing was graded: “{state.unread_answer}” fits none of the options, or more than one of them. "
            "Give the letter, or the option's own words."
        )
    return ""


async def why_marked(services: Services, state: SessionState, user_id: str) -> str:
    """Why the last mark is what it is; empty when there is none."""
    answers = await services.ledger.newest(user_id, course=state.course, most=1)
    if not answers:
        return ""
    last = answers[-1]
    verdict = "right" if last.is_correct else "not right"
    shown = f"{as_quotation(last.source_context)}\n\n" if last.source_context else ""
    passages = await services.library.corpus.chunks_by_id([last.chunk_id] if last.chunk_id else [])
    places = [
        "*" + " › ".join(dict.fromkeys([each.title, *each.heading_hierarchy])) + "*" for each in passages
    ]
    told = (
        f"You said “{said(last)}” to “{in_short(last.question_text)}”, and I took it as {verdict}, because the course "
        f"says:\n\n{shown}{' '.join(places)}\n\nIf you see it differently, say **I disagree** and why."
    )
    return without_keys(told, state.unanswered)


def why_answered(state: SessionState) -> str:
    """The passages that our last answer rests on; empty when it had none."""
    passages = state.last_response.get("citations") or []
    if not passages:
        return ""
    quoted = "\n\n".join(_quote(each) for each in passages[:_MOST_PASSAGES])
    return (
        f"I only say what the course says, and this is what it rests on:\n\n{quoted}\n\n"
        "If the course itself is wrong, its author is the one to ask."
    )


def _quote(passage: Mapping[str, Any]) -> str:
    text = " ".join(str(passage.get("chunk_text", "")).split())
    shown = text if len(text) <= _MOST_CHARS else f"{text[:_MOST_CHARS].rsplit(' ', 1)[0]} …"
    place = " › ".join(dict.fromkeys([str(passage.get("title", "")), *passage.get("heading_hierarchy", ())]))
    return f"> {shown}\n\n*{place}*"


# What an action is called where one can choose it; the others are no help to somebody who was not understood.
_WAYS = {
    "ask": "Look it up in the course", "teach": "Start a lesson", "change_topic": "Start a lesson",
    "quiz_me": "Ask me questions", "diagnose": "Find out what I know already", "plan": "Plan what to learn next",
    "goal": "Remember it as my goal", "tasks": "See to my to-do list", "next": "Go on", "resume": "Go on where we stopped",
    "hint": "A hint", "give_up": "Show me the answer and go on", "reexplain": "Explain it differently",
    "example": "An example", "analogy": "Compare it with something familiar", "recap": "Sum up what we did",
    "mistakes": "Show what I got wrong", "progress": "Show how far I am", "reviews": "Show what is due for review",
    "why": "Say what that rests on", "disagree": "Look at my last mark again", "remaining": "Say how much is left",
    "short_time": "Make it a short round", "courses": "Show me what there is to learn", "which_course": "Say which course this is",
    "switch_course": "Go to another course", "add_material": "Say how I add my own material", "pause": "Stop here",
    "stop": "Stop here", "reset": "Forget our conversation", "lost": "Suggest ways to go on", "help": "Show what I can say",
}  # fmt: skip
_ABOUT_A_TOPIC = ("teach", "change_topic", "quiz_me", "diagnose", "plan")
_MOST = 3
_MAY_BE_ASKED = 0.1  # so likely a question, a doubtful message is looked up
_IN_ENGLISH = "(To set one up: `TUTOR_MODEL`, see the README. Or write to me in English.)"


def ways(*actions: str, topic: str = "") -> list[Choice]:
    """These actions as a learner would choose them, each once."""
    found: dict[str, Choice] = {}
    for action in actions:
        if label := _WAYS.get(action):
            about = topic if action in _ABOUT_A_TOPIC else ""
            named = f"{label}: {about}" if about else label
            found.setdefault(named, Choice(label=named, action=action, topic=about))
    return list(found.values())


async def unsure(visit: Visit) -> Decision:
    """Better one question too many than a request that is graded, or a lesson that nobody wanted."""
    state = visit.state
    kept = state.changes(doubtful_message=visit.message)
    likely = [action for action, _ in visit.intent.alternatives]
    if not likely or "answer" in likely:
        asked = f"Shall I take “{shorten(visit.message, 120, placeholder=' …')}” as your answer? **Yes** or **no**."
        return Say(
            text=asked,
            changes=kept,
            shows_question=False,
            status="clarification_needed",
            options=("yes", "no"),
        )
    if dict(visit.intent.alternatives).get("ask", 0.0) >= _MAY_BE_ASKED:
        # Who asks is never asked what they mean: what the course does not answer is said, and the other ways beside it.
        others = ways(*(action for action in likely if action != "ask"), topic=visit.intent.topic)
        return LookUp(question=visit.message, otherwise=tuple(others))
    choices = ways(*likely, "ask", "help", topic=visit.intent.topic)[:_MOST]
    return Say(
        text=f"I'm not sure what you mean. Would you like me to do one of these?\n\n{numbered(choices)}\n\n"
        "Say a number, or put it another way.",
        changes={**kept, **state.changes(choices=choices)},
        status="clarification_needed",
    )


async def is_answered(visit: Visit) -> bool:
    """Whether this course, or any where none is chosen, has an answer to the message as it stands."""
    course = visit.state.course
    found = await visit.services.library.retrieve(
        visit.message, top_k=MOST_RESULTS, scope=Scope(course=course or None)
    )
    names = (await visit.services.syllabus(course)).names
    return is_answerable(visit.message, found, terms=names).answerable


HELP = (
    "I teach from your own course and don't stop until you master it. Say it in your own words, for example:\n\n"
    "- **teach me** a topic, and I explain it and quiz you\n"
    "- **find my gaps** in a topic, and I find out what you already know\n"
    "- **quiz me** on a topic, for questions without the lesson; **five questions on chapter 4**, **test me on everything so far**, **only what I got wrong**\n"
    "- **what should I learn next?**, and I plan the way; **SLAM by next Friday, 30 minutes a day**, and it has days\n"
    "- any question about the material; **explain it differently**, **an example**, **sum it up**\n"
    "- **remind me to …**, **show my tasks**\n"
    "- during a quiz: **hint**, **skip**, **I give up**, **pause**, **stop**, **I disagree**, **I only have ten minutes**\n"
    "- **progress**, **what did I get wrong?**, **what is due for review?**, **why do you think so?**\n"
    "- **which course is this?**, **switch to** another one, **how do I add my own material?**, **reset**"
)


async def greet(visit: Visit) -> Decision:
    services, course = visit.services, visit.state.course
    record = await load_record(services, visit.user_id, visit.state)
    mastery = await kept_mastery(services, visit.user_id, course=course)
    wanted = for_reviews(mastery, now=services.now())
    noted = await tend(services, visit.invocation, course=course, wanted=wanted)
    return Say(text=greeting(record, noted=noted))


def greeting(record: LearnerRecord, *, noted: str = "") -> str:
    """Somebody new hears what there is; somebody known hears what we remember, and what we noted for them."""
    if not record.is_known:
        start = record.topics[0] if record.topics else "the first chapter"
        return (
            f"Welcome. I'm your tutor for **{record.course_title}**. I explain, ask questions, and go on until you "
            f"master a topic. Say **teach me …** for anything in the course (it begins with “{start}”), "
            "or **find my gaps** if you know some of it already."
        )
    parts = ["Welcome back."]
    if record.mastered:
        parts.append(f"You have mastered {joined(bold(record.mastered))} ({goal(record.threshold)}).")
    if record.left:
        parts.append(f"{_left_at(record.left)}: say **continue** to go on there.")
    elif record.open_topic and record.open_topic not in record.mastered:
        parts.append(
            f"You were working on **{record.open_topic}**: say **teach me {record.open_topic}** to go on."
        )
    if record.gaps:
        parts.append(f"Still shaky: {joined(bold(record.gaps))}.")
    if record.due:
        parts.append(
            f"Due for a short review: {joined(bold(record.due))}. Say **quiz me on {record.due[0]}**."
        )
    if noted:
        parts.append(noted)
    if len(parts) == 1 or not record.open_topic:
        parts.append("What would you like to learn?")
    return " ".join(parts)


async def help_(visit: Visit) -> Decision:
    return Say(text=HELP)


async def thanks(visit: Visit) -> Decision:
    return Say(text="You're welcome.")


async def small_talk(visit: Visit) -> Decision:
    title = (await visit.services.syllabus(visit.state.course)).title
    return Say(
        text=f"I'm a tutor program, not a person, and better at **{title or 'your courses'}** than at small talk. "
        "What shall we look at? Say **help** for what I can do."
    )


async def unclear(visit: Visit) -> Decision:
    if visit.state.pending_question:
        return Say(text="I couldn't read that as an answer, so nothing was graded.")
    return Say(
        text="I didn't get that. Ask something about the course, say **teach me** and a topic, or **help**."
    )


async def empty(visit: Visit) -> Decision:
    return Say(
        text="Your message came through empty. Please rephrase it in a few words, or say **help**.",
        status="clarification_needed",
        error="INVALID_INPUT",
    )


async def foreign(visit: Visit) -> Decision:
    """A word to whoever writes in a language that only a language model could teach in, in theirs and in ours."""
    theirs = _foreign_sentences().get(visit.intent.language, "")
    return Say(text=f"{theirs}\n\n{_IN_ENGLISH}".strip())


@cache
def _foreign_sentences() -> dict[str, str]:
    return tomllib.loads(Path(__file__).with_name("foreign.toml").read_text(encoding="utf-8"))


_TO_DELETE = (
    Choice(label="Our conversation; what you have learned stays", action="reset"),
    Choice(label="All tasks on your to-do list", action="tasks", message="delete all my tasks"),
    Choice(label="Everything that is kept about you", action="forget_me"),
    Choice(
        label="Nothing: I have done all my tasks, tick them off",
        action="tasks",
        message="complete all my tasks",
    ),
)


_TO_RESET = "Shall I put our conversation so far out of my mind? What you have learned stays."
_SURELY_MEANT = 0.97  # what is forgotten does not come back


async def reset(visit: Visit) -> Decision:
    """Out of any state: nothing of a lesson, quiz or probe is left, and what was learned stays."""
    if visit.intent.manner == "all":
        return Say(
            text=f"What shall I delete?\n\n{numbered(_TO_DELETE)}\n\nSay a number. Nothing is deleted yet.",
            changes=visit.state.changes(choices=list(_TO_DELETE)),
            status="clarification_needed",
        )
    if not visit.intent.is_agreed and visit.intent.confidence < _SURELY_MEANT:
        return Say(
            text=f"{_TO_RESET} Say **yes** to do that, or tell me what you meant.",
            changes=visit.state.changes(
                choices=[Choice(label=_TO_RESET, action="reset")], doubtful_message=visit.message
            ),
            status="clarification_needed",
            shows_question=False,
        )
    state, lesson = visit.state, visit.state.open_lesson
    left = f" The lesson on {lesson.current_topic} is closed." if lesson else ""
    if lesson:
        await lesson_place.break_off(visit.services, lesson, user_id=visit.user_id)
    return Say(
        text="Done: I've put our conversation so far out of my mind, with everything I had offered. "
        f"What you have learned stays recorded.{left}",
        changes=state.without_conversation(history_reset_turn=state.turn_number + 1),
    )


async def forget_me(visit: Visit) -> Decision:
    """Where it is done; a chat never does it."""
    return Say(
        text="I don't do that from a conversation, because it cannot be undone: your answers, your mastery, your tasks and "
        "every conversation would be gone. It is under **Yours** → “Delete everything” on the page, or "
        f"`tutor forget --user {visit.user_id}` in a terminal; both show what there is and ask once more."
    )


async def pause(visit: Visit) -> Decision:
    if not visit.state.pending_question:
        return Say(text="There is no quiz to pause. Say **teach me** and a topic when you're ready.")
    return Say(
        text="Paused. Your place is kept; ask whatever you like, and say **resume** to go on.",
        changes=visit.state.changes(**loop.pause()),
    )


async def resume(visit: Visit) -> Decision:
    if not visit.state.pending_question:
        return Say(text=f"Nothing is waiting. {await way_on(visit)}")
    return Say(
        text="Here is where we stopped.",
        changes=visit.state.changes(**loop.pause(is_paused=False), question_asked_at=visit.services.now()),
    )


async def stop(visit: Visit) -> Decision:
    """The place is kept: whoever comes back finds the very same question."""
    state = visit.state
    if not state.pending_question:
        return Say(text="Alright. Whatever you did is saved; come back whenever you like.")
    return Say(
        text="Stopped. Your answers are saved, and so is your place: say **continue** to go on with the same question, "
        "or name another topic.",
        changes=state.changes(**loop.pause()),
    )


async def why(visit: Visit) -> Decision:
    """Right after an answer the learner means what became of it; after one of ours, what it rests on."""
    state = visit.state
    if state.last_intent == "answer" and (reason := why_unmarked(state)):
        return Say(text=reason, shows_question=not state.self_check_answer)
    if state.last_intent in MARKING and (reason := await why_marked(visit.services, state, visit.user_id)):
        return Say(text=reason)
    if was_looked_up(state) and (reason := why_answered(state)):
        return Say(text=reason)
    record = await load_record(visit.services, visit.user_id, visit.state)
    return Say(text=record.evidence_text())


async def lost(visit: Visit) -> Decision:
    """Two or three ways on, to choose from."""
    state = visit.state
    if state.is_asking:
        opening, choices = "No harm done. How shall we go on?", ways("hint", "reexplain", "give_up")
    elif state.explanation and state.current_topic:
        opening = f"Then let's take another way into **{state.current_topic}**."
        choices = ways("reexplain", "example", "plan")
    else:
        opening, choices = "Then let's find a good place to start.", ways("diagnose", "plan", "courses")
    return Say(
        text=f"{opening}\n\n{numbered(choices)}\n\nSay a number, or tell me what you'd rather do.",
        changes=state.changes(choices=choices),
        status="clarification_needed",
    )


async def way_on(visit: Visit) -> str:
    """What somebody can say who has lost the thread."""
    record = await load_record(visit.services, visit.user_id, visit.state)
    if record.left:
        return f"{_left_at(record.left)}: say **continue** to go on there, or name another topic."
    if record.open_topic:
        return (
            f"You were working on **{record.open_topic}**: say **teach me {record.open_topic}** to go on, "
            "or name another topic."
        )
    return "Say **teach me** and a topic, or **what should I learn next?**"


def _left_at(lesson: SessionState) -> str:
    return f"You were working on **{lesson.topic_label}** ({lesson.whereabouts})"


async def nothing_suggested(visit: Visit) -> Decision:
    lesson = visit.state.open_lesson
    if visit.intent.action == "no" and visit.state.choices and lesson:
        return Say(text=f"Then we stay with **{lesson.topic_label}**.")
    return Say(
        text="Alright. Name a topic, ask a question, or say **what should I learn next?**",
        changes=visit.state.changes(suggestion=""),
    )


_LINES = 12  # of a list; then "more"
_ALIKE = 80
COURSE_KEY = "user:course"  # ADK keeps what begins with user: over all sessions of a learner


async def courses(visit: Visit) -> Decision:
    """The courses and the topics of this one, twelve lines at a time."""
    return await _page(visit, start=0)


async def more(visit: Visit) -> Decision:
    """On with the list that was shown last; otherwise, more of what was explained."""
    from agents.coordinator.lesson_desk import reexplain

    return await (_page(visit, start=visit.state.listed_to) if visit.state.listed_to else reexplain(visit))


async def _page(visit: Visit, *, start: int) -> Say:
    found = await visit.services.library.courses()
    syllabus = await visit.services.syllabus(visit.state.course)
    lines = [f"- **{course.title}** ({course.documents} chapters)" for course in found]
    if visit.state.course:
        lines += [f"  - {title}" for title in syllabus.topic_names()]
    shown, left = lines[start : start + _LINES], len(lines) - start - _LINES
    heading = "Here is what I can teach:" if not start else "And further:"
    if visit.state.course and not start:
        heading += f" (the topics are those of **{syllabus.title}**)"
    tail = ["", f"… and {left} more: say **more**."] if left > 0 else []
    return Say(
        text="\n".join([heading, "", *shown, *tail]),
        changes=visit.state.changes(listed_to=start + _LINES if left > 0 else 0),
    )


async def which_course(visit: Visit) -> Decision:
    found = await visit.services.library.courses()
    here = next((course for course in found if course.name == visit.state.course), None)
    if here is None:
        return await ask_for_course(visit)
    syllabus = await visit.services.syllabus(here.name)
    mastery = await kept_mastery(visit.services, visit.user_id, course=here.name, state=visit.state)
    threshold = await visit.services.threshold(visit.user_id, visit.state)
    others = [course.title for course in found if course is not here]
    also = f" Besides it there is {_named(others)}: say **switch to** one of them." if others else ""
    return Say(
        text=f"This is **{here.title}**: {here.documents} chapters, {len(syllabus.concepts)} concepts, of which you have "
        f"mastered {sum(row.mastered for row in mastery)} ({goal(threshold)}).{also}"
    )


async def switch_course(visit: Visit) -> Decision:
    """Into the course that is meant, by any part of its name."""
    found = await visit.services.library.courses()
    others = [course for course in found if course.name != visit.state.course]
    wanted, wish = visit.intent.topic, visit.intent.wish
    fitting = matching(found, wanted) if wanted else others
    if wish and wish.course:
        fitting = [course for course in found if course.name == wish.course]
    if len(fitting) == 1:
        return await enter(visit, fitting[0])
    if not others:
        return Say(
            text=f"There is only one course here, **{found[0].title if found else 'none yet'}**. {ADDING}"
        )
    opening = f"There is no course called “{wanted}” here." if wanted and not fitting else "Which one?"
    return await ask_for_course(visit, opening=opening, among=fitting or others)


async def enter(visit: Visit, course: CourseSummary) -> Say:
    """Leave what is under way, once that was agreed, and go on or begin in another course."""
    state, services = visit.state, visit.services
    if course.name == state.course:
        return Say(text=f"You are in **{course.title}** already.")
    there = Choice(label=f"Go to {course.title}", action="switch_course", topic=course.name)
    if asked := before_leaving(visit, there, asked=f"Shall I leave it and go to **{course.title}**?"):
        return asked
    session_id = visit.invocation.session.id
    await lesson_place.leave(services, state, user_id=visit.user_id, session_id=session_id)
    first, offer = await _first_in(visit, course)
    return Say(
        text=f"We are in **{course.title}** now.{offer}",
        changes={**state.without_lesson(course=course.name, suggestion=first), COURSE_KEY: course.name},
    )


async def _first_in(visit: Visit, course: CourseSummary) -> tuple[str, str]:
    """What there is to do first in a course: the lesson that was left there last, or its beginning."""
    places = await lesson_place.left(visit.services, user_id=visit.user_id, course=course.name)
    if places:
        lesson = SessionState.of(places[0].lesson)
        left = lesson.topic_label
        return left, f" You left **{left}** there ({lesson.whereabouts}). Shall we go on with it?"
    topics = (await visit.services.syllabus(course.name)).topic_names()
    return (topics[0], f" It begins with **{topics[0]}**. Shall we start there?") if topics else ("", "")


async def ask_for_course(
    visit: Visit,
    *,
    opening: str = "Which course shall it be?",
    among: Sequence[CourseSummary] | None = None,
) -> Say:
    found = among or await visit.services.library.courses()
    choices = [Choice(label=course.title, action="switch_course", topic=course.name) for course in found]
    return Say(
        text=f"{opening}\n\n{numbered(choices[:_LINES])}\n\nSay a number or a name.",
        changes=visit.state.changes(choices=choices[:_LINES]),
        status="clarification_needed",
    )


async def add_material(visit: Visit) -> Decision:
    return Say(text=ADDING)


ADDING = (
    "To learn from material of your own, run `tutor ingest FOLDER` in a terminal (Markdown, text, HTML, PDF or Word files; "
    "`--course NAME` names it). It works while I run: afterwards say **switch to** and its name."
)


def matching(found: Sequence[CourseSummary], wanted: str) -> list[CourseSummary]:
    """The courses that a part of a name fits: exactly, by all its words, or nearly."""
    words = set(words_of(wanted)) - {"course", "the"}
    exact = [
        course for course in found if words_of(wanted) in (words_of(course.name), words_of(course.title))
    ]
    if exact or not words:
        return exact
    named = [course for course in found if words <= set(words_of(f"{course.name} {course.title}"))]
    if named:
        return named
    near = [
        course
        for course in found
        if max(fuzz.ratio(wanted.lower(), each.lower()) for each in (course.name, course.title)) >= _ALIKE
    ]
    return near[:1]


async def usual_course(services: Services, user_id: str, *, remembered: str = "") -> str:
    """The course that this learner used last; the only one there is; or none, and they will be asked."""
    names = [course.name for course in await services.library.courses()]
    used = [remembered, *await services.ledger.courses_of(user_id)]
    known = next((name for name in used if name in names), "")
    return known or (names[0] if len(names) == 1 else "")


def _named(titles: Sequence[str]) -> str:
    shown = [f"**{title}**" for title in titles[:5]]
    return ", ".join(shown) + (f" and {len(titles) - 5} more" if len(titles) > 5 else "")


SERVERS: dict[str, Server] = {
    "greet": greet,
    "help": help_,
    "thanks": thanks,
    "small_talk": small_talk,
    "unclear": unclear,
    "empty": empty,
    "foreign": foreign,
    "unsure": unsure,
    "reset": reset,
    "forget_me": forget_me,
    "pause": pause,
    "resume": resume,
    "stop": stop,
    "why": why,
    "lost": lost,
    "yes": nothing_suggested,
    "no": nothing_suggested,
    "courses": courses,
    "more": more,
    "which_course": which_course,
    "switch_course": switch_course,
    "add_material": add_material,
}
