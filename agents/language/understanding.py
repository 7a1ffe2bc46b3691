"""What a message wants: linear models on its n-grams and a few facts of the situation, fitted on labels.

Two models share the n-grams. One tells the actions apart; the other tells, while a question is open, an answer from
everything else. Their weights are in understanding.npz, made by `python -m evals.fit_understanding --write` from
evals/labels. A phrase that is misread is a label to add there, never a rule to add here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz

from agents.language.grams import letter_grams, plain, tokens, word_grams

Floats = NDArray[np.float32]
Place = Literal["idle", "question", "lesson", "offer"]

WEIGHTS = Path(__file__).with_name("understanding.npz")
PLACES: tuple[Place, ...] = ("idle", "question", "lesson", "offer")
_LETTERS = frozenset("bcdefgh")  # 'a' is a word
KINDS = ("short_answer", "multiple_choice", "cloze", "true_false", "ordering")


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenQuestion:
    """The question that waits for an answer, as far as a reader of messages needs it."""

    kind: str
    text: str = ""
    options: tuple[str, ...] = ()
    expected: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How likely each action is, the likeliest first; and how likely the message answers the open question."""

    actions: tuple[tuple[str, float], ...]
    answer: float


def read(message: str, *, place: Place = "idle", question: OpenQuestion | None = None) -> Reading:
    """Read one message; without a question in view the place alone says that one is open."""
    weights = _weights()
    letters, words = letter_grams(message), word_grams(message)
    scores = weights.bias + place_facts(place) @ weights.places
    answer = float(weights.answer_bias + question_facts(message, question) @ weights.answer_facts)
    for grams in (letters, words):
        if grams:
            rarity = weights.rarity[grams]
            rarity = rarity / np.linalg.norm(rarity)
            scores = scores + (rarity @ weights.grams[grams].astype(np.float32)) * weights.scale
            answer += float(rarity @ weights.answer_grams[grams].astype(np.float32))
    chances = np.exp(scores - scores.max())
    chances /= chances.sum()
    order = np.argsort(-chances)
    return Reading(
        actions=tuple((weights.actions[each], float(chances[each])) for each in order),
        answer=float(1 / (1 + np.exp(-answer))) if place == "question" else 0.0,
    )


def answer_borders(*, in_view: bool) -> tuple[float, float]:
    """From which chance on a message is surely an answer, and up to which it is hardly one.

    Less is sure where the question itself was not in view.
    """
    surely, hardly = _weights().borders[int(in_view)]
    return float(surely), float(hardly)


def place_facts(place: Place) -> Floats:
    return np.array([place == each for each in PLACES], dtype=np.float32)


def question_facts(message: str, question: OpenQuestion | None) -> Floats:
    """How the message looks beside the question: like an option, like the key, like the question itself, or long."""
    said, words = plain(message), tokens(message)
    shape = [min(len(words), 40) / 10, float(said.endswith("?")), float(len(words) <= 2)]
    if question is None:
        return np.array([*shape, *[0.0] * (9 + len(KINDS))], dtype=np.float32)
    keys = [key for key in (question.expected, *question.options) if key]
    alike = max((_likeness(said, key) for key in keys), default=0.0)
    named = max((_named(words, key) for key in keys), default=0.0)
    asked = _named(tokens(question.text), said)
    beside = [
        1.0,
        alike,
        float(alike > 0.9),
        named,
        float(named == 1.0),
        named / max(1, len(words)) * 4,
        _likeness(said, question.text),
        asked,
        float(bool(question.options) and any(word in _LETTERS for word in words)),
    ]
    return np.array([*shape, *beside, *(question.kind == kind for kind in KINDS)], dtype=np.float32)


def _likeness(said: str, other: str) -> float:
    return fuzz.token_sort_ratio(said, plain(other)) / 100 if said and other else 0.0


def _named(words: Sequence[str], other: str) -> float:
    """How much of the other text's longer words the words have."""
    wanted = {word for word in tokens(other) if len(word) > 2 or word.isdigit()}
    return len(wanted & set(words)) / len(wanted) if wanted else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Weights:
    actions: Sequence[str]
    rarity: Floats
    grams: NDArray[np.int8]
    scale: Floats
    bias: Floats
    places: Floats
    answer_grams: NDArray[np.float16]
    answer_facts: Floats
    answer_bias: float
    borders: Floats


@cache
def _weights() -> _Weights:
    with np.load(WEIGHTS, allow_pickle=False) as stored:
        return _Weights(
            actions=[str(name) for name in stored["actions"]],
            rarity=stored["rarity"].astype(np.float32),
            grams=stored["grams"],
            scale=stored["scale"].astype(np.float32),
            bias=stored["bias"].astype(np.float32),
            places=stored["places"].astype(np.float32),
            answer_grams=stored["answer_grams"],
            answer_facts=stored["answer_facts"].astype(np.float32),
            answer_bias=float(stored["answer_bias"]),
            borders=stored["borders"],
        )
