"""What every kind of question works with, and the shape it hands back."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from agents.teaching.questions.definitions import Definition
from agents.teaching.questions.sentences import Sentence
from agents.teaching.questions.terms import Casing, Distractors, TermBook
from agents.teaching.values import Concept, Difficulty, PassageLike, QuestionKind, QuizQuestion


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftQuestion:
    """One question before it is checked; the first option is the key."""

    kind: QuestionKind
    difficulty: Difficulty
    text: str
    answer: str
    concept: str
    source: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageReading:
    """One passage as it was read, in the light of its course."""

    passage: PassageLike
    thoughts: Sequence[Sentence]  # sentences that say something, also to the reader
    definitions: Sequence[Definition]
    book: TermBook
    distractors: Distractors
    casing: Casing
    lesson: str  # the passage with those around it
    about: Sequence[Concept]  # what the passage teaches, the most fitting first

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

    def concept_of(self, text: str) -> str:
        """What a piece of the passage is about: the first concept that it names, else the passage's own."""
        mentions = self.book.mentions(text, chapter_id=self.passage.chapter_id)
        names = {concept.name for concept in self.about}
        named = [mention.concept.name for mention in mentions if mention.concept.name in names]
        return next(iter([*named, *(concept.name for concept in self.about)]), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One way to ask. A new one is a new file, and its line in the list of kinds."""

    name: str
    write: Callable[[PassageReading], Iterator[DraftQuestion]]
    how_to_answer: str = ""
    hint: Callable[[QuizQuestion, int], str] | None = None  # None: the hints that fit any question


def as_question(draft: DraftQuestion, *, kind: str, chunk_id: str) -> QuizQuestion:
    """Give a draft its id and shuffle its options; the same draft always becomes the same question."""
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
        written_as=kind,
    )


def item_id(*, chunk_id: str, concept: str, kind: str, text: str) -> str:
    """The same question from the same passage has the same id."""
    return hashlib.sha256("\x00".join((chunk_id, concept, kind, text)).encode()).hexdigest()[:16]


def _shuffled(draft: DraftQuestion, question_id: str) -> tuple[str, ...]:
    if draft.kind == "true_false":  # front ends show these two in one order
        return draft.options
    options = list(draft.options)
    Random(question_id).shuffle(options)
    if draft.kind == "ordering" and options == list(draft.options):
        options = [*options[1:], options[0]]
    return tuple(options)
