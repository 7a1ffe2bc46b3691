"""Small pieces of the tutor's sentences."""

import zlib
from collections.abc import Sequence


def joined(names: Sequence[str], *, most: int = 4, word: str = "and") -> str:
    """'node, topic and service'; a long list ends with how many more there are."""
    shown = list(names[:most])
    if len(names) > most:
        return f"{', '.join(shown)} {word} {len(names) - most} more"
    return f" {word} ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def bold(names: Sequence[str]) -> list[str]:
    return [f"**{name}**" for name in names]


def pick(choices: Sequence[str], *, key: str) -> str:
    """One of several ways to say it: another for another key, always the same for the same."""
    return choices[zlib.crc32(key.encode(errors="replace")) % len(choices)]


def clipped(text: str, *, most: int) -> str:
    """A text cut at a word, with an ellipsis where it was cut."""
    if len(text) <= most:
        return text
    return text[: most - 1].rsplit(" ", 1)[0].rstrip(" ,;:.") + "…"


def capital(text: str) -> str:
    """A sentence's first letter; names like tf2 or xacro stay as they are written."""
    first = text.split(" ", 1)[0]
    return text if any(letter.isdigit() or letter == "_" for letter in first) else text[:1].upper() + text[1:]
