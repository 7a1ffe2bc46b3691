"""The private parts of ADK 2.13 that we touch, all of them: what each is for, and the public way should one appear.

tests/contract/test_adk_compat.py fails with a word about each when ADK changes it.
"""

import contextlib
import io
import logging
import warnings
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from google.adk.agents._streaming_mode import StreamingMode
from google.adk.agents.invocation_context import InvocationContext
from google.adk.agents.llm_agent import LlmAgent
from google.adk.events.event import Event
from google.adk.sessions.base_session_service import BaseSessionService
from google.adk.sessions.session import Session

if TYPE_CHECKING:
    from google.adk.sessions.sqlite_session_service import SqliteSessionService

# run_config has it too, but does not export it to type checkers.
__all__ = [
    "INVOCATION_ATTRIBUTE",
    "StreamingMode",
    "adopt",
    "adopt_version",
    "ask_model",
    "delete_events_before",
    "delete_user_state",
    "index_events",
    "lend_connection",
    "quiet_cli",
    "silence_cache_remark",
]

# adk web sorts spans into turns by this; ADK sets it with model calls only, and a turn may do without any.
INVOCATION_ATTRIBUTE = "gcp.vertex.agent.invocation_id"

_RUNNERS_LOG = "google_adk.google.adk.runners"
_NO_CACHE = "has no context_cache_config"


def quiet_cli() -> None:
    """ADK's command line without what its reader can do nothing about.

    No question about telemetry (its answer by the Enter key is yes; who has said yes to ADK before is still heard),
    no remarks on experimental parts, no path of a log file. Public once `adk` has a switch for these.
    """
    from google.adk.cli import cli_tools_click
    from google.adk.cli.utils import logs

    command_line: Any = cli_tools_click  # it does not export what it imports
    consent, log_to_folder = command_line.read_telemetry_consent, logs.log_to_tmp_folder

    def log_quietly(*arguments: Any, **options: Any) -> Any:
        with contextlib.redirect_stdout(io.StringIO()):
            return log_to_folder(*arguments, **options)

    command_line.read_telemetry_consent = lambda: bool(consent())
    logs.log_to_tmp_folder = log_quietly
    warnings.filterwarnings("ignore", message=r"\[EXPERIMENTAL\]")


def ask_model(agent: LlmAgent, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
    """ADK's whole flow of one LlmAgent, from inside its own run.

    Steps override the run, so that one that is not due leaves no empty bubble; `run_async` would start the step
    again. Public once a callback can skip an agent without an event.
    """
    return LlmAgent._run_async_impl(agent, ctx)


def adopt(session: Session, newest: Session) -> None:
    """Bring a session object that the Runner holds already up to date with what is stored.

    Without the marker ADK's services take the next write for a stale one. Public once the Runner loads a session
    after a plugin could take its lock.
    """
    session.events[:] = newest.events
    session.state.clear()
    session.state.update(newest.state)
    adopt_version(session, newest)


def adopt_version(session: Session, stored: Session) -> None:
    """Let a session object that has everything that is stored pass for it, in the middle of a turn."""
    session.last_update_time = stored.last_update_time
    session._storage_update_marker = stored._storage_update_marker


async def delete_events_before(service: BaseSessionService, moment: datetime, *, app_name: str) -> None:
    """Delete old messages of sessions that are still used. Public once a session service can delete less than a session."""
    from google.adk.sessions.sqlite_session_service import SqliteSessionService

    service = await _stored_by(service, app_name=app_name)
    is_sqlite = isinstance(service, SqliteSessionService)
    written = (
        moment.timestamp() if is_sqlite else moment.astimezone(UTC).replace(tzinfo=None)
    )  # as ADK writes them
    await _execute(
        service,
        "DELETE FROM events WHERE app_name = :app_name AND timestamp < :moment",
        app_name=app_name,
        moment=written,
    )


async def delete_user_state(service: BaseSessionService, user_id: str) -> None:
    """Delete what ADK remembers of a learner across sessions. Public once a session service can."""
    await _execute(service, "DELETE FROM user_states WHERE user_id = :user_id", user_id=user_id)


async def index_events(service: BaseSessionService) -> None:
    """ADK finds a session's newest events by sorting all of them; with this they are the first that it meets."""
    from google.adk.sessions.sqlite_session_service import SqliteSessionService

    if isinstance(service, SqliteSessionService):
        await _execute(
            service,
            "CREATE INDEX IF NOT EXISTS newest_events ON events (app_name, user_id, session_id, timestamp)",
        )


def lend_connection(service: "SqliteSessionService", lent: Callable[[], Any]) -> None:
    """Let ADK's service work on the connection that is lent, where one is, instead of opening one each time.

    Public once a session service takes a connection.
    """
    opens = service._get_db_connection

    @asynccontextmanager
    async def connection() -> AsyncIterator[Any]:
        if (known := lent()) is None:
            async with opens() as own:
                yield own
            return
        try:
            yield known
        except BaseException:
            await known.rollback()
            raise

    service._get_db_connection = connection  # type: ignore[method-assign]


async def _stored_by(service: BaseSessionService, *, app_name: str) -> BaseSessionService:
    """The service that has the tables: a plain `adk web` keeps one for each app."""
    from google.adk.cli.utils.local_storage import PerAgentDatabaseSessionService

    if isinstance(service, PerAgentDatabaseSessionService):
        return await service._get_service(app_name)
    return service


async def _execute(service: BaseSessionService, statement: str, **values: Any) -> None:
    """A statement on the tables of ADK's own services; others have none."""
    from google.adk.sessions.database_session_service import DatabaseSessionService
    from google.adk.sessions.sqlite_session_service import SqliteSessionService
    from sqlalchemy import text

    if isinstance(service, SqliteSessionService):
        async with service._get_db_connection() as db:
            await db.execute(statement, values)
            await db.commit()
    elif isinstance(service, DatabaseSessionService):
        async with service.db_engine.begin() as conn:
            await conn.execute(text(statement), values)


def silence_cache_remark() -> None:
    """Every request carries a brief of its own, so a cached prompt would never be used twice."""
    # Not by a context_cache_config that never caches: with Gemini that one switches on an experimental part.
    logging.getLogger(_RUNNERS_LOG).addFilter(_is_of_use)


def _is_of_use(record: logging.LogRecord) -> bool:
    return _NO_CACHE not in str(record.msg).replace("\n", " ")
