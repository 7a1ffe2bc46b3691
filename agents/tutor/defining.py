"""How much a sentence says what a thing is."""

import re

from agents.tutor.wording import contains_phrase, stem, stems
from rag.terms import term_key, words_of

DEFINES = 0.8  # at least this much: the sentence can open an answer to "what is it?"
ABOUT = 0.5  # at least this much: the thing is what the sentence is about

_IS = re.compile(
    r"^(?P<head>.{1,90}?),?\s+(?P<verb>is|are|was|were|means?|refers? to|denotes?|describes?|stands? for|consists? of)\s+(?P<rest>.+)$",
    re.DOTALL,
)
_ARTICLE = re.compile(r"(?:an?|the|one|any|each|every|those|all|some)\b", re.IGNORECASE)
_NO_DEFINITION = re.compile(
    r"(?:not|never|no longer|only|often|usually|normally|also|therefore|called|too)\b|\w+(?:ed|en|ly|ing)\b",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r"\b(?:that|which|who|whose|where|in which|used|by which)\b")
_CALLED = re.compile(r"\b(?:called|known as|termed|named|referred to as)\s+(?P<name>.{2,60})", re.IGNORECASE)
_ENTRY = re.compile(r"^(?P<name>[^:.]{2,60}):\s+[A-Z]")
_APPOSED = re.compile(r"(?P<name>[\w` -]{2,60}?)\s*(?:\([^)]*\))?, (?:an?|the) [a-z]")
_OR = re.compile(r",?\s+or\s+|\s*\(|,\s*")
_LEADING = re.compile(r"^(?:an?|the|every|each|in \w+,)\s+", re.IGNORECASE)


def defines(sentence: str, name: str) -> float:
    """0 not at all, ABOUT it, up to 1: 'a topic is a named channel …'."""
    key = term_key(name)
    if not key or not set(key) <= set(words_of(sentence)):
        return 0.0
    if (entry := _ENTRY.match(sentence)) and term_key(entry["name"]) == key:
        return 0.9
    if (said := _IS.match(sentence)) and _names(said["head"], key):
        return _strength(said["verb"], said["rest"])
    if (called := _CALLED.search(sentence)) and term_key(_LEADING.sub("", called["name"]))[: len(key)] == key:
        return 0.85
    if any(term_key(apposed["name"])[-len(key) :] == key for apposed in _APPOSED.finditer(sentence)):
        return DEFINES
    return ABOUT if is_about(sentence, name) else 0.0


def is_about(sentence: str, name: str) -> bool:
    """Whether the sentence opens with the name, apart from an article."""
    words, wanted = stems(_LEADING.sub("", sentence)), stems(name)
    return bool(wanted) and words[: len(wanted)] == wanted


def mentions(sentence: str, name: str) -> bool:
    return contains_phrase(stems(sentence), [stem(word) for word in term_key(name)] or stems(name))


def _names(head: str, key: tuple[str, ...]) -> bool:
    return term_key(head) == key or any(term_key(alias) == key for alias in _OR.split(head) if alias.strip())


def _strength(verb: str, rest: str) -> float:
    if verb not in ("is", "are", "was", "were"):
        return 0.9
    if _ARTICLE.match(rest):
        return 1.0
    if _NO_DEFINITION.match(rest):
        return ABOUT
    return DEFINES if _RELATIVE.search(rest) else ABOUT + 0.1
