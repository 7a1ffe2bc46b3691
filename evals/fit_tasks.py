"""Fit what the task manager understands: python -m evals.fit_tasks [--write].

Multinomial logistic regression on hashed n-grams and a few facts. Labels of other messages count little, because what comes
here was nearly always meant for the task list; a create's title is swapped for others, so that the model learns what stands
around a title and not what people do. A fifth of what strangers wrote, chosen by hash, is never fitted and tells the truth.
"""

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.language.understanding import BUCKETS, letter_grams, word_grams
from agents.task_manager.intents import WEIGHTS, facts
from agents.task_manager.reading import tidy, visible
from evals.tasks import is_kept_back, labels

_COMMANDS = ("create", "told", "list", "update", "complete", "delete", "none")
_RIDGE = 20.0  # by five-fold cross-validation of the fitted labels, as the weights below
_OTHERS, _NEAR_MISSES, _PLAIN = 0.04, 0.05, 2.0  # other actions, those close to a task, plain commands
_SWAPS = 3
_VERB = re.compile(
    r"([A-Za-z]{2,}) (?:the|a|an|my|your|his|her|their|our|those|some|new|two|up|back|out|off|down|in|over|to|through|about)\b"
)
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One labelled message."""

    text: str
    command: str
    listed: bool = False
    weight: float = 1.0

    @property
    def seen(self) -> str:
        """What the model is shown of it."""
        return visible(tidy(self.text))


def main(arguments: Sequence[str] = tuple(sys.argv[1:])) -> None:
    """Fit, say how the labels that were kept back are read, and write the weights with --write."""
    known, kept = examples()
    model = fit(known)
    for name, rows in (("fitted", [each for each in known if each.weight >= 1.0]), ("kept back", kept)):
        print(f"{name}: {len(rows)} labels, right {_right(model, rows):.3f}")
    if "--write" in arguments:
        np.savez_compressed(WEIGHTS, allow_pickle=False, **model)
        print(f"{WEIGHTS.name}: {WEIGHTS.stat().st_size / 1000:.0f} kB")


def examples() -> tuple[list[Example], list[Example]]:
    """What is fitted, and what is kept back."""
    written = labels("tasks_fit") + labels("tasks_intents")
    fitted = [label for label in written if not is_kept_back(label)]
    tuned = [label for label in labels("tasks_tune") if label["context"] in ("none", "after_list")]
    known = [_example(label) for label in (*fitted, *tuned)]
    known += _swapped([label for label in (*fitted, *tuned) if label.get("title", "") in label["text"]])
    known += [
        Example(text=label["text"], command="none", weight=_OTHERS)
        for label in labels("routing_tune")
        if label["action"] != "tasks"
    ]
    return known, [_example(label) for label in written if is_kept_back(label)]


def _example(label: Mapping[str, Any]) -> Example:
    command = "told" if label.get("told") else label["intent"]
    source = label.get("source", "own")
    weight = _PLAIN if source == "own" else _NEAR_MISSES if command == "none" else 1.0
    return Example(
        text=label["text"], command=command, listed=label["context"] == "after_list", weight=weight
    )


def _swapped(titled: Sequence[Mapping[str, Any]]) -> list[Example]:
    """Each new task again with the titles of others."""
    created = [label for label in titled if label["intent"] == "create" and label.get("title")]
    chance = np.random.default_rng(0)
    return [
        Example(
            text=label["text"].replace(label["title"], created[other]["title"]),
            command=_example(label).command,
            weight=1.0 / _SWAPS,
        )
        for label in created
        for other in chance.integers(len(created), size=_SWAPS)
    ]


def fit(known: Sequence[Example]) -> dict[str, NDArray[Any]]:
    """The weights as they are stored."""
    # Only here: the program runs without scikit-learn.
    from sklearn.linear_model import LogisticRegression

    rarity = _rarity(known)
    model = LogisticRegression(C=_RIDGE, max_iter=400, tol=1e-3)
    model.fit(
        _matrix(known, rarity),
        [each.command for each in known],
        sample_weight=[each.weight for each in known],
    )
    order = [list(model.classes_).index(name) for name in _COMMANDS]
    weights = model.coef_[order].T
    grams = weights[:BUCKETS]
    scale = np.abs(grams).max(axis=0) / 127
    return {
        "names": np.array(_COMMANDS),
        "verbs": np.array(_verbs()),
        "rarity": rarity.astype(np.float16),
        "grams": np.round(grams / scale).astype(np.int8),
        "scale": scale.astype(np.float32),
        "bias": model.intercept_[order].astype(np.float32),
        "facts": weights[BUCKETS:].astype(np.float32),
    }


def _verbs() -> list[str]:
    """What errands begin with: first words of fitted titles that an object or a particle follows, as only verbs are."""
    fitted = [label for label in labels("tasks_fit") if not is_kept_back(label)] + labels("tasks_tune")
    titles = [
        part["title"] for label in fitted for part in (label, *label.get("then", ())) if "title" in part
    ]
    found = [match[1].lower() for title in titles if (match := _VERB.match(title))]
    return sorted(set(found) - {"the", "and", "two", "mum", "can"})


def _rarity(known: Sequence[Example]) -> Floats:
    seen = np.zeros(BUCKETS)
    for each in known:
        seen[sorted({*letter_grams(each.seen), *word_grams(each.seen)})] += 1
    return (np.log((1 + len(known)) / (1 + seen)) + 1).astype(np.float16).astype(np.float32)


def _matrix(known: Sequence[Example], rarity: Floats) -> Any:
    from scipy.sparse import csr_matrix, hstack

    values: list[Floats] = []
    columns: list[int] = []
    ends = [0]
    for each in known:
        for grams in (letter_grams(each.seen), word_grams(each.seen)):
            columns += grams
            weights = rarity[list(grams)]
            values.append(weights / max(float(np.linalg.norm(weights)), 1e-9))
        ends.append(len(columns))
    grams_of = csr_matrix((np.concatenate(values), columns, ends), shape=(len(known), BUCKETS))
    grams_of.sum_duplicates()
    verbs = frozenset(_verbs())
    facts_of = np.stack([facts(each.seen, listed=each.listed, verbs=verbs) for each in known])
    return hstack([grams_of, csr_matrix(facts_of)]).tocsr()


def _right(model: Mapping[str, NDArray[Any]], rows: Sequence[Example]) -> float:
    """The share of right intents; an errand told in passing is a create."""
    weights = np.concatenate([model["grams"] * model["scale"], model["facts"]])
    scores = _matrix(rows, model["rarity"].astype(np.float32)) @ weights + model["bias"]
    said = [_COMMANDS[place].replace("told", "create") for place in np.argmax(scores, axis=1)]
    true = [each.command.replace("told", "create") for each in rows]
    return float(np.mean([one == other for one, other in zip(said, true, strict=True)]))


if __name__ == "__main__":
    main()
