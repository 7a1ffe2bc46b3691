"""Mastery of a topic: as good as its weakest concept, with some weight lent by the others."""

from dataclasses import replace
from datetime import UTC, datetime
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.teaching.evidence import Evidence
from agents.teaching.mastery import (
    ConceptMastery,
    TopicMastery,
    concept_mastery,
    course_mastery,
    fewest_right_answers,
    right_answers_to_go,
    topic_mastery,
)
from agents.teaching.thresholds import is_enough
from agents.teaching.values import QuestionKind

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
THRESHOLD = 0.85
NAMES = ("node", "topic", "service", "action")


def answers(text: str, **details: Any) -> list[Evidence]:
    return [Evidence(is_correct=letter == "T", answered_at=NOW, **details) for letter in text]


def topic(*series: str, **details: Any) -> TopicMastery:
    """A topic with one series of answers a concept."""
    evidence = {name: answers(text, **details) for name, text in zip(NAMES, series, strict=False)}
    return judged(evidence)


def judged(evidence: dict[str, list[Evidence]]) -> TopicMastery:
    """As the app does: the course's mastery, and of that the topic."""
    together = {
        name: [replace(answer, topic="ROS 2") for answer in answers] for name, answers in evidence.items()
    }
    return topic_mastery(course_mastery(together, now=NOW), together)


def is_mastered(standing: TopicMastery | ConceptMastery, *, threshold: float = THRESHOLD) -> bool:
    return is_enough(standing.score, threshold=threshold)


@pytest.mark.parametrize("spread", [("TTTT",), ("TT", "TT"), ("TT", "TT", "TT"), ("TT", "TT", "TT", "TT")])
@pytest.mark.parametrize("kind", [None, "cloze", "short_answer"])
@pytest.mark.parametrize("difficulty", ["easy", "medium", "hard"])
def test_two_right_answers_on_each_concept_and_four_in_all_master_the_topic(
    spread: tuple[str, ...], kind: str | None, difficulty: str
) -> None:
    standing = topic(*spread, kind=kind, difficulty=difficulty)

    assert standing.score >= THRESHOLD


@pytest.mark.parametrize("spread", [("TTT", "T"), ("TT", "T", "T"), ("T", "T", "T", "T")])
def test_a_concept_with_one_answer_is_not_mastered_however_good_it_looks(spread: tuple[str, ...]) -> None:
    """That the evidence is thin is in the score, whatever is known of the concepts beside it."""
    assert not is_mastered(topic(*spread).per_concept["topic"])
    assert not is_mastered(topic(*spread, kind="short_answer", difficulty="hard"))


@pytest.mark.parametrize("kind", ["multiple_choice", "true_false", "ordering"])
def test_choices_alone_are_not_mastery_and_one_open_answer_is_what_is_missing(kind: QuestionKind) -> None:
    picked = answers("TTTTTTTT", kind=kind)

    assert not is_mastered(concept_mastery(picked * 8, now=NOW))
    assert is_mastered(concept_mastery([*picked, *answers("T", kind="short_answer")], now=NOW))


def test_four_coin_flips_are_not_mastery() -> None:
    assert not is_mastered(topic("T", "T", "T", "T", kind="true_false"))


@pytest.mark.parametrize("spread", [("TTTF",), ("TT", "TF"), ("TT", "FT"), ("TT", "TT", "TT", "TF")])
def test_a_miss_among_so_few_does_not(spread: tuple[str, ...]) -> None:
    assert not is_mastered(topic(*spread))


def test_a_quiz_of_three_is_too_little() -> None:
    assert not is_mastered(topic("TTT"))


def test_every_topic_can_be_mastered_in_two_quizzes_of_four() -> None:
    assert [fewest_right_answers(concepts, most=20) for concepts in (1, 2, 3, 4)] == [4, 4, 6, 8]
    assert fewest_right_answers(4, most=7) is None


@settings(max_examples=25, deadline=None)
@given(st.lists(st.text("TF", max_size=4), min_size=1, max_size=4), st.sampled_from([0.3, 0.6, 0.85, 0.9]))
def test_as_many_right_answers_as_are_told_master_the_topic_when_the_weakest_is_asked(
    past: list[str], threshold: float
) -> None:
    evidence = {
        name: answers(text, topic="ROS 2", lesson="ROS 2/1") for name, text in zip(NAMES, past, strict=False)
    }
    told = right_answers_to_go(evidence, evidence, now=NOW, threshold=threshold, topic="ROS 2", round=2)

    assert told is not None
    for number in range(told):
        standing = topic_mastery(course_mastery(evidence, now=NOW), evidence)
        assert not is_mastered(standing, threshold=threshold), f"{number} of {told} were enough"
        evidence[standing.weakest] = [
            *evidence[standing.weakest],
            *answers("T", topic="ROS 2", lesson="ROS 2/2", round=2),
        ]
    assert is_mastered(topic_mastery(course_mastery(evidence, now=NOW), evidence), threshold=threshold)


def test_one_weak_concept_is_not_hidden_by_strong_ones() -> None:
    standing = topic("TTTT", "TTTT", "TTTT", "FF")

    assert standing.weakest == "action"
    assert standing.score == standing.per_concept["action"].score
    assert standing.score < 0.6
    assert is_mastered(standing.per_concept["node"])
    assert not is_mastered(standing)


def test_a_concept_that_was_never_asked_about_keeps_the_topic_open() -> None:
    standing = topic("TTTT", "TTTT", "TTTT", "")

    assert not is_mastered(standing)
    assert standing.weakest == "action"


@pytest.mark.parametrize("after", [("TT", "TT", "TT", "FTT"), ("TT", "TT", "TT", "FTTT"), ("TTTT", "FTTT")])
def test_right_answers_that_ask_twice_about_the_miss_are_the_way_out(after: tuple[str, ...]) -> None:
    assert is_mastered(topic(*after))


def test_answers_on_other_concepts_help_and_hurt_a_little() -> None:
    alone = concept_mastery(answers("T"), now=NOW).score

    assert topic("T", "TT").per_concept["node"].score > alone
    assert topic("T", "FF").per_concept["node"].score < alone


def test_a_topic_without_concepts_is_not_mastered() -> None:
    standing = topic_mastery({}, [])

    assert (standing.score, standing.weakest, dict(standing.per_concept)) == (0.0, "", {})


@given(st.lists(st.text("TF", max_size=6), min_size=2, max_size=4))
def test_the_order_of_concepts_never_changes_a_score(series: list[str]) -> None:
    evidence = {name: answers(text) for name, text in zip(NAMES, series, strict=False)}
    standings = [judged({name: evidence[name] for name in order}) for order in permutations(evidence)]

    assert {standing.score for standing in standings} == {standings[0].score}
    assert all(standing.per_concept == standings[0].per_concept for standing in standings)


@given(
    st.lists(st.text("TF", min_size=1, max_size=6), min_size=1, max_size=4), st.integers(0, 3), st.booleans()
)
def test_one_more_answer_moves_every_concept_that_was_asked_about_the_same_way(
    series: list[str], place: int, is_correct: bool
) -> None:
    place %= len(series)
    more = [text + "FT"[is_correct] * (number == place) for number, text in enumerate(series)]
    before, after = topic(*series).per_concept, topic(*more).per_concept

    for name, concept in before.items():
        difference = after[name].score - concept.score
        assert difference >= -1e-12 if is_correct else difference <= 1e-12


def test_the_threshold_is_the_callers() -> None:
    standing = topic("TTTT", "TTTF")

    assert is_mastered(standing, threshold=0.6)
    assert not is_mastered(standing, threshold=0.95)


def test_a_course_judges_a_concept_among_those_of_its_topics() -> None:
    """What opens the gate of a topic is what the whole course's record says."""
    evidence = {name: answers("TT", topic="ROS 2") for name in NAMES}
    evidence["pose"] = answers("F", topic="frames")

    standing = course_mastery(evidence, now=NOW)

    assert all(is_mastered(standing[name]) for name in NAMES)
    assert standing["node"] == topic("TT", "TT", "TT", "TT").per_concept["node"]
    assert standing["pose"] == concept_mastery(answers("F"), now=NOW)


def test_answers_without_a_topic_speak_for_themselves_only() -> None:
    evidence = {"node": answers("TTTT"), "topic": answers("FFFF")}

    assert course_mastery(evidence, now=NOW)["node"] == concept_mastery(answers("TTTT"), now=NOW)


def test_older_answers_of_a_concept_come_first_whatever_the_list_says() -> None:
    early = replace(answers("F")[0], answered_at=datetime(2026, 3, 1, tzinfo=UTC))

    assert judged({"node": [*answers("TTTT"), early]}) == judged({"node": [early, *answers("TTTT")]})
