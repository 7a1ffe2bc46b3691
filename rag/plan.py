"""What an ingest has to do: which files are new, the same, or gone."""

import hashlib
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

from rag.files import CourseFile, CourseFiles
from rag.loaders.document import regular_bytes
from rag.toc.readers import Entry, toctrees
from storage.course import Document
from storage.errors import DocumentError

_NAMESPACE = uuid.UUID("0b7f9a52-3f0e-4f7e-8d57-2b8d5a0c9a11")
# Part of every fingerprint: a new way of reading reads every file again.
_READER_VERSION = b"2"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedFile:
    """A file that is there, with what tells whether it has changed and which pages it leads to."""

    path: Path
    root: Path
    name: str
    document_id: str
    chapter_id: str
    fingerprint: str
    size: int
    links: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestPlan:
    """Files to read, files whose documents are kept, and documents that stay or go without a file."""

    fresh: list[PlannedFile] = field(default_factory=list)
    same: list[PlannedFile] = field(default_factory=list)
    elsewhere: list[Document] = field(default_factory=list)  # of files that were not looked at this time
    gone: list[Document] = field(default_factory=list)
    unreadable: list[tuple[str, str]] = field(default_factory=list)


def plan_ingest(found: Sequence[CourseFiles], known: Sequence[Document], *, course: str) -> IngestPlan:
    """Compare the files that are there with the documents that were read before."""
    absent = {document.chapter_id: document for document in known}
    plan = IngestPlan()
    for part in found:
        for file in part.files:
            before = absent.pop(file.chapter_id, None)
            try:
                planned = _planned(file, course=course, root=part.root)
            except DocumentError as err:
                plan.unreadable.append((file.name, str(err)))
                continue
            address = (planned.fingerprint, file.path.as_uri())
            is_same = before is not None and (before.content_hash, before.source_url) == address
            (plan.same if is_same else plan.fresh).append(planned)
    for document in absent.values():
        (plan.gone if _is_gone(document, found) else plan.elsewhere).append(document)
    return plan


def document_id(course: str, chapter_id: str) -> str:
    """The same chapter of the same course is the same document, whatever is in it."""
    return str(uuid.uuid5(_NAMESPACE, f"{course}\x00{chapter_id}"))


def _planned(file: CourseFile, *, course: str, root: Path) -> PlannedFile:
    content = regular_bytes(file.path)
    return PlannedFile(
        path=file.path,
        root=root,
        name=file.name,
        document_id=document_id(course, file.chapter_id),
        chapter_id=file.chapter_id,
        fingerprint=hashlib.sha256(_READER_VERSION + content).hexdigest(),
        size=len(content),
        links=toctrees(content.decode("utf-8", "replace"))
        if b"toctree" in content or b"```toc" in content
        else (),
    )


def _is_gone(document: Document, found: Sequence[CourseFiles]) -> bool:
    """Its file does not exist any more, or was not listed in a folder that was just read."""
    path = Path(unquote(urlsplit(document.source_url).path))
    return not path.exists() or any(part.is_folder and path.is_relative_to(part.root) for part in found)
