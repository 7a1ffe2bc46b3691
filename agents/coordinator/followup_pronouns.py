"""Put the subject of the conversation where a question says 'it'."""

import re
from collections.abc import Callable

from agents.coordinator.followup_subject import Subject, with_article
from agents.tutor.wording import STOP_WORDS, is_generic

_I = re.IGNORECASE
_EXPLETIVE = re.compile(
    r"\b(?:is|was|would|will) it (?:be )?(?:true|possible|ok|okay|better|necessary|worth|important|a good idea|safe to|always|"
    r"common|normal|allowed|easy|hard|difficult|enough to|raining|snowing|cold|warm|late|early|time)\b|"
    r"\b(?:does|do) it (?:matter|make sense|take)\b|\btime is it\b|\bit(?:'s| is) (?:raining|possible|true)\b|"
    r"\b(?:why|how) (?:is it|does it happen) that\b",
    _I,
)
_PRONOUN = re.compile(r"\b(?P<p>it|they|them|its|their|theirs)\b(?!')", _I)
_DEMONSTRATIVE = re.compile(
    r"\b(?P<p>this|that|these|those)\b(?=\s*(?:[,?.!]|$|(?:is|are|was|were|does|do|did|can|will|would|should|mean|means|work|works|"
    r"help|helps|happen|happens|different|useful|important|needed|called|used|so|to|for|in|with|on|the same)\b))",
    _I,
)
_DOES_THAT = re.compile(
    r"\b(?P<aux>do|does|did|can|will|would|should|could) (?:this|that|these|those)(?=\s+\w+$)", _I
)
_POINTED = re.compile(
    r"\b(?:this|that|these|those) (?:thing|concept|idea|term|method|tool|approach|technique|kind|process|policy|command|pattern|format)s?\b",
    _I,
)
_ONE = re.compile(
    r"(?<!than )(?<!only )(?<!just )(?<!least )(?<!this )(?<!that )(?<!which )(?P<before>\b(?:an?|another|the|new|other|any|[a-z]+(?:ed|ic|al|ous|ve))\s+)?\bones?\b(?=\s*(?:[?.!,]|$|(?:is|are|was|does|do|can|should|added|used|needed|made|called|created|in|for|with|on)\b))",
    _I,
)
_JOINS = re.compile(
    r"[,;:]|\b(?:if|when|while|because|and|but|that|which|who|so|as|before|after|until|whether|than|where)\b",
    _I,
)
_WORD = re.compile(r"[\w'-]+")


def replace_pronoun(text: str, *, subject: Subject) -> str | None:
    """The text with its first pronoun spelled out; None when it has none that points outside."""
    if _EXPLETIVE.search(text):
        return None
    for pattern, put in _WAYS:
        for match in pattern.finditer(text):
            if _points_outside(text, match):
                return text[: match.start()] + put(match, subject) + text[match.end() :]
    return None


def _spelled(match: re.Match[str], subject: Subject) -> str:
    owner = match["p"].lower() in ("its", "their", "theirs")
    return f"{subject}'s" if owner else str(subject)


def _counted(match: re.Match[str], subject: Subject) -> str:
    """'use one' is 'use an action'; 'a new one' is 'a new action'."""
    before = match["before"] or ""
    return f"{before}{subject.bare}" if before else with_article(subject.bare)


_WAYS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], Subject], str]], ...] = (
    (_POINTED, lambda match, subject: str(subject)),
    (_PRONOUN, _spelled),
    (_DEMONSTRATIVE, _spelled),
    (_DOES_THAT, lambda match, subject: f"{match['aux']} {subject}"),
    (_ONE, _counted),
)


def _points_outside(text: str, match: re.Match[str]) -> bool:
    before = text[: match.start()]
    named = [word for word in _WORD.findall(before) if not _is_small(word)]
    said = match.group().lower()
    if said in ("its", "their", "theirs"):
        return not named
    if said in ("this", "that", "these", "those"):
        # 'the node that runs' is no pointer, 'how does that work' is.
        last = _WORD.findall(before)[-1:]
        return all(_is_small(word) for word in last)
    # 'When a node stops, does it …' has its own noun; 'does Gazebo need it' has not.
    return not (named and _JOINS.search(before[before.find(named[0]) :]))


def _is_small(word: str) -> bool:
    return word.lower() in STOP_WORDS or is_generic(word.lower())
