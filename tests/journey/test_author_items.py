"""The author's questions of a course are kept with it, and kept up with it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from rag.library import Library, LibraryOptions
from storage.database import Database
from tests.support.exercises import read_asked, write

TIDES = """# Tides

## The moon's pull

The moon pulls on the water that faces it, and so it makes a **tidal bulge** there.

Ask: What makes the bulge?
Key: the moon

## The sun's part

In line with the moon the sun makes a **spring tide**. A **neap tide** is the low tide that the two make at right angles.

## Exercises

Ask: Which tide is made at right angles?
+ a neap tide (the pulls work against each other)
- a spring tide

Ask: What is the meaning of it all?
"""
QUIZ = """# Quiz

Ask: What runs up a river?
Key: a bore
"""
RIVERS = "# Rivers\n\nA **bore** is a wave that runs up a river with the tide, against its flow.\n"


@pytest.fixture
async def library(database: Database, tmp_path: Path) -> AsyncIterator[Library]:
    opened = Library(database, LibraryOptions(index_folder=tmp_path / "index", embedder="wordllama"))
    yield opened
    await opened.close()


@pytest.fixture
def sea(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    read_asked(monkeypatch)
    return write(tmp_path / "sea", {"1-tides": TIDES, "2-rivers": RIVERS, "3-quiz": QUIZ})


async def test_what_an_author_asks_is_kept_in_the_order_of_the_course(library: Library, sea: Path) -> None:
    await library.ingest([sea], course="sea")

    bulge, neap, meaning, bore = await library.corpus.items.of_course("sea")
    assert bulge.question.question_text == "What makes the bulge?"
    assert (neap.question.kind, neap.question.expected_answer) == ("multiple_choice", "a neap tide")
    assert neap.question.concept_name == "neap tide"
    assert meaning.trouble == "the author gives no answer"
    assert (bore.chapter_id, bore.question.concept_name) == ("3-quiz", "bore")
    pages = {each.chunk_id: each.chapter_id for each in await library.corpus.passages("sea")}
    assert [pages[each.question.chunk_id] for each in (bulge, neap, bore)] == [
        "1-tides",
        "1-tides",
        "2-rivers",
    ]
    assert [course.exercises for course in await library.courses()] == [4]


async def test_a_page_of_nothing_but_questions_is_work_and_teaches_nothing(
    library: Library, sea: Path
) -> None:
    await library.ingest([sea], course="sea")
    kinds = {each.chapter_id: each.kind for each in await library.corpus.documents("sea")}
    assert kinds == {"1-tides": "content", "2-rivers": "content", "3-quiz": "exercises"}
    assert all("bulge?" not in each.chunk_text for each in await library.corpus.passages("sea"))
    assert "3-quiz" not in {each.chapter_id for each in await library.corpus.passages("sea")}


async def test_reading_again_costs_nothing_and_follows_what_changed(library: Library, sea: Path) -> None:
    await library.ingest([sea], course="sea")
    before = await library.corpus.items.of_course("sea")
    [report] = await library.ingest([sea], course="sea")
    assert (report.changed, report.unchanged) == (0, 3)
    assert await library.corpus.items.of_course("sea") == before

    write(sea, {"1-tides": TIDES.replace("Key: the moon", "Key: the moon's pull")})
    (sea / "3-quiz.md").unlink()
    await library.ingest([sea], course="sea")
    after = await library.corpus.items.of_course("sea")
    assert [each.question.question_id for each in after] == [
        each.question.question_id for each in before[:3]
    ], "the same questions, so that what was answered keeps them"
    assert after[0].question.expected_answer == "the moon's pull"


async def test_a_page_that_comes_to_hold_only_questions_is_not_taught_any_more(
    library: Library, sea: Path
) -> None:
    await library.ingest([sea], course="sea")
    write(sea, {"2-rivers": "# Rivers\n\nAsk: What is a bore?\nKey: a wave\n"})
    await library.ingest([sea], course="sea")
    assert "bore" not in {each.name for each in (await library.concept_graph("sea"))[0]}
    assert len(await library.corpus.items.of_course("sea")) == 5


ASKING = "# Waves\n\nA **wave** is water that moves up and down.\n\n## Exercises\n\n1. What moves up and down in a wave?\n2. What makes a wave?\n3. What is a crest?\n"
ANSWERS = "# Answers\n\n## Waves\n\n1. the water\n2. the wind\n3. its highest point\n"


async def test_an_answer_on_another_page_is_found_whichever_of_both_is_read_first(
    library: Library, tmp_path: Path
) -> None:
    folder = write(tmp_path / "waves", {"1-waves": ASKING})

    async def keys() -> list[str]:
        await library.ingest([folder], course="waves")
        found = await library.corpus.items.of_course("waves")
        return [each.question.expected_answer for each in found]

    assert await keys() == ["", "", ""]
    write(folder, {"2-answers": ANSWERS})
    assert await keys() == ["the water", "the wind", "its highest point"]
    shown = [each.chunk_text for each in await library.corpus.passages("waves")]
    assert not any("the wind" in text for text in shown), "an answer is taught nowhere"
    write(folder, {"2-answers": ANSWERS.replace("the wind", "the storm")})
    assert (await keys())[1] == "the storm"
    (folder / "2-answers.md").unlink()
    assert await keys() == ["", "", ""]
