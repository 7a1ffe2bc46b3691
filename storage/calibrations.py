"""The parameters that were fitted to this installation's answers; none is ever deleted."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import insert, select, update

from storage.statements import Repository
from storage.tables import mastery_parameters

_NEWEST = (
    select(mastery_parameters)
    .where(mastery_parameters.c.undone_at.is_(None))
    .order_by(mastery_parameters.c.id.desc())
    .limit(1)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """One fit: its parameters by name, and how many answers there were."""

    id: int
    parameters: Mapping[str, float]
    answers: int
    fitted_at: datetime
    undone_at: datetime | None


class Calibrations(Repository):
    """The newest one that was not undone counts, for everybody."""

    async def current(self) -> Calibration | None:
        return await self._first(Calibration, _NEWEST)

    async def add(self, parameters: Mapping[str, float], *, answers: int, now: datetime) -> None:
        values = {"parameters": dict(parameters), "answers": answers, "fitted_at": now}
        async with self._database.write() as conn:
            await conn.execute(insert(mastery_parameters).values(values))

    async def undo(self, *, now: datetime) -> Calibration | None:
        """Go back to what counted before; None when nothing was ever fitted, or all of it is undone."""
        newest = _NEWEST.with_only_columns(mastery_parameters.c.id).scalar_subquery()
        undone = update(mastery_parameters).where(mastery_parameters.c.id == newest).values(undone_at=now)
        return await self._write(Calibration, undone.returning(mastery_parameters))
