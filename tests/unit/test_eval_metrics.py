"""Our metrics by themselves."""

from pathlib import Path

import pytest
from google.adk.evaluation.eval_case import Invocation
from google.adk.evaluation.eval_metrics import BaseCriterion, EvalMetric, EvalStatus
from google.genai import types

from agents.models.choice import choose_model
from agents.settings import load_settings
from evals.large_model.__main__ import main, missing
from evals.metrics.reading import MOST_GRADE, reading_grade
from evals.metrics.route import route_right
from evals.runner import word_overlap


async def test_a_metric_that_breaks_fails_the_case_instead_of_passing_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ADK counts a metric that raises as not evaluated."""
    monkeypatch.setenv("TUTOR_DATA_DIR", str(tmp_path))
    said = types.Content(role="user", parts=[types.Part(text="hello")])
    metric = EvalMetric(metric_name="route_right", criterion=BaseCriterion(threshold=1.0))
    result = await route_right(
        metric, [Invocation(invocation_id="nobody has heard this", user_content=said)], None, None
    )
    assert result.overall_eval_status == EvalStatus.FAILED
    assert len(result.per_invocation_results) == 1


def test_plain_words_read_easily_and_officialese_does_not() -> None:
    plain = "A node does one job. It talks to other nodes. You can start and stop it at any time. " * 3
    stiff = (
        "Notwithstanding considerations regarding infrastructural interoperability, implementation of "
        "communicative functionality necessitates comprehensive participation of autonomous computational "
        "entities throughout heterogeneous organizational environments and administrative jurisdictions "
        "whose responsibilities remain insufficiently characterized. "
    ) * 2
    assert (reading_grade(plain) or 99) < 5
    assert (reading_grade(stiff) or 0) > MOST_GRADE
    assert reading_grade("Right.") is None


@pytest.mark.parametrize(
    ("text", "reference", "score"),
    [("A node", "a node!", 1.0), ("a b", "a c", 0.5), ("", "", 1.0), ("a", "", 0.0)],
)
def test_the_words_that_two_texts_share(text: str, reference: str, score: float) -> None:
    assert word_overlap(text, reference) == score


def test_the_large_model_sets_say_that_they_need_a_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("GOOGLE_API_KEY", raising=False)
    monkeypatch.delenv("TUTOR_MODEL", raising=False)
    called: list[object] = []
    assert main(load_settings(tmp_path), call=lambda command: called.append(command) or 0) == 2
    assert "GOOGLE_API_KEY" in capsys.readouterr().err
    assert called == []


def test_with_a_key_the_large_model_sets_run_by_adk_eval(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOGLE_API_KEY", "key")
    monkeypatch.delenv("TUTOR_MODEL", raising=False)
    settings = load_settings(tmp_path)
    commands: list[list[str]] = []
    assert choose_model(settings).family == "gemini"
    assert missing(settings) == ""
    assert main(settings, call=lambda command: commands.append(list(command)) or 0) == 0
    [command] = commands
    assert {Path(part).name for part in command} >= {"adk", "lessons.evalset.json", "learners.evalset.json"}
