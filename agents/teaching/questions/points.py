"""The checklist of a text: two to four short points, one idea each, in the author's words and order.

Who compares an answer with it ticks what they had; a wall of text only gets a yes or a no.
"""

import re
from collections.abc import Iterator, Sequence

from agents.language.blocks import blocks, items, one_line, plain, whole_sentences
from agents.language.words import capital, clipped, content_set, content_stems

FEWEST_POINTS, MOST_POINTS = 2, 4
_LONG = 240  # characters of a point
_FEWEST_WORDS = 3  # of letters: a formula alone is no idea
_FEWEST_IN_A_CLAUSE, _FEWEST_NAMED = 2, 1  # words that say something
_MOST_FOR_CLAUSES = 2  # sentences; of more each is a point

_PICTURE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_ASIDE = re.compile(
    r"\s*\([^()]*\b(?:figure|fig\.|table|see|link|section|chapter)\b[^()]*\)|\[\[[^\]]*\]\]\([^)]*\)",
    re.IGNORECASE,
)
_LINKING = re.compile(
    r"^(?:However|Therefore|Thus|Hence|Consequently|In addition|Additionally|Moreover|Furthermore|In fact|Indeed|Also|"
    r"In contrast|On the other hand|As a result|Similarly|First|Second|Third|Finally|Answers will vary),?\s+",
)
_ONLY_POINTS_AWAY = re.compile(
    r"\b(?:answers? (?:will|may|can) vary|for example|for instance|see (?:figure|table|section|chapter|page))\b",
    re.IGNORECASE,
)
# The strongest border first: a text is cut at one kind of border only.
_BORDERS = (
    re.compile(r"\s*;\s+"),
    re.compile(r",?\s+\b(?:whereas|while|but|because|although)\s+|\s+—\s*|\s+–\s+", re.IGNORECASE),
    re.compile(r",\s+(?:and|so|or|which|where)\s+(?=\w+\s+\w+)", re.IGNORECASE),
    re.compile(r",\s+(?:(?:and|or)\s+)?", re.IGNORECASE),
)
_IN_A_ROW = 3  # things that a sentence names one after the other, each in a few words
_MOST_WORDS_NAMED = 8


def points_of(solution: str) -> tuple[str, ...]:
    """Two to four ideas of a text; none where it has only one, or more than can be told apart."""
    ideas = list(_ideas(solution))
    if len(ideas) <= _MOST_FOR_CLAUSES:
        ideas = [clause for idea in ideas for clause in _clauses(idea, alone=len(ideas) == 1)]
    ideas = list(dict.fromkeys(ideas))
    if len(ideas) > MOST_POINTS:
        ideas = _weightiest(ideas)
    return tuple(capital(clipped(idea, most=_LONG)) for idea in ideas) if len(ideas) >= FEWEST_POINTS else ()


def _ideas(text: str) -> Iterator[str]:
    """The sentences of its paragraphs and the items of its lists; code and tables hold no points."""
    for block in blocks(_PICTURE.sub("", text)):
        if block.kind == "list":
            yield from (said for item in items(block.text) if (said := _short(one_line(item))))
        elif block.kind == "paragraph":
            yield from (said for each in whole_sentences(block.text) if (said := _short(each)))


def _short(sentence: str) -> str:
    """What a sentence or an item says, in words; empty where it says nothing by itself."""
    said = _LINKING.sub("", _ASIDE.sub("", plain(sentence)).strip()).strip(" .;,:")
    words = [
        word for word in said.split() if word.strip("(),;:'’-").replace("-", "").replace("’", "").isalpha()
    ]
    return said if len(words) >= _FEWEST_WORDS and not _ONLY_POINTS_AWAY.search(said) else ""


def _clauses(idea: str, *, alone: bool) -> list[str]:
    """An idea in its parts; one among others is cut only where its author set a plain border."""
    *clauses, named = _BORDERS
    for border in clauses if alone else clauses[:1]:
        parts = _cut(idea, border)
        if FEWEST_POINTS <= len(parts) <= MOST_POINTS and _all_say(parts, fewest=_FEWEST_IN_A_CLAUSE):
            return parts
    parts = _cut(idea, named)
    is_row = _IN_A_ROW <= len(parts) <= MOST_POINTS and all(
        len(part.split()) <= _MOST_WORDS_NAMED for part in parts[1:]
    )
    return parts if alone and is_row and _all_say(parts, fewest=_FEWEST_NAMED) else [idea]


def _cut(idea: str, border: re.Pattern[str]) -> list[str]:
    return [part.strip(" ,;.") for part in border.split(idea)]


def _all_say(parts: Sequence[str], *, fewest: int) -> bool:
    return all(len(content_stems(part)) >= fewest for part in parts)


def _weightiest(ideas: Sequence[str]) -> list[str]:
    """The few that share most with all the others, in their order."""
    sets = [content_set(idea) for idea in ideas]
    counts: dict[str, int] = {}
    for stems in sets:
        for each in stems:
            counts[each] = counts.get(each, 0) + 1
    weights = [sum(counts[each] - 1 for each in stems) / (len(stems) or 1) ** 0.5 for stems in sets]
    kept = sorted(range(len(ideas)), key=lambda at: -weights[at])[:MOST_POINTS]
    return [ideas[at] for at in sorted(kept)]
