"""What we use of ADK without its promise is still there; when an update changes it, this says what to look at."""

import ast
import re
from collections.abc import Iterator
from importlib.util import find_spec
from inspect import isasyncgenfunction
from pathlib import Path

import pytest
from google.adk.agents.llm_agent import LlmAgent
from google.adk.agents.run_config import RunConfig
from google.adk.sessions.session import Session

from agents import adk_compat
from evals.metrics.stored import EVAL_SESSION

ROOT = Path(__file__).parents[2]
PRIVATE_NAME = re.compile(r"_[a-z]")
PRIVATE = re.compile(r"^google\.adk(\.\w+)*\._\w+$")


def source_of(module: str) -> str:
    spec = find_spec(module)
    assert spec is not None, f"{module} is gone from ADK"
    assert spec.origin
    return Path(spec.origin).read_text(encoding="utf-8")


def test_the_run_of_an_llm_agent_can_be_called_from_an_override() -> None:
    run = getattr(LlmAgent, "_run_async_impl", None)
    assert isasyncgenfunction(run), "ask_model: LlmAgent._run_async_impl has changed"


def test_a_session_has_the_marker_by_which_a_stale_write_is_known() -> None:
    held, stored = (Session(id="s", app_name="agents", user_id="ada") for _ in range(2))
    assert "_storage_update_marker" in Session.__private_attributes__, (
        "adopt: the session's marker has changed"
    )
    stored.state["course"], stored._storage_update_marker = "ros", "7"
    adk_compat.adopt(held, stored)
    assert (held.state, held._storage_update_marker) == ({"course": "ros"}, "7")


def test_the_command_line_reads_consent_and_makes_its_log_where_we_know_it() -> None:
    from google.adk.cli import cli_tools_click
    from google.adk.cli.utils import logs

    assert callable(getattr(cli_tools_click, "read_telemetry_consent", None)), "quiet_cli: consent has moved"
    assert callable(getattr(logs, "log_to_tmp_folder", None)), "quiet_cli: the log has moved"
    assert "logs.log_to_tmp_folder(" in source_of("google.adk.cli.cli_tools_click"), (
        "quiet_cli: the log is made elsewhere"
    )


def test_a_run_config_takes_our_streaming_mode() -> None:
    config = RunConfig(streaming_mode=adk_compat.StreamingMode.SSE)
    assert config.streaming_mode is adk_compat.StreamingMode.SSE, "StreamingMode has moved"


@pytest.mark.parametrize(
    ("module", "text"),
    [
        ("google.adk.evaluation.local_eval_service", EVAL_SESSION),
        ("google.adk.telemetry.tracing", adk_compat.INVOCATION_ATTRIBUTE),
        ("google.adk.runners", "but has no'\n        ' context_cache_config"),
    ],
)
def test_the_names_that_adk_has_for_things_are_the_ones_we_know(module: str, text: str) -> None:
    assert text in source_of(module), f"agents/adk_compat.py: ADK does not say {text!r} any more"


def test_nobody_else_reaches_into_adk() -> None:
    for path in (*(ROOT / "agents").rglob("*.py"), *(ROOT / "web").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        named = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        private = {name for name in named if PRIVATE.match(name)} | set(others_parts(tree))
        assert path.name == "adk_compat.py" or not private, f"{path}: put {private} into adk_compat"


def others_parts(tree: ast.AST) -> Iterator[str]:
    """The private attributes of whatever is not the object itself."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and PRIVATE_NAME.match(node.attr):
            owner = node.value.id if isinstance(node.value, ast.Name) else ""
            if owner not in ("self", "cls"):
                yield ast.unparse(node)
