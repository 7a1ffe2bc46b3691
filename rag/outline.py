"""A course as a tree of units in reading order, from whatever says how it is ordered. No I/O in here."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rag.toc.entry import Entry

# A page at the top that holds more of the course's words than this is not only its title page.
ROOT_SHARE = 0.4


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One node: a part, a page, or a section of a page."""

    title: str
    chapter_id: str | None = None
    kind: str = "content"  # a PageKind, "part" (a heading without a page) or "section"
    children: tuple["Unit", ...] = ()
    headings: tuple[str, ...] = ()  # of a section: the path of its heading, as passages have it

    def walk(self) -> Iterator["Unit"]:
        """This unit and everything below it, in reading order."""
        yield self
        for child in self.children:
            yield from child.walk()

    def pages(self) -> Iterator["Unit"]:
        return (unit for unit in self.walk() if unit.chapter_id is not None and unit.kind != "section")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What is known of one file when the tree is made."""

    name: str  # its path in the course
    chapter_id: str | None  # None: it has a title, but no words
    title: str
    kind: str = "content"
    position: float | None = None  # the author's own number for it
    label: str = ""  # what the author calls it in a list
    words: int = 0
    links: tuple[Entry, ...] = field(default=())  # the pages that it says come below it


def to_json(unit: Unit) -> dict[str, Any]:
    """A unit as it is stored; what has its default is left out."""
    stored: dict[str, Any] = {"title": unit.title, "chapter_id": unit.chapter_id, "kind": unit.kind}
    if unit.headings:
        stored["headings"] = list(unit.headings)
    return stored | {"children": [to_json(child) for child in unit.children]}


def from_json(stored: Mapping[str, Any]) -> Unit:
    return Unit(
        title=stored["title"],
        chapter_id=stored["chapter_id"],
        kind=stored["kind"],
        children=tuple(map(from_json, stored["children"])),
    )


def pruned(unit: Unit, keep: set[str]) -> Unit | None:
    """The tree with only these chapters; None when nothing is left."""
    children = tuple(left for child in unit.children if (left := pruned(child, keep)))
    if unit.chapter_id is not None and unit.chapter_id not in keep:
        return replace(unit, chapter_id=None, kind="part", children=children) if children else None
    return replace(unit, children=children) if children or unit.chapter_id else None


def with_sections(unit: Unit, headings: Mapping[str, Sequence[tuple[str, ...]]]) -> Unit:
    """The tree with each page's own sections before the pages below it."""
    children = tuple(with_sections(child, headings) for child in unit.children)
    paths = headings.get(unit.chapter_id, ()) if unit.chapter_id else ()
    sections = _sections([path for path in paths if len(path) > 1], depth=1, chapter_id=unit.chapter_id)
    return replace(unit, children=(*sections, *children))


def modules(root: Unit, *, otherwise: str) -> Mapping[str, str]:
    """The module of each chapter: the top unit that it is in, or the course for a page that stands alone."""
    found = {root.chapter_id: otherwise} if root.chapter_id else {}
    for unit in root.children:
        name = unit.title if unit.children else otherwise
        found |= {page.chapter_id: name for page in unit.pages() if page.chapter_id}
    return found


def _sections(paths: Sequence[tuple[str, ...]], *, depth: int, chapter_id: str | None) -> tuple[Unit, ...]:
    groups: dict[str, list[tuple[str, ...]]] = {}
    for path in paths:
        groups.setdefault(path[depth], []).append(path)
    return tuple(
        Unit(
            title=title,
            chapter_id=chapter_id,
            kind="section",
            headings=members[0][: depth + 1],
            children=_sections(
                [path for path in members if len(path) > depth + 1], depth=depth + 1, chapter_id=chapter_id
            ),
        )
        for title, members in groups.items()
    )
