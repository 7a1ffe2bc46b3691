"""Put an answer together: the deciding part first, then what belongs to it, within a readable length."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from agents.coordinator.draft import Draft, is_repeated
from agents.coordinator.evidence import Evidence, is_aside, ranked, section_of, weigh
from agents.coordinator.grounding import Grounding
from agents.coordinator.openings import openings
from agents.coordinator.question import Question, without_setting
from agents.coordinator.tables import narrowed
from agents.coordinator.weighing import word_weights
from agents.tutor.defining import is_about
from agents.tutor.grouping import by_place
from agents.tutor.reading import Unit, read_all
from agents.tutor.wording import flat, stem
from rag.results import RetrievalResult

_WORTH = 0.75  # of the best unit's score and words: what else is worth saying
_HARDLY_SAID = 0.5  # of a how-to's words, in passages that are as far from it in meaning as
_FAR = 0.2
_SHORT_CODE = 14  # lines


def compose(
    asked: Question,
    grounding: Grounding,
    results: Sequence[RetrievalResult],
    *,
    terms: Collection[str] = (),
    already_said: str = "",
) -> list[Unit]:
    """The units of the answer in the order in which they are read; none when nothing new is left to say."""
    units, words = read_all(results), word_weights(asked, terms)
    if not already_said:
        return _composed(asked, grounding, units, words)
    units = _unsaid(units, already_said)
    subject = {stem(word) for word in asked.subject_words}
    about = [unit for unit in units if subject <= unit.stems and not is_aside(unit)]
    if not about:
        return []
    sources = {unit.source.chunk_id: unit.source for unit in about}
    return _composed(asked, replace(grounding, supporting=tuple(sources.values())), units, words)


def _unsaid(units: Sequence[Unit], already_said: str) -> list[Unit]:
    """Those that bring something new: neither said before nor nearly so, as a glossary does."""
    everything = flat(already_said)
    said = [unit for unit in units if flat(unit.text) in everything]
    return [unit for unit in units if unit not in said and not any(is_repeated(unit, each) for each in said)]


def speaks_to(asked: Question, units: Sequence[Unit], *, terms: Collection[str]) -> bool:
    """Whether an answer says what a how-to is about, in its words or at least near them."""
    if asked.kind != "how" or max((unit.source.similarity_score for unit in units), default=0.0) >= _FAR:
        return True
    words = word_weights(asked, terms)
    said = {word for unit in units for word in unit.stems}
    found = sum(weight for word, weight in words.items() if stem(word) in said)
    return found > _HARDLY_SAID * sum(words.values())


def _composed(
    asked: Question, grounding: Grounding, units: Sequence[Unit], words: Mapping[str, float]
) -> list[Unit]:
    evidence = weigh(asked, units, words=words, best=grounding.supporting[0])
    draft = Draft(by_place(units))
    for candidates in openings(asked, grounding, evidence):
        next((unit for unit in candidates if draft.lead(unit)), None)
    if draft.units:
        for unit in _more(asked, draft.units, evidence):
            if draft.is_full:
                break
            draft.add(unit)
    return [narrowed(unit, asked) for unit in draft.in_order()]


def _more(asked: Question, lead: Sequence[Unit], evidence: Sequence[Evidence]) -> Iterator[Unit]:
    """What belongs to the opening: its paragraph, its section, then what else speaks to the question."""
    opened = [each for each in evidence if each.unit in lead]
    least = _WORTH * max(each.coverage for each in opened)
    subject = {stem(word) for word in asked.subject_words}
    worth = [each for each in evidence if each.unit.stems & subject and each.coverage >= least]
    sentences = [each for each in worth if each.unit.kind == "sentence"]
    best = max(each.score for each in evidence)
    elsewhere = [
        each.unit for each in ranked(worth) if each.score >= _WORTH * best and not each.unit.is_block
    ]
    if asked.kind == "example":
        yield from _after(lead[-1], evidence)
        return
    if asked.kind == "list":
        yield from elsewhere
    if asked.kind in ("definition", "purpose") and asked.focus:
        name = without_setting(asked.focus[0])
        yield from (
            each.unit for each in sentences if is_about(each.unit.text, name) and _near(each.unit, lead)
        )
    yield from _paragraph(lead, evidence)
    yield from (each.unit for each in sentences if _near(each.unit, lead))
    yield from elsewhere


def _near(unit: Unit, lead: Sequence[Unit]) -> bool:
    return section_of(unit.source) == section_of(lead[0].source)


def _after(block: Unit, evidence: Sequence[Evidence]) -> Iterator[Unit]:
    """What follows a worked example: its explanation, and the rest of its working if both are short."""
    lines = block.text.count("\n")
    for each in evidence:
        unit = each.unit
        if unit.source.chunk_id != block.source.chunk_id or unit.order <= block.order:
            continue
        if unit.is_block:
            lines += unit.text.count("\n")
            if lines > _SHORT_CODE:
                return
        yield unit


def _paragraph(lead: Sequence[Unit], evidence: Sequence[Evidence]) -> list[Unit]:
    """The other sentences of the opening's paragraphs: those after it first."""
    last = {(unit.source.chunk_id, unit.paragraph): unit.order for unit in lead}
    mates = [
        each.unit
        for each in evidence
        if (each.unit.source.chunk_id, each.unit.paragraph) in last
        and each.unit.kind == "sentence"
        and not is_aside(each.unit)
    ]
    after = [unit for unit in mates if unit.order > last[unit.source.chunk_id, unit.paragraph]]
    return after + [unit for unit in reversed(mates) if unit not in after]
