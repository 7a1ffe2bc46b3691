"""Files of questions that a page leads in: read only below the course's root."""

import json
import re
from typing import Any

from rag.exercises import Shelf
from rag.loaders.document import regular_bytes
from storage.errors import DocumentError

_MOST_BYTES = 1024 * 1024
_ALIAS = re.compile(r"(?:@site|[@~])/")  # what site generators call the course's root


def text_beside(target: str, *, shelf: Shelf) -> str | None:
    """The text of a file that a page names, where it is one of the course's own."""
    if shelf.root is None:
        return None
    root = shelf.root.resolve()
    alias = _ALIAS.match(target)
    folder = root if alias or target.startswith("/") else shelf.path.parent
    try:
        file = (folder / target[alias.end() if alias else 0 :].lstrip("/")).resolve()
        if not file.is_relative_to(root):
            return None
        return regular_bytes(file, most=_MOST_BYTES).decode("utf-8-sig")
    except (OSError, ValueError, DocumentError):
        return None


def read_beside(target: str, *, shelf: Shelf) -> Any:
    """The data of a JSON file that a page imports; nothing where it cannot be read."""
    text = text_beside(target, shelf=shelf)
    try:
        return None if text is None else json.loads(text)
    except (ValueError, RecursionError):
        return None
