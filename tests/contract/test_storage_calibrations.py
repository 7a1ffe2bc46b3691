"""Fitted parameters, on both databases: the newest that was not undone counts."""

from dataclasses import replace
from datetime import timedelta

import pytest

from agents.bookkeeping import Bookkeeper
from storage.database import Database
from storage.ledger import Calibrations, Ledger
from tests.support.ledger import ANSWER, NOW

LATER = NOW + timedelta(days=1)


@pytest.fixture
def calibrations(database: Database) -> Calibrations:
    return Calibrations(database)


async def test_before_any_fit_there_is_none_and_nothing_to_undo(calibrations: Calibrations) -> None:
    assert await calibrations.current() is None
    assert await calibrations.undo(now=NOW) is None


async def test_the_newest_fit_counts_and_undoing_brings_the_one_before_back(
    calibrations: Calibrations,
) -> None:
    await calibrations.add({"bias": 0.5}, answers=500, now=NOW)
    await calibrations.add({"bias": 0.7}, answers=900, now=LATER)
    newest = await calibrations.current()
    undone = await calibrations.undo(now=LATER)
    before = await calibrations.current()

    assert newest is not None
    assert (newest.parameters, newest.answers, newest.fitted_at) == ({"bias": 0.7}, 900, LATER)
    assert undone == replace(newest, undone_at=LATER)
    assert before is not None
    assert before.parameters == {"bias": 0.5}
    assert await calibrations.undo(now=LATER)
    assert await calibrations.current() is None


async def test_the_ledger_says_whose_answers_it_has_and_on_what(database: Database) -> None:
    ledger = Ledger(database, books=Bookkeeper())
    for answer in (ANSWER, ANSWER, replace(ANSWER, course="bio"), replace(ANSWER, user_id="bob")):
        await ledger.append(answer)

    assert await ledger.shelves() == [("ada", "bio"), ("ada", "ros"), ("bob", "ros")]


async def test_the_hints_before_an_answer_are_kept(database: Database) -> None:
    ledger = Ledger(database, books=Bookkeeper())
    await ledger.append(replace(ANSWER, hints=2))

    assert [row.hints for row in await ledger.of("ada")] == [2]
