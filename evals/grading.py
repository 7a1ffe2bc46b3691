"""How well short answers are graded, on real student answers to questions the grader was not fitted on."""

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
import snowballstemmer
from numpy.typing import NDArray

from agents.quiz.grading import Grade, Similarity, grade_answer
from evals.data import bench_data
from evals.report import Report, Row, goal

CORPORA = ("scientsbank", "beetle")
_GOALS = {"scientsbank": 0.76, "beetle": 0.80}
_STEMMER = snowballstemmer.stemmer("english")
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One student's answer, and what a teacher said of it."""

    corpus: str
    question: str
    references: tuple[str, ...]
    answer: str
    is_correct: bool


def part_of(corpus: str, question: str) -> Literal["tune", "held_out"]:
    """Six questions in ten are for tuning; the rest are only looked at in the report."""
    digest = hashlib.sha256(f"{corpus}\n{question}".encode()).hexdigest()
    return "tune" if int(digest, 16) % 10 < 6 else "held_out"


def load_cases(part: Literal["tune", "held_out"]) -> list[Case]:
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


def load_similarity() -> Similarity:
    """WordLlama from inside its wheel, without a download."""
    import wordllama

    folder = Path(wordllama.__file__).parent
    loaded: Similarity = wordllama.WordLlama.load(cache_dir=folder, disable_download=True)
    return loaded


def macro_f1(truth: Bools, said: Bools) -> float:
    """The mean F1 of 'right' and 'not right'."""
    return (_f1(truth, said) + _f1(~truth, ~said)) / 2


def overlap(case: Case) -> float:
    """The baseline: the share of a reference's stems that the answer has, best of the references."""
    said = _stems(case.answer)
    return max(
        len(said & _stems(reference)) / max(1, len(_stems(reference))) for reference in case.references
    )


def best_border(scores: NDArray[np.float64], truth: Bools, corpora: NDArray[np.str_]) -> float:
    """One threshold for all text: the best mean macro-F1 over the corpora."""
    borders = np.arange(0.05, 0.96, 0.01)
    return float(
        max(
            borders,
            key=lambda at: sum(macro_f1(truth[corpora == c], scores[corpora == c] >= at) for c in CORPORA),
        )
    )


async def run() -> Report:
    """Grade every held-out answer, beside the plain overlap baseline."""
    tune, held_out = load_cases("tune"), load_cases("held_out")
    border = best_border(_scores(tune), _truth(tune), np.array([case.corpus for case in tune]))
    similarity = load_similarity()
    grades = [_grade(case, similarity) for case in held_out]
    rows: list[Row] = []
    for corpus in CORPORA:
        chosen = [i for i, case in enumerate(held_out) if case.corpus == corpus]
        rows += _rows(corpus, [held_out[i] for i in chosen], [grades[i] for i in chosen], border=border)
    plain = [_grade(case, None) for case in held_out]
    for corpus in CORPORA:
        chosen = [i for i, case in enumerate(held_out) if case.corpus == corpus]
        truth = _truth([held_out[i] for i in chosen])
        rows.append(
            Row(
                measure=f"{corpus}: macro-F1 without word vectors",
                value=f"{macro_f1(truth, _said([plain[i] for i in chosen])):.3f}",
            )
        )
    own = [
        grade_answer(r, question=c.question, references=c.references, similarity=similarity)
        for c, r in _items(held_out)
    ]
    rows.append(
        goal("expected answers graded right", sum(g.is_correct for g in own) / len(own), at_least=1.0)
    )
    rows.append(
        goal(
            "another question's expected answer graded wrong",
            _others_wrong(held_out, similarity),
            at_least=0.98,
        )
    )
    return Report(
        name="Grading: student answers to questions not tuned on",
        command="python -m evals grading",
        rows=rows,
        notes=[
            f"{len(tune):,} answers to 60% of the questions fitted the weights (evals/fit_grading.py); "
            f"these {len(held_out):,} answers are to the others. One grader and one threshold for both corpora. "
            f"Baseline: share of the reference's stems in the answer, one threshold ({border:.2f}) fitted on the tuning part."
        ],
    )


def _rows(corpus: str, cases: Sequence[Case], grades: Sequence[Grade], *, border: float) -> list[Row]:
    truth, said = _truth(cases), _said(grades)
    sure = np.array([grade.confident for grade in grades])
    return [
        Row(
            measure=f"{corpus}: answers / questions",
            value=f"{len(cases):,} / {len({case.question for case in cases})}",
        ),
        Row(
            measure=f"{corpus}: baseline macro-F1, plain stem overlap",
            value=f"{macro_f1(truth, _scores(cases) >= border):.3f}",
        ),
        goal(f"{corpus}: macro-F1", macro_f1(truth, said), at_least=_GOALS[corpus]),
        Row(measure=f"{corpus}: accuracy", value=f"{np.mean(truth == said):.3f}"),
        goal(f"{corpus}: share confident", float(sure.mean()), at_least=0.5),
        goal(f"{corpus}: macro-F1 where confident", macro_f1(truth[sure], said[sure]), at_least=0.9),
        goal(f"{corpus}: accuracy where confident", float(np.mean(truth[sure] == said[sure])), at_least=0.9),
    ]


def _others_wrong(cases: Sequence[Case], similarity: Similarity) -> float:
    """Each expected answer, handed in for questions of another kind."""
    items = list({case.question: case for case in cases}.values())
    wrong = tried = 0
    for number, case in enumerate(items):
        for step in (7, 19, 31):
            other = items[(number + step) % len(items)]
            if other.corpus == case.corpus == "beetle":
                continue  # its questions share their answers
            grade = grade_answer(
                other.references[0], question=case.question, references=case.references, similarity=similarity
            )
            wrong += not grade.is_correct
            tried += 1
    return wrong / tried


def _items(cases: Sequence[Case]) -> list[tuple[Case, str]]:
    return [
        (case, text)
        for case in {(c.question, c.references): c for c in cases}.values()
        for text in case.references
    ]


def _grade(case: Case, similarity: Similarity | None) -> Grade:
    return grade_answer(
        case.answer, question=case.question, references=case.references, similarity=similarity
    )


def _truth(cases: Sequence[Case]) -> Bools:
    return np.array([case.is_correct for case in cases], dtype=np.bool_)


def _said(grades: Sequence[Grade]) -> Bools:
    return np.array([grade.is_correct for grade in grades], dtype=np.bool_)


def _scores(cases: Sequence[Case], score: Callable[[Case], float] = overlap) -> NDArray[np.float64]:
    return np.array([score(case) for case in cases], dtype=np.float64)


def _f1(truth: Bools, said: Bools) -> float:
    hit = int(np.sum(truth & said))
    return 2 * hit / max(1, int(np.sum(truth)) + int(np.sum(said)))


@cache
def _stems(text: str) -> frozenset[str]:
    return frozenset(_STEMMER.stemWord(word) for word in re.findall(r"[a-z0-9]+", text.lower()))
