"""What is kept of a concept's answers says what a replay of them says, to the last bit."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.teaching.belief import Belief, after, faded, from_log_odds
from agents.teaching.evidence import Evidence
from agents.teaching.mastery import CourseStanding, course_mastery, right_answers_to_go
from agents.teaching.running import STARTS, ConceptState, from_json, to_json

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)

evidence = st.builds(
    Evidence,
    is_correct=st.booleans(),
    answered_at=st.integers(0, 500).map(lambda days: NOW - timedelta(days=days)),
    difficulty=st.sampled_from(["easy", "medium", "hard"]),
    kind=st.sampled_from([None, "true_false", "cloze", "short_answer"]),
    score=st.floats(0, 1),
    weight=st.floats(0.1, 1),
    topic=st.sampled_from(["ROS 2", "URDF"]),
    gave_up=st.booleans(),
    lesson=st.sampled_from(["ROS 2/1", "ROS 2/2", "URDF/1"]),
    round=st.integers(0, 3),
)
courses = st.dictionaries(st.sampled_from(["node", "topic", "joint"]), st.lists(evidence, max_size=8))


def from_one_start(answers: list[Evidence], start: float) -> Belief:
    """The model itself: every answer again, from there."""
    belief, last, lessons = Belief(from_log_odds(start)), None, set[str]()
    floor = from_log_odds(start)
    for answer in sorted(answers, key=lambda each: each.answered_at):
        belief = faded(belief, answer.answered_at - last if last else timedelta(), floor=floor)
        belief = after(belief, answer, is_taught=answer.lesson not in lessons, start=floor)
        last = answer.answered_at
        lessons.add(answer.lesson)
    return faded(belief, NOW - last if last else timedelta(), floor=floor)


@given(st.lists(evidence, max_size=8))
def test_one_answer_after_the_other_makes_the_state_that_a_replay_makes(answers: list[Evidence]) -> None:
    state = ConceptState()
    for answer in sorted(answers, key=lambda each: each.answered_at):
        state = state.plus(answer)

    assert state == ConceptState.of(answers)


@given(st.lists(evidence, max_size=8))
def test_a_stored_state_comes_back_as_it_was(answers: list[Evidence]) -> None:
    state = ConceptState.of(answers)

    assert from_json(json.loads(json.dumps(to_json(state)))) == state


@given(st.lists(evidence, max_size=8), st.sampled_from(STARTS))
def test_a_belief_from_a_kept_start_is_the_models_own(answers: list[Evidence], start: float) -> None:
    assert ConceptState.of(answers).belief(start, now=NOW) == from_one_start(answers, start)


@given(st.lists(evidence, max_size=8), st.floats(STARTS[0], STARTS[-1]))
def test_between_two_starts_it_is_read_off_closely(answers: list[Evidence], start: float) -> None:
    read_off = ConceptState.of(answers).belief(start, now=NOW).chance()

    assert read_off == pytest.approx(from_one_start(answers, start).chance(), abs=0.05)


@given(courses)
def test_a_course_stands_by_its_states_as_by_its_answers(answers: dict[str, list[Evidence]]) -> None:
    states = {name: ConceptState.of(own) for name, own in answers.items()}
    kept = CourseStanding(states, now=NOW)

    assert {name: kept.concept(name) for name in answers} == course_mastery(answers, now=NOW)
    for names in [["node"], list(answers)]:
        told = right_answers_to_go(answers, names, now=NOW, topic="ROS 2", round=3)
        assert kept.to_go(names, topic="ROS 2", round=3) == told


@given(st.lists(evidence, max_size=8), evidence, st.floats(STARTS[0], STARTS[-1]))
def test_a_narrowed_state_goes_on_like_the_whole(
    answers: list[Evidence], more: Evidence, start: float
) -> None:
    state, late = ConceptState.of(answers), replace(more, answered_at=NOW)

    narrowed = state.narrowed(start).plus(late)
    assert narrowed.belief(start, now=NOW) == state.plus(late).belief(start, now=NOW)
