"""What holds for any text at all, and for our labels as a whole."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.coordinator.intents import ACTIONS, ROUTES, Intent, RoutingContext, classify
from evals.routing import Judged, judge

AGENTS = {"coordinator", *ROUTES.values()}
WORDS = st.sampled_from(
    "teach me what is a topic stop skip i do not know my tasks remind quiz next why ? , . ! please hint 2 b URDF".split()
)
CHATTER = st.lists(WORDS, max_size=12).map(" ".join)
TEXTS = st.one_of(st.text(max_size=200), CHATTER)
CONTEXTS = st.builds(
    RoutingContext,
    quiz_paused=st.booleans(),
    tasks_listed=st.booleans(),
    awaiting=st.sampled_from(["", "task_confirmation", "task_clarification", "suggestion"]),
    topic_names=st.sampled_from([(), ("URDF", "Topics")]),
    options=st.sampled_from([(), ("stop", "a node")]),
)


@settings(deadline=None)
@given(text=TEXTS, pending=st.booleans(), context=CONTEXTS)
def test_any_text_gets_a_valid_intent(text: str, pending: bool, context: RoutingContext) -> None:
    intent = classify(text, question_pending=pending, context=context)

    assert isinstance(intent, Intent)
    assert intent.action in ACTIONS
    assert intent.route in AGENTS
    assert 0.0 <= intent.confidence <= 1.0
    assert intent.reason
    assert len(intent.topic.split()) <= 12


@settings(deadline=None)
@given(text=TEXTS, context=CONTEXTS)
def test_nothing_is_an_answer_when_nothing_was_asked(text: str, context: RoutingContext) -> None:
    assert classify(text, context=context).action != "answer"


@settings(deadline=None)
@given(text=TEXTS, pending=st.booleans())
def test_the_same_message_is_always_read_the_same_way(text: str, pending: bool) -> None:
    assert classify(text, question_pending=pending) == classify(text, question_pending=pending)


@pytest.mark.parametrize("pending", [False, True])
@pytest.mark.parametrize(
    "piece", ["a, ", "what is a node? ", "teach me ", "i want to ", "x", "?! ", "\n", "🙂"]
)
def test_a_huge_message_is_read_like_any_other(piece: str, pending: bool) -> None:
    assert classify(piece * (100_000 // len(piece)), question_pending=pending).action in ACTIONS


@pytest.fixture(scope="module")
def held_out() -> list[Judged]:
    return judge("heldout")


def test_routes_of_held_out_messages_stay_right(held_out: list[Judged]) -> None:
    assert sum(each.route_is_right for each in held_out) / len(held_out) >= 0.95


def test_what_is_no_answer_is_hardly_ever_graded(held_out: list[Judged]) -> None:
    others = [each for each in held_out if each.label.pending and not each.label.is_answer]
    graded = [each for each in others if each.intent.action == "answer"]

    assert len(graded) / len(others) <= 0.03


def test_answers_are_hardly_ever_missed(held_out: list[Judged]) -> None:
    answers = [each for each in held_out if each.label.is_answer]
    missed = [each for each in answers if each.intent.action != "answer"]

    assert len(missed) / len(answers) <= 0.03


def test_no_message_is_both_tuned_on_and_held_out(held_out: list[Judged]) -> None:
    tuned = {(each.label.text.strip().lower(), each.label.pending) for each in judge("tune")}

    assert tuned.isdisjoint((each.label.text.strip().lower(), each.label.pending) for each in held_out)
