"""What our turn costs beside the model, against a bare single-agent ADK app on the same instant model."""

import os
import subprocess
import sys
import time
from collections.abc import AsyncGenerator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from google.adk.agents.llm_agent import LlmAgent
from google.adk.apps.app import App
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import Runner
from google.adk.sessions.sqlite_session_service import SqliteSessionService
from google.genai import types

from agents.agent import build_app
from agents.services import Services
from agents.settings import load_settings
from agents.state import SessionState
from evals.report import Report, Row, goal

_TURNS = 40
_STARTS = 4
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


class InstantLlm(BaseLlm):
    """Answers at once, so that what is left is the framework."""

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        yield LlmResponse(content=types.Content(role="model", parts=[types.Part(text="Yes.")]))


async def run() -> Report:
    """Turns of both apps in one run, on the same kind of session store; then the starts of both."""
    with TemporaryDirectory() as folder:
        bare = await _bare_turns(Path(folder))
        ours = await _our_turns(Path(folder))
        bare_start, our_start = _starts(Path(folder))
    turn_ratio, start_ratio = median(ours) / median(bare), our_start / bare_start
    return Report(
        name="Turn: overhead beside the model",
        command="python -m evals turn",
        rows=[
            Row(measure="bare ADK app, one agent, p50 (ms)", value=f"{median(bare) * 1000:.1f}"),
            Row(
                measure="ours, an answer to a pending question, p50 (ms)", value=f"{median(ours) * 1000:.1f}"
            ),
            goal("ours / bare", turn_ratio, at_most=2, shown=f"{turn_ratio:.2f}"),
            Row(measure="adk run, bare, to the first prompt (s)", value=f"{bare_start:.2f}"),
            Row(measure="adk run agents, to the first prompt (s)", value=f"{our_start:.2f}"),
            goal("ours / bare", start_ratio, at_most=1.3, shown=f"{start_ratio:.2f}"),
        ],
        notes=(
            "Both are missed. A turn of ours appends four events to the session (message, hand-over, its answer, "
            "reply) where the bare app appends two, and writes the ledger, the transitions and the turn's record; how "
            "the time divides was not measured. Of the start, about a third of what we add is SQLAlchemy and numpy "
            "and the rest our own modules; importing them at the first message instead should bring it down.",
        ),
        figures={"turn_ratio": turn_ratio, "start_ratio": start_ratio},
    )


async def _bare_turns(folder: Path) -> list[float]:
    agent = LlmAgent(name="bare", model=InstantLlm(model="instant"), instruction="Answer.")
    sessions = SqliteSessionService(db_path=str(folder / "bare.db"))
    runner = Runner(app=App(name="bare", root_agent=agent), session_service=sessions)
    await sessions.create_session(app_name="bare", user_id="u", session_id="s")
    times = [await _timed(runner, "Is it so?") for _ in range(_TURNS)]
    await runner.close()
    return times


async def _our_turns(folder: Path) -> list[float]:
    os.environ["TUTOR_DATA_DIR"], os.environ["TUTOR_MODEL"] = str(folder / "data"), "embedded"
    services = Services(load_settings())
    sessions = SqliteSessionService(db_path=str(folder / "ours.db"))
    runner = Runner(app=build_app(services), session_service=sessions)
    await sessions.create_session(app_name="agents", user_id="u", session_id="s")
    times: list[float] = []
    while len(times) < _TURNS:
        session = await sessions.get_session(app_name="agents", user_id="u", session_id="s")
        state = SessionState.of(session.state if session else {})
        question = state.pending_question
        if question is None:
            await _timed(runner, "teach me ROS 2 topics")
        elif state.quiz_question_index + 1 < len(state.quiz_questions):
            times.append(await _timed(runner, question.expected_answer))
        else:
            await _timed(runner, "teach me loop closure")
    await runner.close()
    await services.close()
    return times


async def _timed(runner: Runner, text: str) -> float:
    message = types.Content(role="user", parts=[types.Part(text=text)])
    started = time.perf_counter()
    async for _ in runner.run_async(user_id="u", session_id="s", new_message=message):
        pass
    return time.perf_counter() - started


def _starts(folder: Path) -> tuple[float, float]:
    (folder / "bare").mkdir()
    (folder / "bare" / "__init__.py").write_text("from . import agent\n")
    (folder / "bare" / "agent.py").write_text(_BARE_AGENT)
    project = Path(__file__).parent.parent
    bare, ours = [], []
    for _ in range(_STARTS):
        bare.append(_start(folder / "bare", cwd=folder))
        ours.append(_start(project / "agents", cwd=folder))
    # The first start compiles.
    return median(bare[1:]), median(ours[1:])


def _start(agent: Path, *, cwd: Path) -> float:
    """Seconds from the start of `adk run` to its first prompt."""
    started = time.perf_counter()
    command = [sys.executable, "-m", "google.adk.cli", "run", "--in_memory", str(agent)]
    # As on a person's machine, where Python keeps what it compiled.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=cwd,
        env=environment,
    ) as process:
        assert process.stdout is not None
        seen = ""
        while "[user]" not in seen and (piece := process.stdout.read(1)):
            seen += piece
        elapsed = time.perf_counter() - started
        process.kill()
    return elapsed
