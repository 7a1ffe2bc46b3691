"""A full, locked or read-only database: what a learner needs is answered, what could not be saved is said, and saved later."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.support.faults import Writes, counted, failing_from
from tests.support.patience import impatient
from tests.support.talk import Learner

NOT_SAVED = "I could not save this answer"
FAULTS = {
    "the disk is full": sqlite3.SQLITE_FULL,
    "may only be read": sqlite3.SQLITE_READONLY,
    "the disk reports an error": sqlite3.SQLITE_IOERR,
}


@pytest.fixture
async def quizzed(ada: Learner) -> Learner:
    """A learner in front of a question."""
    await ada.say("teach me ROS 2 topics")
    return impatient(ada)


async def reopened(learner: Learner) -> None:
    """Connections are counted from their opening on."""
    await learner.services.database.close()


async def until_code_marks(learner: Learner) -> None:
    """On to a question whose answer is written down in the turn that brings it: what is compared comes a turn later."""
    while (question := (await learner.state()).pending_question) is None or question.kind == "recall":
        await learner.say("skip" if question else "teach me ROS 2 topics")


async def test_the_disk_is_full_at_every_write_of_an_answer(quizzed: Learner) -> None:
    """Whichever write is the first to fail: the learner hears the mark, and the answer counts once the disk has room."""
    with counted(Writes()) as writes:
        await reopened(quizzed)
        await quizzed.answer(right=False)
    assert writes.count > 5
    answers = 1
    for number in range(1, writes.count + 1):
        await until_code_marks(quizzed)
        with counted(failing_from(number)):
            await reopened(quizzed)
            heard = await quizzed.answer(right=False)
        await reopened(quizzed)
        answers += 1
        assert heard.text, f"nothing was said at write {number}"
        assert "Something went wrong" not in heard.text
        before = len(await quizzed.evidence())
        assert before == answers or NOT_SAVED in heard.text
        await quizzed.say("hint")
        assert len(await quizzed.evidence()) == answers, f"the answer was lost at write {number}"


@pytest.mark.parametrize(("cause", "code"), FAULTS.items())
async def test_while_nothing_can_be_written_questions_are_answered_and_quizzes_go_on(
    quizzed: Learner, cause: str, code: int
) -> None:
    with counted(failing_from(1, code=code)):
        await reopened(quizzed)
        assert "service" in (await quizzed.say("what is a service?")).text
        first = await quizzed.answer(right=True)
        second = await quizzed.answer(right=False)
    await reopened(quizzed)
    assert cause in first.text
    assert NOT_SAVED in first.text
    assert "Question 2" in first.text
    assert "Question 3" in second.text
    assert await quizzed.evidence() == []
    heard = await quizzed.say("hint")
    assert "saved now" in heard.text
    assert [row.is_correct for row in await quizzed.evidence()] == [True, False]


async def test_what_was_said_while_the_disk_was_full_is_in_the_session_after_a_restart(
    quizzed: Learner,
) -> None:
    with counted(failing_from(1)):
        await reopened(quizzed)
        await quizzed.answer(right=True)
    await reopened(quizzed)
    await quizzed.say("hint")
    again = await quizzed.restarted()
    assert (await again.state()).quiz_question_index == 1
    await again.answer(right=True)
    assert len(await again.evidence()) == 2
    await again.close()


@contextmanager
def locked(file: Path) -> Iterator[sqlite3.Connection]:
    """Another program is writing, and does not stop."""
    with closing(sqlite3.connect(file, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield other
        if other.in_transaction:
            other.execute("ROLLBACK")


async def test_a_lock_that_is_shorter_than_our_patience_is_waited_for(quizzed: Learner) -> None:
    """Three seconds, a hundred times faster."""
    impatient(quizzed, seconds=5.0)
    with locked(quizzed.folder / "data" / "tutor.db") as other:
        asyncio.get_running_loop().call_later(0.03, other.execute, "ROLLBACK")
        heard = await quizzed.answer(right=True)
    assert NOT_SAVED not in heard.text
    assert len(await quizzed.evidence()) == 1


@pytest.mark.parametrize("turns", [1, 3], ids=["30 s", "120 s"])
async def test_a_lock_that_outlasts_our_patience_is_said_and_costs_no_answer(
    quizzed: Learner, turns: int
) -> None:
    with locked(quizzed.folder / "data" / "tutor.db"):
        heard = [await quizzed.answer(right=True) for _ in range(turns)]
    assert all("in use by another program" in each.text for each in heard)
    assert await quizzed.evidence() == []
    await quizzed.say("hint")
    assert len(await quizzed.evidence()) == turns


async def test_after_one_failure_a_turn_does_not_wait_again(quizzed: Learner) -> None:
    """A turn writes a dozen times; it waits once."""
    impatient(quizzed, seconds=0.2, rest=60.0)
    loop = asyncio.get_running_loop()
    with locked(quizzed.folder / "data" / "tutor.db"):
        began = loop.time()
        await quizzed.answer(right=True)
        assert loop.time() - began < 10 * 0.2
    assert quizzed.services.books._kept


async def test_a_tutor_that_cannot_open_its_database_says_why(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "tutor.db").write_text("this is no database, and was never one" * 100)
    ada = await Learner(tmp_path).begin()
    heard = await ada.say("teach me ROS 2 topics")
    assert "is not a database" in heard.text
    assert (await ada.say("hello")).text
    await ada.close()
