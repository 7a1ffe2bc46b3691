"""Gemini's REST protocol on loopback, for the real client: it answers as a good model would, or fails as told."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from evals.doubles.good_model import Calls, reply_to, task_of
from evals.doubles.loopback import Asked, Told, serve


@dataclass
class GeminiServer:
    """What was asked, and what goes wrong next."""

    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def tasks(self) -> list[str]:
        return [task_of(_instruction(request), _brief(request)) for request in self.requests]

    def answer(self, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        self.requests.append(body)
        if self.statuses and (status := self.statuses.pop(0)) != 200:
            return status, {"error": {"code": status, "message": "try later", "status": "UNAVAILABLE"}}
        said = self.texts.pop(0) if self.texts else _good_reply(body)
        parts = (
            [{"text": said}]
            if isinstance(said, str)
            else [{"functionCall": {"name": name, "args": args}} for name, args in said]
        )
        return 200, {
            "candidates": [
                {
                    "content": {"role": "model", "parts": parts},
                    "finishReason": "STOP",
                    "index": 0,
                }
            ],
            "usageMetadata": {"promptTokenCount": 90, "candidatesTokenCount": 10, "totalTokenCount": 100},
            "modelVersion": "gemini-test",
        }


def _instruction(body: dict[str, Any]) -> str:
    return "\n".join(part.get("text", "") for part in body.get("systemInstruction", {}).get("parts", []))


def _good_reply(body: dict[str, Any]) -> str | Calls:
    tools = [each["name"] for tool in body.get("tools", ()) for each in tool.get("functionDeclarations", ())]
    has_results = any("functionResponse" in part for content in body["contents"] for part in content["parts"])
    return reply_to(_instruction(body), _brief(body), tools=tools, has_results=has_results)


def _brief(body: dict[str, Any]) -> str:
    return "\n".join(part.get("text", "") for part in body["contents"][-1]["parts"])


@contextmanager
def gemini_server() -> Iterator[GeminiServer]:
    """Serve on a free port of loopback."""
    state = GeminiServer()

    def answer(asked: Asked) -> Told:
        status, result = state.answer(asked.body)
        if ":streamGenerateContent" in asked.path and status == 200:
            return Told(status, f"data: {json.dumps(result)}\r\n\r\n".encode(), "text/event-stream")
        return Told(status, result)

    with serve(answer) as url:
        state.url = url
        yield state
