"""A learner can be forgotten, wholly, and nobody else with them."""

from dataclasses import replace

from sqlalchemy import func, select

from agents.bookkeeping import Bookkeeper
from storage.accounts import Tokens
from storage.database import Database
from storage.learners import (
    AgentTransition,
    DiagnosticResult,
    Learners,
    MasteryRow,
    Sessions,
    TurnLog,
    forget_learner,
)
from storage.ledger import Disputes, Ledger, ThresholdChoices
from storage.lessons import Lessons
from storage.tables import agent_transitions, metadata
from storage.tasks import StudyTasks, Tasks, WantedTask
from tests.support.ledger import ANSWER, DISPUTE, LESSON, NOW, PLACE


async def live(database: Database, user_id: str) -> None:
    """Leave a row in every table that knows a learner."""
    await Tasks(database).add(user_id, title="Read", now=NOW)
    wanted = WantedTask(kind="gap", subject="joint", occasion="1", title="Learn: joint", description="")
    await StudyTasks(database).plan(user_id, course="c", wanted=[wanted], most_open=2, now=NOW)
    learners = Learners(database)
    await learners.add_goal(user_id, course="c", goal="loop closure", now=NOW)
    await learners.keep_plan(user_id, course="c", promise={"by": "2026-03-09"}, now=NOW)
    session_id = f"session of {user_id}"
    await learners.open_cycle(user_id, session_id=session_id, topic="URDF", cycle_number=1, now=NOW)
    await learners.open_gap(user_id, course="c", concept_name="joint", topic="URDF", origin="quiz", now=NOW)
    await learners.add_diagnostic(
        DiagnosticResult(
            user_id=user_id,
            session_id=session_id,
            topic="URDF",
            prerequisite_gaps=(),
            learner_level="beginner",
            recommendations=(),
            timestamp=NOW,
        )
    )
    await learners.put_mastery(
        [
            MasteryRow(
                user_id=user_id,
                course="c",
                concept_name="joint",
                mastery_score=0.5,
                evidence_count=1,
                mastered=False,
                review_due_at=None,
                review_card=None,
                updated_at=NOW,
            )
        ]
    )
    await Tokens(database).add(user_id, token=f"token of {user_id}", label="", now=NOW)
    await Disputes(database).add(replace(DISPUTE, user_id=user_id))
    await ThresholdChoices(database).choose(user_id, threshold=0.9, now=NOW)
    await Lessons(database).put(replace(LESSON, user_id=user_id, session_id=session_id))
    await Lessons(database).keep_place(replace(PLACE, user_id=user_id))
    await _answer_and_void(database, user_id, session_id)
    await _talk(database, user_id, session_id)


async def _answer_and_void(database: Database, user_id: str, session_id: str) -> None:
    answer = await Ledger(database, books=Bookkeeper()).append(
        replace(ANSWER, user_id=user_id, session_id=session_id, course="c")
    )
    await Ledger(database, books=Bookkeeper()).void(
        answer.id, user_id=user_id, grader="dispute", reason="", now=NOW
    )


async def _talk(database: Database, user_id: str, session_id: str) -> None:
    sessions = Sessions(database)
    await sessions.add_turn(
        TurnLog(
            turn_id=f"turn of {user_id}",
            user_id=user_id,
            session_id=session_id,
            turn_number=1,
            user_query="hi",
            status="success",
            agent_response={},
            retrieval_results=(),
            timestamp=NOW,
            duration_seconds=1.0,
        )
    )
    await sessions.add_transitions(
        [AgentTransition(session_id=session_id, from_agent="user", to_agent="coordinator", timestamp=NOW)]
    )


async def rows_of(database: Database, user_id: str) -> dict[str, int]:
    counts = {
        table.name: select(func.count()).select_from(table).where(table.c.user_id == user_id)
        for table in metadata.sorted_tables
        if "user_id" in table.c
    }
    counts["agent_transitions"] = (
        select(func.count())
        .select_from(agent_transitions)
        .where(agent_transitions.c.session_id == f"session of {user_id}")
    )
    return {name: (await database.fetch(count))[0][0] for name, count in counts.items()}


async def test_forgetting_a_learner_leaves_no_row_of_theirs_and_all_rows_of_others(
    database: Database,
) -> None:
    await live(database, "ada")
    await live(database, "bob")
    before = await rows_of(database, "bob")
    assert all(before.values()), "a table that this test leaves empty would prove nothing"
    await forget_learner(database, "ada")
    assert set((await rows_of(database, "ada")).values()) == {0}
    assert await rows_of(database, "bob") == before
