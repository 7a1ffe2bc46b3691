"""What a course is made of, as it is written, listed and handed to the index."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseSummary:
    """One course and how much there is of it."""

    name: str
    title: str
    updated_at: datetime
    documents: int
    chunks: int
    concepts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One chapter of a course."""

    id: str
    chapter_id: str
    module_name: str
    title: str
    source_url: str
    position: int
    content_hash: str
    kind: str = "content"  # or what else a page can be: a title page, a licence, exercises, …
    about: Mapping[str, Any] | None = None  # what the page says of its own place in the course


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """One passage of a document, with the vector that its embedder gave it."""

    chunk_id: str  # unique in the whole database, so the course and chapter are part of it
    chunk_index: int
    chunk_text: str
    heading_hierarchy: tuple[str, ...]
    token_count: int
    vector: bytes
    embedder: str
    page: int | None = None
    continues: bool = False  # it goes on within the block that the chunk before broke off


@dataclass(frozen=True, slots=True, kw_only=True)
class Concept:
    """One thing that a course teaches."""

    name: str
    definition: str
    kind: str
    chapter_id: str
    chunk_id: str
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Relationship:
    """One concept that another leans on, and the chunk that shows it."""

    prerequisite: str
    concept: str
    chunk_id: str
    evidence: str
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentContent:
    """A new or changed document with all its chunks."""

    document: Document
    chunks: tuple[Chunk, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseChanges:
    """What one ingest changes in one course; what is not named stays as it is."""

    course: str
    title: str
    documents: tuple[DocumentContent, ...] = ()  # replaces the document of the same id or chapter_id
    removed: tuple[str, ...] = ()  # document ids
    places: tuple[Document, ...] = ()  # documents that stay, as the tree now orders and names them
    outline: Mapping[str, Any] | None = None  # None: keep the tree that is there
    url: str | None = None  # None: keep the public address that is there
    concepts: tuple[Concept, ...] | None = None  # None: keep those that are there
    relationships: tuple[Relationship, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """Which database this is, and the newest revision of its chunks."""

    database_id: str
    revision: int


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexEntry:
    """What the search index holds of a chunk."""

    chunk_id: str
    document_id: str
    course: str
    chapter_id: str
    module_name: str
    title: str
    heading_hierarchy: tuple[str, ...]
    chunk_text: str
    vector: bytes
    embedder: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A chunk with the document it is from: what is read, cited and quizzed."""

    chunk_id: str
    chunk_text: str
    source_url: str
    chapter_id: str
    module_name: str
    heading_hierarchy: tuple[str, ...]
    token_count: int
    chunk_index: int
    title: str
    page: int | None
    course: str
    document_position: int
    vector: bytes = b""
    continues: bool = False
