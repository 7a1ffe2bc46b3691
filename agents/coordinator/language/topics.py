"""The topic in a message, as the learner or the course spells it."""

import re
from collections.abc import Iterable
from difflib import SequenceMatcher

from agents.coordinator.language.spelling import is_slip
from rag.terms import term_key

_MOST_WORDS = 12
_ALIKE = 0.84  # 'simulaton' and 'simulation' are .95 alike, 'topics' and 'optics' .83
_BEFORE = re.compile(
    r"(?:about|on|of|in|the|a|an|some|more|all|everything|something|what (?:is|are)|how to|topic|subject|concept|"
    r"(?:quiz|lesson|chapter|course|class|section|module|tutorial|exam|test|questions?) (?:on|about|in)|(?:answering|solving) questions?|"
    r"(?:very )?(?:basics?|fundamentals?|essentials?|idea|prerequisites?) (?:of|behind|for)|"
    r"this thing called|to (?:learn|study)|(?:an? )?(?:introduction|intro) to)\b\s*",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"[\s,]*\b(?:please|pls|plz|stp|thanks|thx|thank you|now|today|tonight|tomorrow|again|instead|first|next|already|rq|bro|"
    r"lol|to me|for me|with me|from scratch|from the (?:beginning|start|ground up)|step by step|in detail|in depth|"
    r"in simple (?:terms|words)|right now|a bit|a little|at all|quickly|together|this (?:time|week|afternoon|morning|evening)|with me|for (?:school|work|class|me|us)|by (?:\w+day|tomorrow)|or not|yet|myself|too|as well|asap|right away|if possible)$",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"(?:[.!?;:\n]\s|,\s+(?=(?:please|because|as|since|so|if|with|which|and i|but|start|from|thanks|thank|for|before|can|"
    r"could|then|i|we|not|it|help|guide|go|need|teach|my|on (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b)|\s(?=(?:because|since i|so that|so i|as i|if you|before (?:my|the|we|i)|but i|and then|"
    r"starting (?:from|with)|with which|for my|that i|and (?:i |would )?(?:need|want|love|like)|with (?:a few|some) questions|on (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b)|\s[-–—]\s).*",
    re.IGNORECASE | re.DOTALL,
)
_CLAUSE = re.compile(r"(?:how|what|why)\s+(.+?)\s+(?:works?|is|are|means?|does)", re.IGNORECASE)
_NO_TOPIC = frozenset(
    "it that this them something anything stuff more everything all things else one me us next topic lesson "
    "quiz scratch beginning you something new something different something else this topic that topic the "
    "learning lessons here hi hello hey him her what how why a an that".split()
) | {
    "something else",
    "something new",
    "something different",
    "this topic",
    "next topic",
    "from scratch",
    "this chapter",
}


def clean_topic(text: str) -> str:
    """'the basics of ROS 2 topics, please!' is about 'ROS 2 topics'."""
    topic = _ASIDE.sub("", text.strip()).strip(" \t\n\"'“”‘’`*.,;:!?¿¡()[]")
    first, _, rest = topic.partition(" ")
    if rest and is_slip(first.lower(), of="about"):
        topic = rest
    topic = _trim(topic, _AFTER)
    clause = _CLAUSE.fullmatch(topic)
    topic = _trim(clause.group(1) if clause else topic, _BEFORE, at_start=True)
    topic = topic.strip(" \"'“”‘’`*.,;:!?()")
    return "" if topic.lower() in _NO_TOPIC else " ".join(topic.split()[:_MOST_WORDS])


def known_topic(text: str, names: Iterable[str]) -> str:
    """The course's name for it, if it has one that is the same but for a slip."""
    key = " ".join(term_key(text))
    if not key:
        return ""
    keyed = [(" ".join(term_key(name)), name) for name in names]
    for other, name in keyed:
        if other == key:
            return name
    alike, name = max(((_alike(key, other), name) for other, name in keyed), default=(0.0, ""))
    return name if alike >= _ALIKE else ""


def _alike(one: str, other: str) -> float:
    if abs(len(one) - len(other)) > 2 or one[:1] != other[:1]:
        return 0.0
    if is_slip(one, of=other):
        return 1.0
    return SequenceMatcher(None, one, other).ratio()


def _trim(text: str, pattern: re.Pattern[str], *, at_start: bool = False) -> str:
    while text:
        match = pattern.match(text) if at_start else pattern.search(text)
        rest = (text[match.end() :] if at_start else text[: match.start()]) if match else text
        if rest == text or not rest.strip():
            return text
        text = rest
    return text
