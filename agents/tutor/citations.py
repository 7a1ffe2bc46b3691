"""Citations: what the marks in a text stand for, and the footer that names it."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rag.results import RetrievalResult, context_of

_CODE = re.compile(r"(?ms)^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1|\Z)|`[^`\n]*`")
_MARKERS = re.compile(r"\[\s*\d{1,3}(?:\s*[,;]\s*\d{1,3})*\s*\]")
_NUMBER = re.compile(r"\d{1,3}")
_MARKER = re.compile(r"\[(\d{1,3})\]")
_FOOTER = re.compile(r"\n?\s*(?:-{3,}\s*\n\s*)?\**sources:?\**:?\s*\n", re.IGNORECASE)
_SOURCE_LINE = re.compile(
    r"^\s*\[(?P<number>\d{1,3})\]\s*(?P<place>.+?)\s*\((?P<chapter>[^(),]*), score: (?P<score>[\d.]+)\)(?:: \S+)?\s*$",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """One source of an answer, and what was taken from it word for word."""

    number: int
    chunk_id: str
    source_url: str
    place: str
    quotes: tuple[str, ...]


def cited_results(text: str, results: Sequence[RetrievalResult]) -> list[RetrievalResult]:
    """The passages that the text's markers stand for, in the order in which they are first cited."""
    body, sources = split_footer(text, results)
    marks = _MARKERS.findall(_CODE.sub(" ", body))
    numbers = dict.fromkeys(int(number) for mark in marks for number in _NUMBER.findall(mark))
    found = (sources[number][0] for number in numbers if number in sources)
    return list({result.chunk_id: result for result in found}.values())


def sources_footer(query: str, results: Iterable[RetrievalResult]) -> str:
    """The **Sources** footer."""
    return context_of(query, results).format_sources_footer()


def with_sources(text: str, passages: Sequence[RetrievalResult], *, query: str) -> str:
    """The text with its **Sources** footer; one that has it already stays as it is."""
    if "**Sources" in text:
        return text
    cited = cited_results(text, passages)
    places = {passages.index(result) + 1: number for number, result in enumerate(cited, 1)}
    renumbered = _MARKER.sub(lambda match: f"[{places.get(int(match[1]), int(match[1]))}]", text)
    return renumbered + "\n" + sources_footer(query, cited)


def split_footer(
    text: str, results: Sequence[RetrievalResult]
) -> tuple[str, Mapping[int, Sequence[RetrievalResult]]]:
    """The text without its footer, and what each marker stands for.

    A text with a footer is numbered by it; one without is numbered like the passages the model was shown.
    """
    found = list(_FOOTER.finditer(text))
    lines = list(_SOURCE_LINE.finditer(text, found[-1].end())) if found else []
    if not lines:
        return text, {number: (result,) for number, result in enumerate(results, 1)}
    sources: dict[int, Sequence[RetrievalResult]] = {}
    alike: Counter[tuple[str, str, str]] = Counter()
    for line in lines:
        fitting = _named(line, results)
        key = (line["place"], line["chapter"], line["score"])
        if fitting:
            # Two chunks of one section look alike in a footer: the second line is the second of them.
            sources[int(line["number"])] = (fitting[min(alike[key], len(fitting) - 1)],)
        alike[key] += 1
    return text[: found[-1].start()], sources


def _named(line: re.Match[str], results: Sequence[RetrievalResult]) -> list[RetrievalResult]:
    """The passages that a footer line can mean: two chunks of one section look alike but for the score."""
    here = [
        result for result in results if (result.place, result.chapter_id) == (line["place"], line["chapter"])
    ]
    exact = [result for result in here if f"{result.similarity_score:.2f}" == line["score"]]
    return exact or here
