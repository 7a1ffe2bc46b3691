"""A form of exercises that no course has, for tests of what becomes of them whatever their form."""

import re
from pathlib import Path

import pytest

from agents.teaching.values import AnswerChoice, Exercise, QuestionKind
from rag.exercises import Shelf, forms

_ASKED = re.compile(r"^Ask(?: \((\w+)\))?: (.*(?:\n(?!\n).+)*)", re.MULTILINE)


def take_asked(source: str, shelf: Shelf) -> str:
    """'Ask: …', then '+ right', '- wrong (why)', 'Key: …' and 'Solution: …', each on a line of its own."""

    def take(found: re.Match[str]) -> str:
        kind: QuestionKind | None = found[1]  # type: ignore[assignment]
        text, choices, said = [], [], {"Key": "", "Solution": ""}
        for line in found[2].splitlines():
            name, _, rest = line.partition(": ")
            if line[:2] in ("+ ", "- "):
                shown, _, why = line[2:].partition(" (")
                choices.append(AnswerChoice(text=shown, is_right=line[0] == "+", why=why.rstrip(")")))
            elif name in said:
                said[name] = rest
            else:
                text.append(line)
        exercise = Exercise(
            text="\n".join(text),
            form="asked",
            kind=kind,
            choices=tuple(choices),
            key=said["Key"],
            solution=said["Solution"],
        )
        return f"\n\n{shelf.put(exercise)}\n\n"

    return _ASKED.sub(take, source)


def read_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on courses in Markdown are read with that form."""
    monkeypatch.setattr(forms, "IN_MARKUP", (take_asked,))


def write(folder: Path, pages: dict[str, str]) -> Path:
    """A course of these pages."""
    for name, text in pages.items():
        page = folder / f"{name}.md"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text, encoding="utf-8")
    return folder
