"""Words: which matter, their stems, the terms that they make up, and how alike two texts are."""

import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files

import snowballstemmer

from agents.language.formulas import LEVEL, readable_formulas


def word_set(text: str) -> frozenset[str]:
    """The words of a space-separated list."""
    return frozenset(text.split())


_SNOWBALL = snowballstemmer.stemmer("english")


@cache
def _vocabulary() -> Mapping[str, list[str]]:
    lists: dict[str, list[str]] = {}
    name = ""
    for line in files(__package__).joinpath("vocabulary.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            name = line.strip("[]")
        elif line and not line.startswith("#"):
            lists.setdefault(name, []).append(line)
    return lists


def vocabulary(*names: str) -> frozenset[str]:
    """The words of lists of ours."""
    return frozenset(word for name in names for line in _vocabulary()[name] for word in line.split())


def paired(name: str) -> dict[str, str]:
    """A list of form:base pairs."""
    return dict(pair.split(":") for line in _vocabulary()[name] for pair in line.split())


def grouped(name: str) -> list[list[str]]:
    """A list whose lines are groups of words."""
    return [line.split() for line in _vocabulary()[name]]


STOP = vocabulary("stop", "stop_written")
NUMBER_WORDS = paired("number_words")
_IRREGULAR = paired("irregular")
_UNSTEMMED = vocabulary("unstemmed")
_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.IGNORECASE)


_WORD = re.compile(r"[a-z0-9]+(?:[-'+#/][a-z0-9]+)*[+#]*")
_LEADING = {"the", "a", "an"}
_UNCHANGED_ENDINGS = ("ss", "us", "is")

TermKey = tuple[str, ...]


def words_of(text: str) -> list[str]:
    """The words of a text in lower case and in the singular, so that terms match however written."""
    return [singular(word) for word in _WORD.findall(_spelt(readable_formulas(text)))]


def _spelt(text: str) -> str:
    return text.lower().replace("’", "'").translate(LEVEL)


def term_key(name: str) -> TermKey:
    """What makes two spellings of a term the same: 'The Topics' and 'topic'."""
    words = words_of(re.sub(r"\([^()]*\)", " ", name)) or words_of(name)
    while len(words) > 1 and words[0] in _LEADING:
        words = words[1:]
    return tuple(words)


@lru_cache(maxsize=65536)
def singular(word: str) -> str:
    """A plain English singular; wrong now and then, but always wrong in the same way."""
    if len(word) < 4 or not word.endswith("s") or word.endswith(_UNCHANGED_ENDINGS):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    return word[:-1]


class TermFinder:
    """Finds known terms in running text, the longest first."""

    def __init__(self, keys: Iterable[TermKey]) -> None:
        by_first: dict[str, list[TermKey]] = {}
        for key in keys:
            by_first.setdefault(key[0], []).append(key)
        self._by_first: Mapping[str, list[TermKey]] = {
            first: sorted(found, key=len, reverse=True) for first, found in by_first.items()
        }

    def find(self, text: str) -> Iterator[TermKey]:
        """Yield each occurrence, in order; 'action server' is not also an 'action'."""
        return (key for key, _, _ in self.spans(text))

    def spans(self, text: str) -> Iterator[tuple[TermKey, int, int]]:
        """The same, and from where to where each stands."""
        found = list(_WORD.finditer(_spelt(text)))
        words = [singular(word[0]) for word in found]
        position = 0
        while position < len(words):
            step = 1
            for key in self._by_first.get(words[position], ()):
                if len(key) == 1 or tuple(words[position : position + len(key)]) == key:
                    step = len(key)
                    yield key, found[position].start(), found[position + step - 1].end()
                    break
            position += step


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The stem of one lower-case word: one form for went, goes and going; 2 for two."""
    word = _IRREGULAR.get(word, word)
    if word in _UNSTEMMED:
        return word
    return NUMBER_WORDS.get(word) or str(_SNOWBALL.stemWord(word))


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


_NAMED = 120  # characters


def in_short(text: str) -> str:
    """What a text of several paragraphs is called by: how its first one begins."""
    return clipped(" ".join(text.strip().partition("\n\n")[0].split()), most=_NAMED)


def capital(text: str) -> str:
    """A sentence's first letter; names like tf2 or xacro stay as they are written."""
    first = text.split(" ", 1)[0]
    return text if any(letter.isdigit() or letter == "_" for letter in first) else text[:1].upper() + text[1:]


_STARRED = re.compile(r"(?<![\w`$*])[A-Z]\*(?![\w*])")
_PIECES = re.compile(r"[^\w']+|_")

STOP_WORDS = STOP | vocabulary("stop_asked")


@lru_cache(maxsize=65536)
def root(word: str) -> str:
    """What a word shares with its inflections and the everyday words for the same: 'picture' and 'images'."""
    found = _spelt_one_way(word)
    return _SAME.get(found, found)


def _spelt_one_way(word: str) -> str:
    return stem(word.replace("isation", "ization").replace("ising", "izing").replace("ised", "ized"))


_SAME = {_spelt_one_way(word): _spelt_one_way(group[0]) for group in grouped("synonyms") for word in group}


def pieces(text: str) -> list[str]:
    """The words of a text; 'use_sim_time' and 'best-effort' also fall into their parts."""
    found: list[str] = []
    for word in words_of(text.replace("_", " ").replace("/", " ")):
        found += [part for part in _PIECES.split(word.removesuffix("'s")) if part]
        found += [word] if word.endswith(("++", "#")) else []
    return found


@lru_cache(maxsize=16384)
def roots(text: str) -> tuple[str, ...]:
    """Every word's root, in order, stop words and all; the same sentences are asked about again and again."""
    return tuple(root(word) for word in pieces(text))


def subject_words(text: str) -> list[str]:
    """The words that say something, in order, each once; 'A*' and 'C++' are words too."""
    words = [word for word in pieces(text) if word not in STOP_WORDS and (len(word) > 1 or word.isdigit())]
    starred = [match.lower() for match in _STARRED.findall(text)]
    return list(dict.fromkeys([*words, *starred]))


def subject_roots(text: str) -> frozenset[str]:
    return frozenset(root(word) for word in subject_words(text))


def is_generic(word: str) -> bool:
    """Whether the word belongs to asking in general rather than to a subject."""
    return root(word) in _GENERIC


def contains_phrase(text_stems: Sequence[str], phrase: Iterable[str]) -> bool:
    """Whether the stems stand next to each other in the text."""
    wanted = " ".join(phrase)
    return bool(wanted) and f" {wanted} " in f" {' '.join(text_stems)} "


@lru_cache(maxsize=4096)
def flat(text: str) -> str:
    """Only the letters and digits, so that markers and markup do not hide a repetition."""
    return re.sub(r"[\W_]+", "", re.sub(r"\[\d{1,3}\]", "", text)).lower()


_GENERIC = frozenset(root(word) for word in vocabulary("generic"))
