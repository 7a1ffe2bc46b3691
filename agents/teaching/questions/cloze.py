"""A sentence that says what a term means, with the term left out."""

import re
from collections.abc import Iterator

from agents.language.words import STOP, content_set, share_of
from agents.teaching.questions.base import DraftQuestion, Kind, PassageReading
from agents.teaching.questions.definitions import Definition
from agents.teaching.questions.grammar import FUNCTION_WORDS, is_plural_noun
from agents.teaching.values import Concept

_FEWEST_STEMS = 5  # that say which term is meant
_OTHERS = 3
_MOST_TERM_WORDS = 4
_ARTICLES = {"a": "A(n) ", "an": "A(n) ", "the": "The "}
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
    defining: set[str] = set()
    for definition in reading.definitions:
        defining.add(definition.source)
        gapped = _gapped(definition)
        if gapped:
            start = len(definition.article) + 1 if definition.article else 0
            yield _draft(definition.concept.name, gapped, definition.written[start:], definition.source)
    yield from (draft for draft in _introduced(reading) if draft.source not in defining)


def _draft(
    concept: str, gapped: str, answer: str, source: str, *, options: tuple[str, ...] = ()
) -> DraftQuestion:
    return DraftQuestion(
        kind="multiple_choice" if options else "cloze",
        difficulty="easy",
        text=f"Which term completes this sentence: “{gapped.rstrip('.')}”?"
        if options
        else f"Complete the sentence: {gapped}",
        answer=answer,
        concept=concept,
        source=source,
        options=options,
        about=answer,
    )


def _gapped(definition: Definition) -> str:
    names_itself = share_of(definition.concept.name, whole=definition.meaning) > 0
    if not definition.sentence or definition.is_loose or names_itself:
        return ""
    article = _ARTICLES.get(definition.article.lower(), "")
    gapped = f"{article}____{definition.sentence[len(definition.written) :]}"
    return "" if re.match(r"(?:\w\S* )?____ \([^)]*\)", gapped) else gapped


def _introduced(reading: PassageReading) -> Iterator[DraftQuestion]:
    """The sentence that sets a term in bold and says what it is."""
    for sentence in reading.thoughts:
        term = next(_introduced_terms(sentence.raw), "")
        gapped = _without(term, sentence.text) if term else ""
        if not gapped:
            continue
        concept = reading.book.find(term)
        name = concept.name if concept else reading.concept_of(sentence.text)
        others = _others(concept, gapped, reading)
        if concept and len(others) >= _OTHERS:
            shown = reading.shown(concept)
            yield _draft(name, gapped, shown, sentence.source, options=(shown, *others[:_OTHERS]))
        else:
            yield _draft(name, gapped, term, sentence.source)


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


KIND = Kind(name="cloze", write=write, how_to_answer="What belongs in the gap?")
