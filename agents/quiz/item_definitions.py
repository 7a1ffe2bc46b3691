"""Items from definitions: the term for a meaning, the meaning of a term, and swapped terms."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents.quiz.item_draft import Draft, Reading, ReadSentence
from agents.quiz.item_grammar import is_third_person, without_asides
from agents.quiz.item_terms import are_alike, is_proper, is_quality, name_stems
from agents.quiz.item_text import is_balanced, without_marks
from agents.quiz.item_words import content_set, likeness, share_of, without_article, word_count
from storage.course import Concept

_ARTICLE = re.compile(r"^(?:(A|An|The) )?", re.IGNORECASE)
_IS = re.compile(
    r"^\s*(?:\([^()]*\)\s*)?(?:,[^,]{3,60},\s*)?(is|are|refers to|means|is defined as|are defined as)\s+(?=\S)"
)
_ENTRY = re.compile(
    r"^[ \t]*(?:[-*+][ \t]+)?\*\*([^*\n]{2,80}?):?\*\*[ \t]*[:—–][ \t]*(\S[^\n]*)", re.MULTILINE
)
_NOT_A_THING = re.compile(
    r"(?:found|located|used|made|composed|also|often|usually|not|no|in|on|at|by|for|from|to|very|more|most|less|called|known|"
    r"able|capable|responsible|present|common|important|how|when|if|what|that|states|because|about|another|see|same|opposite|synonym|it|they|there|\w+ly|\w{3,}ed)\b",
    re.IGNORECASE,
)
_WITH_ARTICLE = re.compile(r"^(?:an?|the|one|any|each|every)\s", re.IGNORECASE)
_KNOWN_ANYWAY = 0.45
_FEWEST_WORDS, _MOST_WORDS = 4, 32
_MOST_OPTION_WORDS = 26
_WORDS_TO_PIN_DOWN = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A term, and what the passage says that it is."""

    concept: Concept
    written: str  # the term as the sentence writes it, with its article
    article: str
    verb: str
    meaning: str
    sentence: str  # whole, or empty for a glossary's line
    source: str

    @property
    def names_itself(self) -> bool:
        return name_stems(self.concept) <= content_set(self.meaning)

    @property
    def is_loose(self) -> bool:
        """'one of the earliest reptiles' fits more than one term."""
        return self.meaning.lower().startswith("one of") and word_count(self.meaning) < _WORDS_TO_PIN_DOWN

    @property
    def has_article(self) -> bool:
        return bool(_WITH_ARTICLE.match(self.meaning))


def definition_items(reading: Reading) -> Iterator[Draft]:
    """All items that a passage's definitions allow."""
    for definition in definitions(reading):
        yield from _term_for_meaning(definition, reading)
        yield from _meaning_of_term(definition, reading)
        yield from _blanked(definition)
        yield from _true_or_false(definition, reading)


def definitions(reading: Reading) -> Iterator[Definition]:
    """Definitions in sentences, and in a glossary's lines."""
    for sentence in reading.sentences:
        found = definition_in(sentence, reading)
        if found:
            yield found
    for name, meaning in _ENTRY.findall(reading.passage.chunk_text):
        found = _in_entry(name, meaning, reading)
        if found:
            yield found


def definition_in(sentence: ReadSentence, reading: Reading) -> Definition | None:
    """What a sentence that begins with a term says that it is, if that is the term's meaning."""
    article = _ARTICLE.match(sentence.text)
    start = article.end() if article else 0
    mention = next((each for each in sentence.mentions if each.start == start), None)
    if mention is None:
        return None
    verb = _IS.match(sentence.body[mention.end :])
    if verb is None:
        return None
    meaning = _main_part(sentence.body[mention.end + verb.end() :])
    said = likeness(meaning, mention.concept.definition)
    if said < _KNOWN_ANYWAY or not _is_meaning(meaning, mention.concept):
        return None
    written = sentence.text[: mention.end]
    return Definition(
        concept=mention.concept,
        written=_written(written, mention.concept, reading),
        article=sentence.text[:start].strip(),
        verb=verb.group(1),
        meaning=meaning,
        sentence=sentence.text[: mention.end + verb.end()] + meaning + ".",
        source=sentence.source,
    )


def _in_entry(name: str, meaning: str, reading: Reading) -> Definition | None:
    concept = reading.book.find(name)
    line = without_marks(meaning).rstrip(".")
    text = _main_part(_without_spelled_out(line, name))
    if concept is None or not _is_meaning(text, concept):
        return None
    return Definition(
        concept=concept,
        written=reading.shown(concept),
        article="",
        verb="is",
        meaning=reading.lower(text),
        sentence="",
        source=f"{without_marks(name)}: {line}",
    )


def _is_meaning(meaning: str, concept: Concept) -> bool:
    return (
        _FEWEST_WORDS <= word_count(meaning) <= _MOST_WORDS
        and (is_quality(concept) or not _NOT_A_THING.match(meaning))
        and not _starts_with_verb(meaning)
        and not meaning.lower().startswith(concept.name.lower())
        and is_balanced(meaning)
        and not re.search(r"\b(?:figure|above|below|this|these)\b|[|{}\\$=<>\[\]*;]", meaning)
    )


def _starts_with_verb(meaning: str) -> bool:
    """'drains blood from the veins …' says what a thing does, not what it is."""
    first, _, rest = meaning.partition(" ")
    return is_third_person(first) and not rest.startswith(("of ", "that ", "which ", "in ", "for "))


def _main_part(meaning: str) -> str:
    """What the meaning cannot do without: no '(also, …)' before it and no aside after it."""
    bare = re.sub(r"^\([^()]*\)\s*", "", meaning.strip())
    return without_asides(bare, fewest_words=_FEWEST_WORDS + 1)


def _without_spelled_out(line: str, name: str) -> str:
    """'Random sample consensus, a method that …' spells RANSAC out: keep what comes after."""
    head, comma, tail = line.partition(", ")
    spelled = name.isupper() and comma and word_count(head) <= 6 and _WITH_ARTICLE.match(tail)
    return tail if spelled else line


def _written(written: str, concept: Concept, reading: Reading) -> str:
    """The term with its article as it reads in the middle of a sentence."""
    article, name = re.match(r"((?:an?|the) )?(.*)", written, re.IGNORECASE | re.DOTALL).groups("")  # type: ignore[union-attr]
    same = name.lower() == concept.name.lower()
    return article.lower() + (reading.shown(concept) if same else name if article else reading.lower(name))


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
        meaning = _main_part(_without_spelled_out(other.definition.rstrip("."), other.name))
        fits = 0.55 * length <= word_count(meaning) <= min(1.7 * length + 1, _MOST_OPTION_WORDS)
        if fits and other.kind == definition.concept.kind == "glossary" and _is_meaning(meaning, other):
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
    if all(_WITH_ARTICLE.match(meaning) for meaning in meanings):
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
    definition: Definition, kind: str, text: str, answer: str, *, options: tuple[str, ...] = ()
) -> Draft:
    return Draft(
        kind=kind,  # type: ignore[arg-type]
        difficulty="easy",
        text=text,
        answer=answer,
        concept=definition.concept.name,
        source=definition.source,
        basis="definition",
        options=options,
    )
