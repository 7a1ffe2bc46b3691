"""OpenAI's chat protocol on loopback, streaming: it answers as a good model would, or fails as told."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from evals.doubles.good_model import Calls, reply_to, task_of
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
    keys: list[str] = field(default_factory=list)  # that came with them
    replies: dict[str, list[str | Calls | Fault]] = field(default_factory=dict)
    always: Fault | None = None
    first_after: float = 0.0  # seconds before the first piece
    piece_after: float = 0.0  # and between the others
    first_words: list[float] = field(default_factory=list)  # when each reply began
    takes_tools: bool = True

    def tasks(self) -> list[str]:
        return [_task(request) for request in self.requests]

    def briefs(self, task: str) -> list[str]:
        """What the model was told for a task, and then asked."""
        return [
            f"{_system(request)}\n\n{_last(request)}" for request in self.requests if _task(request) == task
        ]

    def answer(self, body: dict[str, Any]) -> Told:
        self.requests.append(body)
        if not self.takes_tools and "tools" in body:
            return Told(400, {"error": {"message": "tools are not supported"}})
        scripted = self.replies.get(_task(body)) or self.replies.get("")
        reply = scripted.pop(0) if scripted else self.always or good_reply(body)
        fault = reply if isinstance(reply, Fault) else Fault()
        if fault.status != 200:
            return Told(fault.status, {"error": {"message": "not now"}})
        said = fault.text if isinstance(reply, Fault) else reply
        return Told(200, self._stream(good_reply(body) if said is None else said, fault), "text/event-stream")

    def _stream(self, said: str | Calls, fault: Fault) -> Iterator[bytes]:
        text, calls = (said, []) if isinstance(said, str) else ("", said)
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
        if fault.cut_after is not None and calls:
            return
        for place, (name, args) in enumerate(calls):
            call = {"index": place, "id": f"call-{place}", "type": "function"}
            function = {"name": name, "arguments": json.dumps(args)}
            yield _event(
                {"choices": [{"index": 0, "delta": {"tool_calls": [{**call, "function": function}]}}]}
            )
        finish = "tool_calls" if calls else fault.finish
        yield _event({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
        usage = {"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 100}
        yield _event({"choices": [], "usage": usage})
        yield b"data: [DONE]\n\n"


def _event(chunk: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(chunk)}\n\n".encode()


def good_reply(body: dict[str, Any]) -> str | Calls:
    """What a good model would answer to a request."""
    tools = [each["function"]["name"] for each in body.get("tools", ())]
    has_results = any(each["role"] == "tool" for each in body["messages"])
    return reply_to(_system(body), _last(body), tools=tools, has_results=has_results)


def _task(body: dict[str, Any]) -> str:
    return task_of(_system(body), _last(body))


def _system(body: dict[str, Any]) -> str:
    return str(body["messages"][0]["content"])


def _last(body: dict[str, Any]) -> str:
    return str(body["messages"][-1]["content"])


@contextmanager
def openai_server() -> Iterator[OpenAiServer]:
    """Serve on a free port of loopback."""
    state = OpenAiServer()

    def answer(asked: Asked) -> Told:
        if asked.path.endswith("/models"):
            return Told(200, {"object": "list", "data": [{"id": "strong", "object": "model"}]})
        state.keys.append(asked.headers.get("authorization", ""))
        return state.answer(asked.body)

    with serve(answer) as url:
        state.url = f"{url}/v1"
        yield state
