"""Gemini's REST protocol on loopback, for the real client: it answers as a good model would, or fails as told."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from agents.models.embedded import Request
from agents.prompts import unfence
from tests.support.loopback import Asked, Told, serve

_ROLES = {
    "You are the tutor": "tutor",
    "You are the examiner": "quiz",
    "You are the feedback giver": "feedback",
    "You are the path planner": "pathplanner",
    "You are the diagnostician": "diagnostic",
    "You are the coordinator": "coordinator",
    "You are the task manager": "task_manager",
}


@dataclass
class GeminiServer:
    """What was asked, and what goes wrong next."""

    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def roles(self) -> list[str]:
        return [_role(request) for request in self.requests]

    def answer(self, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        self.requests.append(body)
        if self.statuses and (status := self.statuses.pop(0)) != 200:
            return status, {"error": {"code": status, "message": "try later", "status": "UNAVAILABLE"}}
        part = {"text": self.texts.pop(0)} if self.texts else _reply(body)
        return 200, {
            "candidates": [
                {
                    "content": {"role": "model", "parts": [part] if part else []},
                    "finishReason": "STOP",
                    "index": 0,
                }
            ],
            "usageMetadata": {"promptTokenCount": 90, "candidatesTokenCount": 10, "totalTokenCount": 100},
            "modelVersion": "gemini-test",
        }


def _role(body: dict[str, Any]) -> str:
    text = _instruction(body)
    return next((role for start, role in _ROLES.items() if start in text), "")


def _instruction(body: dict[str, Any]) -> str:
    return "\n".join(part.get("text", "") for part in body.get("systemInstruction", {}).get("parts", []))


def _reply(body: dict[str, Any]) -> dict[str, Any]:
    """What the agent's own skill would say: right in form and content."""
    skill = import_module(f"agents.{_role(body)}.skill").speak
    results: dict[str, dict[str, Any]] = {}
    message = ""
    for content in body["contents"]:
        for part in content["parts"]:
            if "functionResponse" in part:
                results[part["functionResponse"]["name"]] = part["functionResponse"]["response"]
            elif content.get("role") == "user" and "text" in part:
                message, results = part["text"], {}
    reply = skill(Request(brief=unfence(_instruction(body)), message=message, tool_results=results))
    if reply.tool:
        return {"functionCall": {"name": reply.tool, "args": reply.arguments}}
    return {"text": json.dumps(reply.data) if reply.data is not None else reply.text}


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
