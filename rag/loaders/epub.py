"""EPUB books: the pages of the spine, with the headings of the book's own table of contents."""

import posixpath
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from lxml import etree

from rag.loaders.document import (
    LoadedDocument,
    decode,
    open_archive,
    read_bytes,
    reading,
    title_from_path,
)
from rag.loaders.html import parse as parse_html
from storage.errors import DocumentError, WordlessDocumentError

_BROKEN = "cannot be read as an EPUB; convert it again, or unpack it and read its pages"
_PROTECTED = "is protected against copying; use a copy without protection"
_OPF = "{http://www.idpf.org/2007/opf}"
_DC_TITLE = "{http://purl.org/dc/elements/1.1/}title"


@reading(_BROKEN)
def load(path: Path) -> LoadedDocument:
    return _read(open_archive(read_bytes(path), broken=_BROKEN), path=path)


def _read(archive: zipfile.ZipFile, *, path: Path) -> LoadedDocument:
    names = set(archive.namelist())
    if "META-INF/rights.xml" in names:
        raise DocumentError(_PROTECTED)
    container = _xml(archive.read("META-INF/container.xml"))
    package_name = container.xpath("string(//*[local-name()='rootfile']/@full-path)")
    package = _xml(archive.read(package_name))
    title = " ".join((package.findtext(f".//{_DC_TITLE}") or "").split()) or title_from_path(path)
    pages = [
        page
        for name in _spine(package, folder=posixpath.dirname(package_name))
        if name in names and (page := _page(archive.read(name), book=title, path=path))
    ]
    if not pages:
        raise WordlessDocumentError(title=title)
    return LoadedDocument(
        title=title,
        sections=tuple(section for page in pages for section in page.sections),
        exercises=tuple(exercise for page in pages for exercise in page.exercises),
    )


def _spine(package: Any, *, folder: str) -> Iterator[str]:
    items = {item.get("id"): item for item in package.iter(f"{_OPF}item")}
    for reference in package.iter(f"{_OPF}itemref"):
        item = items.get(reference.get("idref"))
        is_contents = item is not None and "nav" in (item.get("properties") or "").split()
        if item is not None and not is_contents and "html" in (item.get("media-type") or ""):
            yield posixpath.normpath(posixpath.join(folder, unquote(item.get("href", ""))))


def _page(data: bytes, *, book: str, path: Path) -> LoadedDocument | None:
    """One page, under the book's title; one without words is passed over."""
    try:
        page = parse_html(decode(data), path=path)
    except DocumentError:
        return None
    own = [book] if page.title in (book, title_from_path(path)) else [book, page.title]
    return replace(
        page,
        sections=tuple(replace(each, headings=(*own, *each.headings[1:])) for each in page.sections),
        exercises=tuple(replace(each, headings=(*own, *each.headings[1:])) for each in page.exercises),
    )


def _xml(data: bytes) -> Any:
    # No document type is loaded and no entity is put in: a book is a stranger's file.
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    return etree.fromstring(data, parser)
