"""The values that teaching deals in: a course's concepts and passages, a question, an answer, a grade.

Light, because the session's state is made of them.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Literal, Protocol, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field

LearnerLevel = Literal["unknown", "beginner", "intermediate", "advanced"]
Difficulty = Literal["easy", "medium", "hard"]
QuestionKind = Literal[
    "short_answer",
    "multiple_choice",
    "several",  # choices of which more than one may be right; the key names each on a line of its own
    "cloze",
    "true_false",
    "ordering",
    "recall",  # the learner compares with the key
    "output",
    "numeric",  # a number, with its unit where it has one
    "formula",
]
Origin = Literal["author", "code", "model", "teacher"]
PatternType = Literal["conceptual", "procedural", "careless"]
MOST_PROBES = 6  # questions of one diagnostic


def _in_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("there is no such time in UTC") from None


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("it is blank")
    return text


def _address(text: str) -> str:
    if not is_address(text):
        raise ValueError("a source is a file:// or http(s):// address")
    return text


def is_address(text: str) -> bool:
    """Whether a text leads somewhere: to a host on the web, or to a file."""
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    if parts.scheme == "file":
        return bool(parts.path.strip("/"))
    return parts.scheme in ("http", "https") and bool(parts.hostname) and not re.search(r"\s", parts.netloc)


Moment = Annotated[
    AwareDatetime, AfterValidator(_in_utc)
]  # every time of a value: with its zone, and that is UTC
NotBlank = Annotated[str, AfterValidator(_not_blank)]
Address = Annotated[str, AfterValidator(_address)]


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class QuizQuestion(_Value):
    """One question, and the passage it came from."""

    question_id: str
    question_text: str
    concept_name: str
    difficulty: Difficulty
    expected_answer: str
    source_context: str
    kind: QuestionKind = "short_answer"
    options: tuple[str, ...] = ()
    chunk_id: str = ""
    written_as: str = ""  # which of our kinds of question it is; empty for a model's
    origin: Origin = "code"
    solution: str = ""  # the author's, shown once the answer is in
    whys: tuple[str, ...] = ()  # the author's word on each option
    points: tuple[str, ...] = ()  # of the key, one idea each: what the learner ticks where they compare
    shows_part: bool = False  # words, where the author asks for numbers too: right ones alone are no mastery

    def unanswered(self) -> Self:
        """Without what is told after the answer: as it goes into a session, which clients read."""
        return self.model_copy(update={"solution": "", "whys": (), "points": ()})


class QuizResponse(_Value):
    """One answer, and how it was judged."""

    question_id: str
    learner_answer: str
    is_correct: bool
    time_taken_seconds: float = Field(ge=0)
    attempt_number: int = Field(ge=1)
    score: float = Field(default=0.0, ge=0, le=1)
    grader: str = "code"
    reason: str = ""
    confident: bool = True
    left_out: tuple[str, ...] = ()  # points of the key that the learner did not tick
    evidence_id: int | None = None


class ErrorPattern(_Value):
    """A kind of mistake that the answers show."""

    pattern_type: PatternType
    description: str
    affected_questions: tuple[str, ...]
    suggested_remediation: str


_PART = re.compile(r"[,:]?\s*\(?\bpart\s+(\d{1,3})(?:\s+of\s+\d{1,3})?\)?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Somewhere in a course that a learner can name: a unit, a page, or a section of one."""

    name: str
    kind: str  # title, heading, term or unit
    chapter_id: str
    headings: tuple[str, ...] = ()  # of a section; empty for a whole page

    @property
    def key(self) -> str:
        """The place in one string."""
        return json.dumps([self.kind, self.chapter_id, *self.headings, self.name], ensure_ascii=False)


def wanted_part(text: str) -> tuple[str, int]:
    """'Ownership, part 2 of 3' is the topic and the part; no part is 0."""
    plain = " ".join(text.split())  # long gaps would take the pattern long
    found = _PART.search(plain)
    return (plain[: found.start()].strip(), int(found.group(1))) if found else (text.strip(), 0)


def part_label(topic: str, part: int, parts: int) -> str:
    """A topic, and which part of it; what is taught in one go has no parts."""
    return f"{topic}, part {part} of {parts}" if parts > 1 else topic


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """A judgement on one answer."""

    is_correct: bool
    score: float  # 0..1, how much of the expected answer is there
    reason: str  # one sentence the learner can read
    confident: bool  # False: ask the model, or say that we are unsure
    left_out: tuple[str, ...] = ()  # points of the key, where the learner ticked what they had


def right(reason: str, *, score: float = 1.0, confident: bool = True) -> Grade:
    return Grade(is_correct=True, score=score, reason=reason, confident=confident)


def wrong(reason: str, *, score: float = 0.0, confident: bool = True) -> Grade:
    return Grade(is_correct=False, score=score, reason=reason, confident=confident)


@dataclass(frozen=True, slots=True, kw_only=True)
class Concept:
    """One thing that a course teaches."""

    name: str
    definition: str
    kind: str
    chapter_id: str
    chunk_id: str
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Relationship:
    """One concept that another leans on, and the chunk that shows it."""

    prerequisite: str
    concept: str
    chunk_id: str
    evidence: str
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerChoice:
    """One of the answers that an author offers."""

    text: str
    is_right: bool
    why: str = ""  # the author's word on it


@dataclass(frozen=True, slots=True, kw_only=True)
class Exercise:
    """A question as the author of a course set it, in Markdown as a section's text is."""

    text: str
    form: str  # the reader that found it
    headings: tuple[str, ...] = ()  # where it stands
    kind: QuestionKind | None = None  # where the form itself says so
    choices: tuple[AnswerChoice, ...] = ()
    key: str = ""  # the right answer in short, where the author gives one beside the choices
    solution: str = ""  # what the author shows afterwards
    title: str = ""
    linked: str = ""  # the id of the quiz that it is in, which pages link to
    trouble: str = ""  # why it cannot be asked, in a clause for people


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A question in a course's bank: where it stands, and why it cannot be asked, if so."""

    question: QuizQuestion  # with the section that answers it and what it is about
    exercise_id: str  # the same for all parts of one exercise
    part: int = 0  # 1 for (a); 0 where there are no parts
    chapter_id: str  # the page that it stands on
    headings: tuple[str, ...] = ()
    position: int = 0  # on that page
    form: str = ""
    title: str = ""
    trouble: str = ""


class PassageLike(Protocol):
    """What an item needs of a passage: a search result and a stored chunk both have it."""

    @property
    def chunk_id(self) -> str: ...
    @property
    def chunk_text(self) -> str: ...
    @property
    def chapter_id(self) -> str: ...
    @property
    def heading_hierarchy(self) -> tuple[str, ...]: ...


def place_of(title: str, headings: Sequence[str], page: int | None) -> str:
    """Where a reader finds a passage: 'ROS 2 Basics › Nodes, p. 4'."""
    place = " › ".join([title, *(heading for heading in headings if heading != title)])
    return f"{place}, p. {page}" if page else place


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A chunk with the document it is from: what is read, cited and quizzed."""

    chunk_id: str
    chunk_text: str
    source_url: str
    chapter_id: str
    module_name: str
    heading_hierarchy: tuple[str, ...]
    token_count: int
    chunk_index: int
    title: str
    page: int | None
    course: str
    vector: bytes = b""
    continues: bool = False

    @property
    def place(self) -> str:
        return place_of(self.title, self.heading_hierarchy, self.page)


class FoundPassage(BaseModel):
    """A passage's place in the course and among what a query found."""

    model_config = ConfigDict(frozen=True)

    title: str
    rank: int = Field(ge=1)  # its place in the ranking by words, meaning and surroundings, which chose it
    similarity_score: float = Field(ge=0, le=1)  # the cosine of the query's and the passage's vectors
    chunk_id: str
    course: str
    chapter_id: str
    module_name: str
    heading_hierarchy: tuple[str, ...]
    token_count: int = Field(gt=0)
    chunk_index: int = Field(ge=0)
    page: int | None = None


class RetrievalResult(FoundPassage):
    """One passage that answers a query, and where it stands in the course."""

    chunk_text: NotBlank
    source_url: Address

    @property
    def is_public(self) -> bool:
        """Whether its address leads somewhere from another machine too; a file's path is nobody else's business."""
        return not self.source_url.startswith("file://")

    @property
    def place(self) -> str:
        return place_of(self.title, self.heading_hierarchy, self.page)
