"""What an answer shares with the expected ones, as a few named numbers."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agents.quiz.grading.matching import Match, align
from agents.quiz.grading.reading import Question, Text, read_question, read_reference
from agents.quiz.grading.vectors import Similarity, Vectors
from agents.quiz.grading.vocabulary import PRONOUNS
from agents.quiz.grading.words import Token, axes, is_name, trigrams

MAX_REFERENCES = 40
_NEAR = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """An answer beside one reference."""

    reference: Text
    matches: list[Match]  # one for each content word of the reference
    point: list[float]  # the weight of each in what the question is after
    numbers: dict[str, float]

    @property
    def opposed(self) -> list[int]:
        """Places in the answer of words that say the contrary of the reference."""
        return [match.against for match in self.matches if match.is_opposed]

    @property
    def met(self) -> list[int]:
        """Places in the answer of words that meet the reference."""
        return [match.at for match in self.matches if match.level >= 0.5]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The answer beside its best reference, and the numbers that the model weighs."""

    answer: Text
    best: Comparison
    compared: Sequence[Comparison]
    numbers: dict[str, float]


def measure(
    answer: str, *, question: str, references: Sequence[str], similarity: Similarity | None
) -> Measured:
    """Compare with every reference; the best one speaks, the others add their voice."""
    said, asked = Text.of(answer), read_question(question)
    expected = [read_reference(reference) for reference in list(dict.fromkeys(references))[:MAX_REFERENCES]]
    vectors = _embed(said, asked, expected, similarity) if similarity is not None else None
    compared = [_compare(said, reference, asked, vectors) for reference in expected]
    best = max(compared, key=_rank)
    numbers = {**best.numbers, **_overall(said, asked, compared), **_meaning(said, asked, expected, vectors)}
    single = len(expected) == 1
    numbers["point_if_single"] = best.numbers["point"] if single else 0.0
    numbers["met_if_single"] = best.numbers["met"] if single else 0.0
    numbers["references"] = math.log(len(expected))
    return Measured(answer=said, best=best, compared=compared, numbers=numbers)


def _compare(said: Text, reference: Text, asked: Question, vectors: Vectors | None) -> Comparison:
    words, found = reference.content, said.content
    matches, back = align(words, found), align(found, words)
    level = _levels(words, found, matches, vectors)
    level_back = _levels(found, words, back, vectors)
    weight = [word.weight for word in words]
    unasked = [0.0 if word.stem in asked.asked else word.weight for word in words]
    point = _point(words, asked)
    said_weight = [word.weight for word in found]
    said_new = [0.0 if word.stem in asked.asked else word.weight for word in found]
    strict = _mean(weight, [match.level for match in matches])
    point_met, precision = _mean(point, level), _mean(said_weight, level_back)
    precision_new = _mean(said_new, level_back, precision / 2)
    both = trigrams(said.clean), trigrams(reference.clean)
    shared = len(both[0] & both[1])
    numbers = {
        "met": strict,
        "met_or_given": _mean(weight, _with_pronouns(said, words, matches, level, asked)),
        "unasked_met": _mean(unasked, level, _mean(weight, level)),
        "point": point_met,
        "point_fit": _harmonic(precision_new, point_met),
        "point_missing": sum(part * (1 - there) for part, there in zip(point, level, strict=True)),
        "precision": precision,
        "complete": float(strict > 0.93),
        "pairs_in_order": _pairs(words, matches, point, strict),
        "opposed": _mean(point, [float(match.is_opposed) for match in matches]),
        "both_sides": min(2.0, sum(1.0 for match in matches if match.level and match.opposite)),
        "names_missing": min(
            2.0,
            sum(
                1.0 for word, match in zip(words, matches, strict=True) if is_name(word) and not match.is_seen
            ),
        ),
        "negation_lost": float(_negations(reference) > 0 and _negations(said) == 0),
        "letters": 2 * shared / max(1, len(both[0]) + len(both[1])),
        "letters_met": shared / max(1, len(both[1])),
    }
    return Comparison(reference=reference, matches=matches, point=point, numbers=numbers)


def _levels(
    targets: Sequence[Token], found: Sequence[Token], matches: Sequence[Match], vectors: Vectors | None
) -> list[float]:
    """How far each target is met; by likeness of meaning where no word meets it."""
    levels = [match.level for match in matches]
    if vectors is None:
        return levels
    alike = vectors.best([token.text for token in targets], [token.text for token in found])
    return [
        level if match.opposite else max(level, like)
        for level, match, like in zip(levels, matches, alike, strict=True)
    ]


def _point(words: Sequence[Token], asked: Question) -> list[float]:
    """The part of a reference that the question does not give away: the point of the answer."""
    takes: tuple[Callable[[Token], bool], ...] = (
        lambda word: word.stem not in asked.stems,
        lambda word: word.stem not in asked.asked,
        lambda word: bool(axes(word)) or word.negated,
    )
    for takes_part in takes:
        point = [word.weight if takes_part(word) else 0.0 for word in words]
        if sum(point) >= 0.9:
            return point
    return [word.weight for word in words]


def _with_pronouns(
    said: Text, words: Sequence[Token], matches: Sequence[Match], level: Sequence[float], asked: Question
) -> list[float]:
    """ "They are connected": a pronoun stands for what the question named."""
    if not any(token.text in PRONOUNS for token in said.tokens):
        return list(level)
    return [
        max(there, 0.9) if word.stem in asked.asked and not match.opposite and not is_name(word) else there
        for word, match, there in zip(words, matches, level, strict=True)
    ]


def _pairs(
    words: Sequence[Token], matches: Sequence[Match], point: Sequence[float], otherwise: float
) -> float:
    """Neighbours of the reference that are near one another, in the same order, in the answer."""
    weights, kept = [], []
    for i, first in enumerate(words):
        for j in range(i + 1, min(i + 3, len(words))):
            apart = matches[j].at - matches[i].at
            both = min(matches[i].level, matches[j].level) * (1.0 if abs(apart) <= _NEAR else 0.4)
            weights.append(min(first.weight, words[j].weight) * (1.0 if point[i] or point[j] else 0.5))
            kept.append(both if apart > 0 else 0.0)
    return _mean(weights, kept, otherwise)


def _overall(said: Text, asked: Question, compared: Sequence[Comparison]) -> dict[str, float]:
    weight = [word.weight for word in said.content]
    in_question = [float(match.is_seen) for match in align(said.content, asked.text.content)]
    return {
        "best_letters_met": max(each.numbers["letters_met"] for each in compared),
        "mean_point": sum(each.numbers["point"] for each in compared) / len(compared),
        "echo": _mean(weight, in_question),
        "length": math.log1p(sum(weight)),
    }


def _meaning(
    said: Text, asked: Question, expected: Sequence[Text], vectors: Vectors | None
) -> dict[str, float]:
    if vectors is None:
        return {}
    new = _unasked_text(said, asked)
    clauses = [
        [max(vectors.cosine(clause, own) for own in said.clauses) for clause in each.clauses]
        for each in expected
    ]
    return {
        "meaning_new": max(vectors.cosine(new, _unasked_text(each, asked)) for each in expected),
        "meaning_new_mean": sum(vectors.cosine(new, _unasked_text(each, asked)) for each in expected)
        / len(expected),
        "meaning_clauses": max(sum(row) / len(row) for row in clauses),
    }


def _embed(said: Text, asked: Question, expected: Sequence[Text], similarity: Similarity) -> Vectors:
    texts = [said, *expected]
    words = [token.text for text in texts for token in text.content]
    longer = [clause for text in texts for clause in text.clauses]
    longer += [_unasked_text(text, asked) for text in texts]
    return Vectors(similarity, words=words, texts=longer)


def _unasked_text(text: Text, asked: Question) -> str:
    return " ".join(token.text for token in text.content if token.stem not in asked.asked)


def _negations(text: Text) -> int:
    return sum(token.negated for token in text.tokens)


def _rank(comparison: Comparison) -> float:
    n = comparison.numbers
    return (
        n["met"]
        + n["point"]
        + 0.5 * n["pairs_in_order"]
        + 0.3 * n["precision"]
        - n["opposed"]
        - 0.2 * n["names_missing"]
    )


def _mean(weights: Sequence[float], values: Sequence[float], otherwise: float = 0.0) -> float:
    total = sum(weights)
    return sum(w * v for w, v in zip(weights, values, strict=True)) / total if total > 0 else otherwise


def _harmonic(first: float, second: float) -> float:
    return 2 * first * second / (first + second) if first + second else 0.0
