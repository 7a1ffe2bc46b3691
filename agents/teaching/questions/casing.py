"""Capitals: which words keep theirs in the middle of a sentence."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from agents.teaching.questions.grammar import FUNCTION_WORDS
from agents.teaching.questions.terms import is_proper
from storage.course import Concept

_CODE = re.compile(r"`[^`]*`")


@dataclass(frozen=True, slots=True, kw_only=True)
class Casing:
    """What the passages show: words seen with a capital inside a sentence, and words seen without."""

    names: frozenset[str]
    common: frozenset[str]

    def inside(self, text: str) -> str:
        """A sentence's start as it reads in the middle of one."""
        first = re.match(r"[^\s,;:]+", text)
        if first is None:
            return text
        word = first.group().strip("(“\"'")
        keeps = word.lower() not in FUNCTION_WORDS and (_is_special(word) or self._is_name(word))
        return text if keeps else text[0].lower() + text[1:]

    def shown(self, concept: Concept) -> str:
        """A term as it reads in running text: headings and first words of sentences lose their capitals."""
        if concept.kind == "glossary":
            return concept.name
        words = [word.lower() if word.lower() in self.common else word for word in concept.name.split(" ")]
        if any(word.islower() for word in words[1:]) and not (
            _is_special(words[0]) or self._is_name(words[0])
        ):
            words[0] = words[0].lower()
        return " ".join(words)

    def is_sure(self, concept: Concept) -> bool:
        """Whether every capital of the shown name is known to belong there."""
        if concept.kind == "glossary":
            return True
        words = [word for word in self.shown(concept).split(" ") if not _is_special(word)]
        lower = [word[:1].islower() for word in words]
        mixed = any(lower) and not all(lower[lower.index(True) :])
        return not mixed and all(word[:1].islower() or self._is_name(word) for word in words)

    def _is_name(self, word: str) -> bool:
        return word.removesuffix("'s").removesuffix("’s") in self.names


def casing_of(texts: Iterable[str], *, concepts: Iterable[Concept]) -> Casing:
    """Read off the passages and the glossary; a heading's capitals prove nothing."""
    joined = _CODE.sub(" ", "\n".join(texts))
    capital = set(re.findall(r"(?<=[a-z,] )[A-Z][\w-]+", joined))
    lower = frozenset(re.findall(r"\b[a-z][\w-]+", joined))
    terms = [concept.name for concept in concepts if concept.kind == "glossary" and is_proper(concept.name)]
    from_terms = {word for name in terms for word in name.split() if is_proper(word)}
    names = {word for word in capital if word.lower() not in lower} | from_terms
    return Casing(names=frozenset(names), common=lower)


def _is_special(word: str) -> bool:
    return len(word) == 1 or any(letter.isupper() or letter.isdigit() for letter in word[1:])
