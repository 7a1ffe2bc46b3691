"""Inputs of every kind, made by a seeded chance: a hundred times faster than a search for the smallest one."""

import random
from typing import Any

_WORDS = [
    *"what is a topic the node not and or remind me to task 1 2 all delete complete tomorrow friday at 5pm true".split(),
    *"yes no A) b, 3.5 km/h 1/2 x^2 -> because stop skip hint **bold** `code` $x$ [1] http://a.b <b> ? ! . , ; ' \" “ ”".split(),
    *["\n", "\n\n", "\t", "\u200b", "\u0301", "😀", "中文", "\ud800", "\x00", "i don't know", "- ", "1. ", "```", "| a |", "$$"],
]  # fmt: skip


def any_text(chance: random.Random) -> str:
    """Words of all sorts, any characters at all, or one thing many times over."""
    match chance.randrange(4):
        case 0:
            return " ".join(chance.choices(_WORDS, k=chance.randrange(40)))
        case 1:
            return "".join(chance.choices(_WORDS, k=chance.randrange(40)))
        case 2:
            widest = chance.choice([0x80, 0x800, 0x3000, 0x110000])
            return "".join(chr(chance.randrange(widest)) for _ in range(chance.randrange(120)))
        case _:
            return chance.choice(_WORDS) * chance.randrange(200)


def any_json(chance: random.Random, *, depth: int = 3) -> Any:
    """Any value that JSON has, and the numbers that Python's JSON lets through."""
    simple = [
        None,
        True,
        False,
        0,
        -1,
        2**70,
        1.5,
        float("nan"),
        float("inf"),
        "",
        "x",
        "\ud800",
        any_text(chance)[:30],
    ]
    kind = chance.randrange(6 if depth else 4)
    if kind < 4:
        return chance.choice(simple)
    several = range(chance.randrange(4))
    if kind == 4:
        return [any_json(chance, depth=depth - 1) for _ in several]
    return {any_text(chance)[:12]: any_json(chance, depth=depth - 1) for _ in several}
