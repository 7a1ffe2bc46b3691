"""A file that hangs, bursts or crashes its reader costs a line, and the next file is read."""

import io
import os
import zipfile
from pathlib import Path

import docx
import pytest

from rag.loaders import load_document
from rag.loaders.apart import ReadingProcess, belongs_apart
from storage.errors import DocumentError, WordlessDocumentError


def word(path: Path, text: str = "A **seal** is a ring.") -> Path:
    document = docx.Document()
    document.add_heading("Seals", level=1)
    document.add_paragraph(text)
    document.save(str(path))
    return path


def bursting(path: Path, megabytes: int) -> Path:
    """A Word file of some kilobytes whose text is as many megabytes of paragraphs."""
    word(path)
    with zipfile.ZipFile(path) as whole:
        parts = {name: whole.read(name) for name in whole.namelist()}
    before, after = parts["word/document.xml"].split(b"<w:body>")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            with archive.open(name, "w") as part:
                if name != "word/document.xml":
                    part.write(data)
                    continue
                part.write(before + b"<w:body>")
                for _ in range(megabytes):
                    part.write(b"<w:p/>" * (1024 * 1024 // 6))
                part.write(after)
    path.write_bytes(out.getvalue())
    return path


def test_it_reads_what_would_be_read_here(tmp_path: Path) -> None:
    path = word(tmp_path / "seals.docx")
    apart = ReadingProcess()
    assert apart.load(path) == load_document(path)
    apart.close()


def test_a_small_file_that_unpacks_to_gigabytes_is_refused_and_the_next_one_read(tmp_path: Path) -> None:
    apart = ReadingProcess(memory=512 << 20)
    with pytest.raises(DocumentError, match=r"memory|crashes|cannot be read"):
        apart.load(bursting(tmp_path / "bomb.docx", megabytes=60))
    assert apart.load(word(tmp_path / "good.docx")).title == "Seals"
    apart.close()


def test_a_file_that_takes_too_long_is_refused_and_the_next_one_read(tmp_path: Path) -> None:
    apart = ReadingProcess(seconds=1)
    with pytest.raises(DocumentError, match="takes longer"):
        apart.load(bursting(tmp_path / "slow.docx", megabytes=24))
    assert apart.load(word(tmp_path / "good.docx")).title == "Seals"
    apart.close()


def test_what_is_wrong_with_a_file_is_said_as_it_would_be_here(tmp_path: Path) -> None:
    empty, broken = tmp_path / "empty.md", tmp_path / "broken.pdf"
    empty.write_text("# Only a title\n")
    broken.write_bytes(b"%PDF-1.7 nothing")
    apart = ReadingProcess()
    with pytest.raises(WordlessDocumentError) as wordless:
        apart.load(empty)
    assert wordless.value.title == "Only a title"
    with pytest.raises(DocumentError, match="cannot be read as a PDF"):
        apart.load(broken)
    apart.close()


def test_large_files_and_formats_that_unpack_are_read_apart() -> None:
    assert belongs_apart(Path("a.PDF"), size=10)
    assert belongs_apart(Path("a.md"), size=5_000_000)
    assert not belongs_apart(Path("a.md"), size=100_000)


def test_a_page_includes_no_pipe_and_not_without_end(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "part.txt").write_text("part " * 15_000)
    (tmp_path / "a.md").write_text("# A\n\nText.\n\n{{#include pipe.txt}}\n\n{{#include part.txt}}\n")
    assert "part part" in load_document(tmp_path / "a.md", root=tmp_path).sections[0].text
    (tmp_path / "b.md").write_text("# B\n\nText.\n\n" + "{{#include part.txt}}\n" * 400)
    with pytest.raises(DocumentError, match="includes more"):
        load_document(tmp_path / "b.md", root=tmp_path)


def test_a_text_of_more_than_ten_megabytes_is_refused_before_it_is_read(tmp_path: Path) -> None:
    """One line of 48 MB took 3.7 GB."""
    with (tmp_path / "line.txt").open("wb") as file:
        file.truncate(48 << 20)
    with pytest.raises(DocumentError, match="larger than 10 MB"):
        load_document(tmp_path / "line.txt")
