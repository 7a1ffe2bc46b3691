"""Where the app finds its task tools."""

from pathlib import Path

import pytest

from agents.settings import load_settings
from agents.task_manager.toolset import task_connection

SECRET = "postgresql://ada:secret@db.example/tutor"


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("TUTOR_TASKS_URL", raising=False)
    monkeypatch.setenv("TUTOR_DATA_DIR", str(tmp_path))
    return tmp_path


def test_a_process_of_our_own_logs_its_calls_and_shows_nobody_the_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TUTOR_DATABASE_URL", SECRET)

    connection = task_connection(load_settings(tmp_path))

    assert connection.url == ""
    assert connection.command[1:] == ("-m", "tasks_tools", "--log", str(tmp_path / "tasks.log"))
    assert connection.environment["TUTOR_DATABASE_URL"] == SECRET


def test_a_shared_server_is_called_instead_and_nothing_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TUTOR_TASKS_URL", "http://127.0.0.1:8765/mcp")
    monkeypatch.setenv("TUTOR_TASKS_TIMEOUT", "3")

    connection = task_connection(load_settings(tmp_path))

    assert (connection.url, connection.command, connection.seconds) == ("http://127.0.0.1:8765/mcp", (), 3)
