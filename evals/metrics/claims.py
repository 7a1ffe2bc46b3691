"""Whether the citations of a text hold, judged by its words: for measuring our own answers, whose words are the course's.

A large model's words are checked for facts only (agents.repair): this check would throw good teaching away.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from agents.language.blocks import blocks, items, whole_sentences
from agents.language.words import is_generic, root, roots, subject_words
from agents.teaching.values import RetrievalResult

_MARKERS = re.compile(r"\s*\[\s*\d{1,3}(?:\s*[,;]\s*\d{1,3})*\s*\]")
_TRAILING = re.compile(rf"([.!?:])((?:{_MARKERS.pattern})+)")
_ONLY_MARKERS = re.compile(rf"(?:{_MARKERS.pattern})+\s*$")
_NUMBER = re.compile(r"\d{1,3}")
_BULLET = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+")
_CODE = re.compile(r"`[^`\n]*`")
_VERBATIM = re.compile(r"`[^`\n]*`|\$[^$\n]+\$")
# Said to the learner rather than about the subject.
_ADDRESSES = re.compile(
    r"^(?:\W*)(?:let's|let us|ready|great|good|nice|well done|here(?:'s| is| are)|by the end|this time|last time|"
    r"you(?:'ll| will| can now| should now| missed| mixed| have (?:now )?(?:seen|read)|'ve)|we(?:'ll| will)|the course (?:gives|lists) these|"
    r"time for|keep (?:this|that|these) in mind|on to|i(?:'ll| will)?\b|before we|next, we|take your time|answer in|try this|read more|see also)",
    re.IGNORECASE,
)
_FEWEST_WORDS = 3
_FOOTER = re.compile(r"\n?\s*(?:-{3,}\s*\n\s*)?\**sources:?\**:?\s*\n", re.IGNORECASE)
_SOURCE_LINE = re.compile(
    r"^\s*\[(?P<number>\d{1,3})\]\s*(?P<place>.+?)\s*\((?P<chapter>[^(),]*)(?:, score: (?P<score>[\d.]+))?\)(?:: \S+)?\s*$",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One sentence, list item or block of a text."""

    text: str  # without markers
    markers: tuple[int, ...]
    is_factual: bool


def claims(body: str) -> Iterator[Claim]:
    """The claims in order, each with the markers that it rests on.

    A marker stands for the sentences of its paragraph, or the items of its list, since the last one. A list, a table or
    code also rests on the sentence before it, or on the marker on the line below.
    """
    led_by: tuple[int, ...] = ()
    found = list(blocks(_TRAILING.sub(r"\2\1", body)))
    for place, block in enumerate(found):
        if block.kind == "paragraph":
            said = _marked([_claim(sentence) for sentence in whole_sentences(block.text)])
            led_by = said[-1].markers if said else ()
            yield from said
        elif block.kind == "list":
            lines = [_BULLET.sub("", item) for item in items(block.text)]
            yield from _marked([_claim(s) for line in lines for s in whole_sentences(line)], otherwise=led_by)
        else:
            below = found[place + 1].text if place + 1 < len(found) else ""
            below = below if _ONLY_MARKERS.match(below) else ""
            yield Claim(text=block.text, markers=_numbers(below) or led_by, is_factual=True)


def _marked(said: list[Claim], *, otherwise: tuple[int, ...] = ()) -> list[Claim]:
    markers = otherwise
    for place in reversed(range(len(said))):
        markers = said[place].markers or markers
        said[place] = replace(said[place], markers=markers)
    return said


def _claim(sentence: str) -> Claim:
    text = _MARKERS.sub("", sentence).strip()
    return Claim(text=text, markers=_numbers(_CODE.sub(" ", sentence)), is_factual=_is_factual(text))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for found in _MARKERS.findall(text) for number in _NUMBER.findall(found))


def _is_factual(text: str) -> bool:
    if text.endswith("?") or _ADDRESSES.match(text):
        return False
    return len(subject_words(_VERBATIM.sub(" ", text))) >= _FEWEST_WORDS


_ENOUGH = 0.6  # of a sentence's words, everyday ones counting less
_GENERIC_WEIGHT = 0.3
_NEARLY_SAME = 0.8
_DIGITS = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*(?![\w])")
_NOT = re.compile(
    r"\b(?:not|never|no|cannot|can't|isn't|aren't|doesn't|don't|won't|without|neither|nor|nothing|nobody)\b",
    re.IGNORECASE,
)


def supports(passages: Sequence[str], sentence: str) -> bool:
    """Whether enough of the sentence's words, and all of its numbers, are in the passages."""
    known = {found for passage in passages for found in roots(passage)}
    digits = {found for passage in passages for found in _figures(passage)}
    if not set(_figures(sentence)) <= digits:
        return False
    weights = {word: _GENERIC_WEIGHT if is_generic(word) else 1.0 for word in subject_words(sentence)}
    total = sum(weights.values())
    found = sum(weight for word, weight in weights.items() if root(word) in known or word.isdigit())
    return not total or found / total >= _ENOUGH


def contradicts(passages: Sequence[str], sentence: str) -> bool:
    """Whether a passage has the same words in one sentence, but with a 'not' more or less."""
    wanted = _said(sentence)
    if len(wanted) < 3:
        return False
    alike = [other for other in _sentences(passages) if _is_alike(wanted, _said(other))]
    return bool(alike) and all(bool(_NOT.search(other)) != bool(_NOT.search(sentence)) for other in alike)


def _is_alike(first: frozenset[str], second: frozenset[str]) -> bool:
    return bool(second) and len(first & second) >= _NEARLY_SAME * max(len(first), len(second))


def _said(text: str) -> frozenset[str]:
    return frozenset(root(word) for word in subject_words(_NOT.sub(" ", text)))


def _sentences(passages: Sequence[str]) -> list[str]:
    return [
        sentence
        for passage in passages
        for block in blocks(passage)
        if block.kind in ("paragraph", "list")
        for sentence in whole_sentences(block.text)
    ]


def _figures(text: str) -> list[str]:
    return [number.replace(",", "") for number in _DIGITS.findall(text)]


ProblemKind = Literal["uncited", "unknown_marker", "unsupported", "contradicted", "foreign_address"]
_ADDRESS = re.compile(
    r"(?:https?|file|ftp)://[^\s)\]>\"'`]+|\bwww\.[^\s)\]>\"'`]+|(?<![\w/.])~?(?:/[\w.-]+){2,}/?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationProblem:
    """What is wrong with a text's citations, and where."""

    kind: ProblemKind
    sentence: str
    message: str


def check_citations(text: str, results: Sequence[RetrievalResult]) -> list[CitationProblem]:
    """Every claim cited, every marker known, every claim supported by what it cites, no foreign address."""
    body, sources = split_footer(text, results)
    problems = [problem for claim in claims(body) for problem in _claim_problems(claim, sources, results)]
    return problems + list(_foreign_addresses(body, results))


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
