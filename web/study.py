"""What the study page shows, made of the session alone: so a reload comes back to the same place.

Nothing in here reads a question's expected answer; what an answer was marked with is shown once it is in.
"""

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from html import escape
from string import ascii_uppercase
from typing import Any, Literal

from google.adk.events.event import Event
from google.adk.sessions.session import Session

from agents.coordinator.visit import SAID_IN_KEY
from agents.language.words import capital
from agents.models.voice import text_of
from agents.quiz.offline import compared, points_to_tick, reaction
from agents.said import words_of_event
from agents.state import SessionState
from agents.teaching.evidence import VOIDED, LedgerRow
from agents.teaching.mistakes import is_no_answer
from agents.teaching.values import QuizQuestion, QuizResponse
from storage.corpus import CourseSummary
from storage.learners import MasteryRow
from web.render import picture_address, to_html, to_line
from web.whereabouts import Whereabouts

Status = Literal["done", "due", "some", "new"]
Verdict = Literal["right", "partly", "wrong", "skipped", "void"]
_PARTLY_FROM = 0.4
_MOST_TALK = 12  # exchanges
_MOST_ANSWER = 200  # characters of it, beside its mark
_NONE: Mapping[int, LedgerRow] = {}


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
    disputes: bool = False  # the last mark was looked at again
    recount: ShownMessage | None = (
        None  # in the place of its summary, where an answer was looked at again since
    )


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
    points: tuple[str, ...] = ()  # to tick then, as they are shown
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
    courses: Sequence[CourseSummary] = ()  # to choose from, where none is chosen yet
    mastery: Mapping[str, MasteryRow] = field(default_factory=dict)
    amendments: Mapping[int, LedgerRow] = field(
        default_factory=dict
    )  # by the answer that was looked at again
    threshold: float = 0.0
    to_go: int | None = 0  # right answers until the topic is mastered
    lesson_sources: tuple[ShownSource, ...] = ()
    where: Whereabouts = field(default_factory=Whereabouts)
    terms: tuple[tuple[str, str], ...] = ()  # what the lesson teaches, with the course's definitions
    has_topic: bool = True  # the session's topic is one of this course
    course_is_gone: bool = False  # a teacher has removed it since


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """Everything on the study page."""

    standing: Standing
    topic: str
    label: str
    round: int
    concepts: tuple[ConceptChip, ...]
    dots: tuple[str, ...]  # of this round: right, wrong, skipped, void, now or open
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
    amendments = standing.amendments
    turns = list(turns_of(session.events, amendments=amendments))
    question = question_of(state)
    return Study(
        standing=standing,
        topic=state.current_topic if standing.has_topic else "",
        label=state.topic_label if standing.has_topic else "",
        round=state.learning_cycle_count + (1 if state.learning_phase else 0),
        concepts=tuple(chip(name, standing.mastery.get(name)) for name in state.topic_concepts),
        dots=_dots(state, amendments),
        lesson_html=lesson_html(state.explanation, standing.lesson_sources),
        question=question,
        last=None if standing.course_is_gone else _last(turns),
        talk=tuple(turn for turn in turns if turn.said_in == "talk")[-_MOST_TALK:],
        choices=_choices(state),
        suggestion=state.suggestion,
        asks_yes_or_no=_asks_yes_or_no(state),
        is_new_lesson=see == "lesson" if see else _is_new(state, question),
        is_over=question is None and not state.learning_phase,
        last_said_in=turns[-1].said_in if turns else "",
    )


def _choices(state: SessionState) -> tuple[str, ...]:
    """What was offered with numbers: ways on, or the tasks that a command may mean."""
    if state.choices:
        return tuple(choice.label for choice in state.choices)
    pending = state.pending_task
    titles = pending.parameters.get("titles") if pending and pending.waiting_for == "clarification" else None
    return tuple(str(each) for each in titles) if isinstance(titles, list) else ()


def _asks_yes_or_no(state: SessionState) -> bool:
    pending = state.pending_task
    is_command = pending is not None and pending.waiting_for == "confirmation"
    return not state.choices and (bool(state.doubtful_message) or is_command)


def _last(turns: Sequence[Turn]) -> Turn | None:
    """The newest turn beside the chat, unless another topic was begun in the chat since; a dispute with its mark."""
    for place, turn in reversed(list(enumerate(turns))):
        if turn.said_in != "talk":
            return _with_mark(turn, turns[:place]) if turn.disputes else turn
        if turn.begins_topic:
            return None
    return None


def _with_mark(dispute: Turn, before: Sequence[Turn]) -> Turn:
    """A dispute beside the mark that it was about, which nobody disputes again."""
    marked = next((turn for turn in reversed(before) if turn.mark or turn.begins_topic), None)
    if marked is None or marked.mark is None:
        return dispute
    mark = replace(marked.mark, is_disputable=False)
    recount = (marked.recount,) if marked.recount else ()
    return replace(dispute, mark=mark, replies=(*dispute.replies, *recount))


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
        comparison_html=to_html(compared(state, answer=state.self_check_answer, is_listed=False)),
        points=tuple(map(to_line, points_to_tick(item, ahead=state.questions_ahead)))
        if state.self_check_answer
        else (),
        is_paused=state.quiz_paused,
    )


def turns_of(events: Sequence[Event], *, amendments: Mapping[int, LedgerRow] = _NONE) -> Iterator[Turn]:
    """What was said lately, turn by turn, without what stands in the question's card; a first turn that is not whole is left out."""
    by_turn: dict[str, list[Event]] = {}
    for event in events:
        by_turn.setdefault(event.invocation_id, []).append(event)
    for mine, *theirs in by_turn.values():
        if mine.author != "user":
            continue
        mark = next((found for event in theirs if (found := mark_of(event, amendments))), None)
        said = (
            _said(event, marked=mark is not None)
            for event in theirs
            if event.author != "user" and not event.partial
        )
        replies = tuple(filter(None, said))
        recount = _recount(theirs, amendments) if any(each.author == "feedback" for each in replies) else None
        if recount:
            replies = (*(each for each in replies if each.author != "feedback"), recount)
        yield Turn(
            said_in=str((mine.custom_metadata or {}).get(SAID_IN_KEY, "")),
            message=text_of(mine),
            replies=replies,
            mark=mark,
            begins_topic=any(event.actions.state_delta.get("current_topic") for event in theirs),
            disputes=any(_intent(event) == "disagree" for event in theirs),
            recount=recount,
        )


def _intent(event: Event) -> str:
    """What the turn was about, by the event that ends it."""
    response: Mapping[str, Any] = event.actions.state_delta.get("last_response") or {}
    return str((response.get("reasoning_trace") or {}).get("intent", ""))


def _recount(events: Sequence[Event], amendments: Mapping[int, LedgerRow]) -> ShownMessage | None:
    """What the round that these events end comes to now; None where it is as it was then."""
    told = [found for event in events if (found := event.actions.state_delta.get("quiz_responses"))]
    before = told[-1] if told else []
    now = [_as_it_stands(each, amendments) for each in before]
    if now == before:
        return None
    counted = [each["is_correct"] for each in now if each["grader"] != VOIDED]
    words = f"{sum(counted)} of {len(counted)} right" if counted else "nothing in this round counts"
    return ShownMessage(author="feedback", html=f"<p>After a second look: <strong>{words}</strong>.</p>")


def _as_it_stands(response: Mapping[str, Any], amendments: Mapping[int, LedgerRow]) -> Mapping[str, Any]:
    """A session's copy of an answer as the ledger has it now, whoever looked at it again."""
    row = amendments.get(response.get("evidence_id") or 0)
    if row is None:
        return response
    news = {"is_correct": row.is_correct, "score": row.score, "grader": row.grader, "reason": row.reason}
    return {**response, **news, **({"grader": VOIDED} if row.action == "void" else {})}


def lesson_html(text: str, sources: Sequence[ShownSource]) -> str:
    """The lesson as a page: its marks lead to the passages."""
    return _html(text, sources)


def _html(text: str, sources: Sequence[ShownSource]) -> str:
    texts = [(source.chunk_id, source.text) for source in sources]
    return to_html(
        text,
        passages={source.number: source.chunk_id for source in sources},
        pictures=lambda target: picture_address(target, texts),
    )


def _said(event: Event, *, marked: bool) -> ShownMessage | None:
    # The tutor's words are the lesson, and the quiz's are the mark.
    if event.author == "tutor" or (marked and event.author == "quiz"):
        return None
    text = words_of_event(event.custom_metadata, text_of(event))
    cited = (event.actions.state_delta.get("last_response") or {}).get("citations", ())
    sources = [
        ShownSource(number=number, chunk_id=each["chunk_id"], text=each["chunk_text"])
        for number, each in enumerate(cited, 1)
    ]
    return ShownMessage(author=event.author, html=_html(text, sources)) if text else None


def mark_of(event: Event, amendments: Mapping[int, LedgerRow] = _NONE) -> ShownMark | None:
    """The mark that an event brought, as it stands now: only a new answer moves the time of the next question."""
    delta: Mapping[str, Any] = event.actions.state_delta
    responses = delta.get("quiz_responses")
    if event.author != "quiz" or not responses or "question_asked_at" not in delta:
        return None
    response = _as_it_stands(responses[-1], amendments)
    questions: Iterable[Mapping[str, Any]] = delta.get("quiz_questions", ())
    asked = next((each for each in questions if each["question_id"] == response["question_id"]), None)
    said = words_of_event(event.custom_metadata, text_of(event))
    if asked and response != responses[-1]:
        key = amendments[response["evidence_id"]].expected_answer
        question = QuizQuestion.model_validate({**asked, "expected_answer": key})
        marked = QuizResponse.model_validate({**response, "reason": capital(response["reason"])})
        said = reaction(question, marked, number=len(responses))
    return ShownMark(
        verdict=_verdict(response),
        answer_html=_shown_answer(response["learner_answer"], asked),
        html=to_html(said),
        question_html=to_html(asked["question_text"]) if asked else "",
        is_disputable=_is_disputable(response) and response.get("evidence_id") not in amendments,
    )


def _is_disputable(response: Mapping[str, Any]) -> bool:
    is_judged = response["grader"] not in ("skipped", "learner", VOIDED)
    return is_judged and not response["is_correct"] and not is_no_answer(response["learner_answer"])


def _verdict(response: Mapping[str, Any]) -> Verdict:
    if response["grader"] in ("skipped", VOIDED):
        return "skipped" if response["grader"] == "skipped" else "void"
    if response["is_correct"]:
        return "right"
    return "partly" if response["score"] >= _PARTLY_FROM else "wrong"


def _shown_answer(answer: str, asked: Mapping[str, Any] | None) -> str:
    """An option by its words: nobody remembers what C was."""
    options = asked["options"] if asked and asked["kind"] in ("multiple_choice", "several") else ()
    letters = (
        re.findall(r"\b[A-Z]\b", answer.upper()) if options and asked and asked["kind"] == "several" else []
    )
    if letters and all(letter in ascii_uppercase[: len(options)] for letter in letters):
        return "; ".join(to_line(str(options[ascii_uppercase.index(letter)])) for letter in letters)
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


def _dots(state: SessionState, amendments: Mapping[int, LedgerRow]) -> tuple[str, ...]:
    if state.learning_phase != "quiz":
        return ()
    verdicts = (_verdict(_as_it_stands(dict(each), amendments)) for each in state.quiz_responses)
    done = ["wrong" if each == "partly" else each for each in verdicts]
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
