"""Are the questions worth asking? Lessons with their quizzes as a newcomer gets them, read blind and judged by people.

    python -m evals.questions --course C --topics N [--skip K] [--held] [--alone] --out FILE

writes for N topics of a course the lesson and its questions to FILE, one line a topic, and their keys to FILE.keys.jsonl:
who judges reads the first alone, then the second. What they say goes to `evals/labels/questions_judged.jsonl`, one line a
question, and `python -m evals questions` reads it back. Half of the topics are held back, by their hash; those are not
looked at while the questions are worked on. With --alone the questions are those that code writes where the author has none.
"""

import asyncio
import hashlib
import json
import statistics
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from pydantic import BaseModel, ConfigDict

from agents.preview import Preview, of_topic
from agents.syllabus import Syllabus, load_syllabus
from agents.teaching.values import Item, Place, QuizQuestion
from evals.data import bench_data, fresh_library
from evals.report import Report, Row, goal

COURSES = {
    "carpentries_python": "courses/carpentries_python",
    "sociology": "courses/sociology",
    "whirlwind_python": "courses/whirlwind_python",
    "comprehensive_rust": "courses/comprehensive_rust",
}
LABELS = Path(__file__).parent / "labels" / "questions_judged.jsonl"
_TOPICS = 12  # of each half of a course
_QUIZ = 4
_SHOWN = 40
_FEW = 3  # questions of a kind; more of four are most of a quiz
_NOTES = (
    "Topics are pages and sections of each course in the order of their hash; one of two is held back by another one. Each is "
    "prepared by the functions of `tutor preview`. A question is good where a strict teacher would keep it: it is about the "
    "point of the section, can be answered from the lesson, means one thing, and its key is right.",
    "",
    "Up to round 4 only what code writes was judged. From round 5 on a quiz is what a learner gets, with the author's questions first, which are judged "
    "like the others: one that belongs to another section is bad where it is asked, however good it is. Round 5: five courses, two of them (Hugging Face, "
    "data science) never looked at. Round 6: new topics of three and two books never looked at (biology, chemistry). Round 7: the first 40 questions of a course in "
    "another language that nobody had looked at. Each round was judged before anything was mended for it; its faults were mended after, so that no "
    "round says how good the questions are now. One judge, who also wrote the code.",
)


class Verdict(BaseModel):
    """What a strict teacher says of one question."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question_id: str
    course: str
    topic: str
    round: str  # which state of the code wrote it
    held: bool  # whether its topic was held back
    origin: str
    written_as: str
    question_text: str
    good: bool
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One topic as it is taught and asked."""

    place: Place
    preview: Preview
    milliseconds: float
    is_held_back: bool

    @property
    def questions(self) -> tuple[QuizQuestion, ...]:
        return self.preview.questions

    def shown(self) -> dict[str, object]:
        """What a judge reads first: all but the keys."""
        asked = [
            {"question_id": each.question_id, "question_text": each.question_text, "options": each.options}
            for each in self.questions
        ]
        return {
            "course": self.preview.course,
            "topic": self.preview.topic,
            "part": f"{self.preview.part} of {self.preview.parts}",
            "held": self.is_held_back,
            "lesson": self.preview.lesson,
            "questions": asked,
        }

    def answers(self) -> Iterator[dict[str, object]]:
        fields = {
            "question_id",
            "expected_answer",
            "points",
            "solution",
            "concept_name",
            "origin",
            "kind",
            "written_as",
        }
        for each in self.questions:
            yield each.model_dump(mode="json", include=fields)


async def run() -> Report:
    """Ask about topics of every course, and say what was judged of what is asked."""
    asked = [each for course in COURSES for each in await ask_about(course, topics=_TOPICS)]
    questions = [question for each in asked for question in each.questions]
    spent = statistics.median(each.milliseconds for each in asked)
    kinds = Counter(each.written_as or each.kind for each in questions)
    rows = [
        Row(measure="topics / with a quiz / questions", value=_counts(asked)),
        Row(measure="questions by kind", value=", ".join(f"{kind} {n}" for kind, n in kinds.most_common())),
        Row(measure="questions by origin", value=_tally(each.origin for each in questions)),
        goal(
            "quizzes with more than two of one kind, where others were written",
            _one_sided(asked),
            at_most=0.1,
        ),
        goal("ms to make a preview (median)", spent, at_most=20, shown=f"{spent:.0f}"),
        *_first_asked(asked),
        *judged(read_verdicts()),
    ]
    return Report(
        name="Questions that a teacher would keep",
        command="python -m evals questions",
        rows=rows,
        notes=[*_NOTES, "", *_last_judged(read_verdicts())],
    )


async def ask_about(
    course: str,
    *,
    topics: int,
    skip: int = 0,
    held: bool | None = None,
    count: int = _QUIZ,
    alone: bool = False,
) -> list[Asked]:
    """So many topics of each half of a course, or of one; alone is without the author's questions."""
    folder, _, inside = COURSES.get(course, course).partition("/")
    with TemporaryDirectory() as here:
        async with fresh_library(
            Path(here), bench_data(folder) / inside, course=Path(course).name
        ) as library:
            syllabus = await load_syllabus(library, Path(course).name)
            bank = () if alone else await library.corpus.items.of_course(Path(course).name)
            halves = (False, True) if held is None else (held,)
            return [
                each
                for half in halves
                for each in quizzes(syllabus, bank=bank, topics=topics, skip=skip, held=half, count=count)
            ]


def quizzes(
    syllabus: Syllabus, *, topics: int, skip: int, held: bool, bank: Sequence[Item] = (), count: int = _QUIZ
) -> list[Asked]:
    """Topics of one half, in the order of their hash, each with what a newcomer gets."""
    places = {place.key: place for place in syllabus.places if place.kind in ("title", "heading")}
    order = sorted(places, key=_hash)
    found: dict[tuple[str, str, int], Asked] = {}
    for key in order:
        topic = syllabus.topic_at(places[key]) if is_held_back(key) == held else None
        if topic is None:
            continue
        began = time.perf_counter()
        preview = of_topic(syllabus, topic, part=topic.begin, count=count, bank=bank)
        spent = 1000 * (time.perf_counter() - began)
        mine = Asked(place=places[key], preview=preview, milliseconds=spent, is_held_back=held)
        found.setdefault((topic.chapter_id, topic.name, preview.part), mine)
        if len(found) >= skip + topics:
            break
    return list(found.values())[skip:]


def is_held_back(key: str) -> bool:
    """Whether a topic is in the half that is not looked at while one works on the questions."""
    return int(hashlib.sha256(f"held {key}".encode()).hexdigest(), 16) % 2 == 1


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def _counts(asked: Sequence[Asked]) -> str:
    full = sum(bool(each.questions) for each in asked)
    return f"{len(asked)} / {full} / {sum(len(each.questions) for each in asked)}"


def _tally(names: Iterable[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in Counter(names).most_common()) or "none"


def _one_sided(asked: Sequence[Asked]) -> float:
    """Of the quizzes, those in which one kind has three questions of four."""
    full = [each.questions for each in asked if each.questions]
    most = [max(Counter(each.written_as or each.kind for each in quiz).values()) for quiz in full]
    return sum(count >= _FEW for count in most) / len(full) if full else 0.0


def _first_asked(asked: Sequence[Asked]) -> Iterator[Row]:
    """Where a quiz has an author's question at all, whether it comes first."""
    own = [each.questions for each in asked if any(one.origin == "author" for one in each.questions)]
    if own:
        share = sum(quiz[0].origin == "author" for quiz in own) / len(own)
        yield goal("quizzes with an author's question that ask it first", share, at_least=0.98)


def read_verdicts(path: Path = LABELS) -> list[Verdict]:
    """What was judged, one line a question."""
    return [Verdict.model_validate_json(line) for line in path.read_text(encoding="utf-8").splitlines()]


def judged(verdicts: Sequence[Verdict]) -> Iterator[Row]:
    """The share that is good, by round, and within a round by half, course, origin and kind."""
    for name in dict.fromkeys(each.round for each in verdicts):
        mine = [each for each in verdicts if each.round == name]
        yield Row(measure=f"good, {name}", value=_good(mine))
        for half in (False, True):
            if own := [each for each in mine if each.held == half]:
                yield Row(measure=f"good, {name}, {'held back' if half else 'looked at'}", value=_good(own))
        for field in ("course", "origin", "written_as"):
            by = {
                value: [each for each in mine if getattr(each, field) == value]
                for value in _values(mine, field)
            }
            shown = "; ".join(f"{value} {_good(own)}" for value, own in by.items())
            yield Row(measure=f"good, {name}, by {field.replace('_', ' ')}", value=shown)


def _last_judged(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Questions of the last round, each with what was said of it."""
    mine = [each for each in verdicts if each.round == verdicts[-1].round]
    last = sorted(mine, key=lambda each: each.question_id)[:_SHOWN]
    yield f"{len(last)} of {verdicts[-1].round}, in the order of their ids:"
    yield ""
    for each in last:
        asked = " ".join(each.question_text.split())
        mark = "✓" if each.good else "✗"
        yield f"- {mark} {asked} *({each.course}, {each.written_as}: {each.reason})*"


def _values(verdicts: Sequence[Verdict], field: str) -> list[str]:
    return sorted({getattr(each, field) for each in verdicts})


def _good(verdicts: Sequence[Verdict]) -> str:
    good = sum(each.good for each in verdicts)
    return f"{good / len(verdicts):.2f} ({good} of {len(verdicts)})"


@click.command()
@click.option("--course", required=True, help="One of the benchmark's, or a folder of the benchmark data.")
@click.option("--topics", default=_TOPICS, help="How many.")
@click.option("--skip", default=0, help="Leave out so many, which were judged before.")
@click.option("--held", is_flag=True, help="Of the half that is held back.")
@click.option("--alone", is_flag=True, help="Without the author's questions.")
@click.option("--out", type=click.Path(path_type=Path), required=True)
def write(course: str, topics: int, skip: int, held: bool, alone: bool, out: Path) -> None:
    """Write lessons with their questions for blind reading."""
    asked = asyncio.run(ask_about(course, topics=topics, skip=skip, held=held, alone=alone))
    out.write_text(_lines(each.shown() for each in asked), encoding="utf-8")
    keys = out.with_name(f"{out.name}.keys.jsonl")
    keys.write_text(_lines(key for each in asked for key in each.answers()), encoding="utf-8")


def _lines(rows: Iterable[dict[str, object]]) -> str:
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)


if __name__ == "__main__":
    write()
