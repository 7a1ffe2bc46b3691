"""The hand-written lexicon: which words stand for one another, and which are opposites."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from agents.quiz.grading.stems import stem

Sides = tuple[tuple[int, int], ...]  # (line of the lexicon, side: +1 or -1 on an axis, 0 among synonyms)


@cache
def entries() -> Mapping[str, Sides]:
    """Stem, or stems of a phrase joined by underscores, to the lines it stands on."""
    found: dict[str, dict[int, int]] = {}
    text = files(__package__).joinpath("lexicon.txt").read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines()):
        if not line.startswith(("=", "|")):
            continue
        halves = line[1:].split("/")
        for side, words in zip((1, -1) if len(halves) == 2 else (0,), halves, strict=True):
            for word in words.split():
                key = "_".join(stem(part) for part in word.split("_"))
                found.setdefault(key, {}).setdefault(number, side)
    return {key: tuple(lines.items()) for key, lines in found.items()}


@cache
def _phrases() -> Mapping[str, tuple[tuple[str, ...], ...]]:
    found: dict[str, list[tuple[str, ...]]] = {}
    for key in entries():
        parts = tuple(key.split("_"))
        if len(parts) > 1:
            found.setdefault(parts[0], []).append(parts)
    return {first: tuple(sorted(group, key=len, reverse=True)) for first, group in found.items()}


def phrases_from(first: str) -> tuple[tuple[str, ...], ...]:
    """The phrases that begin with a stem, longest first."""
    return _phrases().get(first, ())
