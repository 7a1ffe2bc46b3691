"""It installs like a product: the wheel alone, in a clean environment, from any folder."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tomllib
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from agents.cli import tutor
from agents.commands import start

ROOT = Path(__file__).parents[2]
_OURS = (
    "TUTOR_",
    "GOOGLE_API_KEY",
    "OPENAI_API_KEY",
    "COHERE_API_KEY",
    "QDRANT_",
    "PYTHONPATH",
    "VIRTUAL_ENV",
)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the `tutor` of a clean environment; made of what uv has in its cache, so without a network."""
    uv = shutil.which("uv") or shutil.which("uv", path=str(Path(sys.executable).parent))
    if uv is None:
        pytest.skip("uv is not here, so the wheel was not tried")
    folder = tmp_path_factory.mktemp("install")
    clean = folder / "clean"
    python = clean / "bin" / "python"
    lock = ROOT / "requirements.lock"
    for command in (
        [uv, "build", "--quiet", "--offline", "--wheel", "--out-dir", str(folder), str(ROOT)],
        [uv, "venv", "--quiet", "--offline", "--python", sys.executable, str(clean)],
        [uv, "pip", "install", "--quiet", "--offline", "--python", str(python), "-c", str(lock), "WHEEL"],
    ):
        wheel = next((str(each) for each in folder.glob("*.whl")), "")
        done = subprocess.run(
            [wheel if each == "WHEEL" else each for each in command],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode and re.search(r"offline|network|cache", done.stderr, re.IGNORECASE):
            pytest.skip("uv's cache does not have what the wheel needs, and no test asks the network")
        assert done.returncode == 0, done.stderr
    return python.parent


@pytest.fixture
def environment(installed: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
    return {**kept, "PATH": f"{installed}{os.pathsep}{kept['PATH']}", "TUTOR_FIND_MODELS": "false"}


def run(environment: dict[str, str], folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["tutor", *arguments], env=environment, cwd=folder, capture_output=True, text=True, check=False
    )


def test_it_says_its_version(environment: dict[str, str], tmp_path: Path) -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert version in run(environment, tmp_path, "--version").stdout


def test_it_reads_and_finds_without_a_clone(environment: dict[str, str], tmp_path: Path) -> None:
    found = run(environment, tmp_path, "search", "what is a topic?")
    assert found.returncode == 0, found.stderr
    assert "topic" in found.stdout.lower()


@pytest.fixture
def page(environment: dict[str, str], tmp_path: Path) -> Iterator[str]:
    """The address that `tutor start` tells."""
    started = subprocess.Popen(
        ["tutor", "start", "--no-open", "--port", "0"],
        env=environment,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert started.stdout is not None
    told = ""
    while not (address := re.search(r"http://\S+", told)):
        line = started.stdout.readline()
        assert line, told
        told += line
    yield address[0]
    started.send_signal(signal.SIGINT)
    started.communicate()


def test_the_page_opens_without_a_clone(page: str) -> None:
    with urllib.request.urlopen(page) as answer:
        shown = answer.read().decode()
    assert "Start with Physical AI" in shown
    with urllib.request.urlopen(f"{page}/static/page.css") as answer:
        assert answer.status == 200


def test_a_port_that_is_taken_is_no_obstacle(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(start.serve, "callback", lambda **options: asked.append(options["port"]))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert start._free(port) == 0
    assert start._free(port) == port
    assert CliRunner().invoke(tutor, ["start", "--port", str(port)]).exit_code == 0
    assert asked == [port]
