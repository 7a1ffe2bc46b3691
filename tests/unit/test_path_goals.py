"""What a learner's words for a goal mean in the sample course."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.teaching.path import plan_path, resolve_goals
from evals.simulation.diagnostic import order_violations
from evals.simulation.sample import sample_graph

GRAPH = sample_graph()


def found(goal: str) -> tuple[str, ...]:
    return resolve_goals(GRAPH, [goal]).concepts


@pytest.mark.parametrize(
    ("goal", "concepts"),
    [
        ("SLAM", ("SLAM",)),
        ("slam", ("SLAM",)),
        ("coordinate frames", ("coordinate frame",)),
        ("Quality of Service", ("quality of service",)),
        ("I want to understand loop closures", ("loop closure",)),
        ("how publishers and subscribers work", ("publisher", "subscriber")),
        ("odometry", ("visual odometry",)),
        ("visual odometri", ("visual odometry",)),
    ],
)
def test_a_goal_finds_its_concepts(goal: str, concepts: tuple[str, ...]) -> None:
    assert found(goal) == concepts


@pytest.mark.parametrize(
    ("goal", "chapter"),
    [
        ("module 2", "module-2-urdf/"),
        ("the URDF module", "module-2-urdf/"),
        ("chapter 2 of module 1", "module-1-ros2/ch2-topics"),
        ("Coordinate frames and tf2 chapter", "module-2-urdf/ch2-frames-tf"),
        ("why simulate", "module-3-simulation/ch1-why-simulate"),
    ],
)
def test_a_goal_finds_a_part_of_the_course(goal: str, chapter: str) -> None:
    concepts = found(goal)

    assert len(concepts) >= 3
    assert all(GRAPH.concepts[name].chapter_id.startswith(chapter) for name in concepts)


@pytest.mark.parametrize("goal", ["quantum computing", "chapter 2", "module 9", "state", "", "  ", "?!"])
def test_a_goal_that_says_too_little_or_something_else_is_unknown(goal: str) -> None:
    assert found(goal) == ()
    assert list(resolve_goals(GRAPH, [goal]).unknown) == [goal]


def test_goals_are_called_by_the_courses_own_names() -> None:
    assert resolve_goals(GRAPH, ["i want to know loop closures"]).names == ("loop closure",)
    assert resolve_goals(GRAPH, ["module 2"]).names == ("module 2",)


@given(st.text(max_size=60))
def test_any_text_is_a_goal_or_unknown(goal: str) -> None:
    goals = resolve_goals(GRAPH, [goal])

    assert bool(goals.concepts) != bool(goals.unknown)
    assert set(goals.concepts) <= GRAPH.concepts.keys()


def test_paths_through_the_sample_course_have_no_order_violations() -> None:
    assert order_violations(GRAPH, plans=60, seed=4) == 0


def test_every_step_towards_slam_quotes_the_course() -> None:
    steps = plan_path(GRAPH, {}, goals=["SLAM"], threshold=0.85).steps

    assert [step.concept for step in steps][-1] == "SLAM"
    assert {"pose", "feature"} <= {step.concept for step in steps}
    for step in steps[:-1]:
        assert step.concept.lower().split()[0] in step.evidence.lower()
