"""The teacher's page of a course's questions: what there is, how it went, and what may be changed."""

from pathlib import Path

import pytest

from agents.state import SessionState
from agents.teaching.values import Item
from storage.items import Items
from tests.support.exercises import read_asked, write
from tests.support.pages import OpenSite, Person, Site
from tests.web.test_teacher import ACCOUNTS, text_of
from web.bank import router

TIDES = """# Tides

A **tide** is the rise and fall of the sea that the Moon causes, because it pulls the water that is nearest to it.
A **spring tide** is the largest tide of a month. A **neap tide** is the smallest tide of a month.

Ask: What causes the tide?
+ the Moon (it pulls the water)
- the wind

Ask (short_answer): What rises and falls?
Key: the sea
Solution: The sea does, twice a day.

Ask: What do you think of tides?
"""
PAGE = "/teacher/bank"
CHANGES = ("add", "edit", "retire", "restore")


@pytest.fixture
async def school(open_site: OpenSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    site = open_site(doors=ACCOUNTS)
    read_asked(monkeypatch)
    await site.services.ready()
    await site.services.library.ingest([write(tmp_path / "tides", {"tides": TIDES})])
    return site


@pytest.fixture
async def tess(school: Site) -> Person:
    return await school.member("tess", is_teacher=True)


async def items(school: Site) -> dict[str, Item]:
    found = await Items(school.services.database).of_course("tides")
    return {each.question.question_text: each for each in found}


async def change(tess: Person, what: str, **values: str) -> str:
    done = await tess.submit(f"{PAGE}/{what}", {"course": "tides", **values}, on="/teacher")
    assert done.status_code == 200, text_of(done)
    return text_of(done)


async def quiz(school: Site, who: str) -> SessionState:
    """What somebody is asked about tides."""
    for text in ("switch to tides", "quiz me on tides"):
        await school.web.state.talk.begin(who, text, said_in="").task
    return SessionState.of((await school.web.state.talk.session(who)).state)


async def test_only_a_teacher_sees_keys_or_changes_anything(school: Site, tess: Person) -> None:
    ada = await school.member("ada")
    assert (await ada.get(f"{PAGE}?course=tides")).status_code == 403
    for what in CHANGES:
        assert (await ada.submit(f"{PAGE}/{what}", {"course": "tides"})).status_code == 403, what
    posts = {route.path for route in router.routes if "POST" in getattr(route, "methods", ())}
    assert posts == {f"{PAGE}/{what}" for what in CHANGES}


async def test_the_questions_are_listed_with_their_keys_and_why_one_is_not_asked(
    school: Site, tess: Person
) -> None:
    page = text_of(await tess.get(f"{PAGE}?course=tides"))
    assert "3 questions kept with the course, 1 of them cannot be asked" in page
    assert "the author's, multiple choice, easy: not asked yet" in page
    assert "Not asked: the author gives no answer." in page
    assert page.index("What rises and falls?") < page.index("What do you think of tides?")
    empty = text_of(await tess.get(f"{PAGE}?course=physical-ai"))
    assert "no questions of its own yet" in empty


async def test_what_is_missed_and_disputed_most_comes_first(school: Site, tess: Person) -> None:
    state = await quiz(school, "ada")
    asked = state.pending_question
    assert asked is not None
    await school.web.state.talk.begin("ada", "xyzzy" if not asked.options else "B", said_in="answer").task
    page = text_of(await tess.get(f"{PAGE}?course=tides"))
    assert "asked 1 ×, 0% right" in page
    texts = [text for text in await items(school) if text in page]
    assert min(texts, key=page.index) == asked.question_text


async def test_a_question_is_taken_out_and_asked_again(school: Site, tess: Person) -> None:
    moon = (await items(school))["What causes the tide?"].question
    assert "is not asked again" in await change(tess, "retire", question_id=moon.question_id)
    assert moon.question_id not in {each.question_id for each in (await quiz(school, "ada")).quiz_questions}
    assert "is asked again" in await change(tess, "restore", question_id=moon.question_id)
    assert moon.question_id in {each.question_id for each in (await quiz(school, "bob")).quiz_questions}


async def test_edited_words_are_asked_and_outlive_another_reading(
    school: Site, tess: Person, tmp_path: Path
) -> None:
    sea = (await items(school))["What rises and falls?"].question
    words = {"question_text": "What rises twice a day?", "expected_answer": "the water of the sea"}
    await change(tess, "edit", question_id=sea.question_id, **words)
    write(tmp_path / "tides", {"tides": TIDES.replace("# Tides", "# The tides")})
    await school.services.library.ingest([tmp_path / "tides"])
    changed = (await items(school))["What rises twice a day?"].question
    assert (changed.question_id, changed.expected_answer) == (sea.question_id, "the water of the sea")
    assert changed.kind == "short_answer"


async def test_a_teachers_own_question_is_asked_with_the_authors(school: Site, tess: Person) -> None:
    new = {"question_text": "Which of these pulls?", "options": "the Moon\nthe shore", "concept": "tide"}
    assert "about tide is added" in await change(tess, "add", **new, expected_answer="the Moon")
    added = (await items(school))["Which of these pulls?"]
    assert (added.question.origin, added.question.kind) == ("teacher", "multiple_choice")
    asked = (await quiz(school, "ada")).quiz_questions
    assert added.question.question_id in {each.question_id for each in asked}


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"question_text": " "}, "Write the question"),
        ({"expected_answer": "the tide"}, "none of the choices"),
        ({"options": "the Moon"}, "two to 10 different choices"),
        ({"options": "the Moon\nthe Moon"}, "two to 10 different choices"),
        ({"concept": "alchemy"}, "Choose what it is about"),
    ],
)
async def test_what_cannot_be_a_question_is_told(
    school: Site, tess: Person, values: dict[str, str], told: str
) -> None:
    new = {
        "course": "tides",
        "question_text": "Which of these pulls?",
        "options": "the Moon\nthe shore",
        "expected_answer": "the Moon",
        "concept": "tide",
    }
    refused = await tess.submit(f"{PAGE}/add", new | values, on="/teacher")
    assert refused.status_code == 422
    assert told in text_of(refused)
    assert len(await items(school)) == 3


async def test_a_question_of_another_course_is_not_found(school: Site, tess: Person) -> None:
    moon = (await items(school))["What causes the tide?"].question
    for what in ("edit", "retire"):
        values = {"question_text": "x", "expected_answer": "y", "question_id": moon.question_id}
        refused = await tess.submit(f"{PAGE}/{what}", {"course": "physical-ai", **values}, on="/teacher")
        assert refused.status_code == 404, what
