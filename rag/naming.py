"""What file and folder names say: an order, a title, and whether a page introduces its folder."""

import re
from posixpath import basename, splitext

_FRONT_PAGES = frozenset({"readme", "index", "_index"})
_NO_TITLES = frozenset({"readme", "index", "table of contents", "contents", "about", "home"})
_BACK_MATTER = re.compile(
    r"(?:glossary|appendix|appendices|references|bibliography|answers|solutions)\b", re.IGNORECASE
)


def human(name: str) -> str:
    """'module-1-ros2' reads 'Module 1 Ros2'."""
    return " ".join(word[:1].upper() + word[1:] for word in re.split(r"[-_\s]+", name) if word)


def is_front_page(name: str) -> bool:
    """Whether a file introduces the folder that it is in."""
    return splitext(basename(name))[0].lower() in _FRONT_PAGES


def names_nothing(title: str) -> bool:
    """'Readme', 'Table of Contents': a title that any page at the front could have."""
    return title.strip().lower() in _NO_TITLES


def natural(name: str) -> list[tuple[int, int, str]]:
    """'ch10' comes after 'ch2', a folder's own README first, a glossary or appendix last."""
    folder, slash, file = name.rpartition("/")
    if _BACK_MATTER.match(file):
        name = f"{folder}{slash}\uffff{file}"
    parts = re.split(r"(\d+)", re.sub(r"(^|/)(readme|_?index)\.\w+$", r"\1", name.lower()))
    # Digits of other scripts are letters here: int() takes most of them, but not all.
    return [
        (0, int(part), "") if part.isascii() and part.isdigit() else (1, 0, part) for part in parts if part
    ]
