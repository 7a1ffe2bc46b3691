"""Course material of any supported format as titled sections of readable text."""

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
SUFFIXES = frozenset(_LOADERS)


def load_document(path: Path, *, root: Path | None = None) -> LoadedDocument:
    """Read one file; a DocumentError's message continues a sentence that begins with the file's name.

    A page may include other files of the course, that is below the root.
    """
    module = _LOADERS.get(path.suffix.lower())
    if module is None:
        known = ", ".join(_LOADERS)
        raise DocumentError(f"has an ending that is not supported; use one of {known}")
    load = import_module(f"{__name__}.{module}").load
    document: LoadedDocument = load(path, root=root) if module in _WITH_INCLUDES else load(path)
    return document
