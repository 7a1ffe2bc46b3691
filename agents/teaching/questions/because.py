"""Why something is so, where a sentence gives the reason."""

import re
from collections.abc import Iterator

from agents.language.words import content_set, share_of, word_count
from agents.teaching.questions.base import DraftQuestion, Kind, PassageReading
from agents.teaching.questions.grammar import ask, inverts_cleanly, split_clause
from agents.teaching.questions.sentences import leans, points_outside

_PATTERNS = (
    re.compile(r"^(?P<main>[^;:]+?),? (?P<reason>(?:because|weil) (?!of (?:this|that|it)\b)[^;:]+)$"),
    re.compile(r"^(?P<main>[^;:]+?),? (?P<reason>(?:so that|in order to|damit) [^;:]+)$"),
    re.compile(r"^(?:Because|Since|Weil|Da) (?P<reason>(?!of this|then\b)[^,;:]+), (?P<main>[^,;:]+)$"),
)
_OPEN = re.compile(
    r"(?:it|they|this|that|these|those|he|she|there|not|only|such|as|while|although|if|when|both|either|and|but|or|so|"
    r"es|sie|er|dies|diese|dieser|dieses|das|wenn|und|aber)\b",
    re.IGNORECASE,
)
_UNFINISHED = re.compile(
    r"\b(?:partly|simply|just|mainly|primarily|largely|probably|perhaps|is|are|was|not|only|even)$"
)
_FEWEST_MAIN, _MOST_MAIN = 3, 24
_FEWEST_REASON, _MOST_REASON = 4, 34
_CIRCULAR = 0.6
_FEWEST_NEW = 2  # words with a meaning, that the question does not have
_JOINT = re.compile(r"^(?:because|so that|in order to|weil|damit)\b", re.IGNORECASE)


def write(reading: PassageReading) -> Iterator[DraftQuestion]:
    for sentence in reading.thoughts:
        body = sentence.text.removesuffix(".")
        found = next((match for pattern in _PATTERNS if (match := pattern.match(body))), None)
        if found is None or not _can_be_asked(found["main"].strip(), found["reason"].strip()):
            continue
        main, reason = found["main"].strip(), found["reason"].strip()
        yield DraftQuestion(
            kind="short_answer",
            difficulty="hard",
            text=_why(main, reading),
            answer=reason,
            concept=reading.concept_of(sentence.text),
            source=sentence.source,
        )


def _why(main: str, reading: PassageReading) -> str:
    """'Why does …?' where the clause can be turned round; else the statement itself."""
    clause = split_clause(reading.lower(main))
    if clause and inverts_cleanly(clause) and "," not in main:
        return f"{ask(clause, opening='Why')}?"
    return f"Why is this so: “{main[0].upper()}{main[1:]}”?"


def _can_be_asked(main: str, reason: str) -> bool:
    return (
        _FEWEST_MAIN <= word_count(main) <= _MOST_MAIN
        and _FEWEST_REASON <= word_count(reason) <= _MOST_REASON
        and len(content_set(reason)) >= 2
        and not _OPEN.match(main)
        and not leans(main)
        and not points_outside(main)
        and not _UNFINISHED.search(main)
        and share_of(main, whole=reason) < _CIRCULAR
        and len(content_set(_JOINT.sub("", reason)) - content_set(main)) >= _FEWEST_NEW
    )


KIND = Kind(name="because", write=write, how_to_answer="One sentence is enough.")
