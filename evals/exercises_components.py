"""Questions in component-like forms of Markdown against counts by other, dumber readers: one function a form.

A form's count is its questions, how many of them we found, the keys that the author gives, how many of ours are the same,
and how many runs of eight words of a solution stand in a lesson, where the page has them nowhere else.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape, unescape
from pathlib import Path

from agents.teaching.values import Exercise
from evals.data import bench_data
from rag.exercises.quiz_links import pages_of_quizzes, quizzes_of
from rag.loaders import load_document

_RUN = 8  # words


@dataclass(frozen=True, slots=True, kw_only=True)
class FormCount:
    """One form in one course."""

    form: str
    course: str
    questions: int
    found: int
    keys: int
    keys_right: int
    leaks: int = 0

    @property
    def name(self) -> str:
        """The course's, without the folders that hold all of them."""
        return self.course.removeprefix("courses/").replace("/", "_")

    @property
    def share_found(self) -> float:
        return self.found / max(self.questions, 1)

    @property
    def share_of_keys(self) -> float:
        return self.keys_right / max(self.keys, 1)


def counts() -> list[FormCount]:
    """Every form of which there is a real course."""
    return [mdx("courses/hf_course/en"), mdx("courses/hf_course/de"), fenced_divs(), quiz_json()]


_COMPONENT = re.compile(r"<Question\b(.*?)/>\s*$", re.DOTALL | re.MULTILINE)
_CHOICE = re.compile(
    r"""\btext\s*:\s*(["'`])(?P<text>(?:\\.|(?!\1).)*)\1(?P<rest>(?:(?!\btext\s*:).)*)""", re.DOTALL
)
_IS_RIGHT = re.compile(r"\bcorrect\s*:\s*true\b")
_EXPLAINED = re.compile(r"""\bexplain\s*:\s*(["'`])(?P<text>(?:\\.|(?!\1).)*)\1""", re.DOTALL)


def mdx(course: str) -> FormCount:
    """`<Question choices={[…]} />`: the sets of right choices, in the order of the page."""
    root = bench_data(course)
    questions, found, right, leaks = 0, 0, 0, 0
    for path in sorted(root.rglob("*.mdx")):
        source = path.read_text(encoding="utf-8")
        asked = [
            [
                (_bare(each["text"]), bool(_IS_RIGHT.search(each["rest"])))
                for each in _CHOICE.finditer(component)
            ]
            for component in _COMPONENT.findall(source)
        ]
        if not asked:
            continue
        document = load_document(path, root=root)
        ours = [
            [(_bare(escape(each.text)), each.is_right) for each in exercise.choices]
            for exercise in document.exercises
            if exercise.text and not exercise.trouble
        ]
        questions += len(asked)
        found += len(ours)
        right += _same(asked, ours)
        told = [found["text"] for found in _EXPLAINED.finditer(source)]
        leaks += _leaks(told, lesson=_text(path, root), elsewhere=_COMPONENT.sub("", source))
    return FormCount(
        form="mdx",
        course=course,
        questions=questions,
        found=found,
        keys=questions,
        keys_right=right,
        leaks=leaks,
    )


_MARKUP = re.compile(r"!\[[^\[\]]*\]\([^()\s]*\)(?:\{[^{}]*\})?|<[^<>]*>|\]\([^()\s]*\)|\]\[[^\[\]]*\]")
_FENCE = re.compile(r"[ \t]*(:{3,})[ \t]*([A-Za-z]*)")


def fenced_divs(course: str = "courses/carpentries_python") -> FormCount:
    """`::: challenge` with the words of each `::: solution` in it, by a stack of lines."""
    root = bench_data(course)
    questions, found, keys, right, leaks = 0, 0, 0, 0, 0
    for path in sorted(root.rglob("*.md")):
        source = path.read_text(encoding="utf-8")
        challenges, outside = _challenges(source)
        if not challenges:
            continue
        exercises = load_document(path, root=root).exercises
        questions += len(challenges)
        found += sum(bool(each.text) and not each.trouble for each in exercises)
        for given, exercise in zip(challenges, exercises, strict=False):
            keys += bool(given)
            right += bool(given) and _likeness(given, _answer(exercise)) >= 0.95
        leaks += _leaks([given for given in challenges if given], lesson=_text(path, root), elsewhere=outside)
    return FormCount(
        form="fenced_div",
        course=course,
        questions=questions,
        found=found,
        keys=keys,
        keys_right=right,
        leaks=leaks,
    )


def _challenges(source: str) -> tuple[list[str], str]:
    """What each challenge's solutions say, and all that stands in none."""
    open_divs: list[str] = []
    challenges: list[str] = []
    outside: list[str] = []
    for line in source.split("\n"):
        fence = _FENCE.match(line)
        if fence and fence[2]:
            open_divs.append(fence[2])
            if fence[2] == "challenge":
                challenges.append("")
        elif fence and open_divs:
            open_divs.pop()
        elif "solution" in open_divs and "challenge" in open_divs:
            challenges[-1] += "" if line.startswith(("## ", "### ", "```")) else f"{line}\n"
        else:
            outside.append(line)
    return challenges, "\n".join(outside)


def quiz_json(course: str = "ms_data_science") -> FormCount:
    """A quiz app's files, and the lesson that links to each quiz."""
    root = bench_data(course)
    questions, found, right = 0, 0, 0
    for path in sorted((root / "quiz-app").rglob("*.json")):
        quizzes = [
            quiz for group in json.loads(path.read_text(encoding="utf-8")) for quiz in group["quizzes"]
        ]
        asked = [
            [(_bare(each["answerText"]), each["isCorrect"] == "true") for each in question["answerOptions"]]
            for quiz in quizzes
            for question in quiz["quiz"]
        ]
        ours = [
            [(_bare(escape(each.text)), each.is_right) for each in exercise.choices]
            for exercise in load_document(path, root=root).exercises
            if exercise.text and not exercise.trouble
        ]
        questions += len(asked)
        found += len(ours)
        right += _same(asked, ours)
    return FormCount(
        form="quiz_json", course=course, questions=questions, found=found, keys=questions, keys_right=right
    )


def quizzes_with_a_page(course: str = "ms_data_science") -> tuple[int, int]:
    """how many quizzes there are, and how many of them some page sends its readers to."""
    root = bench_data(course)
    pages = {
        path.as_posix(): quizzes_of(path.read_text(encoding="utf-8")) for path in sorted(root.rglob("*.md"))
    }
    homes = pages_of_quizzes(pages)
    ids = {
        exercise.linked
        for path in sorted((root / "quiz-app").rglob("*.json"))
        for exercise in load_document(path, root=root).exercises
    }
    return len(ids), len(ids & set(homes))


def _same(asked: Sequence[object], ours: Sequence[object]) -> int:
    return sum(one == other for one, other in zip(asked, ours, strict=False))


def _bare(text: str) -> str:
    """Letters and digits only: markup and escapes are not what is compared."""
    return "".join(_words(text.replace("\\", "")))


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", unescape(_MARKUP.sub("", text)).casefold())


def _answer(exercise: Exercise) -> str:
    right = [each.text for each in exercise.choices if each.is_right]
    return "\n".join([*right, exercise.key, exercise.solution])


def _likeness(given: str, ours: str) -> float:
    """The share of the author's words that we have, each as often."""
    wanted, had = Counter(_words(given)), Counter(_words(ours))
    return sum((wanted & had).values()) / max(sum(wanted.values()), 1)


def _text(path: Path, root: Path) -> str:
    document = load_document(path, root=root)
    return "\n".join("\n".join([*section.headings, section.text]) for section in document.sections)


def _leaks(solutions: Iterable[str], *, lesson: str, elsewhere: str) -> int:
    secret = {run for solution in solutions for run in _runs(solution)} - set(_runs(elsewhere))
    return len(secret & set(_runs(lesson)))


def _runs(text: str) -> Iterator[tuple[str, ...]]:
    words = _words(text)
    return (tuple(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1))
