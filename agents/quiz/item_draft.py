"""What every writer of items works with, and the shape it hands back."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from agents.quiz.distractors import Distractors
from agents.quiz.item_casing import Casing
from agents.quiz.item_terms import Mention, TermBook
from agents.quiz.item_text import PassageLike, Sentence
from agents.state import Difficulty, QuestionKind, QuizQuestion
from storage.course import Concept


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """One item before it is checked; the first option is the key."""

    kind: QuestionKind
    difficulty: Difficulty
    text: str
    answer: str
    concept: str
    source: str
    basis: str  # what the passage says: a definition, a reason, a contrast …
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadSentence:
    """A sentence with the terms that it names."""

    text: str
    source: str
    mentions: tuple[Mention, ...]

    @property
    def body(self) -> str:
        return self.text.removesuffix(".")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One passage as it was read, in the light of its course."""

    passage: PassageLike
    sentences: Sequence[ReadSentence]
    book: TermBook
    distractors: Distractors
    casing: Casing
    section: Concept | None = None  # what the passage's heading names, when that is a concept of its own

    def lower(self, text: str) -> str:
        return self.casing.inside(text)

    def shown(self, concept: Concept) -> str:
        return self.casing.shown(concept)

    def confusable(
        self, concept: Concept, *, beside: str, names_only: bool = True, most: int = 8
    ) -> list[Concept]:
        """Terms that a learner may confuse with one, where it is known how to write them."""
        found = self.distractors.confusable(concept, beside=beside, names_only=names_only)
        return [other for other in found if self.casing.is_sure(other)][:most]


def read_sentence(sentence: Sentence, *, book: TermBook, chapter_id: str) -> ReadSentence:
    return ReadSentence(
        text=sentence.text,
        source=sentence.source,
        mentions=tuple(book.mentions(sentence.text, chapter_id=chapter_id)),
    )


def finish(draft: Draft, *, chunk_id: str) -> QuizQuestion:
    """Give a draft its id and shuffle its options; the same draft always becomes the same item."""
    question_id = item_id(chunk_id=chunk_id, concept=draft.concept, kind=draft.kind, text=draft.text)
    return QuizQuestion(
        question_id=question_id,
        question_text=draft.text,
        concept_name=draft.concept,
        difficulty=draft.difficulty,
        expected_answer=draft.answer,
        source_context=draft.source,
        kind=draft.kind,
        options=_shuffled(draft, question_id),
        chunk_id=chunk_id,
    )


def item_id(*, chunk_id: str, concept: str, kind: str, text: str) -> str:
    """The same question from the same passage has the same id."""
    return hashlib.sha256("\x00".join((chunk_id, concept, kind, text)).encode()).hexdigest()[:16]


def _shuffled(draft: Draft, question_id: str) -> tuple[str, ...]:
    if draft.kind == "true_false":
        return draft.options
    options = list(draft.options)
    Random(question_id).shuffle(options)
    if draft.kind == "ordering" and options == list(draft.options):
        options = [*options[1:], options[0]]
    return tuple(options)
