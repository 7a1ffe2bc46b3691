"""The task server as a process: what it prints, how it ends, what it writes down, what it survives."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Self

import pytest

ROOT = Path(__file__).parents[2]
PATIENCE = 30.0
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


class Server:
    """A server process with our hands on both ends of its pipes."""

    def __init__(self, *options: str, environment: Mapping[str, str] | None = None) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tasks_tools", *options],
            env={"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"], **(environment or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        self._requests = 0

    def request(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        self._requests += 1
        self.send({"jsonrpc": "2.0", "id": self._requests, "method": method, "params": params})
        answer = self.receive()
        assert answer["id"] == self._requests
        result: dict[str, Any] = answer["result"]
        return result

    def greet(self) -> Self:
        self.request("initialize", HELLO)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return self

    def call(self, tool: str, *, user: str | None = "ada", **arguments: Any) -> dict[str, Any]:
        meta = {} if user is None else {"_meta": {"user_id": user}}
        result = self.request("tools/call", {"name": tool, "arguments": arguments, **meta})
        content: dict[str, Any] = result["structuredContent"]
        return content

    def send(self, message: Mapping[str, Any]) -> None:
        self.send_text(json.dumps(message))

    def send_text(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        message: dict[str, Any] = json.loads(self._process.stdout.readline())
        return message

    def deafen(self) -> None:
        assert self._process.stdout is not None
        self._process.stdout.close()

    def hang_up(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()

    def complaints(self) -> str:
        assert self._process.stderr is not None
        return self._process.stderr.read()

    def signal(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def end(self) -> tuple[int, str, str]:
        """Close its input and wait: the exit code, and what it still said on stdout and stderr."""
        said, complained = self._process.communicate(timeout=PATIENCE)
        return self._process.returncode, said, complained

    def wait(self) -> int:
        """Wait without closing its input."""
        return self._process.wait(timeout=PATIENCE)

    def stop(self) -> None:
        self._process.kill()
        self._process.wait(timeout=PATIENCE)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert stream is not None
            stream.close()


@pytest.fixture
def database(migrated_sqlite: Path, tmp_path: Path) -> Path:
    file = tmp_path / "tutor.db"
    file.write_bytes(migrated_sqlite.read_bytes())
    return file


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "tasks.log"


@pytest.fixture
def server(database: Path, log: Path) -> Iterator[Server]:
    running = Server("--database", f"sqlite:///{database}", "--log", str(log))
    yield running
    running.stop()


def test_it_ends_quietly_when_its_client_goes(server: Server) -> None:
    server.greet().call("list_tasks")

    assert server.end() == (0, "", "")


def test_it_ends_quietly_when_its_client_goes_before_saying_anything(server: Server) -> None:
    assert server.end() == (0, "", "")


def test_it_ends_quietly_when_its_client_stops_reading_and_goes(server: Server) -> None:
    server.greet().deafen()
    server.send({"jsonrpc": "2.0", "id": 9, "method": "tools/list"})
    server.hang_up()

    assert (server.wait(), server.complaints()) == (0, "")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_quietly_while_its_input_is_open(server: Server, number: signal.Signals) -> None:
    server.greet().call("add_task", title="kept")

    server.signal(number)

    assert server.wait() == 0
    assert server.end() == (0, "", "")


def test_nonsense_on_its_input_neither_ends_it_nor_reaches_the_terminal(server: Server) -> None:
    server.greet()
    server.send_text("this is not JSON")
    server.send_text('{"jsonrpc": "2.0", "method": "notifications/unheard_of"}')

    assert server.call("list_tasks")["success"] is True
    assert server.end() == (0, "", "")


def test_every_call_is_logged_with_ids_and_never_with_words(server: Server, log: Path) -> None:
    server.greet()
    number = server.call("add_task", title="secret-title", description="secret-words")["data"]["id"]
    server.call("complete_task", task_id=number)
    server.call("complete_task", task_id=999)
    server.call("list_tasks", user=None, note="secret-note")
    server.call("secret-tool")
    server.end()

    lines = log.read_text(encoding="utf-8").splitlines()
    assert [line.split(" tasks_tools ")[1].split(" ms=")[0] for line in lines] == [
        f"tool=add_task user=ada by=learner task={number} code=OK",
        f"tool=complete_task user=ada by=learner task={number} code=OK",
        "tool=complete_task user=ada by=learner task=999 code=NOT_FOUND",
        "tool=list_tasks user=None by=learner task=None code=UNAUTHENTICATED",
        "tool=unknown user=ada by=learner task=None code=INVALID_INPUT",
    ]
    assert "secret" not in "".join(lines)


def test_a_broken_database_is_a_sentence_and_the_next_call_works_once_it_is_mended(
    server: Server, database: Path
) -> None:
    good = database.read_bytes()
    database.write_text("this is not a database", encoding="utf-8")
    broken = server.greet().call("add_task", title="x")
    database.write_bytes(good)

    assert broken["error"]["code"] == "STORAGE_ERROR"
    assert str(database.parent) not in broken["error"]["message"]
    assert server.call("add_task", title="x")["success"] is True
    assert server.end() == (0, "", "")


def test_a_new_folder_gets_a_database(tmp_path: Path) -> None:
    folder = tmp_path / "not yet? 100%20"
    server = Server(environment={"TUTOR_DATA_DIR": str(folder), "TUTOR_USER": "ada"}).greet()

    assert server.call("add_task", user=None, title="x")["data"]["title"] == "x"
    assert server.end() == (0, "", "")
    assert {"tutor.db", "tasks.log"} <= {file.name for file in folder.iterdir()}


def test_tasks_outlive_the_server(server: Server, database: Path, log: Path) -> None:
    server.greet().call("add_task", title="kept")
    server.stop()

    again = Server("--database", f"sqlite:///{database}", "--log", str(log)).greet()
    assert [task["title"] for task in again.call("list_tasks")["data"]["tasks"]] == ["kept"]
    assert again.end() == (0, "", "")


def test_a_log_that_cannot_be_written_is_one_clear_line(database: Path) -> None:
    server = Server("--database", f"sqlite:///{database}", "--log", str(database / "tasks.log"))

    assert server.end() == (
        1,
        "",
        "Error: The log file cannot be written. Choose another place with --log FILE.\n",
    )


def test_a_port_that_is_taken_is_one_clear_line(database: Path, log: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        server = Server("--database", f"sqlite:///{database}", "--log", str(log), "--http", port)
        ended = server.end()

    assert ended == (1, "", f"Error: Port {port} cannot be used. Choose another one with --http PORT.\n")
