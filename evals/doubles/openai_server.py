"""OpenAI's chat protocol on loopback, streaming: it answers as a good model would, or fails as told."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from evals.doubles.good_model import reply_to, task_of
from evals.doubles.loopback import Asked, Told, serve


@dataclass(frozen=True, slots=True)
class Fault:
    """How one reply goes wrong."""

    status: int = 200
    text: str | None = None
    hangs: bool = False  # says nothing until the client leaves
    cut_after: int | None = None  # pieces, then the line goes dead
    finish: str = "stop"


@dataclass
class OpenAiServer:
    """What was asked, and what goes wrong next: by task, or else for whatever comes."""

    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    replies: dict[str, list[str | Fault]] = field(default_factory=dict)
    always: Fault | None = None
    first_after: float = 0.0  # seconds before the first piece
    piece_after: float = 0.0  # and between the others
    first_words: list[float] = field(default_factory=list)  # when each reply began
    takes_schemas: bool = True

    def tasks(self) -> list[str]:
        return [task_of(_system(request)) for request in self.requests]

    def briefs(self, task: str) -> list[str]:
        return [
            request["messages"][-1]["content"]
            for request in self.requests
            if task_of(_system(request)) == task
        ]

    def answer(self, body: dict[str, Any]) -> Told:
        self.requests.append(body)
        system, brief = _system(body), body["messages"][-1]["content"]
        if not self.takes_schemas and "response_format" in body:
            return Told(400, {"error": {"message": "response_format is not supported"}})
        scripted = self.replies.get(task_of(system)) or self.replies.get("")
        reply = scripted.pop(0) if scripted else self.always or reply_to(system, brief)
        fault = reply if isinstance(reply, Fault) else Fault(text=reply)
        if fault.status != 200:
            return Told(fault.status, {"error": {"message": "not now"}})
        text = reply_to(system, brief) if fault.text is None else fault.text
        return Told(200, self._stream(text, fault), "text/event-stream")

    def _stream(self, text: str, fault: Fault) -> Iterator[bytes]:
        if fault.hangs:
            while True:  # a comment keeps the line open, as servers do, and says nothing
                yield b": still here\n\n"
                time.sleep(0.05)
        time.sleep(self.first_after)
        self.first_words.append(time.monotonic())
        pieces = [text[start : start + 24] for start in range(0, len(text), 24)]
        for place, piece in enumerate(pieces):
            if fault.cut_after is not None and place >= fault.cut_after:
                return
            yield _event({"choices": [{"index": 0, "delta": {"content": piece}}]})
            time.sleep(self.piece_after)
        yield _event({"choices": [{"index": 0, "delta": {}, "finish_reason": fault.finish}]})
        usage = {"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 100}
        yield _event({"choices": [], "usage": usage})
        yield b"data: [DONE]\n\n"


def _event(chunk: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(chunk)}\n\n".encode()


def _system(body: dict[str, Any]) -> str:
    return str(body["messages"][0]["content"])


@contextmanager
def openai_server() -> Iterator[OpenAiServer]:
    """Serve on a free port of loopback."""
    state = OpenAiServer()

    def answer(asked: Asked) -> Told:
        return state.answer(asked.body)

    with serve(answer) as url:
        state.url = f"{url}/v1"
        yield state
