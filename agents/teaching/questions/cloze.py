"""The sentence that sets a term in bold and says what it is, with the term left out: no other gap is worth filling."""

import re
from collections.abc import Iterator

from agents.language.words import STOP, content_set
from agents.teaching.questions import memory
from agents.teaching.questions.base import DraftQuestion, Kind, PassageReading
from agents.teaching.questions.grammar import FUNCTION_WORDS, is_plural_noun
from agents.teaching.values import Concept

_FEWEST_STEMS = 5  # that say which term is meant
_OTHERS = 3
_MOST_TERM_WORDS = 4
_BOLD = re.compile(r"(?:\*\*|__)([^*_\n]{3,40}?)[:.,]?(?:\*\*|__)")
# A term may be set in bold only to be stressed: what it is stands right before or after it.
_SAID_BEFORE = re.compile(
    r"\b(?:called|known as|named|termed|referred to as|heißt|heißen|genannt)(?: the| an?| eine?)?\s+$",
    re.IGNORECASE,
)
_SAID_AFTER = re.compile(
    r"(?:\s*\([^)]*\))?(?:,? (?:is|are|refers? to|means?|describes?|involves?|occurs when|ist|sind|bezeichnet|bedeutet)\b"
    r"|,? (?:or|which|where|in which|whereby)\b|, (?:an?|the|one|eine?|der|die|das)\b|\s?[—–:])",
    re.IGNORECASE,
)
_GERMAN = (
    "ist|sind|wird|werden|der|die|das|dem|den|des|und|oder|von|mit|für|im|zu|auf|als|bei|ein|eine|sowie|kann|können|"
    "nach|vor|über|unter|zwischen|durch|gegen|ohne|um|seit|aus|an|in|hinter|neben|während|wegen|bis|nicht|nur|immer|auch|"
    "aber|wenn|weil|dass|sondern|denn|er|sie|es|wir|ich|kein|keine|hier|dort|dann"
)
_SMALL_WORDS = STOP | FUNCTION_WORDS | frozenset(_GERMAN.split("|"))
_ENDS_A_NAME = re.compile(rf"\s*(?:[^\w\s-]|$|(?:{'|'.join(sorted(STOP))}|is|are|was|were|has|{_GERMAN})\b)")
_TERM = re.compile(r"(?!.*\d{4})[A-Za-zÀ-ÿ][\wÀ-ÿ'’ -]*")  # and no date


def write(reading: PassageReading) -> Iterator[DraftQuestion]:
    asked = {definition.source for definition in reading.definitions}  # a definition is asked about as such
    for sentence in reading.thoughts:
        term = next(_introduced_terms(sentence.raw), "")
        gapped = _without(term, sentence.text) if term and sentence.source not in asked else ""
        if not gapped or memory.is_particular(sentence.text, centre=reading.centre):
            continue
        concept = reading.book.find(term)
        name = concept.name if concept else reading.concept_of(sentence.text)
        others = _others(concept, gapped, reading)
        if concept and len(others) >= _OTHERS:
            shown = reading.shown(concept)
            yield _draft(name, gapped, shown, sentence.source, options=(shown, *others[:_OTHERS]))
        else:
            yield _draft(name, gapped, term, sentence.source)


def _draft(
    concept: str, gapped: str, answer: str, source: str, *, options: tuple[str, ...] = ()
) -> DraftQuestion:
    return DraftQuestion(
        kind="multiple_choice" if options else "cloze",
        difficulty="easy",
        text=f"Which term completes this sentence: “{gapped.rstrip('.')}”?",
        answer=answer,
        concept=concept,
        source=source,
        options=options,
        about=answer,
    )


def _introduced_terms(raw: str) -> Iterator[str]:
    for found in _BOLD.finditer(raw):
        is_said = _SAID_BEFORE.search(raw[: found.start()]) or _SAID_AFTER.match(raw[found.end() :])
        if is_said and _can_be_left_out(found[1].strip()):
            yield found[1].strip()


def _can_be_left_out(term: str) -> bool:
    words = term.lower().split()
    is_name = bool(_TERM.fullmatch(term)) and len(words) <= _MOST_TERM_WORDS
    says_something = bool(content_set(term)) and not _SMALL_WORDS.issuperset(words)
    return is_name and len(term) > 3 and says_something and words[0] not in STOP


def _without(term: str, text: str) -> str:
    """The sentence with a gap; empty where the rest names the term again or says too little."""
    found = re.search(rf"(?<![\w`-]){re.escape(term)}(?![\w`-])", text)
    if found is None:
        return ""
    if not _ENDS_A_NAME.match(text[found.end() :]):
        return ""
    before = re.sub(r"\b(A|a)n? $", r"\1(n) ", text[: found.start()])
    rest = text[: found.start()] + " " + text[found.end() :]
    is_told = len(content_set(rest)) >= _FEWEST_STEMS and not content_set(term) & content_set(rest)
    return f"{before}____{text[found.end() :]}" if is_told else ""


def _others(concept: Concept | None, gapped: str, reading: PassageReading) -> list[str]:
    if concept is None or concept.kind in ("heading", "section"):
        return []
    plural = _is_plural(concept.name)
    found = reading.confusable(concept, beside=gapped)
    return [reading.shown(other) for other in found if _is_plural(other.name) == plural]


def _is_plural(name: str) -> bool:
    return is_plural_noun(name.rsplit(maxsplit=1)[-1])


KIND = Kind(name="cloze", write=write, how_to_answer="The term that belongs in the gap.")
