"""The evidence ledger, on both databases."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import delete, insert
from sqlalchemy.exc import IntegrityError

from agents.bookkeeping import Bookkeeper
from agents.teaching.evidence import LedgerRow, Rekey
from storage.database import Database, to_row
from storage.ledger import Ledger
from storage.tables import quiz_results
from tests.support.ledger import ANSWER, NOW

REKEY = Rekey(expected_answer="a node", is_correct=False, score=0.1)


@pytest.fixture
def ledger(database: Database) -> Ledger:
    return Ledger(database, books=Bookkeeper())


async def void(ledger: Ledger, answer_id: int, *, user_id: str = "ada") -> LedgerRow | None:
    return await ledger.void(answer_id, user_id=user_id, grader="learner", reason="Ambiguous.", now=NOW)


async def test_an_answer_is_read_back_whole(ledger: Ledger) -> None:
    evidence = await ledger.append(ANSWER)

    assert evidence == LedgerRow(**to_row(ANSWER), id=evidence.id, action="answer", amends_id=None)
    assert await ledger.of("ada") == [evidence]


async def test_the_ledger_is_read_oldest_first_and_by_concept(ledger: Ledger) -> None:
    first = await ledger.append(ANSWER)
    second = await ledger.append(replace(ANSWER, concept_name="link"))
    third = await ledger.append(replace(ANSWER, course="bio"))

    assert await ledger.of("ada") == [first, second, third]
    assert await ledger.of("ada", course="ros") == [first, second]
    assert await ledger.of("ada", course="ros", concept_name="link") == [second]


async def test_a_void_row_is_added_and_the_answer_stays(ledger: Ledger) -> None:
    answer = await ledger.append(ANSWER)
    voided = await void(ledger, answer.id)

    assert voided is not None
    assert voided == replace(
        answer, id=voided.id, action="void", amends_id=answer.id, grader="learner", reason="Ambiguous."
    )
    assert await ledger.of("ada") == [answer, voided]


async def test_a_rekey_row_carries_the_new_grade(ledger: Ledger) -> None:
    answer = await ledger.append(ANSWER)
    later = NOW + timedelta(hours=1)
    rekeyed = await ledger.rekey(
        answer.id, user_id="ada", rekey=REKEY, grader="author", reason="The key was wrong.", now=later
    )

    assert rekeyed is not None
    assert (rekeyed.action, rekeyed.amends_id) == ("rekey", answer.id)
    assert (rekeyed.expected_answer, rekeyed.is_correct, rekeyed.score) == ("a node", False, 0.1)
    assert (rekeyed.learner_answer, rekeyed.answered_at) == ("joints", later)


async def test_only_an_answer_can_be_amended(ledger: Ledger) -> None:
    answer = await ledger.append(ANSWER)
    voided = await void(ledger, answer.id)

    assert voided is not None
    assert await void(ledger, voided.id) is None
    assert len(await ledger.of("ada")) == 2


@pytest.mark.parametrize("answer_id", [0, -3, 999, 2**31, 2**64])
async def test_a_number_without_an_answer_is_none(ledger: Ledger, answer_id: int) -> None:
    assert await void(ledger, answer_id) is None


async def test_the_database_itself_refuses_an_amendment_of_nothing(database: Database) -> None:
    row = to_row(ANSWER, action="void", amends_id=None)
    with pytest.raises(IntegrityError):
        async with database.write() as conn:
            await conn.execute(insert(quiz_results).values(row))


async def test_the_database_itself_keeps_an_amended_answer(database: Database, ledger: Ledger) -> None:
    answer = await ledger.append(ANSWER)
    await void(ledger, answer.id)

    with pytest.raises(IntegrityError):
        async with database.write() as conn:
            await conn.execute(delete(quiz_results).where(quiz_results.c.id == answer.id))


async def test_an_answer_to_one_asking_counts_once_however_often_it_arrives(ledger: Ledger) -> None:
    first = await ledger.append(replace(ANSWER, asking="a1"))
    again = await ledger.append(
        replace(ANSWER, asking="a1", learner_answer="something else", is_correct=False)
    )
    assert again == first
    assert await ledger.of("ada") == [first]


async def test_the_same_question_asked_anew_has_an_answer_of_its_own(ledger: Ledger) -> None:
    await ledger.append(replace(ANSWER, asking="a1"))
    await ledger.append(replace(ANSWER, asking="a2"))
    await ledger.append(replace(ANSWER, asking="a1", session_id="s2"))
    assert len(await ledger.of("ada")) == 3


async def test_an_answer_of_one_asking_can_be_voided(ledger: Ledger) -> None:
    first = await ledger.append(replace(ANSWER, asking="a1"))
    await ledger.void(first.id, user_id="ada", grader="dispute", reason="", now=NOW)
    assert [row.action for row in await ledger.of("ada")] == ["answer", "void"]
