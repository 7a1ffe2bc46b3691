"""Models on this machine: found by what they serve, in half a second, and never anywhere else."""

import stat
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from google.adk.agents.llm_agent import LlmAgent
from pydantic import SecretStr

from agents.chosen_model import FILE_NAME, ChosenModel, keep_choice, read_choice
from agents.models.choice import DEFAULT_GEMINI, choose_model
from agents.models.nearby import SECONDS, SERVERS, LocalServer, find_models
from agents.settings import Settings, load_settings, with_choice
from evals.doubles.loopback import Asked, Told, serve


@pytest.fixture(autouse=True)
def _nobody_is_asked_by_accident(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a proxy of the environment would see is nothing: it is not used."""
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Settings]:
    """Settings as they are where nobody has set anything."""
    for name in ("TUTOR_MODEL", "TUTOR_MODEL_URL", "GOOGLE_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TUTOR_DATA_DIR", str(tmp_path / "data"))
    return lambda: load_settings(tmp_path)


def serving(*names: Any, status: int = 200) -> Callable[[Asked], Told]:
    return lambda asked: Told(status, {"object": "list", "data": [{"id": name} for name in names]})


def at(url: str, *, family: str = "openai") -> LocalServer:
    return LocalServer(name="here", port=urlsplit(url).port or 0, family=family)


def test_only_loopback_is_asked() -> None:
    assert {urlsplit(server.url).hostname for server in SERVERS} == {"127.0.0.1"}
    assert {server.port for server in SERVERS} == {11434, 1234, 8080}


async def test_what_runs_here_is_found_and_named_as_the_setting_has_it() -> None:
    with serve(serving("qwen3:8b", "nomic-embed-text")) as ollama, serve(serving("phi")) as other:
        found = await find_models([at(ollama, family="ollama"), at(other)], seconds=30)
    assert [each.setting for each in found] == ["ollama:qwen3:8b", "openai:phi"]
    assert [each.url for each in found] == ["", f"{other}/v1".replace("localhost", "127.0.0.1")]


@pytest.mark.parametrize(
    "told",
    [
        Told(200, b"<html>a page of something else</html>", "text/html"),
        Told(200, {"data": "nothing"}),
        Told(200, {"data": [{"id": 3}, {"id": ""}, {"id": "a\nb"}, "x"]}),
        Told(200, b"[" * 100_000),
        Told(404, {}),
        Told(302, {}),
    ],
)
async def test_what_is_no_model_server_is_passed_over(told: Told) -> None:
    with serve(lambda asked: told) as url:
        assert await find_models([at(url)]) == ()


async def test_a_server_that_keeps_silent_costs_half_a_second_and_hides_no_other() -> None:
    over = threading.Event()

    def silent(asked: Asked) -> Told:
        over.wait(30)
        return Told(200, {"data": []})

    with serve(silent) as slow, serve(serving("phi")) as quick:
        began = time.monotonic()
        found = await find_models([at(slow), at(quick)])
        taken = time.monotonic() - began
        over.set()
    assert [each.name for each in found] == ["phi"]
    assert taken < 4 * SECONDS  # a busy machine is late by itself


def test_a_choice_is_kept_for_its_owner_only_and_used_at_the_next_start(
    settings: Callable[[], Settings],
) -> None:
    before = settings()
    assert choose_model(before).family == "embedded"
    keep_choice(before.data_dir, ChosenModel(model="openai:phi", url="http://127.0.0.1:1/v1", key="sk-1"))
    file = before.data_dir / FILE_NAME
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    after = settings()
    assert (choose_model(after).name, choose_model(after).url) == ("phi", "http://127.0.0.1:1/v1")
    assert after.openai_api_key == SecretStr("sk-1")
    assert "sk-1" not in repr(after)


def test_the_environment_is_stronger_than_a_choice(
    settings: Callable[[], Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_choice(settings().data_dir, ChosenModel(model="openai:phi", url="http://127.0.0.1:1/v1"))
    monkeypatch.setenv("TUTOR_MODEL", "embedded")
    assert settings().model_is_set
    assert choose_model(settings()).family == "embedded"


def test_a_key_goes_only_where_it_was_given_for(
    settings: Callable[[], Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The key of the environment is OpenAI's: a server that somebody types on a page does not get it."""
    monkeypatch.setenv("OPENAI_API_KEY", "of-openai")
    typed = with_choice(settings(), ChosenModel(model="openai:phi", url="http://127.0.0.1:1/v1"))
    assert typed.openai_api_key is None
    assert with_choice(settings(), ChosenModel(model="openai:gpt")).openai_api_key == SecretStr("of-openai")


@pytest.mark.parametrize("broken", ["", "{", "[]", '{"model": 1}'])
def test_a_broken_choice_is_none(settings: Callable[[], Settings], broken: str) -> None:
    folder = settings().data_dir
    folder.mkdir(parents=True)
    (folder / FILE_NAME).write_text(broken)
    assert read_choice(folder) is None
    assert choose_model(settings()).family == "embedded"


def test_it_looks_only_where_nobody_has_said_which(
    settings: Callable[[], Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert settings().looks_for_models
    for name, value in (("TUTOR_FIND_MODELS", "false"), ("GOOGLE_API_KEY", "k"), ("TUTOR_MODEL", "embedded")):
        with monkeypatch.context() as patched:
            patched.setenv(name, value)
            assert not settings().looks_for_models, name


def test_the_default_gemini_is_one_that_adk_itself_asks_for() -> None:
    assert DEFAULT_GEMINI == LlmAgent.DEFAULT_MODEL
