"""Work that is imported when it is first needed: `adk run` shows its prompt before that."""

from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import Any


def load(path: str) -> Any:
    """What a dotted path names."""
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)


class Later:
    """An object made when one of its methods is first called."""

    def __init__(self, path: str, *arguments: object) -> None:
        self._path = path
        self._arguments = arguments
        self._made: Any = None

    def method(self, name: str) -> Callable[..., Awaitable[Any]]:
        """One of its methods as an ADK callback."""

        async def call(**arguments: Any) -> Any:
            if self._made is None:
                self._made = load(self._path)(*self._arguments)
            return await getattr(self._made, name)(**arguments)

        return call
