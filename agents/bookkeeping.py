"""What is written beside the ledger with every answer: the pure records of agents.teaching.record, as storage keeps them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from agents.teaching.evidence import GradedAnswer, LedgerRow
from agents.teaching.mastery import Parameters
from agents.teaching.record import (
    ConceptRecord,
    CourseFigures,
    CourseRecord,
    forecast_of,
    past_of,
    replayed,
)
from agents.teaching.running import VERSION, from_json
from storage.shelves import AnswerShelf, Kept, Made


class Bookkeeper:
    """Says what answers amount to, in JSON."""

    version = VERSION

    def forecast(
        self, shelf: AnswerShelf, answer: GradedAnswer, *, parameters: Parameters | None
    ) -> float | None:
        if answer.concept_name not in shelf.concepts:
            return None
        states = {name: from_json(kept) for name, kept in shelf.concepts.items()}
        return forecast_of(answer.concept_name, states, now=answer.answered_at, parameters=parameters)

    def added(self, shelf: AnswerShelf, answer: LedgerRow) -> Kept | None:
        kept = shelf.concepts.get(answer.concept_name)
        record = ConceptRecord.from_json(kept) if kept else ConceptRecord()
        return record.plus(answer).to_json() if record.follows(answer) else None

    def replayed(self, rows: Sequence[LedgerRow]) -> Kept:
        return ConceptRecord.of(rows).to_json()

    def counted(self, figures: Kept, after: LedgerRow, *, before: LedgerRow | None = None) -> Kept:
        found = CourseFigures.from_json(figures)
        if before is not None:
            found = found.counting(before, times=-1)
        return found.counting(after).to_json()

    def made(
        self, rows: Sequence[LedgerRow], *, was_made: Kept | None, parameters: Parameters | None
    ) -> Made:
        """What was forecast and mastered is kept as it was told; only where nobody noted it, it is found out now."""
        concepts = {name: record.to_json() for name, record in replayed(rows).items()}
        if was_made is not None:
            figures = replace(CourseFigures.of(rows), mastered=CourseFigures.from_json(was_made).mastered)
            return Made(concepts=concepts, figures=figures.to_json(), forecasts={})
        past = past_of(rows, parameters=parameters)
        numbered = [replace(row, forecast=past.forecasts.get(row.amends_id or row.id)) for row in rows]
        figures = replace(CourseFigures.of(numbered), mastered=past.mastered)
        forecasts = {row.id: row.forecast for row in numbered if row.forecast is not None}
        return Made(concepts=concepts, figures=figures.to_json(), forecasts=forecasts)


def course_record(shelf: AnswerShelf | None) -> CourseRecord:
    """A shelf as the domain reads it; of who has answered nothing yet it is empty."""
    if shelf is None or not shelf.figures:
        return CourseRecord()
    return CourseRecord(
        concepts={name: ConceptRecord.from_json(kept) for name, kept in shelf.concepts.items()},
        figures=CourseFigures.from_json(shelf.figures),
    )


def course_records(shelves: Mapping[str, AnswerShelf]) -> dict[str, CourseRecord]:
    return {course: course_record(shelf) for course, shelf in shelves.items()}


def difference(shelf: AnswerShelf | None, rows: Sequence[LedgerRow]) -> list[str]:
    """The concepts whose record a replay of the ledger would make another, and 'figures' where those differ."""
    kept, anew = course_record(shelf), replayed(rows)
    concepts = [name for name in sorted({*kept.concepts, *anew}) if kept.concepts.get(name) != anew.get(name)]
    is_same = kept.figures.forecasts == CourseFigures.of(rows).forecasts
    return concepts if is_same else [*concepts, "figures"]
