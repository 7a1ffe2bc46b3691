"""A learner's visit that is played once, for many tests to look at."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from google.adk.events.event import Event

from agents.adk_sessions import APP_NAME
from agents.turn import AgentResponse
from tests.support.talk import Heard, Learner


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One message, and what came of it."""

    said: str
    heard: Heard
    state: Mapping[str, Any]  # of the session, as it is stored

    @property
    def text(self) -> str:
        return self.heard.text

    @property
    def response(self) -> AgentResponse:
        return AgentResponse.model_validate(self.state["last_response"])

    @property
    def events(self) -> list[Event]:
        return [event for event in self.heard.events if not event.partial]


@dataclass(slots=True)
class Story:
    """What was said and came of it, in its order, and what was found in the database when it was over."""

    learner: Learner
    turns: list[Told] = field(default_factory=list)
    found: dict[str, Any] = field(default_factory=dict)

    def __getitem__(self, said: str) -> Told:
        """What came of a message when it was said last."""
        return next(turn for turn in reversed(self.turns) if turn.said == said)

    async def say(self, text: str) -> Told:
        heard = await self.learner.say(text)
        session = await self.learner.sessions.get_session(
            app_name=APP_NAME, user_id=self.learner.user_id, session_id=self.learner.session_id
        )
        assert session is not None
        self.turns.append(Told(said=text, heard=heard, state=session.state))
        return self.turns[-1]

    async def answer(self, text: str) -> Told:
        """As an answer, confirmed where the tutor asks whether it is one."""
        told = await self.say(text)
        return await self.say("yes") if told.state["doubtful_message"] else told

    async def restart(self) -> None:
        """Everything that is in memory is gone."""
        self.learner = await self.learner.restarted()


def play(folder: Path, script: Callable[[Story], Awaitable[None]], **settings: str) -> Story:
    """Play a visit from its beginning to its end."""

    async def played() -> Story:
        story = Story(await Learner(folder, **settings).begin())
        try:
            await script(story)
        finally:
            await story.learner.close()
        return story

    # In a thread, because whoever is the first to ask may be inside a loop.
    with ThreadPoolExecutor(1) as stage:
        return stage.submit(asyncio.run, played()).result()
