"""A course with everything wrong that a course can have: a clear line each, and the rest is read."""

import io
import json
import zipfile
from pathlib import Path

import pytest
from pypdf import PdfWriter

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
