"""Are the authors' own questions found, each with its key, and is no solution left in a lesson?

Each form is read a second time by a reader that knows nothing else: it counts and does not clean. What our readers make of a
page is held against that, question by question.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

import lxml.html

from agents.language.words import clipped
from agents.teaching.values import Exercise
from evals.data import bench_data
from evals.exercises_components import FormCount, counts
from evals.report import Report, Row, goal
from rag.loaders import load_document
from rag.loaders.document import LoadedDocument
from storage.errors import DocumentError

_ALIKE = 0.9  # of the words
_LEAK = 8  # words of a solution that stand in a lesson
_MOST_SHOWN = 3

_PICTURE = re.compile(r"!\[[^\[\]]*\]\([^()]*\)")  # its words are told, not asked

_NOTE = (
    "The second reader counts elements with lxml and lists with a pattern; a question is the same when .9 of its words of letters "
    "are there, and so is a solution. Solutions that are only a picture or a number are not compared. Components, fenced divs and "
    "quiz files have a reader of their own each (`evals/exercises_components.py`): patterns over the source, compared in the order "
    "of the page. Where two differ:"
)

Words = Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """A question as its form's second reader sees it."""

    text: str  # all that is asked, with what is offered
    right: tuple[str, ...] = ()  # the choices that the key names
    solution: str = ""  # where it names none


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What a second reader sees on one page: its questions, and the rest."""

    expected: Sequence[Expected]
    told: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """A course of the public data, and its second reader."""

    data: str
    pages: str  # a glob
    read: Callable[[Path], Page]


@dataclass(slots=True)
class Tally:
    """What became of the questions of one course."""

    there: int = 0
    found: int = 0
    more: int = 0  # than the second reader sees
    answered: int = 0
    key_right: int = 0
    leaks: int = 0
    misses: list[str] = field(default_factory=list)

    @property
    def share_found(self) -> float:
        return self.found / self.there if self.there else 1.0

    @property
    def share_of_keys(self) -> float:
        return self.key_right / self.answered if self.answered else 1.0


async def run() -> Report:
    """Read every course in both ways."""
    rows: list[Row] = []
    notes: list[str] = []
    figures: dict[str, float] = {}
    for course in COURSES:
        tally = tallied(course)
        name = course.data.rpartition("/")[2].removeprefix("openstax_")
        rows += [
            goal(f"{name}: found, of {tally.there:,}", tally.share_found, at_least=0.98),
            goal(f"{name}: right key, of {tally.answered:,} with one", tally.share_of_keys, at_least=0.99),
            goal(f"{name}: solutions in a lesson", tally.leaks, at_most=0, shown=str(tally.leaks)),
            Row(measure=f"{name}: more than there are", value=str(tally.more)),
        ]
        figures |= {f"{name}_found": tally.share_found, f"{name}_keys": tally.share_of_keys}
        notes += [f"{name}: {miss}" for miss in tally.misses[:_MOST_SHOWN]]
    for count in counts():
        rows += _rows_of(count)
        name = f"{count.name}_{count.form}"
        figures |= {f"{name}_found": count.share_found, f"{name}_keys": count.share_of_keys}
    return Report(
        name="Exercises: the authors' own questions",
        command="python -m evals exercises",
        rows=rows,
        notes=[_NOTE, *notes],
        figures=figures,
    )


def _rows_of(count: FormCount) -> list[Row]:
    name = f"{count.name} ({count.form})"
    return [
        goal(f"{name}: found, of {count.questions:,}", count.share_found, at_least=0.98),
        goal(f"{name}: right key, of {count.keys:,} with one", count.share_of_keys, at_least=0.99),
        goal(f"{name}: solutions in a lesson", count.leaks, at_most=0, shown=str(count.leaks)),
    ]


def tallied(course: Course) -> Tally:
    tally = Tally()
    for path in sorted(bench_data(course.data).glob(course.pages)):
        page = course.read(path)
        try:
            document = load_document(path, root=bench_data(course.data))
        except DocumentError:
            tally.there += len(page.expected)
            continue
        compare(page, document, tally=tally)
    return tally


def compare(page: Page, document: LoadedDocument, *, tally: Tally) -> None:
    """Hold what was made of a page against what is there."""
    left = list(document.exercises)
    for expected in page.expected:
        tally.there += 1
        exercise = max(left, key=lambda each: likeness(expected, each), default=None)
        if exercise is None or likeness(expected, exercise)[0] < _ALIKE:
            tally.misses.append(f"not found: {_shown(expected.text)}")
            continue
        left.remove(exercise)
        tally.found += 1
        if expected.right or expected.solution:
            tally.answered += 1
            if has_key(expected, exercise):
                tally.key_right += 1
            else:
                tally.misses.append(f"another key: {_shown(expected.text)}")
    tally.more += len(left)
    lesson = " ".join(words_of(" ".join(section.text for section in document.sections)))
    told = " ".join(words_of(page.told))
    for expected in page.expected:
        solution = words_of(expected.solution)
        said = " ".join(solution)
        # What the author copied out of the lesson stands in it of right.
        if len(solution) >= _LEAK and said in lesson and said not in told:
            tally.leaks += 1
            tally.misses.append(f"in the lesson: {_shown(expected.solution)}")


def _shown(text: str) -> str:
    return clipped(" ".join(text.split()), most=100)


def likeness(expected: Expected, exercise: Exercise) -> tuple[float, float]:
    """How surely two readers mean the same question: the share of words that ours has too, then how few it has beside."""
    asked = words_of(expected.text)
    made = words_of(_PICTURE.sub(" ", " ".join([exercise.text, *(each.text for each in exercise.choices)])))
    return share_of(asked, within=made), share_of(made, within=asked)


def has_key(expected: Expected, exercise: Exercise) -> bool:
    if exercise.trouble:
        return False
    right = [choice.text for choice in exercise.choices if choice.is_right]
    if expected.right:
        return len(right) == len(expected.right) and all(
            share_of(words_of(one), within=words_of(other)) >= _ALIKE
            for one, other in zip(expected.right, right, strict=True)
        )
    said = words_of(" ".join([exercise.solution, exercise.key, *right]))
    return share_of(words_of(expected.solution), within=said) >= _ALIKE


def share_of(part: Words, *, within: Words) -> float:
    """The share of words that others hold too, each as often."""
    both = Counter(part) & Counter(within)
    return sum(both.values()) / len(part) if part else 1.0


def words_of(text: str) -> list[str]:
    """Words of letters: formulas and signs are written in many ways."""
    plain = unicodedata.normalize("NFKC", re.sub(r"\$[^$]*\$", " ", text))
    return re.findall(r"[^\W\d_]{2,}", re.sub(r"_\(?([^\s()]+)\)?", r"\1", plain.lower()))


# OpenStax in Markdown: elements by lxml, lists by their numbers.

_LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\[\]]*\])*\]\([^()\s]*(?:\s+\"[^\"]*\")?\)(?:\*\*\w\*\*)?")
_ATTRIBUTES = re.compile(r"\{:[^{}]*\}")
_SHARED = re.compile(r"\d+\s*:\s*([A-Za-z])\b")
_KEY = re.compile(
    r"(?:Answer |Only )?(\(?[A-Za-z]\)?(?:\s*(?:,|and|, and)\s+\(?[A-Za-z]\)?)*)(?:[.:]|\s*$|\s+(?=[A-Z]|is\b|The\b|molec|metal))"
)
_ITEM = re.compile(r"^(?:(\d+)\.|\(([a-z])\))\s+", re.MULTILINE)


def openstax_markdown(path: Path) -> Page:
    """Exercises as elements that lxml finds, their choices as lines that begin with a number or a letter."""
    tree = lxml.html.fromstring(f"<div>{path.read_text(encoding='utf-8')}</div>")
    lxml.etree.strip_elements(tree, "math", with_tail=False)
    expected: list[Expected] = []
    for element in tree.xpath("//*[@data-type='exercise']"):
        problem = " ".join(_raw(each) for each in element.xpath(".//*[@data-type='problem']"))
        expected.append(_openstax(problem, solution=_solution(element)))
    for number, each in enumerate(expected):
        keys = _SHARED.findall(each.solution) if re.match(r"\(1\s*:", each.solution) else []
        for offset, key in enumerate(reversed(keys)):
            one = expected[number - offset]
            expected[number - offset] = _openstax(one.text, solution=key)
    for element in tree.xpath("//*[@data-type='exercise'][not(ancestor::*[@data-type='exercise'])]"):
        element.drop_tree()
    return Page(expected=expected, told=_plain(_raw(tree)))


def _raw(element: lxml.html.HtmlElement) -> str:
    for formula in element.xpath(".//math"):
        formula.tail = f" {formula.tail or ''}"
    return str(element.text_content())


def _solution(element: lxml.html.HtmlElement) -> str:
    found = element.xpath(".//*[@data-type='solution']")
    for title in [each for one in found for each in one.xpath(".//*[@data-type='title']")]:
        title.drop_tree()
    return _plain(" ".join(_raw(each) for each in found)).strip()


def _plain(text: str) -> str:
    return _ATTRIBUTES.sub(" ", _LINK.sub(" ", text)).replace("\\", "").replace("*", "")


def _openstax(problem: str, *, solution: str) -> Expected:
    """The key is what a letter at the beginning of the solution names, where the problem ends in one list."""
    items = list(_items(problem))
    text = _plain(problem)
    key = _KEY.match(solution)
    if not key or re.search(r"\([a-z]\)", solution[key.end() :]):  # the next part has an answer too
        return Expected(text=text, solution=solution)
    letters = re.findall(r"\b[A-Za-z]\b", key[1])
    places = ["abcdefghijklmnopqrstuvwxyz".index(each.lower()) for each in letters]
    if max(places) >= len(items):
        return Expected(text=text, solution=solution)
    return Expected(text=text, right=tuple(items[place] for place in sorted(places)))


def _items(problem: str) -> Iterator[str]:
    """What stands in the last list of a problem, one after the other."""
    starts = list(_ITEM.finditer(problem))
    first = max(
        (number for number, each in enumerate(starts) if (each[1] or each[2]) in ("1", "a")), default=0
    )
    starts = starts[first:]
    for each, after in zip_longest(starts, starts[1:]):
        yield _plain(problem[each.end() : after.start() if after else len(problem)])


COURSES = (
    Course(data="openstax_biology", pages="contents/*.md", read=openstax_markdown),
    Course(data="courses/sociology", pages="contents/*.md", read=openstax_markdown),
    Course(data="courses/chemistry", pages="contents/*.md", read=openstax_markdown),
)
