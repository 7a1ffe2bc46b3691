"""What the agents share at run time: the database, the course library and the clock."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from agents.models.choice import choose_model
from agents.models.measured import is_slow
from agents.settings import Settings
from agents.turns import TurnBook

if TYPE_CHECKING:
    from google.adk.models.base_llm import BaseLlm

    from agents.quiz.writer import Writing
    from agents.syllabus import Syllabus
    from agents.teaching.mastery import Parameters
    from rag.library import Library
    from storage.calibrations import Calibrations
    from storage.database import Database
    from storage.learners import Learners
    from storage.ledger import Ledger
    from storage.sessions import Sessions


class Services:
    """Opened, and the libraries for it imported, by the first turn: `adk` shows its prompt before that."""

    def __init__(
        self, settings: Settings, *, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self.settings = settings
        self.now = now
        self.zone = datetime.now().astimezone().tzinfo or UTC
        self.turns = TurnBook()
        self.has_large_model = choose_model(settings).family != "embedded"
        self.database: Database
        self.library: Library
        self.learners: Learners
        self.ledger: Ledger
        self.calibrations: Calibrations
        self.sessions: Sessions
        self.model: BaseLlm  # set by whoever builds the app
        self.writing: Writing  # of questions, once a quiz was begun
        self.model_is_slow = is_slow(settings)
        self._is_open = False
        self._opening = asyncio.Lock()
        self._syllabi: dict[str, Syllabus] = {}

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

        revision = (await self.library.corpus.clock()).revision
        known = self._syllabi.get(course)
        if known is None or known.revision != revision:
            known = self._syllabi[course] = await load_syllabus(self.library, course)
        return known

    async def mastery_parameters(self) -> "Parameters":
        """What was fitted to the answers here; where nothing was, the model as it comes."""
        from agents.teaching.mastery import Parameters

        fitted = await self.calibrations.current()
        return Parameters(**fitted.parameters) if fitted else Parameters()

    async def close(self) -> None:
        if self._is_open:
            self._is_open = False
            await self.library.close()
            await self.database.close()

    def session_lock(self, session_id: str) -> AbstractAsyncContextManager[None]:
        """One turn of a session at a time, over all processes on the database."""
        from storage.locks import session_lock

        return session_lock(self.database, session_id)

    async def forget(self, user_id: str) -> None:
        """Delete everything that is kept about a learner."""
        from storage.forgetting import forget_learner

        await forget_learner(self.database, user_id)

    async def _open(self) -> None:
        from agents.commands.setup import library_options
        from agents.language.tongue import language_of
        from agents.quiz.writer import Writing
        from rag.library import Library
        from storage.calibrations import Calibrations
        from storage.database import Database
        from storage.learners import Learners
        from storage.ledger import Ledger
        from storage.sessions import Sessions

        # Its weights take a third of a second to unpack, and the database is waited for anyway.
        listening = asyncio.create_task(asyncio.to_thread(language_of, "hello"))
        self.database = await Database.open(self.settings.database)
        self.library = Library(self.database, library_options(self.settings))
        self.learners = Learners(self.database)
        self.ledger = Ledger(self.database)
        self.calibrations = Calibrations(self.database)
        self.sessions = Sessions(self.database)
        self.writing = Writing()
        await self.library.ensure_course(self.settings.course)
        await self.sessions.forget_before(self.now() - timedelta(days=self.settings.retention_days))
        await listening
