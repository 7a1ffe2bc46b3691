"""A small good file of every format that is read."""

import io
import json
import zipfile
from functools import cache

import docx
from pptx import Presentation
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from tests.support.banks import bank_of

_MARKDOWN = """---
title: Seals
---
# Seals

A **seal** is a ring that keeps water in. See [pumps](pumps.md) and ![a ring](ring.png).

## Kinds

1. A gland[^1]
2. A gasket

| kind | use |
|------|-----|
| flat | pipes |

```python
print("seal" < "ring")
```

$$p = \\frac{F}{A}$$ and <b>bold</b>, &lt;not a tag&gt;, {{#include other.md}}

[^1]: An old one.
"""
_RST = """Seals
=====

A **seal** is a ring.

.. note:: Mind the ``gap``.

.. code-block:: python

   print(1)

+------+------+
| a    | b    |
+------+------+
"""
_HTML = """<!doctype html><html><head><meta charset="utf-8"><title>Seals</title></head><body><main><h1>Seals</h1>
<p>A <b>seal</b> is a ring &amp; more.</p><pre><code class="language-python">print(1)</code></pre>
<table><tr><th>a</th><td>b</td></tr></table><math><mi>x</mi></math><ul><li>one<ul><li>two</li></ul></li></ul></main></body></html>"""


@cache
def document_of(suffix: str) -> bytes:
    """The file's bytes."""
    match suffix:
        case ".rst":
            return _RST.encode()
        case ".html" | ".htm" | ".xhtml":
            return _HTML.encode()
        case ".ipynb":
            return json.dumps(_notebook()).encode()
        case ".pdf":
            return _pdf()
        case ".docx":
            return _word()
        case ".pptx":
            return _slides()
        case ".epub":
            return _book()
        case _:
            return bank_of(suffix) or _MARKDOWN.encode()


def _notebook() -> dict[str, object]:
    cells = [
        {"cell_type": "markdown", "source": ["# Seals\n", "\n", "A **seal** is a ring."]},
        {
            "cell_type": "code",
            "source": "print(1)",
            "outputs": [{"output_type": "stream", "text": ["1\n"]}],
            "metadata": {"tags": []},
        },
    ]
    return {"cells": cells, "metadata": {"kernelspec": {"language": "python"}}, "nbformat": 4}


def _pdf() -> bytes:
    writer = PdfWriter()
    page = writer.add_blank_page(width=300, height=300)
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
        }
    )
    page[NameObject("/Resources")] = DictionaryObject(
        {NameObject("/Font"): DictionaryObject({NameObject("/F1"): font})}
    )
    stream = DecodedStreamObject()
    stream.set_data(
        b"BT /F1 18 Tf 20 250 Td (Seals) Tj /F1 10 Tf 0 -30 Td (A seal is a ring that keeps water in.) Tj ET"
    )
    page[NameObject("/Contents")] = writer._add_object(stream)
    writer.add_outline_item("Seals", 0)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def _word() -> bytes:
    document = docx.Document()
    document.add_heading("Seals", level=1)
    document.add_paragraph("A seal is a ring.")
    document.add_paragraph("one", style="List Bullet")
    document.add_table(rows=2, cols=2)
    return _saved(document)


def _slides() -> bytes:
    slides = Presentation()
    slide = slides.slides.add_slide(slides.slide_layouts[1])
    slide.shapes.title.text = "Seals"
    slide.placeholders[1].text = "A seal is a ring."
    return _saved(slides)


def _saved(document: object) -> bytes:
    out = io.BytesIO()
    document.save(out)  # type: ignore[attr-defined]
    return out.getvalue()


def _book() -> bytes:
    out = io.BytesIO()
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        '<dc:title>Seals</dc:title></metadata><manifest><item id="a" href="a.xhtml" '
        'media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>'
    )
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(
            "META-INF/container.xml",
            '<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>',
        )
        archive.writestr("b.opf", package)
        archive.writestr("a.xhtml", _HTML)
    return out.getvalue()
