"""Quizzes that a course keeps apart from its pages belong to the pages that send their readers to them."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from rag.library import Library, LibraryOptions
from storage.database import Database


@pytest.fixture
async def library(database: Database, tmp_path: Path) -> AsyncIterator[Library]:
    opened = Library(database, LibraryOptions(index_folder=tmp_path / "index", embedder="wordllama"))
    yield opened
    await opened.close()


def page(name: str, *, quiz: int) -> str:
    return (
        f"# {name}\n\n[Quiz before the lesson](https://quizzes.example.org/en/quiz/{quiz})\n\n"
        f"A {name.lower()} is a tree. It grows in the wood, and its leaves fall in autumn.\n"
    )


def course(folder: Path) -> Path:
    (folder / "app" / "data").mkdir(parents=True)
    (folder / "1-oak.md").write_text(page("Oak", quiz=7))
    (folder / "2-ash.md").write_text(page("Ash", quiz=8))
    asked = {"questionText": "Does it lose its leaves?", "answerOptions": [
        {"answerText": "Yes", "isCorrect": "true"}, {"answerText": "No", "isCorrect": "false"},
    ]}  # fmt: skip
    quizzes = [{"id": number, "title": f"Trees {number}", "quiz": [asked]} for number in (8, 7, 9)]
    (folder / "app" / "data" / "trees.json").write_text(json.dumps({"quizzes": quizzes}))
    return folder


async def test_a_quiz_is_about_the_page_that_links_to_it(library: Library, tmp_path: Path) -> None:
    trees = course(tmp_path / "trees")
    await library.ingest([trees], course="trees")

    pages = {each.chunk_id: each.chapter_id for each in await library.corpus.passages("trees")}
    items = await library.corpus.items.of_course("trees")
    homes = {each.title: pages.get(each.question.chunk_id) for each in items}
    assert (homes["Trees 7"], homes["Trees 8"]) == ("1-oak", "2-ash")
    assert homes["Trees 9"] in ("1-oak", "2-ash")  # nobody links to it: by its words

    (trees / "2-ash.md").write_text(page("Ash", quiz=9))
    await library.ingest([trees], course="trees")
    items = await library.corpus.items.of_course("trees")
    homes = {each.title: pages.get(each.question.chunk_id) for each in items}
    assert homes["Trees 7"] == "1-oak"
    assert len(items) == 3
