"""What one of several workers does for all of them, now and then."""

from datetime import datetime, timedelta

from storage.database import Repository, insert_or
from storage.tables import chores


class Chores(Repository):
    """When each was done last; whoever finds it due is the one who does it."""

    async def take(self, name: str, *, every: timedelta, now: datetime) -> bool:
        """Whether it is due and this caller's to do: nobody else is told so before it is due again."""
        async with self._database.write() as conn:
            new = insert_or(conn, chores).values(name=name, done_at=now)
            taken = new.on_conflict_do_update(
                index_elements=["name"], set_={"done_at": now}, where=chores.c.done_at <= now - every
            )
            return (await conn.execute(taken.returning(chores.c.name))).first() is not None
