"""Passages put back into the sections they were cut from, for judging what stands together."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents.tutor.wording import stem, stems
from rag.results import RetrievalResult

# These hold paragraphs about different things, which happen to stand under one heading.
_COLLECTION = re.compile(r"glossary|key terms|common mistakes|summary|faq|review", re.IGNORECASE)
_SHORTEST_TYPO = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionText:
    """What is said in one place, and the passages that say it."""

    results: tuple[RetrievalResult, ...]
    stems: tuple[str, ...]
    vocabulary: frozenset[str]
    heading_stems: frozenset[str]
    similarity: float

    @property
    def chapter(self) -> tuple[str, str]:
        return self.results[0].course, self.results[0].chapter_id

    def has(self, word: str) -> bool:
        """Whether the place has the word, in any inflection or with one letter mistyped."""
        wanted = stem(word)
        known = self.vocabulary | self.heading_stems
        return wanted in known or (
            len(word) >= _SHORTEST_TYPO and any(_one_slip(wanted, other) for other in known)
        )


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
                yield _section([member], paragraph)
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


def _one_slip(first: str, second: str) -> bool:
    """One letter more, fewer, other, or two swapped; the first letter is never the slip."""
    if first[0] != second[:1] or abs(len(first) - len(second)) > 1 or min(len(first), len(second)) < 5:
        return False
    start = next((i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), None)
    if start is None:
        return True
    rest, other = first[start:], second[start:]
    swapped = rest[1::-1] + rest[2:] == other
    return rest[1:] == other[1:] or rest[1:] == other or rest == other[1:] or swapped
