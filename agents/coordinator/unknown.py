"""Saying plainly that the course does not answer something, and what it does cover."""

import re
from collections.abc import Sequence

from agents.coordinator.grounding import Grounding
from agents.coordinator.question import bare, noun_phrase, understand

_MOST_CHARS = 90
_MOST_TOPICS = 4
_CLOSE = 0.3  # confidence from which the nearest section is worth naming
_YOURS = {"my": "your", "me": "you", "i": "you", "our": "your"}
_MINE = re.compile(r"\b(?:my|me|i|our)\b", re.IGNORECASE)
_STATEMENT = re.compile(r"(?:i|you|we)(?:'\w+)?\s", re.IGNORECASE)  # 'I don't know' is no thing
_INDIRECT: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), kept)
    for pattern, kept in (
        (r"^(?:what(?:'s|s| is| are| was| were)|who(?:'s| is| are)) (.+)$", r"\1"),
        (r"^(?:explain|describe|define|tell me (?:more )?about|teach me|show me) (.+)$", r"\1"),
        (r"^how (?:do|can|could|should|would) (?:i|you|we|one) (.+)$", r"how to \1"),
        (r"^(how to .+)$", r"\1"),
        (r"^(who (?!is|are|was|were|did|do|does)\w+ .+)$", r"\1"),
    )
)


def say_unknown(question: str, grounding: Grounding, *, course_topics: Sequence[str]) -> str:
    """'I don't have information about …', the nearest section if there is one, and a few topics."""
    lines = [f"I don't have information about {asked_thing(question)} in this course."]
    near = [result.place for result in grounding.supporting if len(result.heading_hierarchy) > 1]
    if near and grounding.confidence >= _CLOSE:
        lines.append(f"The closest it comes is “{near[0]}”.")
    topics = list(dict.fromkeys(topic.strip() for topic in course_topics if topic.strip()))
    if topics:
        lines.append(f"It does cover {_listed(topics)}. Ask me about any of these.")
    return " ".join(lines)


def say_no_more(question: str) -> str:
    """Whoever asks for more has heard it all."""
    return (
        f"I don't have information about {asked_thing(question)} beyond what I've told you: that is all I found in the course. "
        "Ask for an example, or say **quiz me** to see what stuck."
    )


def asked_thing(question: str) -> str:
    """The thing asked for as it fits after 'about'; at worst the question itself, in quotes."""
    text = bare(question)
    if not text or _STATEMENT.match(text):
        return "that"
    for pattern, kept in _INDIRECT:
        if match := pattern.match(text):
            return _short(match.expand(kept))
    asked = understand(question)
    if asked.kind == "definition" and asked.focus and len(text.split()) <= 4:
        return _short(noun_phrase(text))
    return f"“{_short(text)}”"


def _short(text: str) -> str:
    """Not too long, and turned from the learner to us: 'my robot' is 'your robot'."""
    text = _MINE.sub(lambda match: _YOURS[match.group().lower()], re.sub(r"\s+", " ", text).strip())
    return text if len(text) <= _MOST_CHARS else text[:_MOST_CHARS].rsplit(" ", 1)[0] + " …"


def _listed(topics: Sequence[str]) -> str:
    shown = [f"“{topic}”" for topic in topics[:_MOST_TOPICS]]
    if more := len(topics[_MOST_TOPICS:]):
        return f"{', '.join(shown)} and {more} more {'topic' if more == 1 else 'topics'}"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
