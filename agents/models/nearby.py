"""Models that are running on this machine: Ollama, LM Studio and llama.cpp, by the list that each of them serves."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

SECONDS = 0.5  # in all
_MOST_BYTES = 1 << 20
_MOST_NAME = 200
# What else is served beside them: it writes no words.
_NO_WORDS = ("embed", "rerank", "whisper")


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalServer:
    """A program that serves models on loopback."""

    name: str
    port: int
    family: str = "openai"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"


SERVERS = (
    LocalServer(name="Ollama", port=11434, family="ollama"),
    LocalServer(name="LM Studio", port=1234),
    LocalServer(name="llama.cpp", port=8080),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NearbyModel:
    """A model that could be used right away."""

    name: str
    server: LocalServer

    @property
    def setting(self) -> str:
        """As TUTOR_MODEL names it."""
        return f"{self.server.family}:{self.name}"

    @property
    def url(self) -> str:
        """As TUTOR_MODEL_URL has it; Ollama is known by its name alone."""
        return "" if self.server.family == "ollama" else self.server.url


async def find_models(
    servers: Sequence[LocalServer] = SERVERS, *, seconds: float = SECONDS
) -> tuple[NearbyModel, ...]:
    """Everything that answers in time, all servers asked at once."""
    asked = [asyncio.create_task(_served_by(server)) for server in servers]
    if asked:
        await asyncio.wait(asked, timeout=seconds)
    found: list[NearbyModel] = []
    for each in asked:
        if each.done() and not each.cancelled() and each.exception() is None:
            found += each.result()
        else:
            each.cancel()
    return tuple(found)


async def _served_by(server: LocalServer) -> list[NearbyModel]:
    import httpx

    # No proxy of the environment and no redirect may lead elsewhere; plain HTTP needs no certificates read.
    async with (
        httpx.AsyncClient(trust_env=False, follow_redirects=False, verify=False, timeout=None) as client,
        client.stream("GET", f"{server.url}/models") as answer,
    ):
        if answer.status_code != httpx.codes.OK:
            return []
        body = b""
        async for piece in answer.aiter_bytes():
            body += piece
            if len(body) > _MOST_BYTES:
                return []
    return [NearbyModel(name=name, server=server) for name in _names_in(body)]


def _names_in(body: bytes) -> list[str]:
    try:
        told: Any = json.loads(body)
    except ValueError:
        return []
    listed = told.get("data") if isinstance(told, dict) else None
    names = [each.get("id") for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    return [
        name
        for name in names
        if isinstance(name, str)
        and 0 < len(name) <= _MOST_NAME
        and name.isprintable()
        and not any(word in name.lower() for word in _NO_WORDS)
    ]
