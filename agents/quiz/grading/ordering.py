"""Putting things in order: by letter, number or text."""

import re
from collections.abc import Sequence
from itertools import combinations

from agents.quiz.grading.grade import Grade, right, wrong
from agents.quiz.grading.stems import stem
from agents.quiz.grading.words import clean

_SEPARATOR = re.compile(
    r"\s*(?:->|→|=>|>|,|;|\n|\bthen\b|\bfollowed by\b|\bbefore\b|\band finally\b|\bfinally\b|\|)\s*"
)
_NUMBERING = re.compile(
    r"^\s*(?:\d+[.)]\s+|(?:and|first|second|third|fourth|fifth|next|last|lastly|comes)\b[\s:,]*)+"
)
_LABEL = re.compile(r"^[(\[]?([a-z]|\d{1,2})[)\].:]?$")


def grade_ordering(answer: str, references: Sequence[str], options: Sequence[str]) -> Grade | None:
    """The share of pairs in the right order; right only when all are."""
    best: tuple[float, bool, bool] | None = None
    for reference in references:
        expected = _sequence(reference, options)
        if len(expected) < 2:
            continue
        given = _sequence(answer, options or _parts(reference))
        wanted = expected if options else list(range(len(expected)))
        # All items in an order that is wrong throughout is an order, too.
        found = (_in_order(given, wanted), given == wanted, sorted(given) == sorted(wanted))
        best = max(best or found, found)
    if best is None:
        return None
    share, exact, complete = best
    if exact:
        return right("All in the right order.")
    if share == 0 and not complete:
        return wrong(
            "I cannot find the order in your answer; list the items from first to last.",
            confident=False,
        )
    return wrong(
        "Not quite the right order yet: some items come too early or too late.", score=min(0.9, share) / 2
    )


def _sequence(text: str, items: Sequence[str]) -> list[int]:
    """The items a text lists, as their numbers; without items, the parts themselves in order."""
    parts = _parts(text)
    if not items:
        return list(range(len(parts)))
    labels = _labels(parts, len(items))
    if labels:
        return labels
    written_out = _written_out(text, items)
    # An item may hold a comma of its own, so what is written out in full is looked for before the text is cut.
    if len(written_out) == len(items) and not _overlap(items):
        return written_out
    by_text = [_item(part, items) for part in parts]
    if len(parts) > 1 and None not in by_text:
        return [index for index in by_text if index is not None]
    return written_out


def _written_out(text: str, items: Sequence[str]) -> list[int]:
    """The items that a text has word for word, in its order."""
    said = _key(text)
    places = sorted(
        (place, index) for index, item in enumerate(items) if (place := said.find(_key(item))) >= 0
    )
    return [index for _, index in places]


def _overlap(items: Sequence[str]) -> bool:
    keys = [_key(item) for item in items]
    return any(one in other for one in keys for other in keys if one is not other)


def _parts(text: str) -> list[str]:
    """A, B, C; 1. x 2. y; first x then y; also BAC and 'B A C'."""
    cleaned = clean(text.replace("\n", ";"))
    parts = [_NUMBERING.sub("", part).strip(" .") for part in _SEPARATOR.split(cleaned)]
    parts = [part for part in parts if part]
    if len(parts) == 1 and all(len(word) == 1 for word in parts[0].replace("-", " ").split()):
        return parts[0].replace("-", " ").split()
    if (
        len(parts) == 1
        and re.fullmatch(r"[a-h]{2,8}|[1-9]{2,9}", parts[0])
        and len(set(parts[0])) == len(parts[0])
    ):
        return list(parts[0])
    return parts


def _labels(parts: Sequence[str], count: int) -> list[int]:
    found = [_LABEL.match(part) for part in parts]
    if not all(found):
        return []
    numbers = [
        int(match[1]) - 1 if match[1].isdigit() else ord(match[1]) - ord("a") for match in found if match
    ]
    return numbers if all(0 <= number < count for number in numbers) else []


def _item(part: str, items: Sequence[str]) -> int | None:
    said = _key(part)
    exact = [index for index, item in enumerate(items) if _key(item) == said]
    partly = [
        index for index, item in enumerate(items) if said and (said in _key(item) or _key(item) in said)
    ]
    return exact[0] if exact else partly[0] if len(partly) == 1 else None


def _in_order(given: Sequence[int], wanted: Sequence[int]) -> float:
    pairs = list(combinations(wanted, 2))
    place = {item: number for number, item in enumerate(given)}
    kept = sum(first in place and second in place and place[first] < place[second] for first, second in pairs)
    return kept / len(pairs)


def _key(text: str) -> str:
    return " ".join(
        stem(word) for word in re.findall(r"[^\W_]+", clean(text)) if word not in {"the", "a", "an"}
    )
