"""One place for a learner's data: ADK's sessions are beside the record, in a file or on the PostgreSQL server."""

import sqlite3
from collections.abc import AsyncGenerator, AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from google.adk.agents.base_agent import BaseAgent
from google.adk.agents.invocation_context import InvocationContext
from google.adk.apps.app import App
from google.adk.artifacts.in_memory_artifact_service import InMemoryArtifactService
from google.adk.cli.utils.service_factory import create_session_service_from_options
from google.adk.events.event import Event
from google.adk.events.event_actions import EventActions
from google.adk.runners import Runner
from google.adk.sessions.base_session_service import BaseSessionService, GetSessionConfig
from google.genai import types

from agents.adk_sessions import artifacts_uri, forget_before, register, session_service, sessions_uri
from agents.recent_sessions import RECENT_EVENTS, in_file
from agents.settings import Settings, load_settings

NOW = datetime(2026, 11, 17, 9, 0, tzinfo=UTC)
LONG_AGO, LATELY = NOW - timedelta(days=40), NOW - timedelta(days=2)
OURS = {"app_name": "agents", "user_id": "ada"}


@pytest.fixture
def settings(empty_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("TUTOR_DATA_DIR", str(tmp_path / "50% of my data"))
    if empty_url.startswith("postgresql"):
        monkeypatch.setenv("TUTOR_DATABASE_URL", empty_url)
    return load_settings(tmp_path)


async def said(service: BaseSessionService, session_id: str, *moments: datetime) -> None:
    session = await service.create_session(**OURS, session_id=session_id)
    for number, moment in enumerate(moments):
        await service.append_event(
            session,
            Event(
                author="user",
                invocation_id=f"i{number}",
                timestamp=moment.timestamp(),
                content=types.Content(role="user", parts=[types.Part(text=f"said on {moment:%Y-%m-%d}")]),
                actions=EventActions(state_delta={"kept": number}),
            ),
        )


async def test_adk_finds_the_sessions_where_our_own_programs_keep_them(settings: Settings) -> None:
    ours = session_service(settings)
    await said(ours, "s1", LATELY)
    theirs = create_session_service_from_options(base_dir=".", session_service_uri=sessions_uri(settings))
    found = await theirs.get_session(**OURS, session_id="s1")
    await ours.close()  # type: ignore[attr-defined]
    await theirs.close()  # type: ignore[attr-defined]
    assert found is not None
    assert len(found.events) == 1
    on_server = settings.database_url.startswith("postgresql")
    assert (settings.data_dir / "sessions.db").exists() is not on_server
    assert artifacts_uri(settings).startswith("file://")


async def test_old_messages_go_and_a_session_in_use_stays(settings: Settings) -> None:
    service, pictures = session_service(settings), InMemoryArtifactService()
    await said(service, "idle", LONG_AGO)
    await said(service, "current", LONG_AGO)
    await said(service, "lively", LONG_AGO, LATELY)
    chart = types.Part.from_bytes(data=b"png", mime_type="image/png")
    for session_id in ("idle", "lively"):
        await pictures.save_artifact(**OURS, session_id=session_id, filename="progress.png", artifact=chart)
    forgotten = await forget_before(
        service, NOW - timedelta(days=30), app_name="agents", artifacts=pictures, but=("ada", "current")
    )
    idle, current, lively = [
        await service.get_session(**OURS, session_id=name) for name in ("idle", "current", "lively")
    ]
    left = [await pictures.list_artifact_keys(**OURS, session_id=name) for name in ("idle", "lively")]
    await service.close()  # type: ignore[attr-defined]
    assert forgotten == 1
    assert idle is None
    assert current is not None
    assert not current.events
    assert lively is not None
    assert [event.timestamp for event in lively.events] == [LATELY.timestamp()]
    assert lively.state["kept"] == 1
    assert left == [[], ["progress.png"]]


async def test_a_turn_of_any_front_end_loads_what_was_said_lately_and_who_looks_sees_all(
    settings: Settings,
) -> None:
    moments = [LATELY + timedelta(minutes=number) for number in range(RECENT_EVENTS + 7)]
    ours = session_service(settings)
    await said(ours, "s1", *moments)
    register(settings)
    theirs = create_session_service_from_options(base_dir=".", session_service_uri=sessions_uri(settings))
    loads: list[dict[str, Any]] = [
        {"config": None},  # as the Runner does
        {},  # as the page of adk web does
        {"config": GetSessionConfig(num_recent_events=3)},
        {"config": GetSessionConfig(num_recent_events=0)},
    ]
    found = [await theirs.get_session(**OURS, session_id="s1", **load) for load in loads]
    await ours.close()  # type: ignore[attr-defined]
    await theirs.close()  # type: ignore[attr-defined]

    assert [len(each.events) for each in found if each] == [RECENT_EVENTS, len(moments), 3, 0]
    assert all(each and each.state["kept"] == len(moments) - 1 for each in found)
    recent = found[0]
    assert recent
    assert recent.events[-1].timestamp == moments[-1].timestamp()


async def test_the_runner_names_a_config_in_every_turn(settings: Settings) -> None:
    """By this our service tells a turn from somebody who looks; a Runner that named none would load everything."""
    service = session_service(settings)
    moments = [LATELY + timedelta(minutes=number) for number in range(RECENT_EVENTS + 7)]
    await said(service, "s1", *moments)
    loaded: list[int] = []

    async def answer(ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        loaded.append(len(ctx.session.events))
        yield Event(author="answers", content=types.ModelContent("Yes."))

    class Answers(BaseAgent):
        async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
            async for event in answer(ctx):
                yield event

    runner = Runner(app=App(name="agents", root_agent=Answers(name="answers")), session_service=service)
    message = types.Content(role="user", parts=[types.Part(text="hi")])
    async for _ in runner.run_async(user_id="ada", session_id="s1", new_message=message):
        pass
    await service.close()  # type: ignore[attr-defined]

    assert loaded == [RECENT_EVENTS + 1], "the recent ones, and the message itself"


@pytest.fixture
async def session_file(tmp_path: Path) -> AsyncIterator[BaseSessionService]:
    service = in_file(str(tmp_path / "sessions.db"))
    yield service
    await service.close()  # type: ignore[attr-defined]


async def test_a_file_of_sessions_is_opened_once_to_read_and_once_to_write(
    session_file: BaseSessionService, monkeypatch: pytest.MonkeyPatch
) -> None:
    await said(session_file, "s1", LATELY)  # and once for the index
    opened: list[object] = []
    connect = sqlite3.connect

    def counting(*of: Any, **more: Any) -> sqlite3.Connection:
        opened.append(of)
        return connect(*of, **more)

    monkeypatch.setattr(sqlite3, "connect", counting)
    for number in range(5):
        await said(session_file, f"more-{number}", LATELY)
        await session_file.get_session(**OURS, session_id="s1")
    assert len(opened) <= 2, "one for the index, one for the thread that reads"
    assert len((await session_file.list_sessions(app_name="agents", user_id="ada")).sessions) == 6


async def test_after_a_stale_write_the_file_is_written_as_before(session_file: BaseSessionService) -> None:
    await said(session_file, "s1", LATELY)
    stale, current = [await session_file.get_session(**OURS, session_id="s1") for _ in range(2)]
    assert stale
    assert current
    await session_file.append_event(current, Event(author="user", invocation_id="first"))
    with pytest.raises(Exception, match="stale"):
        await session_file.append_event(stale, Event(author="user", invocation_id="second"))
    await session_file.append_event(current, Event(author="user", invocation_id="third"))
    found = await session_file.get_session(**OURS, session_id="s1")
    assert found
    assert [event.invocation_id for event in found.events] == ["i0", "first", "third"]


async def test_a_closed_file_of_sessions_opens_again(session_file: BaseSessionService) -> None:
    await said(session_file, "s1", LATELY)
    await session_file.close()  # type: ignore[attr-defined]
    assert await session_file.get_session(**OURS, session_id="s1")
