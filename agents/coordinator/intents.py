"""What a message asks for, and which agent serves it: by ordered rules over phrase tables, without a model.

Every rule may propose actions with a score; the highest wins, and among equals the earlier rule.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, cast, get_args

from agents.coordinator.language.forms import asks
from agents.coordinator.language.messages import Message, Span
from agents.coordinator.language.phrasebook import Found, after_courtesies, find_phrases
from agents.coordinator.language.patterns import LIGHT
from agents.coordinator.language.replies import agrees, is_choice, is_data, matches_option, says_no, says_yes
from agents.coordinator.language.topics import clean_topic, known_topic
from agents.coordinator.language.votes import count_votes, votes_needed
from agents.coordinator.language.wording import WH_WORDS
from agents.state import QuestionKind

Route = Literal["coordinator", "diagnostic", "pathplanner", "task_manager", "learning_loop"]
Action = Literal[
    "answer", "ask", "teach", "quiz_me", "diagnose", "plan", "goal", "tasks", "progress", "greet", "help", "thanks",
    "small_talk", "reset", "pause", "resume", "stop", "skip", "hint", "disagree", "change_topic",
    "show_question_again", "next", "yes", "no", "why", "courses", "unclear", "empty",
]  # fmt: skip
Awaiting = Literal["", "task_confirmation", "task_clarification", "suggestion"]

ACTIONS: tuple[Action, ...] = get_args(Action)
# Whatever is not named here the coordinator serves itself.
ROUTES: dict[Action, Route] = {
    "answer": "learning_loop",
    "teach": "learning_loop",
    "quiz_me": "learning_loop",
    "change_topic": "learning_loop",
    "next": "learning_loop",
    "diagnose": "diagnostic",
    "plan": "pathplanner",
    "goal": "pathplanner",
    "tasks": "task_manager",
}
_WITH_TOPIC = frozenset({"teach", "quiz_me", "change_topic", "diagnose", "plan"})
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
    "call": "unclear",
}
_MOST_WORDS_OF_A_NAME = 6
_MOST_WORDS_TO_COUNT = 30
_LEADS_TO_TOPIC = (
    frozenset("about into understand".split()),
    frozenset("on learn study cover teach practise".split()),
    frozenset("me before of in for with to".split()),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """What a message asks for."""

    route: Route
    action: Action
    topic: str = ""
    confidence: float
    alternatives: tuple[tuple[str, float], ...] = ()
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingContext:
    """What the conversation knows that the message does not say."""

    question_kind: QuestionKind | None = None
    question_text: str = ""
    options: tuple[str, ...] = ()
    quiz_paused: bool = False
    awaiting: Awaiting = ""
    topic_names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    message: Message
    pending: bool
    context: RoutingContext


@dataclass(frozen=True, slots=True)
class _Idea:
    action: Action
    score: float
    reason: str
    topic: str = ""
    route: Route | None = None


def classify(
    message: str, *, question_pending: bool = False, context: RoutingContext | None = None
) -> Intent:
    """Read one message; a pending question makes whatever reads as an answer an answer."""
    case = _Case(message=Message.read(message), pending=question_pending, context=context or RoutingContext())
    best: dict[Action, _Idea] = {}
    for rule in _RULES:
        for idea in rule(case):
            if idea.action not in best or idea.score > best[idea.action].score:
                best[idea.action] = idea
    return _decide(sorted(best.values(), key=lambda idea: -idea.score), case)


def _decide(ideas: list[_Idea], case: _Case) -> Intent:
    first, others = ideas[0], ideas[1:]
    return Intent(
        route=first.route or ROUTES.get(first.action, "coordinator"),
        action=first.action,
        topic=_named(first.topic, case) if first.action in _WITH_TOPIC else "",
        confidence=round(min(first.score, 1.0), 3),
        alternatives=tuple((idea.action, round(idea.score, 3)) for idea in others[:3]),
        reason=first.reason,
    )


def _named(topic: str, case: _Case) -> str:
    return known_topic(topic, case.context.topic_names) or topic


def _nothing_to_read(case: _Case) -> Iterator[_Idea]:
    text = case.message.text.strip()
    if not text:
        yield _Idea("empty", 1.0, "the message is empty")
    elif is_data(text):
        yield _Idea(
            "unclear", 0.99, "reads as data or as an instruction to the program, not as a learner's words"
        )
    elif not case.message.words:
        if case.pending and any(char in "+-*/=<>%&|^~$" for char in text):
            yield _Idea("answer", 0.9, "a sign, while a question is pending")
        else:
            yield _Idea("unclear", 0.95, "there are no words in it")


def _reply_to_the_tutor(case: _Case) -> Iterator[_Idea]:
    """An answer to what the tutor asked last, where that was no quiz question."""
    awaiting, message = case.context.awaiting, case.message
    if not awaiting or not message.words:
        return
    if awaiting == "task_clarification" and (is_choice(message) or len(message.words) <= 4):
        score = 0.97 if is_choice(message) else 0.7
        yield _Idea("tasks", score, "picks one of the tasks that were offered")
    elif agrees(message):
        if awaiting == "suggestion":
            yield _Idea("next", 0.97, "accepts what was suggested")
        else:
            yield _Idea("yes", 0.97, "confirms the task command", route="task_manager")
    elif says_no(message):
        route: Route = "task_manager" if awaiting == "task_confirmation" else "coordinator"
        yield _Idea("no", 0.97, "declines what was offered", route=route)


def _picked_answer(case: _Case) -> Iterator[_Idea]:
    """'b', 'the second one', 'true', or an option in its own words."""
    if not case.pending or not case.message.words:
        return
    kind = case.context.question_kind
    verdict = says_yes(case.message) or says_no(case.message)
    if case.context.quiz_paused and agrees(case.message):
        yield _Idea("resume", 0.97, "the quiz is paused, and the learner is ready")
    elif is_choice(case.message) or matches_option(case.message, case.context.options):
        yield _Idea("answer", 0.98, "picks one of the choices")
    elif verdict:
        yield _Idea("answer", 0.98 if kind == "true_false" else 0.9, "says yes or no to the pending question")


def _phrases(case: _Case) -> Iterator[_Idea]:
    topics: dict[str, str] = {}
    found = sorted(find_phrases(case.message, pending=case.pending), key=lambda each: -each.score)
    whole = next(case.message.spans())
    for each in found:
        topics[each.phrase.action] = topics.get(each.phrase.action) or clean_topic(each.kept)
    for action in _WITH_TOPIC & topics.keys():
        topics[action] = topics[action] or _topic_in(case.message, whole)
    for each in found:
        action = cast("Action", each.phrase.action)
        reason = f"says '{each.phrase.line}'"
        if action == "unclear":
            yield _Idea(action, 0.97, "reads as an instruction to the program")
        elif each.phrase.line.startswith(_LOOKED_UP) and not case.pending:
            yield _explanation(each, topics[action], reason)
        elif action == "teach" and each.phrase.line.startswith(_OPENED):
            yield _Idea(_service_in(each.kept), each.score, reason, topics[action])
        else:
            yield _Idea(action, each.score, reason, topics[action])


def _service_in(kept: str) -> Action:
    """'start the quiz' is no lesson about quizzes."""
    words = [word for word in kept.lower().split() if word not in LIGHT]
    named = (_SERVICES[word] for word in (*words[:2], *words[-1:]) if word in _SERVICES)
    return next(named, "teach")


def _explanation(found: Found, topic: str, reason: str) -> _Idea:
    """'explain URDF' begins a lesson; 'explain how it is parsed' wants one answer, and anything else outweighs it."""
    first = found.kept.split(" ", 1)[0].lower()
    if found.phrase.action != "teach" or not found.is_whole or first in WH_WORDS or len(topic.split()) > 5:
        return _Idea("ask", 0.742, "asks for the explanation of one thing")
    return _Idea("teach", found.score, reason, topic)


def _question(case: _Case) -> Iterator[_Idea]:
    for span in case.message.spans():
        if case.pending and not span.is_whole and not (span.is_asked and _opens_question(case.message, span)):
            continue
        words = case.message.words[: span.end]
        starts = (span.start, after_courtesies(case.message, span, pending=case.pending))
        score = max(asks(words[start:], marked=span.is_asked, guessing=case.pending) for start in starts)
        if score:
            yield _Idea("ask", score if span.is_whole else score - 0.05, "has the form of a question")


def _votes(case: _Case) -> Iterator[_Idea]:
    """Where no phrase is known, the words themselves are counted."""
    for span in case.message.spans():
        words = case.message.words[span.start : span.end]
        if not span.opens_sentence or not 0 < len(words) <= _MOST_WORDS_TO_COUNT:
            continue
        question = not case.pending and bool(asks(words, marked=span.is_asked, guessing=False))
        needed = votes_needed(words, pending=case.pending, is_question=question)
        for action, votes in count_votes(words, pending=case.pending).items():
            if votes >= needed and not (action == "goal" and question):
                score = min(0.78, 0.745 + 0.01 * (votes - needed)) - (0.08 if case.pending else 0.0)
                yield _Idea(
                    cast("Action", action),
                    score,
                    f"its words speak for {action}",
                    _topic_in(case.message, span),
                )


def _topic_in(message: Message, span: Span) -> str:
    """What follows the words that a topic comes after, the surest of them first."""
    for leads in _LEADS_TO_TOPIC:
        for place in range(span.start, span.end - 1):
            if message.words[place] in leads:
                topic = clean_topic(message.quote(place + 1, span.end))
                if topic:
                    return topic
    return ""


def _opens_question(message: Message, span: Span) -> bool:
    """'…, which is round' goes on; '…, how is that?' asks."""
    return span.opens_sentence or message.words[span.start] in ("what", "how", "why", "who")


def _bare_topic(case: _Case) -> Iterator[_Idea]:
    text = case.message.text
    if case.pending or not 0 < len(case.message.words) <= _MOST_WORDS_OF_A_NAME:
        return
    if known_topic(text, case.context.topic_names):
        yield _Idea("teach", 0.85, "names a topic of the course", clean_topic(text))


def _otherwise(case: _Case) -> Iterator[_Idea]:
    if case.pending:
        yield _Idea("answer", 0.6, "a question is pending, and nothing says that this is no answer")
    elif 1 < len(case.message.words) <= 5 and case.message.words[-1] == "please":
        yield _Idea("teach", 0.5, "asks for something by its name", clean_topic(case.message.text))
    elif 0 < len(case.message.words) <= 4 and not is_choice(case.message):
        yield _Idea("ask", 0.4, "a few words, perhaps something to look up")
    else:
        yield _Idea("unclear", 0.3, "no rule knows what this asks for")


_RULES = (
    _nothing_to_read,
    _reply_to_the_tutor,
    _picked_answer,
    _phrases,
    _votes,
    _question,
    _bare_topic,
    _otherwise,
)
