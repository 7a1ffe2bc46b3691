"""Which files load at all, in which encodings, and what the author of a bad one is told."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rag.loaders import SUFFIXES, load_document
from rag.loaders.document import MAX_BYTES
from storage.errors import DocumentError

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4


def refusal(path: Path) -> str:
    with pytest.raises(DocumentError) as caught:
        load_document(path)
    return str(caught.value)


def written(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def test_the_formats_of_a_course_are_supported():
    assert {".md", ".mdx", ".txt", ".html", ".htm", ".pdf", ".docx"} <= SUFFIXES


def test_a_suffix_counts_in_any_case(tmp_path: Path):
    assert load_document(written(tmp_path, "NOTES.MD", b"# Robots\n\nThey move.")).title == "Robots"


def test_an_unknown_ending_is_refused_with_the_ones_that_work(tmp_path: Path):
    message = refusal(written(tmp_path, "slides.key", b"PK"))
    assert "not supported" in message
    assert ".docx" in message


@pytest.mark.parametrize("name", ["a.md", "a.txt", "a.html", "a.pdf", "a.docx"])
def test_a_missing_file_is_named_as_such_without_its_path(tmp_path: Path, name: str):
    message = refusal(tmp_path / name)
    assert "does not exist" in message
    assert str(tmp_path) not in message


def test_a_folder_with_the_ending_of_a_document_is_refused(tmp_path: Path):
    (tmp_path / "notes.md").mkdir()
    assert "is a folder" in refusal(tmp_path / "notes.md")


def test_an_unreadable_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = written(tmp_path, "a.md", b"text")
    # Tests may run as root, who can read everything, so the refusal itself is staged.
    monkeypatch.setattr(
        os, "open", lambda *_: (_ for _ in ()).throw(PermissionError(13, "Permission denied"))
    )
    assert "permission denied" in refusal(path)


@pytest.mark.parametrize("name", ["a.md", "a.txt", "a.html", "a.pdf", "a.docx"])
@pytest.mark.parametrize("data", [b"", b"  \n\t\n"])
def test_an_empty_file_is_called_empty(tmp_path: Path, name: str, data: bytes):
    assert "is empty" in refusal(written(tmp_path, name, data))


def test_a_file_with_only_a_byte_order_mark_is_empty(tmp_path: Path):
    assert "is empty" in refusal(written(tmp_path, "a.md", b"\xef\xbb\xbf\n"))


def test_a_file_over_50_mb_is_refused_before_it_is_read(tmp_path: Path):
    path = tmp_path / "big.pdf"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    assert "larger than 50 MB" in refusal(path)


@pytest.mark.parametrize("name", ["a.md", "a.txt", "a.html"])
@pytest.mark.parametrize(
    "data",
    [
        PNG,
        b"%PDF-1.7\n%\xe2\xe3",
        b"PK\x03\x04rest",
        b"\x1f\x8b\x08rest",
        b"text\0with a nul",
        b"\x01\x02\x03\x04" * 50,
    ],
    ids=["png", "pdf", "zip", "gzip", "nul", "controls"],
)
def test_a_binary_file_with_a_text_ending_is_not_text(tmp_path: Path, name: str, data: bytes):
    assert "is not text" in refusal(written(tmp_path, name, data))


@pytest.mark.parametrize("suffix", [".md", ".txt", ".html"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252", "latin-1"])
def test_text_loads_right_in_every_usual_encoding(tmp_path: Path, suffix: str, encoding: str):
    path = written(tmp_path, f"menu{suffix}", "<p>The café opens at noon.</p>".encode(encoding))
    assert "The café opens at noon." in load_document(path).sections[0].text


def test_windows_quotes_survive(tmp_path: Path):
    path = written(tmp_path, "a.txt", "It is a “robot” – really.".encode("cp1252"))
    assert load_document(path).sections[0].text == "It is a “robot” – really."


def test_bytes_that_windows_does_not_know_still_load(tmp_path: Path):
    assert "caf" in load_document(written(tmp_path, "a.txt", b"A caf\xe9 and a \x81 byte.")).sections[0].text


def test_a_page_is_read_in_the_character_set_it_declares(tmp_path: Path):
    page = '<meta charset="iso-8859-2"><p>Łódź lies in Poland.</p>'.encode("iso-8859-2")
    assert "Łódź" in load_document(written(tmp_path, "a.html", page)).sections[0].text


def test_soft_hyphens_and_stray_controls_do_not_split_words(tmp_path: Path):
    path = written(tmp_path, "a.txt", ("photo\u00adsynthesis is one word " * 5 + "\x07").encode())
    assert "photosynthesis is one word" in load_document(path).sections[0].text


def test_a_form_feed_parts_paragraphs(tmp_path: Path):
    path = written(tmp_path, "a.txt", ("First page, a whole sentence." * 3 + "\fSecond page.").encode())
    assert "\n\nSecond page." in load_document(path).sections[0].text


def test_the_package_imports_no_heavy_library():
    """`tutor search` must not pay for the PDF library."""
    code = "import sys, rag.loaders; print([m for m in ('pypdfium2', 'docx', 'pptx', 'docutils', 'bs4', 'lxml', 'yaml') if m in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
