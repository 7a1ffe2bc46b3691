"""Makes a course's tree: its table of contents first, then numbers and names for what that leaves out."""

import fnmatch
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from posixpath import basename, dirname, join, normpath, splitext
from typing import Any
from urllib.parse import unquote

from rag.files import CourseFiles, human, is_front_page, natural
from rag.loaders.document import LoadedDocument, named_kind, page_kind, prose_words
from rag.loaders.markup import plain_title
from rag.toc import (
    Entry,
    Toc,
    TocError,
    as_number,
    book_title,
    labels,
    names_nothing,
    toc_of_folder,
)
from storage.corpus import Document

# A page at the top that holds more of the course's words than this is not only its title page.
ROOT_SHARE = 0.4
# What is kept of a page beside its place: its questions are answered on other pages, or might be.
LEANS_ON_OTHERS = "leans_on_others"


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
    next: str = ""  # the page that it says comes after it
    up: str = ""  # the page that it says it is below
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


_NUMBER_IN_FRONT = re.compile(r"(^|/)\d+\s*[-_.]+\s*(?=[^\d/])")
_MOST_WARNINGS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    root: Unit
    warnings: tuple[str, ...]


def build_tree(pages: Sequence[Page], texts: Mapping[str, str], *, course: str) -> Tree:
    """Order a folder's pages; `texts` are its tables of contents by name."""
    grower = _Grower(pages, texts)
    front, units = grower.folder("")
    while front is None and len(units) == 1 and units[0].children:
        # A folder around everything says nothing that the course does not say.
        front = grower.by_chapter.get(units[0].chapter_id or "")
        units = list(units[0].children)
    if front is None and units and not units[0].children:
        # A title page that the table of contents lists first stands for the course itself.
        page = grower.by_chapter.get(units[0].chapter_id or "")
        if page and (units[0].kind == "preface" or is_front_page(page.name)):
            front, units = page, units[1:]
    title = grower.title or (front.title if front and _names_a_course(front.title) else "") or human(course)
    kind = _root_kind(front, pages) if front else "part"
    root = Unit(title=title, chapter_id=front.chapter_id if front else None, kind=kind, children=tuple(units))
    more = len(grower.warnings) - _MOST_WARNINGS
    told = grower.warnings[:_MOST_WARNINGS] + ([f"and {more} more entries like these"] if more > 0 else [])
    return Tree(root=root, warnings=tuple(told))


def _names_a_course(title: str) -> bool:
    """Not a title that says only what kind of page it stands on: 'Preface', 'Contents'."""
    return not names_nothing(title) and named_kind(title) is None


def _root_kind(front: Page, pages: Sequence[Page]) -> str:
    """The page at the top of a course of several pages is its title page, unless much of the course is there."""
    everything = sum(page.words for page in pages) or 1
    others = sum(page.chapter_id is not None for page in pages) - 1
    if front.kind != "content" or others < 1 or front.words > everything * ROOT_SHARE:
        return front.kind
    return "title"


class _Grower:
    """Every page goes into the tree once, at the first place that asks for it."""

    def __init__(self, pages: Sequence[Page], texts: Mapping[str, str]) -> None:
        self.title = book_title(texts)
        self.warnings: list[str] = []
        self.by_chapter = {page.chapter_id: page for page in pages if page.chapter_id}
        self._texts = texts
        self._labels = labels(texts)
        self._waiting = {page.name: page for page in pages}
        self._every_page = tuple(self._waiting)
        self._ids: dict[str, str] = {}
        self._folders: dict[str, dict[str, None]] = {}  # a folder, and what is right in it
        for page in pages:
            self._add_to_folders(page.name)
            for name in _spellings(page.name):
                self._ids.setdefault(name, page.name)
        self._turns = self._in_a_row(pages)  # of pages that say which one comes next
        self._below: dict[str, list[str]] = {}  # the pages that say they are below a page
        for name in sorted(self._waiting, key=self._rank):
            above = self._named(name, self._waiting[name].up)
            if above and above != name and not is_front_page(above):
                self._below.setdefault(above, []).append(name)

    def _in_a_row(self, pages: Sequence[Page]) -> dict[str, float]:
        """The turn of each page that says which one comes next, or that another one leads to."""
        after = {page.name: name for page in pages if (name := self._named(page.name, page.next))}
        turns: dict[str, float] = {}
        for start in sorted(after.keys() - set(after.values()), key=natural):
            here: str | None = start
            while here and here not in turns:
                turns[here] = len(turns)
                here = after.get(here)
        return turns

    def _named(self, page: str, target: str) -> str | None:
        """The page that a page of the course names by a link."""
        return self._find(_path(dirname(page), target)) if target else None

    def _add_to_folders(self, name: str) -> None:
        while name:
            folder = dirname(name)
            inside = self._folders.setdefault(folder, {})
            if name in inside:
                return
            inside[name] = None
            name = folder

    def folder(self, folder: str) -> tuple[Page | None, list[Unit]]:
        """The page that introduces a folder, and what is in it."""
        units: list[Unit] = []
        if found := self._toc(folder):
            name, table = found
            units = self._units(table.entries, base=self._base(dirname(name), table), toc=name)
            if all(page.startswith(f"{folder}/".lstrip("/")) for page in self._every_page):
                self.title = self.title or table.title
        front = self._front_page(folder)
        if front and front.links:
            units += self._units(front.links, base=folder, toc=front.name)
        units += self._rest(folder)
        return front, units

    def _base(self, folder: str, table: Toc) -> str:
        """Where a table's pages are: below it, or beside the folder of the site's own files."""
        places = [join(folder, table.base), join(dirname(folder), table.base), folder]
        return next((place for place in map(_normal, places) if place in self._folders), "")

    def _toc(self, folder: str) -> tuple[str, Toc] | None:
        """A folder's table of contents and its path: in the folder, or in one that holds only the site's own files."""
        inside = {dirname(name) for name in self._texts} - set(self._folders)
        for place in (folder, *sorted(each for each in inside if each and dirname(each) == folder)):
            try:
                found = toc_of_folder(place, self._texts)
            except TocError as err:
                where = place or "the course"
                self.warnings.append(f"a table of contents in {where} {err}; names decide the order")
                continue
            if found:
                return join(place, found[0]), found[1]
        return None

    def _front_page(self, folder: str) -> Page | None:
        fronts = [name for name in self._inside(folder) if name in self._waiting and is_front_page(name)]
        return self._waiting.pop(min(fronts, key=natural)) if fronts else None

    def _rest(self, folder: str) -> list[Unit]:
        """What no table of contents named, in the order of the author's numbers and then of the names."""
        units: list[Unit] = []
        for name in sorted(self._inside(folder), key=self._rank):
            page = self._waiting.pop(name, None)
            if page:
                units += self._page_units(page, Entry())
            elif name in self._folders:
                units += self._folder_units(name)
        return units

    def _inside(self, folder: str) -> Iterable[str]:
        return self._folders.get(folder, ())

    def _rank(self, name: str) -> tuple[float, list[tuple[int, int, str]]]:
        """The author's number for a page or a folder, then its name."""
        if name in self._folders:
            label = self._labels.get(name, ("", None))[1]
            fronts = (each for each in self._inside(name) if is_front_page(each))
            places = [label, *(self._place(each) for each in fronts)]
        else:
            places = [self._place(name)]
        place = next((place for place in places if place is not None), float("inf"))
        return place, natural(basename(name))

    def _place(self, name: str) -> float | None:
        page = self._waiting.get(name)
        if page is None:
            return None
        return page.position if page.position is not None else self._turns.get(name)

    def _folder_units(self, folder: str) -> list[Unit]:
        front, units = self.folder(folder)
        label = self._labels.get(folder, ("", None))[0]
        if front is None:
            return _part(label or human(basename(folder)), units)
        own = "" if names_nothing(front.title) else front.title
        return _unit(front, title=label or own or human(basename(folder)), children=units)

    def _units(self, entries: Iterable[Entry], *, base: str, toc: str) -> list[Unit]:
        return [unit for entry in entries for unit in self._entry(entry, base=base, toc=toc)]

    def _entry(self, entry: Entry, *, base: str, toc: str) -> list[Unit]:
        def below() -> list[Unit]:
            return self._units(entry.children, base=base, toc=toc)

        if entry.target is None:
            return self._introduced(entry.title, below())
        if "://" in entry.target or entry.target.startswith(("mailto:", "#")):
            return _part(entry.title, below())
        target = _path(base, entry.target)
        if entry.is_folder:
            front, units = self.folder(target)
            return [*(_unit(front, title=front.title, children=[]) if front else []), *units]
        if any(sign in target for sign in "*?["):
            names = sorted((name for name in self._waiting if _matches(name, target)), key=natural)
            pages = (self._waiting.pop(name, None) for name in names)
            return [unit for page in pages if page for unit in self._page_units(page, Entry())]
        name = self._find(target)
        page = self._waiting.pop(name, None) if name else None
        if page:
            return self._page_units(page, entry, below=below())
        if name is None and target in self._folders:
            return [replace(unit, title=entry.title or unit.title) for unit in self._folder_units(target)]
        self.warnings.append(
            f"{toc} comes back to {name}; its first place counts"
            if name
            else f"{toc} lists {entry.target}, which is not there"
        )
        return _part(entry.title, below())

    def _introduced(self, title: str, units: list[Unit]) -> list[Unit]:
        """A part whose first page is a README or index has that for its own."""
        first = units[0] if units else None
        page = self.by_chapter.get(first.chapter_id or "") if first else None
        if first and page and title and not first.children and len(units) > 1 and is_front_page(page.name):
            return [replace(first, title=title, children=tuple(units[1:]))]
        return _part(title, units)

    def _page_units(self, page: Page, entry: Entry, *, below: Sequence[Unit] = ()) -> list[Unit]:
        linked = self._units(page.links, base=dirname(page.name), toc=page.name)
        for name in self._below.pop(page.name, ()):
            if below_it := self._waiting.pop(name, None):
                linked += self._page_units(below_it, Entry())
        kind = _entry_kind(entry, page)
        title = entry.title or page.label or page.title
        return _unit(replace(page, kind=kind), title=title, children=[*below, *linked])

    def _find(self, target: str) -> str | None:
        for spelling in (target, splitext(target)[0], f"{target}/readme", f"{target}/index"):
            found = self._ids.get(spelling.lower())
            if found:
                return found
        return None


def _entry_kind(entry: Entry, page: Page) -> str:
    if entry.kind == "front":
        return page.kind if page.kind != "content" else "preface"
    return entry.kind or (named_kind(entry.title) if page.kind == "content" else None) or page.kind


def _unit(page: Page, *, title: str, children: Sequence[Unit]) -> list[Unit]:
    """A page with what is below it; one without words is only a heading. Solutions belong to their exercise."""
    if page.chapter_id is None:
        return _part(title, list(children))
    below = [_as_exercises(child) for child in children] if page.kind == "exercises" else children
    return [Unit(title=title, chapter_id=page.chapter_id, kind=page.kind, children=tuple(below))]


def _as_exercises(unit: Unit) -> Unit:
    kind = "exercises" if unit.kind == "content" else unit.kind
    return replace(unit, kind=kind, children=tuple(map(_as_exercises, unit.children)))


def _part(title: str, children: Sequence[Unit]) -> list[Unit]:
    if not children or not title:
        return list(children)
    return [Unit(title=title, kind="part", children=tuple(children))]


def _path(base: str, target: str) -> str:
    """A target as a path from the course's top; a leading slash is the table's own folder."""
    plain = unquote(
        target.split("#", maxsplit=1)[0].split("?", maxsplit=1)[0] if "*" not in target else target
    ).strip()
    return _normal(join(base, plain.lstrip("/")))


def _normal(path: str) -> str:
    plain = normpath(path)
    return "" if plain == "." else plain


def _matches(name: str, pattern: str) -> bool:
    return fnmatch.fnmatchcase(name, pattern) or fnmatch.fnmatchcase(splitext(name)[0], pattern)


def _spellings(name: str) -> Iterator[str]:
    """How a table of contents may write a page: with its ending or without, with numbers in front or without."""
    lowered = name.lower()
    stem = splitext(lowered)[0]
    yield from (lowered, stem, f"{stem}.html", _NUMBER_IN_FRONT.sub(r"\1", stem))


def about(loaded: LoadedDocument, *, name: str) -> dict[str, Any]:
    """What a page says of its own place, to be kept with it."""
    front = loaded.front_matter
    facts = {
        "title": loaded.title,
        "kind": page_kind(loaded, name=name),
        "words": prose_words(loaded),
        "position": as_number(front.get("sidebar_position") or front.get("nav_order") or front.get("weight")),
        "label": plain_title(front.get("sidebar_label") or ""),
        "next": front.get("next") or "",
        "up": front.get("up") or "",
        "quizzes": list(loaded.quizzes),
        "asked_in": _quizzes_in(loaded),
    }
    return {key: value for key, value in facts.items() if value}


def _quizzes_in(loaded: LoadedDocument) -> list[list[Any]]:
    """The quizzes of a file that other pages may link to: the id of each, and the headings that its questions have."""
    found = {each.headings: each.linked for each in loaded.exercises if each.linked}
    return [[quiz, list(headings)] for headings, quiz in found.items()]


def page_of(document: Document, *, name: str, links: tuple[Entry, ...] = ()) -> Page:
    facts = {"title": document.title, **(document.about or {})}
    facts = {
        key: value for key, value in facts.items() if key not in (LEANS_ON_OTHERS, "quizzes", "asked_in")
    }
    return Page(name=name, chapter_id=document.chapter_id, links=links, **facts)


def stored_tree(outline: Mapping[str, Any] | None, documents: Sequence[Document]) -> Unit:
    """The course as it is in the database; the documents in a row where it has no tree yet."""
    if outline is not None:
        return from_json(outline)
    units = (Unit(title=each.title, chapter_id=each.chapter_id, kind=each.kind) for each in documents)
    return Unit(title="", kind="part", children=tuple(units))


def course_tree(
    found: Sequence[CourseFiles],
    pages: Mapping[str, Page],
    *,
    before: Unit,
    staying: set[str],
    course: str,
) -> Tree:
    """The tree of the whole course: the folders just read, then what stays of the one before, then new files."""
    folders = [part for part in found if part.is_folder]
    grown = [
        build_tree([pages[file.name] for file in part.files if file.name in pages], part.tocs, course=course)
        for part in folders
    ]
    single = [
        pages[file.name] for part in found if not part.is_folder for file in part.files if file.name in pages
    ]
    placed = {page.chapter_id for tree in grown for page in tree.root.pages()}
    files = {page.chapter_id for page in single if page.chapter_id}
    kept = pruned(before, (staying | files) - placed)
    kept_ids = {page.chapter_id for page in kept.pages()} if kept else set()
    new = [
        Unit(title=page.title, chapter_id=page.chapter_id, kind=page.kind)
        for page in single
        if page.chapter_id and page.chapter_id not in kept_ids | placed
    ]
    roots = [*(tree.root for tree in grown), *([kept] if kept else [])]
    return Tree(
        root=_one_root(roots, new, course=course),
        warnings=tuple(warning for tree in grown for warning in tree.warnings),
    )


def _one_root(roots: Sequence[Unit], new: Sequence[Unit], *, course: str) -> Unit:
    if not roots:
        title = new[0].title if len(new) == 1 else human(course)
        return Unit(title=title, kind="part", children=tuple(new))
    first, *others = roots
    # Only one page can be the course's own; the others' go before their children.
    more = [replace(root, children=()) for root in others if root.chapter_id]
    below = [child for root in others for child in root.children]
    return replace(first, title=first.title or human(course), children=(*first.children, *more, *below, *new))


def placed_documents(documents: Sequence[Document], root: Unit, *, course: str) -> list[Document]:
    """The documents in the tree's order, with the names and kinds that it gives them."""
    units = {unit.chapter_id: (number, unit) for number, unit in enumerate(root.pages())}
    module = modules(root, otherwise=human(course))
    placed = []
    for document in documents:
        number, unit = units.get(document.chapter_id, (len(units), Unit(title=document.title)))
        # The course's own title stands on the root; its page keeps its own.
        title = (document.about or {}).get("title", document.title) if unit is root else unit.title
        name = module.get(document.chapter_id, human(course))
        placed.append(replace(document, position=number, title=title, module_name=name, kind=unit.kind))
    return sorted(placed, key=lambda document: (document.position, document.chapter_id))
