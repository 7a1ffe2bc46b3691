"""What kind of answer a question wants, and about what."""

import re
from dataclasses import dataclass

from agents.coordinator.asking import ABOUT_A_THING, CLOSINGS, COMPARISONS, KINDS, OPENINGS, QuestionKind
from agents.tutor.wording import content_words, is_generic

_ARTICLE = re.compile(r"^(?:an?|the|some|any|my|your|our|this|that|these|those)\s+", re.IGNORECASE)
_SETTING = re.compile(r"\s+(?:in|for|on|within|when|while|if|using|under|from)\s+.*$", re.IGNORECASE)
_ASKS = re.compile(r"^(?:what|which|who|whom|whose|where|when|why|how)\b", re.IGNORECASE)
_DONE = re.compile(r"\w+ed\s+(?:in|by|on|at|with|from|to|when|for)\b", re.IGNORECASE)  # 'what is stored in …'
_MOST_FOCUS_WORDS = 6
_MOST_NAME_WORDS = 3  # of a message that is nothing but a name
_QUOTES = " \"'“”‘?!.,:;"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question, understood."""

    text: str  # without greeting and politeness
    kind: QuestionKind
    focus: tuple[str, ...]  # the thing asked about, or the two that are compared; may be empty
    words: tuple[str, ...]  # its content words
    subject_words: tuple[str, ...]  # those of them that belong to a subject rather than to asking


def understand(message: str) -> Question:
    """Read a stand-alone question."""
    text = bare(message)
    kind, focus = _kind(text)
    words = tuple(content_words(text))
    named = {word for name in focus for word in content_words(name)}
    subject = tuple(word for word in words if word in named or not is_generic(word)) or words
    return Question(text=text, kind=kind, focus=focus, words=words, subject_words=subject)


def bare(message: str) -> str:
    """The question without greeting, politeness and closing marks."""
    text = re.sub(r"\s+", " ", message.replace("’", "'")).strip(" ?!.")
    shorter = text
    while shorter:
        text = shorter
        for pattern in OPENINGS:
            shorter = pattern.sub("", shorter, count=1).strip()
        if shorter == text:
            break
    return CLOSINGS.sub("", text)


def noun_phrase(text: str) -> str:
    """A name as it can be looked up: no article, no quotes, no closing words."""
    text = CLOSINGS.sub("", text.strip(_QUOTES)).strip(_QUOTES)
    return ABOUT_A_THING.sub("", _ARTICLE.sub("", text))


def without_setting(name: str) -> str:
    """'disparity in stereo vision' is about disparity."""
    return _SETTING.sub("", name)


def side_names(first: str, second: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """How each side of a comparison may be called: 'static and dynamic transforms' share a noun."""
    first_words, second_words = first.split(), second.split()
    gap = len(first_words) - len(second_words)
    fuller_first = [*first_words, *second_words[gap:]] if gap < 0 else first_words
    fuller_second = [*first_words[:gap], *second_words] if gap > 0 else second_words
    return _names(fuller_first, first_words), _names(fuller_second, second_words)


def _names(*ways: list[str]) -> tuple[str, ...]:
    """Each way of naming, also without a closing everyday word: 'SIFT numbers' is about SIFT."""
    shorter = [words[:-1] for words in ways if len(words) > 1 and is_generic(words[-1].lower())]
    return tuple(dict.fromkeys(" ".join(words) for words in (*ways, *shorter)))


def _kind(text: str) -> tuple[QuestionKind, tuple[str, ...]]:
    for pattern in COMPARISONS:
        if (match := pattern.search(text)) and all(sides := _sides(match)):
            return "difference", sides
    for kind, pattern in KINDS:
        if match := pattern.search(text):
            focus = _focus(match)
            return ("fact", ()) if kind == "definition" and any(map(_DONE.match, focus)) else (kind, focus)
    if text and not _ASKS.match(text) and len(text.split()) <= _MOST_NAME_WORDS:
        return "definition", (noun_phrase(text),)
    return "fact", ()


def _focus(match: re.Match[str]) -> tuple[str, ...]:
    found = noun_phrase(match.groupdict().get("x") or "")
    return (found,) if found and len(found.split()) <= _MOST_FOCUS_WORDS else ()


def _sides(match: re.Match[str]) -> tuple[str, str]:
    return noun_phrase(without_setting(match["a"])), noun_phrase(without_setting(match["b"]))
