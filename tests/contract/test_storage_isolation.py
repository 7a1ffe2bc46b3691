"""Nobody sees or changes another learner's rows; every table with a user_id is tested for it."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from agents.bookkeeping import Bookkeeper
from agents.teaching.evidence import Rekey
from storage.accounts import Tokens
from storage.database import Database
from storage.learners import (
    AgentTransition,
    DiagnosticResult,
    Learners,
    MasteryRow,
    Sessions,
    TurnLog,
    records_of,
)
from storage.ledger import Disputes, Ledger, ThresholdChoices
from storage.lessons import Lessons
from storage.tables import metadata
from storage.tasks import StudyTasks, Tasks, WantedTask
from tests.support.ledger import ANSWER, DISPUTE, LESSON, NOW, PLACE

Check = Callable[[Database], Awaitable[None]]
CHECKS: dict[str, Check] = {}


def isolates(table: str) -> Callable[[Check], Check]:
    """Register the check that belongs to a table."""

    def register(check: Check) -> Check:
        CHECKS[table] = check
        return check

    return register


@isolates("tasks")
async def _tasks(database: Database) -> None:
    tasks = Tasks(database)
    task = await tasks.add("ada", title="Read", now=NOW)

    assert await tasks.list("eve", now=NOW) == []
    assert await tasks.update(task.id, user_id="eve", title="x") is None
    assert await tasks.complete(task.id, user_id="eve", now=NOW) is None
    assert await tasks.delete(task.id, user_id="eve", now=NOW) is None
    assert await tasks.list("ada", now=NOW) == [task]


@isolates("study_tasks")
async def _study_tasks(database: Database) -> None:
    study = StudyTasks(database)
    wanted = WantedTask(kind="gap", subject="node", occasion="7", title="Learn: node", description="")
    [(planned, _)] = await study.plan("ada", course="ros", wanted=[wanted], most_open=2, now=NOW)

    await study.put_on_list(planned.id, user_id="eve", task_id=1)
    await study.give_up(planned.id, user_id="eve")
    assert await study.of("ada") == []
    await study.put_on_list(planned.id, user_id="ada", task_id=1)
    assert await study.of("eve") == []
    assert len(await study.plan("eve", course="ros", wanted=[wanted], most_open=2, now=NOW)) == 1
    assert [each.task_id for each in await study.of("ada")] == [1]


@isolates("learning_cycles")
async def _cycles(database: Database) -> None:
    learners = Learners(database)
    cycle = await learners.open_cycle("ada", session_id="s1", topic="URDF", cycle_number=1, now=NOW)
    stolen = await learners.close_cycle(
        cycle.id, user_id="eve", quiz_score=1.0, mastery_achieved=True, now=NOW
    )

    assert stolen is None
    assert await learners.cycles("eve") == []
    assert await learners.cycles("ada") == [cycle]


@isolates("learner_goals")
async def _goals(database: Database) -> None:
    learners = Learners(database)
    await learners.add_goal("ada", course="ros", goal="SLAM", now=NOW)

    assert await learners.goals("eve", course="ros") == []
    assert await learners.goals("ada", course="ros") == ["SLAM"]


@isolates("study_plans")
async def _plans(database: Database) -> None:
    learners = Learners(database)
    await learners.keep_plan("ada", course="ros", promise={"by": None}, now=NOW)
    await learners.keep_plan("ada", course="ros", promise={"by": "2026-12-03"}, now=NOW)

    assert await learners.plan("eve", course="ros") is None
    assert await learners.plan("ada", course="go") is None
    assert await learners.plan("ada", course="ros") == {"by": "2026-12-03"}


@isolates("diagnostic_results")
async def _diagnostics(database: Database) -> None:
    learners = Learners(database)
    result = DiagnosticResult(
        user_id="ada",
        session_id="s1",
        topic="URDF",
        prerequisite_gaps=(),
        learner_level="advanced",
        recommendations=(),
        timestamp=NOW,
    )
    await learners.add_diagnostic(result)

    assert await learners.diagnostics("eve") == []
    assert await learners.diagnostics("ada") == [result]


@isolates("quiz_results")
async def _ledger(database: Database) -> None:
    ledger = Ledger(database, books=Bookkeeper())
    answer = await ledger.append(ANSWER)
    rekey = Rekey(expected_answer="x", is_correct=False, score=0.0)

    assert await ledger.of("eve", course="ros", concept_name="joint") == []
    assert await ledger.void(answer.id, user_id="eve", grader="x", reason="x", now=NOW) is None
    assert await ledger.rekey(answer.id, user_id="eve", rekey=rekey, grader="x", reason="x", now=NOW) is None
    assert await ledger.of("ada") == [answer]


@isolates("course_records")
@isolates("concept_records")
async def _shelves(database: Database) -> None:
    ledger = Ledger(database, books=Bookkeeper())
    await ledger.append(ANSWER)
    before = await ledger.shelves_of("ada")

    assert await ledger.shelves_of("eve") == {}
    eves = await ledger.append(replace(ANSWER, user_id="eve", is_correct=False))
    await ledger.note("eve", course="ros", change=lambda figures: {**figures, "mastered": []})
    await ledger.void(eves.id, user_id="eve", grader="x", reason="x", now=NOW)
    assert await ledger.shelves_of("ada") == before
    assert list(before) == ["ros"]
    assert await ledger.courses_of("eve") == ["ros"]


@isolates("learner_thresholds")
async def _thresholds(database: Database) -> None:
    choices = ThresholdChoices(database)
    await choices.choose("ada", threshold=0.7, now=NOW)

    assert await choices.of("eve") is None
    await choices.choose("eve", threshold=None, now=NOW)
    assert await choices.of("ada") == 0.7


@isolates("concept_mastery")
async def _mastery(database: Database) -> None:
    learners = Learners(database)
    adas = MasteryRow(
        user_id="ada",
        course="ros",
        concept_name="joint",
        mastery_score=0.9,
        evidence_count=4,
        mastered=True,
        review_due_at=None,
        review_card=None,
        updated_at=NOW,
    )
    eves = replace(adas, user_id="eve", mastery_score=0.1, mastered=False)
    await learners.put_mastery([adas])
    assert await learners.mastery("eve") == []
    await learners.put_mastery([eves])

    assert await learners.mastery("ada", course="ros") == [adas]
    assert await learners.mastery("eve", course="ros") == [eves]


@isolates("knowledge_gaps")
async def _gaps(database: Database) -> None:
    learners = Learners(database)
    key = {"course": "ros", "concept_name": "frames"}
    gap = await learners.open_gap("ada", **key, topic="URDF", origin="quiz", now=NOW)

    assert await learners.gaps("eve", include_resolved=True) == []
    assert await learners.resolve_gap("eve", **key, now=NOW) is None
    eves = await learners.open_gap("eve", **key, topic="URDF", origin="quiz", now=NOW)
    await learners.resolve_gap("eve", **key, now=NOW)
    assert eves.id != gap.id
    assert await learners.gaps("ada") == [gap]


@isolates("session_logs")
async def _turns(database: Database) -> None:
    """Session ids are the client's choice, so two learners may use the same one."""
    sessions = Sessions(database)
    adas = TurnLog(
        turn_id="t1",
        user_id="ada",
        session_id="s1",
        turn_number=1,
        user_query="hello",
        status="success",
        agent_response={},
        retrieval_results=(),
        timestamp=NOW,
        duration_seconds=0.1,
    )
    eves = replace(adas, turn_id="t2", user_id="eve", user_query="hi")
    await sessions.add_turn(adas)
    await sessions.add_turn(eves)

    assert await sessions.turns("ada", session_id="s1") == [adas]
    assert await sessions.turns("eve") == [eves]


@isolates("api_tokens")
async def _tokens(database: Database) -> None:
    tokens = Tokens(database)
    adas = await tokens.add("ada", token="secret of ada", label="script", now=NOW)

    assert await tokens.of("eve") == []
    assert await tokens.remove(adas.id, user_id="eve") is False
    assert await tokens.owner("secret of ada") == "ada"


@isolates("disputes")
async def _disputes(database: Database) -> None:
    await Disputes(database).add(DISPUTE)

    assert (await records_of(database, "eve"))["disputes"] == []
    assert len((await records_of(database, "ada"))["disputes"]) == 1


@isolates("agent_transitions")
async def _transitions(database: Database) -> None:
    sessions = Sessions(database)
    adas = AgentTransition(
        session_id="s1", from_agent="user", to_agent="coordinator", timestamp=NOW, user_id="ada"
    )
    await sessions.add_transitions([adas, replace(adas, user_id="eve")])

    assert await sessions.transitions("s1", user_id="ada") == [adas]


@isolates("open_lessons")
async def _open_lessons(database: Database) -> None:
    lessons = Lessons(database)
    await lessons.put(LESSON)

    assert await lessons.of("eve", session_id=LESSON.session_id, kind="quiz") is None
    assert await lessons.of("ada", session_id=LESSON.session_id, kind="quiz") == LESSON


@isolates("lesson_places")
async def _lesson_places(database: Database) -> None:
    lessons = Lessons(database)
    earlier = replace(PLACE, part=2, kept_at=NOW - timedelta(days=1))
    for place in (PLACE, earlier):
        await lessons.keep_place(place)
    here = {"course": PLACE.course, "place": PLACE.place, "part": PLACE.part}

    assert await lessons.places("eve") == []
    assert await lessons.place("eve", **here) is None
    await lessons.leave_place("eve", **here)
    assert await lessons.place("ada", **here) == PLACE
    assert await lessons.places("ada") == [PLACE, earlier], "the newest first"


def test_every_table_with_a_learner_has_an_isolation_test_and_no_other() -> None:
    assert set(CHECKS) == {name for name, table in metadata.tables.items() if "user_id" in table.c}


@pytest.mark.parametrize("table", sorted(CHECKS))
async def test_a_learner_sees_and_changes_only_their_own(database: Database, table: str) -> None:
    await CHECKS[table](database)
