"""The fitted reading: what is stored, and that it belongs to the labels."""

import json
from pathlib import Path

import numpy as np
import pytest

from agents.coordinator.intents import ACTIONS
from agents.language import spans, understanding
from agents.language.spans import topic_span
from agents.language.understanding import (
    OpenQuestion,
    frame,
    frame_grams,
    language_of,
    letter_grams,
    plain,
    question_facts,
    read,
    tokens,
    word_grams,
)
from evals.data import hash_of_labels

LABELS = Path(__file__).parents[2] / "evals" / "labels"


@pytest.mark.parametrize("weights", [understanding.WEIGHTS, spans.WEIGHTS], ids=["actions", "topics"])
def test_the_weights_were_fitted_on_the_labels_as_they_are(weights: Path) -> None:
    """After a change of labels: python -m evals.fit_understanding --write, and evals.fit_spans."""
    with np.load(weights, allow_pickle=False) as stored:
        assert str(stored["labels"]) == hash_of_labels()


def test_the_weights_are_small_and_hold_no_pickle() -> None:
    assert understanding.WEIGHTS.stat().st_size <= 2_000_000
    with np.load(understanding.WEIGHTS, allow_pickle=False) as stored:
        assert {name.partition("/")[0] for name in map(str, stored["actions"])} <= set(ACTIONS)


@pytest.mark.parametrize("blind", ["blind", "blind2", "subject"])
def test_no_blind_message_is_fitted_on(blind: str) -> None:
    def texts(part: str) -> set[str]:
        lines = (LABELS / f"messages_{part}.jsonl").read_text(encoding="utf-8").splitlines()
        return {" ".join(json.loads(line)["text"].lower().split()) for line in lines}

    assert len(texts(blind)) >= 300
    assert texts(blind).isdisjoint(texts("fit"))


def test_every_label_is_an_action_that_the_coordinator_knows() -> None:
    for part in ("fit", "blind", "blind2", "subject"):
        for line in (LABELS / f"messages_{part}.jsonl").read_text(encoding="utf-8").splitlines():
            assert json.loads(line)["action"] in ACTIONS


def test_typing_habits_make_no_difference() -> None:
    assert plain("  TEACH   me \n loops") == plain("teach me loops")
    assert plain("sooooo good") == plain("soo good")
    assert tokens("don’t!") == ("don't", "!")
    assert letter_grams("Hello") == letter_grams("hello")
    assert word_grams("a b") != word_grams("b a")


def test_a_frame_is_what_is_left_when_the_subject_is_gone() -> None:
    known, always = frozenset("what is a means faster than".split()), frozenset("is a than".split())
    words = frame(
        "What means hash map? Is a treemap faster than a hash map",
        known=known,
        always=always,
        asked=frozenset({"faster"}),
        keys=frozenset({"hash", "map"}),
    )
    assert " ".join(words) == "what means <key> ? is a <thing> <asked> than a <key>"
    assert frame_grams(words) != frame_grams(words[::-1])


def test_an_answer_that_names_an_option_is_likelier_one() -> None:
    question = OpenQuestion(kind="multiple_choice", text="Who?", options=("Ada", "Grace"), expected="Ada")
    said = "well I suppose Grace"
    assert (
        read(said, place="question", question=question).answer
        > read("well I suppose Turing", place="question", question=question).answer
    )
    assert len(question_facts(said, question)) == len(question_facts(said, None))


def test_chances_add_up_and_are_sorted() -> None:
    chances = [chance for _, chance in read("what should I learn next?").actions]
    assert sum(chances) == pytest.approx(1.0, abs=1e-4)
    assert chances == sorted(chances, reverse=True)


def test_a_topic_is_quoted_as_it_was_typed() -> None:
    assert topic_span("could you please teach me about Loop Closure today?") == "Loop Closure"


@pytest.mark.parametrize(
    "topic",
    [
        "closures",
        "shared ownership with a counter",
        "rows with a filter",
        "how to stop a loop early",
        "rand(3)",
    ],
)
@pytest.mark.parametrize(
    "sentence", ["teach me {}", "change topic to {}", "I'd like to learn about {} please", "quiz me on {}."]
)
def test_a_topic_is_all_that_its_sentence_leaves_over(sentence: str, topic: str) -> None:
    """A tagger of words read 'shared ownership with a counter' as the topic 'a'."""
    assert topic_span(sentence.format(topic)) == topic


@pytest.mark.parametrize("message", ["teach me", "quiz me please", "what now?"])
def test_a_message_may_name_nothing(message: str) -> None:
    assert topic_span(message) == ""


def test_no_blind_sentence_is_fitted_on() -> None:
    fitted, blind = (
        {
            json.loads(line)["text"].lower()
            for line in (LABELS / f"topic_sentences_{part}.jsonl").read_text(encoding="utf-8").splitlines()
        }
        for part in ("fit", "blind")
    )
    assert len(blind) == 160
    assert fitted.isdisjoint(blind)


@pytest.mark.parametrize(
    ("text", "language"), [("what is a node?", "en"), ("¿qué es un nodo?", "es"), ("42", "")]
)
def test_the_language_is_told_only_where_it_is_sure(text: str, language: str) -> None:
    assert language_of(text) == language
