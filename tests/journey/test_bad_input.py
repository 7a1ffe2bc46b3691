"""A course with everything wrong that a course can have: a clear line each, and the rest is read."""

import io
import json
import zipfile
from pathlib import Path

import pytest
from pypdf import PdfWriter

from agents.teaching.grading import grade_answer
from rag.library import Library, LibraryOptions
from storage.database import Database


@pytest.fixture
def database_url(migrated_sqlite: Path, tmp_path: Path) -> str:
    (tmp_path / "tutor.db").write_bytes(migrated_sqlite.read_bytes())
    return f"sqlite:///{tmp_path / 'tutor.db'}"


def blank_pdf(*, password: str = "") -> bytes:
    writer = PdfWriter()
    writer.add_blank_page(width=200, height=200)
    if password:
        writer.encrypt(password, algorithm="AES-256")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def bomb() -> bytes:
    out = io.BytesIO()
    with (
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("a.xml", "w", force_zip64=True) as part,
    ):
        for _ in range(501):
            part.write(bytes(1024 * 1024))
    return out.getvalue()


async def test_what_cannot_be_read_is_named_and_the_rest_is_read(database: Database, tmp_path: Path) -> None:
    course = tmp_path / "pumps"
    course.mkdir()
    (tmp_path / "secret.md").write_text("# Secret\n\nNot part of the course.\n")
    (course / "secret.md").symlink_to(tmp_path / "secret.md")
    (course / "good.md").write_text("# Seals\n\nA **seal** is a ring that keeps water in.\n")
    (course / "two\nlines.md").write_text("# Glands\n\nA **gland** presses on the seal.\n")
    (course / "long.txt").write_text("word " * 100_000 + "x" * 100_000)
    (course / "SUMMARY.md").write_text("- [Seals](good.md)\n- [Gone](gone.md)\n- [Seals](good.md)\n")
    (course / "torn.ipynb").write_text('{"cells": [')
    (course / "odd.ipynb").write_text(json.dumps({"cells": [1, {"cell_type": "markdown", "source": 3}]}))
    (course / "locked.pdf").write_bytes(blank_pdf(password="x"))
    (course / "scan.pdf").write_bytes(blank_pdf())
    (course / "bomb.pptx").write_bytes(bomb())
    library = Library(database, LibraryOptions(index_folder=tmp_path / "index", embedder="wordllama"))
    try:
        [report] = await library.ingest([course])
        documents = await library.corpus.documents("pumps")
    finally:
        await library.close()

    assert {document.chapter_id for document in documents} == {"good", "two�lines", "long", "odd"}
    reasons = dict(report.failures)
    assert set(reasons) == {"torn.ipynb", "locked.pdf", "scan.pdf", "bomb.pptx"}
    for name, words in (("torn", "notebook"), ("locked", "encrypted"), ("scan", "OCR"), ("bomb", "500 MB")):
        [reason] = [text for file, text in reasons.items() if file.startswith(name)]
        assert words in reason
        assert str(tmp_path) not in reason
    assert report.warnings == (
        "SUMMARY.md lists gone.md, which is not there",
        "SUMMARY.md comes back to good.md; its first place counts",
    )


ASKED = """<div data-type="exercise">
<div data-type="problem" markdown="1">
Which part keeps water in?

1.  a seal
2.  a screw
{: type="a"}
</div>
<div data-type="solution">
%s
</div>
</div>
"""
TWO_RIGHT = """<quiz><question type="multichoice"><questiontext><text>Which part wears?</text></questiontext>
<single>true</single><answer fraction="100"><text>a seal</text></answer>
<answer fraction="100"><text>a gland</text></answer></question></quiz>"""
ENTITIES = """<!DOCTYPE quiz [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]><quiz>
<question type="essay"><questiontext><text>&b;</text></questiontext></question></quiz>"""
UNCLOSED = "# Glands\n\nA **gland** presses on the seal.\n\n::: challenge\n\nWhat presses on the seal?\n\n"
OPEN = ":::: solution\n\nThe gland, by its tightened nuts.\n\n# Shafts\n\nA **shaft** turns in the pump.\n"
HOSTILE = (
    "# Flow\n\nThe **flow** is $\\def\\a{\\a\\a}\\a \\input{/etc/passwd} \\href{javascript:alert(1)}{Q}$ of a pump.\n\n"
    "::: challenge\n\nWhat is the flow?\n\n:::: solution\n\n$Q = \\write18{rm} v A^{9^{9^{9^{9}}}}$\n\n::::\n:::\n"
)
MANY = "".join(
    f"What is pump {number} of?\nA. iron {number}\nB. wood\nANSWER: A\n\n" for number in range(5000)
)


async def test_questions_that_are_broken_are_named_one_by_one_and_the_rest_is_asked(
    database: Database, tmp_path: Path
) -> None:
    """Each kind of bad question of a course in one folder: a line for each, no key in a lesson, and nothing runs."""
    course = tmp_path / "pumps"
    course.mkdir()
    pages = {
        "seals.md": f"# Seals\n\nA **seal** keeps water in.\n\n{ASKED % 'A'}\n\n{ASKED % 'E'}\n\n"
        '<div data-type="solution">\nThe washer, of soft rubber.\n</div>\n',
        "glands.md": UNCLOSED + OPEN,
        "flow.md": HOSTILE,
        "two.xml": TWO_RIGHT,
        "entities.xml": ENTITIES,
        "many.txt": MANY,
    }
    for name, text in pages.items():
        (course / name).write_text(text)
    (course / "deck.apkg").write_bytes(bomb())
    library = Library(database, LibraryOptions(index_folder=tmp_path / "index", embedder="wordllama"))
    try:
        [report] = await library.ingest([course])
        items = await library.corpus.items.of_course("pumps")
        taught = " ".join(each.chunk_text for each in await library.corpus.passages("pumps"))
    finally:
        await library.close()

    reasons = dict(report.failures)
    assert reasons.keys() == {"entities.xml", "deck.apkg"}
    assert all(reasons.values())
    assert not any(str(tmp_path) in reason for reason in reasons.values())
    of_page = {
        name: [each for each in items if each.chapter_id == name] for name in ("seals", "glands", "two")
    }
    assert [bool(each.trouble) for each in of_page["seals"]] == [False, True, True]
    assert "choices end at B" in of_page["seals"][1].trouble
    assert "no question" in of_page["seals"][2].trouble
    assert any("end" in each.trouble or "close" in each.trouble for each in of_page["glands"])
    assert ["only one may be" in each.trouble for each in of_page["two"]] == [True]
    assert sum(each.chapter_id == "many" and not each.trouble for each in items) == 5000
    for key in ("soft rubber", "tightened nuts", "write18"):
        assert key not in taught
    assert "shaft** turns" in taught
    [flow] = [each.question for each in items if each.chapter_id == "flow"]
    assert grade_answer("v A", question="", references=[flow.expected_answer], kind="formula").score < 1
