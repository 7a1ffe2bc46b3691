"""Jupyter notebooks: their text as Markdown, their code with what it printed."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rag.exercises import Shelf
from rag.exercises.forms import take_from_cells
from rag.exercises.notebooks import NotebookCell
from rag.loaders.document import MAX_BYTES, LoadedDocument, fenced, read_text, visible
from rag.loaders.markdown import parse, plain
from storage.errors import DocumentError, WordlessDocumentError

_BROKEN = "cannot be read as a notebook; open it in Jupyter and save it again"
_ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_MOST_OUTPUT_LINES = 30
_MAGIC = re.compile(r"^[ \t]*%(?:matplotlib|load_ext|autoreload|config)\b.*\n?", re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_TITLE = re.compile(r"\s*#[ \t]+\S")
_LINKS = re.compile(r"\[[^\[\]]*\]\([^()\s]*\)")
_FOLDED_TAGS = frozenset({"hide-input", "hide_input", "toggle", "hide"})
_HIDDEN_TAGS = frozenset({"remove-cell", "remove_cell", "hide-cell", "remove-input", "parameters"})


def load(path: Path) -> LoadedDocument:
    try:
        notebook = json.loads(read_text(path, most=MAX_BYTES))  # pictures are in it
        cells = _from_title(list(_cells(notebook)))
        language = _language(notebook)
    except (json.JSONDecodeError, RecursionError, AttributeError, TypeError) as err:
        raise DocumentError(_BROKEN) from err
    shelf = Shelf(path=path, plain=plain)
    blocks = take_from_cells([_read(cell, language=language) for cell in cells], shelf)
    if not any(block.strip() for block in blocks):
        raise WordlessDocumentError()
    return parse("\n\n".join(blocks), path=path, shelf=shelf)


def _cells(notebook: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The cells of today's format, or of the worksheets before it."""
    sheets = notebook.get("worksheets") or [notebook]
    found = [cell for sheet in sheets for cell in sheet.get("cells") or []]
    if "cells" not in notebook and "worksheets" not in notebook:
        raise TypeError("no cells")
    return (cell for cell in found if isinstance(cell, dict))


def _from_title(cells: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Text above the title is about the book, the same in every notebook of it; code there is the reader's."""
    for number, cell in enumerate(cells):
        if cell.get("cell_type") != "markdown":
            return cells
        if _TITLE.match(_text(cell.get("source"))):
            return cells[number:]
    return cells


def _language(notebook: dict[str, Any]) -> str:
    about = notebook.get("metadata") or {}
    name = (about.get("language_info") or {}).get("name") or (about.get("kernelspec") or {}).get("language")
    return re.sub(r"[^\w+#-]", "", str(name or "python"))


def _read(cell: dict[str, Any], *, language: str) -> NotebookCell:
    """A cell with what tells whether it asks, answers or teaches."""
    about = cell.get("metadata") or {}
    tags = frozenset(map(str, about.get("tags") or []))
    in_exercise = (
        "solution2" in about or "solution" in about
    )  # an extension of Jupyter folds what is not the first
    is_first = about.get("solution2_first") is True or about.get("solution_first") is True
    tags |= {"exercise" if is_first else "solution"} if in_exercise else set()
    source = visible(_text(cell.get("source") if "source" in cell else cell.get("input")))
    is_heading = cell.get("cell_type") == "heading"
    return NotebookCell(
        source=f"{'#' * int(cell.get('level') or 1)} {source}" if is_heading else source,
        blocks=tuple(map(visible, _blocks(cell, source=source, language=language))),
        is_code=cell.get("cell_type") == "code",
        is_folded=bool(
            (about.get("jupyter") or {}).get("source_hidden")
            or about.get("hide_input")
            or tags & _FOLDED_TAGS
        ),
        is_shown=not tags & _HIDDEN_TAGS,
        tags=tags,
        nbgrader=frozenset(name for name, value in (about.get("nbgrader") or {}).items() if value is True),
    )


def _blocks(cell: dict[str, Any], *, source: str, language: str) -> Iterator[str]:
    kind = cell.get("cell_type")
    if not source.strip():
        return
    if kind == "markdown":
        yield "" if _leads_elsewhere(source) else source
    elif kind == "heading":
        yield f"{'#' * int(cell.get('level') or 1)} {source}"
    elif kind == "code":
        code = _MAGIC.sub("", source).strip("\n")
        if code.strip():
            yield fenced(code, language=language)
        for output in cell.get("outputs") or []:
            yield from _printed(output)


def _leads_elsewhere(source: str) -> bool:
    """A cell that the maker of a book put there: a line of links to the pages before and after."""
    rest = _LINKS.sub("", _COMMENT.sub("", source))
    return bool(_LINKS.search(source)) and not re.search(r"\w{3,}", rest)


def _printed(output: dict[str, Any]) -> Iterator[str]:
    """What a cell printed or gave back as text; pictures and errors' traces have nothing to read."""
    kind = output.get("output_type")
    data = output.get("data") if isinstance(output.get("data"), dict) else output
    text = ""
    if kind == "stream" and output.get("name", "stdout") != "stderr":
        text = _text(output.get("text"))
    elif kind in ("execute_result", "pyout", "display_data") and data and not _is_picture(data):
        text = _text(data.get("text/plain") or data.get("text"))
    elif kind in ("error", "pyerr"):
        text = f"{output.get('ename', 'Error')}: {output.get('evalue', '')}"
    lines = _ANSI.sub("", text).strip("\n").split("\n")
    if any(map(str.strip, lines)):
        shown = lines[:_MOST_OUTPUT_LINES] + (["…"] if len(lines) > _MOST_OUTPUT_LINES else [])
        yield fenced("\n".join(shown), language="text")


def _is_picture(data: dict[str, Any]) -> bool:
    return any(str(kind).startswith("image/") for kind in data)


def _text(source: Any) -> str:
    return "".join(map(str, source)) if isinstance(source, list) else str(source or "")
