"""How much each word of a question counts when it is looked for in the course."""

import re
from collections.abc import Collection

from agents.coordinator.asked_for import MADE_BY, verb_of_how_to
from agents.coordinator.question import Question, without_setting
from agents.tutor.wording import content_words, is_generic, pieces
from rag.terms import TermFinder, term_key

_FULL, _LIGHT, _SLIGHT = 1.0, 0.35, 0.4
_BEFORE_A_VERB = frozenset(
    [
        "i",
        "you",
        "we",
        "they",
        "it",
        "to",
        "not",
        "don't",
        "doesn't",
        "can't",
        "cannot",
        "everything",
        "he",
        "she",
    ]
)
_AFTER_A_VERB = frozenset(
    ["a", "an", "the", "my", "your", "it", "them", "this", "up", "down", "out", "off", "away"]
)
_ADJECTIVE = re.compile(r".{3,}(?:ive|ous|ful|less|able|ible|ly)$")


def word_weights(asked: Question, terms: Collection[str]) -> dict[str, float]:
    """The words to look for; a course's own term counts even where it is an everyday word."""
    named = _named(asked, terms)
    focus = {word for name in asked.focus for word in content_words(name)}
    firm = named | focus | {verb_of_how_to(asked)}
    telling = [word for word in asked.words if word in named or word in focus or not is_generic(word)]
    if made := MADE_BY.match(asked.text):
        # Whoever made it is named, but not called 'the company that develops it'.
        telling = [word for word in telling if word not in content_words(made.group())]
    setting = _setting_words(asked)
    loose = _loosely_used(asked.text)
    return {word: _weight(word, firm=firm, setting=setting, loose=loose) for word in telling or asked.words}


def names_a_term(asked: Question, terms: Collection[str]) -> bool:
    return bool(_named(asked, terms))


def _named(asked: Question, terms: Collection[str]) -> set[str]:
    finder = TermFinder(key for term in terms if (key := term_key(term)))
    return {word for key in finder.find(asked.text) for word in key}


def _weight(word: str, *, firm: set[str], setting: set[str], loose: set[str]) -> float:
    if word.isdigit() or word in setting:
        return _SLIGHT
    return _LIGHT if word in loose and word not in firm else _FULL


def _setting_words(asked: Question) -> set[str]:
    """In 'disparity in stereo vision' the course may take the last two for granted."""
    if asked.kind not in ("definition", "purpose") or not asked.focus:
        return set()
    return set(asked.words) - set(content_words(without_setting(asked.focus[0])))


def _loosely_used(text: str) -> set[str]:
    """Verbs and adjectives: people put what happens in words of their own, but name things as the course does."""
    words = pieces(text)
    found = {word for word in words if _ADJECTIVE.match(word)}
    for before, word, after in zip(["", *words], words, [*words[1:], ""], strict=False):
        if before in _BEFORE_A_VERB or after in _AFTER_A_VERB:
            found.add(word)
    return found
