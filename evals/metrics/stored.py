"""What the tutor wrote down about a conversation.

ADK shows a metric the messages and the tool calls, not the session's state. Whether a turn was grounded, how
an answer was graded and when a topic was mastered are in the tutor's own database, so metrics read them
there; they find the conversation by its words, which is all that the two records share. Once it is read, the
case's learner is forgotten, so that a second run on the same data meets somebody new.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import select

from agents.bookkeeping import Bookkeeper
from agents.plugins.recorder import WORDLESS
from agents.settings import load_settings
from agents.teaching.evidence import LedgerRow
from agents.turn import AgentResponse
from evals.metrics.heard import Heard
from storage.corpus import Corpus
from storage.database import Database
from storage.learners import Learners, LearningCycle, Sessions, TurnLog, forget_learner
from storage.ledger import Ledger
from storage.tables import session_logs

# ADK's evaluation begins its session ids so; our eval cases begin their learners' ids so. A learner is forgotten
# only where both hold. ADK's own constant needs its eval extra, 660 MB.
EVAL_SESSION = "adk-eval-session-"
EVAL_LEARNER = "eval-"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTurn:
    """One turn, and what was written while it ran."""

    response: AgentResponse
    answers: tuple[LedgerRow, ...]
    closed: tuple[LearningCycle, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """A learner's conversation as it is stored."""

    turns: tuple[StoredTurn, ...]
    answers: tuple[LedgerRow, ...]
    passages: dict[str, str]  # chunk id -> its text


_kept: dict[tuple[str, ...], Conversation | None] = {}
_MOST_KEPT = 16


async def stored_conversation(turns: Sequence[Heard], *, key: tuple[str, ...]) -> Conversation | None:
    """The stored side of a conversation; every metric of a case asks for the same one."""
    if key not in _kept:
        while len(_kept) >= _MOST_KEPT:
            _kept.pop(next(iter(_kept)))
        _kept[key] = await _read(turns)
    return _kept[key]


async def _read(turns: Sequence[Heard]) -> Conversation | None:
    database = await Database.open(load_settings().database)
    try:
        return await _find(database, turns)
    finally:
        await database.close()


async def _find(database: Database, turns: Sequence[Heard]) -> Conversation | None:
    table = session_logs
    begun = select(table.c.user_id, table.c.session_id).where(
        table.c.turn_number == 1, table.c.user_query == (turns[0].said if turns[0].said.strip() else WORDLESS)
    )
    for row in await database.fetch(begun.order_by(table.c.timestamp.desc())):
        logs = await Sessions(database).turns(row.user_id, session_id=row.session_id)
        if [_words(log) for log in logs] == [
            (turn.said if turn.said.strip() else "", turn.text.split()) for turn in turns
        ]:
            found = await _conversation(database, row.user_id, logs)
            if row.session_id.startswith(EVAL_SESSION) and row.user_id.startswith(EVAL_LEARNER):
                await forget_learner(database, row.user_id)
            return found
    return None


def _words(log: TurnLog) -> tuple[str, list[str]]:
    said = "" if log.user_query == WORDLESS else log.user_query
    return said, str(log.agent_response["answer"]).split()


async def _conversation(database: Database, user_id: str, logs: Sequence[TurnLog]) -> Conversation:
    answers = tuple(await Ledger(database, books=Bookkeeper()).of(user_id))
    cycles = await Learners(database).cycles(user_id)
    ends = [*(log.timestamp for log in logs[1:]), datetime.max.replace(tzinfo=UTC)]
    turns = tuple(_turn(log, answers, cycles, end=end) for log, end in zip(logs, ends, strict=True))
    cited = {citation.chunk_id for turn in turns for citation in turn.response.citations}
    passages = await Corpus(database).chunks_by_id(sorted(cited))
    return Conversation(
        turns=turns,
        answers=answers,
        passages={passage.chunk_id: passage.chunk_text for passage in passages},
    )


def _turn(
    log: TurnLog, answers: Sequence[LedgerRow], cycles: Sequence[LearningCycle], *, end: datetime
) -> StoredTurn:
    """What was written from its beginning to the next one's: turns of a session do not overlap, and clocks drift."""

    def is_in_it(moment: datetime | None) -> bool:
        return moment is not None and log.timestamp <= moment < end

    return StoredTurn(
        response=AgentResponse.model_validate(log.agent_response),
        answers=tuple(answer for answer in answers if is_in_it(answer.answered_at)),
        closed=tuple(cycle for cycle in cycles if is_in_it(cycle.completed_at)),
    )
