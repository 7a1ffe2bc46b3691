"""`adk api_server` as a process of its own on a free port of loopback, and the bare app to compare with."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).parent.parent
_BARE_AGENT = """
from google.adk.agents.llm_agent import LlmAgent
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_response import LlmResponse
from google.genai import types

class Instant(BaseLlm):
    async def generate_content_async(self, llm_request, stream=False):
        yield LlmResponse(content=types.Content(role="model", parts=[types.Part(text="Yes.")]))

root_agent = LlmAgent(name="bare", model=Instant(model="instant"), instruction="Answer.")
"""
_START_SECONDS = 120


@dataclass(frozen=True, slots=True)
class Server:
    """A running server."""

    url: str
    pid: int

    def megabytes(self) -> float:
        """Its memory now; 0 where there is no /proc."""
        status = Path(f"/proc/{self.pid}/status")
        if not status.exists():
            return 0.0
        [line] = [line for line in status.read_text().splitlines() if line.startswith("VmRSS:")]
        return int(line.split()[1]) / 1024


def write_bare_app(folder: Path) -> Path:
    """The least that is an ADK app: one agent, no plugin, a model that answers at once."""
    app = folder / "bare"
    app.mkdir()
    (app / "__init__.py").write_text("from . import agent\n")
    (app / "agent.py").write_text(_BARE_AGENT)
    return app


@contextmanager
def serve(app: Path, *, home: Path) -> Iterator[Server]:
    """Serve one app with the embedded model and nothing kept from before; its files go to the home folder."""
    home.mkdir()
    port = free_port()
    sessions = f"sqlite:///{home / 'sessions.db'}"
    command = [sys.executable, "-m", "google.adk.cli", "api_server", "--port", str(port)]
    command += ["--session_service_uri", sessions, str(app)]
    with (home / "server.log").open("w") as log:
        process = subprocess.Popen(
            command, stdout=log, stderr=subprocess.STDOUT, cwd=home, env=environment(home)
        )
        try:
            _wait(process, port, home / "server.log")
            yield Server(url=f"http://127.0.0.1:{port}", pid=process.pid)
        finally:
            process.terminate()
            process.wait(timeout=30)


def environment(home: Path) -> dict[str, str]:
    # Nobody's own settings and keys; and as on a person's machine, where Python keeps what it compiled.
    dropped = ("TUTOR_", "QDRANT_", "COHERE_", "GOOGLE_", "GEMINI_", "PYTHONDONTWRITEBYTECODE")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
    ours = {"PYTHONPATH": str(PROJECT), "TUTOR_DATA_DIR": str(home / "data"), "TUTOR_MODEL": "embedded"}
    return kept | ours


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait(process: "subprocess.Popen[bytes]", port: int, log: Path) -> None:
    until = time.monotonic() + _START_SECONDS
    while process.poll() is None and time.monotonic() < until:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise RuntimeError(f"adk api_server did not start:\n{log.read_text()[-2000:]}")
