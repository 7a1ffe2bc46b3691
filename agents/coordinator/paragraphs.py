"""Passages as parts that can be shown whole, and how each part looks beside a question."""

import json
import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from agents.coordinator.question import FORMS, Question, understand
from agents.language.meaning import Floats, embed, likeness
from agents.language.subjects import content_stems, content_words, count_words, stems
from agents.teaching.blocks import Block, BlockKind, blocks, items, plain, whole_sentences, without_links
from agents.tutor.quoting import DEFINES, defines
from rag.headings import is_aside
from rag.results import RetrievalResult

_LONGEST_LIST = 160  # words; a longer one, such as a glossary, is shown item by item
_TAG = re.compile(r"\s*</?[A-Za-z]")  # what a page builds with tags is no paragraph
_SHOWN: frozenset[BlockKind] = frozenset(["code", "formula"])  # these need not say what they are
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """A block, together with the one that it introduces, as it is shown."""

    blocks: tuple[Block, ...]
    text: str
    sentences: tuple[str, ...]
    stems: tuple[str, ...]
    vocabulary: frozenset[str]
    content: tuple[str, ...]
    vector: Floats
    asides: float  # share of its sentences that tell nothing about the subject

    @property
    def kinds(self) -> frozenset[BlockKind]:
        return frozenset(block.kind for block in self.blocks)

    @property
    def words(self) -> int:
        """What there is to read; code is looked at."""
        return sum(count_words(block.text) for block in self.blocks if block.kind != "code")

    @property
    def is_cut_off(self) -> bool:
        """Whether it is but the announcement of something that is not there."""
        return self.text.endswith(":") and len(self.sentences) < 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One paragraph of a passage that was found, and how it looks beside the question."""

    source: RetrievalResult
    place: int
    paragraph: Paragraph
    said: frozenset[str]  # its stems; code says 'example' where one is asked for
    measures: Mapping[str, float]
    score: float = 0.0

    @property
    def own(self) -> frozenset[str]:
        """What the paragraph says itself, or its section's headings."""
        return self.said | sections(self.source)


def measured(asked: Question, results: Sequence[RetrievalResult]) -> list[Candidate]:
    """Every paragraph that was found, not yet weighed; none for a question that asks about nothing."""
    vector = embed([asked.text])[0]
    found = []
    for rank, result in enumerate(results, 1):
        for place, paragraph in enumerate(read(result.chunk_text)):
            said = paragraph.vocabulary.union(
                *(FORMS[kind] for kind in asked.forms & paragraph.kinds & _SHOWN)
            )
            numbers = _measures(asked, result, place, said) | {
                "closeness": float(paragraph.vector @ vector),
                "passage_rank": 1 / rank,
            }
            found.append(
                Candidate(source=result, place=place, paragraph=paragraph, said=said, measures=numbers)
            )
    return [each for each in found if asked.weights and not each.paragraph.is_cut_off]


@lru_cache(maxsize=1024)
def read(text: str) -> tuple[Paragraph, ...]:
    """The paragraphs of a passage; kept, because the same passages come up again and again."""
    groups = list(_groups(text))
    vectors = embed(["\n".join(block.text for block in group) for group in groups]) if groups else ()
    return tuple(_paragraph(group, vector) for group, vector in zip(groups, vectors, strict=True))


def sections(result: RetrievalResult) -> frozenset[str]:
    return content_stems(" ".join(each for each in result.heading_hierarchy if each != result.title))


def headings(result: RetrievalResult) -> frozenset[str]:
    return frozenset(stems(" ".join([result.title, *result.heading_hierarchy])))


def _measures(asked: Question, source: RetrievalResult, place: int, said: frozenset[str]) -> dict[str, float]:
    """The numbers that the ranker weighs, but for those that depend on all passages."""
    around, share = read(source.chunk_text), asked.share
    paragraph, beside = around[place], (*around[max(place - 1, 0) : place], *around[place + 1 : place + 2])
    title, above = content_stems(source.title), sections(source)
    nearby = frozenset(word for each in beside for word in each.vocabulary)
    return {
        "covered": share(said),
        "covered_above": share(above - said),
        "covered_by_title": share(title - said - above),
        "covered_nearby": share(nearby - said - above - title),
        "in_heading": share(content_stems(" ".join(source.heading_hierarchy[-1:]))),
        "pairs": len(asked.pairs & set(pairwise(paragraph.stems))) / max(1, len(asked.pairs)),
        "defines": _defines(asked, paragraph),
        **{kind: float(kind in paragraph.kinds) for kind in FORMS},
        "asked_form": float(bool(asked.forms & paragraph.kinds)),
        "asides": paragraph.asides,
    }


def _defines(asked: Question, said: Paragraph) -> float:
    """Whether the paragraph says what a thing is, by how much of the question is the thing's name."""
    found = (name for name in asked.names if any(defines(each, name) >= DEFINES for each in said.sentences))
    return max((asked.share(stems(name)) ** 2 for name in found), default=0.0)


def _groups(text: str) -> Iterator[tuple[Block, ...]]:
    """Blocks, one that ends in a colon together with the next."""
    held: list[Block] = []
    for block in map(_shown, blocks(text)):
        if not _LETTER.search(block.text) or _TAG.match(block.text):
            if held:  # what it introduced is not there
                yield tuple(held)
            held = []
            continue
        if not held and block.kind == "list" and count_words(block.text) > _LONGEST_LIST:
            yield from ((Block("list", item),) for item in items(block.text))
            continue
        held.append(block)
        if not block.text.endswith(":"):
            yield tuple(held)
            held = []
    if held:
        yield tuple(held)


def _shown(block: Block) -> Block:
    if block.kind in ("prose", "list"):
        return Block(block.kind, without_links(block.text))
    fence = block.text.lstrip()[:3]
    is_open = block.kind == "code" and not block.text.rstrip().endswith(fence)
    return Block(block.kind, f"{block.text}\n{fence}" if is_open else block.text)


def _paragraph(group: tuple[Block, ...], vector: Floats) -> Paragraph:
    text = "\n\n".join(block.text for block in group)
    said = [block.text for block in group if block.kind == "prose"]
    said += [item for block in group if block.kind == "list" for item in items(block.text)]
    sentences = tuple(sentence for each in said for sentence in whole_sentences(plain(each)))
    found = stems(text)
    return Paragraph(
        blocks=group,
        text=text,
        sentences=sentences,
        stems=found,
        vocabulary=frozenset(found),
        content=tuple(content_words(text)),
        vector=vector,
        asides=sum(map(is_aside, sentences)) / len(sentences)
        if group[0].kind == "prose" and sentences
        else 0.0,
    )


WEIGHTS = Path(__file__).with_name("answer_weights.json")
# Of the question's words; two may stand together by chance, and more than five are no surer sign.
_MOST_FOUND = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounding:
    """Whether the passages answer the question, and their paragraphs, best first."""

    asked: Question
    answerable: bool
    confidence: float  # 0..1
    candidates: tuple[Candidate, ...] = ()

    @property
    def supporting(self) -> tuple[RetrievalResult, ...]:
        return tuple({each.source.chunk_id: each.source for each in self.candidates}.values())


def is_answerable(
    question: str, results: Sequence[RetrievalResult], *, terms: Collection[str] = ()
) -> Grounding:
    """Rank what was found and judge it; terms are the names of the course's concepts."""
    asked = understand(question, terms)
    weights = _weights()
    scored = [
        replace(each, score=_sum(each.measures, weights["ranking"])) for each in measured(asked, results)
    ]
    found = sorted(scored, key=lambda each: (-each.score, each.source.rank, each.place))
    if not found:
        return Grounding(asked=asked, answerable=False, confidence=0.0)
    chance = _sum(judged(asked, found), weights["answerable"])
    confidence = 1 / (1 + math.exp(-max(-30.0, min(30.0, chance))))
    return Grounding(
        asked=asked,
        answerable=confidence >= weights["border"],
        confidence=round(confidence, 3),
        candidates=tuple(found),
    )


def judged(asked: Question, found: Sequence[Candidate]) -> dict[str, float]:
    """What tells whether the question is answered; the best candidate comes first."""
    best = found[0].source
    here = found[0].said | headings(best)
    chapter = here.union(*(each.said for each in found if each.source.chapter_id == best.chapter_id))
    mates = [each for each in found if each.source.chunk_id == best.chunk_id]
    passage = here.union(*(each.said for each in mates))
    words = list(dict.fromkeys(word for each in mates for word in each.paragraph.content))
    found_here = sum(weight for root, weight in asked.weights.items() if root in here)
    missing = [root for root in asked.weights if root not in passage]
    return {
        "in_chapter": asked.share(chapter),
        "anywhere": asked.share(here.union(*(each.said for each in found))),
        "beyond_two": max(0.0, min(_MOST_FOUND, found_here) - 2.0),
        "pairs": found[0].measures["pairs"],
        "closest": max(each.measures["closeness"] for each in found),
        "missing": max(
            (asked.weights[root] * (1 - likeness(asked.words[root], words)) for root in missing),
            default=0.0,
        ),
    }


def _sum(numbers: Mapping[str, float], weights: Mapping[str, float]) -> float:
    return weights["bias"] + sum(weights.get(name, 0.0) * number for name, number in numbers.items())


@cache
def _weights() -> Any:
    return json.loads(WEIGHTS.read_text(encoding="utf-8"))
