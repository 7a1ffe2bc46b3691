"""What a message wants, and which agent serves it.

A short table of exact commands comes first, then replies to what the tutor asked last, then the fitted reading of
agents/language. There is no rule for a phrase here: a phrase that is misread becomes a label in evals/labels.
"""

import json
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, cast, get_args

from agents.language.replies import (
    by_action,
    is_addressed,
    is_better_asked,
    is_dear,
    likely_yes_or_no,
    picked,
    verdict_on_own_answer,
    yes_or_no,
)
from agents.language.spans import topic_span
from agents.language.understanding import (
    OpenQuestion,
    Place,
    Reading,
    answer_borders,
    language_of,
    plain,
    read,
)
from agents.language.words import TermFinder, term_key, words_of
from agents.state import Choice
from agents.task_manager.answers import read_change
from agents.teaching.values import wanted_part

Route = Literal["coordinator", "diagnostic", "pathplanner", "task_manager", "learning_loop"]
Action = Literal[
    "answer", "unsure", "ask", "teach", "change_topic", "quiz_me", "diagnose", "plan", "goal", "tasks", "next",
    "reexplain", "example", "analogy", "recap", "mistakes", "progress", "reviews", "why", "lost",
    "hint", "give_up", "skip", "rephrase", "show_question_again", "disagree", "pause", "resume", "stop", "short_time",
    "remaining", "courses", "which_course", "switch_course", "add_material", "reset", "help", "greet", "thanks",
    "small_talk", "more", "yes", "no", "foreign", "unclear", "empty", "too_late", "forget_me",
]  # fmt: skip
# Where a front end that has a place for each had the message from; from the last two it is never an answer.
SaidIn = Literal["", "answer", "talk", "button"]
Awaiting = Literal[
    "", "task_confirmation", "task_clarification", "task_answer", "suggestion", "doubt", "comparison"
]

ACTIONS: tuple[Action, ...] = get_args(Action)
# Whatever is not named here the coordinator serves itself.
ROUTES: dict[Action, Route] = {
    "answer": "learning_loop",
    "give_up": "learning_loop",
    "teach": "learning_loop",
    "quiz_me": "learning_loop",
    "change_topic": "learning_loop",
    "next": "learning_loop",
    "diagnose": "diagnostic",
    "plan": "pathplanner",
    "goal": "pathplanner",
    "tasks": "task_manager",
}
WITH_TOPIC: frozenset[Action] = frozenset(
    {"teach", "quiz_me", "change_topic", "diagnose", "plan", "switch_course"}
)
ABOUT_A_QUESTION: frozenset[Action] = frozenset(
    {"hint", "give_up", "skip", "rephrase", "show_question_again"}
)
_COMMANDS: dict[str, Action] = {
    "stop": "stop", "quit": "stop", "exit": "stop", "skip": "skip", "pass": "skip", "pause": "pause", "hint": "hint",
    "resume": "resume", "continue": "resume", "reset": "reset", "help": "help", "progress": "progress", "more": "more",
    "next": "next", "repeat": "show_question_again", "why": "why",
}  # fmt: skip
_POLITE = re.compile(r"^(?:please|ok|okay)[\s,]+|[\s,]+(?:please|pls|thanks|thank you)$")
_DONT_KNOW = frozenset(
    "i don't know|i dont know|don't know|dont know|dunno|idk|no idea|not sure|no clue".split("|")
)
_TRUE_OR_FALSE = frozenset("true false yes no yeah yep nope right wrong correct incorrect".split())
_AROUND_A_NAME = frozenset("the a one that course topic please let's take i want".split())
_SIGNS = frozenset("+-*/=<>%&|^~$")
_MOST_CHARACTERS = 4000
_MOST_TASK_REPLY_WORDS = 30
_SURELY = 0.9  # so sure of something else that it is no answer to the task manager
_TALK = frozenset(
    ("thanks", "greet", "small_talk", "lost", "help", "stop", "pause", "resume", "hint", "give_up")
)
_ALTERNATIVES = 3
_NO_ANSWERS: tuple[SaidIn, ...] = ("talk", "button")
_NOISE = 0.8  # so sure that nobody means anything by it: then it takes more than this to be an answer
_A_DRONE = 20  # words, and times that each is said
_A_QUOTE = 6  # words in the course's own order are not put together by chance
_CLEAR_WISH, _HARDLY_AN_ANSWER = 0.93, 0.4  # so sure of a wish it is one up to this chance of an answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a button stands for: its front end knows the action and the place, so nobody needs to read its words."""

    action: Action
    topic: str = ""
    course: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """What a message asks for."""

    route: Route
    action: Action
    confidence: float
    reason: str
    topic: str = ""
    manner: str = ""  # how to explain again: again, differently, simpler, shorter, deeper
    kept: str = ""  # the doubtful message of before, which this one says how to take
    language: str = ""  # of a message in a language that is not the course's
    wish: Wish | None = None
    is_agreed: bool = False  # it was offered in so many words, or is a button
    alternatives: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What the conversation knows that the message does not say."""

    place: Place = "idle"
    question: OpenQuestion | None = None
    is_paused: bool = False
    awaiting: Awaiting = ""
    doubtful: str = ""  # the message of which we asked what it is
    choices: tuple[Choice, ...] = ()
    topic_names: tuple[str, ...] = ()
    # The course's; nobody asks for something by quoting them or the lesson.
    definitions: tuple[str, ...] = ()
    lesson: str = ""
    tongue: str = "en"  # of the course
    said_in: SaidIn = ""
    is_about_tasks: bool = False  # the turn before was the task manager's
    is_too_late: bool = False  # it is about a question that is not the open one any more
    impossible: frozenset[str] = frozenset()  # actions that nobody can mean now
    wish: Wish | None = None


def classify(message: str, *, question_pending: bool = False) -> Intent:
    """Read one message of which nothing is known but whether a question is open."""
    return understand(message, Situation(place="question" if question_pending else "idle"))


def understand(message: str, situation: Situation) -> Intent:
    """What to do about a message; a request is never an answer, and where we doubt we ask."""
    message = message[:_MOST_CHARACTERS]
    said = plain(message).strip(" .!?,;:")
    return (
        _told_by_the_front_end(message, situation)
        or _nothing_to_read(message, said, situation)
        or _picked_choice(message, situation)
        or _reply(message, situation)
        or _command(said, situation)
        or _plain_answer(message, said, situation)
        or _about_shown_tasks(message, situation)
        or _foreign(message, situation)
        or _other_tongue(message, situation)
        or _named_topic(message, situation)
        or _quote(message, situation)
        or _fitted(message, situation)
    )


def of_action(action: Action, reason: str, *, confidence: float = 0.98, topic: str = "") -> Intent:
    """An intent that needs no reading."""
    return Intent(
        route=ROUTES.get(action, "coordinator"),
        action=action,
        confidence=confidence,
        reason=reason,
        topic=topic,
    )


def _told_by_the_front_end(message: str, situation: Situation) -> Intent | None:
    """Where answers have a field of their own and buttons say what they are, nobody needs to guess."""
    if situation.said_in not in ("answer", "button") or not message.strip():
        return None
    if situation.is_too_late:
        return of_action("too_late", "is about a question that is not open any more", confidence=1.0)
    if wish := situation.wish:
        intent = of_action(wish.action, "is a button", confidence=1.0, topic=wish.topic)
        return replace(intent, wish=wish, is_agreed=True)
    if situation.said_in == "button" or situation.place != "question":
        return None
    return of_action("answer", "was given where answers are given", confidence=1.0)


def _nothing_to_read(message: str, said: str, situation: Situation) -> Intent | None:
    if not message.strip():
        return of_action("empty", "the message is empty", confidence=1.0)
    if _is_data(message):
        return of_action("unclear", "reads as data, not as a learner's words")
    words = said.split()
    if len(words) >= _A_DRONE and len(set(words)) <= len(words) / _A_DRONE:
        return of_action("unclear", "says the same over and over")
    if any(map(str.isalnum, said)) or yes_or_no(message) is not None:
        return None
    if situation.place == "question" and situation.said_in not in _NO_ANSWERS and _SIGNS & set(message):
        return of_action("answer", "a sign, while a question is open", confidence=0.9)
    return of_action("unclear", "there are no words in it")


def _is_data(message: str) -> bool:
    text = message.strip()[:2000]
    if text.startswith("<|"):
        return True
    if not text.startswith("{"):
        return False
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


def _picked_choice(message: str, situation: Situation) -> Intent | None:
    """One of the numbered ways on that the tutor has just offered, by number or by name."""
    is_letter = situation.question and situation.question.options and len(plain(message).strip(" .)")) == 1
    if is_letter and plain(message).strip(" .)").isalpha():
        return None  # which an open question has, and the ways do not
    place = picked(message, count=len(situation.choices))
    said = set(words_of(message)) - _AROUND_A_NAME
    named = [set(words_of(f"{choice.label} {choice.topic}")) for choice in situation.choices]
    chosen = [
        choice for choice, words in zip(situation.choices, named, strict=True) if said and said <= words
    ]
    if place is not None:
        chosen = [situation.choices[place]]
    return _chosen(chosen[0], situation) if len(chosen) == 1 else None


def _chosen(choice: Choice, situation: Situation) -> Intent:
    """A way that was offered; where it was offered in doubt, the doubtful message says the rest."""
    action = cast("Action", choice.action)
    intent = of_action(action, "picks one of the ways offered", topic=choice.topic)
    manner = "differently" if action == "reexplain" else ""
    return replace(intent, manner=manner, kept=choice.message or situation.doubtful, is_agreed=True)


def _reply(message: str, situation: Situation) -> Intent | None:
    """An answer to what the tutor asked last, where that was no question of a quiz."""
    awaiting = situation.awaiting
    if not awaiting:
        return None
    said = plain(message).strip(" .!?")
    if said in _COMMANDS or (situation.question and said in _DONT_KNOW):
        return None  # during a quiz 'stop' and 'no idea' are about the quiz, whatever was asked beside it
    if awaiting == "comparison":
        is_verdict = verdict_on_own_answer(message) is not None
        return of_action("answer", "says whether the answer was right") if is_verdict else None
    verdict = likely_yes_or_no(message, about_a_mark=awaiting == "doubt")
    if awaiting == "doubt" and verdict is not None:
        return _after_doubt(situation, is_answer=verdict)
    if awaiting == "suggestion" and verdict is not None:
        accepted = replace(of_action("next", "accepts what was offered"), is_agreed=True)
        return accepted if verdict else of_action("no", "declines it")
    if awaiting.startswith("task_"):
        is_for_the_quiz = awaiting == "task_answer" and _is_an_option(message, situation)
        return None if is_for_the_quiz else _task_reply(message, verdict, awaiting=awaiting)
    return None


def _after_doubt(situation: Situation, *, is_answer: bool) -> Intent:
    """'Shall I take that as your answer?': what was said then is graded, or served as a request."""
    if situation.choices:
        first = situation.choices[0]  # the likeliest
        return _chosen(first, situation) if is_answer else of_action("no", "none of the ways offered")
    kept = situation.doubtful
    if is_answer:
        return replace(of_action("answer", "confirms that it was an answer"), kept=kept)
    reading = read(kept, place=situation.place, question=situation.question)
    return replace(_requested(kept, reading, situation), kept=kept)


def _task_reply(message: str, verdict: bool | None, *, awaiting: Awaiting) -> Intent | None:
    if awaiting == "task_answer":
        verdict = yes_or_no(message)  # "no due date" is no no
    if verdict is not None and awaiting != "task_clarification":
        return replace(
            of_action("yes" if verdict else "no", "answers the task manager"), route="task_manager"
        )
    words = len(message.split())
    likely, chance = read(message).actions[0]
    is_said = awaiting == "task_answer" and read_change(message) is not None
    if picked(message, count=99) is not None or likely == "tasks" or is_said:
        return of_action("tasks", "answers the task manager")
    # "Learn about nodes" may be what a task is to say; "teach me nodes" is said to the tutor.
    is_wish = is_addressed(message) if awaiting == "task_answer" else words > 2
    is_something_else = chance >= _SURELY and (is_wish or likely in _TALK)
    if awaiting == "task_confirmation" or words > _MOST_TASK_REPLY_WORDS or is_something_else:
        return None
    return of_action("tasks", "says what the task command lacked", confidence=0.7)


def _is_an_option(message: str, situation: Situation) -> bool:
    """The letter or the very words of one of the open question's answers, which stands below ours about a task."""
    question, words = situation.question, words_of(message)
    if question is None or situation.said_in in _NO_ANSWERS:
        return False
    is_letter = len(question.options) > 1 and len(message.strip(" .!)")) == 1 and message.strip()[0].isalpha()
    return is_letter or any(words and words == words_of(text) for text in question.keys)


def _about_shown_tasks(message: str, situation: Situation) -> Intent | None:
    """Right after a turn about tasks, "complete 1 and 2" and "delete all of them" point at those."""
    if not situation.is_about_tasks:
        return None
    from agents.task_manager.intents import points_at_shown  # its weights are only needed here

    return (
        of_action("tasks", "points at tasks that were just spoken of") if points_at_shown(message) else None
    )


def _command(said: str, situation: Situation) -> Intent | None:
    action = _COMMANDS.get(said) or _COMMANDS.get(_POLITE.sub("", said))
    if action and situation.question and said in map(plain, situation.question.keys):
        return of_action("unsure", "a command, and an answer to the question", confidence=0.5)
    if action is None and situation.is_paused and len(said.split()) <= 2 and yes_or_no(said):
        return of_action("resume", "the quiz is paused, and the learner is ready")
    if action == "skip" and situation.place != "question" and not situation.is_paused:
        action = "next"
    if action == "next" and situation.place == "question":
        action = "skip"
    return of_action(action, "a command") if action else None


def _plain_answer(message: str, said: str, situation: Situation) -> Intent | None:
    """'b', 'the second one', 'true', or an option or the key in its own words."""
    if situation.place != "question" or situation.said_in in _NO_ANSWERS:
        return None
    question = situation.question
    words = words_of(message)
    if question and any(words and words == words_of(text) for text in question.keys):
        return of_action("answer", "says one of the answers", confidence=1.0)
    if _is_quote(message, situation):
        return of_action("answer", "says what the course says")
    choices = len(question.options) if question else 9
    if picked(message, count=choices) is not None:
        return of_action("answer", "picks one of the choices")
    if said in _DONT_KNOW:
        return of_action("answer", "does not know", confidence=0.95)
    if said in _TRUE_OR_FALSE and (question is None or question.kind == "true_false"):
        return of_action("answer", "says yes or no to the question", confidence=0.9)
    if said in _TRUE_OR_FALSE and (verdict := yes_or_no(message)) is not None:
        return of_action("yes" if verdict else "no", "says yes or no, but not to this question")
    return None


def _quote(message: str, situation: Situation) -> Intent | None:
    """The course's own words with no question open are looked up; nobody wishes for a lesson by reciting one."""
    is_quote = situation.place != "question" and _is_quote(message, situation)
    return of_action("ask", "says what the course says", confidence=0.6) if is_quote else None


def _is_quote(message: str, situation: Situation) -> bool:
    words = words_of(message)
    if len(words) < _A_QUOTE or message.rstrip().endswith("?"):
        return False
    said = f" {' '.join(words)} "
    return any(said in text for text in (*_spelled((situation.lesson,)), *_spelled(situation.definitions)))


@lru_cache(maxsize=32)
def _spelled(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f" {' '.join(words_of(text))} " for text in texts)


def _foreign(message: str, situation: Situation) -> Intent | None:
    language = _spoken(message)
    if language in ("", "en", situation.tongue):
        return None
    return replace(
        of_action("foreign", f"is written in another language ({language})", confidence=0.9),
        language=language,
    )


def _spoken(message: str) -> str:
    """The language of a message: a topic may be called in another, 'teach me Einrichtung der Umgebung' is English."""
    language = language_of(message)
    if language in ("", "en") or not (topic := topic_span(message)):
        return language
    return "en" if language_of(message.replace(topic, "")) == "en" else language


def _other_tongue(message: str, situation: Situation) -> Intent | None:
    """In the language of a course that is not English, which the fitted reading knows nothing of: never graded unasked."""
    if situation.tongue == "en" or _spoken(message) != situation.tongue:
        return None
    if situation.place == "question" and situation.said_in not in _NO_ANSWERS:
        return of_action("unsure", "is written in the course's language", confidence=0.5)
    named = [name for name in situation.topic_names if _names(message, name)]
    if message.rstrip().endswith("?") or not named:
        return of_action("ask", "is written in the course's language", confidence=0.55)
    intent = of_action("unsure", "names a topic in the course's language", confidence=0.5)
    return replace(intent, topic=max(named, key=len), alternatives=(("teach", 0.6), ("ask", 0.4)))


def _names(message: str, name: str) -> bool:
    return bool(name) and f" {' '.join(words_of(name))} " in f" {' '.join(words_of(message))} "


def _named_topic(message: str, situation: Situation) -> Intent | None:
    """The bare name of something that the course teaches, or another part of what is being taught."""
    if situation.place == "question":
        return None
    name, part = wanted_part(message.strip(" .!?"))
    if part and not name and situation.lesson:
        return of_action("teach", "names a part of the topic", topic=f"part {part}")
    key = term_key(_POLITE.sub("", plain(message).strip(" .!?")))
    name = next((name for name in situation.topic_names if key and term_key(name) == key), "")
    return of_action("teach", "names a topic of the course", confidence=0.85, topic=name) if name else None


def _fitted(message: str, situation: Situation) -> Intent:
    reading = read(message, place=situation.place, question=situation.question)
    if situation.place != "question":
        return _requested_or_doubtful(message, reading, situation)
    surely, hardly = answer_borders(in_view=situation.question is not None)
    request = _requested(message, reading, situation)
    if situation.awaiting == "comparison" and request.action == "disagree":
        return of_action("answer", "the learner is judging an answer, and stands by it")
    if situation.said_in in _NO_ANSWERS:
        return _requested_or_doubtful(message, reading, situation) if is_dear(request.action) else request
    is_noise = request.action == "unclear" and request.confidence >= _NOISE > reading.answer
    if reading.answer >= surely and not is_noise:
        others = tuple((action, round(chance, 3)) for action, chance in reading.actions[:_ALTERNATIVES])
        intent = of_action("answer", "reads as an answer", confidence=round(reading.answer, 3))
        return replace(intent, alternatives=others)
    # Nobody answers with the number of a part.
    is_no_answer = reading.answer <= _HARDLY_AN_ANSWER or bool(wanted_part(message.rstrip(" .!?"))[1])
    is_clear = request.confidence >= _CLEAR_WISH and is_no_answer
    if is_clear or reading.answer <= hardly:
        return _requested_or_doubtful(message, reading, situation) if is_dear(request.action) else request
    if situation.awaiting == "comparison":
        return of_action("answer", "the learner is judging an answer, and says something about it")
    return Intent(
        route="coordinator",
        action="unsure",
        confidence=round(1 - reading.answer, 3),
        reason="may be an answer or a request",
        topic=request.topic,
        alternatives=(("answer", round(reading.answer, 3)), (request.action, request.confidence)),
    )


def _requested_or_doubtful(message: str, reading: Reading, situation: Situation) -> Intent:
    """What to do, or the likeliest things to choose from where a mistake would cost more."""
    request = _requested(message, reading, situation)
    likely = by_action(reading.actions, impossible=situation.impossible)
    is_going_on = situation.is_about_tasks and likely[0][0] == "tasks"
    if is_going_on or not is_better_asked(likely):
        return request
    likely = likely[:_ALTERNATIVES]
    named = [action for action, _ in likely if action in WITH_TOPIC]
    return Intent(
        route="coordinator",
        action="unsure",
        confidence=request.confidence,
        reason="may be one of several requests",
        topic=_topic(message, named[0], situation) if named else "",
        alternatives=tuple((action, round(chance, 3)) for action, chance in likely),
    )


def _requested(message: str, reading: Reading, situation: Situation) -> Intent:
    (name, chance), *others = by_action(reading.actions, impossible=situation.impossible)
    action = cast("Action", name)
    labels = (label for label, _ in reading.actions if label.partition("/")[0] == name)
    manner = next(labels).partition("/")[2]
    return Intent(
        route=ROUTES.get(action, "coordinator"),
        action=action,
        confidence=round(chance, 3),
        reason=f"reads as '{action}'",
        topic=_topic(message, action, situation) if action in WITH_TOPIC else "",
        manner=manner,
        alternatives=tuple((each, round(odds, 3)) for each, odds in others[:_ALTERNATIVES]),
    )


def _topic(message: str, action: Action, situation: Situation) -> str:
    """What the message names, with the part of it that it asks for; where it names nothing, the course's longest term in it."""
    message, part = wanted_part(message.rstrip(" .!?"))
    named = _subject(message, action, situation) if message else ""
    return f"{named}, part {part}".lstrip(", ") if part else named


def _subject(message: str, action: Action, situation: Situation) -> str:
    if named := topic_span(message):
        named = _with_the_term_that_follows(named, message, situation.topic_names)
        words = set(words_of(named))
        offered = [choice.topic for choice in situation.choices if words <= set(words_of(choice.label))]
        return offered[0] if len(offered) == 1 else named
    by_key = _by_key(situation.topic_names)
    found = [key for key in TermFinder(by_key).find(plain(message)) if len(key[0]) > 2]
    return by_key[max(found, key=len)] if found else ""


def _with_the_term_that_follows(named: str, message: str, names: tuple[str, ...]) -> str:
    """'ROS 2' in 'what I know about ROS 2 topics', where the course has a term 'topic', is 'ROS 2 topics'."""
    after = message.partition(named)[2].split()[:2]
    for count in (2, 1):
        if len(after) >= count and term_key(" ".join(after[:count])) in _by_key(names):
            return f"{named} {' '.join(after[:count])}".rstrip(" .!?,;:")
    return named


@lru_cache(maxsize=16)
def _by_key(names: tuple[str, ...]) -> dict[tuple[str, ...], str]:
    return {key: name for name in names if (key := term_key(name))}
