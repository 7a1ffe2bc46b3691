"""Words that matter and words that do not: stems, stop words, and how alike two texts are."""

import re
import zlib
from collections.abc import Sequence
from functools import lru_cache

import snowballstemmer

from rag.terms import words_of


def word_set(text: str) -> frozenset[str]:
    """The words of a space-separated list."""
    return frozenset(text.split())


_SNOWBALL = snowballstemmer.stemmer("english")

STOP = word_set(
    "a about above after again all also am among an and another any are as at be because been before being below "
    "between both but by can cannot could did do does doing done down due during each either else even ever every few "
    "for from had has have having he her here his how however i if in instead into is it its itself just let many may "
    "me might more most much must my neither no nor not of off often on once one only onto or other others our out "
    "over own per quite rather same shall she should since so some still such than that the their them themselves "
    "then there therefore these they this those though thus to too toward towards under unless until up upon us very "
    "via was we were what when where whereas whether which while who whom whose why will with within without would "
    "yet you your called named term"
)
_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve"
NUMBER_WORDS = {word: str(number) for number, word in enumerate(_NUMBERS.split())}
_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.IGNORECASE)


def snowball(word: str) -> str:
    """English inflections taken off, as Snowball does it: the one stemmer. Whoever is fitted on exceptions lays them over."""
    return str(_SNOWBALL.stemWord(word))


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The stem of one lower-case word."""
    return NUMBER_WORDS.get(word) or snowball(word)


@lru_cache(maxsize=8192)
def content_stems(text: str) -> tuple[str, ...]:
    """The stems of the words that carry meaning, in order."""
    return tuple(stem(word) for word in words_of(text.replace("_", " ")) if word not in STOP)


@lru_cache(maxsize=8192)
def content_set(text: str) -> frozenset[str]:
    return frozenset(content_stems(text))


def content_words(text: str) -> list[str]:
    """The words that carry meaning, in order, each once."""
    return list(dict.fromkeys(word for word in words_of(text.replace("_", " ")) if word not in STOP))


def likeness(one: str, other: str) -> float:
    """How much two texts share of their meaningful words, 0..1."""
    left, right = content_set(one), content_set(other)
    return len(left & right) / len(left | right) if left and right else 0.0


def share_of(part: str, *, whole: str) -> float:
    """The share of a text's meaningful words that another text holds too."""
    needed = content_set(part)
    return len(needed & content_set(whole)) / len(needed) if needed else 0.0


def word_count(text: str) -> int:
    return len(text.split())


def without_article(text: str) -> str:
    return _ARTICLE.sub("", text.strip())


def same_text(text: str) -> str:
    """What makes two texts the same to a reader: case, marks, articles and end stops aside."""
    return " ".join(words_of(without_article(text)))


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
