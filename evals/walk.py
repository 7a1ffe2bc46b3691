"""What one answer passes on its way from the message to its mark: files of ours, statements, readings of the state."""

import os
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

from google.adk.evaluation.eval_case import EvalCase
from google.genai import types
from sqlalchemy import Engine, event

from agents.services import Services
from agents.settings import load_settings
from agents.state import SessionState
from evals.house import PRODUCT, ROOT
from evals.report import Report, Row, goal
from evals.stage import Seat, Stage

_HOUSES = tuple(f"{ROOT / house}{os.sep}" for house in PRODUCT)


@dataclass(slots=True)
class Walk:
    """One ordinary answer, with everything loaded."""

    lines: Counter[str] = field(default_factory=Counter)  # calls, by file of ours
    statements: list[str] = field(default_factory=list)
    parses: int = 0


async def run() -> Report:
    """A right answer to the second question of a quiz."""
    with TemporaryDirectory() as folder:
        os.environ["TUTOR_DATA_DIR"], os.environ["TUTOR_MODEL"] = folder, "embedded"
        stage = Stage(Services(load_settings()))
        try:
            found = await walk_of_an_answer(stage)
        finally:
            await stage.close()
    rooms = Counter(str(Path(each).relative_to(ROOT).parent) for each in found.lines)
    files = len(found.lines)
    return Report(
        name="Walk: what one answer passes",
        command="python -m evals walk",
        rows=[
            goal("files of ours that run", files, at_most=25, shown=str(files)),
            Row(
                measure="… by room", value=", ".join(f"{room} {count}" for room, count in rooms.most_common())
            ),
            goal("SQL statements", len(found.statements), at_most=8, shown=str(len(found.statements))),
            goal("readings of the state", found.parses, at_most=1, shown=str(found.parses)),
        ],
        notes=_NOTES,
    )


_NOTES = (
    "A file counts where one of its functions runs in any thread between the message and the end of the turn, however small: a "
    "property of a value is one. ADK's own statements for its session are not counted, for it is in memory here.",
)


async def walk_of_an_answer(stage: Stage) -> Walk:
    """Three answers, the third under watch: by then everything is loaded."""
    seat = await stage.seat(EvalCase(eval_id="walk", conversation=[]))
    await _say(stage, seat, "teach me ROS 2 topics")
    found = Walk()
    for _ in range(2):
        await _answer(stage, seat)
    question = (await stage.state(seat)).pending_question
    assert question is not None  # a quiz of three questions or more
    with _watched(found):
        await _say(stage, seat, question.expected_answer)
    return found


async def _answer(stage: Stage, seat: Seat) -> None:
    state = await stage.state(seat)
    question = state.pending_question
    assert question is not None
    await _say(stage, seat, question.expected_answer)
    if (await stage.state(seat)).self_check_answer:
        await _say(stage, seat, "yes")


async def _say(stage: Stage, seat: Seat, text: str) -> None:
    await stage.say(seat, types.UserContent(text))


@contextmanager
def _watched(found: Walk) -> Iterator[None]:
    made = SessionState._healed

    def looks(frame: FrameType, what: str, _: object) -> None:
        name = frame.f_code.co_filename
        if what == "call" and name.startswith(_HOUSES):
            found.lines[name] += 1

    def counts(_: object, __: object, statement: str, *___: object) -> None:
        found.statements.append(statement)

    def reads(cls: type[SessionState], values: Mapping[str, Any]) -> tuple[SessionState, set[str]]:
        found.parses += 1
        return made(values)

    event.listen(Engine, "before_cursor_execute", counts)
    SessionState._healed = classmethod(reads)  # type: ignore[method-assign, assignment]
    threading.setprofile(looks)
    sys.setprofile(looks)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        SessionState._healed = made  # type: ignore[method-assign]
        event.remove(Engine, "before_cursor_execute", counts)
