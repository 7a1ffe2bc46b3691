"""What the documents name is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = re.compile(r"`((?:agents|deploy|evals|rag|storage|tasks_tools|tests|web)/[\w/.]*)`")


@pytest.mark.parametrize("name", ["AGENTS.md", "CONTRIBUTING.md", "docs/architecture.md", "docs/deploy.md"])
def test_every_file_that_a_document_names_exists(name: str) -> None:
    named = FILES.findall((ROOT / name).read_text(encoding="utf-8"))
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_the_walk_of_one_answer_has_at_most_twenty_stops() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    stops = re.findall(r"^(\d+)\. ", text, re.MULTILINE)
    assert len(stops) <= 20
