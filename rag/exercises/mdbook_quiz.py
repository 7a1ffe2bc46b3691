"""mdbook-quiz: TOML files of questions that a page leads in with `{{#quiz ../quizzes/loops.toml}}`.

The file is none of the course's pages; its questions stand where the page leads them in.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from agents.teaching.values import AnswerChoice, Exercise
from rag.exercises import Shelf
from rag.exercises.quizfiles import text_beside

FORM = "mdbook_quiz"

_LEADS_IN = re.compile(r"\{\{\s*#quiz\s+([^\s{}]+)[^{}]*\}\}")
_MARKED = re.compile(r"`\[([^`\n]*)\]`")  # a highlighted piece of a program
_EDITOR = re.compile(r"^([ \t]*```)[ \t]*(?:ide|reference)\b[^\n]*$", re.MULTILINE)
_MOST_FILES = 200  # of one page
_PROGRAM = "```rust\n{}\n```"


def take(source: str, shelf: Shelf) -> str:
    """A page with marks in place of the quizzes that it leads in."""
    left = iter(range(_MOST_FILES))

    def marks(found: re.Match[str]) -> str:
        if next(left, None) is None:
            return ""
        exercises = _file(found[1], shelf)
        return "".join(f"\n\n{shelf.put(each)}\n\n" for each in exercises)

    return _LEADS_IN.sub(marks, source) if "#quiz" in source else source


def _file(target: str, shelf: Shelf) -> list[Exercise]:
    text = text_beside(target, shelf=shelf)
    if text is None:
        return [Exercise(text="", form=FORM, trouble="its quiz file is not in the course, or cannot be read")]
    try:
        questions = tomllib.loads(text).get("questions", [])
    except (tomllib.TOMLDecodeError, RecursionError):
        return [Exercise(text="", form=FORM, trouble="its quiz file is broken TOML")]
    if not isinstance(questions, list):
        return [Exercise(text="", form=FORM, trouble="its quiz file has no list of questions")]
    return [_exercise(each, shelf) for each in _whole(questions)]


def _whole(questions: list[Any]) -> Iterator[Mapping[str, Any]]:
    """The questions, those of several parts one part after the other."""
    for each in questions:
        parts = each.get("questions") if isinstance(each, Mapping) else None
        if isinstance(parts, list):
            yield from _whole(parts)
        else:
            yield each if isinstance(each, Mapping) else {}


def _exercise(question: Mapping[str, Any], shelf: Shelf) -> Exercise:
    kind = str(question.get("type", ""))
    prompt, answer = _table(question.get("prompt")), _table(question.get("answer"))
    solution = _said(question.get("context", ""), shelf)
    text = _said(prompt.get("prompt", ""), shelf)
    if kind == "Tracing":
        return _tracing(_code(prompt.get("program", "")), answer, text=text, solution=solution)
    if not text:
        return Exercise(text="", form=FORM, solution=solution, trouble="its prompt has no words")
    if kind == "MultipleChoice":
        return _choices(prompt, answer, text=text, solution=solution, shelf=shelf)
    keys = [
        str(each) for each in [answer.get("answer", ""), *_list(answer.get("alternatives"))] if each != ""
    ]
    if kind == "ShortAnswer":
        trouble = "" if keys else "it has no right answer"
        return Exercise(
            text=text, form=FORM, kind="short_answer", key="\n".join(keys), solution=solution, trouble=trouble
        )
    key = _said(keys[0], shelf) if keys else ""
    return Exercise(text=text, form=FORM, key=key, solution=solution)


def _choices(
    prompt: Mapping[str, Any], answer: Mapping[str, Any], *, text: str, solution: str, shelf: Shelf
) -> Exercise:
    """The quiz shuffles its choices unless a place is said: sorted, theirs tells nothing."""
    given = answer.get("answer", "")
    right = [_choice(each, shelf) for each in (given if isinstance(given, list) else [given]) if each != ""]
    wrong = [_choice(each, shelf) for each in _list(prompt.get("distractors"))]
    choices = [AnswerChoice(text=each, is_right=False) for each in wrong]
    place = prompt.get("answerIndex")
    if isinstance(place, int) and 0 <= place <= len(choices):
        choices[place:place] = [AnswerChoice(text=each, is_right=True) for each in right]
    else:
        choices += [AnswerChoice(text=each, is_right=True) for each in right]
        choices.sort(key=lambda each: each.text.casefold())
    troubles = {
        "it has no right answer": not right,
        "one of its answers is both right and wrong": bool(set(right) & set(wrong)),
        "it offers only one choice": len(choices) < 2,
    }
    return Exercise(
        text=text,
        form=FORM,
        kind="several" if isinstance(given, list) else "multiple_choice",
        choices=tuple(choices),
        solution=solution,
        trouble=next((trouble for trouble, is_so in troubles.items() if is_so), ""),
    )


def _tracing(program: str, answer: Mapping[str, Any], *, text: str, solution: str) -> Exercise:
    """What a program prints; one that the compiler refuses is asked about as that."""
    shown = _PROGRAM.format(program)
    compiles = answer.get("doesCompile")
    if not program or not isinstance(compiles, bool):
        trouble = "it has no program" if not program else "it does not say whether its program compiles"
        return Exercise(text=shown if program else text, form=FORM, solution=solution, trouble=trouble)
    if compiles and isinstance(answer.get("stdout"), str):
        key = answer["stdout"].strip("\n")
        asked = text or "What does this program print?"
        return Exercise(
            text=f"{asked}\n\n{shown}", form=FORM, kind="output", key=key, solution=solution,
            trouble="" if key.strip() else "its program prints nothing",
        )  # fmt: skip
    line = answer.get("lineNumber")
    where = f"The compiler stops at line {line}." if not compiles and isinstance(line, int) else ""
    return Exercise(
        text=f"{text or 'Does this program compile?'}\n\n{shown}",
        form=FORM,
        kind="multiple_choice",
        choices=(
            AnswerChoice(text="It compiles", is_right=compiles),
            AnswerChoice(text="It does not compile", is_right=not compiles),
        ),
        solution="\n\n".join(filter(None, [where, solution])),
    )


def _table(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _said(value: Any, shelf: Shelf) -> str:
    """Markdown as the page would show it: the fences of its editor are Rust, and highlights are only code."""
    text = _EDITOR.sub(r"\1rust", str(value))
    return shelf.plain(_MARKED.sub(r"\1", text) if "```" in text else text)


def _choice(value: Any, shelf: Shelf) -> str:
    return _said(value, shelf).strip()


def _code(value: Any) -> str:
    return _MARKED.sub(r"\1", str(value)).strip("\n")
