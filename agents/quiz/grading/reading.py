"""Texts read once: words, letters, clauses, and what a question gives away."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from agents.quiz.grading.words import Token, clean, content, tokens_of

_SENTENCE = re.compile(r"(?<=[.?!])\s+")
_CLAUSE = re.compile(r"[.;!?]| because | so | but ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A text read once: its words, its letters, its clauses."""

    clean: str
    tokens: tuple[Token, ...]
    content: tuple[Token, ...]
    clauses: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> "Text":
        cleaned, tokens = clean(text), tokens_of(text)
        clauses = tuple(part.strip() for part in _CLAUSE.split(cleaned) if len(part.strip()) > 2)[:12]
        return cls(
            clean=cleaned, tokens=tokens, content=content(tokens) or tokens, clauses=clauses or (cleaned,)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What the question gives away: its words, and those of what it finally asks."""

    text: Text
    stems: frozenset[str]
    asked: frozenset[str]

    @classmethod
    def of(cls, question: str) -> "Question":
        text = Text.of(question)
        asked = tokens_of(_what_is_asked(question))
        return cls(text=text, stems=stems_of(text.tokens), asked=stems_of(asked))


@lru_cache(maxsize=512)
def read_question(question: str) -> Question:
    return Question.of(question)


@lru_cache(maxsize=2048)
def read_reference(reference: str) -> Text:
    return Text.of(reference)


def _what_is_asked(question: str) -> str:
    """The last sentence; more of them where it says little ("Explain your answer.")."""
    sentences = [part for part in _SENTENCE.split(question) if part.strip()]
    asked = ""
    while sentences and len(content(tokens_of(asked))) < 4:
        asked = f"{sentences.pop()} {asked}"
    return asked or question


def stems_of(tokens: Sequence[Token]) -> frozenset[str]:
    return frozenset(token.stem for token in tokens)
