"""Learners and their sessions: cycles, diagnostics, mastery, gaps, turns, and how all of it is forgotten. Answers are in storage.ledger."""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Select, Table, and_, delete, func, insert, or_, select, union, update

from agents.teaching.values import LearnerLevel
from storage.database import Database, Repository, has_id, insert_or, put, to_record, to_row, where_given
from storage.lessons import LessonPlace, put_place
from storage.tables import (
    agent_transitions,
    clean,
    concept_mastery,
    diagnostic_results,
    knowledge_gaps,
    learner_goals,
    learning_cycles,
    metadata,
    session_logs,
    study_plans,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningCycle:
    """One round of explanation, quiz and feedback; open until it has a completed_at."""

    id: int
    user_id: str
    session_id: str
    topic: str
    cycle_number: int
    quiz_score: float | None
    mastery_achieved: bool | None
    started_at: datetime
    completed_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiagnosticResult:
    """What a diagnostic found out."""

    user_id: str
    session_id: str
    topic: str
    prerequisite_gaps: tuple[str, ...]
    learner_level: LearnerLevel
    recommendations: tuple[str, ...]
    timestamp: datetime
    asking: str | None = None  # one asking has one result


@dataclass(frozen=True, slots=True, kw_only=True)
class MasteryRow:
    """What the ledger says about one concept: derived, and kept only to be read quickly."""

    user_id: str
    course: str
    concept_name: str
    mastery_score: float
    evidence_count: int
    mastered: bool
    review_due_at: datetime | None
    review_card: Mapping[str, Any] | None
    updated_at: datetime

    def is_due(self, now: datetime) -> bool:
        """Whether what was mastered is to be refreshed by now."""
        return self.mastered and self.review_due_at is not None and self.review_due_at <= now


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeGap:
    """A concept that a learner lacks; open until it has a resolved_at."""

    id: int
    user_id: str
    course: str
    concept_name: str
    topic: str
    origin: str
    detected_at: datetime
    resolved_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentTransition:
    """One hand-over between agents, and the beginning of the message that caused it."""

    session_id: str
    from_agent: str
    to_agent: str
    reason: str | None = None
    message_excerpt: str | None = None
    timestamp: datetime
    user_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLog:
    """One turn of a conversation, with its response as JSON."""

    turn_id: str
    user_id: str
    session_id: str
    turn_number: int
    user_query: str
    status: str
    agent_response: Mapping[str, Any]
    retrieval_results: tuple[Mapping[str, Any], ...]
    timestamp: datetime
    duration_seconds: float


class Learners(Repository):
    """The records of all learners; every call but the teacher's names the learner and touches only their rows."""

    async def open_cycle(
        self, user_id: str, *, session_id: str, topic: str, cycle_number: int, now: datetime
    ) -> LearningCycle:
        """Begin a learning cycle; the one that a crash left open is gone on with."""
        key = {"user_id": user_id, "session_id": session_id, "topic": topic, "cycle_number": cycle_number}
        opened = select(learning_cycles).filter_by(**key, completed_at=None)
        new = insert(learning_cycles).values(**key, started_at=now).returning(learning_cycles)
        async with self._database.write() as conn:
            row = (await conn.execute(opened)).first() or (await conn.execute(new)).one()
        return to_record(LearningCycle, row)

    async def close_cycle(
        self, cycle_id: int, *, user_id: str, quiz_score: float, mastery_achieved: bool, now: datetime
    ) -> LearningCycle | None:
        """End an open cycle; None when this learner has no such open cycle."""
        own = update(learning_cycles).where(has_id(learning_cycles, cycle_id))
        closed = own.filter_by(user_id=user_id, completed_at=None).values(
            quiz_score=quiz_score, mastery_achieved=mastery_achieved, completed_at=now
        )
        return await self._write(LearningCycle, closed.returning(learning_cycles))

    async def cycles(self, user_id: str) -> Sequence[LearningCycle]:
        """A learner's cycles, oldest first."""
        own = select(learning_cycles).where(learning_cycles.c.user_id == user_id)
        return await self._all(LearningCycle, own.order_by(learning_cycles.c.id))

    async def add_diagnostic(self, result: DiagnosticResult) -> None:
        """Keep what a diagnostic found out; the same one is kept once."""
        async with self._database.write() as conn:
            new = insert_or(conn, diagnostic_results).values(to_row(result))
            await conn.execute(new.on_conflict_do_nothing())

    async def diagnostics(self, user_id: str) -> Sequence[DiagnosticResult]:
        """A learner's diagnostics, oldest first."""
        own = select(diagnostic_results).where(diagnostic_results.c.user_id == user_id)
        return await self._all(DiagnosticResult, own.order_by(diagnostic_results.c.id))

    async def put_mastery(self, records: Sequence[MasteryRow]) -> None:
        """Keep what the ledger now says about these concepts."""
        keys = ["user_id", "course", "concept_name"]
        # In one order everywhere, so that two writers on PostgreSQL never wait for each other.
        rows = [to_row(record) for record in sorted(records, key=attrgetter(*keys))]
        if not rows:
            return
        async with self._database.write() as conn:
            new = insert_or(conn, concept_mastery)
            news = {column.name: column for column in new.excluded if column.name not in keys}
            await conn.execute(new.on_conflict_do_update(index_elements=keys, set_=news), rows)

    async def mastery(self, user_id: str, *, course: str | None = None) -> Sequence[MasteryRow]:
        """What is known of a learner's mastery, by course and concept."""
        own = where_given(select(concept_mastery), user_id=user_id, course=course)
        by_concept = own.order_by(concept_mastery.c.course, concept_mastery.c.concept_name)
        return await self._all(MasteryRow, by_concept)

    async def add_goal(self, user_id: str, *, course: str, goal: str, now: datetime) -> None:
        """Keep a goal; one that is said again becomes the newest."""
        values = {"user_id": user_id, "course": course, "goal": clean(goal), "stated_at": now}
        async with self._database.write() as conn:
            await put(conn, learner_goals, values, keys=["user_id", "course", "goal"])

    async def goals(self, user_id: str, *, course: str) -> Sequence[str]:
        """What a learner wants to be able to do, oldest first."""
        table = learner_goals
        statement = select(table.c.goal).where(table.c.user_id == user_id, table.c.course == course)
        rows = await self._database.fetch(statement.order_by(table.c.stated_at, table.c.id))
        return [row.goal for row in rows]

    async def keep_plan(
        self, user_id: str, *, course: str, promise: Mapping[str, Any], now: datetime
    ) -> None:
        """Keep what a learner was shown as their plan, in the place of the one before."""
        values = {"user_id": user_id, "course": course, "promise": dict(promise), "made_at": now}
        async with self._database.write() as conn:
            await put(conn, study_plans, values, keys=["user_id", "course"])

    async def plan(self, user_id: str, *, course: str) -> Mapping[str, Any] | None:
        """The plan that a learner was shown last; None before the first."""
        rows = await self._database.fetch(
            select(study_plans.c.promise).filter_by(user_id=user_id, course=course)
        )
        return rows[0].promise if rows else None

    async def open_gap(
        self, user_id: str, *, course: str, concept_name: str, topic: str, origin: str, now: datetime
    ) -> KnowledgeGap:
        """Note a gap; the one that is open already stays as it was."""
        table = knowledge_gaps
        key = {"user_id": user_id, "course": course, "concept_name": concept_name}
        async with self._database.write() as conn:
            new = insert_or(conn, table).values(**key, topic=topic, origin=origin, detected_at=now)
            # An update that changes nothing, because DO NOTHING would not return the row that is there.
            statement = new.on_conflict_do_update(
                index_elements=list(key),
                index_where=table.c.resolved_at.is_(None),
                set_={"topic": table.c.topic},
            )
            row = (await conn.execute(statement.returning(table))).one()
        return to_record(KnowledgeGap, row)

    async def resolve_gap(
        self, user_id: str, *, course: str, concept_name: str, now: datetime
    ) -> KnowledgeGap | None:
        """Close the open gap in a concept; None when there is none."""
        own = update(knowledge_gaps).filter_by(
            user_id=user_id, course=course, concept_name=concept_name, resolved_at=None
        )
        return await self._write(KnowledgeGap, own.values(resolved_at=now).returning(knowledge_gaps))

    async def gaps(
        self, user_id: str, *, course: str | None = None, include_resolved: bool = False
    ) -> Sequence[KnowledgeGap]:
        """A learner's gaps, oldest first."""
        own = where_given(select(knowledge_gaps), user_id=user_id, course=course)
        wanted = own if include_resolved else own.where(knowledge_gaps.c.resolved_at.is_(None))
        return await self._all(KnowledgeGap, wanted.order_by(knowledge_gaps.c.id))


async def forget_learner(database: Database, user_id: str) -> dict[str, int]:
    """Delete everything of a learner in one transaction; how many rows of which table."""
    async with database.write() as conn:
        return {
            table.name: (await conn.execute(delete(table).where(whose))).rowcount
            for table, whose in _places(user_id)
        }


async def records_of(database: Database, user_id: str) -> dict[str, list[dict[str, Any]]]:
    """Everything of a learner, as JSON values by table."""
    return {
        table.name: [
            json.loads(json.dumps(row._asdict(), default=datetime.isoformat))
            for row in await database.fetch(select(table).where(whose))
        ]
        for table, whose in reversed(list(_places(user_id)))
    }


def _places(user_id: str) -> Iterator[tuple[Table, ColumnElement[bool]]]:
    """Every table that knows a learner, the dependent ones first."""
    # Hand-overs of before schema 0007 name only their session: they go first, while it is known whose that was.
    whose = agent_transitions.c.user_id
    unnamed = and_(whose.is_(None), agent_transitions.c.session_id.in_(_own_sessions(user_id)))
    yield agent_transitions, or_(whose == user_id, unnamed)
    for table in reversed(metadata.sorted_tables):
        if "user_id" in table.c and table is not agent_transitions:
            yield table, table.c.user_id == user_id


def _own_sessions(user_id: str) -> Select[tuple[str]]:
    """The sessions that this learner had, and nobody else under the same name."""
    seen = union(
        *(select(table.c.session_id, table.c.user_id) for table in (learning_cycles, session_logs))
    ).subquery()
    first, last = func.min(seen.c.user_id), func.max(seen.c.user_id)
    return select(seen.c.session_id).group_by(seen.c.session_id).having(first == user_id, last == user_id)


def forget_in_copy(file: Path, user_id: str) -> int:
    """Delete a learner's rows from a copy of the database, whatever its schema; how many."""
    with closing(sqlite3.connect(file)) as copy:
        tables = [row[0] for row in copy.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        columns = {
            table: {row[1] for row in copy.execute(f'PRAGMA table_info("{table}")')} for table in tables
        }
        places = [(table, "user_id = :user") for table in tables if "user_id" in columns[table]]
        if {"agent_transitions", "session_logs"} <= columns.keys():
            unnamed = "user_id IS NULL AND " if "user_id" in columns["agent_transitions"] else ""
            own = "SELECT session_id FROM session_logs WHERE user_id = :user"
            places.insert(0, ("agent_transitions", f"{unnamed}session_id IN ({own})"))
        count = sum(
            copy.execute(f'DELETE FROM "{table}" WHERE {whose}', {"user": user_id}).rowcount
            for table, whose in places
        )
        copy.commit()
        if count:
            copy.execute("VACUUM")  # what is deleted is not overwritten before
    return count


_EXCERPT_CHARACTERS = 100


class Sessions(Repository):
    """The conversations of all learners."""

    async def add_transitions(self, transitions: Sequence[AgentTransition]) -> None:
        """Log hand-overs; of the message only its first 100 characters are kept."""
        await self.close_turn(transitions=transitions)

    async def transitions(self, session_id: str, *, user_id: str | None = None) -> Sequence[AgentTransition]:
        """The hand-overs of a session, oldest first; two learners may have sessions of the same name."""
        statement = where_given(select(agent_transitions), session_id=session_id, user_id=user_id)
        return await self._all(AgentTransition, statement.order_by(agent_transitions.c.id))

    async def add_turn(self, turn: TurnLog) -> None:
        """Log what a turn did."""
        await self.close_turn(turn=turn)

    async def close_turn(
        self,
        *,
        turn: TurnLog | None = None,
        transitions: Sequence[AgentTransition] = (),
        place: LessonPlace | None = None,
    ) -> None:
        """All that is written as a turn ends, in one transaction: its log, its hand-overs, and the place in the lesson."""
        handed = [to_row(each, message_excerpt=_excerpt(each.message_excerpt)) for each in transitions]
        async with self._database.write() as conn:
            if handed:
                await conn.execute(insert(agent_transitions), handed)
            if place:
                await put_place(conn, place)
            if turn:
                await conn.execute(insert(session_logs), to_row(turn))

    async def turns(self, user_id: str, *, session_id: str | None = None) -> Sequence[TurnLog]:
        """A learner's turns, oldest first; of one session or of all."""
        own = where_given(select(session_logs), user_id=user_id, session_id=session_id)
        return await self._all(TurnLog, own.order_by(session_logs.c.timestamp, session_logs.c.turn_number))

    async def forget_before(self, moment: datetime) -> None:
        """Delete conversations older than a moment; what was learned in them stays."""
        async with self._database.write() as conn:
            for table in (session_logs, agent_transitions):
                await conn.execute(delete(table).where(table.c.timestamp < moment))


def _excerpt(message: str | None) -> str | None:
    return None if message is None else clean(message)[:_EXCERPT_CHARACTERS]
