"""Course material of any supported format as titled sections of readable text."""

import re
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from rag.loaders.document import LoadedDocument, Section
from storage.errors import DocumentError

__all__ = ["SUFFIXES", "LoadedDocument", "Section", "load_document"]

# Modules by name: the PDF, Word and HTML libraries are slow to import and rarely all needed.
_LOADERS = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdx": "markdown",
    ".rst": "rst",
    ".txt": "text",
    ".text": "text",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".ipynb": "notebook",
    ".pdf": "pdf",
    ".docx": "docx",
    ".pptx": "pptx",
    ".epub": "epub",
}
_WITH_INCLUDES = frozenset({"markdown"})
# Question banks; in a folder an archive or XML is read where it is one.
BANKS = frozenset({".xml", ".json", ".zip", ".apkg", ".colpkg", ".gift", ".aiken"})
_PERHAPS_BANKS = frozenset({".txt", ".text"})
# Compressed files can hold any amount of it.
_MOST_CHARACTERS = 10_000_000
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
SUFFIXES = frozenset({*_LOADERS, *BANKS})


def load_document(path: Path, *, root: Path | None = None) -> LoadedDocument:
    """Read one file; a DocumentError's message continues a sentence that begins with the file's name.

    A page may include other files of the course, that is below the root.
    """
    from rag.exercises.banks import is_bank, read_bank  # slow to import

    suffix = path.suffix.lower()
    if suffix in BANKS or (suffix in _PERHAPS_BANKS and is_bank(path)):
        return read_bank(path)
    module = _LOADERS.get(suffix)
    if module is None:
        known = ", ".join([*_LOADERS, *sorted(BANKS)])
        raise DocumentError(f"has an ending that is not supported; use one of {known}")
    load = import_module(f"{__name__}.{module}").load
    document: LoadedDocument = load(path, root=root) if module in _WITH_INCLUDES else load(path)
    if sum(len(section.text) for section in document.sections) > _MOST_CHARACTERS:
        raise DocumentError("has more than 10 million characters; split it into smaller files")
    # By name too: the readers of questions are made of the loaders' parts.
    forms = import_module("rag.exercises.forms")
    return _cleaned(forms.take_from_sections(document))


def _cleaned(document: LoadedDocument) -> LoadedDocument:
    """Without signs that a terminal obeys and halves of characters, which notebooks and Office files can hold."""
    sections = tuple(
        replace(
            section,
            headings=tuple(_CONTROL.sub("", heading) for heading in section.headings),
            text=_CONTROL.sub("", section.text),
        )
        for section in document.sections
    )
    return replace(document, title=_CONTROL.sub("", document.title), sections=sections)
