"""A class at a real server with accounts, and how a person of it gets into a state without a browser."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

from fastapi import FastAPI

from agents.plugins.serialise import SerialisePlugin
from agents.services import Services
from agents.state import SessionState
from agents.teaching.values import Item, QuizQuestion
from storage.accounts import Accounts
from storage.ledger import QuestionRulings
from tests.support.site import given, on_a_port
from tests.support.talk import settings_in
from web import yours
from web.access import Doors, Seal, own_key, signed_in_as
from web.app import build_web

T = TypeVar("T")
COURSE, TOPIC, PASSWORD = "physical-ai", "ROS 2 topics", "correct horse battery"
_TIDES = """# Tides

## What a tide is

A tide is the rise and fall of the sea that the Moon causes. A spring tide is the largest tide of a month.
A neap tide is the smallest tide of a month. The Moon pulls the water that is nearest to it, and the water rises.

## What a tidal range is

A tidal range is the height between high and low water. It is the difference of the two:

```python
high, low = 5, 2
print(high - low)
```

```output
3
```

## How to read a tide table

A tide table is read in four steps:

1. Find the page of the harbour that you are in.
2. Find the line of the day on that page.
3. Add an hour in summer, when clocks are put forward.
4. Take the lower figure as the depth over the bar.
"""
_ONLY_IN_TIDES = ("ordering", "output")  # kinds of questions
# Enough to be taught: a page of nothing but questions belongs to another one.
_HARBOUR = """\
A harbour lies where the land keeps the wind off. Its mouth is narrow, because a narrow mouth lets few waves in. The
water inside rises and falls with the sea outside, half an hour later. Who sails in with the rising water saves half of
the way, and who comes too late waits outside until the next tide."""
# What hardly any text asks by itself: a page a kind, and how its question is set.
_SET_WORK = {
    "cloze": "Before a narrow mouth the ships of a whole coast lie at anchor in deep and sheltered water called the "
    "**roadstead**, where they wait for the rising tide.",
    "several": "A ferry leaves at slack water.\n\nWhich of these move water?\n\n"
    '<Question choices={[{text: "The Moon", correct: true}, {text: "The wind", correct: true}, {text: "A map"}]} />',
    "true_false": "A lock keeps the water of a harbour in.\n\nA lock keeps the water in at low tide.\n\n"
    '<Question choices={[{text: "True", correct: true}, {text: "False"}]} />',
    "numeric": "The speed of a rising tide is its height by the time.\n\n"
    "::: exercise\nA tide rises 3 m in 2 h. How fast does it rise?\n\n::: solution\n1.5 m/h\n:::\n:::",
    "formula": "The speed of a rising tide is its height by the time.\n\n"
    "::: exercise\nWrite the speed v by the height h and the time t.\n\n::: solution\nv = h/t\n:::\n:::",
}

Records = Mapping[Path, sqlite3.Connection]


class School:
    """The server, its people, and what is recorded about them."""

    def __init__(
        self, folder: Path, *, loop: asyncio.AbstractEventLoop, web: FastAPI, services: Services
    ) -> None:
        self.web, self.services = web, services
        self.tides = folder / "tides"
        self._loop = loop
        self._seal = Seal(own_key(services.settings.data_dir))
        self._files = [folder / "data" / name for name in ("tutor.db", "sessions.db")]
        self._quizzes: dict[str, tuple[str, str]] = {}

    def do(self, work: Awaitable[T]) -> T:
        """In the server's own loop."""

        async def done() -> T:
            return await work

        return asyncio.run_coroutine_threadsafe(done(), self._loop).result(120)

    async def account(self, name: str, *, is_teacher: bool = False, has_come_in: bool = True) -> None:
        await self.services.ready()
        accounts, now = Accounts(self.services.database), self.services.now()
        link, until = f"link-{name}", now + timedelta(days=1)
        await accounts.add(name, is_teacher=is_teacher, link=link, expires_at=until, now=now)
        if has_come_in:
            await accounts.use_link(link, password_hash=yours._hasher.hash(PASSWORD), now=now)

    def cookie(self, name: str, address: str) -> Any:
        """What a browser has that signed in."""
        sealed = self._seal.close(signed_in_as(name, now=self.services.now()))
        return {"name": self._seal.cookie, "value": sealed, "url": address}

    async def state(self, name: str) -> SessionState:
        return await self.web.state.talk.state(name)

    async def say(self, name: str, text: str, *, said_in: str = "button", **wish: str) -> SessionState:
        question = (await self.state(name)).pending_question
        its_id = question.question_id if question and said_in == "answer" else ""
        await self.web.state.talk.begin(name, text, said_in=said_in, question_id=its_id, wish=wish).task
        return await self.state(name)

    async def start(self, name: str, topic: str = TOPIC, *, course: str = COURSE) -> SessionState:
        return await self.say(name, f"teach me {topic}", action="teach", topic=topic, course=course)

    async def answer(self, name: str, *, right: bool = True) -> SessionState:
        state = await self.state(name)
        assert state.pending_question is not None
        own = "yes" if right else "no"
        text = own if state.self_check_answer else given(state.pending_question, right=right)
        return await self.say(name, text, said_in="answer")

    async def add_tides(self) -> None:
        """Two more courses, always both: a record that is put back goes on counting from an older revision of all courses."""
        harbour = self.tides.with_name("harbour")
        harbour.mkdir(exist_ok=True)
        for kind, text in _SET_WORK.items():
            page = f"# Harbour {kind}\n\n{_HARBOUR}\n\n{text}\n"
            (harbour / f"{kind}.mdx").write_text(page, encoding="utf-8")
        await self.services.library.ingest([self.tides])
        await self.services.library.ingest([harbour])

    async def keep_questions(self, count: int) -> None:
        """Questions of the course's author, of which a teacher has taken out the first."""
        now = self.services.now()
        found = [
            Item(
                question=QuizQuestion(
                    question_id=f"item-{number:02}",
                    question_text=f"What does a topic carry, in {number} words?",
                    concept_name="topic",
                    difficulty="easy",
                    expected_answer="messages",
                    source_context="",
                    kind="multiple_choice",
                    options=("messages", "parcels"),
                    origin="author",
                    solution="Messages of one type.",
                ),
                exercise_id=f"item-{number:02}",
                chapter_id="module-1-ros2/ch2-topics",
                position=number,
            )
            for number in range(count)
        ]
        await self.services.library.corpus.items.add(COURSE, found, now=now)
        await QuestionRulings(self.services.database).add(
            course=COURSE,
            question_id="item-00",
            question_text="",
            ruling="retired",
            decided_by="tess",
            now=now,
        )

    async def quiz_with(self, kind: str) -> tuple[str, str]:
        """A course, and a topic of it whose quiz asks a question of this kind; found by asking."""
        if kind in _ONLY_IN_TIDES:
            await self.add_tides()
            return "tides", "Tides"
        if kind in _SET_WORK:
            await self.add_tides()
            return "harbour", f"Harbour {kind}"
        for topic in (await self.services.syllabus(COURSE)).topic_names():
            if kind in self._quizzes:
                break
            for each in (await self.start("scout", topic)).quiz_questions:
                self._quizzes.setdefault(each.kind, (COURSE, topic))
        return self._quizzes[kind]

    def records(self) -> Records:
        """Everything that is recorded now."""
        kept = {file: sqlite3.connect(":memory:") for file in self._files}
        for file, copy in kept.items():
            with closing(sqlite3.connect(file)) as connection:
                connection.backup(copy)
        return kept

    def put_back(self, records: Records) -> None:
        """As if nothing had happened since."""
        for file, copy in records.items():
            with closing(sqlite3.connect(file)) as connection:
                copy.backup(connection)
        # The same words again, a moment later, would be the same message.
        for plugin in self.web.state.talk.runner.app.plugins:
            if isinstance(plugin, SerialisePlugin):
                plugin._last.clear()


@contextmanager
def school_in(folder: Path, **settings: str) -> Iterator[tuple[School, str]]:
    """A school, and the address of its server."""
    services = Services(settings_in(folder, settings))
    web = build_web(services, doors=Doors(way="accounts"))
    with on_a_port(web, services) as (address, loop):
        school = School(folder, loop=loop, web=web, services=services)
        school.tides.mkdir()
        (school.tides / "tides.md").write_text(_TIDES)
        school.do(school.account("scout"))
        school.do(school.state("scout"))  # the first visit makes the tables of the sessions
        yield school, address
