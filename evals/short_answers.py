"""Real student answers with a teacher's verdict, which part of them may be tuned on, and how grading is scored."""

import hashlib
import json
import re
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np
import snowballstemmer
from numpy.typing import NDArray

from evals.data import bench_data

CORPORA = ("scientsbank", "beetle")
_STEMMER = snowballstemmer.stemmer("english")
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Part = Literal["tune", "held_out"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One student's answer, and what a teacher said of it."""

    corpus: str
    question: str
    references: tuple[str, ...]
    answer: str
    is_correct: bool


def part_of(corpus: str, question: str) -> Part:
    """Six questions in ten are for tuning; the rest are only looked at in the report."""
    digest = hashlib.sha256(f"{corpus}\n{question}".encode()).hexdigest()
    return "tune" if int(digest, 16) % 10 < 6 else "held_out"


def load_cases(part: Part) -> list[Case]:
    """The answers to the questions of one part."""
    lines = (bench_data("short_answers") / "train.jsonl").read_text(encoding="utf-8").splitlines()
    rows: list[dict[str, Any]] = [json.loads(line) for line in lines]
    return [
        Case(
            corpus=row["corpus"],
            question=row["question"],
            references=tuple(row["references"]),
            answer=row["answer"],
            is_correct=row["label"] == "correct",
        )
        for row in rows
        if part_of(row["corpus"], row["question"]) == part
    ]


def folds(corpora: NDArray[np.str_], questions: NDArray[np.int_], *, count: int) -> NDArray[np.int_]:
    """The fold of each answer: all answers to a question together, each corpus spread evenly."""
    fold = np.zeros(len(questions), dtype=np.int_)
    for corpus in CORPORA:
        own = np.unique(questions[corpora == corpus])
        shuffled = np.random.default_rng(0).permutation(len(own))
        for question, number in zip(own, shuffled, strict=True):
            fold[(corpora == corpus) & (questions == question)] = number % count
    return fold


def macro_f1(truth: Bools, said: Bools) -> float:
    """The mean F1 of 'right' and 'not right'."""
    return (_f1(truth, said) + _f1(~truth, ~said)) / 2


def overlap(case: Case) -> float:
    """The baseline: the share of a reference's stems that the answer has, best of the references."""
    said = _stems(case.answer)
    return max(
        len(said & _stems(reference)) / max(1, len(_stems(reference))) for reference in case.references
    )


def best_border(scores: Floats, truth: Bools, corpora: NDArray[np.str_]) -> float:
    """One threshold for all text: the best mean macro-F1 over the corpora."""
    borders = np.arange(0.05, 0.96, 0.01)
    return float(
        max(
            borders,
            key=lambda at: sum(macro_f1(truth[corpora == c], scores[corpora == c] >= at) for c in CORPORA),
        )
    )


def _f1(truth: Bools, said: Bools) -> float:
    hit = int(np.sum(truth & said))
    return 2 * hit / max(1, int(np.sum(truth)) + int(np.sum(said)))


@cache
def _stems(text: str) -> frozenset[str]:
    return frozenset(_STEMMER.stemWord(word) for word in re.findall(r"[a-z0-9]+", text.lower()))
