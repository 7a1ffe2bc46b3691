"""What the section is about, in own words: asked where it says enough of it, and compared point by point."""

import re
from collections.abc import Iterator, Sequence

from agents.language.blocks import blocks, plain, whole_sentences
from agents.language.headings import heading_name, is_frame
from agents.language.words import content_set, same_text, term_key, word_count
from agents.teaching.questions import memory
from agents.teaching.questions.base import DraftQuestion, PassageReading
from agents.teaching.questions.grammar import AUXILIARIES, VERBS, is_adverb, is_plural_noun, is_third_person
from agents.teaching.questions.sentences import Sentence, leans, stressed
from agents.teaching.questions.terms import bare_name

_QUESTION = re.compile(r"^(?:what|why|how|when|where|who|which|was|warum|wie|wann|wo|wer)\b", re.IGNORECASE)
_CALLED = r"\b(?:called|known as|named|termed|referred to as|heißt|heißen|genannt)(?: the| an?)?"
_CONTINUED = re.compile(r", continued(?: \d+)?$")
_IS = re.compile(r"^(?:(?:is|are)(?! \w+ed\b)|refers? to|means?|ist|sind|bezeichnet|bedeutet)\b")
_FOR_SOMETHING = re.compile(
    r"\b(?:used (?:to|for)|allows?|lets?|helps?|makes? it|in order to|so that|enables?|dient|erlaubt)\b",
    re.IGNORECASE,
)
WHAT_IT_IS = "In your own words:"  # how a question begins that asks what a thing is
_FEWEST, _MOST = 2, 3  # points
_MOST_TERM_WORDS = 4
_OF_THE_BEST = 0.65  # a point weighs at least so much of the weightiest
_AIM = 4  # words
_NEAR = 8  # words; what is named later in a sentence is not what it is about
_LEANING = 0.5  # what a point weighs less that needs its neighbours
_LEAST = 1.2
_LEAST_OF_A_TERM = 3.0


def write(reading: PassageReading) -> Iterator[DraftQuestion]:
    """First what the passage stands under, then the terms that it stresses and says most of."""
    # What sets a term in bold is a point, whoever coined it.
    told = [
        each
        for each in reading.thoughts
        if _is_point(each.text, reading) or (stressed(each.raw) and not memory.is_no_point(each.text))
    ]
    seen: set[str] = set()
    for concept in reading.about:
        name = _CONTINUED.sub("", heading_name(concept.name))
        is_term = concept.kind in ("term", "glossary")
        said = _about_term(name, told, reading) if is_term else _about_section(name, told, reading)
        if said and same_text(name) not in seen and not is_frame(term_key(name)):
            seen.add(same_text(name))
            yield _draft(name, said, concept.name, reading)
    # A section whose heading is no concept by itself ('Why a robot needs a description') is still what it is about.
    headed = _CONTINUED.sub("", heading_name(reading.headed)) if reading.about else ""
    names_it = any(content_set(headed) <= content_set(each.name) for each in reading.about)
    if headed and not names_it and not is_frame(term_key(headed)):
        said = _about_section(headed, told, reading)
        if said:
            seen.add(same_text(headed))
            yield _draft(headed, said, reading.about[0].name, reading)
    mentions = reading.book.mentions(reading.passage.chunk_text, chapter_id=reading.passage.chapter_id)
    terms = [*stressed(reading.passage.chunk_text), *(each.concept.name for each in mentions)]
    for name in dict.fromkeys(terms):
        said = [] if same_text(name) in seen else _about_term(name, told, reading)
        if said and reading.centre.weight(name) >= _LEAST_OF_A_TERM:
            seen.add(same_text(name))
            yield _draft(name, said, reading.concept_of(name, " ".join(each.text for each in said)), reading)


def _draft(name: str, said: Sequence[Sentence], concept: str, reading: PassageReading) -> DraftQuestion:
    return memory.draft(
        _asked(name, said, reading),
        [each.source for each in said],
        concept,
        about=name,
    )


def _about_section(name: str, told: Sequence[Sentence], reading: PassageReading) -> Sequence[Sentence]:
    """The weightiest sentences of a section; none where they are about something else than its heading says."""
    own = content_set(name)
    if not _is_headed(name, reading):
        return []
    for best in (_weightiest(told, own, reading), _paragraph(own, reading)):
        if best and (_QUESTION.match(name) or any(own & content_set(each.text) for each in best)):
            return best
    return []


def _is_point(sentence: str, reading: PassageReading) -> bool:
    return not memory.is_no_point(sentence) and not memory.is_particular(sentence, centre=reading.centre)


def _paragraph(own: frozenset[str], reading: PassageReading) -> Sequence[Sentence]:
    """The paragraph that says most about it, by its first sentences: they may lean on each other."""
    best: Sequence[Sentence] = []
    most = _LEAST
    for block in blocks(reading.passage.chunk_text):
        said = [plain(each) for each in whole_sentences(block.text)] if block.kind == "paragraph" else []
        weight = reading.centre.weight(block.text) + len(own & content_set(block.text)) / (len(own) or 1)
        if (
            weight > most
            and len(said) >= _FEWEST
            and all(_is_point(each, reading) for each in said[:_MOST])
            and not leans(said[0])
        ):
            best, most = [Sentence(text=each, source=each) for each in said[:_MOST]], weight
    return best


def _about_term(name: str, told: Sequence[Sentence], reading: PassageReading) -> Sequence[Sentence]:
    """What is said of a term, if one sentence says what it is or does and others name it too."""
    own = content_set(name)
    naming = [each for each in told if own and own <= content_set(" ".join(each.text.split()[:_NEAR]))]
    saying = [each for each in naming if _said_of(name, each)]
    return (
        _weightiest(naming, own, reading, first=saying[:1])
        if saying and word_count(name) <= _MOST_TERM_WORDS
        else []
    )


def _weightiest(
    told: Sequence[Sentence], own: frozenset[str], reading: PassageReading, *, first: Sequence[Sentence] = ()
) -> Sequence[Sentence]:
    """The few sentences that turn on what the lesson turns on, in their order; none where they are too few."""
    weighed = {
        each: reading.centre.weight(each.text)
        + bool(own & content_set(each.text))
        + bool(own & content_set(" ".join(stressed(each.raw))))
        - _LEANING * leans(each.text)
        for each in told
        if each not in first
    }
    least = max(_OF_THE_BEST * max(weighed.values(), default=0.0), _LEAST)
    heavy = sorted((each for each in weighed if weighed[each] >= least), key=lambda each: -weighed[each])
    best = [*first, *heavy][:_MOST]
    return [each for each in told if each in best] if len(best) >= _FEWEST else []


def _said_of(name: str, sentence: Sentence) -> str:
    """What a sentence that begins with the name, or that calls something by it, goes on with: what it is, or what it does."""
    if called := re.search(
        rf"{_CALLED} [*_`“\"]*{re.escape(name)}\W(?P<rest>.+)", sentence.text, re.IGNORECASE
    ):
        return called["rest"]
    begun = re.match(
        rf"^(?:(?:the|an?|der|die|das|ein|eine) )?\W{{0,2}}{re.escape(name)}(?:e?s)?(?:\(\))?`{{0,2}} (?:\([^)]*\) )?(?P<rest>.+)",
        sentence.text,
        re.IGNORECASE,
    )
    if begun is None:
        return ""
    words = [word.lower() for word in begun["rest"].split()[:3] if not is_adverb(word)]
    is_verb = words and (
        words[0] in AUXILIARIES or words[0] in VERBS or is_third_person(words[0]) or _IS.match(begun["rest"])
    )
    return begun["rest"] if is_verb else ""


def _is_headed(name: str, reading: PassageReading) -> bool:
    path = reading.passage.heading_hierarchy
    return bool(path) and same_text(heading_name(path[-1])) == same_text(name)


def _asked(name: str, said: Sequence[Sentence], reading: PassageReading) -> str:
    if _QUESTION.match(name):
        return _as_question(name)
    of_it = [rest for each in said if (rest := _said_of(name, each))]
    if of_it and word_count(name) <= _MOST_TERM_WORDS:
        verb, it = ("are", "they") if is_plural_noun(bare_name(name).rsplit(maxsplit=1)[-1]) else ("is", "it")
        is_told, is_for = any(map(_IS.match, of_it)), any(map(_is_for_something, of_it))
        if is_told:
            aim = f", and what {verb} {it} for" if is_for else ""
            return f"{WHAT_IT_IS} what {verb} “{name}”{aim}?"
        if is_for:
            return f"{WHAT_IT_IS} what {verb} “{name}” for?"
    above = _heading_above(name, reading)
    where = f" (under “{above}”)" if above else ""
    return f"Explain “{name}”{where} in two or three sentences."


def _as_question(heading: str) -> str:
    """'What is mass?' asks already; 'Why a robot needs a description' is asked to be explained."""
    second = heading.split()[1].lower() if " " in heading else ""
    is_asked = heading.endswith("?") or second in AUXILIARIES
    return (
        f"{heading.rstrip('?')}?"
        if is_asked
        else f"Explain in two or three sentences: {heading[0].lower()}{heading[1:]}."
    )


def _is_for_something(said: str) -> bool:
    """'allows …', 'is used to …': right at the beginning, or it is said of something else."""
    return bool(_FOR_SOMETHING.search(" ".join(said.split()[:_AIM])))


def _heading_above(name: str, reading: PassageReading) -> str:
    """Where a heading stands that says little alone: 'Mechanism' under 'Osmosis'."""
    path = [heading_name(heading) for heading in reading.passage.heading_hierarchy]
    place = next((at for at, heading in enumerate(path) if same_text(heading) == same_text(name)), 0)
    return path[place - 1] if place else ""


KIND = memory.kind("explain", write)
