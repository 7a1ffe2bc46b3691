"""The page as people meet it: a real server, a real browser, from the first screen to turn 300."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import httpx

from agents.state import SessionState
from evals.report import Report, Row, goal
from storage.errors import InvalidInputError

if TYPE_CHECKING:
    from playwright.async_api import Page

_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_FIRST_SCREENS = 5
_ANSWERS = 16
_EARLY, _LATE, _AT_ONCE = 3, 300, 15
_PAGES = {
    "start": "/",
    "study": "/study",
    "map": "/map?concept=publisher",
    "progress": "/progress",
    "yours": "/yours",
}
# In the browser itself, so that the driver's own way to it is not counted: when Enter was pressed, when a mark came.
_WATCH = """
addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  const began = performance.now();
  const main = document.querySelector("#main");
  const before = document.querySelector("#mark")?.innerHTML;
  const watcher = new MutationObserver(() => {
    const mark = document.querySelector("#mark .mark");
    if (!mark || mark.parentElement.innerHTML === before) return;
    watcher.disconnect();
    requestAnimationFrame(() => { document.documentElement.dataset.shown = (performance.now() - began) / 1000; });
  });
  watcher.observe(main, { childList: true, subtree: true });
}, true);
"""
_TOKEN = re.compile(r'name="csrf-token" content="([^"]+)"')
_LOADED = re.compile(r'(?:src|href)="(/static/[^"]+)"')


async def run() -> Report:
    """One server on an empty data folder with the sample course; one learner."""
    browser = next((found for name in _BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        raise InvalidInputError("This benchmark needs a Chromium on the path.")
    with TemporaryDirectory() as folder, _server(Path(folder)) as address:
        async with _page(browser, address) as page:
            screens = [await _first_screen(page) for _ in range(_FIRST_SCREENS)]
            marks = await _marks(page, Path(folder))
        async with httpx.AsyncClient(base_url=address, timeout=60) as client:
            weights = {name: await _weight(client, path) for name, path in _PAGES.items()}
            turns = await _turns(client)
    heaviest = max(weights.values())
    shown = median(mark.shown for mark in marks)
    ratio = median(mark.shown / mark.turn for mark in marks)
    slower = turns.late / turns.early
    return Report(
        name="Page: the first screen, the mark, turn 300",
        command="python -m evals web",
        rows=[
            goal("first useful screen, p50 (s)", median(screens), at_most=1, shown=f"{median(screens):.2f}"),
            *(
                Row(measure=f"weight of {name}, with style and script (kB)", value=f"{weight / 1000:.0f}")
                for name, weight in weights.items()
            ),
            goal("heaviest page (kB)", heaviest / 1000, at_most=100, shown=f"{heaviest / 1000:.0f}"),
            Row(measure="from Enter to the visible mark, p50 (ms)", value=f"{shown * 1000:.0f}"),
            goal("visible mark / the turn itself, p50", ratio, at_most=1.5, shown=f"{ratio:.2f}"),
            Row(
                measure=f"a turn, p50 of {_EARLY} to {_EARLY + _AT_ONCE - 1} (ms)",
                value=f"{turns.early * 1000:.0f}",
            ),
            Row(
                measure=f"a turn, p50 of {_LATE} to {_LATE + _AT_ONCE - 1} (ms)",
                value=f"{turns.late * 1000:.0f}",
            ),
            goal(f"turn {_LATE} / turn {_EARLY}", slower, at_most=1.2, shown=f"{slower:.2f}"),
        ],
        notes=(
            "The first useful screen is the start page with its button, in a browser without a cache, from the request on.",
            "The turn itself is the Runner's, from the message to its last event; the mark is on the screen before that "
            "where feedback or a new lesson still follow, and after it by the request and the browser's own time.",
            f"{_LATE + _AT_ONCE} turns of one session: a hint, and the question again.",
        ),
        figures={"page_first_screen": median(screens), "page_mark_ratio": ratio, "page_late_ratio": slower},
    )


@dataclass(frozen=True, slots=True)
class _Mark:
    """Seconds from the key to the mark on the screen, and of the turn between them."""

    shown: float
    turn: float


@dataclass(slots=True)
class _Turns:
    """Seconds a turn, in the median, early and late in one session."""

    early: float = 0.0
    late: float = 0.0
    seen: list[float] = field(default_factory=list)


@contextmanager
def _server(folder: Path) -> Iterator[str]:
    environment = {**os.environ, "TUTOR_DATA_DIR": str(folder / "data"), "TUTOR_MODEL": "embedded"}
    process = subprocess.Popen(
        [sys.executable, "-c", "from agents.cli import main; main()", "serve", "--port", "0"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        lines = process.stdout or ()
        yield next(found[0] for line in lines if (found := re.search(r"http://[\d.]+:\d+", line)))
    finally:
        process.terminate()
        process.communicate()


@asynccontextmanager
async def _page(browser: str, address: str) -> AsyncIterator["Page"]:
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        opened = await playwright.chromium.launch(
            executable_path=browser, args=["--no-sandbox", "--disable-gpu"]
        )
        page = await (await opened.new_context(base_url=address)).new_page()
        await page.add_init_script(_WATCH)
        yield page
        await opened.close()


async def _first_screen(page: "Page") -> float:
    """A new visitor's: nothing is in the cache."""
    assert page.context.browser
    context = await page.context.browser.new_context()
    visitor = await context.new_page()
    started = time.perf_counter()
    await visitor.goto(await _address(page), wait_until="commit")
    await visitor.get_by_role("button", name="Start with").wait_for()
    spent = time.perf_counter() - started
    await context.close()
    return spent


async def _address(page: "Page") -> str:
    if page.url == "about:blank":
        await page.goto("/yours")
    return page.url.removesuffix("/yours") + "/"


async def _marks(page: "Page", folder: Path) -> list[_Mark]:
    marks: list[_Mark] = []
    for topic in (
        "ROS 2 topics",
        "loop closure",
        "coordinate frames",
        "services",
        "URDF",
        "Gazebo",
        "feature matching",
    ):
        await page.goto("/yours")
        token = await page.locator("meta[name=csrf-token]").get_attribute("content")
        await page.request.post(
            "/study/start", form={"course": "physical-ai", "topic": topic, "csrf_token": token or ""}
        )
        await page.goto("/study")
        for _ in range(3):
            if len(marks) >= _ANSWERS:
                return marks
            if found := await _answer(page, folder):
                marks.append(found)
    return marks


async def _answer(page: "Page", folder: Path) -> _Mark | None:
    """Answer by the keyboard; only what is marked at once counts."""
    turned = page.locator("#lesson:not([hidden]) [data-show=question]")
    if await turned.count():
        await turned.click()
    state = _state(folder)
    question = state.pending_question
    if question is None or state.self_check_answer:
        return None
    asked = await page.locator("#question").get_attribute("data-question")
    if question.kind == "multiple_choice":
        await page.locator("#question").focus()
        await page.keyboard.press(str(question.options.index(question.expected_answer) + 1))
    elif question.kind == "true_false":
        await page.locator("#question").focus()
        await page.keyboard.press("1" if question.expected_answer.lower() == "true" else "2")
    elif question.kind == "several":
        await page.locator("#question").focus()
        for keyed in question.expected_answer.splitlines():
            await page.keyboard.press(str(question.options.index(keyed) + 1))
    elif question.kind == "ordering":
        return None
    else:
        await page.fill("#answer", question.expected_answer)
    await page.keyboard.press("Enter")
    await page.wait_for_selector(f"body:not(.busy) #main:not(:has([data-question='{asked}'] form.answer))")
    if not await page.locator(".mark").count():
        return None
    shown = await page.locator("html").get_attribute("data-shown")
    turn = await page.locator("body").get_attribute("data-seconds")
    return _Mark(float(shown or 0), float(turn or 0))


def _state(folder: Path) -> SessionState:
    with sqlite3.connect(folder / "data" / "sessions.db") as connection:
        [(state,)] = connection.execute("select state from sessions where user_id = 'user'")
    connection.close()
    return SessionState.of(json.loads(state))


async def _weight(client: httpx.AsyncClient, path: str) -> int:
    page = await client.get(path)
    loaded = dict.fromkeys(_LOADED.findall(page.text))
    return len(page.content) + sum([len((await client.get(each)).content) for each in loaded])


async def _turns(client: httpx.AsyncClient) -> _Turns:
    """As our script takes them, on a session of a learner who has just begun anew."""
    page = await client.get("/yours")
    client.headers["X-CSRF-Token"] = _TOKEN.findall(page.text)[0]
    await client.post("/yours/delete", data={"sure": "yes"})
    await client.post("/study/start", data={"course": "physical-ai", "topic": "ROS 2 topics"})
    turns = _Turns()
    for number in range(1, _LATE + _AT_ONCE):
        started = time.perf_counter()
        form = {"text": "hint" if number % 2 else "repeat", "said_in": "button"}
        said = await client.post("/study/say", data=form, headers={"Accept": "text/event-stream"})
        said.raise_for_status()
        turns.seen.append(time.perf_counter() - started)
    turns.early = median(turns.seen[_EARLY - 1 : _EARLY - 1 + _AT_ONCE])
    turns.late = median(turns.seen[_LATE - 1 : _LATE - 1 + _AT_ONCE])
    return turns
