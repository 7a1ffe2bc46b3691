"""Gemini's REST protocol on loopback, for the real client: it answers as a good model would, or fails as told."""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from typing import Any

from agents.models.embedded import Request
from agents.prompts import unfence

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

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            status, result = state.answer(body)
            streams = re.search(r":streamGenerateContent", self.path) and status == 200
            text = f"data: {json.dumps(result)}\r\n\r\n" if streams else json.dumps(result)
            self.send_response(status)
            self.send_header("content-type", "text/event-stream" if streams else "application/json")
            self.send_header("content-length", str(len(text.encode())))
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, format: str, *args: object) -> None:
            """Tests print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
