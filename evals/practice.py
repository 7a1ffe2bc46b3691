"""Practice on request: does a wish open the right quiz? In the real app, in a chemistry book, by phrasings written beforehand."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from agents.state import SessionState
from agents.syllabus import find_topic
from agents.teaching.evidence import QUANTITATIVE
from evals.data import bench_data
from evals.report import Report, Row, goal
from evals.simulation.classroom import Classroom
from rag.library import Library

LABELS = Path(__file__).parent / "labels" / "practice.jsonl"
COURSE = "chemistry"
_BEGIN = "quiz me on the mole"
_NOTES = (
    "The 30 phrasings were written before any of them was run; half are held back by their hash. Each is said to the real app "
    "without a model, by a learner who has answered a few questions of the book, some of them wrong. Right is: a quiz without "
    "a lesson, with as many questions as were asked for (as many as there are, up to ten), all of the chapter, section, topic "
    "or answers that were meant, and only such as ask for numbers where those were asked for.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """One phrasing, and what it is to open."""

    message: str
    scope: str
    count: int = 0
    kind: str = ""

    @property
    def is_held_back(self) -> bool:
        return int(sha256(self.message.encode()).hexdigest(), 16) % 2 == 0


async def run() -> Report:
    """Every phrasing in a session of its own, by one learner."""
    rows = [json.loads(line) for line in LABELS.read_text(encoding="utf-8").splitlines()]
    wishes = [Wish(**row) for row in rows]
    found = await outcomes(wishes)
    dev = [why for wish, why in found if not wish.is_held_back]
    held = [why for wish, why in found if wish.is_held_back]
    return Report(
        name="Practice on request",
        command="python -m evals practice",
        rows=[
            Row(measure="phrasings (looked at / held back)", value=f"{len(dev)} / {len(held)}"),
            goal("open the right quiz, looked at", _right(dev), at_least=0.95),
            goal("open the right quiz, held back", _right(held), at_least=0.95),
        ],
        notes=_NOTES,
        figures={
            "missed": [f"{wish.message}: {why}" for wish, why in found if why and not wish.is_held_back]
        },
    )


def _right(whys: Sequence[str]) -> float:
    return sum(not why for why in whys) / max(1, len(whys))


async def outcomes(wishes: Sequence[Wish]) -> list[tuple[Wish, str]]:
    """For each wish why it was not served, or nothing."""
    with TemporaryDirectory() as folder:
        room = await Classroom(Path(folder)).open()
        try:
            library = room.services.library
            await library.ingest([bench_data("courses") / COURSE], course=COURSE)
            missed, seen = await _studied(room)
            return [
                (wish, await _why_not(room, wish, library, missed=missed, seen=seen, number=number))
                for number, wish in enumerate(wishes)
            ]
        finally:
            await room.close()


async def _studied(room: Classroom) -> tuple[set[str], set[str]]:
    """A learner who has answered a quiz, with nothing known."""
    await room.enter("ada", session_id="first")
    await room.say("ada", f"switch to {COURSE}", session_id="first")
    turn = await room.say("ada", _BEGIN, session_id="first")
    for _ in range(8):
        if not turn.state.pending_question:
            break
        turn = await room.say("ada", "I don't know", session_id="first")
    rows = await room.answers("ada")
    return {row.question_id for row in rows if not row.is_correct}, {row.concept_name for row in rows}


async def _why_not(
    room: Classroom, wish: Wish, library: Library, *, missed: set[str], seen: set[str], number: int
) -> str:
    session = f"s{number}"
    await room.enter("ada", session_id=session)
    await room.say("ada", f"switch to {COURSE}", session_id=session)
    turn = await room.say("ada", wish.message, session_id=session)
    if turn.state.choices and not turn.state.is_asking:
        turn = await room.say("ada", "yes", session_id=session)
    state, questions = turn.state, turn.state.quiz_questions
    if state.learning_phase != "quiz" or not questions or state.explanation:
        return f"no quiz: {turn.text[:80]}"
    if wish.count and len(questions) != wish.count:
        return f"{len(questions)} questions"
    if wish.kind == "numeric" and not all(each.kind in QUANTITATIVE for each in questions):
        return "not all with numbers"
    items = {item.question.question_id: item for item in await library.corpus.items.of_course(COURSE)}
    syllabus = await room.services.syllabus(COURSE)
    pages = {item.chapter_id for each in questions if (item := items.get(each.question_id))}
    concepts = {each.concept_name for each in questions}
    return await _wrong_scope(wish, state, pages, concepts, room, syllabus, missed=missed, seen=seen)


async def _wrong_scope(
    wish: Wish, state: SessionState, pages: set[str], concepts: set[str], room: Classroom, syllabus: Any, *, missed: set[str], seen: set[str]
) -> str:  # fmt: skip
    kind, _, number = wish.scope.partition(" ")
    ids = {each.question_id for each in state.quiz_questions}
    if wish.scope == "missed":
        return "" if ids <= missed else "not what was missed"
    if wish.scope == "seen":
        return "" if concepts <= seen else "not what was seen"
    if wish.scope == "all":
        return "" if len(pages) > 1 else "one page only"
    if kind in ("chapter", "section"):
        outline = await room.services.library.outline(COURSE)
        chapters = [each for each in outline.children if each.kind == "content"]
        numbers = [int(each) for each in number.split(".")]
        unit = chapters[numbers[0] - 1]
        if numbers[1:]:
            unit = [each for each in unit.children if each.kind == "content"][numbers[1] - 1]
        allowed = {page.chapter_id for page in unit.pages()}
        return "" if pages <= allowed else "another chapter"
    if wish.scope == "here":
        return ""
    found = await find_topic(room.services.library, syllabus, wish.scope)
    if found is None:
        return "no such topic"
    home = {piece.passage.chapter_id for part in found[1].parts for piece in part.pieces}
    is_about = concepts <= set(found[1].concepts) or bool(pages and pages <= home)
    return "" if is_about else f"about {sorted(concepts)[:4]}"
