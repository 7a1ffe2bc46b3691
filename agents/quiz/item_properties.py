"""Items from what a sentence says of a term: which of these …, fill the gap, true or false."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agents.quiz.item_draft import Draft, Reading, ReadSentence
from agents.quiz.item_grammar import Clause, is_plural_noun, split_clause, third_person
from agents.quiz.item_reasons import is_generic
from agents.quiz.item_terms import Mention, confusable, is_term
from agents.quiz.item_verbs import VERBS
from agents.quiz.item_words import content_set, content_stems, share_of, word_count
from storage.course import Concept

_FEWEST_STEMS = 4
_MOST_WORDS = 26
_OPPOSITES = tuple(
    tuple(pair.split("/"))
    for pair in (
        "always/never increases/decreases increase/decrease larger/smaller higher/lower more/less before/after "
        "positive/negative inside/outside faster/slower large/small narrow/wide high/low early/late strong/weak "
        "highest/lowest largest/smallest maximum/minimum internal/external dominant/recessive greater/smaller "
        "longer/shorter stronger/weaker thicker/thinner anterior/posterior upper/lower acidic/basic simple/complex"
    ).split()
)
_FLIP = {word: other for one, two in _OPPOSITES for word, other in ((one, two), (two, one))}
_HEDGE = re.compile(r"\b(?:may|might|sometimes|often|usually|some|many|most|typically|generally|can|could|about)\b")
_PLURAL_PRONOUN = re.compile(r"\b(?:they|their|them|themselves|each other|one another)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Property:
    """A sentence whose subject is a term of the course."""

    concept: Concept
    mention: Mention
    clause: Clause
    sentence: ReadSentence


def property_items(reading: Reading) -> Iterator[Draft]:
    """Items about the terms that sentences begin with, and gaps for those that they end with."""
    for sentence in reading.sentences:
        if word_count(sentence.text) > _MOST_WORDS or not is_generic(sentence.text, mentions=sentence.mentions):
            continue
        found = property_of(sentence)
        if found:
            yield from _which_of_these(found, reading)
        yield from _gap(sentence, found)
        yield from _flipped(sentence, found)


def property_of(sentence: ReadSentence) -> Property | None:
    """The term that a sentence begins with and what it says of it; None if it begins otherwise."""
    clause = split_clause(sentence.text)
    if clause is None:
        return None
    start = re.match(r"(?:(?:A|An|The|Each|Every|All) )?", sentence.text)
    begin = start.end() if start else 0
    for mention in sentence.mentions:
        whole = mention.start == begin and mention.end == len(clause.subject)
        if whole and is_term(mention.concept):
            return Property(concept=mention.concept, mention=mention, clause=clause, sentence=sentence)
    return None


def _which_of_these(found: Property, reading: Reading) -> Iterator[Draft]:
    clause = found.clause
    claim = " ".join(filter(None, (clause.adverb, _singular(clause.verb), clause.rest)))
    leaks = bool(content_set(found.concept.name) & content_set(claim))
    if len(content_stems(claim)) < _FEWEST_STEMS or leaks or (clause.is_plural and _PLURAL_PRONOUN.search(claim)):
        return
    if _HEDGE.search(claim) or ", " in clause.rest:
        return
    others = [
        other.name
        for other in confusable(found.concept, book=reading.book, beside=found.sentence.text)
        if not _also_true(other, claim, reading)
    ]
    if len(others) >= 3:
        yield Draft(
            kind="multiple_choice",
            difficulty="medium",
            text=f"Which of these {claim}?",
            answer=found.concept.name,
            concept=found.concept.name,
            source=found.sentence.source,
            basis="property",
            options=(found.concept.name, *others[:3]),
        )


def _also_true(other: Concept, claim: str, reading: Reading) -> bool:
    """Whether the material says much the same of another term."""
    texts = [other.definition, *(each.text for each in reading.sentences if _names(each, other))]
    return any(share_of(claim, whole=text) >= 0.5 for text in texts)


def _names(sentence: ReadSentence, concept: Concept) -> bool:
    return any(mention.concept.name == concept.name for mention in sentence.mentions)


def _singular(verb: str) -> str:
    if verb in {"are", "were", "have", "do"} or verb in VERBS:
        return third_person(verb)
    return verb


def _gap(sentence: ReadSentence, found: Property | None) -> Iterator[Draft]:
    """Blank the term that the sentence is about, if the rest leaves no doubt which one it is."""
    for mention in _blankable(sentence, found):
        rest = sentence.text[: mention.start] + " " + sentence.text[mention.end :]
        stems = content_stems(rest)
        if len(stems) < 5 or content_set(mention.concept.name) & set(stems):
            continue
        before = re.sub(r"\b(A|a)n? $", r"\1(n) ", sentence.text[: mention.start])
        yield Draft(
            kind="cloze",
            difficulty="easy",
            text=f"Complete the sentence: {before}____{sentence.text[mention.end :]}",
            answer=sentence.text[mention.start : mention.end],
            concept=mention.concept.name,
            source=sentence.source,
            basis="gap",
        )
        return


def _blankable(sentence: ReadSentence, found: Property | None) -> list[Mention]:
    if found:
        return [found.mention]
    last = [mention for mention in sentence.mentions if mention.end >= len(sentence.body)]
    return [mention for mention in last if is_term(mention.concept)]


def _flipped(sentence: ReadSentence, found: Property | None) -> Iterator[Draft]:
    """A true statement, and a false one that says the opposite in one place."""
    words = re.findall(r"[A-Za-z]+", sentence.text.lower())
    flips = [word for word in words if word in _FLIP]
    if not sentence.mentions or len(flips) != 1 or _HEDGE.search(sentence.text) or "because" in words:
        return
    concept = (found.mention if found else sentence.mentions[0]).concept.name
    false = re.sub(rf"\b{flips[0]}\b", _FLIP[flips[0]], sentence.text)
    if false == sentence.text:
        return
    for answer, statement in (("True", sentence.text), ("False", false)):
        yield Draft(
            kind="true_false",
            difficulty="medium",
            text=f"True or false: {statement}",
            answer=answer,
            concept=concept,
            source=sentence.source,
            basis="statement",
            options=("True", "False"),
        )


def same_number(one: str, other: str) -> bool:
    """Whether two terms are both singular or both plural."""
    return is_plural_noun(one.split()[-1]) == is_plural_noun(other.split()[-1])
