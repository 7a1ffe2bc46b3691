"""The words of a question or a sentence that carry its subject, and how they match however inflected."""

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from agents.language.words import STOP, snowball, word_set
from rag.embedders import WordLlamaEmbedder
from rag.terms import words_of

_STARRED = re.compile(r"(?<![\w`$*])[A-Z]\*(?![\w*])")
_PIECES = re.compile(r"[^\w']+|_")

# Everyday words that people use for each other, whatever the subject; the first stands for all.
_SYNONYMS = tuple(
    line.split()
    for line in (
        "image picture photo photograph pic photography",
        "wireless wifi",
        "exchange swap replace substitute",
        "reject refuse decline deny",
        "rotate turn spin revolve",
        "corridor hallway",
        "bend bent curve curved",
        "tremble shake jitter wobble",
        "precise accurate exact",
        "speed velocity",
        "person people human",
        "ground floor",
        "pick choose select",
        "permit allow",
        "alter modify change vary",
        "attach connect join",
        "walk move motion movement moving",
        "crash fail failure failing",
        "error mistake bug fault",
        "false wrong incorrect",
        "answer reply response",
        "computer pc",
        "compute calculate calculation computation",
        "talk communicate",
        "advantage benefit",
        "drawback disadvantage downside",
        "silent quiet",
        "tiny small little",
        "large big huge",
        "quick fast rapid",
        "repair fix mend",
        "spot place location position",
        "sum total",
        "hollow empty",
        "vendor manufacturer supplier",
        "buy purchase",
        "student learner pupil",
        "graphic gpu",
        "monitor screen display",
        "freeze hang stuck",
        "begin start",
        "finish end complete",
        "watch observe follow",
        "inform notify tell",
        "grasp grab grip",
        "broken defective damaged",
        "blur blurry blurred",
        "noise noisy",
        "warn alert warning",
        "verify validate check",
        "guess estimate",
        "route path way",
        "repeat again redo repeated",
        "disturb affect influence interfere",
        "prevent avoid",
        "laboratory lab",
        "collide hit bump collision",
        "fall drop",
        "confuse mix confusion",
        "heavy weigh weight",
        "tall high height",
        "setting configuration config",
        "cheap inexpensive",
        "see look view",
        "say mention",
        "identical equal alike same",
        "join merge combine",
        "divide split separate",
        "wide broad width",
        "thin narrow",
        "dangerous unsafe risky",
        "safe safely safety",
        "reality real",
    )
)

# What asking adds to the little words; words_of makes "does" singular.
STOP_WORDS = STOP | word_set(
    """
    doe against along around behind beneath beside beyond except inside near outside through throughout versus vs
    mine myself ours yours him hers theirs isn't aren't wasn't weren't don't doesn't didn't can't couldn't won't
    wouldn't shouldn't hasn't haven't hadn't i'm i've i'd you're it's that's what's whats who's how's where's
    there's let's never really already always sometimes usually less least ones please thanks thank hi hello hey
    ok okay yes yeah well now today
    """
)

# Words that turn up in a question about anything. A course need not hold them to hold the answer.
_GENERIC = word_set(
    """
    able accept advantage disadvantage drawback option math maths away crazy internally achieve act actually add adjust affect allow answer apart apply approach arise ask available avoid
    bad basic better worse worst easier harder larger smaller faster slower bigger longer shorter fine life script basically become begin behave behind benefit best better big bit bring brief briefly broad build
    call care carry case cause certain change check choice choose clear clearly close come common compare comparison contrast contribute
    complete completely concept condition consider consist contain context continue correct correctly course create
    deal decide deep define definition depend describe description detail detailed differ difference different
    difficult discuss distinguish do easy effect either elaborate enable end ensure enough especially essential
    everyday exact exactly factor example exist expect explain explanation express fact fail far fast feature figure fill final
    finally find first fit fix follow form full function further general generally get give go goal good great guide
    handle happen hard have help helpful high hold idea illustrate impact important improve include indicate info
    information inside instead intend involve issue job keep key kind know large last later latter lead learn leave
    let level like likely list little long look lot low main make manage manner matter mean meaning mention method
    might mind mistake notice name necessary need new next nice normal normally note number obtain occur old order
    overall overview part particular perform perhaps pick piece place play point possible practical prefer prepare
    prevent principle probably problem proceed process produce proper property provide purpose put question quick quickly
    reach real reason recommend reduce refer regard relate relation relationship remain remember remove represent
    require respect result right role say second see seem separate serve set several short should show similar
    simple simply situation slow small solve sort special specific stand stage start state statement stay step still stop stuff
    suggest suit suitable summarize summary support suppose sure take talk tell term thing think third three time
    together top topic treat true try turn two type typical typically understand unique usage use useful user usual
    usually value various want way whole wide wish wonder word work worry wrong zero someone something anything
    everything nothing anyone everyone somebody anybody kindly quickly mainly roughly maybe does doing soon
    """
)
# 'feature', 'function', 'process', 'topic' and the like are everyday words here and terms there:
# where a course calls something so, they are looked for like any other word.


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """What a word shares with its inflections: 'calibrates' and 'calibration'."""
    found = _plain_stem(word)
    return _SAME.get(found, found)


def _plain_stem(word: str) -> str:
    word = word.replace("isation", "ization").replace("ising", "izing").replace("ised", "ized")
    return snowball(word)


_SAME = {_plain_stem(word): _plain_stem(group[0]) for group in _SYNONYMS for word in group}


def pieces(text: str) -> list[str]:
    """The words of a text; 'use_sim_time' and 'best-effort' also fall into their parts."""
    found: list[str] = []
    for word in words_of(text.replace("_", " ").replace("/", " ")):
        found += [part for part in _PIECES.split(word.removesuffix("'s")) if part]
        found += [word] if word.endswith(("++", "#")) else []
    return found


@lru_cache(maxsize=16384)
def stems(text: str) -> tuple[str, ...]:
    """Every word's stem, in order, stop words and all; the same sentences are asked about again and again."""
    return tuple(stem(word) for word in pieces(text))


def content_words(text: str) -> list[str]:
    """The words that say something, in order, each once; 'A*' and 'C++' are words too."""
    words = [word for word in pieces(text) if word not in STOP_WORDS and (len(word) > 1 or word.isdigit())]
    starred = [match.lower() for match in _STARRED.findall(text)]
    return list(dict.fromkeys([*words, *starred]))


def content_stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in content_words(text))


def is_generic(word: str) -> bool:
    """Whether the word belongs to asking in general rather than to a subject."""
    return stem(word) in _GENERIC_STEMS


def contains_phrase(text_stems: Sequence[str], phrase: Iterable[str]) -> bool:
    """Whether the stems stand next to each other in the text."""
    wanted = " ".join(phrase)
    return bool(wanted) and f" {wanted} " in f" {' '.join(text_stems)} "


def flat(text: str) -> str:
    """Only the letters and digits, so that markers and markup do not hide a repetition."""
    return re.sub(r"[\W_]+", "", re.sub(r"\[\d{1,3}\]", "", text)).lower()


def count_words(text: str) -> int:
    return len(text.split())


_GENERIC_STEMS = frozenset(stem(word) for word in _GENERIC)


Floats = NDArray[np.float32]

# The lengths of vectors: 'the' 1.6, 'get' 5.8, 'work' 9.2, 'node' 15.9. A word of several tokens is a rare one.
_SMALL, _TELLING = 4.0, 16.0
_LEAST = 0.1
_UNLIKE, _ALIKE = 0.4, 0.8  # cosines: 'swap' and 'exchange' have .41, 'delete' and 'remove' .68


@lru_cache(maxsize=16384)
def telling(word: str) -> float:
    """0.1 for a word that may stand anywhere, up to 1 for one that names a thing."""
    lengths = _embedder().lengths(word)
    if len(lengths) > 1:
        return 1.0
    return min(1.0, max(_LEAST, (sum(lengths) - _SMALL) / (_TELLING - _SMALL)))


def tokens(word: str) -> int:
    """In how many pieces the vectors have the word: one for a common one."""
    return len(_embedder().lengths(word))


def likeness(word: str, others: Sequence[str]) -> float:
    """How near the nearest of the other words comes, from 0 to 1."""
    return min(1.0, max(0.0, (nearness(word, others) - _UNLIKE) / (_ALIKE - _UNLIKE)))


def nearness(text: str, others: Sequence[str]) -> float:
    """The cosine of the nearest of the other texts."""
    return float(np.max(np.array([_vector(other) for other in others]) @ _vector(text))) if others else 0.0


def embed(texts: Sequence[str]) -> Floats:
    """One unit vector a text."""
    return np.asarray(_embedder().embed(list(texts)).vectors, dtype=np.float32)


@lru_cache(maxsize=16384)
def _vector(word: str) -> Floats:
    found: Floats = embed([word])[0]
    return found


@cache
def _embedder() -> WordLlamaEmbedder:
    return WordLlamaEmbedder()
