"""Items from what a sentence says of a term: which of these …, fill the gap, true or false."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from agents.quiz.distractors import are_alike, could_be_meant_too
from agents.quiz.item_draft import Draft, Reading, ReadSentence
from agents.quiz.item_grammar import Clause, inverts_cleanly, is_plural_noun, split_clause, third_person
from agents.quiz.item_meanings import definition_in
from agents.quiz.item_opposites import opposite
from agents.quiz.item_reasons import is_generic
from agents.quiz.item_terms import Mention, is_proper, is_term, name_stems
from agents.quiz.item_verbs import VERBS
from agents.quiz.item_words import content_set, content_stems, share_of, word_count
from agents.state import QuestionKind
from storage.course import Concept

_FEWEST_STEMS, _STEMS_WITHOUT_DOUBT = 4, 8
_MOST_WORDS = 28
_LONG_NAME = 8
_HEDGE = re.compile(r"\b(?:may|might|often|usually|some|many|most|typically|generally|can|could|about)\b")
_VAGUE = re.compile(
    r"\b(?:ongoing|well[- ]studied|well[- ]known|interesting|important role|similar to|known for|believed|thought to|varies|"
    r"crucial|essential to understand|big|has been (?:identified|found|observed|used)|have been (?:identified|found|observed|used))\b"
)
_NAMES_PEOPLE = re.compile(
    r"(?<=[a-z,] )[A-Z][a-z]+ [A-Z][a-z]+\b(?! \w+(?:ism|ase)\b)|\b(?:1[5-9]|20)\d\d\b"
)
_LISTS = re.compile(r"(?:\b(?:and|or|to|until|than|include|includes) (?:an? |the )?|such as [^,]*)$")
_MISTAKES = re.compile(r"mistake|misconception|pitfall|myth|troubleshoot", re.IGNORECASE)
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
    if any(_MISTAKES.search(heading) for heading in reading.passage.heading_hierarchy):
        return  # there each sentence answers the mistake before it
    for whole in reading.sentences:
        sentence = _first_part(whole)
        trivial = _VAGUE.search(sentence.text) or _NAMES_PEOPLE.search(sentence.text)
        if trivial or word_count(sentence.text) > _MOST_WORDS or not is_generic(sentence.text, reading):
            continue
        if definition_in(sentence, reading):
            continue
        found = property_of(sentence)
        if found and not _is_about(found.concept, reading):
            continue
        if found:
            yield from _which_of_these(found, reading)
            yield from _flipped(found)
        yield from _gap(sentence, found, reading)


def _is_about(concept: Concept, reading: Reading) -> bool:
    """Whether the passage is about the term: said in passing, 'fertilization is internal' holds only for birds."""
    named = sum(_names(sentence, concept) for sentence in reading.sentences)
    in_heading = any(
        name_stems(concept) <= content_set(heading) for heading in reading.passage.heading_hierarchy
    )
    return in_heading or named > 1 or concept.chunk_id == reading.passage.chunk_id


def _first_part(sentence: ReadSentence) -> ReadSentence:
    """Up to a semicolon: what comes after it is another statement."""
    head = sentence.body.split(";")[0]
    inside = tuple(mention for mention in sentence.mentions if mention.end <= len(head))
    return replace(sentence, text=f"{head}.", mentions=inside)


def property_of(sentence: ReadSentence) -> Property | None:
    """The term that a sentence begins with and what it says of it; None if it begins otherwise."""
    clause = split_clause(sentence.text)
    if clause is None:
        return None
    start = re.match(r"(?:(?:A|An|The|Each|Every|All) )?", sentence.text)
    begin = start.end() if start else 0
    for mention in sentence.mentions:
        whole = mention.start == begin and mention.end == len(clause.subject)
        if whole and _is_nameable(mention.concept):
            return Property(concept=mention.concept, mention=mention, clause=clause, sentence=sentence)
    return None


def _which_of_these(found: Property, reading: Reading) -> Iterator[Draft]:
    clause = found.clause
    claim = " ".join(filter(None, (clause.adverb, _singular(clause.verb), clause.rest)))
    leaks = bool(content_set(found.concept.name) & content_set(claim))
    if (
        len(content_stems(claim)) < _FEWEST_STEMS
        or leaks
        or (clause.is_plural and _PLURAL_PRONOUN.search(claim))
    ):
        return
    several = clause.verb == "are" and any(is_plural_noun(word) for word in clause.rest.split(" ")[:4])
    if _HEDGE.search(claim) or ", " in clause.rest or several or not inverts_cleanly(clause):
        return
    options = _options(found.concept, claim, found.sentence, reading)
    if options:
        yield _draft(
            found.concept, found.sentence, "multiple_choice", f"Which of these {claim}?", options, "property"
        )


def _options(concept: Concept, claim: str, sentence: ReadSentence, reading: Reading) -> tuple[str, ...]:
    """The term and three others that the claim does not fit; none if there are too few."""
    others = [
        other
        for other in reading.confusable(concept, beside=sentence.text)
        if _fits_grammar(other, concept, claim)
        and not could_be_meant_too(concept, other)
        and not _also_true(other, claim, reading)
    ]
    alike = sum(are_alike(concept, other) for other in others[:3])
    if len(others) < 3 or alike < 2:
        return ()
    return (reading.shown(concept), *(reading.shown(other) for other in others[:3]))


def _fits_grammar(other: Concept, concept: Concept, claim: str) -> bool:
    """In a gap, every option must read as well as the right one."""
    if "____" not in claim:
        return True
    same_number = is_plural_noun(other.name.split()[-1]) == is_plural_noun(concept.name.split()[-1])
    return same_number and not ("a(n) ____" in claim.lower() and is_proper(other.name))


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


def _gap(sentence: ReadSentence, found: Property | None, reading: Reading) -> Iterator[Draft]:
    """Blank a term: with options, or alone if the rest of the sentence leaves no doubt."""
    mention = _blankable(sentence, found)
    if mention is None or _HEDGE.search(sentence.text):
        return
    rest = sentence.text[: mention.start] + " " + sentence.text[mention.end :]
    stems = content_stems(rest)
    if len(stems) < _FEWEST_STEMS + 1 or content_set(mention.concept.name) & set(stems):
        return
    before = re.sub(r"\b(A|a)n? $", r"\1(n) ", sentence.text[: mention.start])
    gapped = f"{before}____{sentence.text[mention.end :]}"
    written = sentence.text[mention.start : mention.end]
    if found and len(stems) >= _STEMS_WITHOUT_DOUBT and _pins_down(found.clause):
        same = written.lower() == mention.concept.name.lower()
        answer = reading.shown(mention.concept) if same else written
        yield _draft(mention.concept, sentence, "cloze", f"Complete the sentence: {gapped}", (answer,), "gap")
    options = _options(mention.concept, gapped, sentence, reading)
    if options and written.lower() == mention.concept.name.lower():
        text = f"Which term completes this sentence: “{gapped.rstrip('.')}”?"
        yield _draft(mention.concept, sentence, "multiple_choice", text, options, "gap")


def _pins_down(clause: Clause) -> bool:
    """Whether the sentence says what the term is or why, not just something that holds for many terms."""
    says_what = clause.verb in {"is", "are"} and re.match(
        r"(?:an? (?!few|lot|little)|the |one )", clause.rest
    )
    return bool(says_what or re.search(r"\b(?:because|whereas|so that|which means)\b|, so ", clause.rest))


def _blankable(sentence: ReadSentence, found: Property | None) -> Mention | None:
    if found:
        return found.mention
    last = [mention for mention in sentence.mentions if mention.end >= len(sentence.body)]
    last = [mention for mention in last if not _LISTS.search(sentence.text[: mention.start])]
    return next((mention for mention in last if _is_nameable(mention.concept) and _is_special(mention)), None)


def _is_special(mention: Mention) -> bool:
    """At the end of a sentence a short word is as often the everyday word as the term."""
    return " " in mention.concept.name or len(mention.concept.name) >= _LONG_NAME


def _is_nameable(concept: Concept) -> bool:
    """Whether the name can be asked for: a one-word heading is often just a word."""
    return is_term(concept) and (concept.kind != "heading" or " " in concept.name)


def _flipped(found: Property) -> Iterator[Draft]:
    """A true statement, and a false one that says the opposite in one place."""
    text = found.sentence.text
    false = "" if _HEDGE.search(text) or re.search(r"\b(?:because|again)\b", text) else opposite(text)
    if false:
        for answer, other, statement in (("True", "False", text), ("False", "True", false)):
            question = f"True or false: {statement}"
            yield _draft(found.concept, found.sentence, "true_false", question, (answer, other), "statement")


def _draft(
    concept: Concept,
    sentence: ReadSentence,
    kind: QuestionKind,
    text: str,
    options: tuple[str, ...],
    basis: str,
) -> Draft:
    """The first option is the answer."""
    shown = {"cloze": (), "true_false": ("True", "False")}.get(kind, options)
    return Draft(
        kind=kind,
        difficulty="easy" if kind == "cloze" else "medium",
        text=text,
        answer=options[0],
        concept=concept.name,
        source=sentence.source,
        basis=basis,
        options=shown,
    )
