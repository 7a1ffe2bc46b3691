"""mdBook's SUMMARY.md and lists of links like it."""

import re
import tomllib
from dataclasses import dataclass, field, replace

from rag.toc.entry import Entry, Toc

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_ATTRIBUTES = re.compile(r"\{:[^{}\n]*\}")
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_LINE = re.compile(r"^(?P<indent>[ \t]*)(?P<bullet>(?:[-*+]|\d+[.)])[ \t]+)?(?P<rest>\S.*)$")
_LINK = re.compile(r"\[(?P<title>(?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\]\(\s*<?(?P<target>[^)>]*?)>?\s*\)")
_HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$")
_MARKS = re.compile(r"[`*]|\\(?=[\[\]_*`])")


@dataclass(slots=True)
class _Item:
    """An entry that is still being read."""

    entry: Entry
    indent: int
    is_part: bool = False
    below: list["_Item"] = field(default_factory=list)

    def finished(self) -> Entry:
        return replace(self.entry, children=tuple(item.finished() for item in self.below))


def read(text: str) -> Toc:
    """Nested bullets are chapters, headings are parts; links before the first bullet are front matter."""
    text = _ATTRIBUTES.sub("", _COMMENT.sub("", _FRONT_MATTER.sub("", text)))
    top: list[_Item] = []
    part: _Item | None = None
    open_items: list[_Item] = []
    has_bullets = False
    for line in text.replace("\t", "    ").split("\n"):
        found = _LINE.match(line)
        if not found:
            continue
        if heading := _HEADING.match(found["rest"]):
            part = _Item(Entry(title=_plain(heading[1])), indent=-1, is_part=True)
            top.append(part)
            open_items = []
            continue
        item = _item(found)
        if item is None:
            continue
        if not found["bullet"]:
            # A link of its own is front matter before the chapters, and back matter behind them.
            top.append(_marked(item, kind="" if has_bullets else "front"))
            part, open_items = None, []
            continue
        has_bullets = True
        while open_items and open_items[-1].indent >= item.indent:
            open_items.pop()
        siblings = open_items[-1].below if open_items else part.below if part else top
        siblings.append(item)
        open_items.append(item)
    entries = [item.finished() for item in top if item.below or not item.is_part]
    if not has_bullets:
        entries = [replace(entry, kind="") for entry in entries]
    return Toc(entries=tuple(entries))


def title(settings: str) -> str:
    """The book's title in book.toml."""
    try:
        book = tomllib.loads(settings).get("book", {})
    except tomllib.TOMLDecodeError:
        return ""
    return str(book.get("title", "")) if isinstance(book, dict) else ""


def _marked(item: _Item, *, kind: str) -> _Item:
    return _Item(replace(item.entry, kind=kind), indent=item.indent)


def _item(line: re.Match[str]) -> _Item | None:
    link = _LINK.search(line["rest"])
    if link:
        entry = Entry(title=_plain(link["title"]), target=link["target"].strip() or None)
    elif line["bullet"]:
        entry = Entry(title=_plain(line["rest"]))
    else:
        return None  # running text
    return _Item(entry, indent=len(line["indent"]))


def _plain(text: str) -> str:
    return " ".join(_MARKS.sub("", text).split())
