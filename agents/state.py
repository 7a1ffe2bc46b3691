"""SessionState: what the agents share. The only place that names a state key."""

from collections import OrderedDict
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Annotated, Any, Literal, Self, cast

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictInt,
    TypeAdapter,
    ValidationError,
    field_validator,
    model_validator,
)

from agents.teaching.values import (
    ErrorPattern,
    LearnerLevel,
    Moment,
    Place,
    QuizQuestion,
    QuizResponse,
    part_label,
)

LearningPhase = Literal["", "explain", "quiz", "feedback"]
MOST_GOALS = 5
_MOST_TURNS = 2**31


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


TaskTool = Literal["add_task", "list_tasks", "update_task", "complete_task", "delete_task"]
TaskStatus = Literal["pending", "completed", "all"]
Lacking = Literal[
    "no_title", "no_task", "no_change", "no_date", "no_note"
]  # what a command has to be asked for
_MOMENT: TypeAdapter[datetime] = TypeAdapter(Moment)
_Position = Annotated[str, Field(pattern=r"^[1-9][0-9]{0,8}$")]
_Share = Annotated[float, Field(ge=0, le=1, strict=True)]
_Parameters = dict[Annotated[str, Field(pattern="^(?:title|description|due_at|clear_due_at)$")], Any]


class AgentContext(_Part):
    """How sure we were of the last commands about tasks, and how often we had to ask back."""

    application_domain: str = "task_management"
    confidence_history: tuple[_Share, ...] = Field(default=(), max_length=3)
    clarification_count: StrictInt = Field(default=0, ge=0)


class PendingTask(_Part):
    """A task command that waits for a yes, for one of several tasks to be picked, or for what it lacks."""

    waiting_for: Literal["confirmation", "clarification", "answer"]
    tool_name: TaskTool
    parameters: _Parameters = {}  # of the calls, as far as they are known
    options: tuple[StrictInt, ...] = ()  # the tasks that it is about, or to choose from
    names: tuple[str, ...] = ()  # what these are called should they be gone; of a choice, their titles
    lacks: Lacking | None = None  # what was asked for
    tasks: tuple[_Parameters, ...] = ()  # errands that were offered for the list
    newest: StrictInt | None = None  # of a command about all tasks: the last one that there was

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if len(self.names) != len(self.options):
            raise ValueError("every option has a name")
        if (self.waiting_for == "answer") != (self.lacks is not None):
            raise ValueError("an answer, and only that, is to something that was asked for")
        is_offer = self.waiting_for == "confirmation" and self.tool_name == "add_task"
        if bool(self.tasks) != is_offer or not (self.options or self.tasks or self.lacks):
            raise ValueError("a yes or a choice is about tasks, a yes to new ones about those")
        return self


class TaskView(_Part):
    """Which of the tasks a list shows."""

    status: TaskStatus = "all"
    due: str | None = None  # in the learner's words


class Choice(_Part):
    """One of a few numbered ways on that the learner was offered."""

    label: str
    action: str
    topic: str = ""
    message: str = ""  # what is served when it is picked, where that is not what was asked about


class ConversationMetadata(BaseModel):
    """What a conversation remembers of its tasks; their positions end with the list, or with the conversation."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    task_references: dict[_Position, StrictInt] = {}
    referenced_at: Moment | None = None
    last_tool_used: str = ""
    last_tool_parameters: dict[str, Any] = {}
    agent_context: AgentContext = AgentContext()

    @model_validator(mode="after")
    def _references_are_dated(self) -> Self:
        if self.task_references and self.referenced_at is None:
            raise ValueError("referenced_at is required when task_references are present")
        return self


class SessionState(ConversationMetadata):
    """Stored flat in session.state, JSON only; keys of a client that are not ours are left alone."""

    user_id: str = ""
    session_id: str = ""

    is_interactive: bool = True  # False: a single question, which nobody follows up
    language: str = ""  # that the learner writes in, once it was sure
    course: str = ""
    current_topic: str = ""
    topic_concepts: list[str] = []  # of the part that is being taught
    topic_place: Place | None = None  # where in the course the topic is taught
    topic_part: int = Field(default=1, ge=1)
    topic_parts: int = Field(default=1, ge=1)
    prerequisite_gaps: list[str] = []
    diagnostic_complete: bool = False
    learner_level: LearnerLevel = "unknown"
    diagnostic_questions: list[QuizQuestion] = []
    diagnostic_responses: list[QuizResponse] = []
    diagnostic_command: Literal["", "skip", "new", "give_up"] = ""
    diagnostic_length: int = Field(
        default=0, ge=0, le=12
    )  # the questions that the learner chose; 0: the usual
    lesson_aside: dict[str, Any] = {}  # the lesson whose quiz a diagnostic interrupts; it comes back after it

    learning_phase: LearningPhase = ""
    is_practice: bool = False  # questions without a lesson, and no rounds after them
    explanation: str = ""
    explanation_sources: list[str] = []  # the chunks that its marks stand for, [1] first
    earlier_explanations: list[str] = []
    examples_provided: list[str] = []

    quiz_length: int = Field(default=4, ge=3, le=10)
    quiz_questions: list[QuizQuestion] = []
    quiz_responses: list[QuizResponse] = []
    quiz_score: float = Field(default=0.0, ge=0, le=1)
    quiz_paused: bool = False
    quiz_question_index: int = Field(default=0, ge=0)
    question_asked_at: Moment | None = None
    hints_given: int = Field(default=0, ge=0)
    quiz_command: Literal["", "skip", "give_up", "dispute"] = ""
    self_check_answer: str = ""
    unread_answer: str = ""  # the last one, when nobody could tell which option it means
    doubtful_message: str = ""  # kept while we ask whether it was meant as an answer
    confirmed_answer: str = ""  # such a message once it was: what to grade in the place of the yes

    mastery_score: float = Field(default=0.0, ge=0, le=1)
    mastery_threshold: float = Field(default=0.85, ge=0, le=1)
    threshold_given: float | None = None  # what we wrote there: another number is a client's wish
    max_cycles: int = Field(default=5, ge=1, le=20)
    learning_cycle_count: int = Field(default=0, ge=0)
    open_cycle_id: int | None = None

    error_patterns: list[ErrorPattern] = []
    feedback_text: str = ""
    improvement_areas: list[str] = []

    goals: list[str] = Field(default=[], max_length=MOST_GOALS)
    learning_path: list[str] = []
    next_topic: str = ""
    path_reasoning: str = ""
    plan_command: Literal["", "to_dos"] = ""  # what is wanted of the plan that was just shown

    last_routed_to: str = ""
    routing_reason: str = ""

    task_view: TaskView = TaskView()  # of the last list: what "them" means
    task_spoken_of: StrictInt | None = None  # what "it" means
    pending_task: PendingTask | None = None

    last_response: dict[str, Any] = {}
    history_reset_turn: int = Field(default=0, ge=0)
    suggestion: str = ""
    choices: list[Choice] = []
    listed_to: int = Field(default=0, ge=0)  # how far a long list was shown; "more" goes on from there
    last_question: str = ""  # the last question about the course that was answered, as it was understood
    last_subject: str = ""  # and what it was about

    @field_validator("last_response")
    @classmethod
    def _response_can_be_read(cls, response: dict[str, Any]) -> dict[str, Any]:
        citations, trace = response.get("citations") or [], response.get("reasoning_trace") or {}
        if not isinstance(citations, list) or not all(isinstance(each, dict) for each in citations):
            raise ValueError("citations are no list of passages")
        if not isinstance(trace, dict):
            raise ValueError("reasoning_trace is no object")
        return response

    @classmethod
    def of(cls, state: Mapping[str, Any]) -> Self:
        """Read the state; a value that cannot be one is healed: as if it had never been set.

        A turn asks for the same state again and again: one that has not changed since is not read once more.
        """
        values = {key: state[key] for key in cls.model_fields if key in state}
        whose = f"{values.get('user_id')}/{values.get('session_id')}"
        known = _READ.get(whose)
        if known and known[0] == values:
            _READ.move_to_end(whose)
            return cast("Self", known[1])
        healed, broken = cls._healed(values)
        if not broken:
            _READ[whose] = (values, healed)
            while len(_READ) > _MOST_READ:
                _READ.popitem(last=False)
        return healed

    @classmethod
    def healing(cls, state: Mapping[str, Any]) -> dict[str, Any]:
        """What has to be written into a broken state so that it is whole; empty for most."""
        healed, broken = cls._healed(state)
        return healed.model_dump(mode="json", include=broken) if broken else {}

    @classmethod
    def _healed(cls, state: Mapping[str, Any]) -> tuple[Self, set[str]]:
        values = {key: state[key] for key in cls.model_fields if key in state}
        broken: set[str] = set()
        while True:
            try:
                return cls.model_validate(values), broken
            except ValidationError as err:
                # An error of the whole state is one of the references, the only fields that are checked together.
                found = {str(each["loc"][0]) for each in err.errors() if each["loc"]}
                found = found or {"task_references", "referenced_at"}
                broken |= found
                values = {key: value for key, value in values.items() if key not in found}

    def changes(self, **values: Any) -> dict[str, Any]:
        """These fields, checked together with the others, as JSON: what goes into a state delta."""
        if not _NOT_ALONE.isdisjoint(values):
            changed = type(self).model_validate({**dict(self), **values})
            return changed.model_dump(mode="json", include=set(values))
        return {
            name: _checked(name).dump_python(_checked(name).validate_python(value), mode="json")
            for name, value in values.items()
        }

    def without_what_was_said(self, before: datetime) -> dict[str, Any]:
        """Of the tasks, nothing that was shown, asked or spoken of in a part of the conversation that is deleted by now."""
        is_left_alone = self.last_turn_at is not None and self.last_turn_at < before
        is_old_list = self.referenced_at is not None and self.referenced_at < before
        blank = type(self)()
        ended = _OF_TASKS if is_left_alone else _OF_A_LIST if is_old_list else ()
        return self.changes(**{name: getattr(blank, name) for name in ended}) if ended else {}

    def without_lesson(self, **values: Any) -> dict[str, Any]:
        """These changes, and nothing left of the lesson, quiz or probe that was under way."""
        blank = type(self)()
        return self.changes(**{name: getattr(blank, name) for name in _OF_A_LESSON} | values)

    def without_conversation(self, **values: Any) -> dict[str, Any]:
        """These changes, and nothing left of what was said: no lesson, no question, no task that was shown or spoken of."""
        blank = type(self)()
        return self.without_lesson(**{name: getattr(blank, name) for name in _OF_A_CONVERSATION} | values)

    def with_lesson_aside(self, **values: Any) -> dict[str, Any]:
        """These changes; the lesson under way is kept for later, whatever comes between."""
        kept = self.lesson
        return self.without_lesson(lesson_aside=kept, **values) if kept else self.changes(**values)

    def with_lesson(self, lesson: Mapping[str, Any], **values: Any) -> dict[str, Any]:
        """A lesson that was left, at the very question where it was, and these changes."""
        left = type(self).of(lesson)  # by an earlier version, perhaps
        kept = {name: getattr(left, name) for name in LESSON}
        return self.without_lesson(**{**kept, "quiz_paused": False, **values})

    @property
    def lesson(self) -> dict[str, Any]:
        """The lesson under way as JSON, to be gone on with later; empty where there is none."""
        return self.model_dump(mode="json", include=set(LESSON)) if self.learning_phase else {}

    @property
    def open_lesson(self) -> Self | None:
        """The lesson that is not over, also while a diagnostic interrupts it."""
        if self.learning_phase:
            return self
        return type(self).of(self.lesson_aside) if self.lesson_aside else None

    @property
    def whereabouts(self) -> str:
        """How far a lesson is, as a learner hears of it."""
        number = f"round {self.learning_cycle_count + 1}"
        if self.learning_phase != "quiz" or self.pending_question is None:
            return number
        return f"{number}, question {self.quiz_question_index + 1} of {len(self.quiz_questions)}"

    @property
    def threshold_asked(self) -> float | None:
        """What a client wrote for the threshold; None while it is what we wrote."""
        is_theirs = (
            "mastery_threshold" in self.model_fields_set and self.mastery_threshold != self.threshold_given
        )
        # Of a session of before version 0009 nobody noted it, and it was ours.
        return self.mastery_threshold if is_theirs and not self._is_of_before else None

    @property
    def _is_of_before(self) -> bool:
        return self.threshold_given is None and self.turn_number > 0

    @property
    def is_asking(self) -> bool:
        """Whether a question waits for its answer now."""
        return self.pending_question is not None and not self.quiz_paused

    @property
    def pending_question(self) -> QuizQuestion | None:
        """The question that waits for an answer, of the quiz or of the diagnostic."""
        if self.learning_phase == "quiz" and self.quiz_question_index < len(self.quiz_questions):
            return self.quiz_questions[self.quiz_question_index]
        if self.is_probing:
            return self.diagnostic_questions[len(self.diagnostic_responses)]
        return None

    @property
    def questions_ahead(self) -> list[QuizQuestion]:
        """The questions of the quiz that come after the open one."""
        return self.quiz_questions[self.quiz_question_index + 1 :] if self.learning_phase == "quiz" else []

    @property
    def unanswered(self) -> list[QuizQuestion]:
        """The open question of the quiz, and those after it."""
        return self.quiz_questions[self.quiz_question_index :] if self.learning_phase == "quiz" else []

    @property
    def is_interrupted(self) -> bool:
        """Whether a turn ended in the middle of a round: a crash, or a client that left."""
        is_unasked = self.learning_phase == "quiz" and not self.quiz_questions
        return self.learning_phase in ("explain", "feedback") or is_unasked

    @property
    def turn_number(self) -> int:
        """The number of the last turn."""
        number = self.last_response.get("turn_number", 0)
        return number if isinstance(number, int) and 0 <= number < _MOST_TURNS else 0

    @property
    def last_turn_at(self) -> datetime | None:
        """When the last turn was; None where its record does not say."""
        try:
            return _MOMENT.validate_python(self.last_response.get("timestamp"))
        except ValidationError:
            return None

    @property
    def is_probing(self) -> bool:
        """Whether a question of the diagnostic waits for an answer."""
        return self.learning_phase != "quiz" and len(self.diagnostic_responses) < len(
            self.diagnostic_questions
        )

    @property
    def topic_label(self) -> str:
        """The topic as a learner hears of it: 'Ownership, part 2 of 3'."""
        return part_label(self.current_topic, self.topic_part, self.topic_parts)

    @property
    def last_intent(self) -> str:
        """What the turn before this one was about."""
        trace = self.last_response.get("reasoning_trace") or {}
        return str(trace.get("intent", ""))


# By learner and session: the state as it was read last, and what it is.
_READ: OrderedDict[str, tuple[dict[str, Any], SessionState]] = OrderedDict()
_MOST_READ = 32
# These are checked together with others, or by more than their type.
_NOT_ALONE = {"task_references", "referenced_at", "last_response"}


@cache
def _checked(name: str) -> TypeAdapter[Any]:
    """What a field may be, by itself."""
    field = SessionState.model_fields[name]
    kind: Any = Annotated[field.annotation, *field.metadata] if field.metadata else field.annotation
    return TypeAdapter(kind)


# What belongs to one lesson on one topic; the cycle that was open must be closed by whoever clears it.
_OF_A_LESSON = (
    "is_practice", "current_topic", "topic_concepts", "topic_place", "topic_part", "topic_parts", "learning_phase", "learning_cycle_count", "open_cycle_id", "explanation", "explanation_sources",
    "earlier_explanations", "quiz_questions", "quiz_responses", "quiz_question_index", "quiz_paused", "quiz_command",
    "hints_given", "self_check_answer", "unread_answer", "doubtful_message", "improvement_areas", "error_patterns",
    "feedback_text", "suggestion", "diagnostic_questions", "diagnostic_responses", "diagnostic_command",
    "diagnostic_length", "lesson_aside",
)  # fmt: skip
_OF_A_LIST = ("task_references", "referenced_at", "task_view")
_OF_TASKS = (*_OF_A_LIST, "task_spoken_of", "pending_task", "last_tool_used", "last_tool_parameters")
_OF_A_CONVERSATION = (*_OF_TASKS, "last_question", "last_subject", "choices", "listed_to")
# Of it what goes on later, whenever that is: not what was only said in passing.
_PASSING = {
    "doubtful_message", "suggestion", "diagnostic_questions", "diagnostic_responses", "diagnostic_command",
    "diagnostic_length", "lesson_aside",
}  # fmt: skip
LESSON = frozenset(
    {*_OF_A_LESSON, "course", "quiz_score", "question_asked_at", "examples_provided", "mastery_score"}
    - _PASSING
)
