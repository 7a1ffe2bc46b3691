"""Items from definitions: the term for a meaning, the meaning of a term, and swapped terms."""

import re
from collections.abc import Iterator, Sequence

from agents.quiz.distractors import are_alike
from agents.quiz.item_draft import Draft, Reading
from agents.quiz.item_meanings import (
    WITH_ARTICLE,
    Definition,
    definitions,
    is_meaning,
    main_part,
    without_spelled_out,
)
from agents.quiz.item_terms import is_proper, is_quality, name_stems
from agents.quiz.item_words import content_set, share_of, without_article, word_count
from agents.state import QuestionKind

_MOST_OPTION_WORDS = 26


def definition_items(reading: Reading) -> Iterator[Draft]:
    """All items that a passage's definitions allow."""
    for definition in definitions(reading):
        yield from _term_for_meaning(definition, reading)
        yield from _meaning_of_term(definition, reading)
        yield from _blanked(definition)
        yield from _true_or_false(definition, reading)


def _term_for_meaning(definition: Definition, reading: Reading) -> Iterator[Draft]:
    if definition.names_itself or definition.is_loose:
        return
    concept, question = definition.concept, _asked_for_term(definition)
    name = reading.shown(concept)
    others = [reading.shown(other) for other in reading.confusable(concept, beside=definition.meaning)]
    proper_instance = is_proper(concept.name) and not definition.meaning.lower().startswith("the ")
    if not proper_instance:
        yield _draft(definition, "short_answer", question, name)
    if len(others) >= 3:
        text = (
            f"Which of these is {definition.meaning}?"
            if proper_instance and definition.has_article
            else question
        )
        yield _draft(definition, "multiple_choice", text, name, options=(name, *others[:3]))


def _asked_for_term(definition: Definition) -> str:
    if is_quality(definition.concept) or not definition.has_article:
        return f"Which term matches this definition: “{definition.meaning}”?"
    return f"What do we call {definition.meaning}?"


def _meaning_of_term(definition: Definition, reading: Reading) -> Iterator[Draft]:
    yield _draft(
        definition, "short_answer", f"In your own words, {_what_is(definition)}?", definition.meaning
    )
    others = _other_meanings(definition, reading)
    if len(others) >= 3:
        text = _what_is(definition)
        options = _same_style([definition.meaning, *others[:3]])
        yield _draft(
            definition, "multiple_choice", f"{text[0].upper()}{text[1:]}?", options[0], options=tuple(options)
        )


def _what_is(definition: Definition) -> str:
    if definition.article or (is_proper(definition.concept.name) and definition.has_article):
        return f"what {'are' if definition.verb.startswith('are') else 'is'} {definition.written}"
    if definition.sentence and definition.verb in {"is", "are"}:
        return f"what {definition.verb} {definition.written}"
    return f"what does the term “{definition.written}” mean"


def _other_meanings(definition: Definition, reading: Reading) -> list[str]:
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


def _blanked(definition: Definition) -> Iterator[Draft]:
    if (
        not definition.sentence
        or definition.is_loose
        or share_of(definition.concept.name, whole=definition.meaning) > 0
    ):
        return
    start = len(definition.article) + 1 if definition.article else 0
    end = len(definition.written)
    article = {"a": "A(n) ", "an": "A(n) ", "the": "The "}.get(definition.article.lower(), "")
    blanked = f"{article}____{definition.sentence[end:]}"
    aside = re.match(r"____ \([^)]*\)", blanked)
    if aside is None:
        answer = definition.written[start:]
        yield _draft(definition, "cloze", f"Complete the sentence: {blanked}", answer)


def _true_or_false(definition: Definition, reading: Reading) -> Iterator[Draft]:
    if definition.names_itself:
        return
    rivals = reading.confusable(definition.concept, beside=definition.meaning)
    others = [
        other
        for other in rivals
        if are_alike(definition.concept, other)
        and is_proper(other.name) == is_proper(definition.concept.name)
    ]
    if others:
        yield _statement(definition, reading.shown(definition.concept), "True")
        yield _statement(definition, reading.shown(others[0]), "False")


def _statement(definition: Definition, name: str, answer: str) -> Draft:
    both_names = is_proper(name) and is_proper(definition.concept.name)
    if both_names and definition.sentence and not definition.article and definition.verb == "is":
        text = f"True or false: {name} is {definition.meaning}."
    elif definition.has_article and not is_quality(definition.concept):
        text = f"True or false: “{name}” is the term for {definition.meaning}."
    else:
        text = f"True or false: the term “{name}” means “{definition.meaning}”."
    return _draft(definition, "true_false", text, answer, options=("True", "False"))


def _draft(
    definition: Definition, kind: QuestionKind, text: str, answer: str, *, options: tuple[str, ...] = ()
) -> Draft:
    return Draft(
        kind=kind,
        difficulty="easy",
        text=text,
        answer=answer,
        concept=definition.concept.name,
        source=definition.source,
        basis="definition",
        options=options,
    )
