"""What every kind of question works with, and the shape it hands back."""

import hashlib
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from agents.language.headings import heading_name
from agents.teaching.questions.centre import Centre
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
    about: str = ""  # the words that say how central it is; those of the question where it is empty
    points: tuple[str, ...] = ()  # of the key, one idea each


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
    centre: Centre
    aims: Sequence[str]  # what one will be able to tell after the lesson, as its author says
    about: Sequence[Concept]  # what the passage teaches, the most fitting first
    known: Collection[str]  # the names of all that answers can count for

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

    def concept_of(self, *texts: str) -> str:
        """What a piece of the passage is about: the first concept that the first of these texts names.

        Of several those count more that the passage teaches.
        """
        own = {concept.name for concept in self.about}
        for text in texts:
            mentions = self.book.mentions(text, chapter_id=self.passage.chapter_id)
            named = [each.concept.name for each in mentions if each.concept.name in self.known]
            if named:
                return next((name for name in named if name in own), named[0])
        return ""

    @property
    def headed(self) -> str:
        """The words that the passage stands under: what its code shows is what they name."""
        return " ".join(self.passage.heading_hierarchy[-1:])

    @property
    def section(self) -> str:
        """What the stretch that the passage stands in is called, where it is called after a heading."""
        return next((each.name for each in self.about if self._stands_in(each)), "")

    def _stands_in(self, concept: Concept) -> bool:
        if concept.kind == "section":  # a part of a page without a term of its own
            return concept.chapter_id == self.passage.chapter_id
        headings = {heading_name(each).lower() for each in self.passage.heading_hierarchy}
        is_headed = concept.chunk_id == self.passage.chunk_id or concept.name.lower() in headings
        return concept.kind == "heading" and is_headed


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One way to ask. A new one is a new file, and its line in the list of kinds."""

    name: str
    write: Callable[[PassageReading], Iterator[DraftQuestion]]
    how_to_answer: str = ""


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
        points=draft.points,
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
