"""The page in a real browser, as people use it; needs a Chromium on this machine."""

import json
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from agents.state import SessionState
from tests.support.site import copy_of, given, served
from tests.support.talk import environment_of
from tests.web.test_uploads import LESSON
from web.caller import TEMPLATES
from web.render import to_html
from web.study import ShownMark

sync_api = pytest.importorskip("playwright.sync_api", reason="the browser tests need the playwright wheel")
from axe_playwright_python.sync_playwright import Axe  # noqa: E402

Page = sync_api.Page
CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))),
    None,
)
pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="no Chromium here: the page was not tried in a browser"
)
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def browser(read_course: Path, learnt_course: Path) -> Iterator[object]:
    """A browser; the folders come first, because nothing can be awaited in this thread while it is open."""
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield opened
        opened.close()


@pytest.fixture
def address(folder: Path) -> Iterator[str]:
    with served(folder) as found:
        yield found


@pytest.fixture
def page(browser: sync_api.Browser, address: str) -> Iterator[Page]:
    context = browser.new_context(base_url=address, viewport={"width": 1280, "height": 800})
    opened = watched(context.new_page())
    yield opened
    assert opened.troubles == []
    context.close()


def watched(page: Page) -> Page:
    """A page that keeps whatever its console complains of: also what the security policy refused."""
    page.troubles = []
    page.on("pageerror", lambda error: page.troubles.append(str(error)))
    page.on("console", lambda said: page.troubles.append(said.text) if said.type == "error" else None)
    page.set_default_timeout(60_000)
    return page


def state_in(folder: Path, user_id: str = "user") -> SessionState:
    with sqlite3.connect(folder / "data" / "sessions.db") as connection:
        [(state,)] = connection.execute("select state from sessions where user_id = ?", [user_id])
    connection.close()
    return SessionState.of(json.loads(state))


def answer(page: Page, folder: Path, *, user_id: str = "user") -> None:
    """Answer the open question rightly, with the control of its kind and the keyboard."""
    state = state_in(folder, user_id)
    question = state.pending_question
    assert question is not None
    if page.locator("#lesson:not([hidden]) [data-show=question]").count():
        page.locator("[data-show=question]").first.click()
    asked = page.locator("#question").get_attribute("data-question")
    text = given(question, right=True)
    if state.self_check_answer:
        page.get_by_role("button", name="Yes, I had it").click()
    elif question.options or question.kind == "true_false":
        place = {"true": 0, "false": 1}.get(text.lower(), "ABCDEFG".find(text))
        page.locator("#question").focus()
        page.keyboard.press(str(place + 1))
        page.keyboard.press("Enter")
    else:
        page.locator("#answer").fill(text)
        page.keyboard.press("Enter")
    settled_after(page, asked)


def settled_after(page: Page, asked: str | None) -> None:
    """Until the turn is over: the page's own sign, since its policy forbids a test to evaluate text in it."""
    page.wait_for_selector(f"body:not(.busy) #main:not(:has(#question[data-question='{asked}'] form.answer))")


def rows(folder: Path) -> list[tuple[str, bool]]:
    with sqlite3.connect(folder / "data" / "tutor.db") as connection:
        found = connection.execute("select user_id, is_correct from quiz_results").fetchall()
    connection.close()
    return found


def test_from_the_first_visit_to_mastery_of_a_topic(page: Page, folder: Path) -> None:
    page.goto("/")
    page.get_by_role("button", name="Start with").click()
    page.wait_for_selector("#lesson")
    page.get_by_label("Source 1: show the passage").first.click()
    page.wait_for_selector("#passage:not([hidden]) .it")
    page.get_by_label("Close the source").click()
    for _ in range(24):
        if not page.locator("#question").count():
            break
        answer(page, folder)
    page.wait_for_selector(".next")
    head = page.locator(".topic-bar .small").first.inner_text()
    done, of, goal = re.findall(r"\d+", head)
    assert (done, goal) == (of, "85")
    page.goto("/map")
    assert page.locator(".chip.done.here").count() == int(of)


def test_from_own_material_to_the_first_question(page: Page, tmp_path: Path) -> None:
    """Also on a phone, where a long line of code must not push the page aside."""
    course = tmp_path / "bread"
    course.mkdir()
    code = f"```python\nfeed(starter, {', '.join(['flour'] * 40)})\n```\n\n## Baking"
    (course / "sourdough.md").write_text(LESSON.replace("## Baking", code))
    page.set_viewport_size(PHONE)
    page.goto("/")
    page.get_by_text("Or study material of your own").click()
    page.get_by_label("Choose a folder").set_input_files(course)
    page.get_by_text("Your course “Bread” is ready.").wait_for()
    page.locator("#upload-state").get_by_role("button", name="Begin: Sourdough").click()
    page.wait_for_selector("#lesson")
    assert "wild yeast" in page.locator("#lesson").inner_text()
    assert page.locator("#lesson pre").count()
    assert page.locator("html").evaluate("(root) => root.scrollWidth") <= PHONE["width"]
    page.get_by_role("link", name="Ask me").click()
    assert page.locator("#question form.answer").is_visible()


def test_on_a_phone_nothing_hangs_over_and_the_chat_opens_over_the_lesson(page: Page, folder: Path) -> None:
    page.set_viewport_size(PHONE)
    page.goto("/study")
    page.get_by_role("button", name="Start:").click()
    page.wait_for_selector("#lesson")
    for address in ("/", "/study", "/map", "/progress", "/yours"):
        page.goto(address)
        assert page.locator("html").evaluate("(root) => root.scrollWidth") <= PHONE["width"], address
    page.goto("/study")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.get_by_label("Your question").fill("what is a node?")
    page.keyboard.press("Enter")
    page.wait_for_selector("#talk .theirs a.cite")
    page.get_by_role("button", name="Close").first.click()
    answer(page, folder)
    assert page.locator(".mark, .compare").count()
    assert page.locator("html").evaluate("(root) => root.scrollWidth") <= PHONE["width"]


def test_code_a_table_or_a_formula_in_a_mark_scrolls_within_itself(page: Page) -> None:
    page.set_viewport_size(PHONE)
    page.goto("/study")
    wide = "x" * 120
    text = f"```python\nfeed({wide})\n```\n\n| {wide} | {wide} |\n|---|---|\n| 1 | 2 |\n\n$$x = {' + '.join(wide)}$$"
    mark = ShownMark(
        verdict="wrong", answer_html=to_html(text), html=to_html(text), question_html=to_html(text)
    )
    shown = TEMPLATES.get_template("study/mark.html").render(mark=mark, csrf_token="")
    page.locator("#mark").evaluate("(place, html) => { place.innerHTML = html; }", shown)
    assert page.locator("#mark pre").count() == 3
    assert page.locator("html").evaluate("(root) => root.scrollWidth") <= PHONE["width"]


def test_the_keyboard_goes_on_at_the_end_of_a_round(page: Page, folder: Path) -> None:
    page.goto("/study")
    page.get_by_role("button", name="Start:").click()
    page.wait_for_selector("#lesson")
    page.get_by_role("link", name="Ask me").click()
    assert not page.locator(".chips").is_visible(), "a name may be the answer"
    for _ in range(24):
        if not page.locator("#question").count():
            break
        answer(page, folder)
    assert page.locator(":focus").inner_text().startswith("Go on")
    assert page.locator(".chips").is_visible()


def test_on_a_phone_the_chat_opens_at_its_newest_message(page: Page) -> None:
    page.set_viewport_size(PHONE)
    page.goto("/study")
    page.locator("#talk").evaluate(
        "(log) => { for (let each = 0; each < 60; each += 1) log.insertAdjacentHTML('beforeend', '<div class=mine>hm</div>'); }"
    )
    page.get_by_role("button", name="Ask", exact=True).click()
    left = page.locator("#talk").evaluate("(log) => log.scrollHeight - log.scrollTop - log.clientHeight")
    assert left <= 1


def test_with_the_keyboard_alone(page: Page, folder: Path) -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # skip to the content
    page.get_by_role("button", name="Start with").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#lesson")
    page.get_by_role("link", name="Ask me").focus()
    page.keyboard.press("Enter")
    answer(page, folder)
    page.reload()
    assert page.locator(".mark, .compare").count()


def test_two_learners_at_once(browser: sync_api.Browser, address: str, folder: Path) -> None:
    pages = {}
    for name in ("ada", "grace"):
        context = browser.new_context(base_url=address)
        context.add_cookies([{"name": "who", "value": name, "url": address}])
        pages[name] = watched(context.new_page())
    for page in pages.values():
        page.goto("/study")
    for page in pages.values():
        page.get_by_role("button", name="Start:").click()
    for page in pages.values():
        page.wait_for_selector("#lesson")
    for name, page in pages.items():
        answer(page, folder, user_id=name)
    for name, page in pages.items():
        if page.locator(".compare").count():
            answer(page, folder, user_id=name)
        page.goto("/progress")
    assert sorted(user for user, _ in rows(folder)) == ["ada", "grace"]
    assert all(page.troubles == [] for page in pages.values())
    for page in pages.values():
        page.context.close()


def test_the_server_is_killed_in_the_middle_and_the_place_is_kept(
    browser: sync_api.Browser, folder: Path
) -> None:
    tutor = Path(sys.executable).parent / "tutor"
    environment = environment_of(folder)

    def start(port: str = "0") -> tuple[subprocess.Popen[str], str]:
        process = subprocess.Popen(
            [tutor, "serve", "--port", port],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert process.stdout is not None
        found = next(
            match[0] for line in process.stdout if (match := re.search(r"http://127\.0\.0\.1:\d+", line))
        )
        return process, found

    process, address = start()
    try:
        context = browser.new_context(base_url=address)
        page = watched(context.new_page())
        page.goto("/study")
        page.get_by_role("button", name="Start:").click()
        page.wait_for_selector("#lesson")
        page.get_by_role("link", name="Ask me").click()
        question = page.locator("#question").inner_text()
        process.send_signal(signal.SIGKILL)
        process.communicate()
        page.locator("#question form.answer [name=text]").first.focus()
        page.get_by_role("button", name="Hint").click()
        page.get_by_text("cannot be reached").wait_for()
        process, _ = start(address.rpartition(":")[2])
        page.reload()
        assert page.locator("#question").inner_text() == question
        answer(page, folder)
        assert page.locator(".mark, .compare").count()
        context.close()
    finally:
        process.kill()
        process.communicate()


PLACES = (
    "/", "/study", "/study?see=question", "/map?concept=publisher", "/progress", "/yours", "/model", "/earlier", "/today",
    "/course?course=physical-ai",
)  # fmt: skip


def test_the_text_grows_and_the_contrast_rises_where_somebody_wants_it(page: Page) -> None:
    """In this browser, on every page, and back again."""
    size = "(root) => getComputedStyle(root).fontSize"
    ink = "(root) => getComputedStyle(root).color"
    page.goto("/yours")
    before = page.locator("html").evaluate(size), page.locator("html").evaluate(ink)
    page.get_by_label("Size of the text").select_option("Larger")
    page.get_by_label("Contrast").select_option("High")
    page.goto("/map")
    page.wait_for_selector("html[data-text=larger][data-contrast=high]")
    assert page.locator("html").evaluate(size) != before[0]
    assert page.locator("html").evaluate(ink) == "rgb(0, 0, 0)"
    page.goto("/yours")
    page.get_by_label("Size of the text").select_option("Normal")
    page.get_by_label("Contrast").select_option("As your device has it")
    page.goto("/yours")
    assert (page.locator("html").evaluate(size), page.locator("html").evaluate(ink)) == before


def test_a_term_says_what_it_means_at_a_hover_and_to_the_keyboard(page: Page) -> None:
    page.goto("/map?concept=publisher")
    page.get_by_role("button", name="Study this").click()
    page.wait_for_selector("#lesson")
    term = page.locator("#lesson strong.term", has_text="publisher").first
    assert "part of a node that sends messages" in str(term.get_attribute("title"))
    term.focus()
    shown = term.evaluate("(it) => getComputedStyle(it, '::after').content")
    assert "part of a node that sends messages" in shown
    page.get_by_text("Terms of this lesson").click()
    assert page.locator(".terms dd").first.is_visible()


def test_a_lesson_prints_without_what_is_around_it(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Start with").first.click()
    page.wait_for_selector("#lesson")
    page.emulate_media(media="print")
    assert page.locator("#lesson .prose").is_visible()
    assert page.locator("#lesson .sources").is_visible()
    for around in (".top", "#side", ".float", "#lesson .row", ".dots"):
        assert not page.locator(around).first.is_visible(), around


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_screen_reader_finds_its_way(
    browser: sync_api.Browser, learnt_course: Path, tmp_path: Path, scheme: str
) -> None:
    """axe-core has nothing serious to say, on any page, in light and in dark."""
    folder = copy_of(learnt_course, tmp_path)
    with served(folder) as address:
        context = browser.new_context(
            base_url=address, color_scheme=scheme, reduced_motion="reduce", bypass_csp=True
        )
        page = watched(context.new_page())
        found = []
        for place in PLACES:
            page.goto(place)
            if place == "/study":
                page.get_by_role("button", name="Go on").click()
                page.wait_for_selector("#lesson")
                page.get_by_label("Source 1: show the passage").first.click()
                page.wait_for_selector("#passage:not([hidden])")
            found += [
                (place, each["id"], each["nodes"][0]["html"][:200])
                for each in Axe().run(page).response["violations"]
                if each["impact"] in ("serious", "critical")
            ]
        context.close()
    assert found == []
