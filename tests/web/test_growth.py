"""A page and a turn read and write as much whatever was answered before: the statements are counted."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine

from tests.support.ledger import ANSWER
from tests.support.site import Site

# The most statements of each, begins of transactions too.
ANSWERED, STUDY, MAP, PROGRESS = 14, 12, 10, 10


@contextmanager
def counted() -> Iterator[list[str]]:
    """The statements that are run in here."""
    found: list[str] = []

    def note(*context: object) -> None:
        found.append(str(context[2]))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(Engine, "before_cursor_execute", note)


async def live(site: Site, *, answers: int) -> None:
    """A past on two concepts of the course."""
    now = site.services.now()
    for number in range(answers):
        past = replace(
            ANSWER,
            user_id="user",
            course="physical-ai",
            concept_name=("publisher", "subscriber")[number % 2],
            question_id=f"q{number % 9}",
            is_correct=number % 3 > 0,
            asking=str(number),
            answered_at=now - timedelta(days=answers - number),
        )
        await site.services.ledger.append(past)


@pytest.mark.parametrize("answers", [2, 60])
async def test_statements_do_not_grow_with_the_record(site: Site, answers: int) -> None:
    await live(site, answers=answers)
    await site.start()
    await site.answer()
    with counted() as answered:
        await site.say("I don't know", said_in="answer")
    with counted() as study:
        await site.see("/study")
    with counted() as course_map:
        await site.see("/map?concept=publisher")
    with counted() as progress:
        await site.see("/progress")

    assert len(answered) <= ANSWERED + STUDY, "the turn, and the page as it is then"
    assert len(study) <= STUDY, study
    assert len(course_map) <= MAP + 1, "one more for the concept's own answers"
    assert len(progress) <= PROGRESS, progress


async def test_no_page_and_no_answer_reads_the_whole_ledger(site: Site) -> None:
    """Rows that only a replay would see can be anything: nobody looks at them."""
    await live(site, answers=60)
    await site.start()
    with counted() as statements:
        await site.answer()
        for page in ("/study", "/map", "/progress"):
            await site.see(page)

    whole = [each for each in statements if "FROM quiz_results" in each and " LIMIT " not in each]
    assert all(
        "question_id = " in each or "answered_at >= " in each or "amends_id" in each for each in whole
    ), whole
