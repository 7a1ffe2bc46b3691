"""Moving house: all that an installation keeps, the record and the conversations, as one file and back."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.adk_sessions import APP_NAME, open_sessions
from agents.settings import Settings
from storage.database import Database
from storage.moving import Line, put_rows, reading, rows_of, writing

if TYPE_CHECKING:
    from google.adk.sessions.base_session_service import BaseSessionService

CONVERSATION = "conversation"  # one of ADK's sessions, in the place of a table's name


async def write_all(settings: Settings, database: Database, file: Path) -> dict[str, int]:
    """Write everything to a file; how many rows of each kind."""
    counts: dict[str, int] = {}
    with writing(file) as write:
        # First, as the record is only read when they are done: an answer is in it before it is told.
        async for line in _conversations(settings):
            write(line)
            counts["conversations"] = counts.get("conversations", 0) + 1
        async for line in rows_of(database):
            write(line)
            counts[line[0]] = counts.get(line[0], 0) + 1
    return counts


async def read_all(settings: Settings, database: Database, file: Path) -> dict[str, int]:
    """Put what a file holds into an empty installation; how many rows of each kind."""
    counts = dict(await put_rows(database, (line for line in reading(file) if line[0] != CONVERSATION)))
    told = 0
    async with open_sessions(settings) as service:
        for kind, kept in reading(file):
            if kind == CONVERSATION:
                await _tell_again(service, kept)
                told += 1
    return counts | ({"conversations": told} if told else {})


async def _conversations(settings: Settings) -> AsyncIterator[Line]:
    async with open_sessions(settings) as service:
        for listed in (await service.list_sessions(app_name=APP_NAME)).sessions:
            session = await service.get_session(
                app_name=APP_NAME, user_id=listed.user_id, session_id=listed.id
            )
            if session:
                yield [CONVERSATION, session.model_dump(mode="json", exclude_none=True)]


async def _tell_again(service: "BaseSessionService", kept: dict[str, Any]) -> None:
    """The conversation with its messages, and as it stood at the end, whatever of its beginning is forgotten by now."""
    from google.adk.sessions.session import Session

    session = Session.model_validate(kept)
    begun = await service.create_session(
        app_name=APP_NAME, user_id=session.user_id, session_id=session.id, state=dict(session.state)
    )
    for event in session.events:
        await service.append_event(begun, event)
