"""The bank of questions: kept with the course, brought up to date with its files, counted with every answer."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from agents.bookkeeping import Bookkeeper
from agents.teaching.values import Item, QuizQuestion
from storage.corpus import Corpus, CourseChanges
from storage.database import Database
from storage.items import ItemChanges, ItemFigures, Items
from storage.ledger import Disputes, Ledger
from tests.support.corpus import NOW, changes, document
from tests.support.ledger import ANSWER, DISPUTE


@pytest.fixture
def bank(database: Database) -> Items:
    return Items(database)


def item(name: str = "i1", *, chapter: str = "ch1", position: int = 0, **asked: object) -> Item:
    question = QuizQuestion(
        question_id=name,
        question_text=f"What does {name} ask?",
        concept_name="joint",
        difficulty="easy",
        expected_answer="a key",
        source_context="",
        kind="multiple_choice",
        options=("a key", "a hole"),
        chunk_id=f"ros/{chapter}/0",
        origin="author",
        solution="A key, because it opens.",
        whys=("it opens", ""),
    )
    return Item(
        question=question.model_copy(update=asked),
        exercise_id=name,
        chapter_id=f"module-1/{chapter}",
        headings=("Ch1", "Exercises"),
        position=position,
        form="made up",
    )


async def read(corpus: Corpus, kept: Sequence[Item], *, removed: Sequence[str] = ()) -> None:
    """The course as an ingest leaves it."""
    both = changes(document("ch1", position=0), document("ch2", position=1))
    changed = ItemChanges(kept=tuple(kept), removed=tuple(removed))
    await corpus.apply(replace(both, items=changed), now=NOW)


async def test_items_come_back_as_they_were_kept_in_the_order_of_the_course(
    corpus: Corpus, bank: Items
) -> None:
    later, last, first = item("b", position=1), item("c", chapter="ch2"), item("a", position=0)
    await read(corpus, [last, later, first])

    assert await bank.of_course("ros") == [first, later, last]
    assert await bank.of_course("ros", origin="teacher") == []
    assert await bank.get("ros", question_id="b") == later
    assert await bank.get("other", question_id="b") is None
    assert [course.exercises for course in await corpus.list_courses()] == [3]


async def test_a_quiz_finds_what_can_be_asked_about_its_sections_and_concepts(
    corpus: Corpus, bank: Items
) -> None:
    here, elsewhere = item("a"), item("b", chapter="ch2", concept_name="link")
    hopeless = replace(item("c"), trouble="the author gives no answer")
    await read(corpus, [here, elsewhere, hopeless])

    assert await bank.about("ros", chunk_ids=["ros/ch1/0"], concepts=[]) == [here]
    assert await bank.about("ros", chunk_ids=[], concepts=["link"]) == [elsewhere]
    assert await bank.about("other", chunk_ids=["ros/ch1/0"], concepts=["link"]) == []


async def test_reading_again_moves_and_removes_and_leaves_the_others(corpus: Corpus, bank: Items) -> None:
    stays, moves, goes = item("a"), item("b", position=1), item("c", position=2)
    await read(corpus, [stays, moves, goes])
    moved = replace(moves, position=5, question=moves.question.model_copy(update={"concept_name": "link"}))

    await corpus.apply(
        CourseChanges(course="ros", title="ROS", items=ItemChanges(kept=(moved,), removed=("c",))), now=NOW
    )

    assert await bank.of_course("ros") == [stays, moved]


async def test_a_teachers_words_outlive_another_reading_while_the_place_moves(
    corpus: Corpus, bank: Items
) -> None:
    read_first = item("a")
    await read(corpus, [read_first])
    better = read_first.question.model_copy(update={"question_text": "Better?", "expected_answer": "a hole"})

    assert await bank.edit(better, course="ros", now=NOW)
    assert not await bank.edit(better, course="other", now=NOW)
    moved = replace(read_first, position=7)
    await read(corpus, [moved])

    assert await bank.of_course("ros") == [replace(moved, question=better)]


async def test_an_added_question_is_kept_once_and_goes_with_its_course(corpus: Corpus, bank: Items) -> None:
    await read(corpus, [])
    own = item("t", origin="teacher")
    await bank.add("ros", [own], now=NOW)
    await bank.add("ros", [item("t", question_text="Again?", origin="teacher")], now=NOW)

    assert await bank.of_course("ros", origin="teacher") == [own]
    await corpus.delete_course("ros")
    assert await bank.of_course("ros") == []


async def test_every_answer_and_dispute_is_counted_once(database: Database, bank: Items) -> None:
    ledger = Ledger(database, books=Bookkeeper())
    asked = replace(ANSWER, asking="a" * 32)
    await ledger.append(asked)
    await ledger.append(asked)  # sent again after a crash
    missed = replace(
        ANSWER, asking="b" * 32, is_correct=False, time_taken_seconds=2.5, answered_at=NOW + timedelta(days=1)
    )
    await ledger.append(missed)
    await Disputes(database).add(DISPUTE)

    assert await bank.figures("ros") == {
        "q1": ItemFigures(question_id="q1", times_asked=2, times_right=1, seconds=15.0, disputes=1)
    }
    assert (await bank.figures("ros"))["q1"].share_right == 0.5
    assert await bank.figures("other") == {}
