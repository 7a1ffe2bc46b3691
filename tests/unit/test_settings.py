"""Settings come from adk.yaml, .env and the environment; what is wrong is named with what is right."""

from pathlib import Path

import pytest
import yaml

from agents.settings import SAMPLE_COURSE, Settings, load_settings, variable
from storage.errors import ConfigurationError

PROJECT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(variable(name), raising=False)


def write(folder: Path, text: str) -> Path:
    (folder / "adk.yaml").write_text(text)
    return folder


def test_every_default_is_in_adk_yaml_with_a_comment_that_names_its_variable() -> None:
    lines = [
        line for line in (PROJECT / "adk.yaml").read_text().splitlines() if line and not line.startswith("#")
    ]
    commented = {line.split(":")[0]: line.partition("#")[2] for line in lines}
    secrets = {"google_api_key", "openai_api_key", "cohere_api_key", "qdrant_api_key", "tasks_token"}
    assert commented.keys() == Settings.model_fields.keys() - secrets
    assert all(variable(name) in comment for name, comment in commented.items())


def test_a_fresh_machine_gets_the_defaults(tmp_path: Path) -> None:
    settings = load_settings(tmp_path)
    assert (settings.mastery_threshold, settings.max_cycles, settings.top_k, settings.max_history) == (
        0.85,
        5,
        5,
        20,
    )
    assert settings.database.endswith("/.tutor/tutor.db")
    assert settings.course == SAMPLE_COURSE
    assert settings.google_api_key is None


def test_the_working_folder_wins_over_the_defaults_and_the_environment_over_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "top_k: 7\nmax_cycles: 2\nqdrant_url: http://file")
    (tmp_path / ".env").write_text("TUTOR_MAX_CYCLES=3\nCOHERE_API_KEY=secret\nOPENAI_API_KEY=other\n")
    monkeypatch.setenv("TUTOR_TOP_K", "9")
    monkeypatch.setenv("QDRANT_URL", "http://environment")
    settings = load_settings(tmp_path)
    assert (settings.top_k, settings.max_cycles, settings.qdrant_url) == (9, 3, "http://environment")
    assert settings.cohere_api_key is not None
    assert "secret" not in repr(settings)


@pytest.mark.parametrize(
    ("name", "below", "above"),
    [
        ("temperature", -0.1, 2.1),
        ("max_tokens", 0, 4097),
        ("top_k", 0, 21),
        ("score_threshold", -0.1, 1.1),
        ("max_history", 0, 101),
        ("mastery_threshold", -0.1, 1.1),
        ("quiz_questions", 2, 11),
    ],
)
def test_a_value_out_of_range_is_refused_with_its_range(
    tmp_path: Path, name: str, below: float, above: float
) -> None:
    for value in (below, above):
        with pytest.raises(ConfigurationError) as caught:
            load_settings(write(tmp_path, yaml.safe_dump({name: value})))
        assert f"{name} is {value}" in str(caught.value)
        assert "from" in str(caught.value)
        assert variable(name) in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mastery_treshold: 0.9", "Did you mean 'mastery_threshold'?"),
        ("zzz: 1", "Known settings: model,"),
        ("google_api_key: abc", "unknown setting 'google_api_key'"),
        ("embedder: bert", "one of auto, wordllama, cohere"),
        ("top_k: many", "a whole number from 1 to 20"),
        ("- a list", "lines of 'name: value'"),
        ("a: [", "not readable as YAML"),
    ],
)
def test_a_wrong_file_is_explained(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load_settings(write(tmp_path, text))
    assert said in str(caught.value)


def test_a_misspelt_variable_is_refused_and_a_stranger_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TUTOR_SOMETHING_OF_ANOTHER_PROGRAM", "1")
    load_settings(tmp_path)
    monkeypatch.setenv("TUTOR_MASTERY_TRESHOLD", "0.9")
    with pytest.raises(ConfigurationError, match="Did you mean TUTOR_MASTERY_THRESHOLD"):
        load_settings(tmp_path)


def test_settings_cannot_be_changed(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="frozen"):
        load_settings(tmp_path).top_k = 3
