"""Which parts of the passages speak to a question, and how much."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from agents.coordinator.asked_for import BY_NAME, MADE_BY
from agents.coordinator.asking import QuestionKind
from agents.coordinator.question import Question, side_names, without_setting
from agents.tutor.defining import defines, is_about, mentions
from agents.tutor.reading import Unit, UnitKind
from agents.tutor.wording import content_stems, stem, stems
from rag.results import RetrievalResult

_GENERIC_WEIGHT = 0.5
# Said in a question about anything, and found in a sentence about anything.
_FILLERS = frozenset(["make", "get", "let", "want", "need", "help", "try", "two", "three"])
_FILLER_WEIGHT = 0.1
_CONTEXT_SHARE = 0.4
_PHRASE_SHARE = 0.25
_LEAD_SHARE = 0.5
_SIMILARITY_SHARE = 0.25
_CODE_BONUS = 0.15
_HOME_BONUS = 0.05

# What the sentences that answer each kind of question tend to have, and how much that tells.
_CUES: tuple[tuple[QuestionKind, str, float], ...] = (
    ("why", r"\b(?:because|since|so that|therefore|due to|otherwise|reasons?|causes?)\b|, so\b", 0.3),
    ("how", r"\b(?:by \w+ing|by means of|uses?|works?|steps?|through|command|so that)\b", 0.08),
    ("how", r"\b(?:because)\b|, so\b", 0.05),
    ("difference", r"\b(?:whereas|unlike|while|differs?|different|but|in contrast|rather than)\b", 0.2),
    ("choice", r"\b(?:when|if|suits?|should|better|choose|uses?|best)\b", 0.12),
    ("quantity", r"\d|\$[^$]+\$", 0.2),
    ("quantity", r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twice|half|any number)\b", 0.1),
    ("yesno", r"\b(?:not|cannot|never|only|may|can|must|no|every|without)\b", 0.08),
    ("list", r"(?:[^,]+,){2,}|\b(?:such as|namely|three|four|five)\b", 0.2),
    ("list", r"\b(?:are|include|namely|such as) [^.:]+,", 0.1),
    ("purpose", r"\b(?:so that|used to|in order to|lets?|allows?|helps?|matters?|because)\b", 0.1),
    ("example", r"\b(?:for example|such as|for instance|example)\b", 0.2),
)
_COMPILED = tuple((kind, re.compile(pattern, re.IGNORECASE), bonus) for kind, pattern, bonus in _CUES)
_BLOCKS: Mapping[QuestionKind, Mapping[UnitKind, float]] = {
    "how": {"steps": 0.35, "code": -0.1, "formula": -0.1},
    "list": {"steps": 0.3, "bullets": 0.35, "table": 0.35},
    "example": {"code": 0.5, "formula": 0.2, "table": 0.1},
    "choice": {"table": -0.1, "steps": -0.1},
    "difference": {"table": 0.1},
    "quantity": {"code": 0.0, "formula": 0.0, "table": -0.1},
}
_UNSUITED_BLOCK = -0.4
_LED_IN = 0.5  # of the question's words: so much must a list say that it is about
_ASIDE = re.compile(
    r"^(?:after|in|by the end of) this (?:chapter|lesson|section|module|course)\b|"
    r"\byou will (?:also )?(?:be able|learn|know)\b|^(?:module|chapter|part|section) \d|"
    r"^(?:learners?|students|people|beginners) (?:often |also |sometimes )?(?:confuse|take|mix)\b|^welcome\b",
    re.IGNORECASE,
)
_ASKS_FOR_CODE = re.compile(
    r"^(?:(?:on|in|with|by) )?(?:what|which|where)\b.*\b(?:commands?|parameters?|files?|variable|function|attribute|"
    r"called|name|topics?|tag|sign|library|tool)\b|^how (?:do|can|could|should) (?:i|you|we)\b|^how to\b",
    re.IGNORECASE,
)
_SUMMING_UP = re.compile(r"summary|glossary|key terms", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One unit and how much it speaks to the question."""

    unit: Unit
    score: float
    coverage: float  # the share of the question's words that it has itself


def weigh(
    asked: Question, units: Sequence[Unit], *, words: Mapping[str, float], best: RetrievalResult
) -> list[Evidence]:
    """Every unit with its score, in reading order.

    words are the question's telling words and their weights; best is the passage that suits it most.
    """
    weights = _rarity(asked, units, words)
    places = {unit.key: unit for unit in units}
    found = (
        _evidence(asked, unit, weights, places.get((unit.source.chunk_id, unit.order - 1))) for unit in units
    )
    return [
        replace(each, score=each.score + _HOME_BONUS)
        if section_of(each.unit.source) == section_of(best)
        else each
        for each in found
    ]


def section_of(result: RetrievalResult) -> tuple[str, ...]:
    return result.course, result.chapter_id, *result.heading_hierarchy


def ranked(evidence: Sequence[Evidence]) -> list[Evidence]:
    """Best first; ties go to the better passage, then to what stands first."""
    return sorted(evidence, key=lambda each: (-each.score, each.unit.source.rank, each.unit.order))


def _rarity(asked: Question, units: Sequence[Unit], words: Mapping[str, float]) -> dict[str, float]:
    """A word counts the more, the fewer units have it."""
    seen = Counter(found for unit in units for found in unit.stems)
    most = math.log(len(units) + 2)
    return {
        stem(word): max(words.get(word, 0.0), _FILLER_WEIGHT if word in _FILLERS else _GENERIC_WEIGHT)
        * (0.4 + 0.6 * math.log((len(units) + 2) / (seen[stem(word)] + 1)) / most)
        for word in asked.words
    }


def _evidence(asked: Question, unit: Unit, weights: Mapping[str, float], before: Unit | None) -> Evidence:
    headings = frozenset(stems(" ".join([unit.source.title, *unit.source.heading_hierarchy])))
    around = headings
    if before and before.paragraph >= unit.paragraph - 1:
        around |= before.stems
    own = _share(weights, unit.stems)
    score = (
        own
        + _CONTEXT_SHARE * _share(weights, around - unit.stems)
        + _LEAD_SHARE * _share(weights, _lead_stems(unit, before))
        + _PHRASE_SHARE * _phrase_share(asked, unit)
        + _SIMILARITY_SHARE * unit.source.similarity_score
        + _fit(asked, unit, lead=max(_share(weights, _lead_stems(unit, before)), _share(weights, headings)))
    )
    return Evidence(unit=unit, score=score, coverage=own)


def _share(weights: Mapping[str, float], found: frozenset[str]) -> float:
    total = sum(weights.values()) or 1.0
    return sum(weight for word, weight in weights.items() if word in found) / total


def _lead_stems(unit: Unit, before: Unit | None) -> frozenset[str]:
    """What a block says that it is: a table by its head, a list by the sentence that introduces it."""
    if unit.kind == "table":
        return content_stems(unit.text.splitlines()[0])
    if unit.is_block and before and before.introduces:
        return before.stems
    return frozenset()


def _phrase_share(asked: Question, unit: Unit) -> float:
    """How many of the question's word pairs the unit has side by side."""
    pairs = set(pairwise(stems(asked.text)))
    return len(pairs & set(pairwise(stems(unit.text)))) / len(pairs) if pairs and not unit.is_block else 0.0


def _fit(asked: Question, unit: Unit, *, lead: float) -> float:
    """How well the unit's form suits the kind of question; lead is how much a block says to be about it."""
    summing_up = bool(_SUMMING_UP.search(" ".join(unit.source.heading_hierarchy[-1:])))
    if unit.is_block:
        fit = _BLOCKS.get(asked.kind, {}).get(unit.kind, _UNSUITED_BLOCK)
        if unit.kind in ("steps", "bullets") and lead < _LED_IN:
            fit = min(fit, 0.0)
        return fit - 0.5 * summing_up
    fit = sum(bonus for kind, cue, bonus in _COMPILED if kind == asked.kind and cue.search(unit.text))
    if asked.kind == "difference":
        fit += 0.4 if has_both_sides(asked, unit) else 0.0
    elif asked.focus:
        fit += _about_focus(asked, unit)
    if "`" in unit.text and _ASKS_FOR_CODE.search(asked.text):
        fit += _CODE_BONUS
    if MADE_BY.match(asked.text) and BY_NAME.search(unit.text):
        fit += 0.3
    elsewhere = unit.points_elsewhere and asked.kind not in ("example", "how")
    return fit - 0.5 * is_aside(unit) - 0.15 * summing_up - 0.2 * elsewhere


def is_aside(unit: Unit) -> bool:
    """Whether the sentence speaks of the course and its readers rather than of the subject."""
    return bool(_ASIDE.search(unit.text))


def _about_focus(asked: Question, unit: Unit) -> float:
    name = without_setting(asked.focus[0])
    if asked.kind == "definition":
        return 0.7 * defines(unit.text, name)
    return 0.25 if is_about(unit.text, name) else 0.0


def has_both_sides(asked: Question, unit: Unit) -> bool:
    """Whether a comparison's two things are in one unit."""
    return all(any(mentions(unit.text, name) for name in names) for names in side_names(*asked.focus))
