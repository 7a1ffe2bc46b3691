"""Which of a course's own questions a quiz asks, and in what order."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from agents.teaching.questions.bank import Wanted, compose, kept, weighed
from agents.teaching.questions.writing import MOST_PER_CONCEPT
from agents.teaching.values import Item, QuizQuestion
from tests.support.passages import passage

LESSON = [passage("Joints connect links.", number=1), passage("Links are rigid.", number=2)]
HERE, ALSO_HERE = LESSON[0].chunk_id, LESSON[1].chunk_id


def item(name: str, *, exercise: str = "", part: int = 0, trouble: str = "", **asked: Any) -> Item:
    question = QuizQuestion(
        question_id=name,
        question_text=f"What about {name}?",
        concept_name="joint",
        difficulty="medium",
        expected_answer=f"the key of {name}",
        source_context="",
        chunk_id=HERE,
        origin="author",
    )
    return Item(
        question=question.model_copy(update=asked),
        exercise_id=exercise or name,
        part=part,
        chapter_id=LESSON[0].chapter_id,
        trouble=trouble,
    )


def written(name: str, **asked: Any) -> QuizQuestion:
    return item(name, origin="code", **asked).question


def wanted(count: int = 4, **more: Any) -> Wanted:
    return Wanted(**{"count": count, "topic": ("joint", "link"), "focus": ("joint", "link"), **more})


def asked(bank: Sequence[Item], by_code: Sequence[QuizQuestion] = (), **more: Any) -> list[str]:
    """The ids of a quiz, where code has these questions to fill it with."""
    quiz = wanted(**more)

    def fill(taken: Sequence[QuizQuestion]) -> list[QuizQuestion]:
        return [*taken, *by_code][: quiz.count]

    return [each.question_id for each in compose(bank, LESSON, wanted=quiz, fill=fill)]


def test_the_authors_questions_come_first_and_code_fills_up() -> None:
    bank = [item("a"), item("b", concept_name="link")]
    assert asked(bank, [written("x"), written("y"), written("z")]) == ["a", "b", "x", "y"]


def test_nobody_writes_where_the_bank_has_enough() -> None:
    def fill(taken: Sequence[QuizQuestion]) -> list[QuizQuestion]:
        raise AssertionError("a look-up")

    bank = [item(name, concept_name=about) for name, about in zip("abcd", ["joint", "link"] * 2, strict=True)]
    assert len(compose(bank, LESSON, wanted=wanted(), fill=fill)) == 4


def test_what_cannot_be_asked_or_was_taken_out_is_not() -> None:
    bank = [item("a", trouble="the author gives no answer"), item("b"), item("c")]
    assert asked(bank, never=["b"]) == ["c"]


def test_what_belongs_to_another_section_is_asked_where_its_concept_is_taught() -> None:
    elsewhere = item("a", chunk_id="far away", concept_name="gripper")
    assert asked([elsewhere, item("b", chunk_id="far away")]) == ["b"]
    namesake = replace(item("c", chunk_id="far away"), chapter_id="another")
    assert asked([namesake]) == [], "another chapter may call something else so"


def test_of_a_passage_that_is_shown_in_part_only_what_is_shown_is_asked_about() -> None:
    told = item("a", concept_name="arm", source_context="Joints connect links.")
    untold = item("b", concept_name="arm", source_context="Grippers hold things.")
    assert asked([told, untold]) == ["a"]


def test_an_answer_counts_for_what_the_lesson_teaches() -> None:
    """The section is called after its heading, and the lesson after the concepts in it."""
    named = item("a", concept_name="Moving parts", question_text="Which links move?")
    other = item("b", concept_name="Moving parts")
    quiz = compose([named, other], LESSON, wanted=wanted(), fill=list)
    assert [each.concept_name for each in quiz] == ["link", "joint"]


def test_what_was_asked_waits_until_everything_else_was_the_oldest_first() -> None:
    bank = [item(name) for name in "abc"]
    assert asked(bank, [written("x")], count=2, avoid=["a"]) == ["b", "c"]
    assert asked(bank, [written("x")], count=2, avoid=["b", "a"]) == ["c", "x"]
    assert asked(bank, count=1, avoid=["c", "b", "a"]) == ["c"]


@pytest.mark.parametrize("count", [2, 3, 4])
def test_no_concept_is_asked_about_more_often_than_the_limit(count: int) -> None:
    bank = [item(name) for name in "abcdef"]
    assert len(asked(bank, count=count)) == min(count, MOST_PER_CONCEPT)


def test_concepts_take_turns_and_what_was_missed_comes_twice() -> None:
    bank = [
        *(item(name) for name in "abc"),
        *(item(name, concept_name="link", chunk_id=ALSO_HERE) for name in "xyz"),
    ]
    assert len({*asked(bank, count=2)} & {*"xyz"}) == 1
    assert len({*asked(bank, count=3, missed=["link"])} & {*"xyz"}) == 2


def test_the_parts_of_an_exercise_are_asked_one_after_the_other() -> None:
    parts = [item(f"b{number}", exercise="b", part=number) for number in (1, 2)]
    bank = [item("a", difficulty="hard"), *parts, item("c", difficulty="hard", concept_name="link")]
    found = asked(bank, count=4)
    assert found == ["a", "b1", "b2", "c"]
    assert asked(bank, count=3, difficulties=["medium"])[:2] == ["b1", "b2"]


def test_a_concept_whose_author_asks_for_numbers_is_asked_for_one() -> None:
    bank = [
        *(item(name, difficulty="easy") for name in "abcde"),
        item("n", kind="numeric", difficulty="hard"),
    ]
    assert "n" in asked(bank, count=3, difficulties=["easy"])


def test_who_has_only_picked_answers_is_asked_for_one_of_their_own() -> None:
    bank = [item(name, kind="multiple_choice", options=("a", "b")) for name in "abc"]
    quiz = asked(bank, [written("x")], count=3, unproven=["joint"])
    assert quiz == ["a", "b", "x"]


def test_one_kind_does_not_fill_a_quiz_where_the_author_has_others() -> None:
    bank = [
        *(
            item(name, kind="multiple_choice", concept_name=about)
            for name, about in zip("abcd", ["joint", "link"] * 2, strict=True)
        ),
        item("r", kind="recall"),
        item("s", kind="short_answer", concept_name="link"),
    ]
    assert {"r", "s"} & {*asked(bank, count=4, difficulties=["medium"])}


def test_the_same_question_twice_in_a_course_is_asked_once_in_a_quiz() -> None:
    one = item("a", question_text="What connects links?")
    assert asked(
        [one, replace(one, exercise_id="b", question=one.question.model_copy(update={"question_id": "b"}))]
    ) == ["a"]


def test_an_authors_question_comes_before_a_models_and_code_before_none() -> None:
    bank = [item("m", origin="model"), item("a"), item("t", origin="teacher")]
    assert {*asked(bank, count=2)} == {"a", "t"}
    assert [each.question_id for each in kept(bank, LESSON, wanted=wanted(count=1))] == ["a"]


def test_words_show_a_part_only_where_the_author_asks_for_numbers_too() -> None:
    bank = [item("n", kind="numeric"), item("w"), item("l", concept_name="link")]
    quiz = compose(bank, LESSON, wanted=wanted(), fill=list)
    found = weighed(quiz, bank, LESSON, wanted=wanted())
    assert {each.question_id: each.shows_part for each in found} == {"n": False, "w": True, "l": False}
    assert not any(each.shows_part for each in weighed(quiz[1:], bank[1:], LESSON, wanted=wanted()))
