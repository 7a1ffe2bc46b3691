"""Lessons as a reader sees them: formulas inside their sentences, no holes, whole thoughts, a few parts under their headings."""

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import unescape
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

from latex2mathml.converter import convert_to_element

from agents.language.blocks import is_caption, kind_of, plain, split_blocks
from agents.language.formulas import readable_formulas
from agents.language.headings import is_apart, is_list_of_terms, tells_again
from agents.lesson_material import part_passages
from agents.syllabus import Syllabus, load_syllabus
from agents.teaching.lesson import Order, first_lesson
from agents.teaching.parts import Part
from agents.teaching.values import Place
from evals.data import bench_data, fresh_library
from evals.report import Report, Row, goal
from rag.loaders import load_document
from rag.loaders.document import LoadedDocument
from rag.loaders.formulas import math_text
from rag.loaders.mathml import latex_of, name_of

COURSES = {
    "chemistry": "courses/chemistry",
    "biology": "openstax_biology",
    "carpentries": "courses/carpentries_python",
    "whirlwind": "courses/whirlwind_python",
}
_WITH_GOALS = ("chemistry", "biology")
_TOPICS = 200

_MATH = re.compile(r"<math\b(?:(?!<math\b).)*?</math>", re.DOTALL)
_MARKUP = re.compile(r"<[^<>]*>|\{:[^{}\n]*\}|\[\\?\[[^\[\]]*\]\]\([^()]*\)|[*\\]")
_GOES_ON = re.compile(r"\s*[a-z,;:)%]")
_NOTES = (
    "A formula is in its sentence when the word that stands before it in the source, on the same line, and the first word of "
    "what goes on after it (behind the author's space, in small letters or with a stop) stand next to it in one block. Formulas "
    "are equal when LaTeX and what latex2mathml makes of it have the same normal form as the source: no spaces, styles and "
    "nested rows, letters beside each other put together.",
    "A lesson has a hole where a word that wants another is followed by a stop ('shown in.', 'the,'), where brackets or quotation "
    "marks are empty or do not close, where a mark of the converter is left, or a stop has a space before it. It ends in "
    "mid-sentence when its last block is a paragraph without an end, a title, or words that announce what does not come.",
)


Normal = tuple[object, ...]


def normal_form(node: ElementTree.Element) -> list[object]:
    """What of a formula is neither room nor style nor a row in a row."""
    name = name_of(node)
    if name in ("mspace", "none"):
        return []
    if name in ("mi", "mn", "mo", "mtext", "ms"):
        text = re.sub(r"[\s\xa0\u200b-\u200d\u2060-\u2064]", "", unescape("".join(node.itertext())))
        return [re.sub("[−–]", "-", text)] if text else []
    inner = [each for child in node for each in normal_form(child)]
    match name:
        case "math" | "mrow" | "mstyle" | "mpadded" | "semantics":
            return _together(inner)
        case "mtr":
            while inner and inner[-1] == ("mtd", ()):
                inner.pop()
            return [(name, *inner)] if inner else []
        case "mtd" | "mtable" | "msqrt" | "menclose" | "mphantom":
            return [(name, tuple(_together(inner)))]
    parts = [tuple(_together(normal_form(child))) for child in node if name_of(child) != "mspace"]
    if name == "munderover":
        return [("munder", (("mover", parts[0], parts[2]),), parts[1])]
    return [(name, *parts)]


def _together(nodes: Iterable[object]) -> list[object]:
    found: list[object] = []
    for node in nodes:
        if isinstance(node, str) and found and isinstance(found[-1], str):
            found[-1] += node
        else:
            found.append(node)
    return found


def comes_back(markup: str) -> bool:
    """Whether LaTeX keeps all of a formula."""
    try:
        root = ElementTree.fromstring(re.sub(r"&(?!(?:amp|lt|gt|quot|apos|#\w+);)", "&amp;", markup))
        return normal_form(root) == normal_form(convert_to_element(latex_of(root)))
    except Exception:  # whatever the reader of LaTeX raises, the formula did not come back
        return False


@dataclass(slots=True)
class Formulas:
    """Those of a course, counted."""

    all: int = 0
    equal: int = 0
    between: int = 0  # in a sentence
    kept: int = 0
    lost: list[str] = field(default_factory=list)

    def add(self, page: Path) -> None:
        source = page.read_text(encoding="utf-8")
        if "<math" not in source:
            return
        blocks = [_flat(block) for text in _texts(load_document(page)) for _, block in split_blocks(text)]
        for found in _MATH.finditer(source):
            self.all += 1
            self.equal += comes_back(found[0])
            before, after = _neighbours(source, found)
            if not before and not after:
                continue
            self.between += 1
            wanted = f"{before}{_flat(math_text(found[0]))}{after}"
            if any(wanted in block for block in blocks):
                self.kept += 1
            else:
                self.lost.append(f"{page.name}: …{before} {math_text(found[0])} {after}…")


def _texts(document: LoadedDocument) -> Iterator[str]:
    for section in document.sections:
        yield section.text
    for exercise in document.exercises:
        yield from (exercise.text, exercise.solution, exercise.key, *(each.text for each in exercise.choices))


def _flat(text: str) -> str:
    return re.sub(r"[\W_]+", "", unescape(text)).lower()


def _neighbours(source: str, found: re.Match[str]) -> tuple[str, str]:
    """The last word before a formula and the first after it, where the sentence has them."""
    line = source[: found.start()].rpartition("\n")[2]
    words = re.findall(r"[^\W\d_]{2,}$", _MARKUP.sub("", _MATH.sub(" ", line)).rstrip())
    rest = source[found.end() : found.end() + 300]
    gap = re.match(r"(?:[ \t]*\n)*", rest)
    ahead = unescape(rest[gap.end() :] if gap else rest)
    is_one = (
        not (gap and gap[0])
        or (ahead.startswith(" ") and not ahead.startswith("  "))
        or bool(_GOES_ON.match(ahead))
    )
    following = (
        re.match(r"\W{0,3}([^\W\d_]{2,})(?!\S*[<{])", ahead)
        if is_one and not re.match(r"\s*[<*\d#|{(-]", ahead)
        else None
    )
    return (_flat(words[0]) if words else "", _flat(following[1]) if following else "")


# A word that wants another one, and a stop.
_DANGLING = re.compile(
    r"\b(?:the|an|(?:such|same|known) as|see also|(?:shown|seen|given|listed|illustrated|described|depicted|summari[sz]ed|presented|found|"
    r"outlined|discussed|plotted|displayed) (?:in|by|on)|(?:refer|referring|according|compared) to)\s*[.,;)](?!\w)|\b(?:the|an)\s*:",
    re.IGNORECASE,
)
_HOLES = {
    "dangling word": _DANGLING,
    "preposition and panel": re.compile(r"\b(?:in|of|by|from|see)\([a-z]\)"),
    "empty brackets": re.compile(r"(?<![\w\]`\"'.>:)}])\(\s*[.,;]?\s*\)|“\s*”"),
    "converter's mark": re.compile(
        r"\[\\?\[?link|\{:|\{#|[\ue000-\uf8ff]|</?(?:div|span|math|m[inor]|sup|sub)\b"
    ),
    "space before a stop": re.compile(r"[a-z)] [,;.](?=\s|$)"),
    "two stops": re.compile(r",\s*[,.;](?! \.)|;\s*[,.;](?!\))|(?<!\.)\.\s+[,;]"),
}
_ENDS = re.compile(r"[.!?…:)\]”\"’'`*|$]\Z|[.!?][”\"’)\]*_]+\Z")
_ANNOUNCES = re.compile(r":\Z|,\Z|\b(?:as follows|the following)\.\Z", re.IGNORECASE)
_TITLE = re.compile(r"\*\*[^*]+\*\*\Z")
_CITED = re.compile(r"(?:\s*\[\d{1,3}\])+\s*\Z")
_CODE = re.compile(r"`+[^`]*`+|\$\$?(?:[^$\\]|\\.)+\$\$?")
_LIST_MARK = re.compile(r"^\s*(?:[-*+]|\(?\w{1,3}[.)])\s+", re.MULTILINE)


def holes(text: str) -> list[str]:
    """What is missing in a paragraph."""
    bare = _LIST_MARK.sub("", _CODE.sub("x", readable_formulas(text)))
    bare = re.sub(r",?\s?\.(?:\s?\.){2,}", " …", bare)
    found = [f"{name}: {hit[0]!r}" for name, pattern in _HOLES.items() if (hit := pattern.search(bare))]
    if bare.count("“") != bare.count("”") and not is_caption(bare):  # descriptions are their author's
        found.append("quotation marks")
    if abs(bare.count("(") - bare.count(")")) > 0 and not re.search(r"[:;]-?[()]|\b\w{1,3}\)", bare):
        found.append("brackets")
    return found


def breaks_off(blocks: Sequence[str]) -> bool:
    """Whether a lesson ends before its last thought does."""
    last = blocks[-1].rstrip()
    kind = kind_of(last)
    if kind in ("code", "table", "formula", "picture") or is_caption(last):
        return False
    if _ANNOUNCES.search(last) or _TITLE.search(last):
        return True
    return kind == "paragraph" and not _ENDS.search(last) and len(last.split()) > 3


def begins_inside(blocks: Sequence[str]) -> bool:
    """Whether a lesson begins in the middle of a sentence."""
    return bool(re.match(r"[a-z][a-z]+ [a-z]|[,.;)]\s", blocks[0]))


@dataclass(slots=True)
class Lessons:
    """What the lessons of one course are like."""

    topics: int = 0
    lessons: int = 0
    broken: list[str] = field(default_factory=list)
    holed: list[str] = field(default_factory=list)
    promising: list[str] = field(default_factory=list)  # objectives told as the lesson
    cut_examples: list[str] = field(default_factory=list)
    parts: Counter[int] = field(default_factory=Counter)
    words: list[int] = field(default_factory=list)

    def add(self, name: str, parts: Sequence[Part]) -> None:
        self.topics += 1
        self.parts[len(parts)] += 1
        for number, part in enumerate(parts, 1):
            self.lessons += 1
            self.words.append(part.words)
            blocks = _shown(part)
            label = f"{name}, part {number}"
            if breaks_off(blocks) or begins_inside(blocks):
                self.broken.append(f"{label}: {blocks[0][:50]!r} … {blocks[-1][-90:]!r}")
            gaps = [
                f"{gap} in {block[:70]!r}"
                for block in blocks
                if kind_of(block) in ("paragraph", "list")
                for gap in holes(block)
            ]
            if gaps:
                self.holed.append(f"{label}: {gaps[0]}")
            if any(re.search(r"\byou (?:will|should) be able to\b", plain(block)) for block in blocks):
                self.promising.append(label)
        for before, after in pairwise(parts):
            last, first = (
                before.pieces[-1].passage.heading_hierarchy,
                after.pieces[0].passage.heading_hierarchy,
            )
            if (
                last == first
                and any(each.lower().startswith("example") for each in last)
                and before.pieces != after.pieces
            ):
                self.cut_examples.append(name)

    def rows(self, course: str, *, goals: bool) -> Iterator[Row]:
        most = 0.01 if goals else None
        yield Row(measure=f"{course}: topics / lessons", value=f"{self.topics} / {self.lessons}")
        yield goal(
            f"{course}: lessons that end or begin in mid-sentence", self.share(self.broken), at_most=most
        )
        yield goal(f"{course}: lessons with a hole", self.share(self.holed), at_most=most)
        yield goal(f"{course}: lessons that teach objectives", self.share(self.promising), at_most=most)
        yield goal(
            f"{course}: worked examples in two parts",
            len(self.cut_examples),
            at_most=0,
            shown=f"{len(self.cut_examples)}",
        )
        few = sum(count for parts, count in self.parts.items() if parts <= 5)
        spread = ", ".join(f"{parts}: {count}" for parts, count in sorted(self.parts.items()))
        yield goal(
            f"{course}: topics of at most five parts ({spread})",
            few / max(1, self.topics),
            at_least=0.98 if goals else None,
        )
        median = sorted(self.words)[len(self.words) // 2] if self.words else 0
        yield Row(
            measure=f"{course}: words a lesson, median / most",
            value=f"{median} / {max(self.words, default=0)}",
        )

    def share(self, found: Sequence[str]) -> float:
        return len(found) / max(1, self.lessons)


def _shown(part: Part) -> list[str]:
    """The blocks of a lesson without its first line, its last and its marks."""
    order = Order(topic="", concepts=part.names)
    text = first_lesson(order, part_passages(part)).text
    blocks = [_CITED.sub("", block).rstrip() for _, block in split_blocks(text)][1:-1]
    return [block for block in blocks if block and not block.startswith("####")] or [""]


async def run() -> Report:
    """Read the formulas of chemistry and the lessons of all four courses."""
    formulas = Formulas()
    for page in sorted(bench_data("courses").joinpath("chemistry", "contents").glob("*.md")):
        formulas.add(page)
    rows = [
        Row(
            measure="chemistry: formulas / of them in a sentence",
            value=f"{formulas.all} / {formulas.between}",
        ),
        goal(
            "chemistry: formulas kept inside their sentence",
            formulas.kept / max(1, formulas.between),
            at_least=0.99,
        ),
        goal(
            "chemistry: formulas equal when parsed back", formulas.equal / max(1, formulas.all), at_least=0.99
        ),
    ]
    figures: dict[str, float] = {}
    for course in COURSES:
        lessons = await lessons_of(course)
        rows += lessons.rows(course, goals=course in _WITH_GOALS)
        figures |= {
            f"{course}_broken": lessons.share(lessons.broken),
            f"{course}_holes": lessons.share(lessons.holed),
        }
    return Report(
        name="Lessons: formulas, holes, whole thoughts, parts",
        command="python -m evals lessons",
        rows=rows,
        notes=_NOTES,
        figures={"lessons": figures},
    )


async def lessons_of(course: str) -> Lessons:
    """Every part of 200 topics of a course: pages and their sections."""
    place, *inside = COURSES[course].split("/")
    with TemporaryDirectory() as folder:
        async with fresh_library(Path(folder), bench_data(place).joinpath(*inside), course=course) as library:
            return read_lessons(await load_syllabus(library, course))


def _is_taught(place: Place) -> bool:
    repeats = tells_again(place.headings[1:]) or is_list_of_terms(place.headings)
    return not repeats and not is_apart(place.name)


def read_lessons(syllabus: Syllabus) -> Lessons:
    places = [each for each in syllabus.places if each.kind in ("title", "heading") and _is_taught(each)]
    found = Lessons()
    for place in random.Random(syllabus.course).sample(places, min(_TOPICS, len(places))):
        topic = syllabus.topic_at(place)
        if topic:
            found.add(place.name, topic.parts)
    return found
