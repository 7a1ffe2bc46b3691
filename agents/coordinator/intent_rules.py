"""The rules of routing, in order: each proposes actions with a score, and says why."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import cast

from agents.coordinator.intent_types import WITH_TOPIC, Action, Route, RoutingContext
from agents.coordinator.language.forms import asks
from agents.coordinator.language.messages import Message, Span
from agents.coordinator.language.phrasebook import Found, after_courtesies, find_phrases
from agents.coordinator.language.replies import (
    agrees,
    declines,
    is_choice,
    is_data,
    matches_option,
    says_no,
    says_yes,
)
from agents.coordinator.language.topics import clean_topic, known_topic, topic_in
from agents.coordinator.language.votes import count_votes, votes_needed
from agents.coordinator.language.wording import LIGHT, SIGNS, WH_WORDS

_LOOKED_UP = ("explain", "tell ME [", "tell|", "describe", "show|")
_OPENED = ("start", "begin", "let us", "i [would", "can|could we")
_SERVICES: dict[str, Action] = {
    "quiz": "quiz_me",
    "test": "quiz_me",
    "exam": "quiz_me",
    "questions": "quiz_me",
    "exercises": "quiz_me",
    "diagnostic": "diagnose",
    "placement": "diagnose",
    "assessment": "diagnose",
    "plan": "plan",
    "task": "tasks",
    "tasks": "tasks",
    "reminders": "tasks",
    "todos": "tasks",
}
_SAID_ASIDE = 0.35
_FOR_A_TASK_JUST_SEEN = 1.5
_MANY_TASKS = 200  # more than a list shows, so that every position counts as one
_MOST_WORDS_OF_A_NAME = 6
_MOST_WORDS_OF_A_TOPIC = 5
_MOST_WORDS_TO_COUNT = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One message, and what is known around it."""

    message: Message
    pending: bool
    context: RoutingContext


@dataclass(frozen=True, slots=True)
class Idea:
    """What a rule believes, and how surely (0..1)."""

    action: Action
    score: float
    reason: str
    topic: str = ""
    route: Route | None = None  # only where it is not the action's own


def nothing_to_read(case: Case) -> Iterator[Idea]:
    text = case.message.text.strip()
    if not text:
        yield Idea("empty", 1.0, "the message is empty")
    elif is_data(text):
        yield Idea("unclear", 0.99, "reads as data or as an order to the program, not as a learner's words")
    elif not case.message.words and case.pending and SIGNS & set(text):
        yield Idea("answer", 0.9, "a sign, while a question is pending")
    elif not case.message.words:
        yield Idea("unclear", 0.95, "there are no words in it")


def reply_to_the_tutor(case: Case) -> Iterator[Idea]:
    """An answer to what the tutor asked last, where that was no quiz question."""
    awaiting, message = case.context.awaiting, case.message
    if not awaiting or not message.words:
        return
    if awaiting == "task_clarification":
        if is_choice(message) or len(message.words) <= _MOST_WORDS_OF_A_NAME:
            yield Idea("tasks", 0.99 if is_choice(message) else 0.7, "picks one of the tasks on offer")
    elif declines(message):
        route: Route = "coordinator" if awaiting == "suggestion" else "task_manager"
        # During a quiz 'stop' is about the quiz, whatever was suggested beside it.
        if not (case.pending and awaiting == "suggestion" and "stop" in message.words):
            yield Idea("no", 0.99, "declines what was offered", route=route)
    elif awaiting == "task_answer" and len(message.words) <= _MOST_WORDS_TO_COUNT:
        yield Idea("tasks", 0.7, "says what the task command lacked")
    elif agrees(message) and awaiting == "suggestion":
        yield Idea("next", 0.99, "accepts what was suggested")
    elif agrees(message):
        yield Idea("yes", 0.99, "confirms the task command", route="task_manager")
    elif awaiting == "task_confirmation" and len(message.words) <= _MOST_WORDS_OF_A_NAME:
        yield Idea("tasks", 0.62, "is neither a yes nor a no to the task command")


def task_in_hand(case: Case) -> Iterator[Idea]:
    """'move it to Monday', right after a task was spoken of."""
    if not case.context.tasks_in_hand or not case.message.words:
        return
    # Here, because few messages come this far.
    from agents.task_manager.intents import understand
    from tasks_tools.references import Reference, read_reference

    command = understand(case.message.text, listed=case.context.tasks_listed)
    pointed = read_reference(command.entities.reference or "", count=_MANY_TASKS)
    if command.intent in ("update", "complete", "delete") and pointed != Reference():
        yield Idea("tasks", min(command.confidence, 0.95), "goes on about the task that was spoken of")


def picked_answer(case: Case) -> Iterator[Idea]:
    """'b', 'the second one', 'true', or an option in its own words."""
    message, context = case.message, case.context
    if not case.pending or not message.words:
        return
    if context.quiz_paused and agrees(message):
        yield Idea("resume", 0.97, "the quiz is paused, and the learner is ready")
    elif is_choice(message) or matches_option(message, context.options):
        yield Idea("answer", 0.98, "picks one of the choices")
    elif says_yes(message) or says_no(message):
        sure = 0.98 if context.question_kind == "true_false" else 0.9
        yield Idea("answer", sure, "says yes or no to the pending question")


def phrases(case: Case) -> Iterator[Idea]:
    found = sorted(find_phrases(case.message, pending=case.pending), key=lambda each: -each.score)
    topics = _topics(found, case.message)
    for each in found:
        action, topic = cast("Action", each.phrase.action), topics[each.phrase.action]
        reason = f"says '{each.phrase.line}'"
        if each.phrase.line.startswith("MAKE") and not each.kept and (aim := topics.get("teach")):
            # 'I want to understand X, make me a plan': the plan is what is asked for, X is where it leads.
            yield Idea(action, 0.99, reason, aim)
        elif action == "unclear" and not each.phrase.timely:
            yield Idea(action, 0.97, "reads as an order to the program")
        elif action == "unclear":
            # 'what is a node? I don't know': the question counts.
            yield Idea(action, each.score if each.is_whole else _SAID_ASIDE, reason)
        elif each.phrase.line.startswith(_LOOKED_UP) and not case.pending:
            yield _explanation(each, topic=topic, reason=reason)
        elif action == "teach" and (
            each.phrase.line.startswith(_OPENED) or "my" in each.kept.lower().split()
        ):
            yield Idea(_service_in(each.kept), each.score, reason, topic)
        else:
            yield Idea(action, each.score, reason, topic)


def _topics(found: list[Found], message: Message) -> dict[str, str]:
    """What each action is about: the best phrase that keeps a topic, or else what the words lead to."""
    topics: dict[str, str] = {}
    for each in found:
        topics[each.phrase.action] = topics.get(each.phrase.action) or clean_topic(each.kept)
    whole = {each.phrase.action for each in found if each.is_whole}  # leaves no word for a topic
    for action in (WITH_TOPIC - whole) & topics.keys():
        topics[action] = topics[action] or topic_in(message, 0, len(message.words))
    return topics


def _service_in(kept: str) -> Action:
    """'start the quiz' is no lesson about quizzes."""
    words = [word for word in kept.lower().split() if word not in LIGHT]
    return next((_SERVICES[word] for word in (*words[:2], *words[-1:]) if word in _SERVICES), "teach")


def _explanation(found: Found, *, topic: str, reason: str) -> Idea:
    """'explain URDF' begins a lesson; 'explain how it is parsed' wants one answer."""
    first = found.kept.split(" ", 1)[0].lower()
    is_one_thing = not topic or first in WH_WORDS or len(topic.split()) > _MOST_WORDS_OF_A_TOPIC
    if found.phrase.action != "teach" or not found.is_whole or is_one_thing:
        return Idea("ask", 0.742, "asks for the explanation of one thing")
    return Idea("teach", found.score, reason, topic)


def votes(case: Case) -> Iterator[Idea]:
    """Where no phrase is known, the words themselves are counted."""
    base = 0.675 if case.pending else 0.745
    for span in case.message.spans():
        words = case.message.words[span.start : span.end]
        if not span.opens_sentence or not 0 < len(words) <= _MOST_WORDS_TO_COUNT:
            continue
        is_question = not case.pending and asks(words, marked=span.is_asked, guessing=False) > 0
        needed = votes_needed(words, pending=case.pending, is_question=is_question)
        topic = topic_in(case.message, span.start, span.end)
        counts = count_votes(words, pending=case.pending)
        if case.context.tasks_listed and "tasks" in counts:
            counts["tasks"] += _FOR_A_TASK_JUST_SEEN
        for action, count in counts.items():
            if count >= needed and not (action == "goal" and is_question):
                score = base + min(0.035, 0.01 * (count - needed))
                yield Idea(cast("Action", action), score, f"its words speak for '{action}'", topic)


def question(case: Case) -> Iterator[Idea]:
    for span in case.message.spans():
        if case.pending and not span.is_whole and not _opens_question(case.message, span):
            continue
        words = case.message.words[: span.end]
        starts = (span.start, after_courtesies(case.message, span, pending=case.pending))
        score = max(asks(words[start:], marked=span.is_asked, guessing=case.pending) for start in starts)
        if score:
            yield Idea("ask", score if span.is_whole else score - 0.05, "has the form of a question")


def _opens_question(message: Message, span: Span) -> bool:
    """'…, which is round' goes on; '…, how is that?' asks."""
    asks_openly = message.words[span.start] in ("what", "how", "why", "who")
    if span.is_asked:
        return span.opens_sentence or asks_openly
    return asks_openly and span.is_last and not span.opens_sentence


def bare_topic(case: Case) -> Iterator[Idea]:
    text, length = case.message.text, len(case.message.words)
    if (
        not case.pending
        and 0 < length <= _MOST_WORDS_OF_A_NAME
        and known_topic(text, case.context.topic_names)
    ):
        yield Idea("teach", 0.85, "names a topic of the course", clean_topic(text))


def otherwise(case: Case) -> Iterator[Idea]:
    words = case.message.words
    if case.pending and words and LIGHT.issuperset(words):
        yield Idea("unclear", 0.6, "says nothing yet")
    elif case.pending:
        yield Idea("answer", 0.65, "a question is pending, and nothing says that this is no answer")
    elif 1 < len(words) < _MOST_WORDS_OF_A_TOPIC and words[-1] == "please":
        yield Idea("teach", 0.5, "asks for something by its name", clean_topic(case.message.text))
    elif 0 < len(words) <= _MOST_WORDS_OF_A_TOPIC and not is_choice(case.message):
        yield Idea("ask", 0.4, "a few words, perhaps something to look up")
    else:
        yield Idea("unclear", 0.3, "no rule knows what this asks for")


RULES: tuple[Callable[[Case], Iterator[Idea]], ...] = (
    nothing_to_read,
    reply_to_the_tutor,
    task_in_hand,
    picked_answer,
    phrases,
    votes,
    question,
    bare_topic,
    otherwise,
)
