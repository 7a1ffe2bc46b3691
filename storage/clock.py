"""The clock of the courses: each change of one gives it another number, by which those who keep a copy know."""

from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.tables import corpus_clock


async def next_revision(conn: AsyncConnection) -> int:
    """One tick, as a part of the transaction that changes something."""
    # PostgreSQL keeps this row locked until the commit, so changes become visible in the order
    # of their numbers and "everything since n" misses none.
    tick = update(corpus_clock).values(revision=corpus_clock.c.revision + 1)
    return int((await conn.execute(tick.returning(corpus_clock.c.revision))).scalar_one())


async def note_decision(conn: AsyncConnection) -> None:
    """Something that counts for everybody is decided in this transaction: who knows the earlier ones reads them anew."""
    await conn.execute(update(corpus_clock).values(decisions=corpus_clock.c.decisions + 1))
