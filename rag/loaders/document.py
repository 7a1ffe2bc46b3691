"""What every loader returns: a document as titled sections of readable text."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    headings: tuple[str, ...]  # from the document's title down to this section's own heading
    text: str  # paragraphs, lists, tables, code fences and LaTeX; no HTML, images or link targets
    page: int | None = None  # 1-based, only where the format has pages


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedDocument:
    title: str
    sections: tuple[Section, ...]
    front_matter: Mapping[str, str] = field(default_factory=dict)
    links: int = 0  # where the format has them
    linked: float = 0.0  # the share of the words that links are made of
    questions: int = 0  # components that ask the reader something
