"""ADK's session services, which bring a turn only what was said lately, whichever front end runs it.

The state holds the place; of the events only the talk that is shown and remembered is needed, so turn 300 costs what
turn 3 does. ADK's Runner names a config with every turn, and where nobody chose one it is None: that means the recent
events here. Who wants to see a session, like the page of `adk web`, names none and gets all of it.
"""

from typing import Any

from google.adk.sessions.base_session_service import BaseSessionService, GetSessionConfig
from google.adk.sessions.session import Session

from agents.adk_compat import index_events

RECENT_EVENTS = 40


class RecentEvents(BaseSessionService):
    """What a service of ADK's does beside loading stays as it is."""

    _is_indexed = False

    async def get_session(
        self, *, app_name: str, user_id: str, session_id: str, **chosen: GetSessionConfig | None
    ) -> Session | None:
        if not self._is_indexed:
            await index_events(self)
            self._is_indexed = True
        usual = GetSessionConfig(num_recent_events=RECENT_EVENTS)
        return await super().get_session(  # type: ignore[safe-super]
            app_name=app_name,
            user_id=user_id,
            session_id=session_id,
            config=(chosen["config"] or usual) if "config" in chosen else None,
        )


def in_file(path: str) -> BaseSessionService:
    from agents.session_file import SessionFile

    class RecentInFile(RecentEvents, SessionFile):  # type: ignore[misc]
        """Sessions in an SQLite file."""

    return RecentInFile(db_path=path)


def on_server(address: str, **options: Any) -> BaseSessionService:
    from google.adk.sessions.database_session_service import DatabaseSessionService

    class RecentOnServer(RecentEvents, DatabaseSessionService):
        """Sessions on a PostgreSQL server."""

    # Under load a turn waits for a connection, and does not fail.
    pool = {"pool_size": 8, "max_overflow": 8, "pool_timeout": 90.0}
    return RecentOnServer(db_url=address, **pool, **options)
