"""Writing down what a turn did, where a failure to write is told and never ends the turn.

What counts for the learner (an answer, what was asked, what a diagnostic found) is kept in memory when it cannot be
written, and written at the next turn that can. It is not kept in the session: a client may write that. What only
serves us (hand-overs, logs) is let go with a line in our own log.
"""

import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from storage.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from storage.ledger import Answer, Evidence, Ledger
    from storage.sessions import LessonKind, Lessons, OpenLesson

logger = logging.getLogger(__name__)

T = TypeVar("T")

_PATIENCE = 5.0  # seconds that a turn waits for others to finish writing
_REST = 5.0  # seconds after a failure in which nobody waits again
SAVED_NOW = "What I could not save before is saved now."


class Outage:
    """Something does not answer: for a while nobody waits for it again."""

    def __init__(self, *, rest: float = _REST, clock: Callable[[], float] = time.monotonic) -> None:
        self.rest = rest
        self._clock = clock
        self._until = float("-inf")
        self.cause = ""

    @property
    def is_on(self) -> bool:
        return self._clock() < self._until

    def begin(self, cause: str) -> None:
        self._until, self.cause = self._clock() + self.rest, cause

    def end(self) -> None:
        self._until = float("-inf")


class Books:
    """The one way in which a turn writes; one for all sessions of a process."""

    def __init__(self, ledger: "Ledger", lessons: "Lessons", *, seconds: float = _PATIENCE) -> None:
        self._ledger = ledger
        self._lessons = lessons
        self._seconds = seconds
        self.outage = Outage()
        self._kept: list[Callable[[], Awaitable[object]]] = []
        self._unsaved_lessons: dict[tuple[str, str, str], OpenLesson] = {}

    async def answer(self, answer: "Answer") -> "Evidence | StorageError":
        """Write an answer down; the failure, when it is only kept for now."""
        return await self.surely("an answer", lambda: self._ledger.append(answer))

    async def ask(self, lesson: "OpenLesson") -> None:
        """Write down what is about to be asked, so that the answer can be graded by it."""
        key = (lesson.user_id, lesson.session_id, lesson.kind)
        self._unsaved_lessons[key] = lesson

        async def write() -> None:
            if self._unsaved_lessons.get(key) is lesson:  # none was asked since
                await self._lessons.put(lesson)
                self._unsaved_lessons.pop(key, None)

        await self.surely("what was asked", write)

    async def asked(self, user_id: str, *, session_id: str, kind: "LessonKind") -> "OpenLesson | None":
        """What is being asked in a session, by our own record."""
        unsaved = self._unsaved_lessons.get((user_id, session_id, kind))
        return unsaved or await self._lessons.of(user_id, session_id=session_id, kind=kind)

    async def attempt(self, what: str, write: Callable[[], Awaitable[T]], *, otherwise: T) -> T:
        """Write it if it can be; a failure costs nobody their answer."""
        if self.outage.is_on:
            return otherwise
        try:
            with _hurried(self._seconds):
                return await write()
        except StorageError as err:
            self.outage.begin(err.cause)
            logger.warning("%s was not written: %s", what, err.cause)
            return otherwise

    async def catch_up(self) -> bool:
        """Write what is kept, oldest first, as far as it goes; whether anything was and now all is written."""
        if not self._kept or self.outage.is_on:
            return False
        while self._kept:
            try:
                with _hurried(self._seconds):
                    await self._kept[0]()
            except StorageError as err:
                self.outage.begin(err.cause)
                return False
            del self._kept[0]
        return True

    async def surely(self, what: str, write: Callable[[], Awaitable[T]]) -> "T | StorageError":
        """Write it now, or else as soon as it can be; then the failure."""
        try:
            if self.outage.is_on:
                raise StorageError("", cause=self.outage.cause)
            with _hurried(self._seconds):
                return await write()
        except StorageError as err:
            if not self.outage.is_on:
                self.outage.begin(err.cause)
            self._kept.append(write)
            logger.warning("%s is kept in memory until it can be written: %s", what, err.cause)
            return err


def not_saved(err: StorageError) -> str:
    """What a learner hears of an answer that is only kept for now."""
    return f"I could not save this answer: {err.cause}. It does not count yet; I keep it and save it as soon as I can."


@contextmanager
def _hurried(seconds: float) -> "Iterator[None]":
    from storage.database import patience

    before = patience.set(seconds)
    try:
        yield
    finally:
        patience.reset(before)
