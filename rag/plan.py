"""What an ingest has to do: which files are new, the same, or gone."""

import hashlib
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import unquote, urlsplit

from rag.files import CourseFile, CourseFiles
from storage.course import Document

_NAMESPACE = uuid.UUID("0b7f9a52-3f0e-4f7e-8d57-2b8d5a0c9a11")
# Part of every fingerprint: a new way of reading reads every file again.
_READER_VERSION = b"1"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedFile:
    """A file that has to be read."""

    path: Path
    name: str
    document_id: str
    chapter_id: str
    position: int
    fingerprint: str
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestPlan:
    """Files to read, documents to keep (at their new places) and documents to remove."""

    fresh: tuple[PlannedFile, ...]
    same: tuple[Document, ...]
    gone: tuple[Document, ...]
    moved: bool
    unreadable: tuple[tuple[str, str], ...]


def plan_ingest(found: Sequence[CourseFiles], known: Sequence[Document], *, course: str) -> IngestPlan:
    """Compare the files that are there with the documents that were read before."""
    absent = {document.chapter_id: document for document in known}
    fresh: list[PlannedFile] = []
    same: list[Document] = []
    unreadable: list[tuple[str, str]] = []
    for file, position in _placed(found, known):
        before = absent.pop(file.chapter_id, None)
        try:
            planned = _planned(file, course=course, position=position)
        except OSError as err:
            unreadable.append((file.name, f"cannot be read ({err.strerror}); check its permissions"))
            continue
        if before and (before.content_hash, before.source_url) == (planned.fingerprint, file.path.as_uri()):
            same.append(replace(before, position=position))
        else:
            fresh.append(planned)
    gone = [document for document in absent.values() if _is_gone(document, found)]
    same += [document for document in absent.values() if document not in gone]
    places = {document.id: document.position for document in known}
    return IngestPlan(
        fresh=tuple(fresh),
        same=tuple(same),
        gone=tuple(gone),
        moved=any(places[document.id] != document.position for document in same),
        unreadable=tuple(unreadable),
    )


def document_id(course: str, chapter_id: str) -> str:
    """The same chapter of the same course is the same document, whatever is in it."""
    return str(uuid.uuid5(_NAMESPACE, f"{course}\x00{chapter_id}"))


def _planned(file: CourseFile, *, course: str, position: int) -> PlannedFile:
    content = file.path.read_bytes()
    return PlannedFile(
        path=file.path,
        name=file.name,
        document_id=document_id(course, file.chapter_id),
        chapter_id=file.chapter_id,
        position=position,
        fingerprint=hashlib.sha256(_READER_VERSION + content).hexdigest(),
        size=len(content),
    )


def _placed(found: Sequence[CourseFiles], known: Sequence[Document]) -> Iterator[tuple[CourseFile, int]]:
    """A folder's files are numbered as they are read; a file added to a course goes to its end."""
    files = [file for part in found for file in part.files]
    if any(part.is_folder for part in found):
        yield from ((file, number) for number, file in enumerate(files))
        return
    places = {document.chapter_id: document.position for document in known}
    end = max(places.values(), default=-1) + 1
    for number, file in enumerate(files):
        yield file, places.get(file.chapter_id, end + number)


def _is_gone(document: Document, found: Sequence[CourseFiles]) -> bool:
    """Its file does not exist any more, or was not listed in a folder that was just read."""
    path = Path(unquote(urlsplit(document.source_url).path))
    return not path.exists() or any(part.is_folder and path.is_relative_to(part.root) for part in found)
