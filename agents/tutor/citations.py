"""Citations, and whether a text's citations hold: ours always, a large model's before anybody reads it."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from agents.tutor.claims import Claim, claims
from agents.tutor.support import contradicts, supports
from rag.results import RetrievalContext, RetrievalResult

ProblemKind = Literal["uncited", "unknown_marker", "unsupported", "contradicted", "foreign_address"]

_FOOTER = re.compile(r"\n?\s*(?:-{3,}\s*\n\s*)?\**sources:?\**:?\s*\n", re.IGNORECASE)
_SOURCE_LINE = re.compile(
    r"^\s*\[(?P<number>\d{1,3})\]\s*(?P<place>.+?)\s*\((?P<chapter>[^(),]*), score: (?P<score>[\d.]+)\)\s*$",
    re.MULTILINE,
)
_ADDRESS = re.compile(
    r"(?:https?|file|ftp)://[^\s)\]>\"'`]+|\bwww\.[^\s)\]>\"'`]+|(?<![\w/.])~?(?:/[\w.-]+){2,}/?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """One source of an answer, and what was taken from it word for word."""

    number: int
    chunk_id: str
    source_url: str
    place: str
    quotes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationProblem:
    """What is wrong with a text's citations, and where."""

    kind: ProblemKind
    sentence: str
    message: str


def check_citations(text: str, results: Sequence[RetrievalResult]) -> list[CitationProblem]:
    """Every claim cited, every marker known, every claim supported by what it cites, no foreign address."""
    body, sources = _split(text, results)
    problems = [problem for claim in claims(body) for problem in _claim_problems(claim, sources, results)]
    return problems + list(_foreign_addresses(body, results))


def cited_results(text: str, results: Sequence[RetrievalResult]) -> list[RetrievalResult]:
    """The passages that the text's markers stand for, in the order in which they are first cited."""
    body, sources = _split(text, results)
    numbers = dict.fromkeys(number for claim in claims(body) for number in claim.markers)
    found = (sources[number][0] for number in numbers if number in sources)
    return list({result.chunk_id: result for result in found}.values())


def sources_footer(query: str, results: Iterable[RetrievalResult]) -> str:
    """The **Sources** footer; its context wants a time, which nobody sees here."""
    context = RetrievalContext(
        query=query, results=tuple(results), retrieved_at=datetime.min.replace(tzinfo=UTC)
    )
    return context.format_sources_footer()


def _split(
    text: str, results: Sequence[RetrievalResult]
) -> tuple[str, Mapping[int, Sequence[RetrievalResult]]]:
    """The text without its footer, and what each marker stands for.

    A text with a footer is numbered by it; one without is numbered like the passages the model was shown.
    """
    found = list(_FOOTER.finditer(text))
    lines = list(_SOURCE_LINE.finditer(text, found[-1].end())) if found else []
    if not lines:
        return text, {number: (result,) for number, result in enumerate(results, 1)}
    return text[: found[-1].start()], {
        int(line["number"]): sources for line in lines if (sources := _named(line, results))
    }


def _named(line: re.Match[str], results: Sequence[RetrievalResult]) -> list[RetrievalResult]:
    """The passages that a footer line can mean: two chunks of one section look alike but for the score."""
    here = [
        result for result in results if (result.place, result.chapter_id) == (line["place"], line["chapter"])
    ]
    exact = [result for result in here if f"{result.similarity_score:.2f}" == line["score"]]
    return exact or here


def _claim_problems(
    claim: Claim, sources: Mapping[int, Sequence[RetrievalResult]], results: Sequence[RetrievalResult]
) -> Iterator[CitationProblem]:
    unknown = [number for number in claim.markers if number not in sources]
    for number in unknown:
        yield _problem("unknown_marker", claim, f"There is no source [{number}].")
    cited = [result for number in claim.markers for result in sources.get(number, ())]
    if not claim.is_factual or unknown:
        return
    if not cited:
        yield _problem("uncited", claim, "This says something about the subject without a source.")
        return
    texts = [f"{' '.join(result.heading_hierarchy)}\n{result.chunk_text}" for result in cited]
    if not supports(texts, claim.text):
        yield _problem("unsupported", claim, "The cited passage does not say this.")
    elif contradicts(texts, claim.text):
        yield _problem("contradicted", claim, "The cited passage says the opposite.")


def _foreign_addresses(body: str, results: Sequence[RetrievalResult]) -> Iterator[CitationProblem]:
    known = [text for result in results for text in (result.source_url, result.chunk_text)]
    for match in _ADDRESS.finditer(body):
        address = match.group().rstrip(".,;:")
        if not any(address in text for text in known):
            yield CitationProblem(
                kind="foreign_address", sentence=address, message="This address is not in the course."
            )


def _problem(kind: ProblemKind, claim: Claim, message: str) -> CitationProblem:
    return CitationProblem(kind=kind, sentence=claim.text, message=message)
