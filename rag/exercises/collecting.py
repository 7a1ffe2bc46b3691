"""The author's questions of one page as items of its course, before anybody knows which section answers them."""

import uuid
from collections import Counter
from collections.abc import Iterator

from agents.teaching.questions.author import AuthorItem, items_of
from agents.teaching.values import Exercise, Item, QuizQuestion
from rag.loaders.document import LoadedDocument

_NAMESPACE = uuid.UUID("5a0c3a4e-6f0e-4f5b-9b57-8f1d3a7c2e60")


def items_on(document: LoadedDocument, *, course: str, chapter_id: str) -> list[Item]:
    """What a page's exercises ask, in their order.

    The same text on the same page has the same id, so that the answers on record keep their question when its
    key is corrected or its heading renamed.
    """
    times: Counter[tuple[str, ...]] = Counter()
    found: list[Item] = []
    for position, exercise in enumerate(document.exercises):
        said = (
            exercise.title.strip(),
            exercise.text.strip(),
            *sorted(each.text for each in exercise.choices),
        )
        exercise_id = _id(course, chapter_id, str(times[said]), *said)
        times[said] += 1
        found += _parts(exercise, exercise_id=exercise_id, chapter_id=chapter_id, position=position)
    return found


def _parts(exercise: Exercise, *, exercise_id: str, chapter_id: str, position: int) -> Iterator[Item]:
    asked = items_of(exercise)
    for number, part in enumerate(asked):
        question_id = exercise_id if len(asked) == 1 else _id(exercise_id, str(number))
        yield Item(
            question=_question(part, question_id=question_id),
            exercise_id=exercise_id,
            part=part.part,
            chapter_id=chapter_id,
            headings=exercise.headings,
            position=position,
            form=exercise.form,
            title=exercise.title,
            trouble=part.trouble,
        )


def _question(part: AuthorItem, *, question_id: str) -> QuizQuestion:
    return QuizQuestion(
        question_id=question_id,
        question_text=part.question_text,
        concept_name="",
        difficulty=part.difficulty,
        expected_answer=part.expected_answer,
        source_context="",
        kind=part.kind,
        options=part.options,
        origin="author",
        solution=part.solution,
        whys=part.whys,
        points=part.points,
    )


def _id(*said: str) -> str:
    return str(uuid.uuid5(_NAMESPACE, "\x00".join(said)))
