"""Fit what a message wants on the labels: python -m evals.fit_understanding [--write].

Linear models on hashed n-grams and frames: the actions (one against the rest, with one temperature for all, so that a score reads as
a chance); answer or request while a question is open (n-grams first, then a second model over what they say, how well
any action claims the message, and the facts of the question). A third of the labels is
left out while the others are fitted, in turn, and with one label of a writer all of theirs: all that is printed is how a
writer fares whom the models have never read, and the second model, the temperature and the borders of doubt are fitted on
that. Needs the extra 'fit' and TUTOR_BENCH_DATA: half of the real student answers and of a book's exercises are examples
of answers; the other half is for the benchmark.
"""

import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import minimize_scalar
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from agents.language.understanding import (
    BUCKETS,
    FRAME_BUCKETS,
    WEIGHTS,
    Known,
    OpenQuestion,
    Place,
    answer_evidence,
    framed,
    letter_grams,
    place_facts,
    question_facts,
    tokens,
    unit,
    word_grams,
)
from evals.data import bench_data, hash_of_labels

LABELS = Path(__file__).parent / "labels" / "messages_fit.jsonl"
SENTENCES = LABELS.with_name("topic_sentences_fit.jsonl")
_HOLE = "{}"
_TOPICS_A_SENTENCE = 3
_STUDENT_ANSWERS = 3000
# In doubt the tutor asks: between these chances of an answer, without the question in view and with it. Chosen by the
# table that is printed: a request that is graded is worse than a student who is asked once too often.
_BORDERS = ((0.45, 0.07), (0.8, 0.1))
_ACTION_COST, _ANSWER_COST = 0.7, 4.0
_FOLDS = 3
_KNOWN_WORDS = 1500
_ANYWHERE = ("question", "question", "question", "idle", "idle", "lesson", "offer")
_WRITER = re.compile(r"(writer|voice)-(\d+)$")

Rows = Any  # a sparse matrix, one row a message
Floats = NDArray[Any]


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
    copy_of: str = ""  # the message that this one was made from

    @property
    def name(self) -> str:
        return f"{self.action}/{self.manner}" if self.manner else self.action

    @property
    def is_answer(self) -> bool:
        return self.action == "answer"


class Readers:
    """The two models on n-grams, fitted together."""

    def __init__(self, requests: Sequence[Label], examples: Sequence[Label]) -> None:
        self.rarity = _rarity((_all_grams(label.text) for label in requests), BUCKETS)
        self.words = _known_words(requests)
        self.known = Known.of(self.words)
        self.frame_rarity = _rarity((self._frame(label) for label in examples), FRAME_BUCKETS)
        self.actions = LinearSVC(C=_ACTION_COST, class_weight="balanced")
        self.actions.fit(self._action_rows(requests), [label.name for label in requests])
        self.answers = LogisticRegression(C=_ANSWER_COST, class_weight="balanced", solver="liblinear")
        self.answers.fit(self._answer_rows(examples), [label.is_answer for label in examples])

    def scores(self, labels: Sequence[Label]) -> Floats:
        return np.asarray(self.actions.decision_function(self._action_rows(labels)))

    def evidence(self, examples: Sequence[Label]) -> Floats:
        asked = [replace(label, place="question") for label in examples]
        answer = self.answers.decision_function(self._answer_rows(examples))
        return np.asarray(answer_evidence(answer, self.scores(asked), _facts(examples)))

    def _action_rows(self, labels: Sequence[Label]) -> Rows:
        places = np.vstack([_place(label) for label in labels])
        grams = _grams([label.text for label in labels], self.rarity)
        return sparse.hstack(
            [grams, self._frames([replace(each, question=None) for each in labels]), places]
        ).tocsr()

    def _answer_rows(self, examples: Sequence[Label]) -> Rows:
        grams = _grams([label.text for label in examples], self.rarity)
        return sparse.hstack([grams, self._frames(examples), _facts(examples)]).tocsr()

    def _frames(self, labels: Sequence[Label]) -> Rows:
        return _weighted(([self._frame(label)] for label in labels), self.frame_rarity)

    def _frame(self, label: Label) -> tuple[int, ...]:
        return framed(label.text, label.question, known=self.known)


def main(arguments: Sequence[str] = tuple(sys.argv[1:])) -> None:
    """Look at what was left out first, then fit on everything, and write the weights with --write."""
    labels = training_labels()
    requests, examples = [label for label in labels if not label.is_answer], list(answer_examples(labels))
    temperature, verdict = _left_out(requests, examples)
    readers = Readers(requests, examples)
    stored = {
        **_stored(readers),
        **verdict,
        "temperature": np.array(temperature, dtype=np.float32),
        "labels": np.array(hash_of_labels()),
    }
    if "--write" in arguments:
        np.savez_compressed(WEIGHTS, allow_pickle=False, **stored)
        print(f"{WEIGHTS.name}: {WEIGHTS.stat().st_size / 1e6:.2f} MB")


def training_labels() -> list[Label]:
    """What people wrote, also about other topics and some of it as thumbs type it, and what a book asks."""
    written = load(LABELS)
    about_others = [*with_other_topics(written), *sentences()]
    return [*written, *about_others, *_with_slips(written), *_book_questions()]


def load(path: Path) -> list[Label]:
    return [_label(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def _label(row: dict[str, Any]) -> Label:
    question = row.pop("question", None)
    shown = OpenQuestion(**{**question, "options": tuple(question.get("options", ()))}) if question else None
    return Label(**{**row, "also": tuple(row.get("also", ()))}, question=shown)


def with_other_topics(labels: Sequence[Label]) -> Iterator[Label]:
    """Every message that names a topic once more, about something that a learner wished to be taught."""
    wishes = wished("fit")
    for label in labels:
        if label.topic and label.text.count(label.topic) == 1:
            yield about(label, label.topic, wishes[lot(label.text) % len(wishes)])


def sentences() -> list[Label]:
    """Sentences with a hole for their topic, each about some of what learners wish to be taught."""
    wishes = wished("fit")
    rows = map(json.loads, SENTENCES.read_text(encoding="utf-8").splitlines())
    return [
        about(Label(**row, by="sentences"), _HOLE, wishes[lot(f"{number} {row['text']}") % len(wishes)])
        for row in rows
        for number in range(_TOPICS_A_SENTENCE)
    ]


def about(label: Label, old: str, new: str) -> Label:
    return replace(label, text=label.text.replace(old, new), topic=new, copy_of=label.text)


def wished(name: str) -> list[str]:
    """What learners wished to be taught, of a course each."""
    lines = LABELS.with_name(f"course_topics_{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["wanted"] for line in lines]


def _with_slips(labels: Sequence[Label]) -> Iterator[Label]:
    """Every fourth label with two letters swapped, and one lost where there are many."""
    for label in labels:
        lot = hashlib.sha256(label.text.encode()).digest()
        letters = list(label.text)
        if lot[2] % 4 == 0 and len(letters) > 8 and not label.topic:
            place = lot[3] % (len(letters) - 1)
            letters[place], letters[place + 1] = letters[place + 1], letters[place]
            if len(letters) > 20:
                del letters[lot[4] % len(letters)]
            yield replace(label, text="".join(letters), by=f"slip-{label.by}", copy_of=label.text)


def answer_examples(labels: Sequence[Label]) -> Iterator[Label]:
    """Every label as it may arrive while a question is open: with the question in view, and without.

    What was written for another situation gets a question by lot: learners also give answers that have nothing to do
    with it. Noise is left out: whether it is an answer nobody can say.
    """
    pool = [label.question for label in labels if label.question]
    usable = [label for label in labels if label.action not in ("yes", "no", "unclear")]
    others = (*_own_answers(labels), *_student_answers(), *_book_answers())
    for label in (*usable, *others):
        yield replace(label, question=None)
        # By the text, so that a new label changes nothing about the others.
        another = pool[lot(label.text) % len(pool)]
        yield replace(label, question=label.question or another)
        if label.is_answer and label.question and lot(label.text) & 1 << 40:
            yield replace(label, question=another)  # somebody mixes things up


def _own_answers(labels: Sequence[Label]) -> Iterator[Label]:
    """What the labels' own questions offer or expect is an answer, whoever types it."""
    for label in labels:
        if label.question:
            for text in dict.fromkeys((label.question.expected, *label.question.options)):
                if len(text) > 1:
                    yield Label(text=text, action="answer", question=label.question, by=f"key-{label.by}")


def _book_questions() -> Iterator[Label]:
    """What a book's exercises and real quizzes ask is what learners ask, too."""
    book = (bench_data("openstax_biology") / "derived" / "questions.jsonl").read_text(encoding="utf-8")
    students = (bench_data("short_answers") / "train.jsonl").read_text(encoding="utf-8")
    asked = [json.loads(line)["question"] for line in (*book.splitlines(), *students.splitlines())]
    for text in dict.fromkeys(asked):
        if _lot(text) < 128:
            yield Label(text=text, action="ask", by="book")


def _student_answers() -> Iterator[Label]:
    lines = (bench_data("short_answers") / "train.jsonl").read_text(encoding="utf-8").splitlines()
    rows = {row["answer"]: row for row in map(json.loads, lines)}
    ours = sorted(text for text in rows if _lot(text) < 128)
    for place, text in enumerate(ours[:: max(1, len(ours) // _STUDENT_ANSWERS)]):
        reference = next(iter(rows[text]["references"]), "")
        question = OpenQuestion(kind="short_answer", text=rows[text]["question"], expected=reference)
        yield Label(text=text, action="answer", question=question, by=f"student-{place % 9}")


def _book_answers() -> Iterator[Label]:
    """The options and answers of a book's exercises: the words of a subject, which no request has."""
    book = bench_data("openstax_biology") / "derived" / "questions.jsonl"
    for row in map(json.loads, book.read_text(encoding="utf-8").splitlines()):
        options = tuple(map(str, row["options"]))
        kind = "multiple_choice" if options else "short_answer"
        question = OpenQuestion(kind=kind, text=row["question"], options=options)
        if _lot(row["question"]) < 128:
            for text in options or (str(row["answer"]),):
                if text.strip():
                    yield Label(
                        text=text, action="answer", question=question, by=f"book-{_lot(row['question']) % 9}"
                    )


# What was left out


def _left_out(requests: Sequence[Label], examples: Sequence[Label]) -> tuple[float, dict[str, NDArray[Any]]]:
    """What the models make of labels they were not fitted on: the temperature, the second model and the borders."""
    names = sorted({label.name for label in requests})
    scores, told, evidence, seen = [], [], [], []
    for fold in range(_FOLDS):
        rest = [label for label in requests if fold_of(label) != fold]
        own = [label for label in requests if fold_of(label) == fold]
        readers = Readers(rest, [label for label in examples if fold_of(label) != fold])
        table = np.full((len(own), len(names)), -3.0)
        table[:, [names.index(name) for name in readers.actions.classes_]] = readers.scores(own)
        asked = [label for label in examples if fold_of(label) == fold]
        scores.append(table)
        told += own
        evidence.append(readers.evidence(asked))
        seen += asked
    temperature = _report_actions(np.vstack(scores), told, names)
    return temperature, _verdict(np.vstack(evidence), seen)


def _report_actions(scores: Floats, labels: Sequence[Label], names: Sequence[str]) -> float:
    """How often the action is right; returns the temperature that makes scores chances."""
    by_writers = np.array([_is_by_writer(label) for label in labels])
    picked = [names[place].partition("/")[0] for place in scores.argmax(axis=1)]
    right = np.array(
        [name in (label.action, *label.also) for name, label in zip(picked, labels, strict=True)]
    )
    truth = np.array([names.index(label.name) for label in labels])
    unread, meant = scores[by_writers], truth[by_writers]
    best = minimize_scalar(lambda t: _surprise(unread * t, meant), bounds=(0.5, 20), method="bounded")
    print(
        f"actions right: writers {right[by_writers].mean():.3f} of {by_writers.sum()}, all {right.mean():.3f}"
    )
    return float(best.x)


def _surprise(scores: Floats, truth: NDArray[np.int_]) -> float:
    """The mean negative log of the chance that the right action got."""
    high = scores.max(axis=1, keepdims=True)
    logs = scores - high - np.log(np.exp(scores - high).sum(axis=1, keepdims=True))
    return float(-logs[np.arange(len(truth)), truth].mean())


def _verdict(evidence: Floats, labels: Sequence[Label]) -> dict[str, NDArray[Any]]:
    """The second model, and between which chances it is in doubt, without the question in view and with it."""
    is_answer = np.array([label.is_answer for label in labels])
    scaled = StandardScaler().fit(evidence)
    model = LogisticRegression(C=1.0, class_weight="balanced", max_iter=5000)
    chances = np.zeros(len(labels))
    folds = np.array([fold_of(label) for label in labels])
    for fold in range(_FOLDS):
        model.fit(scaled.transform(evidence[folds != fold]), is_answer[folds != fold])
        chances[folds == fold] = model.predict_proba(scaled.transform(evidence[folds == fold]))[:, 1]
    in_view = np.array([label.question is not None for label in labels])
    for view in (False, True):
        print(f"answers, {'with' if view else 'without'} the question in view")
        _report_doubt(
            chances[in_view == view], [label for label in labels if (label.question is not None) == view]
        )
    model.fit(scaled.transform(evidence), is_answer)
    weights = model.coef_[0] / scaled.scale_
    return {
        "verdict": weights.astype(np.float32),
        "verdict_bias": np.array(model.intercept_[0] - weights @ scaled.mean_, dtype=np.float32),
        "borders": np.array(_BORDERS, dtype=np.float32),
    }


def _report_doubt(chances: Floats, labels: Sequence[Label]) -> None:
    """How many requests would be graded and how many answers would not, by border."""
    is_answer = np.array([label.is_answer for label in labels])
    by_writer = np.array([_is_by_writer(label) for label in labels])
    by_student = np.array([label.by.startswith("student") for label in labels])
    requests, answers = chances[by_writer & ~is_answer], chances[by_writer & is_answer]
    for border in (0.03, 0.05, 0.1, 0.2, 0.3, 0.45, 0.6, 0.75, 0.9):
        print(
            f"  from {border}: requests {np.mean(requests >= border):.4f}; not: writers' answers "
            f"{np.mean(answers < border):.4f}, students' {np.mean(chances[by_student] < border):.4f}"
        )


def _stored(readers: Readers) -> dict[str, NDArray[Any]]:
    frames = BUCKETS + FRAME_BUCKETS
    weights, answers = readers.actions.coef_.T, readers.answers.coef_[0]
    scale = np.abs(weights[:frames]).max(axis=0) / 127
    small = np.round(weights[:frames] / scale).astype(np.int8)
    return {
        "actions": np.array(readers.actions.classes_),
        "rarity": readers.rarity.astype(np.float16),
        "grams": small[:BUCKETS],
        "known": np.array(readers.words),
        "frame_rarity": readers.frame_rarity.astype(np.float16),
        "frames": small[BUCKETS:],
        "scale": scale.astype(np.float32),
        "bias": readers.actions.intercept_.astype(np.float32),
        "places": weights[frames:].astype(np.float32),
        "answer_grams": answers[:BUCKETS].astype(np.float16),
        "answer_frames": answers[BUCKETS:frames].astype(np.float16),
        "answer_facts": answers[frames:].astype(np.float32),
        "answer_bias": np.array(readers.answers.intercept_[0], dtype=np.float32),
    }


# What the models have in common


def _facts(examples: Sequence[Label]) -> Floats:
    return np.vstack([question_facts(label.text, label.question) for label in examples])


def _place(label: Label) -> NDArray[np.float32]:
    """A message that may be said anywhere gets a place by lot, so that no place speaks for its action."""
    return place_facts(cast("Place", label.place or _ANYWHERE[_lot(label.text) % len(_ANYWHERE)]))


def _known_words(requests: Sequence[Label]) -> list[str]:
    """The words that most messages have, the commonest first; a book's are about its subject."""
    seen = Counter(word for each in requests if each.by != "book" for word in set(tokens(each.text)))
    return [word for word, _ in seen.most_common(_KNOWN_WORDS)]


def _rarity(messages: Iterable[Collection[int]], buckets: int) -> Floats:
    """What each bucket counts: the more, the fewer messages have it."""
    seen, count = np.zeros(buckets), 0
    for grams in messages:
        seen[list(grams)] += 1
        count += 1
    return np.asarray(np.log((1 + count) / (1 + seen)) + 1)


def _all_grams(text: str) -> set[int]:
    return {*letter_grams(text), *word_grams(text)}


def _grams(texts: Sequence[str], rarity: Floats) -> Rows:
    return _weighted(([letter_grams(text), word_grams(text)] for text in texts), rarity)


def _weighted(messages: Iterable[Sequence[tuple[int, ...]]], rarity: Floats) -> Rows:
    """A row a message: each of its groups of n-grams, by rarity and of length one."""
    values: list[float] = []
    buckets: list[int] = []
    ends = [0]
    for groups in messages:
        for grams in filter(None, groups):
            values += list(unit(rarity[list(grams)]))
            buckets += grams
        ends.append(len(buckets))
    return sparse.csr_matrix((values, buckets, ends), shape=(len(ends) - 1, len(rarity)))


def fold_of(label: Label) -> int:
    """A writer is left out as a whole; the rest by lot, with all copies of a message."""
    if by_writer := _WRITER.search(label.by):
        return int(by_writer[2]) % _FOLDS
    return hashlib.sha256((label.copy_of or label.text).encode()).digest()[1] % _FOLDS


def _is_by_writer(label: Label) -> bool:
    return bool(_WRITER.match(label.by))


def _lot(text: str) -> int:
    return hashlib.sha256(text.encode()).digest()[0]


def lot(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])


if __name__ == "__main__":
    main()
