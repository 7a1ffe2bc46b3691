"""What a turn begins with, in one statement: rows of several tables that have nothing in common but the turn."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from sqlalchemy import LABEL_STYLE_TABLENAME_PLUS_COL, Row, Table, and_, bindparam, select

from agents.teaching.evidence import LedgerRow
from storage.corpus import Clock
from storage.database import Repository
from storage.lessons import LessonKind, LessonPlace, OpenLesson
from storage.tables import corpus_clock, learner_thresholds, lesson_places, open_lessons, quiz_results

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """As it was before the turn."""

    clock: Clock
    own_threshold: float | None
    lesson: OpenLesson | None  # that is being asked in the session
    elsewhere: LessonPlace | None  # where another session has gone on with it
    answers: Sequence[LedgerRow]  # to the open question, oldest first


class Openings(Repository):
    """One learner in one session, at the place where the session is."""

    async def of(
        self,
        user_id: str,
        *,
        session_id: str,
        kind: LessonKind,
        question_id: str,
        course: str,
        place: str,
        part: int,
    ) -> Opening:
        here = {"its_user": user_id, "its_session": session_id, "its_kind": kind, "its_question": question_id}
        there = {"its_course": course, "its_place": place, "its_part": part}
        async with self._database.read() as conn:
            rows = (await conn.execute(_ALL, {**here, **there})).all()
        first = rows[0]
        answers = [_part_of(row, quiz_results, LedgerRow) for row in rows]
        clock = _part_of(first, corpus_clock, Clock)
        assert clock is not None  # a database without one was never migrated
        return Opening(
            clock=clock,
            own_threshold=first._mapping[learner_thresholds.c.threshold],
            lesson=_part_of(first, open_lessons, OpenLesson),
            elsewhere=_part_of(first, lesson_places, LessonPlace),
            answers=[answer for answer in answers if answer],
        )


def _where(table: Table, **given: str) -> Any:
    return and_(*(table.c[name] == bindparam(parameter) for name, parameter in given.items()))


# Made once: to put it together costs more than to run it.
_ALL = (
    select(corpus_clock, learner_thresholds.c.threshold, open_lessons, lesson_places, quiz_results)
    .select_from(
        corpus_clock.outerjoin(learner_thresholds, _where(learner_thresholds, user_id="its_user"))
        .outerjoin(
            open_lessons, _where(open_lessons, user_id="its_user", session_id="its_session", kind="its_kind")
        )
        .outerjoin(
            lesson_places,
            and_(
                _where(
                    lesson_places,
                    user_id="its_user",
                    course="its_course",
                    place="its_place",
                    part="its_part",
                ),
                lesson_places.c.session_id != bindparam("its_session"),
            ),
        )
        .outerjoin(
            quiz_results,
            and_(
                _where(quiz_results, user_id="its_user", question_id="its_question"),
                quiz_results.c.action == "answer",
            ),
        )
    )
    .order_by(quiz_results.c.id)
    .set_label_style(LABEL_STYLE_TABLENAME_PLUS_COL)
)


def _part_of(row: Row[Any], table: Table, record: type[T]) -> T | None:
    """The record of one of the tables; None where it has no such row."""
    if all(row._mapping[column] is None for column in table.primary_key):
        return None
    values = {field.name: row._mapping[table.c[field.name]] for field in fields(record)}  # type: ignore[arg-type]
    return record(
        **{name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    )
