"""From the definition to the term."""

from collections.abc import Iterator

from agents.teaching.questions.base import DraftQuestion, Kind, PassageReading
from agents.teaching.questions.definitions import Definition
from agents.teaching.questions.terms import is_quality


def write(reading: PassageReading) -> Iterator[DraftQuestion]:
    for definition in reading.definitions:
        if definition.names_itself or definition.is_loose:
            continue
        name = reading.shown(definition.concept)
        others = [
            reading.shown(each) for each in reading.confusable(definition.concept, beside=definition.meaning)
        ]
        if len(others) >= 3:
            yield _draft(definition, name, options=(name, *others[:3]))
        else:
            yield _draft(definition, name)


def _draft(definition: Definition, name: str, *, options: tuple[str, ...] = ()) -> DraftQuestion:
    plain = definition.has_article and not is_quality(definition.concept)
    return DraftQuestion(
        kind="multiple_choice" if options else "short_answer",
        difficulty="easy",
        text=f"What do we call {definition.meaning}?"
        if plain
        else f"Which term matches this definition: “{definition.meaning}”?",
        answer=name,
        concept=definition.concept.name,
        about=definition.concept.name,
        source=definition.source,
        options=options,
    )


KIND = Kind(name="term", write=write)
