"""Nobody makes the tutor slow by what they write: each reader of a learner's text takes time in proportion.

One message of 200 kB made the next question take 82 seconds, and others wait. Messages are cut at the door by now;
what reads them must not need more than a blink for what passes it, whatever it is.
"""

import random
import re
import time
from collections.abc import Callable

import pytest

from agents.screen import MOST_MESSAGE
from tests.support.readers import READERS
from tests.support.soak import SOAK, times

UNITS = [
    *re.findall(
        r"\S+",
        r"""a 1 - . ! ? , ( ) (( [ [1] ] { < " ' “ ’ ** *a* _ ` $ $$a \ | / a/ a- a's @ # 5/5 1e9 1/2 1,000 ² µm é 中 😀 →
        12:30 2026-01-01 http://a.b/ a@b.c AB.""",
    ),
    *[
        "\n",
        "\n\n",
        " ",
        "\t",
        "a ",
        "word ",
        "the topic ",
        "1 ",
        "- ",
        "1. ",
        ". ",
        ", ",
        "<a ",
        "```\n",
        "x = ",
        "’ ",
    ],
    *[
        "no ",
        "not ",
        "yes ",
        "n't ",
        "and ",
        "or ",
        "and then ",
        "what is a topic? ",
        "remind me to ",
        "task 1 and ",
    ],
    *[
        "tomorrow ",
        "next monday ",
        "at 5pm ",
        "i don't know ",
        "true ",
        "A) ",
        "a, b, ",
        "e.g. ",
        "\u0301",
        "\u200d",
    ],
]
_SMALL = MOST_MESSAGE // 4
_LEAST_SECONDS = 0.01  # below this a clock's noise is most of it


def long(unit: str, size: int) -> str:
    return (unit * (size // len(unit) + 1))[:size]


def seconds(read: Callable[[str], object], text: str) -> float:
    started = time.process_time()
    read(text)
    return time.process_time() - started


def growth(read: Callable[[str], object], unit: str) -> float:
    """How many times longer a text of four times the length takes; the second try counts where the first is odd."""
    tries = []
    for _ in range(3):
        small = seconds(read, long(unit, _SMALL))
        tries.append(seconds(read, long(unit, MOST_MESSAGE)) / max(small, _LEAST_SECONDS))
        if tries[-1] < 8:
            break
    return min(tries)


@pytest.mark.scaled
@pytest.mark.parametrize("name", READERS)
def test_four_times_the_text_takes_about_four_times_as_long(name: str) -> None:
    """Sixteen times as long is what a pattern that goes back takes."""
    read = READERS[name]
    read("What is a topic?")  # loads what it needs
    # Each reader gets another third of them, and in the soak all.
    units = UNITS if SOAK else UNITS[len(name) % 3 :: 3]
    assert {unit: factor for unit in units if (factor := growth(read, unit)) >= 8} == {}


@pytest.mark.soak
@pytest.mark.parametrize("name", READERS)
def test_no_reader_takes_more_than_a_fifth_of_a_second_for_any_message(name: str) -> None:
    read, chance = READERS[name], random.Random(name)
    read("What is a topic?")
    slow: dict[str, float] = {}
    for _ in range(times(1, 600)):
        unit = "".join(chance.choices(UNITS, k=chance.randint(1, 4)))
        before, after = chance.choice(UNITS), chance.choice(UNITS)
        text = before + long(unit, MOST_MESSAGE - len(before + after)) + after
        if seconds(read, text) > 0.2 and (again := min(seconds(read, text) for _ in range(3))) > 0.2:
            slow[f"{before!r} {unit!r} {after!r}"] = round(again, 2)
    assert slow == {}
