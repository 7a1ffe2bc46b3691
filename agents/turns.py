"""The turns that are under way: each part of the app notes what it did, the recorder writes it down."""

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from agents.state import QuizResponse
from agents.turn import ModelCall, ReasoningTrace, Repair, Status, ToolCall
from rag.results import RetrievalResult, merged
from storage.session_records import AgentTransition

if TYPE_CHECKING:
    from agents.coordinator.intents import Intent
    from agents.models.asking import Consultation
    from agents.repair.draft import Draft
    from agents.task_manager.conversation import Work

CycleOutcome = Literal["mastered", "repeated", "limit", "left"]


@dataclass(slots=True)
class TurnDraft:
    """What one turn has done so far."""

    turn_id: str = ""
    turn_number: int = 0
    user_query: str = ""
    kept_message: str = ""  # an earlier one, of which this one only says how it was meant
    started: float = field(default_factory=time.perf_counter)
    started_at: datetime | None = None
    texts: list[str] = field(default_factory=list)
    tool_calls: list[ToolCall] = field(default_factory=list)
    queries: tuple[str, ...] = ()  # in the order in which they were asked
    course: str = ""  # the one that was searched, where it was not the learner's own
    lead: str = ""  # said before the answer
    notes: list[str] = field(default_factory=list)  # to be said at the end of the next message
    already_said: str = ""  # what the answer should not repeat
    found: dict[str, tuple[RetrievalResult, ...]] = field(default_factory=dict)  # by query
    citations: dict[str, RetrievalResult] = field(default_factory=dict)
    trace: ReasoningTrace = field(default_factory=ReasoningTrace)
    status: Status = "success"
    error: str | None = None
    tokens_used: int = 0
    model_calls: int = 0
    asking: "Consultation | None" = None  # what the next model request is about
    calls: list[ModelCall] = field(default_factory=list)  # of a large model
    repairs: list[Repair] = field(default_factory=list)
    draft: "Draft | None" = None  # an answer that is being checked as it comes
    intent: "Intent | None" = None  # what code took the message for, while a model is asked
    meanwhile: str = ""  # to be read while a model is still to begin
    call_began: float = 0.0
    first_word: float | None = None  # seconds into the call
    model_failed: bool = False  # and what it was asked for is still open
    is_silent: bool = False  # the model said nothing for too long: it is not asked again in this turn
    was_cut: bool = False
    chart: bytes | None = None
    task_work: "Work | None" = None
    tasks_reachable: bool = True
    route: str = "coordinator"
    answers: list[QuizResponse] = field(default_factory=list)
    closed_cycles: list[CycleOutcome] = field(default_factory=list)
    last_agent: str = ""
    transitions: list[AgentTransition] = field(default_factory=list)

    @property
    def meant(self) -> str:
        """What is to be served."""
        return self.kept_message or self.user_query

    def retrieved(self, results: Iterable[RetrievalResult], *, query: str = "") -> None:
        self.found[query] = tuple(results)

    @property
    def retrieved_results(self) -> dict[str, RetrievalResult]:
        """Each passage once, in the order of the queries, whichever of them was answered first."""
        order = dict.fromkeys((*self.queries, *self.found))
        passages = merged(self.found.get(query, ()) for query in order)
        return {passage.chunk_id: passage for passage in passages}

    def cite(self, results: Iterable[RetrievalResult]) -> None:
        self.citations.update((result.chunk_id, result) for result in results)


class TurnBook:
    """Drafts by invocation; a draft lives as long as its turn."""

    def __init__(self) -> None:
        self._drafts: dict[str, TurnDraft] = {}

    @property
    def under_way(self) -> bool:
        return bool(self._drafts)

    def of(self, invocation_id: str) -> TurnDraft:
        return self._drafts.setdefault(invocation_id, TurnDraft())

    def close(self, invocation_id: str) -> TurnDraft | None:
        return self._drafts.pop(invocation_id, None)
