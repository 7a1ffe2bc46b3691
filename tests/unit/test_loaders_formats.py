"""Notebooks, slides, EPUB books and reStructuredText as titled sections."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from pptx.util import Inches

from rag.loaders import load_document
from rag.loaders.document import LoadedDocument
from storage.errors import DocumentError
from tests.support.documents import document_of


def loaded(folder: Path, name: str, data: bytes | str) -> LoadedDocument:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return load_document(path)


def sections(document: LoadedDocument) -> list[tuple[tuple[str, ...], str]]:
    return [(section.headings, section.text) for section in document.sections]


def notebook(*cells: dict[str, Any], **more: Any) -> str:
    return json.dumps({"cells": list(cells), "metadata": {}, "nbformat": 4, **more})


def words(*source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": list(source)}


def code(source: str, *outputs: dict[str, Any], **metadata: Any) -> dict[str, Any]:
    return {"cell_type": "code", "metadata": metadata, "source": source, "outputs": list(outputs)}


def test_a_notebook_has_its_text_its_code_and_what_that_printed(tmp_path: Path) -> None:
    page = notebook(
        words("*From the [book](http://x).*"),
        words("< [Before](a.ipynb) | [After](b.ipynb) >"),
        words("# Lists\n", "Text with $a^2$."),
        code(
            "%matplotlib inline\nlen([1])", {"output_type": "execute_result", "data": {"text/plain": ["1"]}}
        ),
        code("plot()", {"output_type": "display_data", "data": {"image/png": "…", "text/plain": "<Figure>"}}),
        code("secret()", tags=["remove-cell"]),
        words("## More"),
        code(
            "1/0", {"output_type": "error", "ename": "ZeroDivisionError", "evalue": "no", "traceback": ["…"]}
        ),
    )
    document = loaded(tmp_path, "01-lists.ipynb", page)
    assert document.title == "Lists"
    assert sections(document) == [
        (
            ("Lists",),
            "Text with $a^2$.\n\n```python\nlen([1])\n```\n\n```text\n1\n```\n\n```python\nplot()\n```",
        ),
        (("Lists", "More"), "```python\n1/0\n```\n\n```text\nZeroDivisionError: no\n```"),
    ]


def test_a_notebook_of_the_older_format_is_read(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "heading", "level": 1, "source": "Old"},
        {"cell_type": "code", "input": "x", "language": "python", "outputs": []},
    ]
    document = loaded(tmp_path, "old.ipynb", json.dumps({"worksheets": [{"cells": cells}], "nbformat": 3}))
    assert sections(document) == [(("Old",), "```python\nx\n```")]


@pytest.mark.parametrize(
    "data", ["{", "[]", '{"a": 1}', '{"cells": 3}', '{"cells": [{"cell_type": "markdown"}]}']
)
def test_a_broken_notebook_is_refused(tmp_path: Path, data: str) -> None:
    with pytest.raises(DocumentError):
        loaded(tmp_path, "a.ipynb", data)


def slides() -> bytes:
    deck = Presentation()
    first = deck.slides.add_slide(deck.slide_layouts[1])
    first.shapes.title.text = "Pumps"
    first.placeholders[1].text_frame.text = "They move water"
    second = first.placeholders[1].text_frame.add_paragraph()
    second.text, second.level = "up and down", 1
    first.notes_slide.notes_text_frame.text = "Say why."
    other = deck.slides.add_slide(deck.slide_layouts[5])
    other.shapes.title.text = "Kinds"
    table = other.shapes.add_table(2, 2, Inches(1), Inches(2), Inches(4), Inches(1)).table
    for row, column, text in ((0, 0, "kind"), (0, 1, "lift"), (1, 0, "gear"), (1, 1, "high")):
        table.cell(row, column).text = text
    out = io.BytesIO()
    deck.save(out)
    return out.getvalue()


def test_slides_are_sections_with_their_lists_tables_and_notes(tmp_path: Path) -> None:
    document = loaded(tmp_path, "deck.pptx", slides())
    assert sections(document) == [
        (("Pumps",), "- They move water\n  - up and down\n\nSay why."),
        (("Pumps", "Kinds"), "| kind | lift |\n| --- | --- |\n| gear | high |"),
    ]
    assert [section.page for section in document.sections] == [1, 2]


CONTAINER = '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/p.opf"/></rootfiles></container>'
PACKAGE = """<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The Pump Book</dc:title></metadata>
<manifest><item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="b" href="b.xhtml" media-type="application/xhtml+xml"/><item id="a" href="text/a%20b.xhtml" media-type="application/xhtml+xml"/></manifest>
<spine><itemref idref="n"/><itemref idref="b"/><itemref idref="a"/><itemref idref="gone"/></spine></package>"""


def book(**more: str) -> bytes:
    out = io.BytesIO()
    parts = {
        "META-INF/container.xml": CONTAINER,
        "OEBPS/p.opf": PACKAGE,
        "OEBPS/nav.xhtml": "<html><body><nav>Contents</nav></body></html>",
        "OEBPS/b.xhtml": "<html><head><title>Flow</title></head><body><h1>Flow</h1><p>Water flows.</p><h2>Head</h2><p>A height.</p></body></html>",
        "OEBPS/text/a b.xhtml": "<html><body><h1>Seals</h1><p>They hold.</p></body></html>",
        **more,
    }
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return out.getvalue()


def test_an_epub_is_read_in_the_order_of_its_spine(tmp_path: Path) -> None:
    document = loaded(tmp_path, "pumps.epub", book())
    assert document.title == "The Pump Book"
    assert sections(document) == [
        (("The Pump Book", "Flow"), "Water flows."),
        (("The Pump Book", "Flow", "Head"), "A height."),
        (("The Pump Book", "Seals"), "They hold."),
    ]


def test_exercises_of_an_epub_stand_under_its_headings(tmp_path: Path) -> None:
    asked = '<div class="exercise"><p>Why?</p><div class="solution"><p>So.</p></div></div>'
    page = f"<html><body><h1>Seals</h1><p>They hold.</p><h2>Quiz</h2>{asked}</body></html>"
    document = loaded(tmp_path, "pumps.epub", book(**{"OEBPS/text/a b.xhtml": page}))
    (exercise,) = document.exercises
    assert (exercise.text, exercise.solution) == ("Why?", "So.")
    assert exercise.headings == ("The Pump Book", "Seals", "Quiz")
    assert document.sections[-1].text == "They hold."


def test_a_protected_epub_says_so(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="protected"):
        loaded(tmp_path, "a.epub", book(**{"META-INF/rights.xml": "<rights/>"}))


@pytest.mark.parametrize("name", ["a.docx", "a.pptx", "a.epub"])
def test_broken_archives_and_zip_bombs_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(DocumentError, match="cannot be read"):
        loaded(tmp_path, name, b"PK\x03\x04 broken")
    bomb = io.BytesIO()
    with (
        zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("a.xml", "w", force_zip64=True) as part,
    ):
        for _ in range(501):
            part.write(bytes(1024 * 1024))
    with pytest.raises(DocumentError, match="500 MB"):
        loaded(tmp_path, name, bomb.getvalue())


RST = """\
Pumps
=====

Use :func:`lift` for :math:`a^2` and ``x``.

.. toctree::

   other

Kinds
-----

.. code-block:: python
   :linenos:

   x = 1

.. note:: Mind the seal.

.. sidepanel:: Try it
   :label: x

   Lift *it*.

====  ====
kind  lift
====  ====
gear  high
====  ====

.. math::

   a = b

.. include:: /etc/passwd
"""


def test_restructuredtext_with_directives_that_only_its_tools_know(tmp_path: Path) -> None:
    document = loaded(tmp_path, "a.rst", RST)
    assert document.title == "Pumps"
    [(first, intro), (second, text)] = sections(document)
    assert (first, second) == (("Pumps",), ("Pumps", "Kinds"))
    assert intro == r"Use `lift` for \(a^2\) and `x`."
    for part in (
        "```python\nx = 1\n```",
        "Mind the seal.",
        "**Try it**\n\nLift it.",
        "| gear | high |",
        "a = b",
    ):
        assert part in text
    assert "root:" not in text
    assert ":label:" not in text


@pytest.mark.parametrize("suffix", [".epub", ".pptx", ".docx"])
def test_an_archive_of_a_version_that_nobody_has_is_refused_with_a_word(suffix: str, tmp_path: Path) -> None:
    data = bytearray(document_of(suffix))
    entry = data.rindex(b"PK\x01\x02")
    data[entry + 6] = 125  # the version that is needed to unpack it
    (tmp_path / f"a{suffix}").write_bytes(bytes(data))
    with pytest.raises(DocumentError, match="cannot be read"):
        load_document(tmp_path / f"a{suffix}", root=tmp_path)
