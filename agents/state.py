"""SessionState: what the agents share. The only place that names a state key."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from agents.teaching.values import ErrorPattern, LearnerLevel, Place, QuizQuestion, QuizResponse, part_label

LearningPhase = Literal["", "explain", "quiz", "feedback"]
MOST_GOALS = 5
_MOST_TURNS = 2**31


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class AgentContext(_Part):
    """What the task manager remembers of a conversation."""

    application_domain: str = "task_management"
    confidence_history: tuple[float, ...] = Field(default=(), max_length=3)
    clarification_count: int = Field(default=0, ge=0)


class PendingTask(_Part):
    """A task command that waits for a yes, for one of several tasks to be picked, or for what it lacks."""

    waiting_for: Literal["confirmation", "clarification", "answer"]
    tool_name: str
    parameters: dict[str, Any] = {}
    options: tuple[int, ...] = ()


class Choice(_Part):
    """One of a few numbered ways on that the learner was offered."""

    label: str
    action: str
    topic: str = ""


class SessionState(BaseModel):
    """Stored flat in session.state, JSON only; keys of a client that are not ours are left alone."""

    model_config = ConfigDict(extra="ignore", frozen=True)

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
    lesson_aside: dict[str, Any] = {}  # the lesson whose quiz a diagnostic interrupts; it comes back after it

    learning_phase: LearningPhase = ""
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
    question_asked_at: datetime | None = None
    hints_given: int = Field(default=0, ge=0)
    quiz_command: Literal["", "skip", "give_up", "dispute"] = ""
    self_check_answer: str = ""
    unread_answer: str = ""  # the last one, when nobody could tell which option it means
    doubtful_message: str = ""  # kept while we ask whether it was meant as an answer
    confirmed_answer: str = ""  # such a message once it was: what to grade in the place of the yes

    mastery_score: float = Field(default=0.0, ge=0, le=1)
    mastery_threshold: float = Field(default=0.85, ge=0, le=1)
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

    last_routed_to: str = ""
    routing_reason: str = ""

    task_references: dict[str, int] = {}
    referenced_at: datetime | None = None
    task_spoken_of: int | None = None  # what "it" means
    last_tool_used: str = ""
    last_tool_parameters: dict[str, Any] = {}
    agent_context: AgentContext = AgentContext()
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

    @model_validator(mode="after")
    def _references_are_dated(self) -> Self:
        if any(not position.isdecimal() for position in self.task_references):
            raise ValueError("task_references: every position must be a numeric string such as '1'")
        if self.task_references and self.referenced_at is None:
            raise ValueError("referenced_at is required when task_references are present")
        return self

    @classmethod
    def of(cls, state: Mapping[str, Any]) -> Self:
        """Read the state; a value that cannot be one is healed: as if it had never been set."""
        return cls._healed(state)[0]

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
        changed = type(self).model_validate({**dict(self), **values})
        return changed.model_dump(mode="json", include=set(values))

    def without_lesson(self, **values: Any) -> dict[str, Any]:
        """These changes, and nothing left of the lesson, quiz or probe that was under way."""
        blank = type(self)()
        return self.changes(**{name: getattr(blank, name) for name in _OF_A_LESSON} | values)

    def with_lesson_aside(self, **values: Any) -> dict[str, Any]:
        """These changes; a lesson whose quiz is open is kept for later, whatever comes between."""
        if self.learning_phase != "quiz" or self.pending_question is None:
            return self.changes(**values)
        kept = self.model_dump(mode="json", include=_ASIDE)
        return self.without_lesson(lesson_aside=kept, **values)

    def with_lesson_back(self, **values: Any) -> dict[str, Any]:
        """These changes, and the lesson that was kept for later, at the very question where it was left."""
        kept = {name: value for name, value in self.lesson_aside.items() if name in _ASIDE}
        return self.changes(**{**kept, "quiz_paused": False, "lesson_aside": {}, **values})

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


# What belongs to one lesson on one topic; the cycle that was open must be closed by whoever clears it.
_OF_A_LESSON = (
    "current_topic", "topic_concepts", "topic_place", "topic_part", "topic_parts", "learning_phase", "learning_cycle_count", "open_cycle_id", "explanation", "explanation_sources",
    "earlier_explanations", "quiz_questions", "quiz_responses", "quiz_question_index", "quiz_paused", "quiz_command",
    "hints_given", "self_check_answer", "unread_answer", "doubtful_message", "improvement_areas", "error_patterns",
    "feedback_text", "suggestion", "diagnostic_questions", "diagnostic_responses", "diagnostic_command",
    "lesson_aside",
)  # fmt: skip
_ASIDE = {*_OF_A_LESSON, "quiz_score", "question_asked_at"} - {"lesson_aside"}
