"""The simulated learners of `python -m evals learners`: who they are, how they answer, what is counted."""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from agents.quiz.marking import code_grade
from agents.teaching.values import QuestionKind, QuizQuestion
from evals.simulation import figures
from evals.simulation.fixed_quiz import fixed_gain
from evals.simulation.learners import STRONG, WEAK, Profile
from evals.simulation.people import Person, arrive, people
from evals.simulation.records import Answer, Diagnosis, Heard, Loop, Morning, order_violations
from evals.simulation.sample import sample_graph
from evals.simulation.voice import Voice

GRAPH = sample_graph()
TOPIC = ("pose graph", "loop closure", "bundle adjustment")
FOUNDATIONS = GRAPH.closure(TOPIC) - set(TOPIC)


def person(profile: Profile = WEAK, *, has_gaps: bool = False) -> Person:
    return Person(name="ada", profile=profile, has_gaps=has_gaps, target="loop closure", topic=TOPIC)


def question(kind: QuestionKind, *, expected: str, options: tuple[str, ...] = ()) -> QuizQuestion:
    return QuizQuestion(
        question_id="q1",
        question_text="What is it?",
        concept_name="loop closure",
        difficulty="easy",
        expected_answer=expected,
        source_context="",
        kind=kind,
        options=options,
    )


QUESTIONS = [
    question("true_false", expected="True"),
    question("multiple_choice", expected="a map", options=("a node", "a map", "a link")),
    question("ordering", expected="cut → mix → bake", options=("bake", "cut", "mix")),
    question("cloze", expected="loop closure"),
    question("short_answer", expected="the recognition that the robot has returned to a place"),
]


def answer(
    *, meant: bool = True, marked: bool = True, concept: str = "loop closure", was_told: bool = True
) -> Answer:
    return Answer(
        concept=concept,
        kind="short_answer",
        question="",
        expected="",
        said="",
        is_meant_right=meant,
        is_marked_right=marked,
        was_told=was_told,
        was_self_checked=False,
        was_asked_before=False,
    )


def loop(*, answers: Sequence[Answer] = (), **details: Any) -> Loop:
    values: dict[str, Any] = {
        "person": person(),
        "purpose": "teach",
        "topic": "loop closure",
        "concepts": TOPIC,
        "known_before": frozenset(FOUNDATIONS),
        "known_after": frozenset({*FOUNDATIONS, "loop closure"}),
        "explained": (Heard(told=TOPIC),),
        "answers": tuple(answers),
        "ending": "mastered",
        "cycles": 1,
    }
    return Loop(**{**values, **details})


@pytest.mark.parametrize("asked", QUESTIONS, ids=lambda asked: asked.kind)
def test_a_right_answer_is_worded_so_that_it_is_right_and_a_wrong_one_so_that_it_is_wrong(
    asked: QuizQuestion,
) -> None:
    voice = Voice(graph=GRAPH, rng=random.Random(1))
    for _ in range(20):
        assert code_grade(asked, voice.right(asked)).is_correct
        mistaken = code_grade(asked, voice.wrong(asked))
        assert not (mistaken.is_correct and mistaken.confident)


def test_answers_are_worded_in_more_than_one_way() -> None:
    voice = Voice(graph=GRAPH, rng=random.Random(1))
    for asked in QUESTIONS[1:2] + QUESTIONS[4:]:
        assert len({voice.right(asked) for _ in range(30)}) > 2
        assert len({voice.wrong(asked) for _ in range(30)}) > 2


def test_for_every_target_there_is_somebody_of_each_kind() -> None:
    crowd = people(GRAPH, {"loop closure": TOPIC, "ROS 2": ("ROS 2", "node")}, pairs_a_profile=1, seed=3)

    assert [each.target for each in crowd] == ["loop closure"] * 6  # nothing lies below ROS 2
    assert len({each.kind for each in crowd}) == 6


def test_somebody_without_gaps_has_all_foundations_and_somebody_with_gaps_lacks_one() -> None:
    for seed in range(20):
        rng = random.Random(seed)
        assert arrive(person(), GRAPH, rng=rng).known >= FOUNDATIONS
        lacking = arrive(person(has_gaps=True), GRAPH, rng=rng)
        assert not lacking.known >= FOUNDATIONS
        assert GRAPH.closure(lacking.known) == lacking.known


def test_the_fewest_questions_are_the_shortest_clean_series_that_passes() -> None:
    assert [figures.fewest_questions(concepts) for concepts in (1, 2, 3, 4)] == [4, 4, 6, 8]


def test_a_concept_is_mastered_too_early_when_its_learner_does_not_know_it() -> None:
    loops = [loop(), loop(known_after=frozenset(TOPIC)), loop(ending="limit", known_after=frozenset())]

    assert figures.too_early(loops) == pytest.approx(2 / 6)


def test_questions_are_counted_for_each_mastered_concept() -> None:
    asked = [answer()] * 9
    assert figures.questions_a_concept([loop(answers=asked), loop(ending="limit", answers=asked)]) == (
        3,
        2,
    )


def test_recall_and_precision_of_gaps_are_over_all_diagnoses() -> None:
    first = Diagnosis(
        person=person(),
        scope=("a", "b", "c"),
        lacking=frozenset("ab"),
        found=frozenset("a"),
        answers=(),
        has_ended=True,
    )
    second = replace(first, lacking=frozenset("c"), found=frozenset("abc"))

    assert figures.gap_recall([first, second]) == pytest.approx(2 / 3)
    assert figures.gap_precision([first, second]) == pytest.approx(2 / 4)


def test_marks_that_differ_from_what_was_meant_are_counted_each_way() -> None:
    answers = [answer(), answer(marked=False), answer(meant=False), answer(meant=False, marked=False)]

    assert (figures.marked_wrong(answers), figures.marked_right(answers)) == (0.5, 0.5)


def test_what_is_due_is_compared_with_what_is_forgotten() -> None:
    morning = Morning(
        person=person(),
        days=5,
        mastered=frozenset("abcd"),
        forgotten=frozenset("ab"),
        due=frozenset("bcd"),
        is_offered=True,
    )

    assert figures.caught([morning]) == 0.5
    assert figures.due_and_forgotten([morning]) == pytest.approx(1 / 3)


def test_a_step_before_what_it_leans_on_is_out_of_order() -> None:
    needs = {"b": ("a",), "c": ("a", "b")}

    assert order_violations(("a", "b", "c"), needs) == 0
    assert order_violations(("c", "a", "b"), needs) == 2
    assert order_violations(("c",), needs) == 0


def test_the_fixed_quiz_explains_in_turn_and_gains_what_the_rates_say() -> None:
    """One explanation of each concept to strong learners, who have the foundations."""
    prerequisites = {name: GRAPH.prerequisites(name) for name in GRAPH.concepts}
    rng = random.Random(2)
    fixed = loop(person=person(STRONG))
    gained = [fixed_gain(fixed, prerequisites, rng=rng) for _ in range(500)]

    assert sum(gained) / len(gained) == pytest.approx(3 * STRONG.learns, abs=0.1)


def test_the_fixed_quiz_does_not_care_what_was_missed() -> None:
    """The app explained one concept three times over; the fixed quiz explains three concepts once."""
    prerequisites = {name: GRAPH.prerequisites(name) for name in GRAPH.concepts}
    again = loop(person=person(STRONG), explained=(Heard(told=("loop closure",)),) * 3, cycles=3)
    gained = [fixed_gain(again, prerequisites, rng=random.Random(seed)) for seed in range(500)]

    assert sum(gained) / len(gained) == pytest.approx(3 * STRONG.learns, abs=0.1)


def test_what_is_told_again_teaches_half_as_often() -> None:
    prerequisites = {name: GRAPH.prerequisites(name) for name in GRAPH.concepts}
    again = loop(person=person(STRONG), explained=(Heard(retold=TOPIC),))
    gained = [fixed_gain(again, prerequisites, rng=random.Random(seed)) for seed in range(500)]

    assert sum(gained) / len(gained) == pytest.approx(1.5 * STRONG.learns, abs=0.1)


def test_an_explanation_that_only_repeats_counts_as_told_but_not_as_new() -> None:
    loops = [loop(explained=(Heard(told=TOPIC), Heard(retold=TOPIC))), loop(explained=(Heard(), Heard()))]

    assert (figures.with_content(loops, cycle=1), figures.with_content(loops, cycle=2)) == (0.5, 0)
    assert figures.with_retelling(loops, cycle=2) == 0.5


def test_questions_beyond_what_was_told_are_counted() -> None:
    assert figures.asked_as_told([loop(answers=[answer(), answer(was_told=False)])]) == 0.5
