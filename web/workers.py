"""One server, one or several processes: they share the port, and one that dies is started again."""

import asyncio
import logging
import multiprocessing
import signal
import socket
import threading
import time
from collections.abc import Callable, MutableSequence
from dataclasses import dataclass
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from types import FrameType

from agents.meter import WIDTH, Meter
from agents.services import Services
from agents.settings import load_settings
from web.access import Doors

logger = logging.getLogger(__name__)

_SPAWN = multiprocessing.get_context("spawn")  # a fork would take the parent's threads for alive
_REST = 1.0  # seconds before one that died at once is started again
_LAST_WORDS = 90  # seconds that a turn may take to end; then its worker is killed


async def serve_one(
    listening: socket.socket, *, doors: Doors, meter: Meter | None = None, on_ready: Callable[[], None]
) -> None:
    """Serve until a signal ends it; turns under way are ended first."""
    import uvicorn

    from web.app import build_web

    services = Services(load_settings())
    services.meter = meter or services.meter
    # What a proxy says is read at our own gate, and only from the proxies that are listed.
    config = uvicorn.Config(
        build_web(services, doors=doors, on_ready=on_ready), log_level="warning", proxy_headers=False
    )
    try:
        await uvicorn.Server(config).serve(sockets=[listening])
    finally:
        await services.close()


def serve_several(
    count: int, listening: socket.socket, *, doors: Doors, on_ready: Callable[[], None]
) -> None:
    """Several workers on one port, until a signal ends them."""
    # Once, before they begin: the schema, the first course, and whatever else is made at the first start.
    asyncio.run(_prepare())
    rows = _SPAWN.RawArray("d", count * WIDTH)
    Workers([_Post(number, listening, doors, rows) for number in range(count)]).run(on_ready)


async def _prepare() -> None:
    services = Services(load_settings())
    try:
        await services.ready()
        await services.library.follow()
    finally:
        await services.close()


@dataclass(frozen=True, slots=True)
class _Post:
    """The place of one worker, whoever fills it."""

    number: int
    listening: socket.socket
    doors: Doors
    rows: MutableSequence[float]

    def start(self) -> SpawnProcess:
        process = _SPAWN.Process(target=_work, args=(self,), name=f"tutor worker {self.number + 1}")
        process.start()
        return process


def _work(post: _Post) -> None:
    # uvicorn ends gracefully and then sends itself the signal again, which would cut off what comes after it.
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, lambda *_: None)
    meter = Meter(post.rows, row=post.number)
    asyncio.run(serve_one(post.listening, doors=post.doors, meter=meter, on_ready=lambda: None))


class Workers:
    """Keeps every post filled until it is told to stop."""

    def __init__(self, posts: "list[_Post]") -> None:
        self._posts = posts
        self._filled: dict[int, tuple[SpawnProcess, float]] = {}
        self._stopping = threading.Event()

    def run(self, on_ready: Callable[[], None]) -> None:
        for each in (signal.SIGTERM, signal.SIGINT):
            signal.signal(each, self._stop)
        for post in self._posts:
            self._fill(post)
        on_ready()
        while not self._stopping.is_set():
            wait([process.sentinel for process, _ in self._filled.values()], timeout=0.5)
            for post in self._posts:
                process, began = self._filled[post.number]
                if process.exitcode is not None and not self._stopping.is_set():
                    logger.warning("%s ended (%s) and is started again", process.name, process.exitcode)
                    time.sleep(max(0.0, _REST - (time.monotonic() - began)))
                    self._fill(post)
        self._end()

    def _fill(self, post: _Post) -> None:
        self._filled[post.number] = post.start(), time.monotonic()

    def _stop(self, _signal: int, _frame: FrameType | None) -> None:
        self._stopping.set()

    def _end(self) -> None:
        until = time.monotonic() + _LAST_WORDS
        for process, _ in self._filled.values():
            process.terminate()
        for process, _ in self._filled.values():
            process.join(max(0.0, until - time.monotonic()))
            if process.exitcode is None:
                process.kill()
                process.join()
