"""The `tutor` command as a person uses it: clear words, right exit codes, nothing lost."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from click.testing import CliRunner

from agents.bookkeeping import Bookkeeper
from agents.cli import main
from agents.cli import tutor as commands
from storage.database import Database
from storage.errors import InvalidInputError
from storage.ledger import Ledger
from tests.support.commands import Done, parsed
from tests.support.commands import tutor as run_tutor
from tests.support.ledger import ANSWER
from tests.support.task_server import TOKEN, shared_server
from tests.support.times import all_in_utc

PROJECT = Path(__file__).parents[2]


Tutor = Callable[..., Done]


@pytest.fixture
def tutor(tmp_path: Path) -> Tutor:
    """Runs `tutor ...` in a folder of its own, as on a fresh machine."""
    home = tmp_path / "home"
    home.mkdir()

    def run(*arguments: str, **variables: str) -> Done:
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        environment = {**kept, "PYTHONPATH": str(PROJECT), "COLUMNS": "200", "TUTOR_FIND_MODELS": "false"}
        environment |= variables
        done = run_tutor(arguments, environment=environment, folder=home)
        assert "Traceback" not in done.err
        return done

    return run


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "cells.md").write_text(
        "# Cells\n\nA **mitochondrion** is the part of a cell that releases energy.\n"
    )
    return folder


def test_a_fresh_machine_searches_the_sample_course(tutor: Tutor) -> None:
    done = tutor("search", "what is a topic?", "--json")
    best = done.json["results"][0]
    assert done.code == 0
    assert best["chapter_id"] == "module-1-ros2/ch2-topics"
    assert {"chunk_id", "similarity_score", "text", "url", "title", "score"} <= best.keys()
    assert done.json["total"] == len(done.json["results"]) == 5
    assert "First run" in done.err


def test_own_material_is_read_listed_searched_and_read_again(tutor: Tutor, notes: Path) -> None:
    first = tutor("ingest", str(notes))
    assert (first.code, first.out.split(" (")[0]) == (0, "notes: 1 added, 0 changed, 0 removed, 0 unchanged")
    [course] = tutor("courses", "--json").json
    assert (course["name"], all_in_utc(course)) == ("notes", {"updated_at"})
    assert "releases energy" in tutor("search", "mitochondria").out
    assert "0 added, 0 changed, 0 removed, 1 unchanged" in tutor("ingest", str(notes)).out


def test_concepts_and_their_prerequisites_are_shown_with_evidence(tutor: Tutor) -> None:
    graph = tutor("concepts", "--course", "physical-ai", "--json").json
    names = {concept["name"] for concept in graph["concepts"]}
    assert {"topic", "joint", "loop closure"} <= names
    assert all(edge["chunk_id"] and edge["evidence"] for edge in graph["prerequisites"])
    assert "loop closure" in tutor("concepts").out


def test_the_outline_shows_the_tree_of_a_course(tutor: Tutor) -> None:
    tree = tutor("outline", "--course", "physical-ai", "--json").json
    assert (tree["title"], tree["kind"]) == ("Physical AI: from nodes to maps", "title")
    first = tree["children"][0]
    assert (first["title"], first["kind"]) == ("Module 1 Ros2", "part")
    page = first["children"][0]
    assert page["chapter_id"] == "module-1-ros2/ch1-basics"
    assert page["children"][0]["kind"] == "section"
    shown = tutor("outline").out
    assert shown.index("Module 1 Ros2") < shown.index("SLAM and loop closure") < shown.index("Glossary")


def test_reindex_says_how_much_there_is(tutor: Tutor, notes: Path) -> None:
    read = tutor("ingest", str(notes))
    stages = ("Reading", "Indexing", "Connecting", "Saving")
    assert read.err.splitlines() == [f"{stage}: 1 file" for stage in stages]
    made = tutor("reindex")
    assert made.out == "The index is new: 2 entries.\n"
    assert made.err == "Building the index …\n"


@pytest.fixture
def at_home(tmp_path: Path, notes: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """This very process, in a folder of its own, for what needs no process of its own."""
    monkeypatch.chdir(notes.parent)
    for name in [name for name in os.environ if name.startswith("TUTOR_")]:
        monkeypatch.delenv(name)
    CliRunner().invoke(commands, ["ingest", str(notes)], catch_exceptions=False)
    return notes


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["search", ""], "The query is empty"),
        (["search", "x", "--top-k", "0"], "top_k is 0; it must be from 1 to 10"),
        (["search", "x", "--top-k", "11"], "top_k is 11; it must be from 1 to 10"),
        (["search", "x", "--threshold", "2"], "threshold is 2; it must be from 0 to 1"),
        (["search", "x", "--course", "nope"], "There is no course 'nope'. There is: notes."),
        (["search", "word " * 200_000], "characters"),
        (["ingest", "nowhere"], "There is no file or folder 'nowhere'"),
    ],
)
def test_bad_input_is_answered_and_exits_with_one(
    at_home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    said: str,
) -> None:
    monkeypatch.setattr(sys, "argv", ["tutor", *arguments])
    with pytest.raises(SystemExit) as stopped:
        main()
    printed = capsys.readouterr()
    assert stopped.value.code == 1
    assert said in printed.err
    assert printed.out == ""


def test_a_failed_search_is_json_too(tutor: Tutor, notes: Path) -> None:
    tutor("ingest", str(notes))
    done = tutor("search", " ", "--json")
    assert (done.code, done.json["error"], done.json["results"]) == (1, "INVALID_INPUT", [])


def test_files_that_cannot_be_read_are_named_and_the_rest_goes_in(tutor: Tutor, notes: Path) -> None:
    (notes / "empty.md").touch()
    (notes / "binary.md").write_bytes(bytes(range(256)) * 10)
    (notes / "latin.txt").write_bytes("Ein Café in Köln.".encode("latin-1"))
    (notes / "broken.pdf").write_bytes(b"%PDF-1.4 nothing more")
    done = tutor("ingest", str(notes))
    assert done.code == 1
    assert "2 added" in done.out
    assert all(f"could not read {name}" in done.err for name in ("empty.md", "binary.md", "broken.pdf"))
    assert "Köln" in tutor("search", "Café").out


def test_a_setting_out_of_range_is_named_with_its_range(tutor: Tutor) -> None:
    done = tutor("courses", TUTOR_TOP_K="99")
    assert done.code == 1
    assert "top_k is '99', but it must be a whole number from 1 to 20" in done.err


def test_a_data_folder_that_cannot_be_made_is_said(tutor: Tutor, notes: Path) -> None:
    in_the_way = notes / "cells.md"
    done = tutor("ingest", str(notes), TUTOR_DATA_DIR=str(in_the_way / "data"))
    assert done.code == 1
    assert "TUTOR_DAT" in done.err


def test_a_wrong_cohere_key_or_no_network_says_what_to_do(tutor: Tutor, notes: Path) -> None:
    done = tutor("ingest", str(notes), COHERE_API_KEY="wrong", CO_API_URL="http://127.0.0.1:9")
    assert done.code == 1
    assert "TUTOR_EMBEDDER=wordllama" in done.err
    assert tutor("courses", "--json", TUTOR_COURSE_DIR=str(notes)).json[0]["documents"] == 1


def test_a_qdrant_server_that_is_down_is_said_and_the_material_is_kept(tutor: Tutor, notes: Path) -> None:
    done = tutor("ingest", str(notes), QDRANT_URL="http://127.0.0.1:9")
    assert done.code == 1
    assert "QDRANT_URL" in done.err
    assert "releases energy" in tutor("search", "mitochondria").out


def test_doctor_finds_everything_in_order_on_a_fresh_machine(tutor: Tutor) -> None:
    done = tutor("doctor")
    assert done.code == 0
    assert [line.split()[0] for line in done.out.splitlines()] == ["ok"] * 6 + ["Everything"]


async def test_doctor_replays_everybodys_answers_and_mends_what_differs(tutor: Tutor, tmp_path: Path) -> None:
    assert tutor("courses").code == 0  # the first start makes the database
    database = await Database.open(f"sqlite:///{tmp_path}/home/.tutor/tutor.db")
    await Ledger(database, books=Bookkeeper()).append(ANSWER)
    assert "1 as a replay of the answers makes them" in tutor("doctor", "--replay").out

    async with database.write() as conn:
        await conn.exec_driver_sql("UPDATE concept_records SET record = json_set(record, '$.answers', 7)")
    await database.close()
    wrong, mended = tutor("doctor", "--replay"), tutor("doctor", "--replay")
    assert (wrong.code, mended.code) == (1, 0)
    assert "ada in ros (joint)" in wrong.out


def test_doctor_says_the_next_step(tutor: Tutor, tmp_path: Path) -> None:
    assert "Next: 'tutor start'" in tutor("doctor").out
    taken = tmp_path / "a file"
    taken.write_text("no folder")
    wrong = tutor("doctor", TUTOR_DATA_DIR=str(taken))
    assert wrong.code == 1
    assert "cannot be written" in wrong.out
    assert "Next: mend the folder" in wrong.out


def test_progress_is_one_page_that_needs_nothing_else(tutor: Tutor, tmp_path: Path) -> None:
    file = tmp_path / "ada.html"
    assert tutor("progress", "--user", "ada", "--html", str(file)).code == 0
    page = BeautifulSoup(file.read_text(encoding="utf-8"), "html.parser")
    assert page.h1 is not None
    assert page.h1.get_text() == "Progress of ada"
    assert page.select("svg.chart")
    assert not page.select("[src], link, script, a[href]")
    assert "url(" not in file.read_text(encoding="utf-8")


def test_the_shell_completes_commands(tutor: Tutor) -> None:
    assert "_TUTOR_COMPLETE=bash_complete" in tutor("completion", "bash").out
    told = tutor(_TUTOR_COMPLETE="bash_complete", COMP_WORDS="tutor comp", COMP_CWORD="1")
    assert told.out.strip() == "plain,completion"


def test_every_help_has_an_example_that_the_program_takes(tutor: Tutor) -> None:
    for name, command in commands.commands.items():
        context = command.make_context(name, [], resilient_parsing=True)
        example = str(command.epilog).removeprefix("Example: ")
        assert f"Example: {example}" in " ".join(command.get_help(context).split()), name
        assert example.split()[:2] == ["tutor", name]
        parsed(commands, shlex.split(re.split(r" [<>]+ ", example)[0])[1:])


def test_doctor_says_what_is_wrong_and_goes_on(tutor: Tutor) -> None:
    done = tutor("doctor", TUTOR_MODEL="gemini-2.5-flash", QDRANT_URL="http://127.0.0.1:9")
    _, *lines, _ = done.out.splitlines()
    assert done.code == 1
    assert [line.split()[0] for line in lines] == ["wrong", "ok", "ok", "wrong", "ok"]
    assert "GOOGLE_API_KEY" in lines[0]
    assert "QDRANT_URL" in lines[3]


def test_doctor_asks_the_shared_task_server(tutor: Tutor, tmp_path: Path) -> None:
    with shared_server(tmp_path) as url:
        found = tutor("doctor", TUTOR_TASKS_URL=url, TUTOR_TASKS_TOKEN=TOKEN)
        refused = tutor("doctor", TUTOR_TASKS_URL=url)
    gone = tutor("doctor", TUTOR_TASKS_URL=url)
    assert found.code == 0
    assert f"5 tools at {url}" in found.out.splitlines()[-2]
    assert (gone.code, refused.code) == (1, 1)
    assert "TUTOR_TASKS_TOKEN" in refused.out.splitlines()[-2]
    assert "TUTOR_TASKS_URL does not answer" in gone.out.splitlines()[-2]
    assert (found.err, gone.err) == ("", "")


def test_help_lists_every_command(tutor: Tutor) -> None:
    text = tutor("--help").out
    assert all(
        name in text for name in ("ingest", "courses", "search", "concepts", "outline", "reindex", "doctor")
    )


@pytest.mark.skipif(
    shutil.which("mount") is None or os.geteuid() != 0, reason="needs root to make a small disk"
)
def test_a_full_disk_is_said_and_nothing_is_lost(tutor: Tutor, notes: Path, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(disk)], check=False).returncode:
        pytest.skip("this machine does not let us mount a small disk")
    try:
        done = tutor("ingest", str(notes), TUTOR_DATA_DIR=str(disk))
    finally:
        subprocess.run(["umount", str(disk)], check=True)
    assert done.code == 1
    assert "disk is full" in done.err


def test_one_question_is_answered_with_its_sources(at_home: Path) -> None:
    answered = CliRunner().invoke(
        commands, ["ask", "What is a mitochondrion?", "--json"], catch_exceptions=False
    )
    response = json.loads(answered.stdout)
    assert response["grounded"]
    assert "releases energy" in response["answer"]
    assert response["citations"][0]["chapter_id"] == "cells"


def test_answers_are_graded_line_by_line() -> None:
    lines = [
        {"question": "What is 2+2?", "references": ["4"], "answer": "four"},
        {"question": "What is a topic?", "references": ["a named channel"], "answer": "no idea"},
    ]
    text = "\n".join(json.dumps(line) for line in lines)
    graded = CliRunner().invoke(commands, ["grade", "--jsonl"], input=text, catch_exceptions=False)
    rows = [json.loads(line) for line in graded.stdout.splitlines()]
    assert [row["is_correct"] for row in rows] == [True, False]
    assert all(row.keys() == {"is_correct", "score", "reason", "confident"} for row in rows)


@pytest.mark.parametrize(
    "line", ["not json", "[]", '{"question": "q", "answer": "a"}', '{"references": ["r"]}']
)
def test_a_line_that_cannot_be_graded_is_named(line: str) -> None:
    with pytest.raises(InvalidInputError, match="Line 1"):
        CliRunner().invoke(commands, ["grade", "--jsonl"], input=line, catch_exceptions=False)


def test_progress_of_somebody_new_says_how_to_begin(at_home: Path) -> None:
    shown = CliRunner().invoke(commands, ["progress", "--user", "nobody"], catch_exceptions=False)
    assert "nothing to show" in shown.stdout


def test_an_answer_that_is_not_there_cannot_be_disputed(at_home: Path) -> None:
    with pytest.raises(InvalidInputError, match="nobody has no answer 7"):
        CliRunner().invoke(commands, ["dispute", "--user", "nobody", "--answer", "7"], catch_exceptions=False)


def test_preview_shows_what_would_be_taught_and_asked(tutor: Tutor) -> None:
    done = tutor("preview", "ROS 2 topics", "--json")
    assert done.code == 0
    shown = done.json
    assert list(shown) == ["course", "topic", "part", "parts", "lesson", "sources", "questions"]
    assert shown["sources"][0]["chapter_id"] == "module-1-ros2/ch2-topics"
    assert set(shown["sources"][0]) == {"chapter_id", "title", "source_url"}
    assert "[1]" in shown["lesson"]
    assert len(shown["questions"]) >= 3
    letters = "".join(filter(str.isalpha, shown["lesson"]))
    for question in shown["questions"]:
        for told in question["source_context"].split("\n\n"):
            assert "".join(filter(str.isalpha, told)) in letters


def test_preview_of_a_named_part_is_that_part(tutor: Tutor) -> None:
    page = tutor("preview", "Topics, messages and quality of service, part 2", "--course", "physical-ai")
    assert page.code == 0
    assert ", part 2 of " in page.out.splitlines()[0]
    assert "Question 1 of" in page.out


def test_preview_of_what_is_not_there_says_so_in_one_line(tutor: Tutor) -> None:
    nothing = tutor("preview", "cooking pasta")
    assert nothing.code == 1
    assert "cooking pasta" in nothing.err
    assert "Traceback" not in nothing.err
    assert tutor("preview", "nodes", "--course", "nowhere").code == 1


def test_records_are_for_their_owner_only(tutor: Tutor, notes: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir(mode=0o755)
    tutor("ingest", str(notes), TUTOR_DATA_DIR=str(data))
    open_to_others = [path.name for path in (data, *data.rglob("*")) if path.stat().st_mode & 0o077]
    assert (data / "tutor.db").exists()
    assert open_to_others == []


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("[" * 100_000, "not JSON"),
        ('{"question": 1, "references": ["a"], "answer": "a"}', "question"),
        ('{"question": "q", "references": "a", "answer": "a"}', "references: Input should be a valid list"),
        ('{"question": "q", "references": ["a", 7], "answer": "a"}', "references.1: Input should be"),
        ('{"question": "q", "references": ["a"], "answer": "a", "kind": ["x"]}', "kind: Input should be"),
        (
            '{"question": "q", "references": ["a"], "answer": "a", "options": "abc"}',
            "options: Input should be a valid list",
        ),
    ],
)
def test_a_line_of_the_wrong_type_is_said(line: str, said: str) -> None:
    done = CliRunner().invoke(commands, ["grade", "--jsonl"], input=line)
    assert isinstance(done.exception, InvalidInputError)
    assert said in str(done.exception)
    assert str(done.exception).startswith("Line 1")


def test_half_a_character_and_broken_bytes_are_graded_without_them() -> None:
    lines = b'{"question": "What?", "references": ["a seal"], "answer": "a \\ud800seal"}\n'
    lines += b'{"question": "What?", "references": ["a seal"], "answer": "a seal\xff"}\n'
    done = CliRunner().invoke(commands, ["grade", "--jsonl"], input=lines)
    assert [json.loads(line)["is_correct"] for line in done.output.splitlines()] == [True, True]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["ingest", ""], "path is empty"),
        (["ingest", "  "], "path is empty"),
        (["progress", "--user", "x" * 256], "1 to 255 characters"),
        (["progress", "--user", ""], "1 to 255 characters"),
        (["dispute", "--user", "a\nb", "--answer", "1"], "1 to 255 characters"),
    ],
)
def test_what_names_nothing_is_refused_before_anything_is_done(arguments: list[str], said: str) -> None:
    done = CliRunner().invoke(commands, arguments)
    assert done.exit_code == 2
    assert said in done.output


def test_a_heading_that_looks_like_terminal_markup_is_shown_as_it_is(tutor: Tutor, notes: Path) -> None:
    (notes / "odd.md").write_text("# [/bold] [red]Odd\n\nA **gasket** is a flat [/dim] seal.\n")
    tutor("ingest", str(notes))
    done = tutor("search", "gasket")
    assert done.code == 0
    assert "[/bold] [red]Odd" in done.out


def test_a_plan_has_days_and_goes_into_a_calendar(tutor: Tutor, tmp_path: Path) -> None:
    file = tmp_path / "plan.ics"
    done = tutor("plan", "--goal", "SLAM", "--by", "in two weeks", "--ics", str(file), "--json")
    steps = done.json["steps"]
    assert done.code == 0
    assert done.json["goals"] == ["SLAM"]
    assert done.json["fits"]
    assert all(step["on"] <= done.json["by"] for step in steps)
    assert file.read_text(encoding="utf-8").count("BEGIN:VEVENT") == len(steps)
    again = tutor("plan")
    assert "Your way to SLAM" in again.out
    assert "It fits until" in again.out


def test_a_date_that_nobody_can_read_is_refused(tutor: Tutor) -> None:
    done = tutor("plan", "--by", "the day that never comes")
    assert done.code == 1
    assert "no date to come" in done.err
