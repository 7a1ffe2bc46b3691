"""Items for prose that defines little: say what the course says of a thing, or which of its terms is missing.

They are asked only where nothing sharper can be: tutorials and lecture notes often talk around their terms.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from agents.quiz.item_draft import Draft, Reading
from agents.quiz.item_grammar import is_plural_noun
from agents.quiz.item_terms import Mention, is_term
from agents.quiz.item_text import Sentence, is_example, leans, plain_sentences
from agents.quiz.item_words import content_set, content_stems
from agents.state import QuizQuestion
from storage.course import Concept

PLAIN = frozenset({"explain", "any gap"})
OPENING = "In your own words, what does the course say about"

_SAYS_WHAT = re.compile(
    r"\b(?:is|are|means?|refers? to|called|known as|consists? of|allows?|used|helps?|shows?)\b"
)
_CALLS_IT = re.compile(r"(?:called|known as|termed|named|is|are|so-called) (?:an? |the )?$")
_PERSONAL = re.compile(r"\b(?:we|us|our|you|your)\b", re.IGNORECASE)
_FEWEST_STEMS = 6
_OTHERS = 3
_LONG_NAME = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A sentence of a passage, and the concepts that it names."""

    sentence: Sentence
    mentions: Sequence[Mention]


def plain_items(reading: Reading, *, taken: Collection[str]) -> Iterator[Draft]:
    """What can be asked of sentences that only state something; those that give sharper items are taken."""
    if is_example(reading.passage):
        return
    said = [each for each in _said(reading) if each.sentence.source not in taken]
    yield from _explanations(reading, said)
    yield from _gaps(reading, said)


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
    if reading.section:
        name = content_set(reading.section.name)
        own = [
            each for each in said if name & content_set(each.sentence.text) and not leans(each.sentence.text)
        ]
        if own:
            named.setdefault(reading.section.name, (reading.section, own[:1]))
    for concept, sentences in named.values():
        best = max(sentences, key=lambda each: bool(_SAYS_WHAT.search(each.sentence.text)))
        yield Draft(
            kind="short_answer",
            difficulty="medium",
            text=f"{OPENING} {_named(concept, best, reading)}?",
            answer=best.sentence.text.rstrip("."),
            concept=concept.name,
            source=best.sentence.source,
            basis="explain",
        )


def _is_about(text: str, mention: Mention) -> bool:
    """The term comes early, or is what something was just called; in a list it is one of many."""
    before, after = text[: mention.start], text[mention.end :]
    is_listed = before.endswith(", ") or (re.match(r"[\w ]{0,12},", after) and before.count(" ") > 2)
    return not is_listed and (mention.start <= len(text) / 3 or bool(_CALLS_IT.search(before)))


def _named(concept: Concept, said: Said, reading: Reading) -> str:
    """As the sentence names it, with its article; a heading is a title."""
    if concept.kind == "heading":
        return f"“{concept.name}”"
    text = said.sentence.text
    mention = next(each for each in said.mentions if each.concept.name == concept.name)
    article = re.search(r"\b(?:an?|the) $", text[: mention.start], re.IGNORECASE)
    start = article.start() if article else mention.start
    named = text[start : mention.end]
    return reading.lower(named) if start == 0 else named


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
        and not _PERSONAL.search(text)
        and not leans(text)
        and len(content_stems(rest)) >= _FEWEST_STEMS
    )
