"""Passages put back into the sections they were cut from, for judging what stands together."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from agents.tutor.wording import stem, stems
from rag.results import RetrievalResult

# These hold paragraphs about different things, which happen to stand under one heading.
_COLLECTION = re.compile(r"glossary|key terms|common mistakes|summary|faq|review", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionText:
    """What is said in one place, and the passages that say it."""

    results: tuple[RetrievalResult, ...]
    stems: tuple[str, ...]
    vocabulary: frozenset[str]
    heading_stems: frozenset[str]
    similarity: float
    is_collected: bool = False  # one of many that happen to stand under one heading

    @property
    def chapter(self) -> tuple[str, str]:
        return self.results[0].course, self.results[0].chapter_id

    def has(self, word: str) -> bool:
        """Whether the place, or its heading, has the word in any inflection."""
        return stem(word) in self.vocabulary or stem(word) in self.heading_stems


def sections(results: Sequence[RetrievalResult]) -> list[SectionText]:
    """The sections among the results, in the order of their best passage."""
    groups: dict[tuple[str, ...], list[RetrievalResult]] = {}
    for result in results:
        groups.setdefault((result.course, result.chapter_id, *result.heading_hierarchy), []).append(result)
    return [section for members in groups.values() for section in _of(members)]


def _of(members: Sequence[RetrievalResult]) -> Iterator[SectionText]:
    if _COLLECTION.search(" ".join(members[0].heading_hierarchy[-1:])):
        for member in members:
            for paragraph in re.split(r"\n\s*\n|\n(?=[-*+] )", member.chunk_text):
                yield replace(_section([member], paragraph), is_collected=True)
        return
    yield _section(members, "\n\n".join(member.chunk_text for member in members))


def _section(members: Sequence[RetrievalResult], text: str) -> SectionText:
    found = stems(text)
    return SectionText(
        results=tuple(members),
        stems=found,
        vocabulary=frozenset(found),
        heading_stems=frozenset(stems(" ".join([members[0].title, *members[0].heading_hierarchy]))),
        similarity=max(member.similarity_score for member in members),
    )
