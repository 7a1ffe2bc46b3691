"""How well short answers are graded, on real student answers to questions the grader was not fitted on."""

from collections.abc import Sequence

import numpy as np

from agents.teaching.grading import Grade, Model, grade_answer
from evals.fit_grading import fit, table_of
from evals.report import Report, Row, goal
from evals.short_answers import (
    CORPORA,
    Bools,
    Case,
    Floats,
    best_border,
    folds,
    load_cases,
    macro_f1,
    overlap,
)

_GOALS = {"scientsbank": 0.76, "beetle": 0.80}
_FOLDS = 5
_FINDINGS = (
    "Why the goals are missed: teachers are strict on one question and lenient on the next (on the tuning questions between "
    "3% and 82% of the answers passed), and no measure of question or reference that we tried tells which. On one "
    "question 'the lines are closer' passed and 'the contour lines are close to each other' failed. The diagnosis rows take "
    "the same scores and let as many answers to each question pass as the teacher did; nothing tried below comes near that gain.",
    "",
    "Tried on the tuning questions and not used (mean macro-F1 over both corpora, five folds by question, six shuffles with a "
    "spread of ± .002 to .004; a linear model on the present measures: .723): 36 other measures (words weighted by how rare "
    "they are and by what the question gives away, these factors fitted; word likeness from lower cosines on; likeness of "
    "what is left over on both sides, and of what is new beside the question; words that stay together) .721, with the "
    "present ones .724; monotone boosted steps on either set .719 and .725; averages of these .724 to .727. Trees of depth "
    "two gave .728 where steps gave .726. No gain: a likeness fitted on the vectors, answers to other questions as "
    "background, the question's kind (why, how, what). Question length gave .006, but mostly tells one corpus from the other. "
    "A second model for confidence, with a second grader's view among its inputs: 9% of the SciEntsBank answers can be "
    "graded 90% right, instead of 3%.",
    "",
    "The boosted steps on the new measures were also checked once on the held-out questions: .697 and .762, confident on 19% "
    "and 63% with accuracy .870 and .821. That is no better than the grader as it is, so it stayed. Held-out totals were "
    "looked at three times in this work: for that grader, for the folds of this one, and for this table.",
)


async def run() -> Report:
    """Grade every held-out answer, then every answer by cross-validation, beside the plain overlap baseline."""
    tune, held_out = load_cases("tune"), load_cases("held_out")
    border = _overlap_border(tune)
    rows = _by_corpus(held_out, [_grade(case) for case in held_out], _overlap(held_out) >= border)
    rows += _properties(held_out)
    rows += _cross_validated([*tune, *held_out])
    return Report(
        name="Grading: student answers to questions not tuned on",
        command="python -m evals grading",
        rows=rows,
        notes=_notes(tune, held_out, border),
    )


def _by_corpus(cases: Sequence[Case], grades: Sequence[Grade], plain: Bools, suffix: str = "") -> list[Row]:
    rows: list[Row] = []
    for corpus in CORPORA:
        here = np.array([case.corpus == corpus for case in cases])
        chosen = np.flatnonzero(here).tolist()
        rows += _rows(
            f"{corpus}{suffix}", corpus, [cases[i] for i in chosen], [grades[i] for i in chosen], plain[here]
        )
    return rows


def _rows(title: str, corpus: str, cases: Sequence[Case], grades: Sequence[Grade], plain: Bools) -> list[Row]:
    truth, said = _truth(cases), _said(grades)
    sure = np.array([grade.confident for grade in grades])
    return [
        Row(
            measure=f"{title}: answers / questions",
            value=f"{len(cases):,} / {len({case.question for case in cases})}",
        ),
        Row(measure=f"{title}: baseline macro-F1, plain stem overlap", value=f"{macro_f1(truth, plain):.3f}"),
        goal(f"{title}: macro-F1", macro_f1(truth, said), at_least=_GOALS[corpus]),
        Row(measure=f"{title}: accuracy", value=f"{np.mean(truth == said):.3f}"),
        goal(f"{title}: share confident", float(sure.mean()), at_least=0.5),
        goal(f"{title}: macro-F1 where confident", macro_f1(truth[sure], said[sure]), at_least=0.9),
        goal(f"{title}: accuracy where confident", float(np.mean(truth[sure] == said[sure])), at_least=0.9),
    ]


def _properties(cases: Sequence[Case]) -> list[Row]:
    """What must hold whatever the corpus: the expected answer is right, another question's is wrong."""
    own = [
        grade_answer(text, question=case.question, references=case.references)
        for case in {(c.question, c.references): c for c in cases}.values()
        for text in case.references
    ]
    return [
        goal(
            "expected answers graded right",
            sum(grade.is_correct for grade in own) / len(own),
            at_least=1.0,
        ),
        goal(
            "another question's expected answer graded wrong",
            _others_wrong(cases),
            at_least=0.98,
        ),
    ]


def _others_wrong(cases: Sequence[Case]) -> float:
    """Each expected answer, handed in for questions of another kind."""
    items = list({case.question: case for case in cases}.values())
    wrong = tried = 0
    for number, case in enumerate(items):
        for step in (7, 19, 31):
            other = items[(number + step) % len(items)]
            if other.corpus == case.corpus == "beetle":
                continue  # its questions share their answers
            grade = grade_answer(other.references[0], question=case.question, references=case.references)
            wrong += not grade.is_correct
            tried += 1
    return wrong / tried


def _cross_validated(cases: Sequence[Case]) -> list[Row]:
    """All questions; points, borders and the baseline's threshold come from the other folds each time."""
    table = table_of(cases)
    fold = folds(table.corpora, table.questions, count=_FOLDS)
    grades: dict[int, Grade] = {}
    plain, scores = np.zeros(len(cases), dtype=np.bool_), _overlap(cases)
    for number in range(_FOLDS):
        model = Model(**fit(table.take(fold != number)))
        here = np.flatnonzero(fold == number).tolist()
        grades |= {i: _grade(cases[i], model) for i in here}
        plain[here] = scores[here] >= _overlap_border(
            [cases[i] for i in np.flatnonzero(fold != number).tolist()]
        )
    ordered = [grades[i] for i in range(len(cases))]
    rows = _by_corpus(cases, ordered, plain, f", {_FOLDS} folds over all")
    return rows + _if_strictness_were_known(cases, ordered)


def _if_strictness_were_known(cases: Sequence[Case], grades: Sequence[Grade]) -> list[Row]:
    """A diagnosis: for each question, pass as many answers as the teacher did, the best scored ones."""
    rows = []
    for corpus in CORPORA:
        groups: dict[str, list[int]] = {}
        for number, case in enumerate(cases):
            if case.corpus == corpus:
                groups.setdefault(case.question, []).append(number)
        passed: list[tuple[bool, bool]] = []
        for group in groups.values():
            best_first = sorted(group, key=lambda i: -grades[i].score)
            count = sum(cases[i].is_correct for i in group)
            passed += [(cases[i].is_correct, place < count) for place, i in enumerate(best_first)]
        truth, said = np.array(passed).T
        rows.append(
            Row(
                measure=f"{corpus}, diagnosis: macro-F1 of the same scores if told how many answers to each question passed",
                value=f"{macro_f1(truth, said):.3f}",
            )
        )
    return rows


def _notes(tune: Sequence[Case], held_out: Sequence[Case], border: float) -> list[str]:
    return [
        f"{len(tune):,} answers to 60% of the questions fitted the weights (evals/fit_grading.py); the first rows are the "
        f"{len(held_out):,} answers to the others. One grader and one threshold for both corpora. "
        f"Baseline: share of the reference's stems in the answer, one threshold ({border:.2f}) fitted on the tuning part.",
        "",
        "The rows with folds: all questions, all answers to a question in one fold; weights, borders and the baseline's "
        "threshold are fitted on the other folds each time, scale and borders there on inner folds. The measures and the "
        "lexicon were designed while looking at tuning questions only, but those questions are among these folds.",
        "",
        *_FINDINGS,
    ]


def _grade(case: Case, model: Model | None = None) -> Grade:
    return grade_answer(case.answer, question=case.question, references=case.references, model=model)


def _truth(cases: Sequence[Case]) -> Bools:
    return np.array([case.is_correct for case in cases], dtype=np.bool_)


def _said(grades: Sequence[Grade]) -> Bools:
    return np.array([grade.is_correct for grade in grades], dtype=np.bool_)


def _overlap(cases: Sequence[Case]) -> Floats:
    return np.array([overlap(case) for case in cases], dtype=np.float64)


def _overlap_border(cases: Sequence[Case]) -> float:
    return best_border(_overlap(cases), _truth(cases), np.array([case.corpus for case in cases]))
