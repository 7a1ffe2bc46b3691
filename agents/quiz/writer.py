"""The questions of a lesson, written by a large model while the lesson is being read."""

import asyncio
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any

from google.adk.models.base_llm import BaseLlm

from agents.briefing import CHARS_A_TOKEN, clip, fenced, fitting, passages_text
from agents.models.asking import Consultation, read_json
from agents.models.direct import ask_directly
from agents.models.voice import ModelFailureError
from agents.prompts import prompt
from agents.quiz.skill import WriteBrief
from agents.quiz.written import LooseQuiz, WrittenQuiz, question_of, read_items
from agents.state import QuizQuestion
from agents.turn import ModelCall, Repair

_PASSAGE_TOKENS = 1600  # of the 3,000 of a quiz's brief
_TOLD_TOKENS = 500
_MOST_EARLIER = 12
_MOST_AT_WORK = 256


@dataclass(slots=True)
class Written:
    """What came of it."""

    questions: list[QuizQuestion] = field(default_factory=list)
    repairs: list[Repair] = field(default_factory=list)
    calls: list[ModelCall] = field(default_factory=list)
    failure: ModelFailureError | None = None


async def write_questions(
    model: BaseLlm, brief: WriteBrief, *, learner: str, earlier: Sequence[str], is_slow: bool = False
) -> Written:
    """The sound ones of a first try, and of a second for the rest."""
    passages = fitting(brief.passages, tokens=_PASSAGE_TOKENS // (2 if is_slow else 1))
    written = Written()
    remarks: list[str] = []
    for _ in range(2):
        missing = brief.count - len(written.questions)
        if missing <= 0:
            break
        asked_before = [*earlier[-_MOST_EARLIER:], *(each.question_text for each in written.questions)]
        parts = [
            passages_text(passages),
            f"The lesson that the learner has just read:\n{fenced(clip(brief.told, most=_TOLD_TOKENS * CHARS_A_TOKEN))}",
            learner,
            f"Write {missing} questions, difficulty {', '.join(brief.difficulties[:missing])}. "
            f"Concepts: {', '.join(brief.topic_concepts or brief.focus)}. First: {', '.join(brief.focus[:missing])}."
            + (f" Two about each of: {', '.join(brief.missed)}." if brief.missed else ""),
            *([f"Asked before:\n{fenced(chr(10).join(asked_before))}"] if asked_before else []),
            *(["These were not usable:\n" + "\n".join(remarks)] if remarks else []),
        ]
        asked = Consultation(
            task="quiz",
            system=prompt("quiz/prompt.md"),
            brief="\n\n".join(parts),
            schema=WrittenQuiz,
            temperature=0.4,
        )
        try:
            reply = read_json(await ask_directly(model, asked, calls=written.calls), LooseQuiz)
        except ModelFailureError as failure:
            written.failure = failure
            break
        items = read_items(reply)
        written.failure = None if items else ModelFailureError("invalid")
        for item in items[: brief.count]:
            if len(written.questions) == brief.count:
                break
            made = question_of(
                item, passages, concepts=brief.topic_concepts, earlier=asked_before, seed=brief.seed
            )
            if isinstance(made, str):
                remarks.append(f"- {item.question_text}: {made}")
                written.repairs.append(Repair(action="dropped", kind=made, sentence=item.question_text))
            elif made.question_id not in {each.question_id for each in written.questions}:
                written.questions.append(made)
    return written


class Writing:
    """What is being written, by session; in this process only: elsewhere our own questions serve."""

    def __init__(self) -> None:
        self._tasks: dict[str, tuple[str, asyncio.Task[Written]]] = {}

    @property
    def under_way(self) -> list[asyncio.Task[Written]]:
        return [task for _, task in self._tasks.values()]

    def begin(self, session_id: str, lesson: str, work: Coroutine[Any, Any, Written]) -> None:
        self.leave(session_id)
        if len(self._tasks) >= _MOST_AT_WORK:
            self.leave(next(iter(self._tasks)))
        self._tasks[session_id] = (lesson, asyncio.create_task(work))

    async def collect(self, session_id: str, lesson: str, *, seconds: float) -> Written | None:
        """What was written for this lesson; None when there is nothing yet, or nothing any more."""
        its, task = self._tasks.get(session_id, ("", None))
        if task is None:
            return None
        if its != lesson:
            self.leave(session_id)
            return None
        done, _ = await asyncio.wait({task}, timeout=seconds)
        if not done:
            return None
        del self._tasks[session_id]
        return task.result() if not task.cancelled() and task.exception() is None else None

    def leave(self, session_id: str) -> None:
        """Whoever has left the lesson needs no questions about it."""
        _, task = self._tasks.pop(session_id, ("", None))
        if task is not None:
            task.cancel()
