"""What a conversation is about: the subject of the learner's last question."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agents.coordinator.question import Question, understand
from agents.tutor.wording import STOP_WORDS, content_words, is_generic
from rag.terms import singular

_WORD = re.compile(r"[\w'’+#*-]+")
_NAMED = re.compile(r"^(?:an?|the)\s+", re.IGNORECASE)
_LONGEST_SUBJECT = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A thing as it was named, with its article; a comparison has two."""

    names: tuple[str, ...]

    def __str__(self) -> str:
        return " and ".join(self.names)

    @property
    def bare(self) -> str:
        return _NAMED.sub("", self.names[0])

    @property
    def head(self) -> str:
        """The noun that 'a dynamic one' stands for."""
        return self.bare.split()[-1]


def subject_of(message: str, *, terms: Sequence[str] = ()) -> Subject | None:
    """What the message is about: the two things compared, the course's first term in it, or its first noun."""
    asked = understand(message)
    if asked.kind == "difference":
        return Subject(names=tuple(_as_named(name, message) for name in asked.focus))
    name = _first_term(asked.text, terms) or _focus(asked) or _first_noun(asked.text)
    return Subject(names=(_as_named(name, message),)) if name else None


def with_article(noun: str) -> str:
    """'a service', 'an action'; names and plurals stay as they are."""
    last = noun.rsplit(maxsplit=1)[-1]
    if _NAMED.match(noun) or noun[:1].isupper() or singular(last) != last:
        return noun
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def _first_term(text: str, terms: Sequence[str]) -> str:
    """The course's term that comes first; of two in one place the longer."""
    found = [
        (place, -len(key), place + len(key)) for key in map(_key, terms) if (place := _find(text, key)) >= 0
    ]
    if not found:
        return ""
    start, _, end = min(found)
    return " ".join(_WORD.findall(text)[start:end])


def _key(term: str) -> list[str]:
    return [singular(word.lower()) for word in _WORD.findall(term)]


def _find(text: str, key: list[str]) -> int:
    words = [singular(word.lower()) for word in _WORD.findall(text)]
    return next((at for at in range(len(words)) if key and words[at : at + len(key)] == key), -1)


def _focus(asked: Question) -> str:
    return asked.focus[0] if asked.focus and content_words(asked.focus[0]) else ""


def _first_noun(text: str) -> str:
    """The first run of words that belong to a subject: 'how does loop closure fix it' is about loop closure."""
    run: list[str] = []
    for word in _WORD.findall(text):
        about = word.lower() not in STOP_WORDS and not is_generic(word.lower())
        if not about and run and not word.isdigit():
            break
        if about or (run and word.isdigit()):
            run.append(word)
    return " ".join(run[:_LONGEST_SUBJECT])


def _as_named(name: str, message: str) -> str:
    """The name with the article that it had in the message."""
    match = re.search(rf"\b(?:an?|the)\s+{re.escape(name)}\b", message, re.IGNORECASE)
    return match.group() if match else name
