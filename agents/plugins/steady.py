"""A conversation that cannot be stored goes on in memory, and is stored when it can be.

ADK ends a turn with a bare error when its sessions cannot be written: a full disk would silence the tutor.
"""

import logging
import sqlite3
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any
from weakref import WeakSet

from google.adk.events.event import Event
from google.adk.sessions.base_session_service import BaseSessionService
from google.adk.sessions.session import Session

from agents.adk_compat import adopt, adopt_version
from agents.bookkeeping import Outage

logger = logging.getLogger(__name__)

Append = Callable[..., Awaitable[Event]]
Key = tuple[str, str, str]


class SteadySessions:
    """Stands between the Runner and its session service, whichever front end chose it."""

    def __init__(self) -> None:
        self._watched: WeakSet[BaseSessionService] = WeakSet()
        self._unstored: dict[Key, list[Event]] = {}
        self._passing: set[str] = set()  # invocations that leave nothing in their session
        self.outage = Outage()

    def watch(self, service: BaseSessionService) -> None:
        """From now on, what this service fails to append is kept here."""
        if service not in self._watched:
            self._watched.add(service)
            # On the instance, because ADK's front ends make their service themselves and offer no other place.
            service.append_event = partial(self._append, service, service.append_event)  # type: ignore[method-assign]

    def let_pass(self, invocation_id: str) -> None:
        """This turn's events are shown and not stored: it was refused, or answered before."""
        self._passing.add(invocation_id)

    def forget(self, invocation_id: str) -> None:
        self._passing.discard(invocation_id)

    def has_unstored(self, session: Session) -> bool:
        return _key(session) in self._unstored

    async def catch_up(self, service: BaseSessionService, session: Session) -> None:
        """Bring a session that was just loaded to where the conversation is: stored by now, or at least in memory."""
        waiting = self._unstored.get(_key(session))
        if not waiting:
            return
        append = service.append_event.args[1]  # type: ignore[attr-defined]
        if self.outage.is_on or not await self._flushed(service, append, session):
            for event in waiting:
                await BaseSessionService.append_event(service, session, event)
            return
        newest = await service.get_session(
            app_name=session.app_name, user_id=session.user_id, session_id=session.id
        )
        if newest is not None:
            adopt(session, newest)

    async def _append(
        self, service: BaseSessionService, append: Append, session: Session, event: Event
    ) -> Event:
        if event.invocation_id in self._passing or event.partial:
            return event
        key = _key(session)
        if not self.outage.is_on and (
            key not in self._unstored or await self._flushed(service, append, session)
        ):
            try:
                return await append(session=session, event=event)
            except _failures() as err:
                self.outage.begin(type(err).__name__)
                logger.warning("the session %s cannot be stored: %s", session.id, type(err).__name__)
        self._unstored.setdefault(key, []).append(event)
        return await BaseSessionService.append_event(service, session, event)

    async def _flushed(self, service: BaseSessionService, append: Append, session: Session) -> bool:
        """Append what is waiting to a copy of its own: the caller's session has it already."""
        key = _key(session)
        try:
            stored = await service.get_session(
                app_name=session.app_name, user_id=session.user_id, session_id=session.id
            )
            if stored is None:  # deleted meanwhile
                del self._unstored[key]
                return True
            waiting = self._unstored[key]
            while waiting:
                await append(session=stored, event=waiting[0])
                del waiting[0]
            del self._unstored[key]
        except _failures() as err:
            self.outage.begin(type(err).__name__)
            return False
        adopt_version(session, stored)
        return True


def _key(session: Any) -> Key:
    return (session.app_name, session.user_id, session.id)


def _failures() -> tuple[type[Exception], ...]:
    """What ADK's session services raise when they cannot write; imported with the first of them."""
    from sqlalchemy.exc import DBAPIError

    return sqlite3.Error, DBAPIError, OSError
