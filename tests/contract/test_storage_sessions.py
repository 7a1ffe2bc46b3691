"""Conversations and how they are forgotten, on both databases."""

import sqlite3
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy.exc import IntegrityError

from storage.database import Database
from storage.learners import AgentTransition, Learners, Sessions, TurnLog
from storage.tasks import Tasks

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
OLD = NOW - timedelta(days=31)
TRANSITION = AgentTransition(
    session_id="s1",
    from_agent="coordinator",
    to_agent="tutor",
    reason="teach",
    message_excerpt="teach me URDF",
    timestamp=NOW,
)
TURN = TurnLog(
    turn_id="t1",
    user_id="ada",
    session_id="s1",
    turn_number=1,
    user_query="teach me URDF",
    status="success",
    agent_response={"answer": "Joints connect links.", "citations": [{"url": "file:///a"}]},
    retrieval_results=({"chunk_id": "k1", "similarity_score": 0.5},),
    timestamp=NOW,
    duration_seconds=0.25,
)


@pytest.fixture
def sessions(database: Database) -> Sessions:
    return Sessions(database)


async def test_transitions_are_read_back_in_order(sessions: Sessions) -> None:
    bare = replace(TRANSITION, reason=None, message_excerpt=None)
    await sessions.add_transitions([TRANSITION, bare, replace(TRANSITION, session_id="s2")])

    assert await sessions.transitions("s1") == [TRANSITION, bare]


@pytest.mark.parametrize("length", [99, 100, 101, 5000])
async def test_only_the_first_100_characters_of_a_message_are_kept(sessions: Sessions, length: int) -> None:
    await sessions.add_transitions([replace(TRANSITION, message_excerpt="é" * length)])

    [transition] = await sessions.transitions("s1")
    assert transition.message_excerpt == "é" * min(length, 100)


async def test_turns_are_read_by_learner_and_by_session(sessions: Sessions) -> None:
    second = replace(TURN, turn_id="t2", session_id="s2", turn_number=2)
    await sessions.add_turn(second)
    await sessions.add_turn(TURN)

    assert await sessions.turns("ada") == [TURN, second]
    assert await sessions.turns("ada", session_id="s2") == [second]


def test_the_turns_of_a_session_come_in_order_from_an_index(migrated_sqlite: Path) -> None:
    asked = "EXPLAIN QUERY PLAN SELECT * FROM session_logs WHERE session_id = 's1' ORDER BY timestamp"
    with sqlite3.connect(migrated_sqlite) as conn:
        [step] = [row[-1] for row in conn.execute(asked)]
    assert "idx_session_logs_session_time" in step


async def test_a_turn_that_took_no_time_is_refused(sessions: Sessions) -> None:
    with pytest.raises(IntegrityError):
        await sessions.add_turn(replace(TURN, duration_seconds=0.0))


async def test_a_turn_may_hold_any_text(sessions: Sessions) -> None:
    await sessions.add_turn(replace(TURN, user_query="\x00?", agent_response={"answer": "\x00 \ud800 {x}"}))

    [turn] = await sessions.turns("ada")
    assert turn.user_query == "\ufffd?"
    assert turn.agent_response == {"answer": "\ufffd \ufffd {x}"}


async def test_old_conversations_are_forgotten_and_what_was_learned_stays(
    database: Database, sessions: Sessions
) -> None:
    await sessions.add_turn(replace(TURN, turn_id="old", timestamp=OLD))
    await sessions.add_turn(TURN)
    await sessions.add_transitions([replace(TRANSITION, timestamp=OLD), TRANSITION])
    await Learners(database).open_cycle("ada", session_id="s1", topic="URDF", cycle_number=1, now=OLD)
    await Tasks(database).add("ada", title="Read", now=OLD)

    await sessions.forget_before(NOW)

    assert await sessions.turns("ada") == [TURN]
    assert await sessions.transitions("s1") == [TRANSITION]
    assert len(await Learners(database).cycles("ada")) == 1
    assert len(await Tasks(database).list("ada", now=NOW)) == 1
