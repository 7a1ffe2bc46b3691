"""Answer a question in the course's own paragraphs, each whole and with its source, or say what the course covers instead."""

import json
import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from agents.citations import ABOUT, DEFINES, above_sources, defines, leans_back, quoted
from agents.coordinator.question import FORMS, ParsedQuestion, says, understand
from agents.language.blocks import Block, BlockKind, blocks, items, plain, whole_sentences, without_links
from agents.language.formulas import readable_formulas
from agents.language.headings import is_aims, is_aside
from agents.language.vectors import Vector, embed, likeness
from agents.language.words import flat, roots, subject_roots, subject_words, word_count
from agents.said import Said
from agents.teaching.values import RetrievalResult
from agents.turn import NO_INFORMATION
from rag.retriever import in_order

_LONGEST_LIST = 160  # words; a longer one, such as a glossary, is shown item by item
_TAG = re.compile(r"\s*</?[A-Za-z]")  # what a page builds with tags is no paragraph
_SHOWN: frozenset[BlockKind] = frozenset(["code", "formula"])  # these need not say what they are
# A name and which of them it is: “ROS 2”, “Python 3”.
_NUMBERED = re.compile(r"\b([A-Z][A-Za-z]+)[ -]?(\d+)\b")
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """A block, together with the one that it introduces, as it is shown."""

    blocks: tuple[Block, ...]
    text: str
    sentences: tuple[str, ...]
    roots: tuple[str, ...]
    vocabulary: frozenset[str]
    content: tuple[str, ...]
    vector: Vector
    asides: float  # share of its sentences that tell nothing about the subject

    @property
    def kinds(self) -> frozenset[BlockKind]:
        return frozenset(block.kind for block in self.blocks)

    @property
    def words(self) -> int:
        """What there is to read; code is looked at."""
        return sum(word_count(block.text) for block in self.blocks if block.kind != "code")

    @property
    def is_cut_off(self) -> bool:
        """Whether it is but the announcement of something that is not there."""
        return self.text.endswith(":") and len(self.sentences) < 2


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateParagraph:
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


def measured(asked: ParsedQuestion, results: Sequence[RetrievalResult]) -> list[CandidateParagraph]:
    """Every paragraph that was found, not yet weighed; none for a question that asks about nothing."""
    vector = embed([asked.text])[0]
    found = []
    for rank, result in enumerate(results, 1):
        if any(map(is_aims, result.heading_hierarchy)):  # promises an answer, and gives none
            continue
        for place, paragraph in enumerate(read(result.chunk_text)):
            said = paragraph.vocabulary.union(
                *(FORMS[kind] for kind in asked.forms & paragraph.kinds & _SHOWN)
            )
            numbers = _measures(asked, result, place, said) | {
                "closeness": float(paragraph.vector @ vector),
                "passage_rank": 1 / rank,
            }
            found.append(
                CandidateParagraph(
                    source=result, place=place, paragraph=paragraph, said=said, measures=numbers
                )
            )
    return [each for each in found if asked.weights and not each.paragraph.is_cut_off]


@lru_cache(maxsize=1024)
def read(text: str) -> tuple[Paragraph, ...]:
    """The paragraphs of a passage; kept, because the same passages come up again and again."""
    groups = list(_groups(text))
    vectors = (
        embed([readable_formulas("\n".join(block.text for block in group)) for group in groups])
        if groups
        else ()
    )
    return tuple(_paragraph(group, vector) for group, vector in zip(groups, vectors, strict=True))


def sections(result: RetrievalResult) -> frozenset[str]:
    return subject_roots(" ".join(each for each in result.heading_hierarchy if each != result.title))


def headings(result: RetrievalResult) -> frozenset[str]:
    return frozenset(roots(" ".join([result.title, *result.heading_hierarchy])))


def _measures(
    asked: ParsedQuestion, source: RetrievalResult, place: int, said: frozenset[str]
) -> dict[str, float]:
    """The numbers that the ranker weighs, but for those that depend on all passages."""
    around, share = read(source.chunk_text), asked.share
    paragraph, beside = around[place], (*around[max(place - 1, 0) : place], *around[place + 1 : place + 2])
    title, above = subject_roots(source.title), sections(source)
    nearby = frozenset(word for each in beside for word in each.vocabulary)
    return {
        "covered": share(said),
        "covered_above": share(above - said),
        "covered_by_title": share(title - said - above),
        "covered_nearby": share(nearby - said - above - title),
        "in_heading": share(subject_roots(" ".join(source.heading_hierarchy[-1:]))),
        "pairs": len(asked.pairs & set(pairwise(paragraph.roots))) / max(1, len(asked.pairs)),
        "defines": _defines(asked, paragraph),
        **{kind: float(kind in paragraph.kinds) for kind in FORMS},
        "asked_form": float(bool(asked.forms & paragraph.kinds)),
        "asides": paragraph.asides,
    }


def _defines(asked: ParsedQuestion, said: Paragraph) -> float:
    """Whether the paragraph says what a thing is, by how much of the question is the thing's name."""
    found = (name for name in asked.names if any(defines(each, name) >= DEFINES for each in said.sentences))
    return max((asked.share(roots(name)) ** 2 for name in found), default=0.0)


def _groups(text: str) -> Iterator[tuple[Block, ...]]:
    """Blocks, each together with the one that it leads on to."""
    held: list[Block] = []
    for block in map(_shown, blocks(text)):
        if not _LETTER.search(block.text) or _TAG.match(block.text):
            if held:  # what it introduced is not there
                yield tuple(held)
            held = []
            continue
        if held and not held[-1].text.endswith(":") and block.kind not in _SHOWN:
            yield tuple(held)
            held = []
        if not held and block.kind == "list" and word_count(block.text) > _LONGEST_LIST:
            yield from ((Block("list", item),) for item in items(block.text))
            continue
        held.append(block)
        # A colon leads on to anything; a sentence without its end to the code or formula that ends it.
        if not (block.text.endswith(":") or (block.kind == "paragraph" and block.text[-1].isalnum())):
            yield tuple(held)
            held = []
    if held:
        yield tuple(held)


def _shown(block: Block) -> Block:
    if block.kind in ("paragraph", "list"):
        return Block(block.kind, without_links(block.text))
    fence = block.text.lstrip()[:3]
    is_open = block.kind == "code" and not block.text.rstrip().endswith(fence)
    return Block(block.kind, f"{block.text}\n{fence}" if is_open else block.text)


def _paragraph(group: tuple[Block, ...], vector: Vector) -> Paragraph:
    text = "\n\n".join(block.text for block in group)
    said = [block.text for block in group if block.kind == "paragraph"]
    said += [item for block in group if block.kind == "list" for item in items(block.text)]
    sentences = tuple(sentence for each in said for sentence in whole_sentences(plain(each)))
    found = roots(text)
    return Paragraph(
        blocks=group,
        text=text,
        sentences=sentences,
        roots=found,
        vocabulary=frozenset(found),
        content=tuple(subject_words(text)),
        vector=vector,
        asides=sum(map(is_aside, sentences)) / len(sentences)
        if group[0].kind == "paragraph" and sentences
        else 0.0,
    )


WEIGHTS = Path(__file__).with_name("answer_weights.json")
# Of the question's words; two may stand together by chance, and more than five are no surer sign.
_MOST_FOUND = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounding:
    """Whether the passages answer the question, and their paragraphs, best first."""

    asked: ParsedQuestion
    answerable: bool
    confidence: float  # 0..1
    candidates: tuple[CandidateParagraph, ...] = ()

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
    names_nothing = bool(asked.words) and not any(map(_LETTER.search, asked.words.values()))  # “2+2”
    if not found or names_nothing or _is_another_of_its_name(question, results):
        return Grounding(asked=asked, answerable=False, confidence=0.0, candidates=tuple(found))
    chance = _sum(judged(asked, found), weights["answerable"])
    confidence = 1 / (1 + math.exp(-max(-30.0, min(30.0, chance))))
    return Grounding(
        asked=asked,
        answerable=confidence >= weights["border"],
        confidence=round(confidence, 3),
        candidates=tuple(found),
    )


def _is_another_of_its_name(question: str, results: Sequence[RetrievalResult]) -> bool:
    """Whether it asks about a ROS 1 where all that was found is about ROS 2."""
    numbered = dict.fromkeys(_NUMBERED.findall(question))
    texts = [" ".join([*each.heading_hierarchy, each.chunk_text]) for each in results]
    return any(
        not any(re.search(rf"\b{re.escape(name)}[ -]?{re.escape(number)}\b", text) for text in texts)
        and any(re.search(rf"\b{re.escape(name)}[ -]?\d", text) for text in texts)
        for name, number in numbered
    )


def judged(asked: ParsedQuestion, found: Sequence[CandidateParagraph]) -> dict[str, float]:
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


_MOST_CHARS = 90
_MOST_TOPICS = 4
_CLOSE = 0.2  # confidence from which the nearest section is worth naming
_YOURS = {"my": "your", "mine": "yours", "our": "your", "me": "you"}
_WORD = re.compile(r"\w+")
# Only what can stand after 'about' is said back; the rest is quoted as it was asked.
_THING = re.compile(
    r"(?:(?:hi|hello|hey|ok|okay|so|well|and|please|but)\W+)*"
    r"(?:(?:what|who)(?:'s|s| is| are| was| were) |(?:explain|describe|define|tell me (?:more )?about|teach me|show me) |"
    r"(?P<how>how (?:do|can|could|should|would) (?:i|you|we|one) |how to ))(?P<thing>.+)",
    re.IGNORECASE,
)
# 'I don't know' is no thing, and 'am I' cannot be turned round.
_SPEAKER = re.compile(r"\b(?:i|we|you)\b", re.IGNORECASE)


def no_information(thing: str, *, course: str) -> str:
    """What is said of what a course, by its title, does not have; or none of them where none is chosen."""
    return f"{NO_INFORMATION} about {thing} in {f'**{course}**' if course else 'your courses'}."


def covers(topics: Sequence[str]) -> str:
    """A few of what there is instead; empty where there is nothing."""
    found = list(dict.fromkeys(topic.strip() for topic in topics if topic.strip()))
    return f"It does cover {_listed(found)}. Ask me about any of these." if found else ""


def say_unknown(question: str, grounding: Grounding, *, course: str, course_topics: Sequence[str]) -> str:
    """'I don't have information about … in …', the nearest section if there is one, and a few topics."""
    lines = [no_information(asked_thing(question), course=course)]
    near = [result.place for result in grounding.supporting[:1] if len(result.heading_hierarchy) > 1]
    if near and grounding.confidence >= _CLOSE:
        lines.append(f"The closest it comes is “{near[0]}”.")
    return " ".join(filter(None, [*lines, covers(course_topics)]))


def say_no_more(question: str) -> str:
    """Whoever asks for more has heard it all."""
    return (
        f"{NO_INFORMATION} about {asked_thing(question)} beyond what I've told you: that is all I found in the course. "
        "Ask for an example, or say **quiz me** to see what stuck."
    )


def asked_thing(question: str) -> str:
    """The thing asked for as it fits after 'about'; at worst the question itself, in quotes."""
    text = " ".join(question[: 4 * _MOST_CHARS].replace("’", "'").split()).strip(" ?!.,")
    if not any(map(says, _WORD.findall(text))):
        return "that"
    found = _THING.fullmatch(text)
    thing = _short(found["thing"]) if found else ""
    if found and not _SPEAKER.search(thing):
        thing = _WORD.sub(lambda match: _YOURS.get(match.group().lower(), match.group()), thing)
        return f"how to {thing}" if found["how"] else thing
    if found is None and _SPEAKER.search(text):
        return "that"  # a statement is no thing
    return f"“{_short(text)}”"


def _short(text: str) -> str:
    return text if len(text) <= _MOST_CHARS else text[:_MOST_CHARS].rsplit(" ", 1)[0] + " …"


def _listed(topics: Sequence[str]) -> str:
    shown = [f"“{topic}”" for topic in topics[:_MOST_TOPICS]]
    if more := len(topics[_MOST_TOPICS:]):
        return f"{', '.join(shown)} and {more} more {'topic' if more == 1 else 'topics'}"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


_FEWEST_WORDS = 6  # less is a caption or a credit
_ENOUGH_WORDS, _MOST_WORDS = 60, 160
_WORTH = 3.0  # so much below the best one's score another paragraph is still worth reading
_ADDS = 0.2  # of the question, that a paragraph from elsewhere must add
_NEAR = 1.2  # so little below the best one's score another paragraph may be the right one
_ABOUT = 0.5  # of the question, that more of the answer must be about
_IS_IT = ("defines", "in_heading")  # measures by which a paragraph is the place for it


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundedAnswer:
    """What the learner reads, and what its marks stand for, [1] first."""

    said: Said
    sources: tuple[RetrievalResult, ...] = ()
    shown: tuple[CandidateParagraph, ...] = ()  # the paragraphs of the course that it is made of

    @property
    def text(self) -> str:
        return str(self.said)


def answer_question(
    question: str,
    results: Sequence[RetrievalResult],
    *,
    course: str,
    course_topics: Sequence[str],
    terms: Collection[str] = (),
    already_said: str = "",
) -> GroundedAnswer:
    """The paragraphs that answer the question with a **Sources** footer, or what the course covers instead.

    course is its title; terms are the names of its concepts; already_said is what "tell me more" should not repeat.
    """
    grounding = is_answerable(question, results, terms=terms)
    shown = compose(grounding, already_said=already_said) if grounding.answerable else []
    if not shown:
        is_more = grounding.answerable and already_said
        text = (
            say_no_more(question)
            if is_more
            else say_unknown(question, grounding, course=course, course_topics=course_topics)
        )
        return GroundedAnswer(said=Said.of(text))
    cited = {each.source.chunk_id: each.source for each in shown}
    sources = in_order(cited.values(), "similarity_score")
    marks = {source.chunk_id: f"[{number}]" for number, source in enumerate(sources, 1)}
    body = "\n\n".join(quoted(each.paragraph.blocks, marks[each.source.chunk_id]) for each in shown)
    return GroundedAnswer(
        said=above_sources(body, sources),
        sources=tuple(sources),
        shown=tuple(shown),
    )


def compose(grounding: Grounding, *, already_said: str = "") -> list[CandidateParagraph]:
    """The best paragraph, what else the question needs, and what stands around it; in reading order."""
    asked, told = grounding.asked, flat(already_said)
    found = list(_new(grounding, told)) if told else list(grounding.candidates)
    if not found:
        return []
    lead = _lead(asked, found)
    shown = [lead]
    before = _at(found, lead, -1)
    if before and leans_back(lead.paragraph.text):
        _add(shown, before, most=2 * _MOST_WORDS)
    for each in _both_sides(asked, found):
        _add(shown, each, most=2 * _MOST_WORDS)
    for each in _from_elsewhere(asked, lead, found):
        _add(shown, each)
    for each in _around(lead, found):
        follows = each.place > lead.place
        is_short = follows and _size(shown) < _ENOUGH_WORDS
        if is_short or each.score >= lead.score - (_WORTH if follows else _NEAR):
            _add(shown, each)
    first = {each.source.chunk_id: place for place, each in reversed(list(enumerate(shown)))}
    return sorted(shown, key=lambda each: (first[each.source.chunk_id], each.place))


def _lead(asked: ParsedQuestion, found: Sequence[CandidateParagraph]) -> CandidateParagraph:
    """The best paragraph, or one not far behind that itself says clearly more of what is asked."""
    best = found[0]
    fuller = [
        each
        for each in found
        if each.score >= best.score - _WORTH and asked.share(each.own) >= asked.share(best.own) + _ADDS
    ]
    return fuller[0] if fuller else best


def _new(grounding: Grounding, told: str) -> Iterator[CandidateParagraph]:
    """What is about the question and was not told, nor nearly so, as a glossary does."""
    for each in grounding.candidates:
        said = each.paragraph
        if grounding.asked.share(said.vocabulary) > _ABOUT and flat(said.text) not in told:
            yield each


def _both_sides(asked: ParsedQuestion, found: Sequence[CandidateParagraph]) -> Iterator[CandidateParagraph]:
    """For a comparison the paragraph that says what each side is."""
    for side in asked.sides:
        for least in (DEFINES, ABOUT):
            told = [
                each for each in found if any(defines(s, side) >= least for s in each.paragraph.sentences)
            ]
            if told:
                yield told[0]
                break


def _from_elsewhere(
    asked: ParsedQuestion, lead: CandidateParagraph, found: Sequence[CandidateParagraph]
) -> Iterator[CandidateParagraph]:
    """The best paragraph that says what the lead does not, or that may be meant just as well.

    Where the lead defines what is asked under its own heading, another must do so too: to name it is not enough.
    """
    is_its_place = all(lead.measures[name] >= _ABOUT for name in _IS_IT)
    for each in found:
        adds = asked.share(each.own - lead.own) >= _ADDS and each.score >= lead.score - _WORTH
        as_good = each.score >= lead.score - _NEAR and not asked.forms & lead.paragraph.kinds
        as_much = not is_its_place or all(each.measures[name] >= lead.measures[name] for name in _IS_IT)
        if each is not lead and (adds or (as_good and as_much)):
            yield each
            return


def _around(lead: CandidateParagraph, found: Sequence[CandidateParagraph]) -> Iterator[CandidateParagraph]:
    """The paragraphs after the lead, then the text before it, as far as they follow upon each other."""
    for steps in ((1, 2), (-1,)):
        for step in steps:
            each = _at(found, lead, step)
            if each is None or (step < 0 and each.paragraph.blocks[-1].kind not in ("paragraph", "list")):
                break
            yield each


def _at(
    found: Sequence[CandidateParagraph], lead: CandidateParagraph, step: int
) -> CandidateParagraph | None:
    where = (lead.source.chunk_id, lead.place + step)
    near = (each for each in found if (each.source.chunk_id, each.place) == where)
    return next((each for each in near if each.paragraph.words >= _FEWEST_WORDS), None)


def _add(shown: list[CandidateParagraph], each: CandidateParagraph, *, most: int = _MOST_WORDS) -> None:
    """Put it in if there is room and nothing shown says the same."""
    said = flat(each.paragraph.text)
    is_said = any(said in (other := flat(one.paragraph.text)) or other in said for one in shown)
    if not is_said and _size([*shown, each]) <= most:
        shown.append(each)


def _size(shown: Sequence[CandidateParagraph]) -> int:
    """What there is to read; the code of the first paragraph is what was asked for."""
    return shown[0].paragraph.words + sum(word_count(each.paragraph.text) for each in shown[1:])


class CourseQuestion(BaseModel):
    """What is asked, what was found, and what the course covers."""

    question: str = ""
    passages: tuple[RetrievalResult, ...] = ()
    course: str = ""  # its title; empty where several were searched
    course_topics: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    already_said: str = ""


def grounded_answer(brief: CourseQuestion) -> GroundedAnswer:
    return answer_question(
        brief.question,
        brief.passages,
        course=brief.course,
        course_topics=brief.course_topics,
        terms=brief.terms,
        already_said=brief.already_said,
    )
