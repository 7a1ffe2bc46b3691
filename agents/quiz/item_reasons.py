"""Items from reasons and consequences: why something is so, and what happens when."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agents.quiz.item_draft import Draft, Reading, ReadSentence
from agents.quiz.item_grammar import ask, split_clause
from agents.quiz.item_terms import Mention, confusable
from agents.quiz.item_words import content_set, word_count

_BECAUSE = re.compile(r"^(?P<main>.+?),? (?P<reason>because (?!of this)\S.*)$")
_BECAUSE_FIRST = re.compile(r"^Because (?P<reason>(?!of this)[^,]+(?:, [^,]+ and [^,]+)?), (?P<main>[^,]+)$")
_SO_THAT = re.compile(r"^(?P<main>.+?),? (?P<reason>(?:so that|in order to|in order for) \S.*)$")
_SO = re.compile(r"^(?P<reason>[^,;]+(?:, [^,;]+)?), so (?!that\b|far\b|much\b|many\b|called\b)(?P<main>[^;]+)$")
_WHEN_FIRST = re.compile(r"^(?P<word>If|When|Once|Whenever) (?P<condition>[^,;]+), (?P<main>[^;]+)$")
_WHEN_LAST = re.compile(r"^(?P<main>[^,;]+?) (?P<condition>(?:only )?(?:when|if|unless|until) [^;]+)$")
_ADVICE = re.compile(r"^use (?:an? |the )?(?P<name>[\w -]+)$")
_BY = re.compile(r"^(?P<main>[^,;]+?) (?P<means>by (?!being)\w+ing\b[^;]*)$")
_OPEN_PRONOUN = re.compile(
    r"\b(?:it|its|they|their|them|themselves|itself|he|she|his|her|him|one|ones|others|nothing|this|these|those|such|do so|does so)\b", re.IGNORECASE
)
_SEVERAL_CLAUSES = re.compile(r";|, (?:and|but|or|so|whereas|while|although|which|where|who)\b")
_VAGUE_REASON = re.compile(r"^because (?:it|this|that|they) (?:is|are|does|do)\b.{0,12}$")
_MOST_ANSWER_WORDS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Something that is so, and why."""

    main: str
    reason: str
    concept: str
    sentence: ReadSentence


def reason_items(reading: Reading) -> Iterator[Draft]:
    """Why-questions, what-happens-questions and how-questions."""
    for sentence in reading.sentences:
        for reason in reasons(sentence):
            yield _why(reason, reading)
        yield from _consequences(sentence, reading)
        yield from _ways(sentence, reading)


def reasons(sentence: ReadSentence) -> Iterator[Reason]:
    """The reasons that a sentence gives, if what they explain can stand alone."""
    for pattern in (_BECAUSE, _BECAUSE_FIRST, _SO_THAT, _SO):
        match = pattern.match(sentence.body)
        if match is None:
            continue
        main, reason = match["main"].strip(), _first_clause(match["reason"])
        about = topic_of(main, sentence)
        if about and _can_be_asked(main) and _is_answer(reason):
            if pattern in (_BECAUSE_FIRST, _SO):
                reason = f"because {reason[0].lower() + reason[1:] if reason.split()[0].lower() in _LOWER else reason}"
            yield Reason(main=main, reason=reason, concept=about.concept.name, sentence=sentence)
        return


_LOWER = frozenset("a an the each every all most many some any one no in on with for if when both".split())


def topic_of(part: str, sentence: ReadSentence) -> Mention | None:
    """The concept that a part of a sentence is about: the first that it names, or the sentence's first."""
    named = content_set(part)
    inside = [mention for mention in sentence.mentions if content_set(mention.concept.name) <= named]
    return next(iter(inside or sentence.mentions), None)


def is_generic(text: str, *, mentions: tuple[Mention, ...] = ()) -> bool:
    """Whether a clause speaks of things in general, not of one that was introduced before."""
    if not re.match(r"(?:The|the) ", text):
        return True
    if any(mention.start == 4 for mention in mentions):
        return True
    return bool(
        re.match(r"[Tt]he [\w-]+(?: [\w-]+){0,2} (?:of|for|between|that|which|in|with|without|on|from|by|to) ", text)
    )


def pronouns_resolve(text: str) -> bool:
    """Whether every pronoun comes after something it can stand for."""
    match = _OPEN_PRONOUN.search(text)
    return match is None or (match.start() > 0 and len(content_set(text[: match.start()])) >= 2)


def _can_be_asked(main: str) -> bool:
    return (
        3 <= word_count(main) <= 28
        and not _SEVERAL_CLAUSES.search(main)
        and pronouns_resolve(main)
        and not re.match(r"(?:it|they|this|that|there|not|only|such)\b", main, re.IGNORECASE)
        and not re.search(r"\b(?:partly|simply|just|mainly|primarily|largely|probably|perhaps|is|are|was)$", main)
    )


def _is_answer(reason: str) -> bool:
    return 3 <= word_count(reason) <= _MOST_ANSWER_WORDS and not _VAGUE_REASON.match(reason)


def _first_clause(reason: str) -> str:
    cut = re.search(r", (?:so|whereas|but|although|even though|and therefore|which means)\b|;", reason)
    return reason[: cut.start()].strip() if cut else reason.strip()


def _why(reason: Reason, reading: Reading) -> Draft:
    main = reading.lower(reason.main) if reason.sentence.text.startswith(reason.main) else reason.main
    clause = split_clause(main)
    if clause and clause.verb not in {"may", "might", "had"} and "," not in reason.main:
        text = f"{ask(clause, opening='Why')}?"
    else:
        text = f"{reason.main[0].upper()}{reason.main[1:]}. Why?"
    return Draft(
        kind="short_answer",
        difficulty="hard",
        text=text,
        answer=reason.reason,
        concept=reason.concept,
        source=reason.sentence.source,
        basis="reason",
    )


def _consequences(sentence: ReadSentence, reading: Reading) -> Iterator[Draft]:
    first = _WHEN_FIRST.match(sentence.body)
    if first:
        yield from _advice(sentence, reading, first)
        yield from _what_happens(sentence, first)
        return
    last = _WHEN_LAST.match(sentence.body)
    if last and "because" not in sentence.body:
        yield from _when(sentence, reading, last)


def _what_happens(sentence: ReadSentence, match: re.Match[str]) -> Iterator[Draft]:
    condition, main = match["condition"], match["main"]
    about = topic_of(condition, sentence)
    clause = split_clause(main)
    happens = clause and clause.verb not in {"is", "are", "was", "were", "has", "have", "can", "could", "may", "might", "should", "must", "cannot"}
    passive = clause and clause.verb in {"is", "are"} and re.match(r"(?:not )?\w+ed\b", clause.rest)
    if about and (happens or passive) and pronouns_resolve(condition) and _is_answer(main):
        yield Draft(
            kind="short_answer",
            difficulty="hard",
            text=f"What happens {match['word'].lower()} {condition}?",
            answer=_first_clause(main),
            concept=about.concept.name,
            source=sentence.source,
            basis="consequence",
        )


def _advice(sentence: ReadSentence, reading: Reading, match: re.Match[str]) -> Iterator[Draft]:
    advice = _ADVICE.match(match["main"])
    concept = reading.book.find(advice["name"]) if advice else None
    if concept is None or not pronouns_resolve(match["condition"]):
        return
    others = [other.name for other in confusable(concept, book=reading.book, beside=sentence.text)]
    if len(others) >= 3:
        yield Draft(
            kind="multiple_choice",
            difficulty="medium",
            text=f"Which of these would you use {match['word'].lower()} {match['condition']}?",
            answer=concept.name,
            concept=concept.name,
            source=sentence.source,
            basis="advice",
            options=(concept.name, *others[:3]),
        )


def _when(sentence: ReadSentence, reading: Reading, match: re.Match[str]) -> Iterator[Draft]:
    clause = split_clause(reading.lower(match["main"]))
    about = topic_of(match["main"], sentence)
    subject_named = any(mention.start < len(clause.subject) for mention in sentence.mentions) if clause else False
    if clause and about and subject_named and _can_be_asked(match["main"]) and _is_answer(match["condition"]):
        opening = "Until when" if match["condition"].startswith("until") else "When"
        yield Draft(
            kind="short_answer",
            difficulty="medium",
            text=f"{ask(clause, opening=opening)}?",
            answer=match["condition"],
            concept=about.concept.name,
            source=sentence.source,
            basis="condition",
        )


def _ways(sentence: ReadSentence, reading: Reading) -> Iterator[Draft]:
    match = _BY.match(sentence.body)
    clause = split_clause(reading.lower(match["main"])) if match else None
    about = topic_of(match["main"], sentence) if match else None
    if match and clause and about and _can_be_asked(match["main"]) and word_count(match["means"]) <= 24:
        yield Draft(
            kind="short_answer",
            difficulty="medium",
            text=f"{ask(clause, opening='How')}?",
            answer=match["means"],
            concept=about.concept.name,
            source=sentence.source,
            basis="way",
        )
