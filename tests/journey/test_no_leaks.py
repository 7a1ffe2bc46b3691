"""What answers an author's question is seen through no door before the learner has answered it."""

import asyncio
import io
import json
import re
import zipfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from agents.cli import tutor as commands
from agents.state import SessionState
from rag.index import Scope
from storage.items import Items
from tests.support.exercises import read_asked, write
from tests.support.site import Site, addresses, site_in

# In keys, solutions and explanations of choices, and nowhere else in the course.
KEY, SOLUTION, WHY, LATER, OPEN = "zirconflex", "quagmirosity", "brontolith", "velorium", "marfinchen"
SECRETS = (KEY, SOLUTION, WHY, LATER, OPEN)
CONE, POT = "cone.png", "pot.png"  # a picture of a solution, and one of the lesson
PIXEL = b"\x89PNG\r\n\x1a\n"

KILNS = f"""# Kilns

## Firing

A **kiln** is an oven that hardens clay, because the heat drives the water out of it and binds its grains. A potter fires
each pot twice: the first firing makes it hard, and the second one melts the glaze on it into glass.

Ask (short_answer): Which oven hardens clay, and what is its cone called?
Key: {KEY}
Solution: The cone is a {KEY}, by {SOLUTION}. ![It bends]({CONE})

## Glazing

A **glaze** is a coat of glass on a pot, which keeps the water in. It is brushed on dry and melts when it is fired.

![A glazed pot]({POT})

## Review Questions

Ask: What does a glaze do?
+ It keeps the water in ({WHY}: glass has no pores)
- It hardens the clay (no, {SOLUTION} of the kiln does)

Ask (recall): Explain why a pot is fired twice.
Solution: First it gets hard, then the glaze melts: {OPEN}.
"""
QUIZ = f"""# Quiz

Ask (numeric): How hot is a kiln at the second firing?
Key: 1240 {LATER}
Solution: From the table, 1240 {LATER}.
"""


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    read_asked(monkeypatch)
    folder = write(tmp_path / "pottery", {"1-kilns": KILNS, "2-quiz": QUIZ})
    for picture in (CONE, POT):
        (folder / picture).write_bytes(PIXEL)
    return folder


@pytest.fixture
async def site(course: Path, tmp_path: Path) -> AsyncIterator[Site]:
    async with site_in(tmp_path, TUTOR_COURSE_DIR=str(course)) as opened:
        yield opened


def shows_nothing(text: str, door: str, *, told: str = "") -> None:
    assert not [secret for secret in SECRETS if secret in text and secret not in told], door


def unpacked(content: bytes) -> str:
    """All that is in an answer, also where it is an archive of files."""
    if not zipfile.is_zipfile(io.BytesIO(content)):
        return content.decode(errors="replace")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return "".join(archive.read(name).decode(errors="replace") for name in archive.namelist())


async def open_quiz(site: Site) -> SessionState:
    """A lesson that was read, and its first question."""
    await site.start("Kilns", course="pottery")
    state = await site.state()
    if not state.quiz_questions:
        await site.say("ready")
        state = await site.state()
    assert state.quiz_questions
    assert {each.origin for each in state.quiz_questions} == {"author"}
    return state


async def answered(site: Site) -> str:
    """The first question gets its answer, and another is open: all that may be told of now."""
    asked = (await site.state()).quiz_questions[0]
    await site.say("purple elephants", said_in="answer", question_id=asked.question_id)
    if (await site.state()).self_check_answer:
        await site.say("none", said_in="answer", question_id=asked.question_id)
    assert (await site.state()).pending_question not in (None, asked)
    item = await Items(site.services.database).get("pottery", question_id=asked.question_id)
    assert item is not None
    told = item.question.model_dump_json()
    assert any(secret not in told for secret in SECRETS)
    return told


async def test_what_is_taught_found_and_cited_holds_no_key(site: Site) -> None:
    library = site.services.library
    assert len(await Items(site.services.database).of_course("pottery")) == 4
    for passage in await library.corpus.passages("pottery"):
        shows_nothing(passage.chunk_text, "a passage")
        shows_nothing((await site.see(f"/passage/{passage.chunk_id}")).get_text(), "an open passage")
    for words in (*SECRETS, "How hot is a kiln at the second firing?", "Which oven hardens clay?"):
        for found in await library.retrieve(words, top_k=10, scope=Scope(course="pottery")):
            shows_nothing(found.chunk_text, "a search")
    concepts, _ = await library.concept_graph("pottery")
    shows_nothing(json.dumps([[each.name, each.definition] for each in concepts]), "the concepts")


async def test_while_a_question_is_open_no_page_and_no_download_shows_what_answers_it(site: Site) -> None:
    """Every address that answers a learner, so that no new one is forgotten; a teacher's pages show keys of right."""
    await open_quiz(site)
    told = await answered(site)  # there is a record to export
    [*_, passage] = await site.services.library.corpus.passages("pottery")
    filled = {"{chunk_id}": passage.chunk_id, "{link}": "none", "{number}": "1"}
    visited = []
    read = [each.removeprefix("GET ") for each in addresses(site.web) if each.startswith("GET ")]
    for path in (re.sub(r"{\w+}", lambda name: filled[name[0]], each) for each in sorted(read)):
        if path.startswith("/teacher"):
            continue
        answer = await site.client.get(path, params={"file": CONE})
        assert answer.status_code < 500, path
        shows_nothing(unpacked(answer.content), path, told=told)
        visited.append(path)
    assert {"/study", "/api/progress", "/yours/export.json", "/yours/cards.apkg"} <= {*visited}


async def test_a_picture_of_a_solution_is_not_given_out(site: Site) -> None:
    for passage in await site.services.library.corpus.passages("pottery"):
        shown = POT in passage.chunk_text
        for picture, status in ((POT, 200 if shown else 404), (CONE, 404)):
            answer = await site.client.get(f"/picture/{passage.chunk_id}", params={"file": picture})
            assert answer.status_code == status, (picture, passage.heading_hierarchy)


async def test_nothing_that_is_said_around_an_open_question_tells_its_answer(site: Site) -> None:
    await open_quiz(site)
    for words in (
        "hint",
        "another hint",
        "Explain why a pot is fired twice",
        "How hot is a kiln at the second firing?",
        "Which passage is that from?",
        "where am I",
        "pause",
        "go on",
        "what is my progress",
        "teach me Glazing",
        "summarise the lesson",
    ):
        shows_nothing(json.dumps(await site.say(words)), words)
        shows_nothing(json.dumps((await site.state()).last_response), words)
        view = await site.client.post("/api/turn", json={"message": words})
        shows_nothing(view.text, f"{words} over the API")


async def test_a_session_holds_no_solution_and_no_word_on_the_choices(site: Site) -> None:
    """It holds the keys, as the contract of the state wants it; what is told beside them stays in our own record."""
    await open_quiz(site)
    session = await site.web.state.talk.session("user")
    events = " ".join(event.model_dump_json() for event in session.events)
    for kept in (json.dumps(dict(session.state), default=str), events):
        assert SOLUTION not in kept
        assert WHY not in kept
    assert not any(each.solution or each.whys or each.points for each in (await site.state()).quiz_questions)
    [ours] = await site.services.lessons.places("user", course="pottery") or [None]
    lesson = await site.services.lessons.of("user", session_id=session.id, kind="quiz")
    assert ours is None or SOLUTION not in json.dumps(dict(ours.lesson))
    assert lesson is not None
    assert SOLUTION in json.dumps(lesson.questions), "our own record has it, for when the answer is in"


async def test_a_question_that_a_teacher_takes_out_meanwhile_costs_the_others_nothing(site: Site) -> None:
    state = await open_quiz(site)
    gone = state.quiz_questions[-1]
    form = {"course": "pottery", "question_id": gone.question_id, "question_text": gone.question_text}
    response = await site.client.post("/teacher/questions/rule", data={**form, "ruling": "retired"})
    assert response.status_code == 200
    await site.answer()
    session = await site.web.state.talk.session("user")
    lesson = await site.services.lessons.of("user", session_id=session.id, kind="quiz")
    assert lesson is not None
    assert [each["question_id"] for each in lesson.questions] == [
        each.question_id for each in state.quiz_questions[:-1]
    ]
    assert SOLUTION in json.dumps(lesson.questions)


async def test_what_is_kept_leaves_without_the_keys_of_questions_that_wait_for_an_answer(
    course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with site_in(tmp_path, TUTOR_COURSE_DIR=str(course)) as site:
        await open_quiz(site)
        told = await answered(site)
    monkeypatch.setenv("TUTOR_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("TUTOR_MODEL", "embedded")
    monkeypatch.chdir(tmp_path)
    for line in (
        ["export", "--user", "user"],
        ["history", "--user", "user", "--json"],
        ["progress", "--user", "user", "--json"],
        ["ask", "How hot is a kiln at the second firing?", "--json"],
    ):
        done = await asyncio.to_thread(CliRunner().invoke, commands, line)
        assert done.exit_code == 0, (line, done.output)
        shows_nothing(done.stdout, line[0], told=told)
        assert line[0] != "export" or KEY in done.stdout, "what was answered is exported with its key"


def test_commands_that_search_and_answer_show_no_key(
    course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TUTOR_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("TUTOR_MODEL", "embedded")
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(commands, ["ingest", str(course)]).exit_code == 0
    for line in (
        ["search", "How hot is a kiln?", "--json"],
        ["search", SOLUTION.upper(), "--json"],
        ["ask", "Why is a pot fired twice?", "--json"],
        ["ask", "How hot is a kiln at the second firing?", "--json"],
        ["concepts", "--json"],
        ["outline", "--json"],
        ["courses", "--json"],
    ):
        done = CliRunner().invoke(commands, line)
        assert done.exit_code == 0, line
        shows_nothing(done.stdout, line[1])
