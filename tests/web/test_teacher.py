"""The teacher's pages over HTTP: courses, previews, the class, rulings and invitations; and nobody else's."""

import html
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from agents.classroom import QuestionReport
from agents.state import SessionState
from agents.teaching.values import QuizQuestion
from tests.support.pages import PASSWORD, OpenSite, Person, Site
from tests.support.talk import wrong_answer
from web.access import choose_doors
from web.caller import TEMPLATES
from web.teacher import router

ACCOUNTS = choose_doors(host="0.0.0.0", has_accounts=True)
COURSE = "physical-ai"
BOOK = """# Tides

## What a tide is

A tide is the rise and fall of the sea that the Moon causes. A spring tide is the largest tide of a month.
A neap tide is the smallest tide of a month. The Moon pulls the water that is nearest to it, and the water rises.
"""


@pytest.fixture
async def school(open_site: OpenSite) -> Site:
    return open_site(doors=ACCOUNTS)


@pytest.fixture
async def tess(school: Site) -> Person:
    """A teacher, signed in."""
    return await school.member("tess", is_teacher=True)


@pytest.fixture
async def tides(school: Site, tmp_path: Path) -> Path:
    """A second course, from a folder."""
    folder = tmp_path / "tides"
    folder.mkdir()
    (folder / "tides.md").write_text(BOOK)
    await school.services.ready()
    await school.services.library.ingest([folder])
    return folder


async def say(site: Site, user_id: str, text: str) -> SessionState:
    await site.web.state.talk.begin(user_id, text, said_in="").task
    return SessionState.of((await site.web.state.talk.session(user_id)).state)


async def quizzed(site: Site, user_id: str, *, right: bool) -> QuizQuestion:
    """A learner answers the first question of a quiz; returns it."""
    question = (await say(site, user_id, "quiz me on topics")).pending_question
    assert question is not None
    await say(site, user_id, question.expected_answer if right else wrong_answer(question))
    return question


async def counted(site: Site, user_id: str, concept: str) -> int:
    rows = await site.services.learners.mastery(user_id)
    return sum(row.evidence_count for row in rows if row.concept_name == concept)


def text_of(answer: Any) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", answer.text)).split())


PAGES = ["/teacher", "/teacher/class", "/teacher/questions", "/teacher/people", "/teacher/preview"]
CHANGES = [
    ("/course/rename", {"course": COURSE, "new_title": "Mine"}),
    ("/course/remove", {"course": COURSE, "sure": "yes"}),
    ("/courses/read", {"course": COURSE}),
    ("/teacher/courses/rename", {"course": COURSE, "new_title": "Mine"}),
    ("/teacher/courses/read", {"course": COURSE}),
    ("/teacher/courses/threshold", {"course": COURSE, "threshold": "80"}),
    ("/teacher/courses/remove", {"course": COURSE, "sure": "yes"}),
    ("/teacher/questions/rule", {"course": COURSE, "question_id": "q", "ruling": "void"}),
    ("/teacher/questions/withdraw", {"course": COURSE, "ruling_id": "1"}),
    ("/teacher/people/invite", {"username": "eve", "is_teacher": "yes"}),
    ("/teacher/people/link", {"username": "tess"}),
    ("/teacher/people/remove", {"username": "tess"}),
]


async def test_a_learner_reaches_no_page_of_the_teacher_and_changes_nothing(
    school: Site, tess: Person
) -> None:
    ada = await school.member("ada")
    for path in PAGES:
        refused = await ada.get(path)
        assert refused.status_code == 403, path
        assert "This is for teachers" in refused.text
    for path, values in CHANGES:
        assert (await ada.submit(path, values)).status_code == 403, path
    upload = await ada.post(
        "/courses/upload", files={"files": ("a.md", BOOK)}, headers={"x-csrf-token": await ada.token()}
    )

    assert upload.status_code == 403, "a course is everybody's"
    assert "/teacher" not in (await ada.get("/")).text
    assert [course.name for course in await school.services.library.courses()] == [COURSE]
    assert (await tess.get("/teacher")).status_code == 200


async def test_every_change_of_the_teacher_is_in_the_test_above(school: Site) -> None:
    posts = {route.path for route in router.routes if "POST" in getattr(route, "methods", ())}
    gets = {route.path for route in router.routes if "GET" in getattr(route, "methods", ())}

    assert posts == {path for path, _ in CHANGES if path.startswith("/teacher")}
    assert gets == set(PAGES)


async def test_a_renamed_course_keeps_its_title_and_the_learners_records(
    school: Site, tess: Person, tides: Path
) -> None:
    await quizzed(school, "ada", right=True)
    renamed = await tess.submit(
        "/teacher/courses/rename", {"course": COURSE, "new_title": "Robots <b>"}, on="/teacher"
    )
    await tess.submit("/teacher/courses/read", {"course": COURSE}, on="/teacher")
    program = await school.program("ada")
    await school.account("ada")
    progress = (await program.get("/api/progress")).json()

    assert "is now called “Robots <b>”" in text_of(renamed) or "Robots &lt;b&gt;" in renamed.text
    assert "<b>" not in renamed.text
    assert (progress["course"], progress["title"]) == (COURSE, "Robots <b>")
    assert progress["concepts"], "what was learnt is still there"
    back = await tess.submit("/teacher/courses/rename", {"course": COURSE, "new_title": " "}, on="/teacher")
    assert "Robots &lt;b&gt;”" in back.text
    assert "Robots" not in [course.title for course in await school.services.library.courses()]


async def test_a_course_is_read_again_from_where_it_came(school: Site, tess: Person, tides: Path) -> None:
    (tides / "moon.md").write_text(
        "# The Moon\n\nThe Moon is a body of rock that goes around the Earth in a month.\n"
    )
    read = await tess.submit("/teacher/courses/read", {"course": "tides"}, on="/teacher")
    again = await tess.submit("/teacher/courses/read", {"course": "tides"}, on="/teacher")

    assert "1 added, 0 changed, 0 removed, 1 unchanged" in read.text
    assert "0 added, 0 changed, 0 removed, 2 unchanged" in again.text


async def test_a_course_whose_folder_is_gone_is_told_and_left_alone(
    school: Site, tess: Person, tides: Path
) -> None:
    shutil.move(tides, tides.with_name("elsewhere"))
    told = await tess.submit("/teacher/courses/read", {"course": "tides"}, on="/teacher")

    assert told.status_code == 409
    assert "Nothing was changed: tides is no longer where" in told.text
    assert "tides" in [course.name for course in await school.services.library.courses()]


async def test_a_removed_course_is_gone_for_everybody_and_what_was_learnt_is_kept(
    school: Site, tess: Person, tides: Path
) -> None:
    await say(school, "ada", "switch to tides")
    state = await say(school, "ada", "quiz me on tides")
    assert state.course == "tides"
    unsure = await tess.submit("/teacher/courses/remove", {"course": "tides"}, on="/teacher")
    removed = await tess.submit("/teacher/courses/remove", {"course": "tides", "sure": "yes"}, on="/teacher")
    after = await say(school, "ada", "teach me topics")

    assert unsure.status_code == 422
    assert "Tick the box" in unsure.text
    assert "is removed" in removed.text
    assert (after.course, after.learning_phase) == (COURSE, "quiz"), (
        "the learner goes on in a course that is there"
    )
    again = await tess.submit("/teacher/courses/remove", {"course": "tides", "sure": "yes"}, on="/teacher")
    assert again.status_code == 404


async def test_a_topic_is_previewed_with_its_lesson_and_its_questions(school: Site, tess: Person) -> None:
    page = await tess.get(f"/teacher/preview?course={COURSE}&topic=topics")
    nothing = await tess.get(f"/teacher/preview?course={COURSE}&topic=xylophone maintenance")

    assert "What a newcomer would be asked" in page.text
    assert "Expected (" in page.text
    assert 'href="/passage/' in page.text
    assert "[1]" not in text_of(page), "a mark leads to its passage"
    assert "is about" in text_of(nothing)


async def test_what_a_teacher_reads_is_set_and_not_raw_markdown(school: Site, tess: Person) -> None:
    row = await quizzed(school, "ada", right=False)
    services = school.services
    [course] = await services.library.courses()
    told = QuestionReport(
        question_id=row.question_id, text="What does this print?\n\n```python\nprint(1)\n```", concept="it",
        expected_answer="`1`", asked=1, missed=1, wrong_answers=(("`2`", 1),),
    )  # fmt: skip
    page = TEMPLATES.get_template("teacher/questions.html").render(
        reports=[told], more=0, words="", courses=[], course=course, room="questions", who=None,
        csrf_token="", here="/teacher/questions", zone=services.zone,
    )  # fmt: skip
    assert "`" not in re.sub(r'value="[^"]*"', "", page)
    assert "<pre" in page


async def test_a_removed_course_closes_its_question_and_says_why(
    school: Site, tess: Person, tides: Path
) -> None:
    ada = await school.member("ada")
    await say(school, "ada", "switch to tides")
    question = (await say(school, "ada", "quiz me on tides")).pending_question
    assert question is not None
    await tess.submit("/teacher/courses/remove", {"course": "tides", "sure": "yes"}, on="/teacher")
    form = {"text": "A", "said_in": "answer", "question_id": question.question_id}
    await ada.submit("/study/say", form, on="/study")
    page = text_of(await ada.get("/study"))
    assert "removed by a teacher" in page
    assert "answered already" not in page
    assert "0 of 0" not in page
    assert question.question_text not in page
    assert "Go on where" not in (await ada.get("/")).text
    await say(school, "ada", "hello")
    after = (await ada.get("/study")).text
    assert "0 of 0" not in after
    assert "<h1>Study</h1>" in after, "no topic of the course that is gone"


async def test_the_class_is_shown_by_chapter_and_learner(school: Site, tess: Person) -> None:
    await school.account("ada")
    await school.account("cy")
    await quizzed(school, "ada", right=True)
    page = await tess.get("/teacher/class")
    names = re.findall(r'<th scope="col">([^<]*)', page.text)
    [totals] = re.findall(r"<tfoot>.*?</tfoot>", page.text, re.DOTALL)

    assert names == ["Chapter", "ada", "cy"], "who has not begun is seen, a teacher is not"
    assert [sign for sign in totals if sign in "✓◐–"] == ["◐", "–"], "a round that is going on counts"


async def test_voiding_a_question_recounts_it_for_everybody_and_can_be_taken_back(
    school: Site, tess: Person
) -> None:
    question = await quizzed(school, "ada", right=False)
    assert (await quizzed(school, "bob", right=True)).question_id == question.question_id
    shown = await tess.get("/teacher/questions")
    values = {"course": COURSE, "question_id": question.question_id, "question_text": question.question_text}
    voided = await tess.submit(
        "/teacher/questions/rule", {**values, "ruling": "void"}, on="/teacher/questions"
    )
    counts = [await counted(school, name, question.concept_name) for name in ("ada", "bob")]
    ruling = re.findall(r'name="ruling_id" value="(\d+)"', voided.text)
    back = await tess.submit(
        "/teacher/questions/withdraw", {"course": COURSE, "ruling_id": ruling[0]}, on="/teacher/questions"
    )

    assert question.question_text in html.unescape(shown.text)
    assert "asked 2 ×, missed 1 ×" in shown.text
    assert "The mastery of 2 learners was computed anew" in voided.text
    assert counts == [0, 0]
    assert "taken back" in back.text
    assert [await counted(school, name, question.concept_name) for name in ("ada", "bob")] == [1, 1]


async def test_this_is_right_too_and_dont_ask_again(school: Site, tess: Person) -> None:
    question = await quizzed(school, "ada", right=False)
    given = wrong_answer(question)
    values = {"course": COURSE, "question_id": question.question_id, "question_text": question.question_text}
    accepted = await tess.submit(
        "/teacher/questions/rule",
        {**values, "ruling": "also_right", "accepted_answer": given},
        on="/teacher/questions",
    )
    retired = await tess.submit(
        "/teacher/questions/rule", {**values, "ruling": "retired"}, on="/teacher/questions"
    )
    rows = await school.services.ledger.of("ada")
    bobs = (await say(school, "bob", "quiz me on topics")).quiz_questions

    assert "1 learner was" in accepted.text
    assert [(row.action, row.is_correct) for row in rows] == [("answer", False), ("rekey", True)]
    assert "is not asked again" in retired.text
    assert question.question_id not in {each.question_id for each in bobs}


@pytest.mark.parametrize(
    ("values", "status", "words"),
    [
        ({"ruling": "burn"}, 422, "also_right"),
        ({"ruling": "also_right"}, 422, "Write the answer"),
        ({"ruling": "void", "course": "alchemy"}, 404, "no course"),
    ],
)
async def test_half_a_ruling_is_told(
    school: Site, tess: Person, values: dict[str, str], status: int, words: str
) -> None:
    sent = {"course": COURSE, "question_id": "q1", **values}
    told = await tess.submit("/teacher/questions/rule", sent, on="/teacher/questions")

    assert told.status_code == status
    assert words in told.text


async def test_an_invited_learner_comes_in_by_the_link_that_the_teacher_is_shown(
    school: Site, tess: Person
) -> None:
    shown = await tess.submit("/teacher/people/invite", {"username": "Ada"}, on="/teacher/people")
    [link] = re.findall(r'value="http://127\.0\.0\.1:8000(/invite/[^"]+)"', shown.text)
    ada = school.person()
    came_in = await ada.submit(link, {"password": PASSWORD, "again": PASSWORD}, on=link)
    twice = await tess.submit("/teacher/people/invite", {"username": "ada"}, on="/teacher/people")

    assert came_in.status_code == 303
    assert (await ada.get("/study")).status_code == 200
    assert twice.status_code == 422
    assert "already" in twice.text
    assert link not in (await tess.get("/teacher/people")).text, "it is shown once"


async def test_a_new_learner_is_offered_every_course_and_begins_with_any(
    school: Site, tess: Person, tides: Path
) -> None:
    ada = await school.member("ada")
    for path in ("/", "/study"):
        offered = re.findall(r'name="course" value="([^"]+)"', (await ada.get(path)).text)
        assert offered == ["tides", COURSE], path
    await ada.submit("/study/start", {"course": "tides"})
    assert "spring tide" in text_of(await ada.get("/study"))


async def test_a_closed_account_is_out_at_once(school: Site, tess: Person) -> None:
    ada = await school.member("ada")
    own = await tess.submit("/teacher/people/remove", {"username": "tess"}, on="/teacher/people")
    closed = await tess.submit("/teacher/people/remove", {"username": "ada"}, on="/teacher/people")

    assert own.status_code == 409
    assert "can no longer sign in" in closed.text
    assert (await ada.get("/")).status_code == 303
