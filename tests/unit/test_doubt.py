"""Acting on a reading or asking first: the dearer the mistake, the surer one must be."""

import pytest

from agents.coordinator.desk import ways
from agents.coordinator.intents import ACTIONS, Situation, understand
from agents.language.replies import by_action, is_better_asked, is_dear
from agents.language.understanding import OpenQuestion
from agents.state import Choice


def test_what_is_hardly_known_is_asked_and_what_is_clear_is_done() -> None:
    assert is_better_asked([("courses", 0.4), ("ask", 0.35), ("help", 0.2), ("plan", 0.05)])
    assert not is_better_asked([("courses", 0.9), ("ask", 0.1)])


@pytest.mark.parametrize("action", ["teach", "tasks", "switch_course", "reset"])
def test_what_changes_something_needs_to_be_surer(action: str) -> None:
    chances = [("ask", 0.2), ("help", 0.1), ("plan", 0.05)]
    assert is_dear(action)
    assert is_better_asked([(action, 0.65), *chances])
    assert not is_better_asked([("progress", 0.65), *chances])


def test_what_comes_to_the_same_is_no_doubt() -> None:
    assert not is_better_asked([("resume", 0.5), ("next", 0.45), ("ask", 0.05)])


def test_the_manners_of_one_action_speak_for_it_together() -> None:
    labels = [("ask", 0.4), ("reexplain/again", 0.3), ("reexplain/simpler", 0.3)]
    assert by_action(labels)[0] == ("reexplain", pytest.approx(0.6))


def test_only_actions_are_offered_and_each_once() -> None:
    choices = ways("teach", "change_topic", "unclear", "plan", topic="waves")
    assert [choice.action for choice in choices] == ["teach", "plan"]
    assert all(choice.topic == "waves" and "waves" in choice.label for choice in choices)
    assert {choice.action for choice in ways(*ACTIONS)} <= set(ACTIONS)


DOUBTED = Situation(
    awaiting="doubt",
    doubtful="pe kit tomorrow",
    choices=(
        Choice(label="See to my to-do list", action="tasks"),
        Choice(label="Look it up in the course", action="ask"),
    ),
)


@pytest.mark.parametrize(("reply", "action"), [("1", "tasks"), ("the second one", "ask"), ("yes", "tasks")])
def test_what_is_picked_is_done_with_the_message_of_before(reply: str, action: str) -> None:
    chosen = understand(reply, DOUBTED)
    assert (chosen.action, chosen.kept) == (action, "pe kit tomorrow")


def test_none_of_the_ways_offered_is_let_go() -> None:
    assert understand("no, none of these", DOUBTED).action == "no"


def test_something_else_said_instead_is_read_as_usual() -> None:
    meant = understand("what did I get wrong?", DOUBTED)
    assert (meant.action, meant.kept) == ("mistakes", "")


def test_a_command_that_is_also_the_answer_is_asked_about() -> None:
    asked = OpenQuestion(kind="cloze", text="A red light means ____.", expected="stop")
    assert understand("stop", Situation(place="question", question=asked)).action == "unsure"
    assert understand("skip", Situation(place="question", question=asked)).action == "skip"


def test_no_idea_is_about_the_open_question_and_not_a_no_to_what_was_asked_beside_it() -> None:
    question = OpenQuestion(kind="short_answer", text="What is a node?", options=(), expected="a process")
    here = Situation(place="question", question=question, awaiting="doubt", doubtful="the graph first?")
    assert understand("no idea", here).action == "answer"
    assert understand("no", here).action != "answer"
