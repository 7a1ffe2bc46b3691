"""The diagnostic: few questions, each chosen to tell the most."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.diagnostic.offline import (
    Conclusion,
    conclude,
    conclude_new,
    conclude_nothing,
    opening,
    result_text,
    shortcut,
)
from agents.teaching.diagnosis import (
    FEWEST_PROBES,
    MOST_CONCEPTS,
    ProbeState,
    begin,
    diagnostic_scope,
    next_probe,
    update,
)
from agents.teaching.path import ConceptGraph
from agents.teaching.values import MOST_PROBES, Concept, Relationship

CHAIN = ("node", "topic", "message", "service", "action")


def graph_of(names: tuple[str, ...], pairs: list[tuple[str, str]]) -> ConceptGraph:
    """Concepts in this order, and pairs of a concept with what it leans on."""
    concepts = [
        Concept(name=name, definition="", kind="term", chapter_id="ch1", chunk_id=name, position=place)
        for place, name in enumerate(names)
    ]
    edges = [
        Relationship(prerequisite=need, concept=name, chunk_id=name, evidence="", weight=1.0)
        for name, need in pairs
    ]
    return ConceptGraph.of(concepts, edges)


def chain() -> ConceptGraph:
    """Each concept leans on the one before."""
    return graph_of(CHAIN, list(zip(CHAIN[1:], CHAIN, strict=False)))


def take(state: ProbeState, *, known: set[str]) -> ProbeState:
    """Somebody who never slips or guesses answers everything."""
    while (concept := next_probe(state)) is not None:
        state = update(state, concept, is_correct=concept in known)
    return state


def test_knowing_a_concept_makes_its_prerequisites_likely() -> None:
    before = begin(chain(), ["action"])
    after = update(before, "service", is_correct=True)

    assert all(after.known[name] > before.known[name] for name in CHAIN)
    assert after.known["node"] > 0.8


def test_lacking_a_concept_makes_what_builds_on_it_unlikely() -> None:
    before = begin(chain(), ["action"])
    after = update(before, "topic", is_correct=False)

    assert all(after.known[name] < before.known[name] for name in CHAIN)
    assert after.known["action"] < 0.1


def test_the_first_question_of_a_chain_is_neither_the_easiest_nor_the_hardest() -> None:
    assert next_probe(begin(chain(), ["action"])) in {"topic", "message", "service"}


def test_an_answer_about_something_else_changes_nothing() -> None:
    state = begin(chain(), ["action"])

    assert update(state, "cooking", is_correct=False) is state


@pytest.mark.parametrize("known", [CHAIN[:number] for number in range(len(CHAIN) + 1)])
def test_a_clear_learner_on_a_chain_is_found_out_exactly(known: tuple[str, ...]) -> None:
    state = take(begin(chain(), ["action"]), known=set(known))

    assert conclude(state).gaps == CHAIN[len(known) :]


def test_it_stops_early_when_the_picture_is_clear() -> None:
    """Who misses the foundations three times need not be asked what builds on them."""
    lost = take(begin(chain(), ["action"]), known=set())

    assert len(lost.asked) < MOST_PROBES
    assert conclude(lost).level == "beginner"


def test_what_the_ledger_knows_need_not_be_asked_again() -> None:
    fresh = begin(chain(), ["action"])
    known = begin(chain(), ["action"], mastery={"message": 0.95})
    lacking = begin(chain(), ["action"], mastery={"topic": 0.05})

    assert known.known["node"] > fresh.known["node"]
    assert lacking.known["action"] < 0.1
    assert next_probe(known) in {"service", "action"}


def test_the_same_topic_starts_the_same_way() -> None:
    assert begin(chain(), ["action"]).known == begin(chain(), ["action"]).known


def test_a_single_concept_can_be_probed_too() -> None:
    lone = take(begin(graph_of(("RANSAC",), []), ["RANSAC"]), known={"RANSAC"})

    assert lone.asked == ("RANSAC",) * FEWEST_PROBES
    assert conclude(lone).gaps == ()
    assert conclude(lone).level == "advanced"


def test_a_topic_that_the_course_does_not_have_is_not_probed() -> None:
    state = begin(chain(), ["cooking"])

    assert next_probe(state) is None
    assert conclude(state).gaps == ()


def test_a_graph_with_a_cycle_is_probed_all_the_same() -> None:
    circular = graph_of(("egg", "hen"), [("egg", "hen"), ("hen", "egg")])

    assert conclude(take(begin(circular, ["hen"]), known=set())).gaps == ("egg", "hen")


@settings(max_examples=30)
@given(st.data())
def test_any_course_and_any_answers_take_three_to_six_questions(data: st.DataObject) -> None:
    names = tuple(f"c{number}" for number in range(data.draw(st.integers(2, 20))))
    pair = st.tuples(st.sampled_from(names), st.sampled_from(names))
    graph = graph_of(names, data.draw(st.lists(pair, max_size=25)))
    topic = data.draw(st.lists(st.sampled_from(names), min_size=1, max_size=5, unique=True))
    state = begin(graph, topic)
    while (concept := next_probe(state)) is not None:
        state = update(state, concept, is_correct=data.draw(st.booleans()))
    result = conclude(state)

    # Two concepts can be asked about twice each, three times would be nagging.
    assert min(FEWEST_PROBES, 2 * len(state.concepts)) <= len(state.asked) <= MOST_PROBES
    assert set(state.concepts) & set(topic)
    assert set(result.gaps) <= set(state.concepts)
    assert all(0 <= chance <= 1 for chance in state.known.values())


@given(st.data())
def test_nothing_is_cleared_that_was_not_asked_about(data: st.DataObject) -> None:
    """Whatever the graph, the answers and the number of questions: known is only what was asked about."""
    names = tuple(f"c{number}" for number in range(data.draw(st.integers(1, 9))))
    pairs = data.draw(st.lists(st.tuples(st.sampled_from(names), st.sampled_from(names)), max_size=12))
    most = data.draw(st.integers(1, 12))
    state = begin(graph_of(names, pairs), names)
    while (concept := next_probe(state, most=most)) is not None:
        state = update(state, concept, is_correct=data.draw(st.booleans()))
    result = conclude(state)

    assert len(state.asked) <= most
    assert set(result.strong) <= set(state.asked)
    assert sorted([*result.strong, *result.gaps, *result.open]) == sorted(state.concepts)


def test_a_concept_without_questions_is_passed_over_and_stays_open() -> None:
    state = begin(chain(), CHAIN)
    first = next_probe(state)
    assert first is not None
    assert next_probe(state, without=[first]) not in (None, first)
    assert next_probe(state, without=CHAIN) is None


def test_the_words_say_on_how_much_they_rest_and_what_stays_open() -> None:
    state = update(begin(chain(), CHAIN), "message", is_correct=True)
    told = result_text(conclude(state), topic="services", is_course=False)

    assert "That rests on 1 question." in told
    assert "I did not ask enough to say anything about" in told
    assert "at home with **message**." in told


def test_the_level_is_by_what_is_in_place() -> None:
    levels = [
        conclude(take(begin(chain(), ["service", "action"]), known=set(CHAIN[:number]))).level
        for number in (0, 3, 5)
    ]

    assert levels == ["beginner", "intermediate", "advanced"]


def test_gaps_below_the_topic_are_told_from_the_topic_itself() -> None:
    result = conclude(take(begin(chain(), ["service", "action"]), known={"node", "topic"}))

    assert result.gaps == ("message", "service", "action")
    assert result.foundations == ("message",)
    assert result.recommendations[0] == "Begin with message: the topic leans on it."


def test_somebody_new_is_believed_without_a_question() -> None:
    result = conclude_new(begin(chain(), ["action"]))

    assert result.gaps == CHAIN
    assert result.level == "beginner"


@pytest.mark.parametrize("was_asked", [False, True])
@pytest.mark.parametrize("was_skipped", [False, True])
def test_without_an_answer_nothing_is_claimed(was_asked: bool, was_skipped: bool) -> None:
    result = conclude_nothing("action", was_asked=was_asked, was_skipped=was_skipped)

    assert (result.gaps, result.level) == ((), "unknown")
    assert result.recommendations


@pytest.mark.parametrize(
    "message",
    ["I'm new to this", "i am completely new to robotics", "Never heard of it", "I'm a total beginner", "from scratch please",
     "I know nothing about it"],
)  # fmt: skip
def test_newcomers_are_understood(message: str) -> None:
    assert shortcut(message) == "new"


@pytest.mark.parametrize(
    "message", ["skip", "Skip this please", "can we skip", "just start", "no questions please"]
)
def test_a_wish_to_skip_is_understood(message: str) -> None:
    assert shortcut(message) == "skip"


@pytest.mark.parametrize(
    "message",
    ["a node is a process", "B", "the new message replaces the old", "it sends news", "newton", "0.1 s"],
)
def test_an_answer_is_no_shortcut(message: str) -> None:
    assert shortcut(message) is None


@pytest.mark.parametrize("message", ["no idea", "never heard of it", "because it was never used before"])
def test_what_answers_the_pending_question_does_not_end_the_diagnostic(message: str) -> None:
    assert shortcut(message, is_asked=True) is None


def test_being_new_is_understood_in_the_middle_of_the_questions() -> None:
    assert shortcut("sorry, I'm completely new to this", is_asked=True) == "new"


def test_a_right_answer_that_may_be_a_guess_says_less() -> None:
    before = begin(chain(), ["action"])
    guessed = update(before, "service", is_correct=True, guess=0.5)
    typed = update(before, "service", is_correct=True, guess=0.1)

    assert before.known["service"] < guessed.known["service"] < typed.known["service"]


def test_a_chance_no_better_than_guessing_counts_as_not_known() -> None:
    assert begin(chain(), ["action"], mastery={"topic": 0.25}).known["topic"] < 0.1
    assert begin(chain(), ["action"], mastery={"topic": 0.89}).known["topic"] > 0.9


def test_the_scope_is_the_topic_and_the_strongest_of_what_it_leans_on() -> None:
    names = tuple(f"base {number}" for number in range(30)) + tuple(f"own {number}" for number in range(11))
    pairs = [(f"own {number % 11}", f"base {number}") for number in range(30)]
    own = [f"own {number}" for number in range(11)]
    scope = diagnostic_scope(graph_of(names, pairs), own)

    assert len(scope) == MOST_CONCEPTS
    assert sum(name.startswith("base") for name in scope) == 4


def test_a_whole_course_is_probed_from_its_beginning_to_its_end() -> None:
    names = tuple(f"concept {number}" for number in range(81))
    leaned_on = [(f"concept {number}", "concept 40") for number in range(41, 81)]
    scope = diagnostic_scope(graph_of(names, leaned_on), names)

    assert len(scope) == MOST_CONCEPTS
    places = [names.index(name) for name in scope]
    assert max(later - earlier for earlier, later in pairwise(places)) <= 14
    assert "concept 40" in scope


def test_the_words_say_first_what_is_there() -> None:
    result = Conclusion(
        gaps=("pose", "SLAM"),
        level="beginner",
        recommendations=(),
        foundations=("pose",),
        strong=("node", "topic"),
    )
    text = result_text(result, topic="SLAM", is_course=False)

    assert text == (
        "You are at home with **node** and **topic**. "
        "**pose** is worth a look first, because **SLAM** leans on it."
    )
    found = Conclusion(gaps=(), level="advanced", recommendations=())
    assert "no gaps" in result_text(found, topic="SLAM", is_course=False)


def test_the_opening_says_how_to_get_out() -> None:
    text = opening("SLAM")

    assert "I'm new to this" in text
    assert "skip" in text
    assert shortcut("I'm new to this") == "new"
