"""Every point of the mission's documents (evals/points), and whether the tests that prove it pass.

A point whose test is missing, skipped or failing does not hold. Where the product differs on purpose the point says
why, and its test proves what the product does instead.
"""

import ast
import os
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

from evals.report import Report, Row
from storage.errors import ConfigurationError

ROOT = Path(__file__).parents[1]
_POINTS = Path(__file__).parent / "points"
_PROCESSES = os.cpu_count() or 2
_RAN = (0, 1)  # pytest's exit codes when every test could be tried
_WORST_FIRST = ("failed", "skipped", "expected to fail", "passed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One thing that a document asks for, in our words."""

    id: str
    document: str
    section: str
    says: str
    tests: tuple[str, ...]  # pytest's ids; of a test with parameters all of them, unless one is named
    deviates: str = ""  # why the product does it another way
    pending: str = ""  # what is being mended; its test is marked as expected to fail until then


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Whether a point holds, and if not, which of its tests say so."""

    point: Point
    trouble: Mapping[str, str]

    @property
    def holds(self) -> bool:
        return not self.trouble

    @property
    def word(self) -> str:
        if not self.holds:
            return "fails"
        return "differs" if self.point.deviates else "holds"


def points() -> tuple[Point, ...]:
    """All points of all documents, in the documents' order."""
    return tuple(point for file in sorted(_POINTS.glob("*.toml")) for point in _read(file))


def _read(file: Path) -> Iterable[Point]:
    document = tomllib.loads(file.read_text(encoding="utf-8"))
    name = f"{file.stem} {document['document']}"
    for section in document["section"]:
        for values in section["point"]:
            yield Point(document=name, section=section["name"], **{**values, "tests": tuple(values["tests"])})


def is_there(test: str) -> bool:
    """Whether a test of that name is in its file; looked up without importing it."""
    return bool(_written(test))


def is_expected_to_fail(test: str) -> bool:
    """Whether a test, or the case of it that is named, or else any, is marked so."""
    return any("xfail" in ast.unparse(node) for node in _written(test))


def _written(test: str) -> list[ast.AST]:
    """Where it is written: the test's marks and name, or those and the case's own line; nothing if it is not there."""
    file, _, name = test.partition("::")
    name, _, case = name.rstrip("]").partition("[")
    found = _tests_in(ROOT / file).get(name)
    if found is None:
        return []
    marks: list[ast.AST] = [*found.decorator_list, found.args]
    if not case:
        return marks
    cases = [
        node
        for mark in marks
        for node in ast.walk(mark)
        if isinstance(node, ast.Call) and any(_is_id(each, case) for each in node.keywords)
    ]
    whole = [mark for mark in marks if "parametrize" not in ast.unparse(mark)]
    return [*cases, *whole] if cases else []


def _is_id(keyword: ast.keyword, case: str) -> bool:
    return keyword.arg == "id" and isinstance(keyword.value, ast.Constant) and keyword.value.value == case


@cache
def _tests_in(file: Path) -> dict[str, ast.FunctionDef | ast.AsyncFunctionDef]:
    if not file.is_file():
        return {}
    body = ast.parse(file.read_text(encoding="utf-8")).body
    return {each.name: each for each in body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)}


def judged(point: Point, outcomes: Mapping[str, str]) -> Verdict:
    """What the outcomes, by pytest's ids, say about a point."""
    trouble = {test: worst for test in point.tests if (worst := _outcome(test, outcomes)) != "passed"}
    return Verdict(point=point, trouble=trouble)


def _outcome(test: str, outcomes: Mapping[str, str]) -> str:
    found = [outcome for name, outcome in outcomes.items() if name == test or name.startswith(f"{test}[")]
    return min(found, key=_WORST_FIRST.index, default="missing")


async def run() -> Report:
    """Run exactly the tests that the points name, and judge the points by them."""
    if not (ROOT / "tests").is_dir():
        raise ConfigurationError("The points are proven by the tests; run this in a checkout of the project.")
    found = points()
    outcomes = _tried(dict.fromkeys(test for point in found for test in point.tests if is_there(test)))
    verdicts = [judged(point, outcomes) for point in found]
    by_document = {
        point.document: [each for each in verdicts if each.point.document == point.document]
        for point in found
    }
    return Report(
        name="Seeds: every point of the mission's documents",
        command="python -m evals seeds",
        rows=[
            *(_counted(document, of_it) for document, of_it in by_document.items()),
            _counted("all", verdicts),
        ],
        notes=["A point that differs holds in another way, for the reason given.", "", *_table(verdicts)],
        figures={"tests": len(outcomes), "points": len(verdicts), **Counter(each.word for each in verdicts)},
    )


def _tried(tests: Iterable[str]) -> dict[str, str]:
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "outcomes.xml"
        command = [sys.executable, "-m", "pytest", "-n", str(_PROCESSES), "--dist", "worksteal"]
        # The older form of the file names each test's own file.
        options = [f"--junitxml={told}", "-o", "junit_family=xunit1", "--no-header"]
        done = subprocess.run(
            [*command, *options, *tests], cwd=ROOT, capture_output=True, text=True, check=False
        )
        if done.returncode not in _RAN:
            last = "\n".join((done.stdout + done.stderr).splitlines()[-20:])
            raise ConfigurationError(f"pytest could not run the tests.\n{last}")
        return outcomes_in(told.read_text(encoding="utf-8"))


def outcomes_in(junit: str) -> dict[str, str]:
    """The outcome of each test; what fails on its way out has failed, however it began."""
    outcomes: dict[str, str] = {}
    for case in ElementTree.fromstring(junit).iter("testcase"):
        name = f"{case.get('file')}::{case.get('name')}"
        outcomes[name] = min(_told(case), outcomes.get(name, "passed"), key=_WORST_FIRST.index)
    return outcomes


def _told(case: ElementTree.Element) -> str:
    if case.find("failure") is not None or case.find("error") is not None:
        return "failed"
    skipped = case.find("skipped")
    if skipped is None:
        return "passed"
    return "expected to fail" if skipped.get("type") == "pytest.xfail" else "skipped"


def _counted(name: str, verdicts: Sequence[Verdict]) -> Row:
    words = Counter(each.word for each in verdicts)
    said = ", ".join(f"{words[word]} {word}" for word in ("holds", "differs", "fails") if words[word])
    return Row(
        measure=name, value=said, goal=f"{len(verdicts)} of {len(verdicts)}", reached=not words["fails"]
    )


def _table(verdicts: Sequence[Verdict]) -> list[str]:
    lines = ["| point | what is asked for | tested by | |", "|---|---|---|---|"]
    heading = ""
    for verdict in verdicts:
        point = verdict.point
        if heading != (heading := f"{point.document}: {point.section}"):
            lines.append(f"| | **{heading}** | | |")
        tests = "<br>".join(f"`{_short(test)}`" for test in point.tests)
        lines.append(f"| {point.id} | {_cell(point.says)} | {tests} | {_cell(_told_of(verdict))} |")
    return lines


def _told_of(verdict: Verdict) -> str:
    point = verdict.point
    if verdict.holds:
        return f"differs: {point.deviates}" if point.deviates else "✓"
    trouble = "; ".join(f"{_short(test)} {outcome}" for test, outcome in verdict.trouble.items())
    return f"**fails**: {point.pending or trouble}"


def _short(test: str) -> str:
    return test.removeprefix("tests/")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
