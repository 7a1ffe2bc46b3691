"""Which forms of questions are looked for, in what order: one line a reader."""

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from rag.exercises import (
    MarkupReader,
    SectionReader,
    Shelf,
    TreeReader,
    boxes,
    details,
    mdbook_quiz,
    mdx,
    notebooks,
    openstax,
    plain,
)

if TYPE_CHECKING:
    from bs4 import Tag

    from rag.loaders.document import LoadedDocument

IN_MARKUP: tuple[MarkupReader, ...] = (openstax.take, mdx.take, mdbook_quiz.take, boxes.take, details.take)
IN_HTML = ("html",)  # modules by name: what they read pages with is slow to import, and rarely needed
IN_SECTIONS: tuple[SectionReader, ...] = (plain.take,)


def take_from_markup(source: str, shelf: Shelf) -> str:
    """Markdown without its questions."""
    for reader in IN_MARKUP:
        source = reader(source, shelf)
    return source


def take_from_cells(cells: Sequence[notebooks.NotebookCell], shelf: Shelf) -> list[str]:
    """The Markdown of a notebook's cells without its exercises."""
    return notebooks.take(cells, shelf)


def take_from_tree(page: "Tag", shelf: Shelf) -> None:
    """A page's tree without its questions."""
    for name in IN_HTML:
        reader: TreeReader = import_module(f"rag.exercises.{name}").take
        reader(page, shelf)


def take_from_sections(document: "LoadedDocument") -> "LoadedDocument":
    """A document without the questions that only its headings and lists tell of."""
    for reader in IN_SECTIONS:
        document = reader(document)
    return document
