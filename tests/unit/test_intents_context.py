"""What the conversation knows changes what a short reply means."""

import pytest

from agents.coordinator.intents import RoutingContext, classify

CONFIRMATION = RoutingContext(awaiting="task_confirmation")
CLARIFICATION = RoutingContext(awaiting="task_clarification")
ANSWER = RoutingContext(awaiting="task_answer")
SUGGESTION = RoutingContext(awaiting="suggestion")
IN_HAND = RoutingContext(tasks_in_hand=True, tasks_listed=True)


@pytest.mark.parametrize(
    "message", ["yes", "ok", "sure, go ahead", "yes please delete it", "of course", "do it"]
)
def test_a_yes_confirms_the_task_command(message: str) -> None:
    intent = classify(message, context=CONFIRMATION)

    assert (intent.action, intent.route) == ("yes", "task_manager")


@pytest.mark.parametrize("message", ["no", "never mind", "cancel", "keep it", "don't delete it", "not now"])
def test_a_no_declines_the_task_command(message: str) -> None:
    intent = classify(message, context=CONFIRMATION)

    assert (intent.action, intent.route) == ("no", "task_manager")


@pytest.mark.parametrize("message", ["2", "the first one", "the meeting one", "both"])
def test_a_pick_answers_which_task_was_meant(message: str) -> None:
    intent = classify(message, context=CLARIFICATION)

    assert (intent.action, intent.route) == ("tasks", "task_manager")


def test_a_pick_goes_to_the_task_before_the_quiz() -> None:
    """The tutor's last words asked which task, so '2' is about that."""
    assert classify("2", question_pending=True, context=CLARIFICATION).route == "task_manager"


@pytest.mark.parametrize("message", ["maybe", "hmm", "the blue one"])
def test_neither_yes_nor_no_still_answers_the_task_command(message: str) -> None:
    assert classify(message, context=CONFIRMATION).route == "task_manager"


@pytest.mark.parametrize(
    "message", ["buy milk", "read chapter 2 of the red book by Friday", "2", "never mind"]
)
def test_what_a_task_command_lacked_goes_to_the_task_manager(message: str) -> None:
    assert classify(message, context=ANSWER).route == "task_manager"


@pytest.mark.parametrize(
    "message",
    ["rename it to weekly meeting", "move it to Monday", "change it to Tuesday", "delete everything"],
)
def test_it_is_the_task_that_was_just_spoken_of(message: str) -> None:
    assert classify(message, context=IN_HAND).route == "task_manager"
    assert classify(message).route == "coordinator"


@pytest.mark.parametrize("message", ["move the arm to the left", "what is it made of?", "teach me URDF"])
def test_other_things_are_no_tasks_even_then(message: str) -> None:
    assert classify(message, context=IN_HAND).route != "task_manager"


@pytest.mark.parametrize("context", [CONFIRMATION, CLARIFICATION, ANSWER])
def test_something_else_is_still_served_while_a_task_waits(context: RoutingContext) -> None:
    assert classify("what is a URDF joint?", context=context).action == "ask"


@pytest.mark.parametrize("message", ["yes", "sure", "ok let's go", "yes please"])
def test_a_yes_takes_up_the_suggestion(message: str) -> None:
    intent = classify(message, context=SUGGESTION)

    assert (intent.action, intent.route) == ("next", "learning_loop")


def test_a_no_to_a_suggestion_stays_with_the_coordinator() -> None:
    assert classify("no thanks", context=SUGGESTION).route == "coordinator"


@pytest.mark.parametrize("message", ["yes", "ok", "ready", "continue"])
def test_a_paused_quiz_goes_on_at_a_word(message: str) -> None:
    intent = classify(message, question_pending=True, context=RoutingContext(quiz_paused=True))

    assert intent.action == "resume"


def test_an_answer_is_taken_even_while_the_quiz_is_paused() -> None:
    intent = classify("a named channel", question_pending=True, context=RoutingContext(quiz_paused=True))

    assert intent.action == "answer"


@pytest.mark.parametrize("message", ["wrong", "that's correct", "no, that's false"])
def test_a_verdict_answers_a_true_or_false_question(message: str) -> None:
    context = RoutingContext(question_kind="true_false")

    assert classify(message, question_pending=True, context=context).action == "answer"


@pytest.mark.parametrize("message", ["the second is done", "delete 2 and 4", "that one is done"])
def test_after_a_list_of_tasks_places_mean_tasks(message: str) -> None:
    assert classify(message, context=RoutingContext(tasks_listed=True)).route == "task_manager"
