"""The same tutor through adk run in a terminal and adk api_server over HTTP, with no key and no network."""

import json
import os
import re
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

PROJECT = Path(__file__).parents[2]
SESSION = "/apps/agents/users/ada/sessions/s1"


def environment(folder: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return {
        **kept,
        "PYTHONPATH": str(PROJECT),
        "TUTOR_DATA_DIR": str(folder / "data"),
        "PYTHONUNBUFFERED": "1",
    }


def adk(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "google.adk.cli", *arguments]


def test_adk_run_teaches_in_a_terminal(tmp_path: Path) -> None:
    lines = "hello\nteach me ROS 2 topics\nwhat is a node?\nstop\nexit\n"
    done = subprocess.run(
        adk("run", "--in_memory", str(PROJECT / "agents")),
        input=lines,
        capture_output=True,
        text=True,
        env=environment(tmp_path),
        cwd=tmp_path,
        check=True,
    )
    said = done.stdout
    assert "Welcome" in said
    assert said.index("[tutor]") < said.index("[quiz]") < said.index("Question 1 of 4")
    assert "A node is a named unit" in said
    assert "Stopped." in said
    assert "Traceback" not in done.stderr


@contextmanager
def api_server(folder: Path) -> Iterator[str]:
    """adk api_server on a free port; ready when it says so."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    database = f"sqlite:///{folder / 'sessions.db'}"
    command = adk(
        "api_server", "--port", str(port), "--session_service_uri", database, str(PROJECT / "agents")
    )
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment(folder),
        cwd=folder,
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if "Uvicorn running" in line:
                break
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.stdout.read()


def post(url: str, body: dict[str, Any] | None = None) -> str:
    request = urllib.request.Request(
        url, data=json.dumps(body or {}).encode(), headers={"content-type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=120) as answer:
        text: str = answer.read().decode()
        return text


def message(text: str) -> dict[str, Any]:
    return {
        "appName": "agents",
        "userId": "ada",
        "sessionId": "s1",
        "newMessage": {"role": "user", "parts": [{"text": text}]},
    }


def texts(events: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [
        (event["author"], part["text"])
        for event in events
        for part in (event.get("content") or {}).get("parts") or []
        if part.get("text") and not event.get("partial")
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("server")


def test_api_server_runs_a_turn_streams_one_and_survives_a_restart(folder: Path) -> None:
    with api_server(folder) as url:
        post(url + SESSION)
        first = texts(json.loads(post(f"{url}/run", message("teach me ROS 2 topics"))))
        state = json.loads(urllib.request.urlopen(url + SESSION, timeout=60).read())["state"]
        question = state["quiz_questions"][0]
        streamed = post(f"{url}/run_sse", {**message("what is a node?"), "streaming": True})
    assert [author for author, _ in first] == ["tutor", "quiz"]
    pieces = [json.loads(line[6:]) for line in streamed.splitlines() if line.startswith("data: ")]
    assert any(piece.get("partial") for piece in pieces)
    assert re.search(r"A node is a named unit", texts(pieces)[-1][1])
    with api_server(folder) as url:
        answered = texts(json.loads(post(f"{url}/run", message(question["expected_answer"]))))
    assert "Question 2 of 4" in answered[-1][1]
