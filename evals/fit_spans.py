"""Fit which words of a message name its topic: python -m evals.fit_spans [--write].

A softmax over all runs of words and none, on the labels whose action has a topic. Their topics are short and plain, so each
sentence is learnt again with what learners wished to be taught in it (course_topics_fit.jsonl), which are phrases of any
kind: a topic is known by its sentence. What is printed is how writers
fare whom the fit has not read: in their own words, and with topics that nobody fits on (course_topics_strangers.jsonl).
"""

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import minimize

from agents.language.spans import BUCKETS, WEIGHTS, Clues, SpanWeights, clues, run_scores, span_by, words
from evals.data import bench_data, hash_of_labels
from evals.fit_understanding import (
    LABELS,
    Label,
    about,
    fold_of,
    load,
    lot,
    sentences,
    wished,
)

WITH_TOPIC = ("teach", "quiz_me", "change_topic", "diagnose", "plan", "switch_course")
_TOPICS_NOT_MARKED = ("subject-", "quiz-")  # writers who were asked for the action alone
_FOLDS = 3
_COPIES = 3  # of each sentence about something else
_JOINING = (
    "with a",
    "with",
    "in",
    "in the",
    "for",
    "of",
    "of the",
    "from",
    "without",
    "and",
    "and the",
    "by",
    "on",
    "using",
    "to",
)
_RIDGE = 1.0
_LONG = 9  # words of a heading
_SEEN = 3  # sentences with a word, and it is known

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Messages with the same number of words: their features, one row a word, and the run that is right in each."""

    size: int
    begin: sparse.csr_matrix
    end: sparse.csr_matrix
    inside: sparse.csr_matrix
    gap: sparse.csr_matrix
    none: sparse.csr_matrix
    right: NDArray[np.int64]  # first * size + last; size * size for none


def main(arguments: Sequence[str] = tuple(sys.argv[1:])) -> None:
    """Look at writers left out first, then fit on everything, and write the weights with --write."""
    every = [*load(LABELS), *sentences()]
    labels = [label for label in every if label.topic or _is_known_to_name_none(label)]
    own, strange = [], []
    for fold in range(_FOLDS):
        weights = fit([label for label in labels if fold_of(label) != fold])
        left_out = [label for label in labels if fold_of(label) == fold]
        own += [_is_found(label, weights) for label in left_out]
        strange += [_is_found(label, weights) for label in _about_others(left_out, wished("strangers"))]
    print(f"writers left out: topic found, or none where there is none {np.mean(own):.3f} of {len(own)}")
    print(
        f"the same sentences with strangers' topics: the very words {np.mean(strange):.3f} of {len(strange)}"
    )
    if "--write" in arguments:
        weights = fit(labels)
        np.savez_compressed(
            WEIGHTS,
            allow_pickle=False,
            known=np.array(sorted(weights.known)),
            values=weights.values.astype(np.float16),
            labels=np.array(hash_of_labels()),
        )
        print(f"{WEIGHTS.name}: {WEIGHTS.stat().st_size / 1e6:.2f} MB")


def _is_known_to_name_none(label: Label) -> bool:
    return label.action in WITH_TOPIC and not label.by.startswith(_TOPICS_NOT_MARKED)


def fit(labels: Sequence[Label]) -> SpanWeights:
    """The weights that make the right runs likeliest, in these sentences and with other topics in them."""
    every = [*labels, *_about_others(labels, _phrases(labels), number=_COPIES)]
    known = _known(labels)
    batches = _batches(every, known)
    found = minimize(
        _loss, np.zeros(BUCKETS), args=(batches,), jac=True, method="L-BFGS-B", options={"maxiter": 150}
    )
    return SpanWeights(known, found.x.astype(np.float32))


def _phrases(labels: Sequence[Label]) -> list[str]:
    """What a topic may be called: wishes of learners, headings of a book, and two topics in one phrase."""
    topics = sorted({label.topic for label in labels if label.topic})
    ends = (
        (topics[lot(f"first {topic}") % len(topics)], _JOINING[lot(topic) % len(_JOINING)], topic)
        for topic in topics
    )
    return [*wished("fit"), *_headings(), *(" ".join(end) for end in ends)]


def _headings() -> list[str]:
    """Of the book, every other one in small letters, as people type."""
    pages = sorted(bench_data("openstax_biology").rglob("*.md"))
    lines = (line for page in pages for line in page.read_text(encoding="utf-8").splitlines())
    found = sorted({line.strip("# ") for line in lines if line.startswith("#") and len(line.split()) < _LONG})
    return [text.lower() if lot(text) % 2 else text for text in found if lot(f"some {text}") % 2]


def _about_others(labels: Sequence[Label], pool: Sequence[str], *, number: int = 1) -> list[Label]:
    """The same sentences about other things, some of the pool each by lot."""
    return [
        about(label, label.topic, pool[lot(f"{at} {label.text}") % len(pool)])
        for label in labels
        if label.topic and label.text.count(label.topic) == 1
        for at in range(number)
    ]


def _known(labels: Sequence[Label]) -> frozenset[str]:
    """What is said around topics, in several sentences."""
    around = {label.text.replace(label.topic, " ") for label in labels if label.topic}
    seen = Counter(word for text in around for word in {each.text.lower() for each in words(text)})
    return frozenset(word for word, count in seen.items() if count >= _SEEN)


def _batches(labels: Sequence[Label], known: frozenset[str]) -> list[Batch]:
    groups: dict[int, list[tuple[Clues, int]]] = {}
    for label in labels:
        found = words(label.text)
        start = label.text.find(label.topic) if label.topic else -1
        inside = [at for at, word in enumerate(found) if 0 <= start <= word.start < start + len(label.topic)]
        size = len(found)
        right = inside[0] * size + inside[-1] if inside else size * size
        if size:
            groups.setdefault(size, []).append((clues(label.text, found, known=known), right))
    return [_batch(size, group) for size, group in groups.items()]


def _batch(size: int, group: Sequence[tuple[Clues, int]]) -> Batch:
    def table(rows: list[list[int]]) -> sparse.csr_matrix:
        buckets = [bucket for row in rows for bucket in row]
        ends = np.cumsum([0, *map(len, rows)])
        return sparse.csr_matrix((np.ones(len(buckets)), buckets, ends), shape=(len(rows), BUCKETS))

    return Batch(
        size=size,
        begin=table([row for seen, _ in group for row in seen.begin]),
        end=table([row for seen, _ in group for row in seen.end]),
        inside=table([row for seen, _ in group for row in seen.inside]),
        gap=table([row for seen, _ in group for row in seen.gap]),
        none=table([seen.none for seen, _ in group]),
        right=np.array([right for _, right in group]),
    )


def _loss(values: Floats, batches: Sequence[Batch]) -> tuple[float, Floats]:
    """The surprise at the right runs, and where it falls."""
    loss, slope = _RIDGE / 2 * float(values @ values), _RIDGE * values
    for batch in batches:
        size, count = batch.size, len(batch.right)
        parts = (batch.begin, batch.end, batch.inside, batch.gap)
        begin, end, inside, gap = ((table @ values).reshape(count, size) for table in parts)
        runs = run_scores(begin, end, inside, gap).reshape(count, -1)
        scores = np.hstack([runs, (batch.none @ values)[:, None]])
        scores -= scores.max(axis=1, keepdims=True)
        chances = np.exp(scores)
        chances /= chances.sum(axis=1, keepdims=True)
        every = np.arange(count)
        loss -= float(np.log(chances[every, batch.right] + 1e-12).sum())
        chances[every, batch.right] -= 1
        by_run = chances[:, :-1].reshape(count, size, size)
        begun, ended = by_run.sum(axis=2), by_run.sum(axis=1)
        # A word is in every run that has begun by it and not ended before it; its gap too, unless the run begins there.
        within = np.cumsum(begun, axis=1) - np.cumsum(ended, axis=1) + ended
        for table, share in zip(parts, (begun, ended, within, within - begun), strict=True):
            slope = slope + table.T @ share.ravel()
        slope = slope + batch.none.T @ chances[:, -1]
    return loss, slope


def _is_found(label: Label, weights: SpanWeights) -> bool:
    start, end = span_by(label.text, weights)
    return _bare(label.text[start:end]) == _bare(label.topic)


def _bare(topic: str) -> str:
    found = topic.lower().strip(" .,!?").split()
    return " ".join(found[1:] if found[:1] in (["the"], ["a"], ["an"]) else found)


if __name__ == "__main__":
    main()
