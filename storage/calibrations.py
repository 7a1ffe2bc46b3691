"""The parameters that were fitted to this installation's answers; none is ever deleted."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import insert, select, update

from storage.database import Database
from storage.statements import to_record
from storage.tables import mastery_parameters


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """One fit: its parameters by name, and how many answers there were."""

    id: int
    parameters: Mapping[str, float]
    answers: int
    fitted_at: datetime
    undone_at: datetime | None


class Calibrations:
    """The newest one that was not undone counts, for everybody."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def current(self) -> Calibration | None:
        table = mastery_parameters
        newest = select(table).where(table.c.undone_at.is_(None)).order_by(table.c.id.desc()).limit(1)
        rows = await self._database.fetch(newest)
        return to_record(Calibration, rows[0]) if rows else None

    async def add(self, parameters: Mapping[str, float], *, answers: int, now: datetime) -> None:
        values = {"parameters": dict(parameters), "answers": answers, "fitted_at": now}
        async with self._database.write() as conn:
            await conn.execute(insert(mastery_parameters).values(values))

    async def undo(self, *, now: datetime) -> Calibration | None:
        """Go back to what counted before; None when nothing was ever fitted, or all of it is undone."""
        table = mastery_parameters
        newest = select(table.c.id).where(table.c.undone_at.is_(None)).order_by(table.c.id.desc()).limit(1)
        statement = update(table).where(table.c.id == newest.scalar_subquery()).values(undone_at=now)
        async with self._database.write() as conn:
            row = (await conn.execute(statement.returning(*table.c))).first()
        return None if row is None else to_record(Calibration, row)
