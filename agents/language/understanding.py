"""What a message wants: linear models on its n-grams, its frame and a few facts of the situation, fitted on labels.

The n-grams know phrases; the frame, which is the message without the words of its subject, knows how people say such
things about anything. Two models share both. One tells the actions apart; the other tells, while a question is open, an answer from
everything else. Their weights are in understanding.npz, made by `python -m evals.fit_understanding --write` from
evals/labels. A phrase that is misread is a label to add there, never a rule to add here.
"""

import re
import unicodedata
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz

BUCKETS = 1 << 15
FRAME_BUCKETS = 1 << 14
# What somebody wants stands at the beginning or at the end, however long the message.
_HEAD_CHARS, _TAIL_CHARS = 360, 120
_TOKEN = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[^\w\s]")
_DRAWN_OUT = re.compile(r"(.)\1{2,}")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})
_LETTERS, _WORDS, _FRAME = (2, 5), (1, 3), (1, 4)
_MOST_FRAME_WORDS = 60


@lru_cache(maxsize=256)
def plain(text: str) -> str:
    """One spelling of what is typed alike: small letters, plain quotes, single spaces, 'soooo' as 'soo'."""
    if len(text) > _HEAD_CHARS + _TAIL_CHARS:
        text = f"{text[:_HEAD_CHARS]} {text[-_TAIL_CHARS:]}"
    text = unicodedata.normalize("NFKC", text).lower().translate(_QUOTES)
    return _DRAWN_OUT.sub(r"\1\1", " ".join(text.split()))


@lru_cache(maxsize=256)
def tokens(text: str) -> tuple[str, ...]:
    """Words and marks, in order."""
    return tuple(_TOKEN.findall(plain(text)))


@lru_cache(maxsize=256)
def letter_grams(text: str) -> tuple[int, ...]:
    """Runs of two to five letters within each word and its borders."""
    return _hashed(_runs(f" {token} ", *_LETTERS) for token in tokens(text))


@lru_cache(maxsize=256)
def word_grams(text: str) -> tuple[int, ...]:
    """Runs of one to three words; the ends of the message count as words."""
    return _hashed([_word_runs(["^", *tokens(text), "$"], _WORDS)])


def frame(
    text: str,
    *,
    known: Collection[str],
    always: Collection[str],
    asked: Collection[str] = (),
    keys: Collection[str] = (),
) -> list[str]:
    """The message without its subject: 'what means <key>', 'is <key> faster than <thing>', 'so <thing> is <asked>'.

    Only the words that learners of anything use (known) stay, and of the open question's own only the smallest (always).
    """
    words: list[str] = []
    for token in tokens(text)[:_MOST_FRAME_WORDS]:
        if token in always or not token[0].isalnum():
            word = token
        elif token in keys:
            word = "<key>"
        elif token in asked:
            word = "<asked>"
        else:
            word = token if token in known else "<thing>"
        if not words or word != words[-1] or word[0] != "<":
            words.append(word)
    return words


def frame_grams(words: Iterable[str]) -> tuple[int, ...]:
    """Runs of one to four words of a frame, and pairs with one or two words between them."""
    bounded = ["^", *words, "$"]
    pairs = (
        f"\0{first} {gap} {second}"
        for gap in (1, 2)
        for first, second in zip(bounded, bounded[gap + 1 :], strict=False)
    )
    return _hashed([_word_runs(bounded, _FRAME), pairs], FRAME_BUCKETS)


def _runs(token: str, shortest: int, longest: int) -> Iterator[str]:
    for length in range(shortest, longest + 1):
        for start in range(max(1, len(token) - length + 1)):
            yield token[start : start + length]


def _word_runs(words: list[str], lengths: tuple[int, int]) -> Iterator[str]:
    for length in range(lengths[0], lengths[1] + 1):
        for start in range(len(words) - length + 1):
            yield "\0" + " ".join(words[start : start + length])


def _hashed(groups: Iterable[Iterable[str]], buckets: int = BUCKETS) -> tuple[int, ...]:
    """Each bucket once, in a fixed order."""
    return tuple(
        sorted({zlib.crc32(gram.encode(errors="replace")) % buckets for group in groups for gram in group})
    )


Floats = NDArray[np.floating[Any]]
Place = Literal["idle", "question", "lesson", "offer"]

WEIGHTS = Path(__file__).with_name("understanding.npz")
PLACES: tuple[Place, ...] = ("idle", "question", "lesson", "offer")
_OPTION_LETTERS = frozenset("bcdefgh")  # 'a' is a word
_ALWAYS = 150  # of the known words, so common that they stay in every frame
KINDS = ("short_answer", "multiple_choice", "cloze", "true_false", "ordering")
_READ_AS = {
    "several": "multiple_choice"
}  # what an answer to another kind reads like; in words, if nothing is said here


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenQuestion:
    """The question that waits for an answer, as far as a reader of messages needs it."""

    kind: str
    text: str = ""
    options: tuple[str, ...] = ()
    expected: str = ""

    @property
    def read_as(self) -> str:
        """The kind among those that the labels have."""
        return self.kind if self.kind in KINDS else _READ_AS.get(self.kind, "short_answer")

    @property
    def keys(self) -> tuple[str, ...]:
        """What one can answer with."""
        return tuple(text for text in (self.expected, *self.options) if text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How likely each action is, the likeliest first; and how likely the message answers the open question."""

    actions: tuple[tuple[str, float], ...]
    answer: float


def read(message: str, *, place: Place = "idle", question: OpenQuestion | None = None) -> Reading:
    """Read one message; without a question in view the place alone says that one is open."""
    weights = _weights()
    facts = question_facts(message, question)
    scores = weights.bias + place_facts(place) @ weights.places
    answer = float(weights.answer_bias + facts @ weights.answer_facts)
    for grams in (letter_grams(message), word_grams(message)):
        if grams:
            places = list(grams)
            values = unit(weights.rarity[places])
            scores = scores + (values @ weights.grams[places].astype(np.float32)) * weights.scale
            answer += float(values @ weights.answer_grams[places].astype(np.float32))
    places = list(framed(message, None, known=weights.known))
    scores = (
        scores
        + (unit(weights.frame_rarity[places]) @ weights.frames[places].astype(np.float32)) * weights.scale
    )
    if place == "question":
        places = list(framed(message, question, known=weights.known))
        answer += float(unit(weights.frame_rarity[places]) @ weights.answer_frames[places].astype(np.float32))
    chances = np.exp((scores - scores.max()) * weights.temperature)
    chances /= chances.sum()
    order = np.argsort(-chances)
    return Reading(
        actions=tuple((weights.actions[each], float(chances[each])) for each in order),
        answer=_chance_of_answer(answer, scores, facts, weights) if place == "question" else 0.0,
    )


def _chance_of_answer(answer: float, scores: Floats, facts: Floats, weights: "_Weights") -> float:
    evidence = answer_evidence(np.array([answer]), scores[None, :], facts[None, :])[0]
    return float(1 / (1 + np.exp(-(weights.verdict_bias + evidence @ weights.verdict))))


def answer_evidence(answer: Floats, scores: Floats, facts: Floats) -> Floats:
    """What speaks for an answer, one row a message: its n-grams, how little it reads as any request, and the facts.

    A message that no action claims is likely an answer, and that is a matter of the best of them: no sum can say it.
    """
    ordered = np.sort(scores, axis=1)
    best, next_best, named = ordered[:, -1], ordered[:, -2], facts[:, 6]
    size, asks, in_view = facts[:, 0], facts[:, 1], facts[:, 3]
    columns = [
        answer, best, next_best, best - next_best, scores.mean(axis=1), answer * best, answer * named, best * named,
        best * size, answer * size, answer * in_view, best * in_view, asks * best, asks * answer, named * asks,
        named * size, np.minimum(best, 0), np.maximum(best, 0), np.minimum(answer, 0), answer * np.abs(answer),
    ]  # fmt: skip
    return np.column_stack([*columns, facts]).astype(np.float32)


def unit(values: Floats) -> Floats:
    return np.asarray(values / np.linalg.norm(values))


def framed(message: str, question: OpenQuestion | None, *, known: "Known") -> tuple[int, ...]:
    """The frame's n-grams, with the open question's words out of it as well."""
    asked = frozenset(tokens(question.text)) if question else frozenset()
    keys = frozenset(word for key in question.keys for word in tokens(key)) if question else frozenset()
    return frame_grams(
        frame(message, known=known.words, always=known.always, asked=_telling(asked), keys=_telling(keys))
    )


def _telling(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word for word in words if len(word) > 2 or word.isdigit())


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
        return np.array([*shape, *[0.0] * (12 + len(KINDS))], dtype=np.float32)
    alike = max((_likeness(said, key) for key in question.keys), default=0.0)
    named = max((_named(words, key) for key in question.keys), default=0.0)
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
        float(bool(question.options) and any(word in _OPTION_LETTERS for word in words)),
        *_letters_shared(said, question),
    ]
    return np.array([*shape, *beside, *(question.read_as == kind for kind in KINDS)], dtype=np.float32)


def _letters_shared(said: str, question: OpenQuestion) -> tuple[float, float, float]:
    """The same by runs of letters, which slips of the keyboard and endings hardly change."""
    own = frozenset(letter_grams(said)) or frozenset([0])
    asked = _gram_set(question.text)
    keys = [_gram_set(key) for key in question.keys]
    named = max((len(own & key) / max(1, len(key)) for key in keys), default=0.0)
    return 2 * len(own & asked) / len(own), 2 * named, 2 * len(own & asked.union(*keys)) / len(own)


@lru_cache(maxsize=1024)
def _gram_set(text: str) -> frozenset[int]:
    return frozenset(letter_grams(text))


def _likeness(said: str, other: str) -> float:
    return fuzz.token_sort_ratio(said, plain(other)) / 100 if said and other else 0.0


def _named(words: Sequence[str], other: str) -> float:
    """How much of the other text's longer words the words have."""
    wanted = _telling(tokens(other))
    return len(wanted & set(words)) / len(wanted) if wanted else 0.0


@dataclass(frozen=True, slots=True)
class Known:
    """The words that learners use whatever they learn; in every frame the commonest of them stay."""

    words: frozenset[str]
    always: frozenset[str]

    @classmethod
    def of(cls, commonest_first: Sequence[str]) -> "Known":
        return cls(frozenset(commonest_first), frozenset(commonest_first[:_ALWAYS]))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Weights:
    actions: Sequence[str]
    rarity: Floats
    grams: NDArray[np.int8]
    scale: Floats
    bias: Floats
    places: Floats
    known: Known
    frame_rarity: Floats
    frames: NDArray[np.int8]
    answer_grams: NDArray[np.float16]
    answer_frames: NDArray[np.float16]
    answer_facts: Floats
    answer_bias: float
    temperature: float
    verdict: Floats
    verdict_bias: float
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
            known=Known.of([str(word) for word in stored["known"]]),
            frame_rarity=stored["frame_rarity"].astype(np.float32),
            frames=stored["frames"],
            answer_grams=stored["answer_grams"],
            answer_frames=stored["answer_frames"],
            answer_facts=stored["answer_facts"].astype(np.float32),
            answer_bias=float(stored["answer_bias"]),
            temperature=float(stored["temperature"]),
            verdict=stored["verdict"],
            verdict_bias=float(stored["verdict_bias"]),
            borders=stored["borders"],
        )


# Languages with a sentence of ours to answer in are told apart; the rest would only blur the odds.
_LANGUAGES = (
    "en de fr es pt it nl pl ru uk cs sv da fi no tr el ro hu ar he fa hi bn zh ja ko vi id th".split()
)
_SURE = 0.75  # none of 8,453 English student answers is taken for another language from here on


def language_of(text: str) -> str:
    """The ISO code, or "" when the text is too short or too mixed to tell."""
    said = plain(text)
    if sum(map(str.isalpha, said)) < 2:
        return ""
    language, chance = _identifier().classify(said)
    return str(language) if chance >= _SURE else ""


@cache
def _identifier() -> Any:
    # Here: unpacking its weights takes half a second, which the first message has and the first prompt has not.
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(_LANGUAGES)
    return identifier
