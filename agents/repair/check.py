"""What code knows to be wrong in a sentence: a mark, a number or an address that the passages do not have."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from agents.repair.sentences import MARK, Sentence
from rag.results import RetrievalResult

FaultKind = Literal["unknown_mark", "foreign_number", "foreign_address", "no_marks"]

_ADDRESS = re.compile(
    r"(?:https?|file|ftp)://[^\s)\]>\"'`]+|\bwww\.[^\s)\]>\"'`]+|\b[\w.+-]+@[\w-]+\.[\w.]+", re.IGNORECASE
)
_CODE = re.compile(r"`[^`\n]*`")
_LIST_NUMBER = re.compile(r"^\s*(?:[-*+>]\s+)?(?:\*\*)?\d{1,3}[.)]\s")
_NUMBER = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*")
_WORD = re.compile(r"[^\W\d_]{4,}")
_STEM = 6  # letters that two forms of a word share
_CARRIED, _FEWEST = 0.7, 4  # of a sentence's longer words in one passage, and at least so many
_STRANGE = 0.2  # a marked passage that has less of them than this is not where it comes from
_COUNTED = "zero one two three four five six seven eight nine ten eleven twelve once twice".split()
_COUNTS = {**{word: str(value) for value, word in enumerate(_COUNTED[:13])}, "once": "1", "twice": "2"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What is wrong, in words that a model can act on."""

    kind: FaultKind
    detail: str


def faults(sentence: Sentence, passages: Sequence[RetrievalResult], *, known: str = "") -> list[Fault]:
    """Everything that makes the sentence unfit to be shown; `known` is what else it may take numbers from."""
    if not sentence.is_words:
        return []
    found = [
        Fault(kind="unknown_mark", detail=f"there is no passage [{mark}]")
        for mark in sentence.marks
        if not 1 <= mark <= len(passages)
    ]
    texts = [_all_of(passage) for passage in passages]
    for address in _ADDRESS.findall(sentence.text):
        bare = address.rstrip(".,;:*_")
        if not any(bare in text for text in (*texts, known)):
            found.append(Fault(kind="foreign_address", detail=f"{bare} is in no passage"))
    for number in strange_numbers(sentence, (*texts, known)):
        found.append(Fault(kind="foreign_number", detail=f"{number} is in no passage"))
    return found


def strange_numbers(sentence: Sentence, texts: Sequence[str]) -> list[str]:
    """The numbers of a sentence that none of the texts has."""
    said = _ADDRESS.sub(" ", _CODE.sub(" ", _LIST_NUMBER.sub("", sentence.words)))
    told = {number for text in texts for number in numbers_of(text)}
    return [number for number in dict.fromkeys(_NUMBER.findall(said)) if _plain(number) not in told]


@lru_cache(maxsize=256)
def numbers_of(text: str) -> frozenset[str]:
    """The numbers of a text, in digits or in small words."""
    spelt = (_COUNTS[word] for word in re.findall(r"[a-z]+", text.lower()) if word in _COUNTS)
    parts = (
        _plain(part)
        for number in re.findall(r"\d+(?:[.,]\d+)*", text)
        for part in (number, *number.split("."))
    )
    return frozenset([*spelt, *parts])


def carrier(sentence: Sentence, passages: Sequence[RetrievalResult]) -> int | None:
    """The number of the passage that clearly says this; None when no one does."""
    shares = [share(sentence, passage) for passage in passages]
    best = max(range(len(shares)), key=shares.__getitem__, default=None)
    if best is None or shares[best] < _CARRIED or len(_stems(sentence.words)) < _FEWEST:
        return None
    return best + 1


def is_strange(sentence: Sentence, passage: RetrievalResult) -> bool:
    """Whether the passage has next to nothing of the sentence."""
    return len(_stems(sentence.words)) >= _FEWEST and share(sentence, passage) < _STRANGE


def share(sentence: Sentence, passage: RetrievalResult) -> float:
    """How much of the sentence's longer words the passage has."""
    said = _stems(sentence.words)
    return len(said & _stems(_all_of(passage))) / len(said) if said else 0.0


def remarked(sentence: Sentence, mark: int) -> Sentence:
    """The sentence with this mark alone, before its stop."""
    text = re.sub(r"\s*" + MARK.pattern, "", sentence.text)
    body = text.rstrip()
    return Sentence(f"{body} [{mark}]{text[len(body) :]}")


def _all_of(passage: RetrievalResult) -> str:
    return (
        f"{' '.join((passage.title, *passage.heading_hierarchy))}\n{passage.source_url}\n{passage.chunk_text}"
    )


@lru_cache(maxsize=512)
def _stems(text: str) -> frozenset[str]:
    return frozenset(word[:_STEM] for word in _WORD.findall(text.lower()))


def _plain(number: str) -> str:
    """1,000 and 1.000 and 1000 are one number, 0,5 and 0.5 too."""
    digits = number.replace(",", ".")
    whole, _, rest = digits.rpartition(".")
    is_thousands = bool(whole) and len(rest) == 3 and all(len(part) == 3 for part in whole.split(".")[1:])
    return digits.replace(".", "") if is_thousands else digits
