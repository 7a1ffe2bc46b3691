"""python -m evals.first_visit FOLDER: a newcomer's first five minutes, timed, with a picture of every step.

From a clean clone: install, first page, a PDF and a .zip of one's own, the first lesson, the first mark. The pictures
are for whoever changes a page to look at: on a desktop and on a phone, in light and in dark.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
SIZES = {"desktop": (1280, 800), "phone": (390, 844)}
_PATIENCE = 120_000  # ms
_CHAPTERS = sorted((ROOT / "rag" / "courses" / "physical-ai").glob("module-2*/*.md"))


@dataclass(slots=True)
class Visit:
    """What took how long."""

    folder: Path
    steps: list[tuple[str, float]] = field(default_factory=list)

    @contextmanager
    def timed(self, step: str) -> Iterator[None]:
        began = time.perf_counter()
        yield
        self.steps.append((step, time.perf_counter() - began))

    def table(self) -> str:
        rows = "\n".join(f"| {step} | {seconds:.1f} s |" for step, seconds in self.steps)
        return f"| step | time |\n|---|---|\n{rows}\n| **together** | {sum(each for _, each in self.steps):.1f} s |"


def installed(visit: Visit, work: Path) -> Path:
    """A clean clone of what is committed, set up as `make start` does it; the folder of its programs."""
    clone = work / "clone"
    with visit.timed("clone and install"):
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        subprocess.run(
            ["make", "--silent", "-C", str(clone), ".venv/.run"], check=True, stdout=subprocess.DEVNULL
        )
    return clone / ".venv" / "bin"


@contextmanager
def served(visit: Visit, programs: Path, work: Path) -> Iterator[str]:
    """`tutor start` on a data folder that is not there yet; its address once the page is ready."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TUTOR_")}
    process = subprocess.Popen(
        [programs / "tutor", "start", "--no-open", "--port", "0"],
        env={
            **kept,
            "TUTOR_DATA_DIR": str(work / "data"),
            "TUTOR_FIND_MODELS": "false",
            "TUTOR_MODEL": "embedded",
        },
        cwd=work,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        with visit.timed("start, with the sample course read"):
            told = ""
            while not (address := re.search(r"http://\S+", told)):
                line = process.stdout.readline()
                if not line:
                    raise RuntimeError("the tutor did not start")
                told += line
        yield address[0]
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate()


def own_material(browser: Any, work: Path) -> tuple[Path, Path]:
    """A chapter as a PDF, and a folder of chapters as a .zip."""
    import html

    paper, packed = work / "joints.pdf", work / "robot-models.zip"
    page = browser.new_page()
    blocks = _CHAPTERS[0].read_text(encoding="utf-8").split("\n\n")
    heads = (
        f"<h1>{html.escape(b.lstrip('# '))}</h1>" if b.startswith("#") else f"<p>{html.escape(b)}</p>"
        for b in blocks
    )
    page.set_content("".join(heads))
    page.pdf(path=str(paper))
    page.close()
    with zipfile.ZipFile(packed, "w") as archive:
        for chapter in _CHAPTERS:
            archive.write(chapter, f"robot-models/{chapter.name}")
    return paper, packed


def pictures(browser: Any, address: str, visit: Visit, name: str, path: str) -> None:
    """The page as each device shows it."""
    for scheme in ("light", "dark"):
        for device, (width, height) in SIZES.items():
            context = browser.new_context(
                base_url=address, viewport={"width": width, "height": height}, color_scheme=scheme
            )
            page = context.new_page()
            page.goto(path)
            page.wait_for_load_state("networkidle")
            page.screenshot(path=str(visit.folder / f"{name}-{device}-{scheme}.png"))
            context.close()


def walk(browser: Any, address: str, visit: Visit, material: tuple[Path, Path]) -> None:
    page = browser.new_page(base_url=address, viewport={"width": 1280, "height": 800})
    page.set_default_timeout(_PATIENCE)
    with visit.timed("the first page"):
        page.goto("/")
        page.get_by_role("button", name="Start with").first.wait_for()
    pictures(browser, address, visit, "1-first-page", "/")
    for number, file in enumerate(material, 2):
        page.goto("/")
        with visit.timed(f"own {file.suffix[1:]} read"):
            page.get_by_text("Or study material of your own").click()
            page.get_by_label("Choose files").set_input_files(file)
            page.locator("#upload-state .ready button").first.wait_for()
        page.screenshot(path=str(visit.folder / f"{number}-read-{file.suffix[1:]}.png"))
    pictures(browser, address, visit, "4-offered-first", "/")
    with visit.timed("the first lesson"):
        page.locator("#upload-state .ready button").first.click()
        page.wait_for_selector("#lesson")
    pictures(browser, address, visit, "5-lesson", "/study")
    page.get_by_label("Source 1: show the passage").first.click()
    page.wait_for_selector("#passage:not([hidden]) .it")
    page.screenshot(path=str(visit.folder / "5-lesson-and-passage.png"))
    page.get_by_label("Close the source").click()
    with visit.timed("the first mark"):
        page.locator("[data-show=question]").first.click()
        page.get_by_role("button", name="I don't know").click()
        page.wait_for_selector("#mark .verdict")
    pictures(browser, address, visit, "6-mark", "/study?see=question")
    page.close()


def main() -> None:
    from playwright.sync_api import sync_playwright

    visit = Visit(folder=Path(sys.argv[1]))
    visit.folder.mkdir(parents=True, exist_ok=True)
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with tempfile.TemporaryDirectory() as kept, sync_playwright() as playwright:
        work = Path(kept)
        programs = installed(visit, work)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        material = own_material(browser, work)
        with served(visit, programs, work) as address:
            walk(browser, address, visit, material)
        browser.close()
    print(visit.table())


if __name__ == "__main__":
    main()
