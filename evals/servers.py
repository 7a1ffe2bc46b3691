"""Several workers on one PostgreSQL server: how much more they serve, and what is lost when one of them is killed."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import httpx
from sqlalchemy import select

from evals.report import Report, Row, goal
from evals.server import PROJECT, environment, free_port
from storage.accounts import Tokens
from storage.database import Database
from storage.tables import quiz_results

_LEARNERS, _CROWD = 8, 16
_QUESTIONS = 4
_PATIENCE = 300.0  # seconds for a whole lesson: whoever has not ended by then is stuck
_START_SECONDS = 120
_REST = 0.1  # seconds before something that failed is sent again


@dataclass(slots=True)
class Served:
    """What learners saw of one server."""

    seconds: list[float] = field(default_factory=list)  # of each turn that was answered
    acknowledged: Counter[tuple[str, str]] = field(default_factory=Counter)  # marks that were shown
    sent: Counter[tuple[str, str]] = field(default_factory=Counter)
    retries: int = 0
    stuck: int = 0
    elapsed: float = 0.0

    @property
    def turns_a_second(self) -> float:
        return len(self.seconds) / self.elapsed


@dataclass(frozen=True, slots=True)
class Crew:
    """A running server and its workers."""

    url: str
    process: "subprocess.Popen[bytes]"

    def workers(self) -> list[int]:
        """Its processes that serve, oldest first."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                command = (folder / "cmdline").read_bytes()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if parent == self.process.pid and b"spawn_main" in command:
                found.append(int(folder.name))
        return sorted(found)

    def kill_one(self) -> None:
        os.kill(self.workers()[0], signal.SIGKILL)


async def run() -> Report:
    """One worker, two workers, and two of which one is killed: each with a fresh database on one PostgreSQL server."""
    with TemporaryDirectory() as name, postgresql(Path(name) / "server") as address:
        folder = Path(name)
        one = await lessons(folder / "one", await new_database(address, "one"), workers=1, learners=_LEARNERS)
        two = await lessons(folder / "two", await new_database(address, "two"), workers=2, learners=_LEARNERS)
        url = await new_database(address, "crowd")
        crowd = await lessons(folder / "crowd", url, workers=2, learners=_CROWD, kills=True)
        lost, doubled = await difference(url, crowd)
    ratio = two.turns_a_second / one.turns_a_second
    return Report(
        name="Servers: several workers on PostgreSQL",
        command="python -m evals servers",
        rows=[
            Row(
                measure=f"one worker, {_LEARNERS} learners: turns a second, p50 (ms)",
                value=f"{one.turns_a_second:.1f}, {median(one.seconds) * 1000:.0f}",
            ),
            Row(
                measure=f"two workers, {_LEARNERS} learners: turns a second, p50 (ms)",
                value=f"{two.turns_a_second:.1f}, {median(two.seconds) * 1000:.0f}",
            ),
            goal("two workers / one", ratio, at_least=1.6, shown=f"{ratio:.2f}"),
            Row(
                measure=f"two workers, {_CROWD} learners, one worker killed -9: turns, sent again",
                value=f"{len(crowd.seconds)}, {crowd.retries}",
            ),
            goal("acknowledged answers that are not in the ledger", lost, at_most=0, shown=str(lost)),
            goal("answers in the ledger more often than sent", doubled, at_most=0, shown=str(doubled)),
            goal("learners who could not end their lesson", crowd.stuck, at_most=0, shown=str(crowd.stuck)),
        ],
        notes=_NOTES,
        figures={"ratio": ratio, "lost": lost, "doubled": doubled, "stuck": crowd.stuck},
    )


_NOTES = (
    f"`tutor serve --workers N` over PostgreSQL (pgserver, same machine) with an instant model. Each learner asks for a "
    f"topic and answers {_QUESTIONS} questions over the HTTP API, each turn sent when the one before is answered, and again "
    "when its connection broke; one lesson before is not counted. The workers share the machine's cores with PostgreSQL and "
    "the learners: on two cores a second worker can add only what the first one left idle.",
    "Tried once with 64 learners on two cores that other programs kept busy (load 20): turns took over a minute, clients gave "
    "up and sent again, locks were not renewed in time and a third of the turns failed. Since then locks are renewed over a "
    "connection of their own and last 30 s, and a turn waits 90 s for a connection; 64 were not tried again.",
)


@contextmanager
def postgresql(folder: Path) -> Iterator[str]:
    """A PostgreSQL server of our own; its address."""
    import pgserver

    server = pgserver.get_server(folder)  # type: ignore[attr-defined]
    try:
        yield str(server.get_uri())
    finally:
        server.cleanup()


async def new_database(address: str, name: str) -> str:
    import asyncpg  # type: ignore[import-untyped]

    connection = await asyncpg.connect(address)
    await connection.execute(f"CREATE DATABASE {name} TEMPLATE template0")
    await connection.close()
    return address.replace("/postgres?", f"/{name}?")


async def lessons(
    home: Path, database_url: str, *, workers: int, learners: int, kills: bool = False
) -> Served:
    """All learners at once, one lesson each; `kills` one worker when a third of the turns are over."""
    served = Served()
    names = [f"learner-{number}" for number in range(learners)]
    tokens = await _tokens(database_url, [*names, "first"])
    async with crew(home, database_url, workers=workers) as running:
        limits = httpx.Limits(max_connections=learners, max_keepalive_connections=0)
        async with httpx.AsyncClient(base_url=running.url, timeout=_PATIENCE, limits=limits) as client:
            warm = Served()
            await asyncio.gather(
                *(_lesson(client, "first", tokens["first"], warm) for _ in range(1)), return_exceptions=False
            )
            began = time.perf_counter()
            work = [asyncio.create_task(_ended(client, name, tokens[name], served)) for name in names]
            if kills:
                while len(served.seconds) < learners * (_QUESTIONS + 1) / 3:  # noqa: ASYNC110
                    await asyncio.sleep(0.05)
                running.kill_one()
            await asyncio.gather(*work)
            served.elapsed = time.perf_counter() - began
    return served


async def difference(database_url: str, served: Served) -> tuple[int, int]:
    """How many acknowledged answers are not in the ledger, and how many are there more often than they were sent."""
    database = await Database.open(database_url)
    try:
        rows = await database.fetch(
            select(quiz_results.c.user_id, quiz_results.c.question_id).filter_by(action="answer")
        )
    finally:
        await database.close()
    kept = Counter((row.user_id, row.question_id) for row in rows if row.user_id != "first")
    return (served.acknowledged - kept).total(), (kept - served.sent).total()


async def _tokens(database_url: str, names: Sequence[str]) -> Mapping[str, str]:
    database = await Database.open(database_url)
    tokens = {name: f"tutor_{name}-of-the-benchmark" for name in names}
    for name, token in tokens.items():
        await Tokens(database).add(name, token=token, label="benchmark", now=datetime.now(UTC))
    await database.close()
    return tokens


@asynccontextmanager
async def crew(home: Path, database_url: str, *, workers: int) -> AsyncIterator[Crew]:
    """`tutor serve` as a process of its own; stopped as an operator stops it."""
    home.mkdir(parents=True)  # noqa: ASYNC240 (nothing else runs yet)
    port = free_port()
    tutor = str(Path(sys.executable).with_name("tutor"))
    command = [tutor, "serve", "--port", str(port), "--workers", str(workers)]
    variables = environment(home) | {"TUTOR_DATABASE_URL": database_url}
    with (home / "server.log").open("w") as log:
        process = subprocess.Popen(  # noqa: ASYNC220 (it goes on beside us)
            command, stdout=log, stderr=subprocess.STDOUT, cwd=PROJECT, env=variables
        )
        found = Crew(url=f"http://127.0.0.1:{port}", process=process)
        try:
            await _until_ready(found, home / "server.log")
            yield found
        finally:
            process.terminate()
            await asyncio.to_thread(process.wait, 120)


async def _until_ready(found: Crew, log: Path) -> None:
    until = time.monotonic() + _START_SECONDS
    async with httpx.AsyncClient(base_url=found.url, timeout=_START_SECONDS) as client:
        while found.process.poll() is None and time.monotonic() < until:
            try:
                if (await client.get("/readyz")).status_code == 200:
                    return
            except httpx.HTTPError:
                await asyncio.sleep(0.1)
    said = await asyncio.to_thread(log.read_text)
    raise RuntimeError(f"tutor serve did not start:\n{said[-2000:]}")


async def _ended(client: httpx.AsyncClient, name: str, token: str, served: Served) -> None:
    try:
        async with asyncio.timeout(_PATIENCE):
            await _lesson(client, name, token, served)
    except TimeoutError:
        served.stuck += 1


async def _lesson(client: httpx.AsyncClient, name: str, token: str, served: Served) -> None:
    view = await _turn(client, token, {"message": "teach me ROS 2 topics"}, served)
    for _ in range(_QUESTIONS):
        question = view["question"]
        if question is None:
            return
        answer = question["options"][0]["send"] if question["options"] else "I don't know"
        served.sent[name, question["question_id"]] += 1
        said = {"message": answer, "question_id": question["question_id"]}
        view = await _turn(client, token, said, served)
        if view["mark"]:
            served.acknowledged[name, view["mark"]["question_id"]] += 1


async def _turn(
    client: httpx.AsyncClient, token: str, said: Mapping[str, str], served: Served
) -> dict[str, Any]:
    """One turn, sent again until it is answered."""
    while True:
        began = time.perf_counter()
        try:
            answered = await client.post(
                "/api/turn", json=dict(said), headers={"Authorization": f"Bearer {token}"}
            )
            if view := _view(answered.text if answered.status_code == 200 else ""):
                served.seconds.append(time.perf_counter() - began)
                return view
        except httpx.HTTPError:
            pass
        served.retries += 1
        await asyncio.sleep(_REST)


def _view(stream: str) -> dict[str, Any]:
    """What stands after the turn; empty where the stream broke off."""
    for block in stream.strip().split("\n\n"):
        name, _, data = block.partition("\n")
        if name == "event: view":
            found: dict[str, Any] = json.loads(data.removeprefix("data: "))
            return found
    return {}
