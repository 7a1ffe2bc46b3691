"""Fit what a message wants on the labels: python -m evals.fit_understanding [--write].

Three linear models on hashed n-grams: the actions (one against the rest, then one temperature for all, so that a score
reads as a chance), answer or request while a question is open, and which words name the topic. A label's author is left
out while the others are fitted, to see how strangers would fare: what is printed is that. Needs the extra 'fit' and
TUTOR_BENCH_DATA (half of the real student answers are examples of answers; the other half is for the benchmark).
"""

import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import minimize_scalar
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from agents.language import spans
from agents.language.grams import BUCKETS, letter_grams, word_grams
from agents.language.understanding import (
    WEIGHTS,
    OpenQuestion,
    Place,
    place_facts,
    question_facts,
)
from evals.data import bench_data

LABELS = Path(__file__).parent / "labels" / "messages_fit.jsonl"
_STUDENT_ANSWERS = 3000
_GRADED_REQUESTS, _MISSED_ANSWERS = 0.004, 0.02  # what the two borders may let through, author by author
_ACTION_COST, _ANSWER_COST, _TOPIC_COST = 0.7, 4.0, 2.0
_FOLDS = 4
_ANYWHERE = ("question", "question", "question", "idle", "idle", "lesson", "offer")
_WITH_TOPIC = ("teach", "quiz_me", "change_topic", "diagnose", "plan", "switch_course")

Rows = Any  # a sparse matrix, one row a message


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """One message, where it was said, and what it wants."""

    text: str
    action: str
    place: str = ""
    manner: str = ""
    topic: str = ""
    task: str = ""
    also: tuple[str, ...] = ()
    question: OpenQuestion | None = None
    by: str = ""

    @property
    def name(self) -> str:
        return f"{self.action}/{self.manner}" if self.manner else self.action


def main(arguments: Sequence[str] = tuple(sys.argv[1:])) -> None:
    """Cross-validate by author, fit on everything, and write the weights with --write."""
    labels = load(LABELS)
    requests = [label for label in labels if label.action != "answer"]
    temperature = _report_actions(requests)
    examples = list(answer_examples(labels))
    borders = _report_answers(examples)
    _report_topics(requests)
    stored = {
        **_actions(requests, temperature=temperature),
        **_answers(examples, rarity=_rarity([label.text for label in requests])),
        **_topics(requests),
        "borders": np.array(borders, dtype=np.float32),
        "labels": np.array(hashlib.sha256(LABELS.read_bytes()).hexdigest()),
    }
    if "--write" in arguments:
        np.savez_compressed(WEIGHTS, allow_pickle=False, **stored)
        print(f"{WEIGHTS.name}: {WEIGHTS.stat().st_size / 1e6:.2f} MB")


def load(path: Path) -> list[Label]:
    return [_label(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def _label(row: dict[str, Any]) -> Label:
    question = row.pop("question", None)
    shown = OpenQuestion(**{**question, "options": tuple(question.get("options", ()))}) if question else None
    return Label(**{**row, "also": tuple(row.get("also", ()))}, question=shown)


# Actions


def _report_actions(labels: Sequence[Label]) -> float:
    """Author by author: how often action and alternatives are right; returns the best temperature."""
    names = sorted({label.name for label in labels})
    scores, truth, right = [], [], []
    for rest, own in _by_author(labels):
        rarity = _rarity([label.text for label in rest])
        model = _svc(_rows(rest, rarity), [label.name for label in rest])
        found = np.full((len(own), len(names)), -9.0)
        found[:, [names.index(name) for name in model.classes_]] = model.decision_function(_rows(own, rarity))
        scores.append(found)
        truth += [names.index(label.name) for label in own]
        picked = [names[place].partition("/")[0] for place in found.argmax(axis=1)]
        right += [name in (label.action, *label.also) for name, label in zip(picked, own, strict=True)]
    table, places = np.vstack(scores), np.array(truth)
    best = minimize_scalar(lambda t: _surprise(table * t, places), bounds=(0.5, 20), method="bounded")
    print(f"actions, authors left out: {np.mean(right):.3f} of {len(right)}; temperature {best.x:.2f}")
    return float(best.x)


def _actions(labels: Sequence[Label], *, temperature: float) -> dict[str, NDArray[Any]]:
    rarity = _rarity([label.text for label in labels])
    model = _svc(_rows(labels, rarity), [label.name for label in labels])
    weights = model.coef_.T * temperature
    grams, places = weights[:BUCKETS], weights[BUCKETS:]
    scale = np.abs(grams).max(axis=0) / 127
    return {
        "actions": np.array(model.classes_),
        "rarity": rarity.astype(np.float16),
        "grams": np.round(grams / scale).astype(np.int8),
        "scale": scale.astype(np.float32),
        "bias": (model.intercept_ * temperature).astype(np.float32),
        "places": places.astype(np.float32),
    }


def _svc(rows: Rows, names: Sequence[str]) -> LinearSVC:
    return LinearSVC(C=_ACTION_COST, class_weight="balanced").fit(rows, names)


def _surprise(scores: NDArray[np.float64], truth: NDArray[np.int_]) -> float:
    """The mean negative log of the chance that the right action got."""
    high = scores.max(axis=1, keepdims=True)
    logs = scores - high - np.log(np.exp(scores - high).sum(axis=1, keepdims=True))
    return float(-logs[np.arange(len(truth)), truth].mean())


# Answers


def answer_examples(labels: Sequence[Label]) -> Iterator[tuple[Label, bool]]:
    """Every label as it may arrive while a question is open: with the question in view, and without.

    A request that was written for another situation gets a question by lot.
    """
    pool = [label.question for label in labels if label.question]
    usable = [label for label in labels if label.action not in ("yes", "no")]
    for number, label in enumerate((*usable, *_own_answers(labels), *_student_answers(), *_book_answers())):
        is_answer = label.action == "answer"
        yield replace(label, question=None), is_answer
        if label.question or not is_answer:
            yield replace(label, question=label.question or pool[number * 7919 % len(pool)]), is_answer


def _own_answers(labels: Sequence[Label]) -> Iterator[Label]:
    """What the labels' own questions offer or expect is an answer, whoever types it."""
    for label in labels:
        if label.question:
            for text in dict.fromkeys((label.question.expected, *label.question.options)):
                if len(text) > 1:
                    yield Label(text=text, action="answer", question=label.question, by=label.by)


def _book_answers() -> Iterator[Label]:
    """The options and answers of a book's exercises: the words of a subject, which no request has."""
    for line in (
        (bench_data("openstax_biology") / "derived" / "questions.jsonl")
        .read_text(encoding="utf-8")
        .splitlines()
    ):
        row = json.loads(line)
        question = OpenQuestion(
            kind="multiple_choice" if row["options"] else "short_answer",
            text=row["question"],
            options=tuple(map(str, row["options"])),
        )
        texts = [str(option) for option in row["options"]] or [str(row["answer"])]
        for text in texts:
            if text.strip() and hashlib.sha256(row["question"].encode()).digest()[0] < 128:
                yield Label(text=text, action="answer", question=question, by="book")


def _student_answers() -> list[Label]:
    lines = (bench_data("short_answers") / "train.jsonl").read_text(encoding="utf-8").splitlines()
    rows = {row["answer"]: row for row in map(json.loads, lines)}
    ours = sorted(text for text in rows if hashlib.sha256(text.encode()).digest()[0] < 128)
    step = max(1, len(ours) // _STUDENT_ANSWERS)
    return [
        Label(
            text=text,
            action="answer",
            by=f"students-{place % 5}",
            question=OpenQuestion(
                kind="short_answer", text=rows[text]["question"], expected=_reference(rows[text])
            ),
        )
        for place, text in enumerate(ours[::step])
    ]


def _reference(row: dict[str, Any]) -> str:
    return str(next(iter(row.get("references") or [row.get("reference", "")]), ""))


def _report_answers(examples: Sequence[tuple[Label, bool]]) -> list[tuple[float, float]]:
    """Author by author: how likely an answer each is; returns the borders of doubt without and with the question."""
    chances, seen = [], []
    for rest, own in _by_author(examples, author=lambda example: example[0].by):
        rarity = _rarity([label.text for label, _ in rest])
        model = _logistic(_answer_rows(rest, rarity), [is_answer for _, is_answer in rest])
        chances.append(model.predict_proba(_answer_rows(own, rarity))[:, 1])
        seen += own
    likely = np.concatenate(chances)
    typed = np.array([label.by.startswith("writer") and label.text not in _keys(label) for label, _ in seen])
    is_answer = np.array([is_answer for _, is_answer in seen])
    in_view = np.array([label.question is not None for label, _ in seen])
    return [
        _borders(likely[typed & (in_view == view)], is_answer[typed & (in_view == view)])
        for view in (False, True)
    ]


def _keys(label: Label) -> tuple[str, ...]:
    return (label.question.expected, *label.question.options) if label.question else ()


def _borders(likely: NDArray[np.float64], is_answer: NDArray[np.bool_]) -> tuple[float, float]:
    surely = max(0.5, float(np.quantile(likely[~is_answer], 1 - _GRADED_REQUESTS)))
    hardly = min(0.5, float(np.quantile(likely[is_answer], _MISSED_ANSWERS)))
    doubt = (likely > hardly) & (likely < surely)
    print(
        f"answers, authors left out: borders {hardly:.3f} and {surely:.3f}; requests graded "
        f"{np.mean(likely[~is_answer] >= surely):.4f}, asked about {np.mean(doubt[~is_answer]):.3f}; "
        f"answers missed {np.mean(likely[is_answer] <= hardly):.4f}, asked about {np.mean(doubt[is_answer]):.3f}"
    )
    return surely, hardly


def _answers(
    examples: Sequence[tuple[Label, bool]], *, rarity: NDArray[np.float64]
) -> dict[str, NDArray[Any]]:
    model = _logistic(_answer_rows(examples, rarity), [is_answer for _, is_answer in examples])
    weights = model.coef_[0]
    return {
        "answer_grams": weights[:BUCKETS].astype(np.float16),
        "answer_facts": weights[BUCKETS:].astype(np.float32),
        "answer_bias": np.array(model.intercept_[0], dtype=np.float32),
    }


def _answer_rows(examples: Sequence[tuple[Label, bool]], rarity: NDArray[np.float64]) -> Rows:
    facts = np.vstack([question_facts(label.text, label.question) for label, _ in examples])
    return sparse.hstack([_grams([label.text for label, _ in examples], rarity), facts]).tocsr()


def _logistic(rows: Rows, truth: Sequence[bool]) -> LogisticRegression:
    return LogisticRegression(C=_ANSWER_COST, class_weight="balanced", solver="liblinear").fit(rows, truth)


# Topics


def _report_topics(labels: Sequence[Label]) -> None:
    hits: list[bool] = []
    for rest, own in _by_author([label for label in labels if label.action in _WITH_TOPIC]):
        stored = _topics(rest)
        weights, bias = stored["topic_grams"].astype(np.float32), float(stored["topic_bias"])
        hits += [_is_found(label, weights, bias) for label in own]
    print(f"topics, authors left out: {np.mean(hits):.3f} of {len(hits)} word for word")


def _is_found(label: Label, weights: NDArray[np.float32], bias: float) -> bool:
    found = spans.topic_span(label.text, label.action, weights=weights, bias=bias)
    return _bare(found) == _bare(label.topic)


def _bare(topic: str) -> str:
    words = topic.lower().split()
    return " ".join(words[1:] if words[:1] in (["the"], ["a"], ["an"]) else words)


def _topics(labels: Sequence[Label]) -> dict[str, NDArray[Any]]:
    data: list[list[int]] = []
    truth: list[bool] = []
    for label in labels:
        if label.action not in _WITH_TOPIC:
            continue
        found = spans.words(label.text)
        start = label.text.find(label.topic) if label.topic else -1
        end = start + len(label.topic)
        for place, word in enumerate(found):
            data.append(spans.features(found, place, label.action))
            truth.append(0 <= start <= word.start and word.end <= end)
    width = len(data[0])
    rows = sparse.csr_matrix(
        (
            np.ones(len(data) * width),
            [each for row in data for each in row],
            range(0, len(data) * width + 1, width),
        ),
        shape=(len(data), spans.BUCKETS),
    )
    model = LogisticRegression(C=_TOPIC_COST, solver="liblinear").fit(rows, truth)
    return {
        "topic_grams": model.coef_[0].astype(np.float16),
        "topic_bias": np.array(model.intercept_[0], dtype=np.float32),
    }


# What the models have in common


def _rows(labels: Sequence[Label], rarity: NDArray[np.float64]) -> Rows:
    places = np.vstack([_place(label) for label in labels])
    return sparse.hstack([_grams([label.text for label in labels], rarity), places]).tocsr()


def _place(label: Label) -> NDArray[np.float32]:
    """A message that may be said anywhere gets a place by lot, so that no place speaks for its action."""
    lot = hashlib.sha256(label.text.encode()).digest()[0]
    return place_facts(cast("Place", label.place or _ANYWHERE[lot % len(_ANYWHERE)]))


def _rarity(texts: Iterable[str]) -> NDArray[np.float64]:
    """What each bucket counts: the more, the fewer messages have it."""
    seen, count = np.zeros(BUCKETS), 0
    for text in texts:
        seen[list({*letter_grams(text), *word_grams(text)})] += 1
        count += 1
    return np.asarray(np.log((1 + count) / (1 + seen)) + 1)


def _grams(texts: Sequence[str], rarity: NDArray[np.float64]) -> Rows:
    values: list[float] = []
    buckets: list[int] = []
    ends = [0]
    for text in texts:
        for grams in (letter_grams(text), word_grams(text)):
            if grams:
                weights = rarity[grams]
                values += list(weights / np.linalg.norm(weights))
                buckets += grams
        ends.append(len(buckets))
    return sparse.csr_matrix((values, buckets, ends), shape=(len(texts), BUCKETS))


def _by_author(
    items: Sequence[Any], author: Any = lambda label: label.by
) -> Iterator[tuple[list[Any], list[Any]]]:
    """All labels but those of some authors, and theirs. Labels written in bulk are always among the others."""
    authors = sorted({name for name in map(author, items) if name.startswith("writer")})
    for fold in range(_FOLDS):
        out = set(authors[fold::_FOLDS])
        yield (
            [item for item in items if author(item) not in out],
            [item for item in items if author(item) in out],
        )


if __name__ == "__main__":
    main()
