"""Items from contrasts: how two things differ, and statements with the two of them swapped."""

import re
from collections.abc import Iterator

from agents.quiz.item_draft import Draft, Reading, ReadSentence
from agents.quiz.item_grammar import Clause, split_clause
from agents.quiz.item_reasons import pronouns_resolve, topic_of
from agents.quiz.item_words import content_set, word_count

_UNLIKE = re.compile(r"^Unlike (?P<other>[^,]{2,60}), (?P<claim>.+)$")
_WHEREAS = re.compile(r"^(?P<one>[^,;]+), (?:whereas|while) (?P<two>[^;]+)$")
_WHEREAS_FIRST = re.compile(r"^(?:Whereas|While) (?P<one>[^,;]+), (?P<two>[^;]+)$")
_MOST_SUBJECT_WORDS = 6


def contrast_items(reading: Reading) -> Iterator[Draft]:
    """Compare-questions and swapped statements."""
    for sentence in reading.sentences:
        yield from _unlike(sentence, reading)
        yield from _whereas(sentence, reading)


def _unlike(sentence: ReadSentence, reading: Reading) -> Iterator[Draft]:
    match = _UNLIKE.match(sentence.body)
    clause = split_clause(match["claim"]) if match else None
    about = (topic_of(clause.subject, reading) or topic_of(sentence.text, reading)) if clause else None
    if match and clause and about and _is_subject(clause.subject) and _is_subject(match["other"]):
        be = "are" if clause.is_plural else "is"
        yield Draft(
            kind="short_answer",
            difficulty="medium",
            text=f"How {be} {clause.subject} different from {match['other']}?",
            answer=_first_claim(match["claim"]),
            concept=about.name,
            source=sentence.source,
            basis="contrast",
        )


def _whereas(sentence: ReadSentence, reading: Reading) -> Iterator[Draft]:
    match = _WHEREAS.match(sentence.body) or _WHEREAS_FIRST.match(sentence.body)
    if match is None:
        return
    one, two = split_clause(match["one"]), split_clause(_first_claim(match["two"]))
    if one is None or two is None or not _are_comparable(one, two, sentence):
        return
    subjects = reading.lower(one.subject), two.subject
    about = topic_of(" and ".join(subjects), reading)
    if about is None:
        return
    yield Draft(
        kind="short_answer",
        difficulty="medium",
        text=f"What is the difference between {subjects[0]} and {subjects[1]}?",
        answer=_first_claim(sentence.body),
        concept=about.name,
        source=sentence.source,
        basis="contrast",
    )
    if one.is_plural == two.is_plural and pronouns_resolve(match["one"]):
        yield from _swapped(sentence, one, two, concept=about.name, reading=reading)


def _swapped(
    sentence: ReadSentence, one: Clause, two: Clause, *, concept: str, reading: Reading
) -> Iterator[Draft]:
    claims = [" ".join(filter(None, (part.adverb, part.verb, part.rest))) for part in (one, two)]
    subjects = [reading.lower(one.subject), two.subject]
    for answer, (first, second) in (("True", subjects), ("False", reversed(subjects))):
        statement = f"{first} {claims[0]}, whereas {second} {claims[1]}"
        yield Draft(
            kind="true_false",
            difficulty="medium",
            text=f"True or false: {statement[0].upper()}{statement[1:]}.",
            answer=answer,
            concept=concept,
            source=sentence.source,
            basis="contrast",
            options=("True", "False"),
        )


def _are_comparable(one: Clause, two: Clause, sentence: ReadSentence) -> bool:
    """Two different subjects, both named in full, at least one of them a term of the course."""
    left, right = content_set(one.subject), content_set(two.subject)
    named = [content_set(mention.concept.name) for mention in sentence.mentions]
    return (
        _is_subject(one.subject)
        and _is_subject(two.subject)
        and left != right
        and not right & content_set(one.rest)
        and bool(left)
        and bool(right)
        and any(name <= left or name <= right for name in named)
    )


def _is_subject(subject: str) -> bool:
    return word_count(subject) <= _MOST_SUBJECT_WORDS and not re.search(
        r"\b(?:it|they|this|that|these|those|there|others?|two|three|four|five|six|some|many|most|few|one|both|neither|none|each|all|he|she|its|their)\b",
        subject,
        re.IGNORECASE,
    )


def _first_claim(claim: str) -> str:
    cut = re.search(r", (?:so|because|although)\b", claim)
    return claim[: cut.start()] if cut else claim
