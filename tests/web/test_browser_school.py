"""A class at a tutor with accounts, in a real browser: signing in, a wrong password, foreign pages, a voided question."""

import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.pages import PASSWORD
from tests.support.talk import environment_of, wrong_answer

sync_api = pytest.importorskip("playwright.sync_api", reason="the browser tests need the playwright wheel")
from axe_playwright_python.sync_playwright import Axe  # noqa: E402

from tests.web.test_browser import CHROMIUM, state_in, watched  # noqa: E402

Page = sync_api.Page
pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="no Chromium here: signing in was not tried in a browser"
)
TUTOR = str(Path(sys.executable).parent / "tutor")


@pytest.fixture(scope="module")
def browser(read_course: Path) -> Iterator[object]:
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield opened
        opened.close()


@pytest.fixture
def school(folder: Path) -> Iterator[str]:
    """A real server that asks who is there; its address."""
    tutor(folder, "user", "add", "tess", "--teacher")
    process = subprocess.Popen(
        [TUTOR, "serve", "--sign-in", "--port", "0"],
        env=environment_of(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield next(
            match[0] for line in process.stdout if (match := re.search(r"http://127\.0\.0\.1:\d+", line))
        )
    finally:
        process.kill()
        process.communicate()


def tutor(folder: Path, *arguments: str) -> str:
    ran = subprocess.run(
        [TUTOR, *arguments], env=environment_of(folder), capture_output=True, text=True, check=True
    )
    return ran.stdout


def visitor(browser: sync_api.Browser, address: str) -> Page:
    return watched(browser.new_context(base_url=address).new_page())


def come_in(page: Page, folder: Path, name: str) -> None:
    """Set a password with a one-time link that the command prints."""
    link = tutor(folder, "user", "link", name).strip()
    page.goto(link[link.index("/invite/") :])
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_label("And once more").fill(PASSWORD)
    page.get_by_role("button", name="Set the password").click()
    page.get_by_role("button", name="Sign out").wait_for()


def sign_in(page: Page, name: str, password: str) -> None:
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()


def say(page: Page, text: str) -> None:
    token = page.locator('meta[name="csrf-token"]').get_attribute("content")
    said = page.context.request.post(
        "/api/turn", data={"message": text}, headers={"X-CSRF-Token": token}, timeout=60_000
    )
    assert said.status == 200


def serious(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [each["id"] for each in found if each["impact"] in ("serious", "critical")]


def ledger(folder: Path) -> list[tuple[str, str]]:
    with sqlite3.connect(folder / "data" / "tutor.db") as connection:
        found = connection.execute("select action, grader from quiz_results order by id").fetchall()
    connection.close()
    return found


def test_a_lost_sign_in_loses_nothing_that_was_typed(
    browser: sync_api.Browser, school: str, folder: Path
) -> None:
    tutor(folder, "user", "add", "ada")
    page = visitor(browser, school)
    come_in(page, folder, "ada")
    page.goto("/study")
    page.get_by_label("Your question").fill("what is a node?")
    page.context.clear_cookies()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Sign in").wait_for()
    sign_in(page, "ada", PASSWORD)
    sync_api.expect(page.get_by_label("Your question")).to_have_value("what is a node?")


def test_signing_in_a_wrong_password_and_a_foreign_page(
    browser: sync_api.Browser, school: str, folder: Path
) -> None:
    tutor(folder, "user", "add", "ada")
    page = visitor(browser, school)
    come_in(page, folder, "ada")
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("heading", name="Sign in").wait_for()
    assert serious(page) == []

    page.goto("/progress")
    sign_in(page, "ada", "not my password")
    page.get_by_role("alert").get_by_text("do not go together").wait_for()
    sign_in(page, "ada", PASSWORD)
    page.wait_for_url("**/progress")

    assert page.get_by_role("link", name="Teacher").count() == 0
    page.goto("/teacher/class")
    page.get_by_text("This is for teachers").wait_for()
    page.context.clear_cookies()
    page.goto("/yours")
    page.get_by_role("heading", name="Sign in").wait_for()
    # The browser itself remarks on the refusals, and on nothing else.
    assert all(re.search(r"status of 40[13]", each) for each in page.troubles), page.troubles


def test_a_teacher_invites_a_learner_and_voids_a_question_that_they_missed(
    browser: sync_api.Browser, school: str, folder: Path
) -> None:
    tess, ada = visitor(browser, school), visitor(browser, school)
    come_in(tess, folder, "tess")
    tess.get_by_role("link", name="Teacher").click()
    tess.get_by_role("link", name="People").click()
    tess.get_by_label("Name").fill("ada")
    tess.get_by_role("button", name="Invite").click()
    link = tess.get_by_label("One-time link").input_value()
    ada.goto(link[link.index("/invite/") :])
    ada.get_by_label("Password").fill(PASSWORD)
    ada.get_by_label("And once more").fill(PASSWORD)
    ada.get_by_role("button", name="Set the password").click()
    ada.get_by_role("button", name="Sign out").wait_for()

    say(ada, "quiz me on topics")
    question = state_in(folder, "ada").pending_question
    assert question is not None
    say(ada, wrong_answer(question))
    assert ledger(folder) == [("answer", "code")]

    tess.get_by_role("link", name="Questions").click()
    tess.get_by_text("missed 1 ×").wait_for()
    tess.get_by_role("button", name="Void").click()
    tess.get_by_text("The mastery of 1 learner was computed anew").wait_for()
    assert ledger(folder) == [("answer", "code"), ("void", "teacher")]
    tess.get_by_role("button", name="Take back").click()
    tess.get_by_text("is taken back").wait_for()
    assert len(ledger(folder)) == 3

    for path in (
        "/teacher",
        "/teacher/preview?topic=topics",
        "/teacher/class",
        "/teacher/questions",
        "/teacher/people",
    ):
        tess.goto(path)
        assert serious(tess) == [], path
    tess.set_viewport_size({"width": 390, "height": 844})
    tess.goto("/teacher/class")
    assert tess.evaluate("document.documentElement.scrollWidth <= innerWidth"), (
        "only the table itself scrolls"
    )
    assert tess.troubles == []
