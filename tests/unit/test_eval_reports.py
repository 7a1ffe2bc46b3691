"""python -m evals: one table a benchmark, and a results file that keeps the others."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from evals import __main__ as command
from evals.baselines import PlainBm25, best_threshold, nearest, plain_gap
from evals.report import Report, Row, goal
from evals.results import rewritten, sections_of

ORDER = ("retrieval", "routing", "turn")


@dataclass(frozen=True)
class Passage:
    chunk_id: str
    chunk_text: str


def report(name: str, value: float) -> Report:
    return Report(
        name=name.title(),
        command=f"python -m evals {name}",
        rows=[goal("share", value, at_least=0.9), Row(measure="count", value="3")],
        notes=["A note."],
        figures={"share": value},
    )


def test_a_report_survives_its_json() -> None:
    before = report("routing", 0.95)
    assert Report.from_json(json.loads(json.dumps(before.as_json()))).as_markdown() == before.as_markdown()


def test_one_table_takes_the_place_of_its_old_one_and_leaves_the_others() -> None:
    text = rewritten("", [report("turn", 0.1), report("retrieval", 0.2)], machine="M", order=ORDER)
    changed = rewritten(text, [report("retrieval", 0.3)], machine="M", order=ORDER)
    assert list(sections_of(changed)) == ["retrieval", "turn"]
    assert changed == text.replace("0.200", "0.300")


def test_a_new_table_goes_to_its_place_in_the_order() -> None:
    text = rewritten("", [report("turn", 0.1), report("retrieval", 0.2)], machine="M", order=ORDER)
    assert list(sections_of(rewritten(text, [report("routing", 1.0)], machine="M", order=ORDER))) == list(
        ORDER
    )


def test_a_section_that_no_benchmark_makes_stays() -> None:
    text = rewritten("", [report("turn", 0.1)], machine="M", order=ORDER) + "\n## Fuzzing\n\n7 inputs.\n"
    assert rewritten(text, [report("turn", 0.2)], machine="M", order=ORDER).endswith(
        "## Fuzzing\n\n7 inputs.\n"
    )


def test_a_table_from_another_machine_says_so() -> None:
    text = rewritten("", [report("turn", 0.1), report("retrieval", 0.2)], machine="old", order=ORDER)
    one = sections_of(rewritten(text, [report("turn", 0.5)], machine="new", order=ORDER))
    assert "Measured on: new" in one["turn"]
    assert "Measured on" not in one["retrieval"]


def test_a_whole_run_on_another_machine_marks_what_it_left_out() -> None:
    everything = [report(name, 0.1) for name in ORDER]
    text = rewritten("", everything, machine="old", order=ORDER)
    changed = rewritten(text, everything[:2], machine="new", order=ORDER)
    assert changed.count("Measured on: new") == 1
    assert "Measured on: old" in sections_of(changed)["turn"]
    again = rewritten(changed, everything[:2], machine="new", order=ORDER)
    assert again == changed


def test_the_committed_results_hold_a_section_for_every_benchmark() -> None:
    text = (Path(command.__file__).parent / "RESULTS.md").read_text(encoding="utf-8")
    assert list(sections_of(text)) == list(command.BENCHMARKS)


def test_an_unknown_benchmark_is_answered_with_the_known_ones() -> None:
    done = CliRunner().invoke(command.main, ["speed"])
    assert done.exit_code == 2
    assert "'speed' is not one of" in done.output
    assert "'retrieval'" in done.output


def test_missing_public_data_is_said_with_the_setting_to_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TUTOR_BENCH_DATA", str(tmp_path))
    done = CliRunner().invoke(command.main, ["concepts"])
    assert done.exit_code == 1
    assert "'openstax_biology' is not there. Set TUTOR_BENCH_DATA" in done.output


def test_json_is_for_tools_and_write_replaces_one_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TUTOR_BENCH_DATA", str(tmp_path))  # the labels are ours, the rest is left out
    results = tmp_path / "RESULTS.md"
    results.write_text(rewritten("", [report("turn", 0.1)], machine="M", order=command.BENCHMARKS))
    monkeypatch.setattr(command, "_RESULTS", results)
    done = CliRunner().invoke(command.main, ["routing", "--json", "--write"])
    [values] = json.loads(done.stdout)
    assert values["figures"]["route"] > 0.8
    assert "google-adk" in values["machine"]
    assert list(sections_of(results.read_text())) == ["routing", "turn"]
    assert "left out: The benchmark data" in results.read_text()


def test_plain_bm25_finds_the_text_with_the_rare_word() -> None:
    index = PlainBm25({"a": "a node sends messages", "b": "a node sends a request", "c": "a node listens"})
    assert index.best("who sends requests?", count=2) == ["b", "a"]
    assert index.best("zebra", count=2) == []


def test_the_nearest_label_shares_most_words() -> None:
    known = [("teach me about joints", "learning_loop"), ("add a task", "task_manager")]
    assert nearest("please add tasks for me", known) == "task_manager"


def test_the_best_threshold_parts_yes_from_no() -> None:
    assert best_threshold([(0.2, False), (0.4, False), (0.6, True), (0.9, True)]) == 0.6


def test_a_plain_gap_takes_the_first_sentence_that_names_the_concept() -> None:
    passages = [Passage("c1", "Robots move. A **node** does one job. A node talks.")]
    found = plain_gap("node", passages)
    assert found is not None
    assert found[0].question_text == "Complete the sentence: A ____ does one job."
    assert plain_gap("zebra", passages) is None


def test_all_leaves_out_what_cannot_run_keeps_its_old_table_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TUTOR_BENCH_DATA", str(tmp_path))
    monkeypatch.setattr(command, "BENCHMARKS", ("concepts", "routing"))
    results = tmp_path / "RESULTS.md"
    results.write_text(rewritten("", [report("concepts", 0.123)], machine="M", order=command.BENCHMARKS))
    monkeypatch.setattr(command, "_RESULTS", results)
    done = CliRunner().invoke(command.main, ["all", "--write"])
    assert done.exit_code == 1
    assert "concepts is left out." in done.stderr
    assert list(sections_of(results.read_text())) == ["concepts", "routing"]
    assert "0.123" in results.read_text()


def test_what_was_written_by_hand_stays() -> None:
    by_hand = "# Results\n\nMeasured on: here\n\n## Seeds\n\nTests are elsewhere.\n"
    assert "## Seeds\n\nTests are elsewhere." in rewritten(by_hand, [], machine="here", order=())
