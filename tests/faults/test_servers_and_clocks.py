"""What we lean on goes away in the middle of a turn: PostgreSQL, Qdrant, a language model, the clock."""

import asyncio
import os
import signal
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from google.adk.platform.time import reset_time_provider, set_time_provider

from evals.doubles.openai_server import Fault, openai_server
from tests.support.patience import impatient
from tests.support.processes import until
from tests.support.qdrant_server import qdrant_server
from tests.support.talk import Learner, Meet


@pytest.fixture
def own_postgres() -> Iterator[Any]:
    """A PostgreSQL server that a test may stop."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pgserver = pytest.importorskip("pgserver", reason="PostgreSQL tests need the pgserver wheel")
    server = pgserver.get_server(tempfile.mkdtemp(prefix="tutor-postgres-"), cleanup_mode="delete")
    yield server
    server.ensure_postgres_running()
    server.cleanup()


async def test_postgresql_is_restarted_in_the_middle_of_a_turn(tmp_path: Path, own_postgres: Any) -> None:
    ada = await Learner(tmp_path, TUTOR_DATABASE_URL=own_postgres.get_uri()).begin()
    await ada.say("teach me ROS 2 topics")
    impatient(ada, seconds=2.0)
    question = await ada.question()
    append = ada.services.ledger.append

    async def just_before(answer: Any) -> Any:
        """The server stops at the very moment of writing."""
        await asyncio.to_thread(_stop, own_postgres)
        return await append(answer)

    ada.services.ledger.append = just_before  # type: ignore[method-assign]
    heard = await ada.say(question.expected_answer)
    ada.services.ledger.append = append  # type: ignore[method-assign]
    assert heard.text
    await asyncio.to_thread(own_postgres.ensure_postgres_running)
    await ada.say("hint")
    state = await ada.state()
    if state.quiz_question_index == 0:
        await ada.say(question.expected_answer)
    rows = await ada.evidence()
    assert [row.question_id for row in rows] == [question.question_id]
    await ada.answer(right=True)
    assert len(await ada.evidence()) == 2
    await ada.close()


def _stop(server: Any) -> None:
    os.kill(server.get_pid(), signal.SIGINT)  # "fast": every connection is closed
    asyncio.run(until(lambda: not (server.pgdata / "postmaster.pid").exists()))


async def test_qdrant_is_killed_in_the_middle_of_a_lesson(tmp_path: Path) -> None:
    with ExitStack() as running:
        url = running.enter_context(qdrant_server())
        ada = await Learner(tmp_path, QDRANT_URL=url).begin()
        await ada.say("teach me ROS 2 topics")
        running.close()
        asked = await ada.say("what is a service?")
        assert asked.text
        await ada.answer(right=True)
        await ada.answer(right=False)
        assert len(await ada.evidence()) == 2
        await ada.close()


MODEL_FAULTS = {
    "429": Fault(status=429),
    "500": Fault(status=500),
    "hangs": Fault(hangs=True),
    "is cut off": Fault(cut_after=3),
    "talks nonsense": Fault(text="\x00{{{ ]]] Ω"),
}


@pytest.mark.parametrize("fault", MODEL_FAULTS)
async def test_eight_learners_at_once_with_a_model_that_fails_all_get_their_lesson_and_their_mark(
    tmp_path: Path, fault: str
) -> None:
    with openai_server() as model:
        model.replies[""] = [MODEL_FAULTS[fault]] * 1000
        tutor = Learner(
            tmp_path, TUTOR_MODEL="openai:strong", TUTOR_MODEL_URL=model.url, TUTOR_MODEL_TIMEOUT="0.2"
        )
        tutor.services.model.pause = 0.0  # type: ignore[attr-defined]
        learners = [_beside(tutor, f"learner-{number}") for number in range(8)]
        for learner in learners:
            await learner.begin()
        heard = await asyncio.gather(*(learner.say("teach me ROS 2 topics") for learner in learners))
        assert all("Question 1" in each.text for each in heard)
        await asyncio.gather(*(learner.answer(right=True) for learner in learners))
        for learner in learners:
            rows = await learner.evidence()
            assert len(rows) == len({row.question_id for row in rows}) <= 1
        await tutor.close()


def _beside(tutor: Learner, user_id: str) -> Learner:
    """Another learner at the same tutor."""
    other = object.__new__(Learner)
    other.__dict__ = {**tutor.__dict__, "user_id": user_id, "session_id": user_id}
    return other


async def test_the_clock_is_set_back_an_hour(meet: Meet) -> None:
    ada = await meet()
    await ada.say("teach me ROS 2 topics")
    await ada.answer(right=True)
    back = timedelta(hours=1)
    ada.services.now = lambda: datetime.now(UTC) - back
    set_time_provider(lambda: datetime.now(UTC).timestamp() - back.total_seconds())
    try:
        await ada.finish_quiz(right=True)
        await ada.finish_quiz(right=True)
        rows = await ada.evidence()
        assert len(rows) == len({(row.question_id, row.asking) for row in rows}) >= 5
        assert all(row.time_taken_seconds >= 0 for row in rows)
        again = await ada.restarted()
        assert (await again.response_to("hello")).status == "success"
        await again.close()
    finally:
        reset_time_provider()
