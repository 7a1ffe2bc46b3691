"""Puts the pages of an ingest into the course's tree, and gives each document its place and name there."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rag.files import CourseFiles, human
from rag.kinds import page_kind, prose_words
from rag.loaders.document import LoadedDocument
from rag.toc.readers import Entry, as_number
from rag.tree import Page, Tree, Unit, build_tree, from_json, modules, pruned
from storage.course import Document


def about(loaded: LoadedDocument, *, name: str) -> dict[str, Any]:
    """What a page says of its own place, to be kept with it."""
    front = loaded.front_matter
    facts = {
        "title": loaded.title,
        "kind": page_kind(loaded, name=name),
        "words": prose_words(loaded),
        "position": as_number(front.get("sidebar_position") or front.get("nav_order") or front.get("weight")),
        "label": front.get("sidebar_label") or "",
        "next": front.get("next") or "",
        "up": front.get("up") or "",
    }
    return {key: value for key, value in facts.items() if value}


def page_of(document: Document, *, name: str, links: tuple[Entry, ...] = ()) -> Page:
    facts = {"title": document.title, **(document.about or {})}
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
