"""The real `adk eval` on our files; it needs the eval extra, which CI's tests do without."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from evals.runner import HERE

pytest.importorskip("rouge_score", reason="adk eval needs the eval extra (make eval)")

ROOT = HERE.parent


def adk_eval(data: Path, *files: Path) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "TUTOR_DATA_DIR": str(data),
        "TUTOR_MODEL": "embedded",
        "PYTHONPATH": str(ROOT),
        "PYTHONWARNINGS": "ignore",
    }
    adk = Path(sys.executable).with_name("adk")
    config = HERE / "test_config.json"
    command = [adk, "eval", ROOT / "agents", *files, "--config_file_path", config, "--log_level", "ERROR"]
    return subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        env=environment,
        cwd=ROOT,
        check=False,
    )


def summary(run: subprocess.CompletedProcess[str]) -> str:
    return run.stdout.partition("Eval Run Summary")[2]


def test_sets_pass_twice_on_the_same_data(tmp_path: Path) -> None:
    files = [HERE / f"{name}.evalset.json" for name in ("tasks", "progress", "answers")]
    first, second = adk_eval(tmp_path, *files), adk_eval(tmp_path, *files)
    assert (first.returncode, second.returncode) == (0, 0), first.stdout + first.stderr
    assert sorted(summary(first).split()) == sorted(summary(second).split())


def test_our_own_metrics_count(tmp_path: Path) -> None:
    """A case that expects another route fails, though its words and tools are the expected ones."""
    eval_set = json.loads((HERE / "routing.evalset.json").read_text(encoding="utf-8"))
    [case] = [case for case in eval_set["eval_cases"] if case["eval_id"] == "says-hello"]
    [route] = [each for each in case["conversation"][0]["rubrics"] if each["type"] == "ROUTE"]
    route["rubric_content"]["text_property"] = "task_manager"
    file = tmp_path / "routing.evalset.json"
    file.write_text(json.dumps({**eval_set, "eval_cases": [case]}), encoding="utf-8")
    run = adk_eval(tmp_path / "data", file)
    assert run.returncode == 1
    assert "Tests failed: 1" in run.stdout
