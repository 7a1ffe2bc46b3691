"""Citations: what the marks in a text stand for, and the footer that names it."""

import re
from collections.abc import Sequence

from agents.language.blocks import Block
from agents.language.words import contains_phrase, root, roots, term_key, words_of
from agents.repair import MARK
from agents.said import Said
from agents.teaching.values import RetrievalResult
from rag.retriever import in_order, sources_footer

_CODE = re.compile(r"(?ms)^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1|\Z)|`[^`\n]*`")
_NUMBER = re.compile(r"\d{1,3}")
_MARKER = re.compile(r"\[(\d{1,3})\]")


def with_sources(
    text: str, passages: Sequence[RetrievalResult], *, is_lesson: bool = False
) -> tuple[Said, tuple[RetrievalResult, ...]]:
    """A text whose marks count the passages, numbered by what it cites and with its **Sources** footer; and these.

    An answer's sources are what a search found, the most alike first; a lesson's come in the order of reading.
    """
    marks = MARK.findall(_CODE.sub(" ", text))
    numbers = dict.fromkeys(int(number) for mark in marks for number in _NUMBER.findall(mark))
    cited = {passages[place - 1].chunk_id: place for place in numbers if 1 <= place <= len(passages)}
    used = [passages[place - 1] for place in cited.values()]
    sources = used if is_lesson else in_order(used, "similarity_score")
    anew = {cited[source.chunk_id]: number for number, source in enumerate(sources, 1)}
    renumbered = _MARKER.sub(lambda match: f"[{anew.get(int(match[1]), int(match[1]))}]", text)
    return above_sources(renumbered, sources, with_scores=not is_lesson), tuple(sources)


def above_sources(text: str | Said, sources: Sequence[RetrievalResult], *, with_scores: bool = True) -> Said:
    """What is said, with the list of what it rests on below it."""
    footer = sources_footer(sources, with_scores=with_scores)
    return Said.of(text).then("sources", f"\n{footer}" if footer else "")


_CLOSING = re.compile(r"(?<!\betc)(?P<stop>[.!?:;]*)(?P<quote>[”\"]?)$")
_GLOSSARY_ENTRY = re.compile(r"(?=[a-z]+\b)[a-z][\w ,()/’'-]*: \S")


def quoted(blocks: Sequence[Block], marker: str) -> str:
    """Whole blocks with one marker: in the first one's last sentence, or on the line below what has no sentences."""
    first, *others = blocks
    if first.kind in ("paragraph", "list"):
        shown = with_marker(first.text, marker)
    else:
        # A line right below a table would be one more row of it.
        shown = ("\n" if first.kind == "code" else "\n\n").join([first.text, marker])
    return "\n\n".join([shown, *(block.text for block in others)])


def with_marker(sentence: str, marker: str) -> str:
    """'A node does one job [1].': inside the sentence, so that nobody takes it for the next one's."""
    text = sentence[:1].upper() + sentence[1:] if _GLOSSARY_ENTRY.match(sentence) else sentence
    end = _CLOSING.search(text)
    if not end:
        return f"{text} {marker}."
    return f"{text[: end.start()]}{end['quote']} {marker}{end['stop'] or '.'}"


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
    words, wanted = roots(_LEADING.sub("", sentence)), roots(name)
    return bool(wanted) and words[: len(wanted)] == wanted


def mentions(sentence: str, name: str) -> bool:
    return contains_phrase(roots(sentence), [root(word) for word in term_key(name)] or roots(name))


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


_LEANS_BACK = re.compile(
    r"^(?:it|its|they|them|their|this|these|that|those|such|he|she|both|the former|the latter|the two|the same|"
    r"the other|the first|the second|the third|the last|the opposite|another|otherwise|instead|however|"
    r"therefore|thus|hence|then|but|so|and|or|yet|first|second|third|finally|nor|neither|also|as a result|"
    r"for this reason|in (?:the|this|that) (?:example|case|formula|way)|with (?:this|that|these)|here|there|"
    r"a second|the answer|the result|each one|one of them|in contrast|on the other hand|similarly|"
    r"consequently|moreover|furthermore|additionally|in addition|in other words|for example|for instance)\b|"
    r"^(?:most importantly|more importantly|importantly|in general|generally|typically|usually|often|in fact|indeed|"
    r"eventually|ultimately|overall|unfortunately|fortunately|interestingly|in turn|at first|initially), "
    r"(?:it|they|this|these|those|he|she)\b|^each way\b",
    re.IGNORECASE,
)


def leans_back(text: str) -> bool:
    """Whether a text opens with a word that stands for something said before it."""
    return bool(_LEANS_BACK.match(text))
