"""OpenStax Biology: the book without its exercises, and the exercises as questions."""

import json
import re
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from evals.data import bench_data, fresh_library
from rag.library import Library

COURSE = "biology"

_EXERCISE = re.compile(r'<div data-type="exercise"[^>]*>')
_DIV = re.compile(r"<div\b|</div>")
_FIGURE = re.compile(r"\[\\?\[?link|#fig", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class BookQuestion:
    """One exercise, and the module of the book that asks it."""

    text: str
    module: str


@asynccontextmanager
async def biology_library(folder: Path) -> AsyncIterator[Library]:
    """The book without its exercises, freshly ingested into the folder."""
    copy = copy_without_exercises(bench_data("openstax_biology"), folder / COURSE)
    async with fresh_library(folder, copy, course=COURSE) as library:
        yield library


def copy_without_exercises(book: Path, target: Path) -> Path:
    """A copy whose modules hold no exercise, so that no question finds itself."""
    shutil.copytree(book, target, ignore=shutil.ignore_patterns("derived", "SOURCE.txt", "LICENSE.txt"))
    for module in (target / "contents").glob("*.md"):
        module.chmod(0o644)
        module.write_text(_strip(module.read_text(encoding="utf-8")), encoding="utf-8")
    return target


def questions(book: Path) -> list[BookQuestion]:
    """The exercises that can be asked without a figure."""
    return list(_askable(book))


def _askable(book: Path) -> Iterator[BookQuestion]:
    with (book / "derived" / "questions.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if row["section"] != "Art Connections" and not _FIGURE.search(row["question"]):
                yield BookQuestion(text=row["question"].replace("\\_", "_"), module=row["module"])


def _strip(text: str) -> str:
    kept: list[str] = []
    start = 0
    while match := _EXERCISE.search(text, start):
        kept.append(text[start : match.start()])
        start = _end_of_div(text, match.end())
    return "".join([*kept, text[start:]])


def _end_of_div(text: str, start: int) -> int:
    depth = 1
    for tag in _DIV.finditer(text, start):
        depth += 1 if tag.group() == "<div" else -1
        if depth == 0:
            return tag.end()
    return len(text)
