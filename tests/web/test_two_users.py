"""Eve asks for everything there is, and finds nothing of Ada's, nor changes it.

Every table, task tool, command, page and endpoint has a line here. A new one without a line fails a test: whoever
adds it says what it is to somebody who is not its owner.
"""

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from agents.cli import tutor as commands
from agents.services import Services
from agents.state import SessionState
from storage.learners import TurnLog
from storage.tables import metadata
from storage.tasks import Tasks
from tasks_tools.server import TOOLS
from tasks_tools.service import TaskService
from tests.contract.test_storage_isolation import CHECKS
from tests.support.ledger import ANSWER, NOW
from tests.support.site import Site, addresses, copy_of, site_in

SECRET = "zebra-crossing"  # in everything of Ada's, and nowhere else

# What a table without a learner in it holds.
SHARED_TABLES = {
    "courses": "course material",
    "documents": "course material",
    "chunks": "course material",
    "extracted_concepts": "course material",
    "concept_relationships": "course material",
    "items": "course material, and what teachers added to it",
    "item_figures": "how often each question was answered and how, with nobody in it",
    "removed_points": "course material",
    "corpus_clock": "course material",
    "session_locks": "whose turn it is, under names that nobody can read",
    "chores": "what the workers did last",
    "accounts": "who may sign in: names, and hashes of pass-phrases; teachers only",
    "question_rulings": "what teachers ruled about questions, with nobody in it",
    "course_thresholds": "a teacher's word for a course, with no learner in it",
    "mastery_parameters": "fitted to all answers: nine numbers",
}

# What each command is given when Eve is the one who asks. Whoever has the command line is the operator of the
# machine and may name any user; what is promised is that one user's command shows nothing of another's.
COMMANDS: dict[str, list[str] | str] = {
    "ask": ["What is a topic?", "--user", "eve", "--json"],
    "history": ["--user", "eve", "--json"],
    "progress": ["--user", "eve", "--json"],
    "dispute": ["--user", "eve", "--answer", "1"],
    "calibrate": ["--json"],
    "concepts": ["--json"],
    "courses": ["--json"],
    "outline": ["--json"],
    "preview": ["ROS 2 topics", "--json"],
    "exercises": ["--json"],
    "search": [SECRET, "--json"],
    "grade": ["--jsonl"],
    "reindex": [],
    "export": ["--user", "eve"],
    "forget": ["--user", "eve", "--yes"],
    "backup": "the operator's: the whole database",
    "restore": "the operator's: the whole database",
    "import": "the operator's: the whole of another installation, into an empty database",
    "token": "the operator's: who may use the API",
    "user": "the operator's: who may sign in",
    "doctor": "starts a task server, which has a line of its own",
    "ingest": "writes course material only",
    "mcp": "the task tools, which have lines of their own",
    "serve": "the pages, which have lines of their own",
}

# What each tool is called with by Eve, who guessed the number of Ada's task.
TASK_TOOLS: dict[str, dict[str, Any]] = {
    "add_task": {"title": "Eve's own"},
    "list_tasks": {"status": "all"},
    "update_task": {"task_id": 1, "title": "mine now"},
    "complete_task": {"task_id": 1},
    "delete_task": {"task_id": 1},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """How Eve asks at one address."""

    path: str = ""  # with the places filled in, where it has some
    query: Mapping[str, str] = field(default_factory=dict)
    form: Mapping[str, str] = field(default_factory=dict)
    answers: tuple[int, ...] = (200, 303)


_ANY_REFUSAL = (200, 303, 400, 401, 403, 404, 422)
ENDPOINTS: dict[str, Ask] = {
    "GET /": Ask(),
    "GET /map": Ask(),
    "GET /progress": Ask(query={"user": "ada", "user_id": "ada"}),
    "POST /progress/done": Ask(form={"task_id": "1", "user_id": "ada"}),
    "GET /yours": Ask(query={"user_id": "ada"}),
    "GET /yours/export.json": Ask(query={"user_id": "ada"}),
    "GET /yours/answers.csv": Ask(query={"user_id": "ada"}),
    "GET /yours/cards.apkg": Ask(query={"user_id": "ada"}),
    "POST /yours/delete": Ask(form={"sure": "yes", "user_id": "ada"}),
    "POST /yours/threshold": Ask(form={"threshold": "50", "user_id": "ada"}),
    "GET /study": Ask(query={"user_id": "ada", "session_id": "page-ada"}),
    "GET /study/now": Ask(query={"user_id": "ada"}),
    "POST /study/say": Ask(form={"text": "What did I get wrong?", "user_id": "ada", "question_id": "q1"}),
    "POST /study/start": Ask(form={"course": "physical-ai", "topic": "ROS 2 topics", "user_id": "ada"}),
    "GET /passage/{chunk_id}": Ask(path="/passage/page-ada", answers=(404,)),
    "GET /picture/{chunk_id}": Ask(path="/picture/k1", query={"file": "../../tutor.db"}, answers=(404,)),
    "POST /courses/upload": Ask(form={"user_id": "ada"}, answers=(400,)),
    "GET /courses/reading/{number}": Ask(path="/courses/reading/ada", answers=(404,)),
    "GET /sign-in": Ask(answers=(200, 303, 404)),
    "POST /sign-in": Ask(form={"username": "ada", "password": "guess"}, answers=_ANY_REFUSAL),
    "POST /sign-out": Ask(answers=_ANY_REFUSAL),
    "GET /invite/{link}": Ask(path="/invite/guess", answers=(404, 410)),
    "POST /invite/{link}": Ask(path="/invite/guess", answers=(403, 404, 410)),
    "GET /api/courses": Ask(answers=_ANY_REFUSAL),
    "GET /api/progress": Ask(query={"user_id": "ada", "user": "ada"}, answers=_ANY_REFUSAL),
    "POST /api/turn": Ask(form={"text": "hello", "user_id": "ada"}, answers=_ANY_REFUSAL),
    "GET /api/openapi.json": Ask(answers=_ANY_REFUSAL),
}

# What only teachers may see and do, who see everybody: tests/web has who is turned away.
TEACHERS_ONLY = {
    "GET /teacher",
    "POST /teacher/courses/rename",
    "POST /teacher/courses/threshold",
    "POST /teacher/courses/read",
    "POST /teacher/courses/remove",
    "GET /teacher/preview",
    "GET /teacher/class",
    "GET /teacher/questions",
    "POST /teacher/questions/rule",
    "POST /teacher/questions/withdraw",
    "GET /teacher/bank",
    "POST /teacher/bank/add",
    "POST /teacher/bank/edit",
    "POST /teacher/bank/restore",
    "POST /teacher/bank/retire",
    "GET /teacher/people",
    "POST /teacher/people/invite",
    "POST /teacher/people/link",
    "POST /teacher/people/remove",
}


async def give_ada_a_record(services: Services) -> None:
    """One row of each kind that is shown anywhere, with the secret in it."""
    answer = replace(
        ANSWER,
        course="physical-ai",
        learner_answer=SECRET,
        question_text=f"What is a {SECRET}?",
        concept_name=SECRET,
        topic=SECRET,
        reason=SECRET,
    )
    await services.ledger.append(answer)
    await Tasks(services.database).add("ada", title=SECRET, now=NOW)
    await services.learners.add_goal("ada", course="physical-ai", goal=SECRET, now=NOW)
    said = {"answer": SECRET, "session_id": "page-ada"}
    await services.sessions.add_turn(
        TurnLog(
            turn_id="t-ada",
            user_id="ada",
            session_id="page-ada",
            turn_number=1,
            user_query=SECRET,
            status="success",
            agent_response=said,
            retrieval_results=(),
            timestamp=datetime.now(UTC),  # old conversations are deleted
            duration_seconds=0.1,
        )
    )


async def record_of_ada(services: Services) -> list[object]:
    return [
        await services.ledger.of("ada"),
        await Tasks(services.database).list("ada", now=NOW),
        await services.learners.goals("ada", course="physical-ai"),
        await services.sessions.turns("ada"),
    ]


@pytest.fixture
async def site(read_course: Path, tmp_path: Path) -> AsyncIterator[Site]:
    async with site_in(copy_of(read_course, tmp_path)) as opened:
        await give_ada_a_record(opened.services)
        session = await opened.web.state.talk.sessions.create_session(
            app_name="agents",
            user_id="ada",
            session_id="page-ada",
            state=SessionState(user_id="ada", course="physical-ai").changes(
                explanation=SECRET, current_topic=SECRET, last_question=SECRET
            ),
        )
        assert session.state["explanation"] == SECRET
        yield opened


def test_every_table_has_a_line() -> None:
    assert set(CHECKS) | set(SHARED_TABLES) == set(metadata.tables)
    assert not set(CHECKS) & set(SHARED_TABLES)


def test_every_command_has_a_line() -> None:
    assert set(COMMANDS) == set(commands.commands)


def test_every_task_tool_has_a_line() -> None:
    assert set(TASK_TOOLS) == {tool.name for tool in TOOLS}


async def test_every_endpoint_has_a_line_and_shows_eve_nothing_of_adas(site: Site) -> None:
    assert addresses(site.web) == set(ENDPOINTS) | TEACHERS_ONLY

    before = await record_of_ada(site.services)
    site.client.cookies.set("who", "eve")
    for line, ask in ENDPOINTS.items():
        method, path = line.split(" ")
        response = await asked(site.client, method, ask.path or path, ask)
        assert response.status_code in ask.answers, (line, response.status_code)
        assert SECRET.encode() not in response.content, line
    assert await record_of_ada(site.services) == before
    assert (await site.state("ada")).explanation == SECRET


async def asked(client: httpx.AsyncClient, method: str, path: str, ask: Ask) -> httpx.Response:
    return await client.request(method, path, params=ask.query, data=dict(ask.form) or None)


async def test_no_task_tool_shows_or_changes_anothers(site: Site) -> None:
    service = TaskService(site.services.database)
    for tool, arguments in TASK_TOOLS.items():
        result = await service.call(tool, arguments=arguments, user_id="eve", now=NOW)
        assert SECRET not in json.dumps(result.as_json()), tool
        if "task_id" in arguments:
            assert result.code == "NOT_FOUND"
    assert [task.title for task in await Tasks(site.services.database).list("ada", now=NOW)] == [SECRET]


@pytest.fixture
async def stored(read_course: Path, tmp_path: Path) -> Path:
    folder = copy_of(read_course, tmp_path)
    async with site_in(folder) as opened:
        await give_ada_a_record(opened.services)
    return folder


def test_no_command_shows_or_changes_anothers(stored: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TUTOR_DATA_DIR", str(stored / "data"))
    monkeypatch.setenv("TUTOR_MODEL", "embedded")
    monkeypatch.chdir(stored)
    for name, arguments in COMMANDS.items():
        if isinstance(arguments, list):
            done = CliRunner().invoke(commands, [name, *arguments], input="")
            shown = f"{done.output} {done.exception}".replace(f'"query": "{SECRET}"', "")
            assert SECRET not in shown, name
    adas = CliRunner().invoke(commands, ["progress", "--user", "ada", "--json"])
    assert SECRET in adas.output
