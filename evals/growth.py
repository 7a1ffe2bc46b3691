"""What a turn and a page cost a learner with a long record, beside one with a short one: processor time and statements."""

import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

import httpx
from google.adk.artifacts.in_memory_artifact_service import InMemoryArtifactService
from google.adk.runners import Runner
from google.adk.sessions.base_session_service import GetSessionConfig
from google.genai import types
from sqlalchemy import event
from sqlalchemy.engine import Engine

from agents.adk_sessions import APP_NAME, session_service
from agents.agent import build_app
from agents.services import Services
from agents.settings import load_settings
from agents.state import SessionState
from agents.syllabus import Syllabus
from agents.teaching.evidence import GradedAnswer
from agents.teaching.values import QuizQuestion
from evals.report import Report, Row, goal
from web.app import build_web
from web.caller import session_id

_USER = "user"  # whom the pages serve on this machine
_RECORDS = (10, 1_000, 10_000)
_TOPICS_ASKED = 8
_VISITS = 7  # of each page
_YEARS = 2
_EARLY, _LATE, _AT_ONCE = 10, 300, 10
_NO_EVENTS = GetSessionConfig(num_recent_events=0)
_PAGES = {"study page": "/study", "map": "/map", "progress": "/progress"}
_ANSWER, _CLOSING = "ordinary answer", "answer that closes a cycle"
_MEASURED = (_ANSWER, _CLOSING, *_PAGES)
# The most statements that each may take, whatever the history.
_STATEMENTS = {_ANSWER: 8, "study page": 12, "map": 10, "progress": 10}


@dataclass(slots=True)
class Cost:
    """Of one kind of turn or page of one learner: milliseconds of processor time, and statements."""

    spent: list[float] = field(default_factory=list)
    statements: list[int] = field(default_factory=list)

    @property
    def ms(self) -> float:
        return median(self.spent)

    @property
    def sql(self) -> int:
        return max(self.statements)


@dataclass(frozen=True, slots=True)
class Learner:
    """One learner in an installation of their own, at the door of their pages."""

    answers: int
    services: Services
    client: httpx.AsyncClient
    syllabus: Syllabus
    state: Callable[[], Awaitable[SessionState]]
    costs: Mapping[str, Cost]

    async def say(self, text: str, **more: str) -> None:
        said = await self.client.post("/study/say", data={"text": text, **more})
        assert said.status_code == 303, said.text


async def run() -> Report:
    """All learners in one process, each turn and each page of all of them one after the other."""
    with TemporaryDirectory() as folder:
        os.environ["TUTOR_MODEL"] = "embedded"
        async with _all(Path(folder)) as learners:
            for topic in _topics(learners[0].syllabus):
                for learner in learners:
                    await _round(learner, topic)
            for _ in range(_VISITS):
                for learner in learners:
                    for name, path in _PAGES.items():
                        with _measured(learner.costs[name]):
                            (await learner.client.get(path)).raise_for_status()
            page = await _late_at_the_page(learners[0])
        adk = await _late_at_adk(Path(folder) / "adk")
    return _report(learners, page=page, adk=adk)


def _report(learners: Sequence[Learner], *, page: float, adk: float) -> Report:
    few, *_, most = learners
    rows = [
        Row(measure=f"{name}, with {' / '.join(f'{each.answers:,}' for each in learners)} answers on record (ms)",
            value=" / ".join(f"{each.costs[name].ms:.1f}" for each in learners))
        for name in _MEASURED
    ]  # fmt: skip
    ratios = {name: most.costs[name].ms / few.costs[name].ms for name in _MEASURED}
    closing = max(each.costs[_CLOSING].ms / each.costs[_ANSWER].ms for each in learners)
    rows += [
        goal(f"{name}: {most.answers:,} / {few.answers}", ratio, at_most=1.2, shown=f"{ratio:.2f}")
        for name, ratio in ratios.items()
    ]
    rows.append(
        goal("answer that closes a cycle / ordinary answer", closing, at_most=2.5, shown=f"{closing:.2f}")
    )
    for name in _MEASURED:
        found = [each.costs[name].sql for each in learners]
        shown = " / ".join(map(str, found))
        limit = _STATEMENTS.get(name)
        measure = f"{name}: SQL statements"
        rows.append(
            goal(measure, max(found), at_most=limit, shown=shown)
            if limit
            else Row(measure=measure, value=shown)
        )
    rows += [
        goal(f"turn {_LATE} / turn {_EARLY}, own page", page, at_most=1.1, shown=f"{page:.2f}"),
        goal(f"turn {_LATE} / turn {_EARLY}, as adk web runs it", adk, at_most=1.2, shown=f"{adk:.2f}"),
    ]
    return Report(
        name="Growth: a learner with a long record, a session with many turns",
        command="python -m evals growth",
        rows=rows,
        notes=_NOTES,
        figures={"closing_ratio": closing, "late_at_the_page": page, "late_at_adk": adk},
    )


_NOTES = (
    f"Processor time of this process, medians; {_TOPICS_ASKED} rounds of each learner, all answers right. The answers on "
    f"record are spread over {_YEARS} years and all concepts of the sample course, four in five right. Statements are the "
    "most that one took, the begins of transactions too; ADK's own sessions and the ends of transactions not counted.",
    "An answer that closes a cycle without mastery also teaches again and writes the next quiz in the same turn: where half "
    "of the rounds end so, the median jumps between two kinds of turns.",
    "Each learner has an installation of their own, so that no page is warmed by another's.",
)


@asynccontextmanager
async def _all(folder: Path) -> AsyncIterator[list[Learner]]:
    opened: list[Learner] = []
    try:
        opened = [await _learner(folder / str(count), answers=count) for count in _RECORDS]
        yield opened
    finally:
        for each in opened:
            await each.client.aclose()
            await each.services.close()


async def _learner(folder: Path, *, answers: int) -> Learner:
    os.environ["TUTOR_DATA_DIR"] = str(folder)
    services = Services(load_settings())
    web = build_web(services)
    await services.ready()
    [course] = await services.library.courses()
    syllabus = await services.syllabus(course.name)
    for each in _record(syllabus, answers=answers, now=datetime.now(UTC)):
        await services.ledger.append(each)
    client = httpx.AsyncClient(
        transport=httpx.ASGITransport(app=web), base_url="http://localhost", timeout=60
    )
    home = await client.get("/")
    token = home.text.partition('name="csrf-token" content="')[2].partition('"')[0]
    client.headers["x-csrf-token"] = token

    async def state() -> SessionState:
        found: SessionState = await web.state.talk.state(_USER)
        return found

    return Learner(answers, services, client, syllabus, state, {name: Cost() for name in _MEASURED})


def _record(syllabus: Syllabus, *, answers: int, now: datetime) -> Iterator[GradedAnswer]:
    """A learner's past: round after round of four questions, through the course and over the years."""
    rng = Random(answers)
    concepts = [(concept, document.title)
                for document in syllabus.documents
                for concept in syllabus.concepts
                if concept.chapter_id == document.chapter_id]  # fmt: skip
    first = now - timedelta(days=365 * _YEARS)
    for number in range(answers):
        concept, topic = concepts[number // 4 % len(concepts)]
        yield GradedAnswer(
            user_id=_USER,
            session_id="past",
            course=syllabus.course,
            topic=topic,
            cycle_number=1 + number // 4 // len(concepts) % 5,
            question_id=f"past-{concept.name}-{number % 4}",
            question_text=f"What is {concept.name}, put in way {number % 4}?",
            concept_name=concept.name,
            kind="cloze",
            difficulty="medium",
            expected_answer=concept.name,
            options=(),
            chunk_id=concept.chunk_id,
            source_context=concept.definition,
            learner_answer=concept.name,
            is_correct=(is_right := rng.random() < 0.8),
            score=float(is_right),
            grader="code",
            reason="The course says so.",
            confident=True,
            attempt_number=1,
            time_taken_seconds=12.0,
            answered_at=first + (now - first) * (number / answers),
            asking=f"{number // 4:032x}",
        )


def _topics(syllabus: Syllabus) -> list[str]:
    names = syllabus.topic_names()
    return [names[place % len(names)] for place in range(_TOPICS_ASKED)]


async def _round(learner: Learner, topic: str) -> None:
    """One round on a topic, all answers right; the last of them closes the cycle."""
    await learner.say(f"quiz me on {topic}")
    if (await learner.state()).choices:
        await learner.say("yes")  # out of the lesson before
    while (question := (state := await learner.state()).pending_question) is not None:
        is_last = state.quiz_question_index + 1 == len(state.quiz_questions)
        said = "yes" if state.self_check_answer else _right(question)
        costs = learner.costs[_CLOSING if is_last else _ANSWER]
        with _measured(costs):
            await learner.say(said, said_in="answer", question_id=question.question_id)
        if is_last and (await learner.state()).quiz_question_index != state.quiz_question_index:
            break
    if (await learner.state()).learning_phase:
        await learner.say("stop")


def _right(question: QuizQuestion) -> str:
    if question.kind == "multiple_choice":
        return "ABCDEFGH"[question.options.index(question.expected_answer)]
    return question.expected_answer


async def _late_at_the_page(learner: Learner) -> float:
    """Turns of one conversation, the early ones and the late ones."""
    await learner.say("teach me ROS 2 topics")
    return await _late(lambda: learner.say("hint"))


async def _late_at_adk(folder: Path) -> float:
    """The same conversation through a Runner as ADK's own front ends call it, without a word about how much to load."""
    os.environ["TUTOR_DATA_DIR"] = str(folder)
    services = Services(load_settings())
    sessions = session_service(services.settings)
    runner = Runner(
        app=build_app(services), session_service=sessions, artifact_service=InMemoryArtifactService()
    )
    await sessions.create_session(app_name=APP_NAME, user_id=_USER, session_id=session_id(_USER))

    async def say(text: str) -> None:
        # As api_server does: it looks whether there is such a session, and the Runner loads it.
        await sessions.get_session(
            app_name=APP_NAME, user_id=_USER, session_id=session_id(_USER), config=_NO_EVENTS
        )
        message = types.Content(role="user", parts=[types.Part(text=text)])
        async for _ in runner.run_async(user_id=_USER, session_id=session_id(_USER), new_message=message):
            pass

    await say("teach me ROS 2 topics")
    ratio = await _late(lambda: say("hint"))
    await runner.close()
    await services.close()
    return ratio


async def _late(say: Callable[[], Awaitable[None]]) -> float:
    early, late = Cost(), Cost()
    for number in range(1, _LATE + _AT_ONCE):
        if _EARLY <= number < _EARLY + _AT_ONCE:
            with _measured(early):
                await say()
        elif number >= _LATE:
            with _measured(late):
                await say()
        else:
            await say()
    return late.ms / early.ms


@contextmanager
def _measured(cost: Cost) -> Iterator[None]:
    """Processor time of all threads of this process, and the statements of our own database."""
    count = 0

    def counts(*_: object) -> None:
        nonlocal count
        count += 1

    event.listen(Engine, "before_cursor_execute", counts)
    began = time.process_time()
    try:
        yield
    finally:
        cost.spent.append((time.process_time() - began) * 1000)
        event.remove(Engine, "before_cursor_execute", counts)
        cost.statements.append(count)
