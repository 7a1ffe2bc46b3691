"""Start, map, progress and yours, and what holds for every page."""

import csv
import io
import json
import re
import sqlite3
import zipfile
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from agents.adk_sessions import session_service
from agents.commands.operator import address_of
from agents.teaching.values import Passage
from storage.tasks import Tasks
from tests.support.site import Site, soup, words
from tests.support.times import all_in_utc
from web.board import MapChapter, units_of
from web.study import ConceptChip
from web.studying import picture_file
from web.yours import anki_package

PAGES = ("/", "/study", "/map", "/map?concept=publisher", "/progress", "/yours")
MOST_BYTES = 100_000


async def test_a_first_visit_is_one_sentence_and_one_button(site: Site) -> None:
    page = await site.see("/")
    assert words(page.select_one("h1")).count(".") == 1
    [button] = page.select("main button")
    assert words(button) == "Start with Physical AI: from nodes to maps"
    form = {each["name"]: each["value"] for each in button.find_parent("form").select("input")}
    await site.client.post("/study/start", data=form)
    assert (await site.see("/study")).select_one("#lesson")


async def test_the_start_page_knows_where_one_stopped_and_what_is_due(site: Site) -> None:
    await site.start()
    await site.answer()
    await site.say("remind me to read chapter 2 today", said_in="talk")
    page = await site.see("/")
    assert "question 2 of 4" in words(page.select_one(".go-on"))
    assert "read chapter 2" in words(page.select_one(".todo"))
    assert "0 of 81 concepts mastered (goal 85%), 1 begun" in words(page.select_one(".course"))


async def test_what_was_mastered_comes_back_for_review(learnt: Site) -> None:
    now = learnt.services.now
    learnt.services.now = lambda: now() + timedelta(days=60)
    page = await learnt.see("/")
    review = page.find("button", string="Review")
    assert review
    assert "Review publish-subscribe" in words(page.select_one(".todo"))
    course_map = await learnt.see("/map?concept=publisher")
    assert "due for review" in words(course_map.select_one(".detail"))


async def test_the_map_shows_mastery_by_colour_sign_and_word(learnt: Site) -> None:
    page = await learnt.see("/map")
    chip = next(each for each in page.select(".chapter .chip") if "publisher" in words(each))
    assert "done" in chip["class"]
    assert words(chip) == "✓ publisher (mastered, you are here)"
    assert "Next:" in words(page.select_one(".map-columns section"))
    assert "4 of 81 concepts mastered" in words(page.select_one("main"))


def test_a_large_course_opens_one_part_at_a_time_and_of_a_large_part_one_chapter() -> None:
    def chapter(unit: str, number: int, *, concepts: int) -> MapChapter:
        names = (ConceptChip(name="a concept", status="new", score=0.0),) * concepts
        return MapChapter(
            chapter_id=f"{unit}/{number}", title="", unit=unit, is_here=False, concepts=names
        )  # fmt: skip

    course = [chapter("small", number, concepts=20) for number in range(5)]
    assert [unit.is_open for unit in units_of(course, opened="")] == [True]
    course += [chapter("large", number, concepts=20) for number in range(50)]
    assert [unit.is_open for unit in units_of(course, opened="")] == [True, False]
    small, large = units_of(course, opened="large/7")
    assert (small.is_open, large.is_open) == (False, True)
    assert [each.chapter_id for each in large.chapters if each.is_open] == ["large/7"]


async def test_a_concept_shows_the_answers_it_rests_on_and_what_it_builds_on(learnt: Site) -> None:
    detail = (await learnt.see("/map?concept=publisher")).select_one(".detail")
    answers = [row for row in await learnt.services.ledger.of("user") if row.concept_name == "publisher"]
    assert len(detail.select(".answers li")) == len(answers)
    assert "Builds on" in words(detail)
    assert "To refresh on" in words(detail)
    study = detail.find("button", string="Study this")
    form = {each["name"]: each["value"] for each in study.find_parent("form").select("input")}
    await learnt.client.post("/study/start", data=form)
    assert (await learnt.state()).current_topic == "publisher"


async def test_a_concept_that_is_not_there_or_a_course_that_is_gone_is_no_error(site: Site) -> None:
    assert "Choose a concept" in words((await site.see("/map?concept=nothing")).select_one(".detail"))
    assert (await site.see("/map?course=nothing")).select(".chapter")
    gone = await site.client.get("/passage/nothing")
    assert gone.status_code == 404
    assert "not in the course" in gone.text


async def test_progress_has_the_week_the_line_the_forecast_and_the_to_dos(learnt: Site) -> None:
    await learnt.say("remind me to read chapter 2 tomorrow", said_in="talk")
    page = await learnt.see("/progress")
    answers = len(await learnt.services.ledger.of("user"))
    assert words(page.select_one(".figures")).startswith(
        f"Concepts mastered (goal 85%) 4 Answers this week {answers}"
    )
    assert page.select_one("#mastery").parent.select_one("polyline")
    assert page.select_one("#week").parent.select(".ok")
    done = page.select_one(".todo form")
    form = {each["name"]: each["value"] for each in done.select("[name]")}
    response = await learnt.client.post(done["action"], data=form)
    assert response.headers["location"] == "/progress"
    open_tasks = await Tasks(learnt.services.database).list(
        "user", now=learnt.services.now(), status="pending"
    )
    assert "read chapter 2" not in [task.title for task in open_tasks]


async def test_everything_can_be_taken_away(learnt: Site) -> None:
    answers = await learnt.services.ledger.of("user")
    found = json.loads((await learnt.client.get("/yours/export.json")).text)
    assert len(found["quiz_results"]) == len(answers)
    assert {"concept_mastery", "learning_cycles", "tasks", "learner_goals", "session_logs"} <= found.keys()
    assert not {"open_lessons", "lesson_places", "api_tokens"} & found.keys()
    assert {"answered_at", "updated_at", "timestamp", "exported_at"} <= all_in_utc(found)
    table = list(csv.DictReader(io.StringIO((await learnt.client.get("/yours/answers.csv")).text)))
    assert [row["question_text"] for row in table] == [row.question_text for row in answers]
    assert all_in_utc(table) == {"answered_at"}
    cards = (await learnt.client.get("/yours/cards.apkg")).content
    assert _cards(cards) == len({row.question_id for row in answers})


async def test_a_choice_is_exported_by_its_words(learnt: Site) -> None:
    table = csv.DictReader(io.StringIO((await learnt.client.get("/yours/answers.csv")).text))
    chosen = [row for row in table if row["kind"] == "multiple_choice"]
    assert chosen
    assert all(row["learner_answer"] == row["expected_answer"] for row in chosen)


async def test_a_card_for_anki_holds_html_and_no_markdown(learnt: Site, tmp_path: Path) -> None:
    [first, *_] = await learnt.services.ledger.of("user")
    row = replace(
        first, question_text="What?\n\n```python\nprint(1)\n```", expected_answer="`1` & 2", options=("`a`",)
    )
    with zipfile.ZipFile(io.BytesIO(anki_package([row], titles={}))) as package:
        package.extract("collection.anki2", tmp_path)
    with sqlite3.connect(tmp_path / "collection.anki2") as connection:
        [(fields,)] = connection.execute("select flds from notes")
    connection.close()
    assert "`" not in fields
    assert "<pre" in fields
    assert "<code>1</code> &amp; 2" in fields


async def test_the_passage_names_its_course_and_the_map_the_goal(learnt: Site) -> None:
    page = await learnt.see("/map?concept=publisher")
    assert "85%" in words(page.select_one(".detail"))
    passage = await learnt.see(page.select_one(".detail a.source")["href"])
    assert words(passage.select_one(".passage .crumb")) == "Physical AI: from nodes to maps"


async def test_one_of_a_thing_is_not_called_many(site: Site) -> None:
    await site.say("hello", said_in="talk")
    assert "0 answers and 1 message " in words((await site.see("/yours")).select_one("main"))


@pytest.mark.parametrize(
    ("host", "opens"),
    [
        ("0.0.0.0", "http://127.0.0.1:80"),
        ("::", "http://[::1]:80"),
        ("tutor.example", "http://tutor.example:80"),
    ],
)
def test_the_address_that_is_printed_opens(host: str, opens: str) -> None:
    assert address_of(host, 80) == opens


async def test_a_spreadsheet_takes_nobodys_words_for_a_formula(site: Site) -> None:
    await site.start()
    await site.answer()
    question = (await site.state()).pending_question
    assert question is not None
    await site.say("=HYPERLINK(1)", said_in="answer", question_id=question.question_id)
    await site.say("no", said_in="answer", question_id=question.question_id)
    [row] = [
        row
        for row in csv.DictReader(io.StringIO((await site.client.get("/yours/answers.csv")).text))
        if "HYPERLINK" in row["learner_answer"]
    ]
    assert row["learner_answer"].startswith("'=")


async def test_delete_everything_means_everything_and_only_when_one_is_sure(learnt: Site) -> None:
    sessions = session_service(learnt.services.settings)
    await sessions.create_session(app_name="agents", user_id="user", session_id="of-adk-web")
    await learnt.client.post("/yours/delete", data={})
    assert await learnt.services.ledger.of("user")
    await learnt.client.post("/yours/delete", data={"sure": "yes"})
    assert (await sessions.list_sessions(app_name="agents", user_id="user")).sessions == []
    found = json.loads((await learnt.client.get("/yours/export.json")).text)
    assert [part for part, rows in found.items() if rows and isinstance(rows, list)] == []
    assert "Learn a topic" in words((await learnt.see("/")).select_one("h1"))
    assert not (await learnt.state()).current_topic


@pytest.mark.parametrize("address", PAGES)
async def test_a_page_loads_and_runs_nothing_but_ours(learnt: Site, address: str) -> None:
    response = await learnt.client.get(address)
    policy = response.headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    page = soup(response.text)
    for tag in page.find_all(True):
        assert not [name for name in tag.attrs if name == "style" or name.startswith("on")], tag
    assert all(script["src"].startswith("/static/") for script in page.find_all("script"))
    assert not page.find_all("style")
    loaded = [tag["href"] for tag in page.find_all("link")] + [
        tag["src"] for tag in page.find_all(["script", "img"])
    ]
    weight = len(response.content)
    for each in dict.fromkeys(loaded):
        assert each.startswith("/")
        weight += len((await learnt.client.get(each)).content)
    assert weight <= MOST_BYTES


# What a form has of itself (HTML Standard, HTMLFormElement and what it inherits and scripts use).
_OF_A_FORM = {
    *"acceptCharset action autocomplete enctype encoding method name noValidate target rel relList elements".split(),
    *"length submit requestSubmit reset checkValidity reportValidity id title lang dir hidden dataset style".split(),
    *"children attributes classList className innerHTML textContent closest remove focus click matches".split(),
}


def test_no_control_hides_what_its_form_has_of_itself() -> None:
    """`form.action` is the control of that name or id where there is one: six buttons posted to nowhere."""
    control = re.compile(r"<(?:input|button|select|textarea|fieldset|output|object)\b[^>]*>")
    named = re.compile(r"""\b(?:name|id)=["']([^"']+)""")
    found = {
        (name, file.name)
        for file in Path("web/templates").rglob("*.html")
        for tag in control.findall(file.read_text(encoding="utf-8"))
        for name in named.findall(tag)
    }
    assert ("text", "parts.html") in found
    assert [each for each in found if each[0] in _OF_A_FORM] == []


def test_no_static_file_names_an_address_elsewhere() -> None:
    for file in Path("web/static").iterdir():
        assert not re.search(r"(?:https?:)?//(?!www\.w3\.org)[a-z]", file.read_text(encoding="utf-8")), file


def test_only_pictures_that_the_passage_names_within_its_course_are_served(tmp_path: Path) -> None:
    course = tmp_path / "course" / "unit"
    course.mkdir(parents=True)
    (course / "robot.png").write_bytes(b"png")
    (tmp_path / "secret.png").write_bytes(b"secret")
    (course / "notes.txt").write_text("secret")

    def served(target: str, text: str) -> Path | None:
        passage = Passage(
            chunk_id="c", chunk_text=text, source_url=(course / "page.md").as_uri(), chapter_id="unit/page",
            module_name="", heading_hierarchy=(), token_count=1, chunk_index=0, title="", page=None, course="course",
        )  # fmt: skip
        return picture_file(passage, target)

    assert served("robot.png", "![r](robot.png)") == course / "robot.png"
    assert served("robot.png", "no picture here") is None
    assert served("../../secret.png", "![r](../../secret.png)") is None
    assert served("notes.txt", "![r](notes.txt)") is None


def _cards(package: bytes) -> int:
    with zipfile.ZipFile(io.BytesIO(package)) as archive:
        database = archive.read("collection.anki2")
    connection = sqlite3.connect(":memory:")
    connection.deserialize(database)
    [(count,)] = connection.execute("select count(*) from cards")
    connection.close()
    return int(count)


async def test_the_plan_is_a_list_with_a_bar_and_a_calendar_file(learnt: Site) -> None:
    await learnt.services.learners.add_goal(
        "user", course="physical-ai", goal="SLAM", now=learnt.services.now()
    )
    card = (await learnt.see("/progress")).select_one(".plan")
    assert "Your plan: SLAM" in words(card)
    assert 0 <= float(card.select_one("progress")["value"]) < 1
    steps = [words(each) for each in card.select("ol li")]
    assert steps
    assert all("about" in step and "by" in step for step in steps)
    response = await learnt.client.get("/yours/plan.ics")
    assert response.headers["content-type"].startswith("text/calendar")
    assert response.text.count("SUMMARY:Learn:") == len(steps)
