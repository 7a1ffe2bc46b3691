"""What the study page shows, made of the session alone: so a reload comes back to the same place.

Nothing in here reads a question's expected answer; what an answer was marked with is shown once it is in.
"""

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from string import ascii_uppercase
from typing import Any, Literal

from google.adk.events.event import Event
from google.adk.sessions.session import Session

from agents.coordinator.visit import SAID_IN_KEY
from agents.quiz.item_render import without_question
from agents.quiz.marking import comparison
from agents.screen import shown
from agents.state import SessionState
from agents.teaching.evidence import VOIDED
from agents.teaching.mistakes import is_no_answer
from agents.teaching.values import QuizQuestion
from storage.learner_records import ConceptMastery
from web.render import picture_address, to_html, to_line

Verdict = Literal["right", "partly", "wrong", "skipped"]
_PARTLY_FROM = 0.4
_SOURCES = re.compile(r"\s*^-{3,}\s*^\*\*Sources:\*\*.*?(?=^-{3,}\s*$|\Z)", re.MULTILINE | re.DOTALL)
_READ_ON = "Read it at your own pace; then a few questions on what stands here."
_LESSON_STEPS = ("tutor",)
_MOST_TALK = 12  # exchanges
_MOST_ANSWER = 200  # characters of it, beside its mark


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A passage that something rests on."""

    number: int
    chunk_id: str
    place: str
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One message of the tutor, ready to be shown."""

    author: str
    html: str
    sources: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """How the last answer was judged."""

    verdict: Verdict
    answer_html: str
    html: str
    question_html: str = ""
    is_disputable: bool = (
        False  # the tutor judged it: who gave no answer or judged it themselves has nobody to blame
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message of the learner and what came of it."""

    said_in: str
    message: str
    replies: tuple[Said, ...]
    mark: Mark | None = None
    begins_topic: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
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
    """One concept of the topic and how it stands."""

    name: str
    score: float
    is_mastered: bool
    is_asked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """Everything on the study page."""

    course: str
    course_title: str
    topic: str
    label: str
    round: int
    most_rounds: int
    score: float
    threshold: float
    concepts: tuple[ConceptChip, ...]
    dots: tuple[str, ...]  # of this round: right, wrong, skipped, now or open
    lesson_html: str
    sources: tuple[Source, ...]
    question: Question | None
    last: Turn | None  # what the main column shows of the last turn that was about it
    talk: tuple[Turn, ...]
    choices: tuple[str, ...] = ()
    suggestion: str = ""
    asks_yes_or_no: bool = False
    starts_with: str = ""
    is_new_lesson: bool = False  # nothing of it was answered yet: it is to be read first
    is_mastered: bool = False
    is_over: bool = False  # nothing of a lesson is under way
    last_said_in: str = ""  # where the newest message came from, and so where to reply
    course_is_gone: bool = False  # a teacher has removed it since

    @property
    def names_concepts(self) -> bool:
        """A question may ask for a name, so none stands above it."""
        return self.question is None or self.is_new_lesson


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What the page needs beside the session: the course's title and the learner's mastery."""

    course: str = ""
    course_title: str = ""
    starts_with: str = ""
    mastery: Mapping[str, ConceptMastery] = field(default_factory=dict)
    lesson_sources: tuple[Source, ...] = ()
    has_topic: bool = True  # the session's topic is one of this course
    course_is_gone: bool = False


def study_of(session: Session, standing: Standing, *, see: str = "") -> Study:
    """The page as the session has it; `see` is the lesson or the question where both are there."""
    state = SessionState.of(session.state)
    turns = list(turns_of(session.events, in_question=shown(_compared(state))))
    talk = tuple(turn for turn in turns if turn.said_in == "talk")[-_MOST_TALK:]
    question = question_of(state)
    concepts = tuple(_chip(name, standing.mastery) for name in state.topic_concepts)
    return Study(
        course=standing.course,
        course_title=standing.course_title,
        topic=state.current_topic if standing.has_topic else "",
        label=state.topic_label if standing.has_topic else "",
        round=state.learning_cycle_count + (1 if state.learning_phase else 0),
        most_rounds=state.max_cycles,
        score=min((chip.score for chip in concepts), default=state.mastery_score),
        threshold=state.mastery_threshold,
        concepts=concepts,
        dots=_dots(state),
        lesson_html=lesson_html(state.explanation, standing.lesson_sources),
        sources=standing.lesson_sources,
        question=question,
        last=None if standing.course_is_gone else _last(turns),
        talk=talk,
        choices=tuple(choice.label for choice in state.choices),
        suggestion=state.suggestion,
        asks_yes_or_no=bool(state.doubtful_message or state.pending_task) and not state.choices,
        starts_with=standing.starts_with,
        is_new_lesson=see == "lesson" if see else _is_new(state, question),
        is_mastered=bool(concepts) and all(chip.is_mastered for chip in concepts),
        is_over=question is None and not state.learning_phase,
        last_said_in=turns[-1].said_in if turns else "",
        course_is_gone=standing.course_is_gone,
    )


def _last(turns: Sequence[Turn]) -> Turn | None:
    """The newest turn beside the chat, unless another topic was begun in the chat since."""
    for turn in reversed(turns):
        if turn.said_in != "talk":
            return turn
        if turn.begins_topic:
            return None
    return None


def _is_new(state: SessionState, question: Question | None) -> bool:
    """Whether the lesson is to be read first: nothing was answered since it was told."""
    if not state.explanation or state.quiz_responses:
        return False
    return question is None or not (question.is_probe or question.comparison_html)


def question_of(state: SessionState) -> Question | None:
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
    return Question(
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
    for group in by_turn.values():
        if group[0].author == "user":
            yield turn_of(group, in_question=in_question)


def turn_of(events: Sequence[Event], *, in_question: str = "") -> Turn:
    """One turn of the conversation from its events."""
    mine = [event for event in events if event.author == "user"]
    metadata = (mine[0].custom_metadata or {}) if mine else {}
    message = text_of(mine[0]) if mine else ""
    mark = next((found for event in events if (found := mark_of(event))), None)
    replies = tuple(
        said
        for event in events
        if event.author != "user"
        and not event.partial
        and (said := _said(event, marked=mark is not None, in_question=in_question))
    )
    return Turn(
        said_in=str(metadata.get(SAID_IN_KEY, "")),
        message=message,
        replies=replies,
        mark=mark,
        begins_topic=any(event.actions.state_delta.get("current_topic") for event in events),
    )


def lesson_html(text: str, sources: Sequence[Source]) -> str:
    """The lesson as a page: its marks lead to the passages, its list of sources is shown apart."""
    body = _SOURCES.sub("", text).replace(_READ_ON, "").strip()
    return _html(body, sources) if body else ""


def without_sources(text: str) -> str:
    """A text without the footer that lists its sources."""
    return _SOURCES.sub("", text).strip()


def _html(text: str, sources: Sequence[Source]) -> str:
    texts = [(source.chunk_id, source.text) for source in sources]
    return to_html(
        text,
        passages={source.number: source.chunk_id for source in sources},
        pictures=lambda target: picture_address(target, texts),
    )


def _said(event: Event, *, marked: bool, in_question: str = "") -> Said | None:
    text = without_sources(without_question(text_of(event)))
    if in_question:
        text = text.replace(in_question, "").strip()
    if not text or event.author in _LESSON_STEPS or (marked and event.author == "quiz"):
        return None
    sources = tuple(_cited(event))
    return Said(author=event.author, html=_html(text, sources), sources=sources)


def _cited(event: Event) -> Iterator[Source]:
    response = event.actions.state_delta.get("last_response")
    for number, each in enumerate((response or {}).get("citations", ()), 1):
        headings = [heading for heading in each.get("heading_hierarchy", ()) if heading != each["title"]]
        yield Source(
            number=number,
            chunk_id=each["chunk_id"],
            place=" › ".join([each["title"], *headings]),
            text=each["chunk_text"],
        )


def mark_of(event: Event) -> Mark | None:
    """The mark that an event brought: only a new answer moves the time of the next question."""
    delta: Mapping[str, Any] = event.actions.state_delta
    responses = delta.get("quiz_responses")
    if event.author != "quiz" or not responses or "question_asked_at" not in delta:
        return None
    response = responses[-1]
    questions: Iterable[Mapping[str, Any]] = delta.get("quiz_questions", ())
    asked = next((each for each in questions if each["question_id"] == response["question_id"]), None)
    return Mark(
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


def _chip(name: str, mastery: Mapping[str, ConceptMastery]) -> ConceptChip:
    row = mastery.get(name)
    return ConceptChip(
        name=name,
        score=row.mastery_score if row else 0.0,
        is_mastered=bool(row and row.mastered),
        is_asked=bool(row and row.evidence_count),
    )


def text_of(event: Event) -> str:
    """What an event says, without a model's thoughts."""
    parts = event.content.parts if event.content else None
    return "".join(part.text for part in parts or [] if part.text and not part.thought)
