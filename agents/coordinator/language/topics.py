"""The topic in a message, as the learner or the course spells it."""

import re
from difflib import SequenceMatcher
from functools import lru_cache

from agents.coordinator.language.messages import Message
from agents.coordinator.language.spelling import is_slip
from agents.coordinator.language.wording import word_set
from rag.terms import term_key

_MOST_WORDS = 12
_ALIKE = 0.84  # 'simulaton' and 'simulation' are .95 alike, 'topics' and 'optics' .83
_MARKS = " \t\n\"'“”‘’`*.,;:!?¿¡()[]"

_BEFORE = """
    about|on|of|in|the|a|an|some|more|all|everything|something|what is|what are|how to|topic|subject|concept
    quiz on|quiz about|lesson on|lesson about|chapter on|course on|course about|class on|tutorial on|exam about
    test on|questions about|questions on|question quiz on|answering questions|solving questions|training on|my training on
    basics of|basic idea of|fundamentals of|essentials of|idea behind|prerequisites for|prerequisites of|basics for
    introduction to|an introduction to|intro to|this thing called|to learn|to study|sth new abt|abt|me
"""
_AFTER = """
    please|pls|plz|stp|thanks|thx|thank you|now|today|tonight|tomorrow|again|instead|first|next|already|rq|bro|lol|to me
    for me|with me|for us|from scratch|from the beginning|from the start|from zero|from the ground up|step by step|in detail
    in depth|in simple terms|in simple words|right now|a bit|a little|at all|quickly|together|better|this time|this week
    this afternoon|this morning|this evening|for school|for work|for class|by monday|by tomorrow|by friday|or not|yet
    myself|too|as well|asap|right away|if possible
"""
_NEW_CLAUSE_AFTER_COMMA = """
    please|because|as|since|so|if|with|which|and i|but|start|from|thanks|thank|for|before|can|could|then|i|we|not|it|help
    guide|go|need|teach|make me|give me|quiz me|test me|my|on monday|on tuesday|on wednesday|on thursday|on friday
"""
_NEW_CLAUSE = """
    because|since i|so that|so i|as i|if you|before my|before the|before we|before i|but i|and then|starting from
    starting with|with which|for my|that i|and need|and i need|and want|and i want|and would|with a few|with some questions
    on monday|on tuesday|on wednesday|on thursday|on friday
"""
_NO_TOPIC = word_set("""
    it that this them something anything stuff more everything all things else one me us next topic lesson quiz scratch
    beginning you learning lessons here hi hello hey him her what how why those these start new different
""") | {
    "something else",
    "something new",
    "something different",
    "this topic",
    "next topic",
    "from scratch",
    "this chapter",
}
# The words that a topic comes after, the surest first.
_LEADS = (
    word_set("about into understand"),
    word_set("on learn study cover teach practise"),
    word_set("me before of in for with to"),
)


def _any_of(table: str) -> str:
    phrases = [phrase for line in table.split("\n") for phrase in line.strip().split("|") if phrase]
    return "|".join(
        re.escape(phrase).replace(r"\ ", r"\s+") for phrase in sorted(phrases, key=len, reverse=True)
    )


_STARTS = re.compile(rf"(?:{_any_of(_BEFORE)})\b\s*", re.IGNORECASE)
_ENDS = re.compile(rf"[\s,]*\b(?:{_any_of(_AFTER)})$", re.IGNORECASE)
_ASIDE = re.compile(
    rf"(?:[.!?;:\n]\s|,\s+(?=(?:{_any_of(_NEW_CLAUSE_AFTER_COMMA)})\b)|\s(?=(?:{_any_of(_NEW_CLAUSE)})\b)|\s[-–—]\s).*",
    re.IGNORECASE | re.DOTALL,
)
_CLAUSE = re.compile(r"(?:how|what|why)\s+(.+?)\s+(?:works?|is|are|means?|does)", re.IGNORECASE)


def clean_topic(text: str) -> str:
    """'the basics of ROS 2 topics, please!' is about 'ROS 2 topics'."""
    topic = _ASIDE.sub("", text.strip()).strip(_MARKS)
    first, _, rest = topic.partition(" ")
    topic = _without_end(rest if rest and is_slip(first.lower(), of="about") else topic)
    clause = _CLAUSE.fullmatch(topic)
    topic = _without_start(clause.group(1) if clause else topic).strip(_MARKS)
    return "" if topic.lower() in _NO_TOPIC else " ".join(topic.split()[:_MOST_WORDS])


def topic_in(message: Message, start: int, end: int) -> str:
    """What follows the word that a topic comes after."""
    for leads in _LEADS:
        for place in range(start, end - 1):
            topic = clean_topic(message.quote(place + 1, end)) if message.words[place] in leads else ""
            if topic:
                return topic
    return ""


def known_topic(text: str, names: tuple[str, ...]) -> str:
    """The course's name for it, if it has one that is the same but for a slip."""
    key = " ".join(term_key(text))
    keyed = _keyed(names)
    if not key or not keyed:
        return ""
    if key in keyed:
        return keyed[key]
    nearest = max(keyed, key=lambda other: _alike(key, other))
    return keyed[nearest] if _alike(key, nearest) >= _ALIKE else ""


@lru_cache(maxsize=16)
def _keyed(names: tuple[str, ...]) -> dict[str, str]:
    return {" ".join(term_key(name)): name for name in reversed(names)}


def _alike(one: str, other: str) -> float:
    if abs(len(one) - len(other)) > 2 or one[:1] != other[:1]:
        return 0.0
    return 1.0 if is_slip(one, of=other) else SequenceMatcher(None, one, other).ratio()


def _without_end(text: str) -> str:
    while (match := _ENDS.search(text)) and text[: match.start()].strip():
        text = text[: match.start()]
    return text


def _without_start(text: str) -> str:
    while (match := _STARTS.match(text)) and text[match.end() :].strip():
        text = text[match.end() :]
    return text
