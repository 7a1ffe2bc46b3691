"""What the study page shows, made of the session alone: so a reload comes back to the same place.

Nothing in here reads a question's expected answer; what an answer was marked with is shown once it is in.
"""

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from html import escape
from string import ascii_uppercase
from typing import Any, Literal

from google.adk.events.event import Event
from google.adk.sessions.session import Session

from agents.coordinator.visit import SAID_IN_KEY
from agents.models.voice import text_of
from agents.quiz.offline import comparison, without_question
from agents.screen import shown
from agents.state import SessionState
from agents.teaching.evidence import VOIDED
from agents.teaching.mistakes import is_no_answer
from agents.teaching.values import QuizQuestion
from storage.learners import MasteryRow
from web.render import picture_address, to_html, to_line

Status = Literal["done", "due", "some", "new"]
Verdict = Literal["right", "partly", "wrong", "skipped"]
_PARTLY_FROM = 0.4
_SOURCES = re.compile(r"\s*^-{3,}\s*^\*\*Sources:\*\*.*?(?=^-{3,}\s*$|\Z)", re.MULTILINE | re.DOTALL)
_READ_ON = "Read it at your own pace; then a few questions on what stands here."
_MOST_TALK = 12  # exchanges
_MOST_ANSWER = 200  # characters of it, beside its mark


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSource:
    """A passage that something rests on."""

    number: int
    chunk_id: str
    text: str
    place: str = ""  # where a reader finds it


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownMessage:
    """One message of the tutor, ready to be shown."""

    author: str
    html: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownMark:
    """How the last answer was judged."""

    verdict: Verdict
    answer_html: str
    html: str
    question_html: str = ""
    # The tutor judged it: who gave no answer or judged it themselves has nobody to blame.
    is_disputable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message of the learner and what came of it."""

    said_in: str
    message: str
    replies: tuple[ShownMessage, ...]
    mark: ShownMark | None = None
    begins_topic: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownQuestion:
    """The open question, with what its control needs and nothing that answers it."""

    question_id: str
    number: int
    total: int
    is_probe: bool
    kind: str
    html: str
    options: tuple[tuple[str, str], ...]  # what to send, and what to show
    comparison_html: str = ""  # where the learner judges an answer that is in already
    is_paused: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptChip:
    """One concept and how it stands: mastered and fresh, mastered and due, begun, or new."""

    name: str
    status: Status
    score: float
    is_here: bool = False

    @property
    def is_mastered(self) -> bool:
        return self.status in ("done", "due")


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What the page needs beside the session: the course's title and the learner's mastery."""

    course: str = ""
    course_title: str = ""
    starts_with: str = ""
    mastery: Mapping[str, MasteryRow] = field(default_factory=dict)
    lesson_sources: tuple[ShownSource, ...] = ()
    has_topic: bool = True  # the session's topic is one of this course
    course_is_gone: bool = False  # a teacher has removed it since


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """Everything on the study page."""

    standing: Standing
    topic: str
    label: str
    round: int
    threshold: float
    concepts: tuple[ConceptChip, ...]
    dots: tuple[str, ...]  # of this round: right, wrong, skipped, now or open
    lesson_html: str
    question: ShownQuestion | None
    last: Turn | None  # what the main column shows of the last turn that was about it
    talk: tuple[Turn, ...]
    choices: tuple[str, ...]
    suggestion: str
    asks_yes_or_no: bool
    is_new_lesson: bool  # nothing of it was answered yet: it is to be read first
    is_over: bool  # nothing of a lesson is under way
    last_said_in: str  # where the newest message came from, and so where to reply

    @property
    def names_concepts(self) -> bool:
        """A question may ask for a name, so none stands above it."""
        return self.question is None or self.is_new_lesson


def study_of(session: Session, standing: Standing, *, see: str = "") -> Study:
    """The page as the session has it; `see` is the lesson or the question where both are there."""
    state = SessionState.of(session.state)
    turns = list(turns_of(session.events, in_question=shown(_compared(state))))
    question = question_of(state)
    return Study(
        standing=standing,
        topic=state.current_topic if standing.has_topic else "",
        label=state.topic_label if standing.has_topic else "",
        round=state.learning_cycle_count + (1 if state.learning_phase else 0),
        threshold=state.mastery_threshold,
        concepts=tuple(chip(name, standing.mastery.get(name)) for name in state.topic_concepts),
        dots=_dots(state),
        lesson_html=lesson_html(state.explanation, standing.lesson_sources),
        question=question,
        last=None if standing.course_is_gone else _last(turns),
        talk=tuple(turn for turn in turns if turn.said_in == "talk")[-_MOST_TALK:],
        choices=tuple(choice.label for choice in state.choices),
        suggestion=state.suggestion,
        asks_yes_or_no=bool(state.doubtful_message or state.pending_task) and not state.choices,
        is_new_lesson=see == "lesson" if see else _is_new(state, question),
        is_over=question is None and not state.learning_phase,
        last_said_in=turns[-1].said_in if turns else "",
    )


def _last(turns: Sequence[Turn]) -> Turn | None:
    """The newest turn beside the chat, unless another topic was begun in the chat since."""
    for turn in reversed(turns):
        if turn.said_in != "talk":
            return turn
        if turn.begins_topic:
            return None
    return None


def _is_new(state: SessionState, question: ShownQuestion | None) -> bool:
    """Whether the lesson is to be read first: nothing was answered since it was told."""
    if not state.explanation or state.quiz_responses:
        return False
    return question is None or not (question.is_probe or question.comparison_html)


def question_of(state: SessionState) -> ShownQuestion | None:
    """The open question, without its answer."""
    item = state.pending_question
    if item is None:
        return None
    is_probe = state.learning_phase != "quiz"
    asked, total = (
        (len(state.diagnostic_responses), 0)
        if is_probe
        else (state.quiz_question_index, len(state.quiz_questions))
    )
    return ShownQuestion(
        question_id=item.question_id,
        number=asked + 1,
        total=total,
        is_probe=is_probe,
        kind=item.kind,
        html=to_html(item.question_text),
        options=_options(item),
        comparison_html=to_html(_compared(state, answer=state.self_check_answer)),
        is_paused=state.quiz_paused,
    )


def _compared(state: SessionState, *, answer: str = "") -> str:
    """What the learner is to compare, where an answer is in that nobody else could judge."""
    item = state.pending_question
    is_due = item is not None and state.self_check_answer and state.learning_phase == "quiz"
    return comparison(item, answer=answer) if item and is_due else ""


def turns_of(events: Sequence[Event], *, in_question: str = "") -> Iterator[Turn]:
    """What was said lately, turn by turn, without what stands in the question's card; a first turn that is not whole is left out."""
    by_turn: dict[str, list[Event]] = {}
    for event in events:
        by_turn.setdefault(event.invocation_id, []).append(event)
    for mine, *theirs in by_turn.values():
        if mine.author != "user":
            continue
        mark = next((found for event in theirs if (found := mark_of(event))), None)
        said = (
            _said(event, marked=mark is not None, in_question=in_question)
            for event in theirs
            if event.author != "user" and not event.partial
        )
        yield Turn(
            said_in=str((mine.custom_metadata or {}).get(SAID_IN_KEY, "")),
            message=text_of(mine),
            replies=tuple(filter(None, said)),
            mark=mark,
            begins_topic=any(event.actions.state_delta.get("current_topic") for event in theirs),
        )


def lesson_html(text: str, sources: Sequence[ShownSource]) -> str:
    """The lesson as a page: its marks lead to the passages, its list of sources is shown apart."""
    return _html(_SOURCES.sub("", text).replace(_READ_ON, "").strip(), sources)


def _html(text: str, sources: Sequence[ShownSource]) -> str:
    texts = [(source.chunk_id, source.text) for source in sources]
    return to_html(
        text,
        passages={source.number: source.chunk_id for source in sources},
        pictures=lambda target: picture_address(target, texts),
    )


def _said(event: Event, *, marked: bool, in_question: str) -> ShownMessage | None:
    # The tutor's words are the lesson, and the quiz's are the mark.
    if event.author == "tutor" or (marked and event.author == "quiz"):
        return None
    text = _SOURCES.sub("", without_question(text_of(event)))
    text = (text.replace(in_question, "") if in_question else text).strip()
    cited = (event.actions.state_delta.get("last_response") or {}).get("citations", ())
    sources = [
        ShownSource(number=number, chunk_id=each["chunk_id"], text=each["chunk_text"])
        for number, each in enumerate(cited, 1)
    ]
    return ShownMessage(author=event.author, html=_html(text, sources)) if text else None


def mark_of(event: Event) -> ShownMark | None:
    """The mark that an event brought: only a new answer moves the time of the next question."""
    delta: Mapping[str, Any] = event.actions.state_delta
    responses = delta.get("quiz_responses")
    if event.author != "quiz" or not responses or "question_asked_at" not in delta:
        return None
    response = responses[-1]
    questions: Iterable[Mapping[str, Any]] = delta.get("quiz_questions", ())
    asked = next((each for each in questions if each["question_id"] == response["question_id"]), None)
    return ShownMark(
        verdict=_verdict(response),
        answer_html=_shown_answer(response["learner_answer"], asked),
        html=to_html(without_question(text_of(event))),
        question_html=to_html(asked["question_text"]) if asked else "",
        is_disputable=_is_disputable(response),
    )


def _is_disputable(response: Mapping[str, Any]) -> bool:
    is_judged = response["grader"] not in ("skipped", "learner", VOIDED)
    return is_judged and not response["is_correct"] and not is_no_answer(response["learner_answer"])


def _verdict(response: Mapping[str, Any]) -> Verdict:
    if response["grader"] == "skipped":
        return "skipped"
    if response["is_correct"]:
        return "right"
    return "partly" if response["score"] >= _PARTLY_FROM else "wrong"


def _shown_answer(answer: str, asked: Mapping[str, Any] | None) -> str:
    """An option by its words: nobody remembers what C was."""
    options = asked["options"] if asked and asked["kind"] == "multiple_choice" else ()
    letter = answer.strip().upper()
    if len(letter) == 1 and letter in ascii_uppercase[: len(options)]:
        return to_line(str(options[ascii_uppercase.index(letter)]))
    return escape(textwrap.shorten(answer, _MOST_ANSWER, placeholder=" …"))


def _options(item: QuizQuestion) -> tuple[tuple[str, str], ...]:
    if item.kind == "true_false":
        return (("true", "True"), ("false", "False"))
    return tuple(
        (letter, to_line(option)) for letter, option in zip(ascii_uppercase, item.options, strict=False)
    )


def _dots(state: SessionState) -> tuple[str, ...]:
    if state.learning_phase != "quiz":
        return ()
    done = [
        "skipped" if each.grader == "skipped" else "right" if each.is_correct else "wrong"
        for each in state.quiz_responses
    ]
    left = len(state.quiz_questions) - len(done)
    return (*done, *(["now"] if left > 0 else []), *(["open"] * (left - 1)))


def chip(
    name: str, row: MasteryRow | None, *, now: datetime | None = None, is_here: bool = False
) -> ConceptChip:
    """How a concept stands by its row; without a time nothing is due."""
    status: Status = "new"
    if row and row.evidence_count:
        status = "due" if now and row.is_due(now) else "done" if row.mastered else "some"
    return ConceptChip(name=name, status=status, score=row.mastery_score if row else 0.0, is_here=is_here)
