"""Short replies that say all: yes, no, 'b', 'the second one'."""

import re
from collections.abc import Sequence

from agents.coordinator.language.messages import Message
from agents.coordinator.language.patterns import LIGHT
from rag.terms import words_of

_YES = frozenset(
    "yes true correct right absolutely definitely indeed yup exactly oui si ja sim verdadero wahr vrai vero "
    "richtig".split()
)
_AGREED = _YES | frozenset(
    "ok k sure agreed fine perfect go please gladly let start begin ready confirm".split()
)
_NO = frozenset("no false wrong incorrect never non nein nao falso falsch faux untrue".split())
_AROUND = frozenset(
    "i think guess believe would say it is that this of course please thanks thank you do want go ahead let us must be "
    "probably perhaps the answer statement confirm delete cancel not lol tbh maybe um uh hmm".split()
)
_LETTERS = frozenset("abcdefgh")
_PLACES = frozenset("first second third fourth fifth sixth last 1st 2nd 3rd 4th 5th".split())
_CHOICE_WORDS = frozenset(
    "option answer choice number one letter and or both all none of them above these neither".split()
)
_DATA = re.compile(
    r"\s*(?:\{\s*[\"'][^{}]*[\"']\s*:|<\|?(?:system|im_start|assistant)\b|(?:system|assistant|developer)\s*:)|"
    r"\b(?:is_correct|transfer_to_agent|developer mode|jailbreak)\b|\byou are now (?:a|an|in|the|dan)\b",
    re.IGNORECASE,
)
_MOST_DATA_CHARS = 2000


def says_yes(message: Message) -> bool:
    return _is_only(message, _YES)


def agrees(message: Message) -> bool:
    """Yes, or another way to take up an offer."""
    return _is_only(message, _AGREED)


def says_no(message: Message) -> bool:
    return _is_only(message, _NO)


def is_choice(message: Message) -> bool:
    """A letter, a number or a place in a list, and nothing else."""
    words = [word for word in message.words if word not in LIGHT or word == "a"]
    picked = [word for word in words if word in _LETTERS or word in _PLACES or word.isdigit()]
    if words in (["both"], ["neither"], ["all"]) or words[:2] in (
        ["none", "of"],
        ["all", "of"],
        ["both", "of"],
    ):
        return True
    return (
        bool(picked)
        and all(
            word in _LETTERS or word in _PLACES or word.isdigit() or word in _CHOICE_WORDS or word in _AROUND
            for word in words
        )
        and words != ["a"] * (len(words) > 1 and len(words))
    )


def matches_option(message: Message, options: Sequence[str]) -> bool:
    """Whether the learner wrote out one of the options."""
    said = words_of(message.text)
    return any(words_of(option) == said for option in options)


def is_data(text: str) -> bool:
    """JSON, a role marker or a name from inside the program: nothing that a learner says."""
    return bool(_DATA.search(text[:_MOST_DATA_CHARS]))


def _is_only(message: Message, verdicts: frozenset[str]) -> bool:
    words = [word for word in message.words if word not in LIGHT]
    return any(word in verdicts for word in words[:4]) and all(
        word in verdicts or word in _AROUND for word in words
    )
