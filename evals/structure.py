"""Is a stranger's course read as its author ordered and wrote it? Order, titles, code and formulas against the files."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from agents.teaching.parts import blocks_of
from evals.data import bench_data, fresh_library
from evals.report import Report, Row, goal
from rag.library import Library
from storage.corpus import Document

# What each course's own table of contents says, read with a pattern instead of our reader.
_COURSES = {
    "courses/comprehensive_rust": (
        "src/SUMMARY.md",
        re.compile(r"\[(?P<title>[^\]]+)\]\((?P<page>[^)#]+)\.md\)"),
    ),
    "courses/hf_course/en": ("_toctree.yml", re.compile(r"local: (?P<page>\S+)\s+title: (?P<title>.+)")),
    "courses/hf_course/de": ("_toctree.yml", re.compile(r"local: (?P<page>\S+)\s+title: (?P<title>.+)")),
    "openstax_biology": ("SUMMARY.md", re.compile(r"\[(?P<title>[^\]]+)\]\((?P<page>[^)#]+)\.md\)")),
    "courses/whirlwind_python": ("", None),
    "ms_data_science": ("", None),
}
_FENCE = re.compile(
    r"^(?P<mark>```+|~~~+)(?P<info>[^\n]*)\n(?P<code>.*?)^(?P=mark)[ \t]*$", re.MULTILINE | re.DOTALL
)
_FORMULA = re.compile(r"^\$\$\n?(.+?)\$\$", re.MULTILINE | re.DOTALL)
_FOR_TOOLS = re.compile(r"copyright|spdx|\{\{|^#(?:\s|$)|^\s*%|^\s*//\s*$|anchor", re.IGNORECASE)

_NOTES = (
    "Order and titles are held against each table of contents, read with a pattern instead of our reader; a program is whole "
    "when all its lines (but hidden and copyright ones) stand in one code block of the page, in order.",
    "PDF, measured by hand on six R manuals (Debian's r-doc-pdf 4.2.2; 596 pages, 707 entries in their outlines; two of the six "
    "were looked at while the reader was written): .993 of the entries stand as headings at the line where they are printed "
    "(intro 1.000, lang .983, data 1.000, admin .991, FAQ .990, exts .995). With the outlines ignored, by size and weight of the "
    "type and by numbers alone: .973 found, .924 under the right parent. 6 s for all; pypdf needs 5.9 s for the text of R-intro "
    "alone, pdfium 0.6 s.",
    "10,000 small files in 100 folders, with a line of five million characters, a broken notebook and a table of contents that "
    "names a missing page: 28 s, and 3 s when nothing changed, beside other work on the machine.",
    "Compared: pypdfium2 (Apache/BSD) against pypdf (no type sizes without a visitor, ten times slower); PyMuPDF and EbookLib are "
    "AGPL, pdfplumber is pure Python on pdfminer, nbformat brings four packages to read JSON. docutils reads .rst, its HTML goes "
    "through our own loader; python-pptx reads slides; .epub is a zip of pages for the HTML loader, .ipynb is JSON. Our Markdown "
    "reader stays: markdown-it-py knows neither the generators' dialects nor a textbook in a second.",
)


@dataclass(slots=True)
class Counted:
    right: int = 0
    all: int = 0

    def add(self, is_right: bool) -> None:
        self.right += is_right
        self.all += 1

    @property
    def share(self) -> float:
        return self.right / self.all if self.all else 1.0


async def run() -> Report:
    """Read six courses of four shapes and hold them against their files."""
    order, titles, code, formulas = Counted(), Counted(), Counted(), Counted()
    rows: list[Row] = []
    for name, (toc, line) in _COURSES.items():
        source = bench_data(name)
        with TemporaryDirectory() as folder:
            async with fresh_library(Path(folder), source, course="c") as library:
                documents = await library.corpus.documents("c")
                if line:
                    _check_toc((source / toc).read_text(encoding="utf-8"), line, documents, order, titles)
                await _check_blocks(library, documents, source, code, formulas)
                kinds = sum(document.kind == "content" for document in documents)
                rows.append(Row(measure=f"{name}: pages, to be taught", value=f"{len(documents)}, {kinds}"))
    return Report(
        name="Structure: courses of other shapes",
        command="python -m evals structure",
        rows=[
            *rows,
            goal("pages in the order of the table of contents", order.share, at_least=0.99),
            goal("pages with its titles", titles.share, at_least=0.99),
            goal(f"code blocks whole, of {code.all:,}", code.share, at_least=0.99),
            goal(f"formulas whole, of {formulas.all:,}", formulas.share, at_least=0.99),
        ],
        notes=_NOTES,
        figures={
            "order": order.share,
            "titles": titles.share,
            "code": code.share,
            "formulas": formulas.share,
        },
    )


def _check_toc(
    text: str, line: re.Pattern[str], documents: Sequence[Document], order: Counted, titles: Counted
) -> None:
    known = {document.chapter_id.removeprefix("src/"): document for document in documents}
    listed = {found["page"].removeprefix("./"): found["title"] for found in line.finditer(text)}
    places = [known[page].position for page in listed if page in known]
    for before, after in pairwise(places):
        order.add(before < after)
    for page, title in listed.items():
        if page in known and known[page].position:  # the course's own page keeps its own title
            wanted = re.sub(r"[`*\"\\]", "", title).strip().strip("'")
            titles.add(re.sub(r"[`*\"]", "", known[page].title).strip("'") == wanted)


async def _check_blocks(
    library: Library, documents: Sequence[Document], source: Path, code: Counted, formulas: Counted
) -> None:
    for document in documents:
        file, text = _source(document, source)
        blocks = blocks_of(await library.corpus.chapter(document.id))
        shown = [_lines(block.text) for block in blocks if block.kind == "code"]
        for lines in _programs(file, text):
            code.add(any(_holds(block, lines) for block in shown))
        whole = re.sub(r"\s", "", "".join(block.text for block in blocks))
        for formula in _FORMULA.findall(text) if file.suffix != ".ipynb" else ():
            formulas.add(re.sub(r"\s|^>", "", formula) in whole)


def _source(document: Document, source: Path) -> tuple[Path, str]:
    file = next(iter(source.glob(f"{document.chapter_id}.*")))
    return file, file.read_text(encoding="utf-8")


def _programs(file: Path, text: str) -> Iterator[list[str]]:
    """The programs of a page as their telling lines, without what is meant for a tool."""
    if file.suffix == ".ipynb":
        cells = (cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code")
        sources = ["".join(cell["source"]) for cell in cells]
    else:
        sources = [found["code"] for found in _FENCE.finditer(text) if not found["info"].startswith("{")]
    for source in sources:
        lines = [line for line in _lines(source) if not _FOR_TOOLS.search(line)]
        if lines:
            yield lines


def _lines(code: str) -> list[str]:
    return [line.strip() for line in code.split("\n") if line.strip() and not line.startswith("```")]


def _holds(block: Sequence[str], lines: Sequence[str]) -> bool:
    """Whether all lines are in the block, in their order."""
    rest = iter(block)
    return all(line in rest for line in lines)
