"""Clients that leave, come twice or come at once: one answer counts once, and the session stays free."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from itertools import count
from pathlib import Path

import pytest
from google.adk.agents.run_config import RunConfig
from google.adk.events.event import Event
from google.genai import types

from agents.adk_compat import StreamingMode
from agents.plugins.serialise import MESSAGE_ID
from tests.support.patience import serialise
from tests.support.talk import Learner, Meet

STREAMED = RunConfig(streaming_mode=StreamingMode.SSE)


async def leave_after(
    learner: Learner, text: str, events: int, *, run_config: RunConfig = STREAMED
) -> list[Event]:
    """Listen to the first events of a turn only."""
    message = types.Content(role="user", parts=[types.Part(text=text)])
    heard: list[Event] = []
    turn = learner.runner.run_async(
        user_id=learner.user_id, session_id=learner.session_id, new_message=message, run_config=run_config
    )
    async with aclosing(turn) as stream:
        async for event in stream:
            heard.append(event)
            if len(heard) > events:
                break
    return heard


async def test_a_client_that_leaves_at_every_event_has_its_answer_graded_once(ada: Learner) -> None:
    minutes = count(step=60.0)
    serialise(ada)._clock = lambda: next(minutes)  # nobody answers as fast as a test
    await ada.say("teach me ROS 2 topics")
    answers, events = 0, 0
    while True:
        question = await ada.question()
        heard = await leave_after(ada, question.expected_answer, events)
        pending = (await ada.state()).pending_question
        if pending and pending.question_id == question.question_id:
            await ada.reply(question.expected_answer)  # not heard, so it is sent again
        if (await ada.state()).self_check_answer:
            await ada.say("yes")
        answers += 1
        rows = await ada.evidence()
        assert len(rows) == len({(row.question_id, row.asking) for row in rows}) == answers, question
        if len(heard) <= events:
            break
        events += 1
        if (await ada.state()).pending_question is None:
            await ada.say("teach me URDF")
            if (await ada.state()).choices:  # the round that was cut short is still under way
                await ada.say("yes")
    assert events > 1
    assert not ada.services.turns.under_way
    assert len(serialise(ada).queues) == 0


async def test_a_client_that_leaves_a_lesson_at_every_event_gets_its_question_in_the_end(meet: Meet) -> None:
    for events in (0, 1, 2, 40):
        ada = await meet(user_id=f"ada-{events}", session_id=f"s-{events}")
        await leave_after(ada, "teach me ROS 2 topics", events)
        if (await ada.state()).pending_question is None:
            await ada.say("teach me ROS 2 topics")
        assert await ada.question()
        cycles = await ada.services.learners.cycles(ada.user_id)
        assert len(cycles) == 1, "a round that was begun twice is one round"


async def test_a_turn_that_is_cancelled_while_it_waits_leaves_the_session_free(
    ada: Learner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the queue and the database's lock: the place where a session used to be lost until the restart."""
    reached = asyncio.Event()

    @asynccontextmanager
    async def never(*_: object) -> AsyncIterator[None]:
        reached.set()
        await asyncio.Event().wait()
        yield

    await ada.say("hello")
    with monkeypatch.context() as patched:
        patched.setattr("storage.database._on_file", never)
        turn = asyncio.create_task(ada.say("help"))
        await reached.wait()
        turn.cancel()
        with pytest.raises(asyncio.CancelledError):
            await turn
    async with asyncio.timeout(20):
        assert (await ada.say("help")).text
    assert len(serialise(ada).queues) == 0


async def test_a_turn_that_is_given_up_inside_a_task_that_lives_on_does_not_keep_the_session(
    ada: Learner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No callback tells that such a turn has ended."""
    await ada.say("hello")

    async def never(course: str) -> None:
        await asyncio.Event().wait()

    with monkeypatch.context() as patched:
        patched.setattr(ada.services, "syllabus", never)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await ada.say("teach me ROS 2 topics")
    serialise(ada)._wait = 4.0
    assert "busy" not in (await ada.say("help")).text


async def test_whoever_waits_too_long_is_told_and_nothing_of_it_is_kept(
    ada: Learner, monkeypatch: pytest.MonkeyPatch
) -> None:
    await ada.say("hello")
    begun, go_on = asyncio.Event(), asyncio.Event()
    syllabus = ada.services.syllabus

    async def slow(course: str) -> object:
        begun.set()
        await go_on.wait()
        return await syllabus(course)

    monkeypatch.setattr(ada.services, "syllabus", slow)
    first = asyncio.create_task(ada.say("teach me ROS 2 topics"))
    await begun.wait()
    serialise(ada)._wait = 0.05
    second = await ada.say("teach me URDF")
    go_on.set()
    heard = await first
    assert "still busy" in second.text
    assert "Question 1" in heard.text
    session = await ada.sessions.get_session(app_name="agents", user_id="ada", session_id="s1")
    assert session is not None
    assert "teach me URDF" not in str(session.events)
    logged = [turn.user_query for turn in await ada.services.sessions.turns("ada")]
    assert logged == ["hello", "teach me ROS 2 topics"]


async def test_a_session_does_not_wait_for_a_strangers(meet: Meet) -> None:
    """Nor for one with the same name: session ids are a learner's own."""
    ada, bob = await meet(), await meet(user_id="bob")
    await ada.say("hello")
    async with ada.services.session_lock("agents/ada/s1"), asyncio.timeout(20):
        assert (await bob.say("hello")).text


async def test_a_lock_is_free_when_its_process_is_killed(ada: Learner) -> None:
    await ada.say("hello")
    url = ada.services.settings.database
    holder = (
        "import asyncio\nfrom storage.database import Database\nfrom storage.database import session_lock\n"
        "async def hold():\n"
        f"    async with session_lock(await Database.open({url!r}), 'agents/ada/s1'):\n"
        "        print('held', flush=True)\n        await asyncio.Event().wait()\nasyncio.run(hold())\n"
    )
    command = [sys.executable, "-c", holder]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: ASYNC220
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        serialise(ada)._wait = 0.1
        assert "still busy" in (await ada.say("help")).text
        os.kill(process.pid, signal.SIGKILL)
    serialise(ada)._wait = 20.0
    assert "still busy" not in (await ada.say("help")).text
    assert list((Path(ada.folder) / "data" / "locks").glob("*.lock")) == [], "locks leave no files behind"


async def test_the_same_answer_sent_at_once_is_one_message(ada: Learner) -> None:
    """A double click: both get the same reply."""
    await ada.say("teach me ROS 2 topics")
    answer = (await ada.question()).expected_answer
    heard = await asyncio.gather(*(ada.say(answer) for _ in range(3)))
    assert len({each.text for each in heard}) == 1
    assert len(await ada.evidence()) == 1
    session = await ada.sessions.get_session(app_name="agents", user_id="ada", session_id="s1")
    assert session is not None
    assert sum(event.author == "user" for event in session.events) == 2


async def test_the_same_words_to_the_next_question_are_another_answer(ada: Learner) -> None:
    await ada.say("teach me ROS 2 topics")
    for _ in range(3):
        await ada.say("I don't know")
    assert len(await ada.evidence()) == 3


async def test_a_message_with_the_same_id_is_one_however_late_it_comes(ada: Learner) -> None:
    named = RunConfig(custom_metadata={MESSAGE_ID: "m-1"})
    await ada.say("teach me ROS 2 topics")
    answer = (await ada.question()).expected_answer
    first = await ada.say(answer, run_config=named)
    again = await ada.restarted()
    second = await again.say(answer, run_config=named)
    assert second.text == first.text
    assert len(await again.evidence()) == 1
    await again.close()


async def test_an_invocation_that_is_sent_again_is_one_message(ada: Learner) -> None:
    await ada.say("teach me ROS 2 topics")
    answer = (await ada.question()).expected_answer
    message = types.Content(role="user", parts=[types.Part(text=answer)])
    for _ in range(2):
        async for _event in ada.runner.run_async(
            user_id="ada", session_id="s1", new_message=message, invocation_id="e-once"
        ):
            pass
    assert len(await ada.evidence()) == 1
