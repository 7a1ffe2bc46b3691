"""Whether a turn is easy to read."""

import re

from evals.metrics.scoring import Turn, metric

MOST_GRADE = 12.0  # Flesch-Kincaid: what somebody at the end of school reads with ease
_FEWEST_WORDS = 30  # below that one long word decides
_CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
_WORD = re.compile(r"[A-Za-z][A-Za-z'’]*")
_SENTENCE_END = re.compile(r"[.!?:;](?:\s|$)|\n+")
_VOWELS = re.compile(r"[aeiouy]+")


def judge(turn: Turn) -> list[str] | None:
    text = "\n".join(message.body for message in turn.heard.messages)
    grade = reading_grade(text)
    if grade is None:
        return None
    return [f"reads like grade {grade:.1f}"] if grade > MOST_GRADE else []


def reading_grade(text: str) -> float | None:
    """The Flesch-Kincaid grade of a text; None when it is too short to tell."""
    plain = _CODE.sub(" ", text)
    words = _WORD.findall(plain)
    if len(words) < _FEWEST_WORDS:
        return None
    sentences = sum(1 for part in _SENTENCE_END.split(plain) if _WORD.search(part))
    syllables = sum(_syllables(word) for word in words)
    return 0.39 * len(words) / sentences + 11.8 * syllables / len(words) - 15.59


def _syllables(word: str) -> int:
    groups = len(_VOWELS.findall(word.lower()))
    silent = word.lower().endswith("e") and not word.lower().endswith(("le", "ee"))
    return max(1, groups - silent)


reading_level = metric(judge)
