"""The tables of contents that courses bring, read as one kind of tree."""

from collections.abc import Callable, Mapping, Sequence
from posixpath import basename, dirname

from rag.toc.readers import (
    Entry,
    Toc,
    TocError,
    category,
    hugging_face,
    jupyter_book,
    mdbook,
    mdbook_title,
    mkdocs,
    sidebars,
)

__all__ = ["Entry", "Toc", "TocError", "book_title", "is_toc", "is_toc_file", "labels", "toc_of_folder"]

# The first that a folder has decides.
_READERS: tuple[tuple[tuple[str, ...], Callable[[str], Toc]], ...] = (
    (("SUMMARY.md",), mdbook),
    (("_toctree.yml", "_toctree.yaml"), hugging_face),
    (("_toc.yml", "_toc.yaml"), jupyter_book),
    (("mkdocs.yml", "mkdocs.yaml"), mkdocs),
    (("sidebars.json", "sidebars.js", "sidebars.ts", "sidebars.mjs", "sidebars.cjs"), sidebars),
)
# Other names for a page of links, at the top of a course only: in a folder they may be a chapter.
_AT_THE_TOP = frozenset({"summary.md", "toc.md", "_toc.md", "contents.md", "table-of-contents.md"})
_BESIDE = frozenset({"book.toml", "_category_.json", "_category_.yml", "_category_.yaml"})
_NAMES = frozenset(name for names, _ in _READERS for name in names) | _BESIDE


def is_toc_file(name: str) -> bool:
    """Whether a file of a course (by its path in it) can be a table of contents or belong to one."""
    return basename(name) in _NAMES or name.lower() in _AT_THE_TOP


def is_toc(name: str, text: str) -> bool:
    """Whether it really is one: a page that only bears the name of one has no list of links."""
    return not name.lower().endswith(".md") or _targets(mdbook(text).entries) > 1


def _targets(entries: Sequence[Entry]) -> int:
    return sum((entry.target is not None) + _targets(entry.children) for entry in entries)


def toc_of_folder(folder: str, texts: Mapping[str, str]) -> tuple[str, Toc] | None:
    """The table of contents that a folder has, with its name; TocError where it cannot be read."""
    here = {basename(name): text for name, text in texts.items() if dirname(name) == folder}
    for names, read in _READERS:
        found = next((name for name in names if name in here), None)
        if found:
            return found, read(here[found])
    if not folder:
        found = next((name for name in here if name.lower() in _AT_THE_TOP), None)
        return (found, mdbook(here[found])) if found else None
    return None


def labels(texts: Mapping[str, str]) -> Mapping[str, tuple[str, float | None]]:
    """What Docusaurus' _category_ files call their folders, and where they put them."""
    found = {}
    for name, text in texts.items():
        if basename(name).startswith("_category_"):
            found[dirname(name)] = category(text)
    return found


def book_title(texts: Mapping[str, str]) -> str:
    """The title in mdBook's settings."""
    sources: Sequence[str] = [text for name, text in texts.items() if basename(name) == "book.toml"]
    return next((title for text in sources if (title := mdbook_title(text))), "")
