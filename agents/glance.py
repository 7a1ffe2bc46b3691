"""What is read once a turn, or once a page: what hardly changes, and what only the turn itself would change."""

from collections.abc import Awaitable, Callable, Hashable
from contextvars import ContextVar
from typing import Any, TypeVar

T = TypeVar("T")


class Glance:
    """What was read so far; when it is over, everything is read anew."""

    def __init__(self) -> None:
        self._known: dict[Hashable, Any] | None = {}

    def end(self) -> None:
        self._known = None

    def forget(self, key: Hashable) -> None:
        if self._known is not None:
            self._known.pop(key, None)

    def know(self, key: Hashable, found: Any) -> None:
        if self._known is not None:
            self._known[key] = found

    async def read(self, key: Hashable, load: Callable[[], Awaitable[T]]) -> T:
        if self._known is None:
            return await load()
        if key not in self._known:
            found = await load()
            if self._known is None:
                return found
            self._known[key] = found
        known: T = self._known[key]
        return known


# The task that runs a turn or serves a page has one; the tasks that it starts share it.
_current: ContextVar[Glance | None] = ContextVar("glance", default=None)


def begin_glance() -> Glance:
    """From here on; whoever begins one ends it."""
    glance = Glance()
    _current.set(glance)
    return glance


async def once(key: Hashable, load: Callable[[], Awaitable[T]]) -> T:
    """What was read before under this name; outside of a turn and of a page it is read every time."""
    glance = _current.get()
    return await (glance.read(key, load) if glance else load())


def know(key: Hashable, found: Any) -> None:
    """It was read together with something else."""
    if glance := _current.get():
        glance.know(key, found)


def forget(key: Hashable) -> None:
    """It has just been changed."""
    if glance := _current.get():
        glance.forget(key)
