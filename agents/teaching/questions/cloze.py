"""A sentence about a term, with the term left out: to be filled in where it defines the term, else to be chosen."""

import re
from collections.abc import Iterator

from agents.teaching.questions.base import Draft, Kind, Reading
from agents.teaching.questions.grammar import is_plural_noun
from agents.teaching.questions.meanings import Definition, definitions
from agents.teaching.words import content_set, share_of

_FEWEST_STEMS = 5  # that say which term is meant
_OTHERS = 3
_ARTICLES = {"a": "A(n) ", "an": "A(n) ", "the": "The "}


def write(reading: Reading) -> Iterator[Draft]:
    yield from _about_a_term(reading)
    for definition in definitions(reading):
        gapped = _gapped(definition)
        if gapped:
            start = len(definition.article) + 1 if definition.article else 0
            yield Draft(
                kind="cloze",
                difficulty="easy",
                text=f"Complete the sentence: {gapped}",
                answer=definition.written[start:],
                concept=definition.concept.name,
                source=definition.source,
            )


def _about_a_term(reading: Reading) -> Iterator[Draft]:
    """What else is said of a term, where the sentence begins with it."""
    for sentence in reading.sentences:
        article = re.match(r"(?:An?|The) ", sentence.text)
        start = article.end() if article else 0
        mention = next((each for each in sentence.mentions if each.start == start), None)
        if mention is None or mention.concept.kind in ("heading", "section"):
            continue
        rest = sentence.text[mention.end :]
        written = sentence.text[start : mention.end]
        others = [
            reading.shown(each)
            for each in reading.confusable(mention.concept, beside=rest)
            if _is_plural(each.name) == _is_plural(mention.concept.name)
        ]
        if (
            not re.match(r"\s+[a-z]", rest)
            or len(content_set(rest)) < _FEWEST_STEMS
            or share_of(mention.concept.name, whole=rest) > 0
            or len(others) < _OTHERS
            or _is_plural(written) != _is_plural(mention.concept.name)
        ):
            continue
        name = reading.shown(mention.concept)
        yield Draft(
            kind="multiple_choice",
            difficulty="medium",
            text=f"Which term completes this sentence: “{_ARTICLES.get(sentence.text[:start].strip().lower(), '')}____{rest.rstrip('.')}”?",
            answer=name,
            concept=mention.concept.name,
            source=sentence.source,
            options=(name, *others[:_OTHERS]),
        )


def _is_plural(name: str) -> bool:
    return is_plural_noun(name.rsplit(maxsplit=1)[-1])


def _gapped(definition: Definition) -> str:
    names_itself = share_of(definition.concept.name, whole=definition.meaning) > 0
    if not definition.sentence or definition.is_loose or names_itself:
        return ""
    article = _ARTICLES.get(definition.article.lower(), "")
    gapped = f"{article}____{definition.sentence[len(definition.written) :]}"
    return "" if re.match(r"(?:\w\S* )?____ \([^)]*\)", gapped) else gapped


KIND = Kind(name="cloze", write=write, how_to_answer="What belongs in the gap?")
