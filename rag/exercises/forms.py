"""Which forms of questions are looked for, in what order: one line a reader."""

from typing import TYPE_CHECKING

from rag.exercises import MarkupReader, SectionReader, Shelf, TreeReader, checks
from rag.loaders.document import LoadedDocument

if TYPE_CHECKING:
    from bs4 import Tag

IN_MARKUP: tuple[MarkupReader, ...] = (checks.take,)
IN_HTML: tuple[TreeReader, ...] = ()
IN_SECTIONS: tuple[SectionReader, ...] = ()


def take_from_markup(source: str, shelf: Shelf) -> str:
    """Markdown without its questions."""
    for reader in IN_MARKUP:
        source = reader(source, shelf)
    return source


def take_from_tree(page: "Tag", shelf: Shelf) -> None:
    """A page's tree without its questions."""
    for reader in IN_HTML:
        reader(page, shelf)


def take_from_sections(document: LoadedDocument) -> LoadedDocument:
    """A document without the questions that only its headings and lists tell of."""
    for reader in IN_SECTIONS:
        document = reader(document)
    return document
