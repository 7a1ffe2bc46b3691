"""What the agents share at run time: the database, the course library, the clock, and books where a failed write is told."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Hashable, Mapping
from contextlib import AbstractAsyncContextManager, contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from agents.glance import forget, once
from agents.meter import Meter
from agents.models.choice import is_slow
from agents.settings import Settings
from agents.turn import TurnBook
from storage.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.adk.agents.invocation_context import InvocationContext
    from google.adk.models.base_llm import BaseLlm

    from agents.state import SessionState
    from agents.syllabus import Syllabus
    from agents.teaching.evidence import GradedAnswer, LedgerRow
    from agents.teaching.mastery import Parameters
    from agents.teaching.rulings import Rulings
    from agents.teaching.thresholds import Thresholds
    from rag.library import Library, LibraryOptions
    from storage.corpus import Clock
    from storage.database import Database
    from storage.learners import Learners, Sessions
    from storage.ledger import Calibrations, Ledger
    from storage.lessons import LessonKind, Lessons, OpenLesson

logger = logging.getLogger(__name__)

T = TypeVar("T")

_PATIENCE = 5.0  # seconds that a turn waits for others to finish writing
_REST = 5.0  # seconds after a failure in which nobody waits again
SAVED_NOW = "What I could not save before is saved now."


class Outage:
    """Something does not answer: for a while nobody waits for it again."""

    def __init__(self) -> None:
        self.rest = _REST
        self._until = float("-inf")
        self.cause = ""

    @property
    def is_on(self) -> bool:
        return time.monotonic() < self._until

    def begin(self, cause: str) -> None:
        self._until, self.cause = time.monotonic() + self.rest, cause

    def end(self) -> None:
        self._until = float("-inf")


class Books:
    """The one way in which a turn writes; one for all sessions of a process."""

    def __init__(self, ledger: "Ledger", lessons: "Lessons") -> None:
        self._ledger = ledger
        self._lessons = lessons
        self._seconds = _PATIENCE
        self.outage = Outage()
        self._kept: list[Callable[[], Awaitable[object]]] = []
        self._unsaved_lessons: dict[tuple[str, str, str], OpenLesson] = {}

    async def answer(
        self, answer: "GradedAnswer", *, parameters: "Parameters | None" = None
    ) -> "LedgerRow | StorageError":
        """Write an answer down; the failure, when it is only kept for now."""
        return await self.surely("an answer", lambda: self._ledger.append(answer, parameters=parameters))

    async def ask(self, lesson: "OpenLesson") -> None:
        """Write down what is about to be asked, so that the answer can be graded by it."""
        key = (lesson.user_id, lesson.session_id, lesson.kind)
        self._unsaved_lessons[key] = lesson
        forget(key)

        async def write() -> None:
            if self._unsaved_lessons.get(key) is lesson:  # none was asked since
                await self._lessons.put(lesson)
                self._unsaved_lessons.pop(key, None)

        await self.surely("what was asked", write)

    async def asked(self, user_id: str, *, session_id: str, kind: "LessonKind") -> "OpenLesson | None":
        """What is being asked in a session, by our own record."""
        key = (user_id, session_id, kind)
        if unsaved := self._unsaved_lessons.get(key):
            return unsaved
        return await once(key, lambda: self._lessons.of(user_id, session_id=session_id, kind=kind))

    async def attempt(self, what: str, write: Callable[[], Awaitable[T]]) -> T | None:
        """Write it if it can be; a failure costs nobody their answer."""
        if self.outage.is_on:
            return None
        try:
            with _hurried(self._seconds):
                return await write()
        except StorageError as err:
            self.outage.begin(err.cause)
            logger.warning("%s was not written: %s", what, err.cause)
            return None

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


class TaskTools(Protocol):
    """The task server's tools, for code: called as a model would, in the learner's name."""

    async def call(
        self, ctx: "InvocationContext", tool_name: str, arguments: Mapping[str, Any]
    ) -> dict[str, Any]: ...


class Services:
    """Opened, and the libraries for it imported, by the first turn: `adk` shows its prompt before that."""

    def __init__(
        self, settings: Settings, *, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self.settings = settings
        self.now = now
        self.zone = datetime.now().astimezone().tzinfo or UTC
        self.retention = timedelta(days=settings.retention_days)
        self.turns = TurnBook()
        self.meter = Meter()
        self.database: Database
        self.library: Library
        self.learners: Learners
        self.ledger: Ledger
        self.calibrations: Calibrations
        self.sessions: Sessions
        self.lessons: Lessons
        self.books: Books
        self.model: BaseLlm  # set by whoever builds the app
        self.task_tools: TaskTools  # so is this
        self.model_is_slow = is_slow(settings)
        self._copied_on: date | None = None
        self._copying: asyncio.Task[Path | None] | None = None
        self._is_open = False
        self._opening = asyncio.Lock()
        self._syllabi: dict[str, Syllabus] = {}
        self._decisions: dict[Hashable, tuple[tuple[str, int], Any]] = {}

    async def ready(self) -> None:
        """Open everything once; on the first run ever, read the course."""
        if self._is_open:
            return
        async with self._opening:
            if not self._is_open:
                await self._open()
                self._is_open = True

    async def syllabus(self, course: str) -> "Syllabus":
        """A course's topics, read again when the course has changed."""
        from agents.syllabus import load_syllabus

        revision = (await self._clock()).revision
        known = self._syllabi.get(course)
        if known is None or known.revision != revision:
            known = self._syllabi[course] = await load_syllabus(self.library, course)
        return known

    async def mastery_parameters(self) -> "Parameters":
        """What was fitted to the answers here; where nothing was, the model as it comes."""
        from agents.teaching.mastery import Parameters

        fitted = await self._decided("calibration", self.calibrations.current)
        return Parameters(**fitted.parameters) if fitted else Parameters()

    async def thresholds(self, user_id: str) -> "Thresholds":
        """From when on something is mastered, for this learner."""
        from agents.teaching.thresholds import Thresholds
        from storage.ledger import ThresholdChoices

        choices = ThresholdChoices(self.database)
        return Thresholds(
            installation=self.settings.mastery_threshold,
            by_course=await self._decided("thresholds", choices.of_courses),
            own=await once(("threshold", user_id), lambda: choices.of(user_id)),
        )

    async def threshold(self, user_id: str, state: "SessionState") -> float:
        """From when on something is mastered in this session."""
        return (await self.thresholds(user_id)).of(state.course, asked=state.threshold_asked)

    async def rulings(self, course: str) -> "Rulings":
        """What teachers decided about the questions of a course."""
        from agents.teaching.rulings import in_force
        from storage.ledger import QuestionRulings

        rulings = QuestionRulings(self.database)
        return in_force(await self._decided(("rulings", course), lambda: rulings.of(course)))

    def look_again(self) -> None:
        """What was decided meanwhile counts in this turn, too."""
        forget("clock")

    async def _clock(self) -> "Clock":
        return await once("clock", self.library.corpus.clock)

    async def _decided(self, what: Hashable, load: Callable[[], Awaitable[T]]) -> T:
        """What somebody decided for everybody, read again when anything was decided since."""
        decided = (await self._clock()).decided
        if self._decisions.get(what, (None, None))[0] != decided:
            self._decisions[what] = decided, await load()
        known: T = self._decisions[what][1]
        return known

    async def close(self) -> None:
        async with self._opening:
            if self._is_open:
                self._is_open = False
                if self._copying:
                    await asyncio.wait([self._copying])
                await self.library.close()
                await self.database.close()

    def session_lock(self, session: str) -> AbstractAsyncContextManager[None]:
        """One turn of a session at a time, over all processes on the database."""
        from storage.database import session_lock

        return session_lock(self.database, session)

    async def forget(self, user_id: str) -> None:
        """Delete everything that is kept about a learner, conversations and copies included."""
        from agents.adk_sessions import forget_everywhere

        await forget_everywhere(self.settings, self.database, user_id)

    async def _open(self) -> None:
        from agents.bookkeeping import Bookkeeper
        from agents.language.understanding import language_of
        from rag.library import Library
        from storage.database import Database
        from storage.engines import is_postgresql, normalised, sqlite_file
        from storage.files import private_folder
        from storage.learners import Learners, Sessions
        from storage.ledger import Calibrations, Ledger
        from storage.lessons import Lessons

        url = normalised(self.settings.database)
        is_new = not is_postgresql(url) and not sqlite_file(url).exists()
        # Its weights take a third of a second to unpack, and the database is waited for anyway.
        listening = asyncio.create_task(asyncio.to_thread(language_of, "hello"))
        private_folder(self.settings.data_dir)
        self.database = await Database.open(self.settings.database)
        self.library = Library(self.database, library_options(self.settings))
        self.learners = Learners(self.database)
        self.ledger = Ledger(self.database, books=Bookkeeper())
        self.calibrations = Calibrations(self.database)
        self.sessions = Sessions(self.database)
        self.lessons = Lessons(self.database)
        self.books = Books(self.ledger, self.lessons)
        await self.library.ensure_course(self.settings.course)
        await listening
        if is_new:
            self._copied_on = self.now().date()

    def back_up_daily(self) -> None:
        """Make today's copy of the record unless there is one; nobody waits for it."""
        from storage.engines import is_postgresql, sqlite_file
        from storage.files import daily

        today = self.now().date()
        if today == self._copied_on or is_postgresql(self.database.url):
            return
        self._copied_on = today
        copying = asyncio.create_task(asyncio.to_thread(daily, sqlite_file(self.database.url), today=today))
        copying.add_done_callback(_log_failure)
        self._copying = copying


def _log_failure(copying: "asyncio.Task[Path | None]") -> None:
    if not copying.cancelled() and (err := copying.exception()):
        logger.warning("today's copy of the record was not made: %s", err)


def library_options(settings: Settings) -> "LibraryOptions":
    from rag.library import LibraryOptions

    return LibraryOptions(
        index_folder=settings.data_dir / "index",
        embedder=settings.embedder,
        cohere_api_key=settings.cohere_api_key.get_secret_value() if settings.cohere_api_key else None,
        qdrant_url=settings.qdrant_url,
        qdrant_api_key=settings.qdrant_api_key.get_secret_value() if settings.qdrant_api_key else None,
        qdrant_collection=settings.qdrant_collection,
        qdrant_replicas=settings.qdrant_replicas,
    )
