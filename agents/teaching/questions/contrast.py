"""The difference between two things that the text sets against each other."""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

from agents.language.blocks import blocks, items, plain, whole_sentences
from agents.language.words import content_set, content_stems, term_key, word_count, words_of
from agents.teaching.questions import memory
from agents.teaching.questions.base import DraftQuestion, PassageReading
from agents.teaching.questions.grammar import AUXILIARIES, FUNCTION_WORDS, split_clause
from agents.teaching.questions.sentences import leans, neighbours, without_marks

_MOST_TERM_WORDS = 4
_SORT = 2  # words that say of which sort a thing is
_FEWEST_SAID = 2  # words with a meaning, that a side says of its thing
_DIFFER = re.compile(
    r"\b(?:difference|distinction|contrast)s? between (?P<one>[^,.;:]+?) and (?P<other>[^,.;:]+?) (?:is|are|lies|was|were)\b",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"^(?:Unlike|In contrast to|Compared (?:to|with)|As opposed to|Im Gegensatz zu[rm]?) (?P<other>[^,]+), (?P<said>.+)$"
)
_WITHIN = re.compile(
    r"^(?P<one>[^;]+?)(?:, (?:whereas|while|but|während|aber)|; (?:however|in contrast|by contrast|on the other hand),?) (?P<other>[^;]+)$"
)
_TURN = re.compile(
    r"^(?:In contrast|By contrast|On the other hand|Conversely|Whereas|However|Dagegen|Hingegen), (?P<said>.+)$"
)
_LEAD = re.compile(
    r"^(?:[-*+]|\d+[.)])\s+(?:\*\*|`+)(?P<term>[^*`\n]{2,40}?):?(?:\*\*|`+)\s*(?P<said>.+)$", re.DOTALL
)
_DEFINES = re.compile(r"refer|mean")  # two definitions in a row need not be set against each other
_NOBODY = re.compile(
    r"\b(?:it|its|they|their|them|this|that|these|those|he|she|his|her|we|you|your|i|there|one|ones|other|others|another|some|"
    r"many|most|few|both|each|all|none|people|everyone|someone|former|latter|first|second|same|such|what|which|who|es|sie|er)\b",
    re.IGNORECASE,
)


def write(reading: PassageReading) -> Iterator[DraftQuestion]:
    seen: set[frozenset[str]] = set()
    for one, other, said in (
        *_in_sentences(reading),
        *_in_two_sentences(reading),
        *_in_lists(reading),
        *_in_definitions(reading),
    ):
        pair = frozenset((" ".join(term_key(one)), " ".join(term_key(other))))
        if len(pair) < 2 or pair in seen or not _are_things(one, other):
            continue
        seen.add(pair)
        asked = f"What is the difference between {reading.lower(one)} and {reading.lower(other)}?"
        concept = reading.concept_of(one, other, " ".join(said))
        yield memory.draft(asked, said, concept, about=f"{one} {other} {reading.headed}")


def _in_sentences(reading: PassageReading) -> Iterator[tuple[str, str, Sequence[str]]]:
    for sentence in reading.thoughts:
        body = sentence.text.removesuffix(".")
        if found := _DIFFER.search(body):
            yield found["one"], found["other"], [sentence.source]
        elif (found := _AGAINST.match(body)) and (said := _side(found["said"])):
            yield said[0], found["other"], [sentence.source]
        elif (found := _WITHIN.match(body)) and (pair := _pair(found["one"], found["other"])):
            yield *pair, [sentence.source]


def _in_two_sentences(reading: PassageReading) -> Iterator[tuple[str, str, Sequence[str]]]:
    """'A class defines … . In contrast, an instance holds …', or the same verb for two things one after the other."""
    whole = {sentence.source for sentence in reading.thoughts}
    for before, after in neighbours(reading.passage.chunk_text):
        turned = _TURN.match(after.removesuffix("."))
        pair = _pair(before.removesuffix("."), turned["said"] if turned else after.removesuffix("."))
        if pair and before in whole and (turned or (after in whole and _are_parallel(before, after, pair))):
            yield *pair, [before, after]


def _pair(before: str, after: str) -> tuple[str, str] | None:
    """What two clauses are about."""
    one, other = _side(before), _side(after)
    return (one[0], other[0]) if one and other else None


def _are_parallel(before: str, after: str, pair: tuple[str, str]) -> bool:
    one, other = _side(before), _side(after)
    verb = one[1] if one and other and one[1] == other[1] else ""
    is_telling = bool(verb) and verb not in AUXILIARIES and not _DEFINES.match(verb)
    return is_telling and _are_of_one_form(*pair)


def _are_of_one_form(one: str, other: str) -> bool:
    """Both one word, both code, or with the same last word: 'capital markets' and 'labor markets'."""
    last = (one.rsplit(maxsplit=1)[-1], other.rsplit(maxsplit=1)[-1])
    is_code = all(each.startswith("`") and each.endswith("`") for each in (one, other))
    return is_code or word_count(one) == word_count(other) == 1 or last[0] == last[1]


def _side(clause: str) -> tuple[str, str] | None:
    """What a clause is about, and its verb, where it says something of a thing."""
    found = split_clause(clause[:1].lower() + clause[1:] if clause[:2].istitle() else clause)
    if found is None or len(content_set(found.rest)) < _FEWEST_SAID:
        return None
    return clause[: len(found.subject)], found.verb


def _in_lists(reading: PassageReading) -> Iterator[tuple[str, str, Sequence[str]]]:
    """A list of two things, each with what is said of it."""
    for block in blocks(reading.passage.chunk_text):
        if block.kind != "list" or len(entries := items(block.text)) != 2:
            continue
        one, other = map(_entry, entries)
        is_led = all(_LEAD.match(each.strip()) for each in entries)
        if one and other and (is_led or _are_of_one_form(one, other)):
            yield one, other, [plain(without_marks(each)) for each in entries]


def _in_definitions(reading: PassageReading) -> Iterator[tuple[str, str, Sequence[str]]]:
    """Two terms that the text says to be of one sort: what tells them apart is what makes them."""
    for one, other in combinations(reading.definitions, 2):
        is_one_sort = content_stems(one.meaning)[:_SORT] == content_stems(other.meaning)[:_SORT]
        if is_one_sort and one.concept.name != other.concept.name and one.article == other.article:
            yield one.written, other.written, [one.source, other.source]


def _entry(item: str) -> str:
    found = _LEAD.match(item.strip())
    if found and len(content_set(found["said"])) >= _FEWEST_SAID:
        return found["term"]
    side = _side(without_marks(whole_sentences(item)[0]).removesuffix(".")) if item.strip() else None
    return side[0] if side else ""


def _are_things(one: str, other: str) -> bool:
    return all(
        1 <= word_count(each) <= _MOST_TERM_WORDS
        and (content_set(each) or "`" in each)
        and not _NOBODY.search(each)
        and "n't" not in each.replace("’", "'")
        and not leans(each)
        and each.split()[-1].lower() not in FUNCTION_WORDS
        for each in (one, other)
    ) and not (_words(one) <= _words(other) or _words(other) <= _words(one))


def _words(term: str) -> frozenset[str]:
    """Also those that are small outside of code: `From` and `Into`."""
    return frozenset(words_of(term))


KIND = memory.kind("contrast", write)
