"""Where am I: the unit above a lesson, its parts by their headings, what is next, and the way back."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.site import Site, words
from web.whereabouts import Whereabouts, part_titles

PAGES = {
    "Preface": "Why this book was written. It was a long winter, and the author had time.",
    "Water": "**Water** is a molecule of two hydrogen atoms and one oxygen atom.",
    "Tides": "A **tide** is the rise and fall of the sea. A **spring tide** is a tide of the largest range.",
    "Waves": "A **wave** is a disturbance that travels through water. A **crest** is the top of a wave.",
}
BOOK = """# Seas

- [Preface](preface.md)
- [The stuff](water.md)
  - [Water](water2.md)
- [What moves](moves.md)
  - [Tides](tides.md)
  - [Waves](waves.md)
"""


@pytest.fixture
async def book(site: Site, tmp_path: Path) -> Site:
    """A book that begins with its preface, with units below it."""
    folder = tmp_path / "seas"
    folder.mkdir()
    (folder / "SUMMARY.md").write_text(BOOK)
    named = {"preface": "Preface", "water2": "Water", "tides": "Tides", "waves": "Waves"}
    for name, title in named.items():
        text = " ".join([PAGES[title]] * 12)
        sections = "\n\n".join(f"## {title} {each}\n\n{text}" for each in ("near", "far"))
        (folder / f"{name}.md").write_text(f"# {title}\n\n{sections}\n")
    (folder / "water.md").write_text("# The stuff\n\nWhat the sea is made of.\n")
    (folder / "moves.md").write_text("# What moves\n\nWhat the sea does.\n")
    await site.services.library.ingest([folder])
    return site


@pytest.mark.parametrize(
    ("topic", "unit"), [("Water", "The stuff"), ("Tides", "What moves"), ("Waves", "What moves")]
)
async def test_the_unit_above_a_lesson_is_its_own_and_not_the_preface(
    book: Site, topic: str, unit: str
) -> None:
    await book.start(topic, course="seas")
    crumb = words((await book.see("/study")).select_one("#head .crumb"))
    assert crumb.split(" › ")[:2] == ["Seas", unit]


async def test_a_lesson_says_what_is_next_and_how_much_is_left(book: Site) -> None:
    await book.start("Tides", course="seas")
    told = words((await book.see("/study")).select_one("#head .parts summary"))
    assert "next:" in told
    links = [words(each) for each in (await book.see("/study")).select("#head .parts button")]
    assert links[-1] == "Waves"
    start = await book.see("/")
    assert "What moves" in words(start.select_one(".go-on .crumb"))


def test_parts_are_named_by_their_headings() -> None:
    """Never by numbers alone, and two parts under one heading can be told apart."""
    assert part_titles(["Length", "Length", "Volume", "Length", ""]) == (
        "Length",
        "Length, continued",
        "Volume",
        "Length, continued (3)",
        "Part 5",
    )


async def test_no_heading_above_a_question_gives_its_answer_away(site: Site) -> None:
    await site.start(manner="quiz")
    question = (await site.state()).pending_question
    assert question is not None
    asked = question.model_copy(update={"kind": "cloze", "expected_answer": "density"})
    where = Whereabouts(page="Measurements", parts=("Length", "Density"), number=2, next_page="On density")
    assert where.title == "Density"
    hidden = where.without(asked)
    assert (hidden.title, hidden.label, hidden.next) == ("Part 2", "Measurements: Part 2", "")
    assert replace(where, number=1).without(asked).next == "Part 2"


async def test_every_earlier_lesson_and_answer_can_be_opened_again(learnt: Site) -> None:
    page = await learnt.see("/earlier")
    lessons = [str(each["value"]) for each in page.select('form[action="/study/start"] input[name=topic]')]
    rows = await learnt.services.ledger.of("user")
    assert lessons == [rows[0].topic]
    assert len(page.select(".answers li")) == len(rows)
    for link in page.select(".answers a.source"):
        assert (await learnt.client.get(str(link["href"]))).status_code == 200
    assert len(page.select(".answers a.source")) == len([row for row in rows if row.chunk_id])


async def test_the_end_of_a_session_says_what_is_known_and_when_it_comes_back(site: Site) -> None:
    assert "No answers yet today" in words(await site.see("/today"))
    await site.start()
    await site.master()
    assert (await site.see("/study")).select('a[href="/today"]')
    page = await site.see("/today")
    rows = await site.services.learners.mastery("user")
    known = {row.concept_name for row in rows if row.mastered}
    assert known
    assert {words(each) for each in page.select('[aria-labelledby="known"] strong')} == known
    for row in rows:
        if row.mastered and row.review_due_at:
            assert f"comes back {row.review_due_at.astimezone(site.services.zone):%A, %d %B}" in words(page)
