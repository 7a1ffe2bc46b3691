"""Items for prose that defines little: say what the course says of a thing, tell it from its neighbours, fill a gap.

They are asked only where nothing sharper can be: tutorials and lecture notes often talk around their terms.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents.quiz.item_draft import Draft, Reading
from agents.quiz.item_grammar import is_plural_noun
from agents.quiz.item_terms import Mention, is_term
from agents.quiz.item_text import Sentence, is_example, leans, leans_at_start, plain_sentences
from agents.quiz.item_words import content_set, content_stems, likeness, word_count
from agents.state import QuizQuestion
from storage.course import Concept

PLAIN = frozenset({"explain", "statement of", "any gap"})
OPENING = "In your own words, what does the course say about"

_SAYS_WHAT = re.compile(
    r"\b(?:is|are|means?|refers? to|called|known as|consists? of|allows?|used|helps?|shows?)\b"
)
_CALLS_IT = re.compile(r"(?:called|known as|termed|named|is|are|so-called) (?:an? |the )?$")
_FEWEST_STEMS = 5
_MOST_OPTION_WORDS = 32
_OTHERS = 3
_ALIKE = 0.4
_LONG_NAME = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A sentence of a passage, and the concepts that it names."""

    sentence: Sentence
    mentions: Sequence[Mention]


def plain_items(reading: Reading, others: Sequence[Reading]) -> Iterator[Draft]:
    """Everything that can be asked of a passage whose sentences only state something."""
    if is_example(reading.passage):
        return
    said = _said(reading)
    yield from _explanations(reading, said)
    yield from _gaps(reading, said)
    if reading.section:
        yield from _statements(reading, reading.section, said, others)


def may_be_answered_otherwise(item: QuizQuestion) -> bool:
    """The course says more than one thing about most things, and each of them answers the open question."""
    return item.question_text.startswith(OPENING)


def _said(reading: Reading) -> list[Said]:
    chapter = reading.passage.chapter_id
    return [
        Said(sentence=sentence, mentions=reading.book.mentions(sentence.text, chapter_id=chapter))
        for sentence in plain_sentences(reading.passage.chunk_text)
    ]


def _explanations(reading: Reading, said: Sequence[Said]) -> Iterator[Draft]:
    """One open question for each thing that the passage speaks of; a section is told by how it begins."""
    named: dict[str, tuple[Concept, list[Said]]] = {}
    for each in said:
        for mention in each.mentions:
            if is_term(mention.concept) and _is_about(each.sentence.text, mention):
                named.setdefault(mention.concept.name, (mention.concept, []))[1].append(each)
    opening = next((each for each in said if not leans(each.sentence.text)), None)
    if reading.section and opening:
        named.setdefault(reading.section.name, (reading.section, [opening]))
    for concept, sentences in named.values():
        best = max(sentences, key=lambda each: bool(_SAYS_WHAT.search(each.sentence.text)))
        yield Draft(
            kind="short_answer",
            difficulty="medium",
            text=f"{OPENING} {_named(concept, reading)}?",
            answer=best.sentence.text.rstrip("."),
            concept=concept.name,
            source=best.sentence.source,
            basis="explain",
        )


def _is_about(text: str, mention: Mention) -> bool:
    """The term comes early, or is what something was just called; in passing, it is one of many."""
    return mention.start <= len(text) / 3 or bool(_CALLS_IT.search(text[: mention.start]))


def _named(concept: Concept, reading: Reading) -> str:
    return f"“{concept.name}”" if concept.kind == "heading" else reading.shown(concept)


def _statements(
    reading: Reading, concept: Concept, said: Sequence[Said], others: Sequence[Reading]
) -> Iterator[Draft]:
    """A statement of the section among statements of other sections; its name gives none of them away."""
    name = content_set(concept.name)
    rivals = [
        sentence.text
        for other in others
        if other.section and other.section.name != concept.name and not is_example(other.passage)
        for sentence in plain_sentences(other.passage.chunk_text)[:2]
        if _is_option(sentence.text, name)
    ]
    for each in said:
        text = each.sentence.text
        if not _is_option(text, name):
            continue
        fitting = _apart([text, *sorted(rivals, key=lambda rival: abs(len(rival) - len(text)))])[1:]
        if len(fitting) < _OTHERS:
            return
        yield Draft(
            kind="multiple_choice",
            difficulty="medium",
            text=f"Which of these does the course say about “{concept.name}”?",
            answer=text,
            concept=concept.name,
            source=each.sentence.source,
            basis="statement of",
            options=(text, *fitting[:_OTHERS]),
        )


def _is_option(text: str, name: frozenset[str]) -> bool:
    stems = content_stems(text)
    return (
        len(stems) >= _FEWEST_STEMS
        and word_count(text) <= _MOST_OPTION_WORDS
        and not name & set(stems)
        and not leans_at_start(text)
    )


def _apart(texts: Sequence[str]) -> list[str]:
    """Leave out what says much the same as one already taken."""
    kept: list[str] = []
    for text in texts:
        if not any(likeness(text, other) >= _ALIKE for other in kept):
            kept.append(text)
    return kept


def _gaps(reading: Reading, said: Sequence[Said]) -> Iterator[Draft]:
    """A term of the sentence is missing; four of the chapter's terms to choose from."""
    for each in said:
        mention = next((mention for mention in each.mentions if _can_be_missing(mention, each)), None)
        if mention is None:
            continue
        text, concept = each.sentence.text, mention.concept
        before = re.sub(r"\b(A|a)n? $", r"\1(n) ", text[: mention.start])
        gapped = f"{before}____{text[mention.end :]}".rstrip(".")
        plural = is_plural_noun(concept.name.split()[-1])
        rivals = [
            other
            for other in reading.confusable(concept, beside=text)
            if is_plural_noun(other.name.split()[-1]) == plural
        ]
        if len(rivals) >= _OTHERS:
            options = (reading.shown(concept), *(reading.shown(other) for other in rivals[:_OTHERS]))
            yield Draft(
                kind="multiple_choice",
                difficulty="medium",
                text=f"Which term completes this sentence: “{gapped}”?",
                answer=options[0],
                concept=concept.name,
                source=each.sentence.source,
                basis="any gap",
                options=options,
            )


def _can_be_missing(mention: Mention, said: Said) -> bool:
    name, text = mention.concept.name, said.sentence.text
    written = text[mention.start : mention.end]
    rest = text[: mention.start] + " " + text[mention.end :]
    is_special = " " in name or len(name) >= _LONG_NAME
    named_again = content_set(name) & content_set(rest)
    return (
        is_term(mention.concept)
        and mention.concept.kind != "heading"
        and is_special
        and written.lower() == name.lower()
        and not named_again
        and len(content_stems(rest)) >= _FEWEST_STEMS
    )
