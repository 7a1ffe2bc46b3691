"""What a thing is and what it is for, from memory."""

import re
from collections.abc import Iterator, Sequence

from agents.language.words import content_set
from agents.teaching.blocks import Block, whole_sentences
from agents.teaching.questions import memory
from agents.teaching.questions.base import DraftQuestion, Reading
from agents.teaching.topics import key_words
from rag.headings import heading_name, is_frame
from rag.terms import term_key
from storage.course import Concept

_EMPHASISED = re.compile(
    r"(?<![\w*_`])(?:\*\*|__|\*|_|`)([A-Za-z][^*_`\n]{2,30}?)(?:\*\*|__|\*|_|`)(?![\w*_`])"
)
_QUESTION = re.compile(r"^(?:what|why|how|when|where|who|which|was|warum|wie|wann|wo|wer)\b", re.IGNORECASE)
_TITLE = re.compile(r"^\w+ing\b|\b(?:and|or|with|vs\.?|und|oder|mit)\b|[:,!&]", re.IGNORECASE)
_MOST_WORDS = 90  # to compare with
_FEWEST_TO_SAY = 6  # words with a meaning that say what a thing is
_MOST_TERM_WORDS = 4


def write(reading: Reading) -> Iterator[DraftQuestion]:
    """First what the passage is about, then the terms that it stresses."""
    told = memory.told(reading)
    used: set[str] = set()
    for concept in reading.about:
        if is_frame(term_key(concept.name)):
            continue
        found = _about(concept, told, reading)
        used |= {block.text for block in found[:1]}
        if len(content_set(" ".join(block.text for block in found))) >= _FEWEST_TO_SAY:
            yield memory.draft(_asked(concept), found, concept.name)
    for block in told:
        term = next((term for term in _stressed(block) if _fits(term, reading) and _begins(term, block)), "")
        if term and block.text not in used and memory.has_a_point(block):
            used.add(block.text)
            asked = f"Close the text: what is “{term}”, and what is it for? Then compare."
            yield memory.draft(asked, [block], reading.concept_of(block.text))


def _asked(concept: Concept) -> str:
    name = heading_name(concept.name)
    if _QUESTION.match(name):
        return f"Close the text and answer: {name}? Then compare."
    if concept.kind in ("section", "heading") and (
        _TITLE.search(name) or len(name.split()) > _MOST_TERM_WORDS
    ):
        return f"Close the text and explain “{name}” to somebody who has not read it. Then compare."
    return f"Close the text: what is “{name}”, and what is it for? Then compare."


def _about(concept: Concept, told: Sequence[Block], reading: Reading) -> list[Block]:
    """The paragraph that says most of the concept; what a heading names is told from its first paragraph on."""
    if concept.kind in ("term", "glossary") or concept.chunk_id != reading.passage.chunk_id:
        words = set(key_words(concept.name))
        naming = [block for block in told if words and words <= set(key_words(block.text))]
        return sorted(naming, key=lambda block: -_says_of(concept, block))[:1]
    found: list[Block] = []
    for block in told:
        if sum(len(each.text.split()) for each in (*found, block)) > _MOST_WORDS and found:
            break
        found.append(block)
    return found


def _begins(term: str, block: Block) -> bool:
    """Whether a sentence of the paragraph is about the term."""
    name = re.compile(rf"(?:An? |The )?[*_`“\"]*{re.escape(term)}[*_`”\"]*[ ,:]", re.IGNORECASE)
    return any(name.match(sentence.lstrip("-*+ ")) for sentence in whole_sentences(block.text))


def _says_of(concept: Concept, block: Block) -> int:
    """How many of its sentences begin with the concept; one that sets it in bold introduces it."""
    name = re.compile(rf"(?:An? |The )?[*_`“\"]*{re.escape(concept.name)}", re.IGNORECASE)
    begun = sum(bool(name.match(sentence)) for sentence in whole_sentences(block.text))
    return begun + 2 * (f"**{concept.name.lower()}" in block.text.lower())


def _stressed(block: Block) -> list[str]:
    return [match.strip() for match in _EMPHASISED.findall(block.text) if content_set(match)]


def _fits(term: str, reading: Reading) -> bool:
    taken = {concept.name.lower() for concept in reading.about}
    return (
        len(term.split()) <= _MOST_TERM_WORDS
        and term.lower() not in taken
        and not term.endswith((".", "!", "?"))
    )


KIND = memory.kind("recall", write)
