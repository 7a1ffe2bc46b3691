"""Letters that stand for something: which one a question is about, and the sentence of a text that says what it is."""

import re
from collections.abc import Iterable

from agents.language.blocks import whole_sentences
from agents.language.formulas import readable_formulas

_GREEK = "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ"
# 'v_0', 'v0', 'v₀'; letters only behind an underscore, or DDS would be a D.
_SUB = r"(?:_\{?[A-Za-z0-9]{1,4}\}?|[0-9₀-₉ₐ-ₜ°‡]{1,3})?"
_SYMBOL = re.compile(rf"(?<![\w'’])(?:[Δ∆]?[A-Za-z{_GREEK}]|[A-Z][a-z]?(?=_)){_SUB}(?![\w'’])")
# Said of a letter, and of hardly anything else.
_ASKS = re.compile(
    r"\b(?:stands? for|stand\b|means?\b|mean\b|represents?\b|denotes?\b|symbol|letter|variable|units? (?:of|does|has)|is)\b",
    re.IGNORECASE,
)
_NO_SYMBOL = frozenset("a i".split())


def symbol_in(question: str) -> str:
    """The letter whose meaning is asked, not those of the formula that it stands in; empty for any other question."""
    text = readable_formulas(question)
    if not _ASKS.search(text):
        return ""
    before, among, _ = text.partition(" in ")
    found = _symbols(before) if among and _symbols(before) else _symbols(text)
    return found[0] if len(set(found)) == 1 else ""


def _symbols(text: str) -> list[str]:
    return [each for each in _SYMBOL.findall(text) if each.lower() not in _NO_SYMBOL and not _is_word(each)]


def said_of(symbol: str, text: str) -> tuple[float, str]:
    """The sentence that says best what a letter is, and how plainly; nothing where none does."""
    sentences = [" ".join(each.split()) for each in whole_sentences(readable_formulas(text))]
    scored = [(_plainly(symbol, each), each) for each in sentences]
    return max(scored, key=lambda each: each[0], default=(0.0, ""))


def best_said(symbol: str, texts: Iterable[str]) -> tuple[int, str]:
    """The place of the text that says it most plainly, the first of several, and its sentence; -1 where none does."""
    found = [said_of(symbol, text) for text in texts]
    best = max(range(len(found)), key=lambda place: found[place][0], default=-1)
    return (best, found[best][1]) if best >= 0 and found[best][0] else (-1, "")


def _plainly(symbol: str, sentence: str) -> float:
    sign = re.escape(symbol)
    alone = rf"(?<![\w=+*/^])\(?{sign}\)?(?![\w])"
    if re.search(rf"{alone}\s+(?:stands for|represents|denotes|is called|means)\b", sentence):
        return 1.0
    if re.search(
        rf"(?:where|and|,|;|here)\s+{alone}\s+(?:is|are|was)\s+(?:the|a|an|called)?\s*\w",
        sentence,
        re.IGNORECASE,
    ):
        return 0.9
    if re.search(rf"\w{{4,}},?\s+\({sign}\)|\w{{4,}}, {sign}(?=[,.;:]|\s+(?:is|of|in|for|and)\b)", sentence):
        return 0.8
    if re.search(rf"(?:^|\s){alone}\s+(?:is|are)\s+(?:the|a|an)\s+\w", sentence):
        return 0.7
    return 0.0


def _is_word(token: str) -> bool:
    """Whether a token of several letters is a word rather than a letter with its index."""
    return len(token) > 1 and token.isalpha() and token.isascii() and (token.islower() or token.istitle())
