"""The regression gate: no change may lower what was measured. Figures only, never a timing."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from evals import gate
from evals.__main__ import main
from evals.gate import GROUPS, judge, line, read_floors
from storage.errors import ConfigurationError

_NEED_DATA = {"book", "students"}


@pytest.mark.parametrize("group", GROUPS)
async def test_no_figure_is_below_its_floor(group: str) -> None:
    try:
        figures = await GROUPS[group]()
    except ConfigurationError as err:
        assert group in _NEED_DATA, "what needs no public data always runs"
        pytest.skip(str(err))
    assert [line(verdict) for verdict in judge(figures, read_floors(group)) if not verdict.passes] == []


def test_a_figure_below_its_floor_does_not_pass() -> None:
    [low, right] = judge({"top_1": 0.7559, "top_5": 0.931}, {"top_1": 0.756, "top_5": 0.931})
    assert (low.passes, right.passes) == (False, True)
    assert "BELOW" in line(low)


def test_a_figure_without_a_floor_and_a_floor_without_a_figure_do_not_pass() -> None:
    assert [verdict.passes for verdict in judge({"new": 1.0}, {"gone": 0.5})] == [False, False]


def test_a_figure_that_is_no_number_does_not_pass() -> None:
    [verdict] = judge({"share": float("nan")}, {"share": 0.0})
    assert not verdict.passes


@pytest.fixture
def floors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of floors for one made-up figure of 0.9."""

    async def shares() -> dict[str, float]:
        return {"answers.right": 0.9}

    monkeypatch.setattr(gate, "GROUPS", {"trial": shares})
    monkeypatch.setattr(gate, "FLOORS", tmp_path / "floors.toml")
    return tmp_path / "floors.toml"


@pytest.mark.parametrize(("floor", "code", "verdict"), [(0.89, 0, "ok"), (0.91, 1, "BELOW")])
def test_the_command_fails_below_a_floor_and_shows_both(
    floors: Path, floor: float, code: int, verdict: str
) -> None:
    floors.write_text(f"[trial.answers]\nright = {floor}\n")
    done = CliRunner().invoke(main, ["gate"])
    assert done.exit_code == code
    assert done.output.split() == ["trial:", "answers.right", "0.900", "floor", f"{floor:.3f}", verdict]


def test_missing_data_is_said_and_is_no_failure(floors: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def nothing() -> dict[str, float]:
        raise ConfigurationError("The benchmark data 'x' is not there. Set TUTOR_BENCH_DATA.")

    monkeypatch.setattr(gate, "GROUPS", {"trial": nothing})
    done = CliRunner().invoke(main, ["gate"])
    assert done.exit_code == 0
    assert "Set TUTOR_BENCH_DATA" in done.output
