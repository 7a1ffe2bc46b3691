"""Which task a learner means."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks_tools.references import (
    KnownTask,
    match_titles,
    resolve_many,
    resolve_task_reference,
)

METADATA: dict[str, Any] = {
    "task_references": {"1": 42, "2": 43, "3": 44, "4": 45, "5": 46},
    "last_tool_parameters": {"task_id": 43},
}
TASKS = [
    KnownTask(id=42, title="Buy groceries"),
    KnownTask(id=43, title="Call John about the meeting"),
    KnownTask(id=44, title="Review docs"),
    KnownTask(id=45, title="Prepare Monday meeting"),
    KnownTask(id=46, title="学习 ROS 2"),
]
counts = st.integers(min_value=1, max_value=120)


def listing(count: int) -> dict[str, Any]:
    return {"task_references": {str(place): 1000 + place for place in range(1, count + 1)}}


@pytest.mark.parametrize(
    ("text", "task_id"),
    [
        ("task 2", 43),
        ("2", 43),
        ("#3", 44),
        ("the first one", 42),
        ("complete task 2", 43),
        ("task number 3", 44),
        ("number two", 43),
        ("no. 3", 44),
        ("item 4", 45),
        ("task two", 43),
        ("one", 42),
        ("3.", 44),
        ("(3)", 44),
        ("mark 3 as done", 44),
        ("2 done", 43),
        ("I finished #4", 45),
        ("no longer need 2, delete it", 43),
        ("I already did number 1, stop nagging me about it", 42),
        ("update 2 to buy bread", 43),
        ("move 2 to Friday", 43),
        ("change task 1 to buy 3 apples", 42),
        ("rename task 2 to chapter 3", 43),
        ("rename task 2 to 'task 3'", 43),
    ],
)
def test_a_position_of_the_last_list_is_found(text: str, task_id: int) -> None:
    assert resolve_task_reference(METADATA, text) == task_id


@pytest.mark.parametrize(
    ("text", "task_id"),
    [
        ("first", 42),
        ("the second", 43),
        ("the third task please", 44),
        ("2nd", 43),
        ("the 3rd", 44),
        ("strike the 4th off", 45),
        ("the second is done", 43),
        ("last", 46),
        ("the last one", 46),
        ("the final task", 46),
        ("second to last", 45),
        ("next-to-last one", 45),
        ("the one before last", 45),
        ("the penultimate one", 45),
    ],
)
def test_an_ordinal_is_found(text: str, task_id: int) -> None:
    assert resolve_task_reference(METADATA, text) == task_id


@pytest.mark.parametrize(
    "text", ["it", "that", "that one", "mark it as done", "delete that", "this one please"]
)
def test_it_is_the_task_last_spoken_of(text: str) -> None:
    assert resolve_task_reference(METADATA, text) == 43
    assert resolve_task_reference({"task_references": METADATA["task_references"]}, text) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "!",
        "task",
        "task 9",
        "task 0",
        "#12",
        "tenth",
        "buy 2 apples",
        "2 apples",
        "add 2 and 3 apples",
        "read chapter 2",
        "complete 2 tasks",
        "delete 3 of them",
        "the first aid kit",
        "what is the second law of robotics?",
        "remind me in 2 days",
        "at 10:30",
        "task 2.5",
        "50%",
        "3D print",
        "complete 1 and 3",
        "both",
    ],
)
def test_what_is_no_reference_to_one_shown_task_is_none(text: str) -> None:
    assert resolve_task_reference(METADATA, text) is None


@pytest.mark.parametrize(
    "metadata",
    [
        {},
        {"task_references": {}},
        {"task_references": None},
        {"task_references": {"1": True, "2": "5", "3": 1.0}},
    ],
)
def test_without_a_list_there_is_nothing_to_point_at(metadata: dict[str, Any]) -> None:
    assert resolve_task_reference(metadata, "task 1") is None
    assert resolve_task_reference(metadata, "the last one") is None
    assert resolve_many(metadata, "all of them") == []


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("complete 1 and 3", [1, 3]),
        ("tasks 1-3", [1, 2, 3]),
        ("tasks 1 to 3 are done", [1, 2, 3]),
        ("complete 1 to 3", [1, 2, 3]),
        ("done: 1, 2 and 5", [1, 2, 5]),
        ("tasks 1, 2, and 3", [1, 2, 3]),
        ("task 1 and task 3", [1, 3]),
        ("#1 #2", [1, 2]),
        ("1st and 3rd", [1, 3]),
        ("first and last", [1, 5]),
        ("the first two are finished", [1, 2]),
        ("the last two tasks", [4, 5]),
        ("all of them", [1, 2, 3, 4, 5]),
        ("everything", [1, 2, 3, 4, 5]),
        ("all my tasks", [1, 2, 3, 4, 5]),
        ("3 and 3", [3]),
        ("delete 2 and 9", [2]),
        ("buy 2 apples and 3 pears", []),
        ("done!", []),
        ("", []),
    ],
)
def test_several_tasks_at_once(text: str, places: list[int]) -> None:
    assert resolve_many(METADATA, text) == [41 + place for place in places]


def test_both_means_all_only_of_two() -> None:
    assert resolve_many(listing(2), "both of them") == [1001, 1002]
    assert resolve_many(listing(3), "both of them") == []


@given(st.text(), counts)
def test_no_text_points_outside_the_list(text: str, count: int) -> None:
    metadata = listing(count)
    shown = set(metadata["task_references"].values())

    assert resolve_task_reference(metadata, text) in shown | {None}
    many = resolve_many(metadata, text)
    assert set(many) <= shown
    assert len(set(many)) == len(many)


@given(
    st.sampled_from(
        ["task {}", "#{}", "{}", "complete task {}", "mark {} as done", "delete number {}", "TASK {}!"]
    ),
    st.integers(min_value=0, max_value=999),
    counts,
)
def test_a_number_is_its_position_or_nothing(template: str, place: int, count: int) -> None:
    expected = 1000 + place if 1 <= place <= count else None

    assert resolve_task_reference(listing(count), template.format(place)) == expected


@given(
    st.sampled_from(["buy", "read", "write", "cook for", "pay"]),
    st.integers(min_value=1, max_value=99),
    st.sampled_from(["apples", "pages", "people", "euros", "kg of rice", "emails"]),
)
def test_an_amount_is_never_a_position(verb: str, amount: int, noun: str) -> None:
    assert resolve_many(listing(120), f"{verb} {amount} {noun}") == []


@given(st.integers(min_value=1, max_value=120), st.integers(min_value=1, max_value=120))
def test_a_range_is_all_between_its_ends(low: int, high: int) -> None:
    found = resolve_many(listing(120), f"tasks {low}-{high}")

    assert found == [1000 + place for place in range(low, high + 1)]


@given(st.dictionaries(st.text(), st.integers()))
def test_what_is_no_position_in_the_metadata_is_left_alone(references: dict[str, int]) -> None:
    result = resolve_many({"task_references": references}, "all of them")

    assert len(result) == len({int(key) for key in references if key.isascii() and key.isdigit()})


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("the meeting one", [43, 45]),
        ("the meetings", [43, 45]),
        ("monday meeting", [45]),
        ("the one about John", [43]),
        ("reviewing the docs", [44]),
        ("grocereis", [42]),
        ("Review docs", [44]),
        ("'prepare monday meeting'", [45]),
        ("学习", [46]),
        ("the dentist", []),
        ("the task", []),
        ("", []),
    ],
)
def test_words_of_a_title_find_none_one_or_many(text: str, ids: list[int]) -> None:
    assert [task.id for task in match_titles(text, TASKS)] == ids


def test_an_exact_title_wins_over_one_that_contains_it() -> None:
    tasks = [KnownTask(id=1, title="Read chapter 1 again"), KnownTask(id=2, title="Read chapter 1")]

    assert [task.id for task in match_titles("read chapter 1", tasks)] == [2]


def test_a_task_that_is_done_is_meant_only_if_no_open_one_fits() -> None:
    done, still_open = KnownTask(id=1, title="Call Ann", done=True), KnownTask(id=2, title="Call Ann again")

    assert [task.id for task in match_titles("the Ann one", [done, still_open])] == [2]
    assert [task.id for task in match_titles("the Ann one", [done])] == [1]
