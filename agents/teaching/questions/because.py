"""Why something is so, or how it is done, where the text says it."""

import re
from collections.abc import Iterator

from agents.language.words import content_set, share_of, word_count
from agents.teaching.questions.base import DraftQuestion, Kind, PassageReading
from agents.teaching.questions.grammar import ask, inverts_cleanly, split_clause
from agents.teaching.questions.sentences import leans, neighbours, points_outside

_PATTERNS = (
    re.compile(r"^(?P<main>[^;:]+?),? (?P<reason>(?:because|weil) (?!of (?:this|that|it)\b)[^;:]+)$"),
    re.compile(r"^(?P<main>[^;:]+?),? (?P<reason>(?:so that|in order to|damit) [^;:]+)$"),
    re.compile(r"^(?:Because|Since|Weil|Da) (?P<clause>(?!of this|then\b)[^,;:]+), (?P<main>[^,;:]+)$"),
)
_MEANS = re.compile(r"^(?P<main>[^;:,]+?),? (?P<reason>by \w+ing\b[^;:]+)$")
_REASON_BEHIND = re.compile(r"^(?:This|That) is because (?P<reason>[^;:]+)$")
_REASON_BEFORE = re.compile(
    r"^(?:Therefore|As a result|Consequently|Hence|For this reason|That is why|This is why|Daher|Deshalb),? (?P<main>[^;:]+)$"
)
_OPEN = re.compile(
    r"(?:it|they|you|we|this|that|these|those|he|she|there|not|only|such|as|while|although|if|when|both|either|and|but|or|so|"
    r"es|sie|er|dies|diese|dieser|dieses|das|wenn|und|aber)\b",
    re.IGNORECASE,
)
_OPENED = re.compile(r"([^\s,]+(?: [^\s,]+)?), ")
_UNFINISHED = re.compile(
    r"\b(?:partly|simply|just|mainly|primarily|largely|probably|perhaps|is|are|was|not|only|even)$"
)
_FEWEST_MAIN, _MOST_MAIN = 3, 24
_FEWEST_REASON, _MOST_REASON = 4, 34
_CIRCULAR = 0.6
_FEWEST_NAMED = 3  # words with a meaning, of a reason
_FEWEST_NEW = 2  # words with a meaning, that the question does not have
_JOINT = re.compile(r"^(?:because|so that|in order to|weil|damit)\b", re.IGNORECASE)


def write(reading: PassageReading) -> Iterator[DraftQuestion]:
    for main, reason, source in (*_in_one_sentence(reading), *_in_two(reading)):
        asked = _asked(main, reading, opening="How" if reason.startswith("by ") else "Why")
        if asked and _can_be_asked(main, reason):
            yield DraftQuestion(
                kind="short_answer",
                difficulty="hard",
                text=asked,
                answer=reason,
                concept=reading.concept_of(f"{main} {reason}"),
                source=source,
                about=f"{main} {reason}",
            )


def _in_one_sentence(reading: PassageReading) -> Iterator[tuple[str, str, str]]:
    for sentence in reading.thoughts:
        body = sentence.text.removesuffix(".")
        found = next((match for pattern in _PATTERNS if (match := pattern.match(body))), None)
        if found := found or _MEANS.match(body):
            said = found.groupdict()
            # 'Since the early days' tells when, and has no verb of its own.
            if "clause" not in said or split_clause(reading.lower(said["clause"])):
                yield (
                    said["main"].strip(),
                    said.get("reason", said.get("clause", "")).strip(),
                    sentence.source,
                )


def _in_two(reading: PassageReading) -> Iterator[tuple[str, str, str]]:
    """'… is read first. This is because all paths begin there.', or the reason first and then 'Therefore, …'."""
    for before, after in neighbours(reading.passage.chunk_text):
        body = after.removesuffix(".")
        if found := _REASON_BEHIND.match(body):
            yield before.removesuffix("."), f"because {found['reason']}", f"{before} {after}"
        elif (found := _REASON_BEFORE.match(body)) and not leans(before):
            yield found["main"], before.removesuffix("."), f"{before} {after}"


def _asked(main: str, reading: PassageReading, *, opening: str) -> str:
    """'Why does …?' where the clause can be turned round; else the statement itself, which can have a reason but no way."""
    clause = split_clause(reading.lower(main))
    if clause and inverts_cleanly(clause) and "," not in main:
        return f"{ask(clause, opening=opening)}?"
    return f"Why is this so: “{main[0].upper()}{main[1:]}”?" if opening == "Why" else ""


def _can_be_asked(main: str, reason: str) -> bool:
    return (
        _FEWEST_MAIN <= word_count(main) <= _MOST_MAIN
        and _FEWEST_REASON <= word_count(reason) <= _MOST_REASON
        and len(content_set(reason)) >= _FEWEST_NAMED
        and not _OPEN.match(main)
        and not _is_joined(main)
        and not leans(main)
        and not points_outside(main)
        and not _UNFINISHED.search(main)
        and share_of(main, whole=reason) < _CIRCULAR
        and len(content_set(_JOINT.sub("", reason)) - content_set(main)) >= _FEWEST_NEW
    )


def _is_joined(main: str) -> bool:
    """'After all, …': an opening without a meaning joins it to something said before."""
    opening = _OPENED.match(main)
    return bool(opening) and not content_set(opening[1] if opening else "")


KIND = Kind(name="because", write=write, how_to_answer="One sentence is enough.")
