"""Questions of all our kinds, written from the passages that a lesson showed, and the few of them that a quiz asks."""

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from random import Random

from agents.language.headings import heading_name
from agents.language.words import content_set, flat, likeness, same_text, term_key
from agents.teaching.evidence import CHOICES
from agents.teaching.questions import (
    aim,
    because,
    claim,
    cloze,
    contrast,
    entry,
    explain,
    facts,
    listed,
    meaning,
    memory,
    name_in_code,
    order,
    output,
    term,
)
from agents.teaching.questions.ahead import is_said
from agents.teaching.questions.base import DraftQuestion, Kind, PassageReading, as_question
from agents.teaching.questions.centre import centre_of
from agents.teaching.questions.definitions import definitions, local_terms
from agents.teaching.questions.sentences import is_example, whole_thoughts
from agents.teaching.questions.terms import Distractors, TermBook, casing_of
from agents.teaching.values import (
    Concept,
    Difficulty,
    LearnerLevel,
    PassageLike,
    QuestionKind,
    QuizQuestion,
)

# Those that are compared with the author's words come last, and are asked in this order.
KINDS: tuple[Kind, ...] = (
    term.KIND,
    meaning.KIND,
    cloze.KIND,
    entry.KIND,
    because.KIND,
    facts.KIND,
    order.KIND,
    output.KIND,
    name_in_code.KIND,
    aim.KIND,
    contrast.KIND,
    listed.KIND,
    explain.KIND,
    claim.KIND,
)
_BY_NAME = {kind.name: kind for kind in KINDS}
_ORDER = {kind.name: place for place, kind in enumerate(KINDS)}
# How to answer what we have not written ourselves.
_HOW: dict[QuestionKind, str] = {
    "cloze": cloze.KIND.how_to_answer,
    "true_false": "Answer true or false.",
    "recall": memory.HOW_TO_ANSWER,
    "output": output.KIND.how_to_answer,
}


def how_to_answer(question: QuizQuestion) -> str:
    """What the learner is to write; empty where the question says it."""
    kind = _BY_NAME.get(question.written_as)
    return kind.how_to_answer if kind else _HOW.get(question.kind, "")


_SAME = 0.8
_FEW = 3  # stems of an answer that names a thing
_MOST_KNOWN = 0.85  # of a longer answer


def gives_itself_away(item: QuizQuestion) -> bool:
    """Whether the words of the question lead to the answer; what is said from memory or worked out is not found so."""
    if item.kind in ("true_false", "ordering", "recall", "output", "numeric", "formula", "several"):
        return False
    answer = content_set(item.expected_answer)
    if item.kind != "multiple_choice":
        known = len(answer & content_set(item.question_text))
        return known * 2 >= len(answer) if len(answer) <= _FEW else known >= _MOST_KNOWN * len(answer)
    asked = content_set(item.question_text.replace("-", " "))
    wrong = (content_set(each) for each in item.options if same_text(each) != same_text(item.expected_answer))
    return any(len(word) > _FEW for word in (answer & asked).difference(*wrong))


def is_duplicate(one: QuizQuestion, other: QuizQuestion) -> bool:
    """Whether two items ask the same: by id, by text, or in nearly the same words for the same answer."""
    return (
        one.question_id == other.question_id
        or same_text(one.question_text) == same_text(other.question_text)
        or (
            same_text(one.expected_answer) == same_text(other.expected_answer)
            and likeness(one.question_text, other.question_text) >= _SAME
        )
    )


def answers(one: QuizQuestion, other: QuizQuestion) -> bool:
    """Whether reading one question gives the answer to the other away: both rest on the same sentence."""
    return same_text(one.source_context) == same_text(other.source_context) or (
        likeness(one.source_context, other.source_context) >= _SAME and bool(content_set(one.source_context))
    )


def is_fair(item: QuizQuestion, *, earlier: Collection[QuizQuestion] = (), beside: str = "") -> bool:
    """Whether an item may be asked after the earlier ones; `beside` is what is said around it."""
    return not (
        gives_itself_away(item)
        or is_said(item, beside)
        or any(is_duplicate(item, other) or answers(item, other) for other in earlier)
    )


MOST_QUESTIONS = 10
FEWEST_QUESTIONS = 1  # of a quiz; with fewer there is none
MOST_PER_CONCEPT = 3
_ENOUGH = 3  # up to here a quiz is made up by what is compared with the author's words
_KINDS_OF_A_QUIZ = 3  # where there are as many
_LEAST_WEIGHT = 1.0  # what is only mentioned is not asked about
_HALF, _MOST_SHARED = 0.5, 0.67  # of the points of two that are compared with the author's words
_TWICE = 2  # questions about what was missed, before one about anything else
_MIX: dict[LearnerLevel, tuple[Difficulty, ...]] = {
    "unknown": ("easy", "medium", "hard"),
    "beginner": ("easy", "easy", "medium", "hard"),
    "intermediate": ("medium", "hard", "easy"),
    "advanced": ("hard", "medium", "hard"),
}


def difficulties_for(level: LearnerLevel) -> tuple[Difficulty, ...]:
    """The difficulties that a quiz goes through in turn."""
    return _MIX[level]


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateItem:
    """An item that could be asked."""

    item: QuizQuestion
    is_told: bool = True  # the lesson said it; without a lesson everything is fair
    weight: float = 0.0  # how central it is to the lesson

    @property
    def is_last_resort(self) -> bool:
        return self.item.kind == "recall"


def write_items(
    passages: Sequence[PassageLike],
    *,
    concepts: Sequence[Concept],
    count: int,
    difficulties: Sequence[Difficulty] = ("easy", "medium", "hard"),
    avoid: Collection[str] = (),
    never: Collection[str] = (),
    focus: Sequence[str] = (),
    topic: Sequence[str] = (),
    missed: Sequence[str] = (),
    unproven: Sequence[str] = (),
    told: str = "",
    elsewhere: Sequence[str] = (),
    guides: Sequence[str] = (),
    seed: int = 0,
    taken: Sequence[QuizQuestion] = (),
) -> list[QuizQuestion]:
    """Up to so many checked questions; fewer rather than bad ones, and of a concept none again while others exist.

    What is taken already comes first, and the others fit beside it.

    With a topic, those about its concepts come first: each in focus, then a second one about what was missed before,
    then the others. What was answered by choices only (unproven) is asked about openly, if need be from memory.
    `told` is all that the lesson said: as far as it goes, only that is asked about. `elsewhere` names what other
    chapters teach: a passage may define it in passing, but its question counts for nothing here. `guides` are texts that
    say what matters: summaries, key terms, objectives. What was asked before
    (`avoid`, by id, the oldest first) comes last, and what a teacher has taken out (`never`) not at all.
    """
    found = candidates(
        passages, concepts=concepts, told=told, topic=topic, elsewhere=elsewhere, guides=guides
    )
    found = [each for each in found if each.weight >= _LEAST_WEIGHT and each.item.question_id not in never]
    found = _of_topic(found, passages, concepts=concepts, topic=topic) if topic else found
    Random(seed).shuffle(found)
    untold = [each.item for each in found if not each.is_told]
    items = [each.item for each in found if each.is_told] or untold
    needed = set(unproven) - {each.concept_name for each in items if each.kind not in (*CHOICES, "recall")}
    sharp = [each for each in items if each.kind != "recall" or each.concept_name in needed]
    recall = [each for each in items if each.kind == "recall"]
    quiz = _Quiz(
        difficulties=difficulties,
        focus=focus,
        missed=missed,
        unproven=unproven,
        asked={question_id: place for place, question_id in enumerate(avoid, 1)},
        weights={each.item.question_id: each.weight for each in found},
        items=list(taken),
        covered=frozenset(each.concept_name for each in taken),
    )
    # One kind is a third of a quiz at the most, unless there are no others.
    for most in (math.ceil(count / _KINDS_OF_A_QUIZ), count):
        quiz.most_of_a_kind = most
        quiz.compose(sharp, recall, topic=topic, count=count)
    # A second round that told two sentences is too little for a quiz: the rest of the topic's text fills it up.
    quiz.fill(untold, min(count, _ENOUGH))
    # And what is left is rather asked in other words than a quiz of two.
    quiz.may_tell_again = True
    quiz.fill([*sharp, *recall], min(count, _ENOUGH))
    return quiz.items


@dataclass(slots=True, kw_only=True)
class _Quiz:
    """A quiz while it is put together, and what it should be like."""

    difficulties: Sequence[Difficulty]  # in turn
    focus: Sequence[str]  # concepts to ask about first
    missed: Sequence[str]  # concepts that were answered wrong
    unproven: Collection[str]  # concepts that were answered by choices only
    asked: Mapping[str, int]  # how far back each question was asked, the oldest first
    weights: Mapping[str, float]  # how central each question is
    most_of_a_kind: int = MOST_QUESTIONS
    may_tell_again: bool = False  # what was asked for already in other words
    items: list[QuizQuestion] = field(default_factory=list)
    covered: Collection[str] = ()  # concepts that were asked about before anything was written

    def compose(
        self,
        sharp: Sequence[QuizQuestion],
        recall: Sequence[QuizQuestion],
        *,
        topic: Sequence[str],
        count: int,
    ) -> None:
        """What can be marked first, then what is compared with the author's words, to make up a quiz."""
        if topic:
            self.cover(sharp, count)
            # Every concept is asked about, if need be from memory, before any of them is asked about again.
            asked = {each.concept_name for each in self.items}
            self.cover([each for each in recall if each.concept_name not in asked], count)
            self.cover_again(sharp, count)
        for wanted in (self.focus, topic) if topic else ():
            self.fill([each for each in sharp if each.concept_name in wanted], count)
        few = min(count, _ENOUGH)
        self.fill([each for each in recall if each.concept_name in topic], few)
        # What is about something else makes up for what is too little; what was asked before comes last.
        most = few if topic else count
        for pool in (self._new(sharp), self._new(recall), sharp, recall):
            self.fill(pool, most)

    def _new(self, pool: Sequence[QuizQuestion]) -> list[QuizQuestion]:
        return [each for each in pool if each.question_id not in self.asked]

    def cover(self, pool: Sequence[QuizQuestion], count: int) -> None:
        """A new question about each concept in focus; one that was asked before rather than none."""
        for name in self.focus:
            if name in self.covered:
                continue
            self.fill([each for each in pool if each.concept_name == name], min(count, len(self.items) + 1))

    def cover_again(self, pool: Sequence[QuizQuestion], count: int) -> None:
        """A second new question about what was missed."""
        for name in self.missed:
            if sum(each.concept_name == name for each in self.items) < _TWICE:
                new = [each for each in self._new(pool) if each.concept_name == name]
                self.fill(new, min(count, len(self.items) + 1))

    def fill(self, pool: Sequence[QuizQuestion], count: int) -> None:
        """Take the best next item again and again; one that does not fit beside those taken gives way to another."""
        left = [each for each in pool if each not in self.items]
        while left and len(self.items) < count:
            shown = [flat(each.source_context) for each in self.items]
            left.sort(key=lambda item: self._rank(item, shown))
            place = next((at for at, each in enumerate(left) if self._fits(each)), None)
            if place is None:
                return
            self.items.append(left[place])
            # What did not fit beside fewer items does not fit beside more.
            left = left[place + 1 :]

    def _fits(self, item: QuizQuestion) -> bool:
        same_concept = sum(each.concept_name == item.concept_name for each in self.items)
        same_kind = sum(each.written_as == item.written_as for each in self.items)
        return (
            same_concept < MOST_PER_CONCEPT
            and not any(_is_same_again(item, each) for each in self.items)
            and (self.may_tell_again or not any(_is_told_again(item, each) for each in self.items))
            and same_kind < self.most_of_a_kind
            and is_fair(item, earlier=self.items)
        )

    def _rank(self, item: QuizQuestion, shown: Sequence[str]) -> tuple[int, ...]:
        """New ones first, focus, concepts asked least, what cannot be guessed, and the rest."""
        about = sum(each.concept_name == item.concept_name for each in self.items)
        is_due = item.concept_name in self.missed and about < _TWICE
        wanted = self.difficulties[len(self.items) % len(self.difficulties)]
        kinds = Counter(each.kind for each in self.items)
        ways = Counter(each.written_as for each in self.items)
        return (
            int(item.question_id in self.asked),
            int(bool(self.focus) and item.concept_name not in self.focus),
            about - _TWICE if is_due else about,
            # Who has only picked answers so far is asked for one of their own.
            int(item.kind in CHOICES and item.concept_name in self.unproven),
            # What stood in the key of another question is no question any more.
            int(item.kind == "recall" and any(flat(item.source_context) in text for text in shown)),
            _preference(item),
            -round(2 * self.weights.get(item.question_id, 0.0)),
            self.asked.get(item.question_id, 0),
            3 * (item.difficulty != wanted) + 2 * kinds[item.kind] + 2 * ways[item.written_as],
        )


def _is_same_again(item: QuizQuestion, earlier: QuizQuestion) -> bool:
    """Whether the answer is the same once more, most points are, or nearly the same code is to be run."""
    if item.kind == "output":
        return item.kind == earlier.kind and likeness(item.question_text, earlier.question_text) >= _SAME
    if item.kind == "recall":
        return earlier.kind == item.kind and _shared(item, earlier) > _MOST_SHARED
    is_word = item.kind not in ("true_false", "numeric")  # numbers may come out the same by chance
    return is_word and same_text(item.expected_answer) == same_text(earlier.expected_answer)


def _is_told_again(item: QuizQuestion, earlier: QuizQuestion) -> bool:
    """Whether what is to be explained was asked for already: its meaning, or half of its points."""
    is_meant = earlier.written_as == meaning.KIND.name and item.question_text.startswith(explain.WHAT_IT_IS)
    is_explained = is_meant and item.concept_name == earlier.concept_name
    is_recall = item.kind == earlier.kind == "recall"
    return is_explained or (is_recall and _shared(item, earlier) >= _HALF)


def _shared(item: QuizQuestion, earlier: QuizQuestion) -> float:
    """How much of what one is compared with stood in what another was."""
    parts = [flat(part) for part in item.source_context.split("\n\n")]
    return sum(part in flat(earlier.source_context) for part in parts) / len(parts)


def _preference(question: QuizQuestion) -> int:
    """Among those that are compared with the author's words: which to ask rather."""
    return _ORDER.get(question.written_as, 0) if question.kind == "recall" else 0


def _of_topic(
    found: Sequence[CandidateItem],
    passages: Sequence[PassageLike],
    *,
    concepts: Sequence[Concept],
    topic: Collection[str],
) -> list[CandidateItem]:
    """Of what another chapter says, such as the glossary, only what is about the topic."""
    chapters = {concept.chapter_id for concept in concepts if concept.name in topic}
    near = {passage.chunk_id for passage in passages if passage.chapter_id in chapters}
    own = [each for each in found if each.item.chunk_id in near or each.item.concept_name in topic]
    return own or list(found)


def candidates(
    passages: Sequence[PassageLike],
    *,
    concepts: Sequence[Concept],
    told: str = "",
    topic: Sequence[str] = (),
    elsewhere: Sequence[str] = (),
    guides: Sequence[str] = (),
) -> list[CandidateItem]:
    """Every question that the passages allow, each with how central it is, not yet checked."""
    written = _written(tuple(passages), tuple(concepts), tuple(topic), tuple(elsewhere), tuple(guides))
    said = flat(told)
    return [
        CandidateItem(
            item=item,
            is_told=not said or all(flat(part) in said for part in item.source_context.split("\n\n")),
            weight=weight,
        )
        for item, weight in written
    ]


@lru_cache(maxsize=64)
def _written(
    passages: tuple[PassageLike, ...],
    concepts: tuple[Concept, ...],
    topic: tuple[str, ...],
    elsewhere: tuple[str, ...],
    guides: tuple[str, ...],
) -> tuple[tuple[QuizQuestion, float], ...]:
    """The same for everybody who learns from these passages, so it is written once."""
    others = {term_key(name) for name in elsewhere}
    known = {concept.name for concept in concepts}
    book, distractors = _terms((*concepts, *_local(passages, concepts)))
    texts = [each.chunk_text for each in passages]
    casing = casing_of(texts, concepts=concepts)
    lesson = "\n\n".join(texts)
    centre = centre_of(passages, concepts=concepts, guides=guides)
    aims = [each for text in guides for each in aim.aims_in(text)]
    found: dict[str, tuple[QuizQuestion, float]] = {}
    for passage in passages:
        about = _about(passage, concepts, topic)
        reading = PassageReading(
            passage=passage,
            thoughts=[] if is_example(passage) else whole_thoughts(passage.chunk_text),
            definitions=list(definitions(passage, book=book, casing=casing)),
            book=book,
            distractors=distractors,
            casing=casing,
            lesson=lesson,
            centre=centre,
            aims=aims,
            about=about,
            known=known,
        )
        for kind in KINDS:
            for draft in kind.write(reading):
                concept = _booked(draft, reading)
                weight = centre.weight(draft.about or draft.text)
                if not concept or term_key(draft.concept) in others:
                    continue
                item = as_question(replace(draft, concept=concept), kind=kind.name, chunk_id=passage.chunk_id)
                found.setdefault(item.question_id, (item, weight))
    return tuple(found.values())


def _local(passages: Sequence[PassageLike], concepts: Sequence[Concept]) -> tuple[Concept, ...]:
    taken = {term_key(concept.name) for concept in concepts}
    found = {term_key(each.name): each for passage in passages for each in local_terms(passage)}
    return tuple(each for key, each in found.items() if key not in taken)


def _booked(draft: DraftQuestion, reading: PassageReading) -> str:
    """What an answer counts for: the term that is asked for, else what the question, its key or its sentence is about.

    A question that names nothing that the course teaches counts for the section that it stands in, and for nothing
    where that is not called after its heading.
    """
    if draft.concept in reading.known:
        return draft.concept
    named = reading.concept_of(draft.answer, draft.source)
    # A term that the course does not teach by itself is told of what the passage teaches, if of anything.
    is_ours = not draft.concept or named in {concept.name for concept in reading.about}
    return (named if is_ours else "") or reading.section


def _about(passage: PassageLike, concepts: Sequence[Concept], topic: Sequence[str]) -> list[Concept]:
    """The concepts that a passage teaches: of the topic, where there is one."""
    pool = [concept for concept in concepts if not topic or concept.name in topic]
    own = [concept for concept in pool if concept.chunk_id == passage.chunk_id]
    headings = {heading_name(heading).lower() for heading in passage.heading_hierarchy}
    headed = [concept for concept in pool if concept.name.lower() in headings]
    text = passage.chunk_text.lower()
    named = [concept for concept in pool if _names(text, concept.name.lower())]
    return list(dict.fromkeys([*own, *headed, *named])) or (pool if topic else [])


def _names(text: str, name: str) -> bool:
    return name in text and bool(re.search(rf"(?<!\w){re.escape(name)}(?:e?s)?(?!\w)", text))


@lru_cache(maxsize=16)
def _terms(concepts: tuple[Concept, ...]) -> tuple[TermBook, Distractors]:
    """Kept, because the quizzes of a chapter ask again and again which of its terms are alike."""
    book = TermBook(concepts)
    return book, Distractors(book)
