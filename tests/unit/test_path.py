"""The learning path: foundations first, only what is not mastered, with reasons."""

from hypothesis import given
from hypothesis import strategies as st

from agents.pathplanner.offline import plan_text
from agents.teaching.path import MOST_SHOWN, ConceptGraph, Plan, plan_path, readable, remediation
from agents.teaching.values import Concept, Relationship

NAMES = ("node", "topic", "link", "pose", "transform", "odometry", "SLAM")
NEEDS = {
    "topic": ("node",),
    "pose": ("link",),
    "transform": ("pose",),
    "odometry": ("transform", "node"),
    "SLAM": ("odometry", "pose"),
}
THRESHOLD = 0.85


def concept(name: str, *, position: int = 0, chapter: str = "ch1-basics") -> Concept:
    return Concept(
        name=name,
        definition=f"{name} defined.",
        kind="glossary",
        chapter_id=chapter,
        chunk_id=f"chunk of {name}",
        position=position,
    )


def edge(concept_name: str, need: str, *, weight: float = 1.0) -> Relationship:
    return Relationship(
        prerequisite=need,
        concept=concept_name,
        chunk_id=f"{concept_name} uses {need}",
        evidence=f"{concept_name} leans on {need}.",
        weight=weight,
    )


def graph_of(
    names: tuple[str, ...] = NAMES, needs: dict[str, tuple[str, ...]] | None = None, *, chapter_size: int = 3
) -> ConceptGraph:
    concepts = [
        concept(name, position=place, chapter=f"ch{place // chapter_size + 1}-part")
        for place, name in enumerate(names)
    ]
    edges = [
        edge(name, need) for name, below in (NEEDS if needs is None else needs).items() for need in below
    ]
    return ConceptGraph.of(concepts, edges)


GRAPH = graph_of()


def plan(*goals: str, mastery: dict[str, float] | None = None, graph: ConceptGraph = GRAPH) -> Plan:
    return plan_path(graph, mastery or {}, goals=goals, threshold=THRESHOLD)


def violations(graph: ConceptGraph, order: tuple[str, ...]) -> int:
    place = {name: number for number, name in enumerate(order)}
    return sum(place.get(need, -1) > place[name] for name in order for need in graph.prerequisites(name))


def test_a_goal_comes_after_everything_it_leans_on() -> None:
    assert plan("SLAM").concepts == ("node", "link", "pose", "transform", "odometry", "SLAM")


def test_what_is_mastered_is_left_out() -> None:
    assert plan("SLAM", mastery={"node": 0.9, "pose": 0.86, "transform": 0.84}).concepts == (
        "transform",
        "odometry",
        "SLAM",
    )


def test_who_has_mastered_a_concept_is_not_sent_below_it_unless_their_answers_say_so() -> None:
    assert "link" not in plan("pose", "transform", mastery={"pose": 0.9}).concepts
    assert plan("transform", mastery={"pose": 0.9, "link": 0.4}).concepts == ("link", "transform")


def test_the_plan_changes_with_mastery() -> None:
    before, after = plan("odometry"), plan("odometry", mastery={"node": 0.9})

    assert before.next_topic == "node"
    assert after.next_topic == "link"


def test_without_goals_the_whole_course_comes_in_reading_order() -> None:
    assert plan().concepts == NAMES
    assert plan("everything").concepts == NAMES


def test_every_step_says_why_and_shows_the_passage() -> None:
    graph = graph_of(chapter_size=1)
    steps = {step.concept: step for step in plan("SLAM", graph=graph).steps}

    assert steps["pose"].reason == "SLAM builds on it."
    assert steps["pose"].evidence == "SLAM leans on pose."
    assert steps["link"].reason == "Pose builds on it."
    assert steps["SLAM"].reason == "This is what you are after."


def test_an_unknown_goal_is_named_with_what_the_course_has() -> None:
    answer = plan("cooking")

    assert answer.steps == ()
    assert "cooking" in answer.message
    assert "Part" in answer.message


def test_an_unknown_goal_that_looks_like_a_concept_gets_a_suggestion() -> None:
    assert "**odometry**" in plan("odomentrics").message


def test_a_known_goal_is_planned_although_another_is_unknown() -> None:
    answer = plan("topic", "cooking")

    assert answer.concepts == ("node", "topic")
    assert "cooking" in answer.message


def test_a_goal_that_is_reached_is_said_to_be() -> None:
    answer = plan("pose", mastery={"pose": 0.9})

    assert answer.steps == ()
    assert "already mastered **pose**" in answer.message


def test_an_empty_course_has_an_empty_plan_with_an_answer() -> None:
    empty = ConceptGraph.of([], [])

    assert plan(graph=empty).steps == ()
    assert "tutor ingest" in plan("SLAM", graph=empty).message


def test_edges_to_concepts_that_are_gone_are_left_out() -> None:
    graph = ConceptGraph.of([concept("node")], [edge("node", "ghost"), edge("node", "node")])

    assert graph.prerequisites("node") == ()


def test_prerequisites_come_strongest_first() -> None:
    concepts = [concept(name, position=place) for place, name in enumerate(("a", "b", "c"))]
    graph = ConceptGraph.of(concepts, [edge("c", "a", weight=0.2), edge("c", "b", weight=2.0)])

    assert graph.prerequisites("c") == ("b", "a")


def test_a_step_is_a_section_with_what_is_still_to_be_learnt_in_it() -> None:
    steps = plan("SLAM", mastery={"node": 0.9}).steps

    assert [(step.chapter_id, step.concepts) for step in steps] == [
        ("ch1-part", ("link",)),
        ("ch2-part", ("pose", "transform", "odometry")),
        ("ch3-part", ("SLAM",)),
    ]


def test_a_section_is_left_only_for_what_it_leans_on() -> None:
    """Begun, it is finished, although something earlier in the course has become possible by now."""
    names = ("a1", "a2", "b1", "b2")
    needs = {"a2": ("b1",)}
    steps = plan(graph=graph_of(names, needs, chapter_size=2)).steps

    assert [step.concepts for step in steps] == [("a1",), ("b1", "b2"), ("a2",)]


@given(st.data())
def test_sections_never_put_anything_before_what_it_needs(data: st.DataObject) -> None:
    names = tuple(f"idea {number}" for number in range(data.draw(st.integers(1, 12))))
    needs = {
        name: tuple(data.draw(st.lists(st.sampled_from(names[:place]), max_size=3, unique=True)))
        for place, name in enumerate(names)
        if place
    }
    graph = graph_of(names, needs, chapter_size=data.draw(st.integers(1, 5)))
    sections = graph.in_sections(names)

    order = tuple(name for section in sections for name in section)
    assert sorted(order) == sorted(names)
    assert violations(graph, order) == 0


def test_an_open_goal_comes_with_what_the_same_lesson_teaches() -> None:
    lesson = {"pose": ("pose", "transform")}
    planned = plan_path(
        GRAPH, {}, goals=["pose"], threshold=THRESHOLD, taught_with=lambda name: lesson.get(name, ())
    )
    reached = plan_path(
        GRAPH,
        {"pose": 0.9},
        goals=["pose"],
        threshold=THRESHOLD,
        taught_with=lambda name: lesson.get(name, ()),
    )

    assert planned.concepts == ("link", "pose", "transform")
    assert reached.steps == ()


def test_how_much_of_the_way_is_behind_the_learner() -> None:
    assert plan("transform").share_done == 0.0
    assert plan("transform", mastery={"link": 0.9}).share_done == 1 - 2 / 3
    assert plan("transform", mastery={"transform": 0.9}).share_done == 1.0


def test_a_long_plan_is_told_by_chapters() -> None:
    names = tuple(f"idea {number}" for number in range(40))
    answer = plan(graph=graph_of(names, {}, chapter_size=4))

    assert len(answer.steps) == 10
    assert len(answer.shown) == MOST_SHOWN
    assert answer.concepts == names
    assert all(len(step.concepts) == 4 for step in answer.steps)
    assert "and 2 more steps" in plan_text(answer)


def test_remediation_goes_one_step_back_and_returns() -> None:
    answer = remediation(
        GRAPH,
        {"pose": 0.9, "odometry": 0.5},
        topic_concepts=["odometry", "SLAM"],
        gaps=["topic"],
        threshold=THRESHOLD,
    )

    assert answer.concepts == ("node", "topic", "transform", "odometry", "SLAM")
    assert "**node**, **topic** and **transform**" in answer.message
    assert {step.concept: step.reason for step in answer.steps}["SLAM"] == "This is what we come back to."


def test_remediation_of_something_without_foundations_takes_smaller_pieces() -> None:
    answer = remediation(GRAPH, {}, topic_concepts=["link"], gaps=[], threshold=THRESHOLD)

    assert answer.concepts == ("link",)
    assert "smaller pieces" in answer.message


def test_remediation_names_a_gap_that_the_diagnostic_found() -> None:
    answer = remediation(GRAPH, {}, topic_concepts=["pose"], gaps=["topic"], threshold=THRESHOLD)

    assert {step.concept: step.reason for step in answer.steps}["topic"] == "Your answers showed a gap here."


def test_the_plan_is_told_with_its_reasons_and_an_invitation() -> None:
    text = plan_text(plan("SLAM", mastery={"node": 0.9}))

    assert text.startswith(
        "Your way to **SLAM**, foundations first:\n\n1. **link** (Part): Pose builds on it."
    )
    assert "> pose leans on link." in text
    assert text.endswith("Shall we begin with **link**?")


def test_a_plan_without_steps_is_its_message() -> None:
    done = plan("pose", mastery={"pose": 0.9})

    assert plan_text(done) == done.message == done.keys["path_reasoning"]


def test_the_reasoning_names_the_first_step() -> None:
    assert plan("pose").keys["path_reasoning"] == "link first. Pose builds on it."


def test_chapter_ids_are_made_readable() -> None:
    assert [readable(name) for name in ("ch2-frames-tf", "module-1-ros2", "basics", "03_joints", "ch1")] == [
        "Frames tf",
        "Ros2",
        "Basics",
        "Joints",
        "Ch1",
    ]


@st.composite
def graphs(draw: st.DrawFn) -> ConceptGraph:
    """Any graph in which nothing leans on itself, as courses are read in."""
    names = tuple(f"c{number}" for number in range(draw(st.integers(1, 9))))
    pairs = draw(st.sets(st.tuples(st.sampled_from(names), st.sampled_from(names)), max_size=14))
    needs: dict[str, tuple[str, ...]] = {}
    for need, name in sorted(map(sorted, pairs)):
        if need != name:
            needs[name] = (*needs.get(name, ()), need)
    return graph_of(names, needs, chapter_size=draw(st.integers(1, 4)))


@given(graphs(), st.data())
def test_nothing_ever_comes_before_what_it_leans_on(graph: ConceptGraph, data: st.DataObject) -> None:
    names = sorted(graph.concepts)
    goals = data.draw(st.lists(st.sampled_from(names), max_size=3, unique=True))
    mastery = data.draw(st.dictionaries(st.sampled_from(names), st.floats(0, 1)))
    answer = plan(*goals, mastery=mastery, graph=graph)

    assert len(set(answer.concepts)) == len(answer.concepts)
    assert all(mastery.get(name, 0.0) < THRESHOLD for name in answer.concepts)
    assert violations(graph, answer.concepts) == 0


def test_every_concept_is_in_the_teaching_order_once_even_with_a_cycle() -> None:
    circular = graph_of(("egg", "hen", "nest"), {"egg": ("hen",), "hen": ("egg",), "nest": ("egg",)})

    assert circular.in_teaching_order(circular.concepts) == ("egg", "hen", "nest")
