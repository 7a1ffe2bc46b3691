"""What the documents say is so: files, links, commands, figures, the tree of agents and the session."""

import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from google.adk.agents.base_agent import BaseAgent
from google.adk.cli.cli_tools_click import main as adk

from agents.agent import build_app
from agents.cli import tutor
from agents.services import Services
from evals.__main__ import main as evals
from tests.support.commands import parsed
from tests.support.talk import Learner, settings_in

ROOT = Path(__file__).parents[2]
FILES = re.compile(r"`((?:agents|deploy|evals|rag|storage|tasks_tools|tests|web)/[\w/.]*)`")
LINKS = re.compile(r"\]\(([^)#]+)(?:#[^)]*)?\)")
BLOCKS = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
DOCUMENTS = [
    "README.md",
    "AGENTS.md",
    "CONTRIBUTING.md",
    *sorted(f"docs/{each.name}" for each in (ROOT / "docs").glob("*.md")),
]
# Programs of others; what they are given of ours is looked at.
OTHERS = {"pip", "pipx", "uv", "pre-commit", "curl", "docker", "echo"}


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def commands() -> Iterator[tuple[str, str]]:
    """Every command line of every block, with the document that it stands in."""
    for name in DOCUMENTS:
        for language, block in BLOCKS.findall(text_of(name)):
            lines = block.replace("\\\n", " ").splitlines()
            if language == "console":
                lines = [line[2:] for line in lines if line.startswith("$ ")]
            elif language != "sh":
                continue
            for line in lines:
                for part in line.split("&&"):
                    if part.split("#")[0].strip():
                        yield name, part.strip()


ALL = sorted(set(commands()))


@pytest.mark.parametrize("name", ["AGENTS.md", "CONTRIBUTING.md", "docs/architecture.md", "docs/deploy.md"])
def test_every_file_that_a_document_names_exists(name: str) -> None:
    named = FILES.findall(text_of(name))
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_the_walk_of_one_answer_has_at_most_twenty_stops() -> None:
    stops = re.findall(r"^(\d+)\. ", text_of("docs/architecture.md"), re.MULTILINE)
    assert len(stops) <= 20


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_link_leads_somewhere(name: str) -> None:
    folder = (ROOT / name).parent
    targets = [link for link in LINKS.findall(text_of(name)) if "://" not in link]
    assert [link for link in targets if not (folder / link).resolve().exists()] == []


@pytest.mark.parametrize(("name", "line"), ALL, ids=[line for _, line in ALL])
def test_every_command_of_a_document_is_one_that_the_program_takes(name: str, line: str) -> None:
    line = re.sub(r"^\w+=\$\((.*?)\)", r"\1", line)  # what a variable is set to
    program, *arguments = shlex.split(re.split(r"\s[<>]+\s", line)[0], comments=True)
    if program == "make":
        targets = re.findall(r"^([a-z-]+):", text_of("Makefile"), re.MULTILINE)
        assert {each for each in arguments if "=" not in each} <= set(targets), name
    elif program == "tutor":
        parsed(tutor, arguments)
    elif program == "adk":
        parsed(adk, arguments)
    elif (program, arguments[:2]) == ("python", ["-m", "evals"]):
        parsed(evals, arguments[2:])
    elif (program, arguments[:1]) == ("python", ["-m"]):
        assert (ROOT / f"{arguments[1].replace('.', '/')}.py").exists(), name
    else:
        assert program in OTHERS, f"{name}: who is {program}?"
        extras = tomllib.loads(text_of("pyproject.toml"))["project"]["optional-dependencies"]
        assert set(re.findall(r"\[(\w+)\]", line)) <= set(extras), name


def test_every_command_of_ours_is_in_the_guide() -> None:
    told = {line.split()[1] for name, line in ALL if name == "docs/use.md" and line.startswith("tutor ")}
    told |= set(re.findall(r"`tutor (\w+)", text_of("docs/use.md") + text_of("docs/teach.md")))
    told |= {line.split()[1] for name, line in ALL if name == "docs/teach.md" and line.startswith("tutor ")}
    assert set(tutor.commands) - told == set()


def test_the_first_page_is_short() -> None:
    assert len(text_of("README.md").splitlines()) < 120


def test_every_figure_of_the_first_page_is_in_the_results() -> None:
    sections = text_of("evals/RESULTS.md").split("\n## ")
    rows = re.findall(
        r"^\|[^|]+\| ([\d.]+) \| (`python -m evals \w+`) \|$", text_of("README.md"), re.MULTILINE
    )
    assert len(rows) >= 5
    for figure, command in rows:
        section = next(each for each in sections if command in each)
        assert re.search(rf"\b{re.escape(figure)}\b", section), (figure, command)


def test_the_tree_of_the_first_page_is_the_tree(tmp_path: Path) -> None:
    told = re.findall(r"(\w+) \((\w*Agent)\)", text_of("README.md"))

    def tree(agent: BaseAgent) -> Iterator[tuple[str, type[BaseAgent]]]:
        yield agent.name, type(agent)
        for child in agent.sub_agents:
            yield from tree(child)

    real = list(tree(build_app(Services(settings_in(tmp_path, {}))).root_agent))
    assert [name for name, _ in told] == [name for name, _ in real]
    for (_, kind), (name, cls) in zip(told, real, strict=True):
        assert kind in {each.__name__ for each in cls.__mro__} | {"Agent"}, name


async def test_the_session_of_the_first_page_was_really_held(tmp_path: Path) -> None:
    [session] = [block for _, block in BLOCKS.findall(text_of("README.md")) if block.startswith("> ")]
    learner = await Learner(tmp_path).begin()
    try:
        heard: list[tuple[str, str]] = []
        for line in session.splitlines():
            if line.startswith("> "):
                events = (await learner.say(line[2:])).events
                said = [(each.author, each.content.parts or []) for each in events if each.content]
                heard = [(author, part.text) for author, parts in said for part in parts if part.text]
            else:
                author, words = line.removeprefix("[").split("] ", 1)
                assert any(author == who and words in text for who, text in heard), line
    finally:
        await learner.close()
