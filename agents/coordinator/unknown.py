"""Saying plainly that the course does not answer something, and what it does cover."""

import re
from collections.abc import Sequence

from agents.coordinator.grounding import Grounding
from agents.coordinator.question import says

_MOST_CHARS = 90
_MOST_TOPICS = 4
_CLOSE = 0.2  # confidence from which the nearest section is worth naming
_YOURS = {"my": "your", "mine": "yours", "our": "your", "me": "you"}
_WORD = re.compile(r"\w+")
# Only what can stand after 'about' is said back; the rest is quoted as it was asked.
_THING = re.compile(
    r"(?:(?:hi|hello|hey|ok|okay|so|well|and|please|but)\W+)*"
    r"(?:(?:what|who)(?:'s|s| is| are| was| were) |(?:explain|describe|define|tell me (?:more )?about|teach me|show me) |"
    r"(?P<how>how (?:do|can|could|should|would) (?:i|you|we|one) |how to ))(?P<thing>.+)",
    re.IGNORECASE,
)
# 'I don't know' is no thing, and 'am I' cannot be turned round.
_SPEAKER = re.compile(r"\b(?:i|we|you)\b", re.IGNORECASE)


def say_unknown(question: str, grounding: Grounding, *, course_topics: Sequence[str]) -> str:
    """'I don't have information about …', the nearest section if there is one, and a few topics."""
    lines = [f"I don't have information about {asked_thing(question)} in this course."]
    near = [result.place for result in grounding.supporting[:1] if len(result.heading_hierarchy) > 1]
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
    text = " ".join(question[: 4 * _MOST_CHARS].replace("’", "'").split()).strip(" ?!.,")
    if _SPEAKER.match(text) or not any(map(says, _WORD.findall(text))):
        return "that"
    found = _THING.fullmatch(text)
    thing = _short(found["thing"]) if found else ""
    if found and not _SPEAKER.search(thing):
        thing = _WORD.sub(lambda match: _YOURS.get(match.group().lower(), match.group()), thing)
        return f"how to {thing}" if found["how"] else thing
    return f"“{_short(text)}”"


def _short(text: str) -> str:
    return text if len(text) <= _MOST_CHARS else text[:_MOST_CHARS].rsplit(" ", 1)[0] + " …"


def _listed(topics: Sequence[str]) -> str:
    shown = [f"“{topic}”" for topic in topics[:_MOST_TOPICS]]
    if more := len(topics[_MOST_TOPICS:]):
        return f"{', '.join(shown)} and {more} more {'topic' if more == 1 else 'topics'}"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
