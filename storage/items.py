"""The bank of questions of each course, and how often each of its questions was answered and how."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from sqlalchemy import Row, case, delete, func, select, union, update
from sqlalchemy.ext.asyncio import AsyncConnection

from agents.teaching.values import Item, Origin, QuizQuestion
from storage.clock import next_revision
from storage.database import Repository, in_batches, insert_or
from storage.tables import documents, item_figures, items

_PLACE = tuple(each.name for each in fields(Item) if each.name != "question")
_ASKED = tuple(
    name for name in QuizQuestion.model_fields if name in items.c
)  # the rest is said of one asking
_WORDS = ("question_text", "kind", "options", "whys", "expected_answer", "solution", "points", "trouble")


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemFigures:
    """How often one question was answered and how, as the answers were first graded."""

    question_id: str
    times_asked: int
    times_right: int
    seconds: float  # of all answers together
    disputes: int

    @property
    def share_right(self) -> float:
        return self.times_right / self.times_asked if self.times_asked else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemChanges:
    """What one ingest changes among the items of a course."""

    kept: tuple[Item, ...] = ()  # new ones, and those that stand elsewhere or say something else than before
    removed: tuple[str, ...] = ()  # by question_id


class Items(Repository):
    """The questions that courses keep; they hold keys, so what is shown to learners never comes from here directly."""

    async def of_course(self, course: str, *, origin: Origin | None = None) -> Sequence[Item]:
        """All of a course, in its order; those that cannot be asked too."""
        wanted = _IN_ORDER.where(items.c.course == course)
        rows = await self._database.fetch(wanted.where(items.c.origin == origin) if origin else wanted)
        return [_item(row) for row in rows]

    async def about(
        self, course: str, *, chunk_ids: Collection[str], concepts: Collection[str]
    ) -> list[Item]:
        """Those that can be asked about some sections and concepts of a course, in its order."""
        here = select(items.c.question_id).where(items.c.course == course)
        # Each by its own index: asked with OR, SQLite walks all questions of the course.
        near = union(
            here.where(items.c.chunk_id.in_(chunk_ids)), here.where(items.c.concept_name.in_(concepts))
        )
        askable = _IN_ORDER.where(items.c.question_id.in_(near), items.c.trouble == "")
        return [_item(row) for row in await self._database.fetch(askable)]

    async def concepts_of(self, course: str, *, kinds: Collection[str]) -> frozenset[str]:
        """The concepts about which a course's author has questions of some kinds that can be asked."""
        about = select(items.c.concept_name).distinct().where(items.c.kind.in_(kinds), items.c.trouble == "")
        rows = await self._database.fetch(about.where(items.c.course == course, items.c.origin == "author"))
        return frozenset(row.concept_name for row in rows)

    async def get(self, course: str, *, question_id: str) -> Item | None:
        own = _IN_ORDER.where(items.c.course == course, items.c.question_id == question_id)
        rows = await self._database.fetch(own)
        return _item(rows[0]) if rows else None

    async def add(self, course: str, added: Sequence[Item], *, now: datetime) -> None:
        """Keep questions that somebody wrote; those that are there already stay as they are."""
        rows = [item_row(each, course=course, now=now) for each in added]
        async with self._database.write() as conn:
            await next_revision(conn)  # whoever keeps the course in mind looks what is asked in it
            if rows:
                await conn.execute(insert_or(conn, items).on_conflict_do_nothing(), rows)

    async def edit(self, question: QuizQuestion, *, course: str, now: datetime) -> bool:
        """Give a question a teacher's words; False when there is no such question."""
        values = {name: getattr(question, name) for name in _WORDS if name != "trouble"}
        own = update(items).filter_by(course=course, question_id=question.question_id)
        async with self._database.write() as conn:
            await next_revision(conn)
            done = await conn.execute(own.values(**values, trouble="", edited_at=now))
            return done.rowcount > 0

    async def figures(self, course: str) -> Mapping[str, ItemFigures]:
        """How the questions of a course went, by their ids."""
        rows = await self._all(ItemFigures, select(item_figures).filter_by(course=course))
        return {each.question_id: each for each in rows}


_IN_ORDER = (
    select(items)
    .outerjoin(
        documents, (documents.c.course == items.c.course) & (documents.c.chapter_id == items.c.chapter_id)
    )
    .order_by(
        func.coalesce(documents.c.position, 2**31 - 1), items.c.chapter_id, items.c.position, items.c.part
    )
)


def _item(row: Row[Any]) -> Item:
    values = row._asdict()
    place = {name: values[name] for name in _PLACE}
    question = QuizQuestion.model_validate({name: values[name] for name in _ASKED})
    return Item(question=question, **place | {"headings": tuple(values["headings"])})


def item_row(item: Item, *, course: str, now: datetime) -> dict[str, Any]:
    """An item as it is stored."""
    asked = {name: getattr(item.question, name) for name in _ASKED}
    place = {name: getattr(item, name) for name in _PLACE}
    return {**asked, **place, "course": course, "created_at": now}


# Parts of a transaction that somebody else opens.


async def change_items(conn: AsyncConnection, changes: ItemChanges, *, course: str, now: datetime) -> None:
    """Bring the items of a course in line with its files; a teacher's words stay where the place moves."""
    for ids in in_batches(changes.removed):
        await conn.execute(delete(items).where(items.c.course == course, items.c.question_id.in_(ids)))
    new = insert_or(conn, items)
    is_edited = items.c.edited_at.is_not(None)
    news = {
        column.name: case((is_edited, column), else_=new.excluded[column.name])
        if column.name in _WORDS
        else new.excluded[column.name]
        for column in items.c
        if column.name not in ("question_id", "course", "created_at", "edited_at")
    }
    statement = new.on_conflict_do_update(index_elements=["question_id"], set_=news)
    for batch in in_batches(changes.kept):
        await conn.execute(statement, [item_row(each, course=course, now=now) for each in batch])


async def count_answer(
    conn: AsyncConnection, *, course: str, question_id: str, is_correct: bool, seconds: float
) -> None:
    """One more answer to a question."""
    await _count(
        conn, course, question_id, times_asked=1, times_right=int(is_correct), seconds=seconds, disputes=0
    )


async def count_dispute(conn: AsyncConnection, *, course: str, question_id: str) -> None:
    """One more 'I disagree' about a question."""
    await _count(conn, course, question_id, times_asked=0, times_right=0, seconds=0.0, disputes=1)


async def _count(conn: AsyncConnection, course: str, question_id: str, **more: float) -> None:
    new = insert_or(conn, item_figures).values(course=course, question_id=question_id, **more)
    summed = {name: item_figures.c[name] + new.excluded[name] for name in more}
    await conn.execute(new.on_conflict_do_update(index_elements=["course", "question_id"], set_=summed))
