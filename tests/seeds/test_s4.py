"""Seed S4, the multi-agent tutoring system: what its session state, quizzes, routing and tables promise."""

import asyncio
import sqlite3
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine

from agents.services import Services
from agents.state import SessionState
from storage import migrate
from storage.database import Database
from storage.errors import StorageError
from tests.support.talk import Learner, Meet

SAILS = """# Sails

A **jib** is a small sail that stands in front of the mast. A **boom** is a long spar that holds the foot of a sail.
A **sheet** is a rope that pulls a sail in, because the wind would blow it out.
"""
TABLES = ("agent_transitions", "learning_cycles", "diagnostic_results")


async def test_s4_every_state_key_is_there_after_the_first_turn(ada: Learner) -> None:
    await ada.say("hello")
    session = await ada.sessions.get_session(app_name="agents", user_id="ada", session_id="s1")
    assert session is not None
    assert set(SessionState.model_fields) <= set(session.state)
    state, blank = await ada.state(), SessionState()
    assert (state.user_id, state.session_id) == ("ada", "s1")
    for name in (
        "prerequisite_gaps",
        "explanation",
        "quiz_questions",
        "quiz_score",
        "mastery_score",
        "goals",
    ):
        assert session.state[name] == getattr(blank, name)


async def test_s4_a_client_may_set_its_threshold_higher_and_not_lower(meet: Meet) -> None:
    ambitious = await meet({"mastery_threshold": 0.95})
    await ambitious.say("hello")
    assert (await ambitious.state()).mastery_threshold == 0.95
    forging = await meet({"mastery_threshold": 0.7}, session_id="s2")
    await forging.say("hello")
    assert (await forging.state()).mastery_threshold == 0.85


async def test_s4_examples_provided_are_the_examples_of_the_lesson(ada: Learner) -> None:
    await ada.say("teach me ROS 2 topics")
    state = await ada.state()
    assert state.examples_provided
    assert all(example in state.explanation for example in state.examples_provided)
    assert any("for example" in example for example in state.examples_provided)


async def test_s4_attempt_number_counts_over_sessions(meet: Meet, tmp_path: Path) -> None:
    """Three sentences allow only so many questions, so some come again."""
    (tmp_path / "sails").mkdir()
    (tmp_path / "sails" / "sails.md").write_text(SAILS, encoding="utf-8")
    for session in ("s1", "s2"):
        ada = await meet(session_id=session, TUTOR_COURSE_DIR=str(tmp_path / "sails"))
        await ada.say("teach me sails")
        for _ in range(8):
            await ada.say("I don't know")
    attempts: dict[str, list[int]] = {}
    sessions: dict[str, set[str]] = {}
    for row in await ada.evidence():
        attempts.setdefault(row.question_id, []).append(row.attempt_number)
        sessions.setdefault(row.question_id, set()).add(row.session_id)
    assert all(numbers == list(range(1, len(numbers) + 1)) for numbers in attempts.values())
    assert {"s1", "s2"} in sessions.values()


@pytest.mark.parametrize("topic", ["ROS 2 topics", "URDF", "services and actions", "Gazebo"])
async def test_s4_a_quiz_has_three_to_ten_questions_and_one_on_every_concept(meet: Meet, topic: str) -> None:
    ada = await meet(TUTOR_QUIZ_QUESTIONS="3")
    await ada.say(f"teach me {topic}")
    state = await ada.state()
    asked = [question.concept_name for question in state.quiz_questions]
    assert 1 <= len(asked) <= 10  # fewer than three where the text carries no more that a teacher would keep
    assert set(state.topic_concepts) <= set(asked)
    assert max(map(asked.count, asked)) <= 3


async def test_s4_later_quizzes_ask_about_every_open_concept_and_more_about_what_was_missed(
    ada: Learner,
) -> None:
    await ada.say("teach me ROS 2 topics")
    await ada.finish_quiz(right=False)
    state = await ada.state()
    asked = [question.concept_name for question in state.quiz_questions]
    assert set(state.topic_concepts) <= set(asked)
    assert len(state.topic_concepts) < len(asked) <= 10


async def test_s4_prerequisite_gaps_never_name_the_topic_itself(meet: Meet) -> None:
    ada = await meet()
    await ada.say("find my gaps in URDF")
    topic = (await ada.state()).topic_concepts
    while (await ada.state()).pending_question:
        await ada.say("I don't know")
    state = await ada.state()
    [stored] = await ada.services.learners.diagnostics("ada")
    assert state.prerequisite_gaps
    assert not set(state.prerequisite_gaps) & set(topic)
    assert list(stored.prerequisite_gaps) == state.prerequisite_gaps
    later = await meet(session_id="s2")
    await later.say("hello")
    assert not set((await later.state()).prerequisite_gaps) & {(await later.state()).current_topic}


async def test_s4_routing_and_its_reason_belong_to_this_turn(
    ada: Learner, monkeypatch: pytest.MonkeyPatch
) -> None:
    for message, agent in (
        ("hello", "coordinator"),
        ("teach me ROS 2 topics", "learning_loop"),
        ("what is a node?", "coordinator"),
        ("make me a plan", "pathplanner"),
    ):
        before = len(await ada.transition_rows()) if agent != "coordinator" else 0
        await ada.say(message)
        state = await ada.state()
        assert state.last_routed_to == agent
        if agent != "coordinator":
            [handed] = [row for row in (await ada.transition_rows())[before:] if row.to_agent == agent]
            assert handed.reason == state.routing_reason
            assert handed.message_excerpt == message

    async def broken(*_: object) -> None:
        raise StorageError("The disk is full.")

    monkeypatch.setattr(Services, "syllabus", broken)
    await ada.say("what is a topic?")
    state = await ada.state()
    assert (state.last_routed_to, state.routing_reason) == ("coordinator", "it failed")


def _definitions(file: Path) -> dict[str, str]:
    with sqlite3.connect(file) as conn:
        found = conn.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall()
    return dict(found)


def test_s4_the_three_tables_use_autoincrement(migrated_sqlite: Path) -> None:
    made = _definitions(migrated_sqlite)
    assert all("AUTOINCREMENT" in made[table] for table in TABLES)


def test_s4_a_database_from_before_keeps_its_rows_and_goes_on_counting(tmp_path: Path) -> None:
    file = tmp_path / "tutor.db"
    config = Config()
    config.set_main_option("script_location", str(migrate.SCRIPTS))
    config.set_main_option("path_separator", "os")
    engine = create_engine(f"sqlite:///{file}")
    row = "('ada', 's1', 'URDF', 1, '2026-01-01T00:00:00')"
    with engine.begin() as conn:
        config.attributes["connection"] = conn
        command.upgrade(config, "0005")
        for _ in range(3):
            conn.exec_driver_sql(
                f"INSERT INTO learning_cycles (user_id, session_id, topic, cycle_number, started_at) VALUES {row}"
            )
    engine.dispose()

    async def opened() -> None:
        await (await Database.open(f"sqlite:///{file}")).close()

    asyncio.run(opened())
    assert all("AUTOINCREMENT" in _definitions(file)[table] for table in TABLES)
    with sqlite3.connect(file) as conn:
        conn.execute("DELETE FROM learning_cycles WHERE id = 3")
        conn.execute(
            f"INSERT INTO learning_cycles (user_id, session_id, topic, cycle_number, started_at) VALUES {row}"
        )
        ids = [number for (number,) in conn.execute("SELECT id FROM learning_cycles ORDER BY id")]
        indexes = {name for (name,) in conn.execute("SELECT name FROM sqlite_master WHERE type = 'index'")}
    assert ids == [1, 2, 4]
    assert {
        "idx_cycles_user",
        "idx_cycles_topic",
        "idx_transitions_session",
        "idx_diagnostic_user",
    } <= indexes
