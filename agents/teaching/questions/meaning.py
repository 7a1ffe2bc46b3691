"""What a term means, to choose or in own words."""

import re
from collections.abc import Iterator, Sequence

from agents.language.words import content_set, without_article, word_count
from agents.teaching.questions.base import DraftQuestion, Kind, PassageReading
from agents.teaching.questions.definitions import (
    WITH_ARTICLE,
    Definition,
    is_meaning,
    main_part,
    without_spelled_out,
)
from agents.teaching.questions.terms import is_proper, name_stems

_MOST_OPTION_WORDS = 26


def write(reading: PassageReading) -> Iterator[DraftQuestion]:
    for definition in reading.definitions:
        asked = _what_is(definition)
        others = _other_meanings(definition, reading)
        if len(others) >= 3:
            options = _same_style([definition.meaning, *others[:3]])
            yield _draft(definition, f"{asked[0].upper()}{asked[1:]}?", options[0], options=tuple(options))
        yield _draft(definition, f"In your own words, {asked}?", definition.meaning)


def _draft(definition: Definition, text: str, answer: str, *, options: tuple[str, ...] = ()) -> DraftQuestion:
    return DraftQuestion(
        kind="multiple_choice" if options else "short_answer",
        difficulty="easy" if options else "medium",
        text=text,
        answer=answer,
        concept=definition.concept.name,
        about=definition.concept.name,
        source=definition.source,
        options=options,
    )


def _what_is(definition: Definition) -> str:
    if definition.article or (is_proper(definition.concept.name) and definition.has_article):
        return f"what {'are' if definition.verb.startswith('are') else 'is'} {definition.written}"
    if definition.sentence and definition.verb in {"is", "are"}:
        return f"what {definition.verb} {definition.written}"
    return f"what does the term “{definition.written}” mean"


def _other_meanings(definition: Definition, reading: PassageReading) -> list[str]:
    """Meanings of confusable terms, about as long as the right one."""
    length = word_count(definition.meaning)
    found = []
    for other in reading.confusable(definition.concept, beside=definition.meaning, names_only=False, most=16):
        meaning = main_part(without_spelled_out(other.definition.rstrip("."), other.name))
        fits = 0.55 * length <= word_count(meaning) <= min(1.7 * length + 1, _MOST_OPTION_WORDS)
        if fits and other.kind == definition.concept.kind == "glossary" and is_meaning(meaning, other):
            meaning = reading.lower(meaning)
            if not name_stems(definition.concept) <= content_set(meaning):
                found.append(meaning)
    return _not_all_alike(found, key=definition.meaning)


def _not_all_alike(meanings: Sequence[str], *, key: str) -> list[str]:
    """Three wrong meanings that begin alike would single the right one out."""
    begins = [without_article(meaning).split()[:2] for meaning in meanings]
    own = without_article(key).split()[:2]
    return [
        meaning
        for place, meaning in enumerate(meanings)
        if begins[place] == own or begins[place] not in begins[:place]
    ]


def _same_style(meanings: Sequence[str]) -> list[str]:
    """Articles in all of them or in none: otherwise the right one stands out."""
    if all(WITH_ARTICLE.match(meaning) for meaning in meanings):
        return list(meanings)
    return [re.sub(r"^(?:an?|the)\s+", "", meaning, flags=re.IGNORECASE) for meaning in meanings]


KIND = Kind(name="meaning", write=write)
