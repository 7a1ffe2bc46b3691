"""A definition as it stands, or with another term in the place of its own."""

from collections.abc import Iterator

from agents.teaching.questions.base import DraftQuestion, Kind, PassageReading
from agents.teaching.questions.definitions import Definition
from agents.teaching.questions.terms import are_alike, is_proper, is_quality


def write(reading: PassageReading) -> Iterator[DraftQuestion]:
    for definition in reading.definitions:
        if definition.names_itself or definition.is_loose:
            continue
        others = [
            other
            for other in reading.confusable(definition.concept, beside=definition.meaning)
            if are_alike(definition.concept, other)
            and is_proper(other.name) == is_proper(definition.concept.name)
        ]
        if others:
            yield _draft(definition, reading.shown(definition.concept), "True")
            yield _draft(definition, reading.shown(others[0]), "False")


def _draft(definition: Definition, name: str, answer: str) -> DraftQuestion:
    both_names = is_proper(name) and is_proper(definition.concept.name)
    if both_names and definition.sentence and not definition.article and definition.verb == "is":
        text = f"True or false: {name} is {definition.meaning}."
    elif definition.has_article and not is_quality(definition.concept):
        text = f"True or false: “{name}” is the term for {definition.meaning}."
    else:
        text = f"True or false: the term “{name}” means “{definition.meaning}”."
    return DraftQuestion(
        kind="true_false",
        difficulty="easy",
        text=text,
        answer=answer,
        concept=definition.concept.name,
        source=definition.source,
        options=("True", "False"),
    )


KIND = Kind(name="true_false", write=write, how_to_answer="Answer true or false.")
