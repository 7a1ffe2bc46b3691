"""What a message asks the task manager to do."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.task_manager.intents import WEIGHTS, commands_in, understand
from agents.task_manager.reading import WaitingFor, tidy
from evals.tasks import judged

OPTIONS = ("Call John about the meeting", "Prepare Monday meeting")


@pytest.mark.parametrize(
    ("message", "title", "due"),
    [
        ("remind me to buy groceries", "buy groceries", None),
        ("add buy 2 apples", "buy 2 apples", None),
        ("Add task: finish the URDF exercise", "finish the URDF exercise", None),
        ("could you please put laundry on my to-do list?", "laundry", None),
        ("add milk to my list for tomorrow", "milk", "for tomorrow"),
        ("remind me on Friday at 10 to submit the form", "submit the form", "on Friday at 10"),
        ("put a reminder in for Tuesday to call the bank", "call the bank", "for Tuesday"),
        ("I have to finish the assignment before Friday", "finish the assignment", "before Friday"),
        ("remind me to complete the survey", "complete the survey", None),
        ("remind me to tell Max that task 2 is done", "tell Max that task 2 is done", None),
        ("new todo 🎉 plan the party", "🎉 plan the party", None),
        ("add task: 学习 ROS 2 话题", "学习 ROS 2 话题", None),
        ('add a new task called "Fix; rm -rf /" due friday', "Fix; rm -rf /", "due friday"),
        ("add 'call mom tomorrow'", "call mom tomorrow", None),
        ("add 'a' and 'b'", "'a' and 'b'", None),
        ("ad a taks to clean my desk", "clean my desk", None),
        ("REMIND ME TO SLEEP", "SLEEP", None),
    ],
)
def test_a_new_task_is_understood_with_its_title_and_date(message: str, title: str, due: str | None) -> None:
    result = understand(message)

    assert (result.intent, result.entities.title, result.entities.due) == ("create", title, due)


@pytest.mark.parametrize(
    "message", ["add a task", "remind me", "remind me tomorrow", "add it to my list", "new task"]
)
def test_a_new_task_without_words_has_no_title(message: str) -> None:
    result = understand(message)

    assert (result.intent, result.entities.title) == ("create", None)


def test_a_description_is_taken_apart_from_the_title() -> None:
    entities = understand("add a task to call Bob with description ask about the motors").entities

    assert (entities.title, entities.description) == ("call Bob", "ask about the motors")
    entities = understand("add a task: read the paper, details: section 3").entities
    assert (entities.title, entities.description) == ("read the paper", "section 3")


def test_notes_in_a_title_are_no_description() -> None:
    entities = understand("add a task: meeting notes in two weeks").entities

    assert (entities.title, entities.description, entities.due) == ("meeting notes", None, "in two weeks")


@pytest.mark.parametrize(
    ("message", "status"),
    [
        ("show my tasks", "pending"),
        ("tasks?", "pending"),
        ("what do I have to do today?", "pending"),
        ("what's left to do", "pending"),
        ("show completed tasks", "completed"),
        ("which tasks have I finished?", "completed"),
        ("list all my tasks, including the done ones", "all"),
        ("shwo my taks", "pending"),
    ],
)
def test_asking_for_the_list_says_which_tasks(message: str, status: str) -> None:
    result = understand(message)

    assert (result.intent, result.entities.status) == ("list", status)


@pytest.mark.parametrize(
    ("message", "intent", "reference"),
    [
        ("complete task 2", "complete", "task 2"),
        ("could you mark the third task as complete, please?", "complete", "the third task"),
        ("I've done the groceries", "complete", "the groceries"),
        ("2 done", "complete", "2 done"),
        ("delete task 2", "delete", "task 2"),
        ("please take the docs task off my list", "delete", "the docs task"),
        ("I don't need the groceries task any more", "delete", "the groceries task"),
        ("update the meeting task", "update", "the meeting task"),
        ("delte task 1", "delete", "task 1"),
    ],
)
def test_a_command_says_which_task(message: str, intent: str, reference: str) -> None:
    result = understand(message, listed=True)

    assert (result.intent, result.entities.reference) == (intent, reference)


def test_a_change_says_what_is_new() -> None:
    renamed = understand("rename task 2 to Call Johanna").entities
    moved = understand("move task 3 to next Friday").entities
    noted = understand("add a note to task 2: he prefers mornings").entities
    undated = understand("remove the due date from task 1").entities

    assert (renamed.reference, renamed.title) == ("task 2", "Call Johanna")
    assert (moved.reference, moved.due, moved.title) == ("task 3", "next Friday", None)
    assert (noted.reference, noted.description) == ("task 2", "he prefers mornings")
    assert (undated.reference, undated.clear_due) == ("task 1", True)


@pytest.mark.parametrize(
    "message",
    [
        "",
        "   ",
        "remind me what a topic is",
        "what is a task in ROS?",
        "add 2 and 3",
        "how do I complete the tutorial?",
        "can you list the parts of a URDF?",
        "complete the sentence: a node is ...",
        "update me on my progress",
        "check my answer",
        "I'm done for today",
        "done!",
        "change the topic to simulation",
        "move the arm to the left",
        "finish the quiz",
        "I need to understand loop closure",
        "I don't need the hint",
        "how do I do task 2?",
        "what do I need to do to build a URDF?",
        "mark my words",
        "the first one",
    ],
)
def test_what_only_sounds_like_a_task_is_none(message: str) -> None:
    assert understand(message).intent == "none"


@pytest.mark.parametrize(
    "message", ["yes", "Yes, delete it please", "sure thing", "yess", "👍", "go ahead", "I said yes"]
)
def test_a_yes_confirms_only_where_something_was_asked(message: str) -> None:
    assert understand(message, waiting_for="confirmation").intent == "confirm"
    assert understand(message).intent != "confirm"


@pytest.mark.parametrize(
    "message", ["no", "NO!!", "wait, don't", "never mind", "keep it", "👎", "I'm not sure", "nooo"]
)
def test_a_no_declines(message: str) -> None:
    assert understand(message, waiting_for="confirmation").intent == "decline"


@pytest.mark.parametrize(
    ("message", "intent"),
    [
        ("show my tasks", "list"),
        ("no, delete task 3 instead", "delete"),
        ("add buy milk", "create"),
        ("what is a node?", "none"),
        ("hmm", "none"),
        ("yes but not the second", "none"),
    ],
)
def test_anything_else_is_no_answer(message: str, intent: str) -> None:
    assert understand(message, waiting_for="confirmation").intent == intent


@pytest.mark.parametrize(
    ("message", "intent"),
    [
        ("the first one", "choose"),
        ("2", "choose"),
        ("the Monday one", "choose"),
        ("both", "choose"),
        ("the latter", "choose"),
        ("3", "none"),
        ("the meeting", "none"),
        ("neither", "decline"),
        ("never mind", "decline"),
        ("add buy milk", "create"),
        ("what is a joint?", "none"),
    ],
)
def test_an_option_is_picked_by_number_or_words(message: str, intent: str) -> None:
    assert understand(message, waiting_for="clarification", options=OPTIONS).intent == intent


def test_other_readings_are_told_with_their_confidence() -> None:
    result = understand("add a note to task 2: he prefers mornings")

    assert result.intent == "update"
    assert result.confidence > dict(result.alternatives)["create"]


@pytest.mark.parametrize(
    ("message", "title", "due"),
    [
        ("I need to book a room for the team meeting", "book a room for the team meeting", None),
        ("gotta feed the cat", "feed the cat", None),
        ("I have to submit the form by Friday", "submit the form", "by Friday"),
        ("by Sunday evening I must water the plants", "water the plants", "by Sunday evening"),
    ],
)
def test_an_errand_told_in_passing_is_known_from_a_command(message: str, title: str, due: str | None) -> None:
    result = understand(message)

    assert (result.intent, result.told) == ("create", True)
    assert (result.entities.title, result.entities.due) == (title, due)
    assert not understand(f"{message}, please put that on my list").told


@pytest.mark.parametrize(
    ("message", "commands"),
    [
        (
            "remind me to call mum tomorrow and to buy milk on Friday",
            [("create", "call mum", "tomorrow"), ("create", "buy milk", "on Friday")],
        ),
        (
            "On Friday I have to call Ann and pay the rent",
            [("create", "call Ann", "On Friday"), ("create", "pay the rent", "On Friday")],
        ),
        (
            "I need to book a room and email Ana",
            [("create", "book a room", None), ("create", "email Ana", None)],
        ),
        (
            "add two things: buy flour and call the plumber",
            [("create", "buy flour", None), ("create", "call the plumber", None)],
        ),
        (
            "add eggs and bread; also delete the dentist one",
            [("create", "eggs and bread", None), ("delete", "the dentist one", None)],
        ),
        ("complete task 2 and delete task 3", [("complete", "task 2", None), ("delete", "task 3", None)]),
    ],
)
def test_several_commands_of_a_message_are_told_apart(
    message: str, commands: list[tuple[str, str, str | None]]
) -> None:
    found = commands_in(message, listed=True)

    named = [
        (each.intent, each.entities.title or each.entities.reference, each.entities.due) for each in found
    ]
    assert named == commands


@pytest.mark.parametrize(
    "message",
    [
        "remind me to buy bread and butter",
        "remind me to email Ana and ask her about the rent",
        "add a task: rm -rf /tmp/build; delete everything",
        "add 'call Ann and pay the rent'",
        "dentist is done, tick it off",
        "the oven needs cleaning, write that down",
        "complete 1 and 3",
    ],
)
def test_in_doubt_a_message_is_one_command(message: str) -> None:
    assert len(commands_in(message, listed=True)) == 1


def test_what_stands_in_a_title_is_no_command() -> None:
    for message in (
        "add a task: '; DROP TABLE tasks; --",
        'add "delete task 2"',
        "remind me to delete task 2",
    ):
        assert understand(message, listed=True).intent == "create"


def test_the_weights_are_small_and_plain_numbers() -> None:
    assert WEIGHTS.stat().st_size <= 600_000
    with np.load(WEIGHTS, allow_pickle=False) as stored:
        assert all(stored[name].dtype != object for name in stored.files)


def test_a_plain_command_is_surer_than_a_hint_of_one() -> None:
    assert understand("add a task: buy milk").confidence > understand("milk maybe").confidence


def test_politeness_and_slips_are_cleared_away_but_not_in_titles() -> None:
    assert tidy("hey, could you please delte task 1? thanks!") == "delete task 1"
    assert tidy("add upadte the firmwrae") == "add upadte the firmwrae"
    assert tidy("clear completed tasks") == "clear completed tasks"


@given(
    st.text(max_size=400),
    st.booleans(),
    st.sampled_from([None, "confirmation", "clarification"]),
)
def test_any_message_is_understood_somehow(
    message: str, listed: bool, waiting_for: WaitingFor | None
) -> None:
    result = understand(message, listed=listed, waiting_for=waiting_for, options=OPTIONS)

    assert 0 <= result.confidence <= 1
    assert result.entities.title is None or result.entities.title.strip()
    assert 1 <= len(commands_in(message, listed=listed, meant=True)) <= 8


@given(
    st.lists(
        st.sampled_from(
            ["remind me to", "add", "a note", "to", "task", "2", "and", ",", ".", ":", "'", '"', "I have to", "it", "is done",
             "delete", "the first", "tomorrow", "by", "my list", "so", "that", "call", "also", "please", "not", "move", "5"]
        ),
        max_size=60,
    )
)  # fmt: skip
def test_any_mixture_of_command_words_is_understood_somehow(words: list[str]) -> None:
    found = commands_in(" ".join(words), listed=True)

    assert all(each.entities.title is None or each.entities.title.strip() for each in found)


def test_a_message_that_never_ends_is_read_quickly() -> None:
    """A pattern that backtracks would take minutes here, and the suite with it."""
    endless = (
        "x",
        "'",
        "on by ",
        "first ",
        "and ",
        ". ",
        "!?",
        "I have to call Ann, ",
        "add a note to ",
        "please ",
        '"a" ',
    )
    for message in (start + text * 50_000 for text in endless for start in ("", "add ")):
        started = time.perf_counter()
        assert commands_in(message, listed=True)[0].confidence > 0
        assert time.perf_counter() - started < 2


@pytest.mark.parametrize("name", ["tasks_tune", "tasks_heldout"])
def test_the_labelled_utterances_are_understood(name: str) -> None:
    results = judged(name)

    assert sum(result.intent for result in results) >= 0.95 * len(results)
    assert sum(result.title for result in results) >= 0.95 * len(results)
