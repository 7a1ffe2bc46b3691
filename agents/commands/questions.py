"""The command about a course's questions: those that its author set."""

import json
from collections.abc import Sequence
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from agents.commands.setup import as_json, in_course, on_course
from agents.language.words import clipped
from agents.settings import Settings
from agents.teaching.values import Item
from rag.library import Library

_SHOWN = 80  # characters of a question or a key in the table


@click.command()
@in_course
@as_json
def exercises(course: str | None, as_json: bool) -> None:
    """Show the questions that a course's author set, with their keys.

    Those that cannot be asked are there too, with the reason.
    """

    async def work(settings: Settings, library: Library, names: list[str]) -> dict[str, Sequence[Item]]:
        return {name: await library.corpus.items.of_course(name, origin="author") for name in names}

    found = on_course(course, work)
    if as_json:
        rows = [_as_json(name, item) for name, items in found.items() for item in items]
        click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
        return
    for name, items in found.items():
        _show(name, items)


def _as_json(course: str, item: Item) -> dict[str, Any]:
    asked = item.question
    return {
        "course": course,
        "question_id": asked.question_id,
        "question_text": asked.question_text,
        "kind": asked.kind,
        "options": list(asked.options),
        "expected_answer": asked.expected_answer or None,
        "solution": asked.solution or None,
        "whys": list(asked.whys),
        "points": list(asked.points),
        "chapter_id": item.chapter_id,
        "headings": list(item.headings),
        "chunk_id": asked.chunk_id or None,
        "concept_name": asked.concept_name,
        "difficulty": asked.difficulty,
        "part": item.part,
        "form": item.form,
        "origin": asked.origin,
        "trouble": item.trouble or None,
    }


def _show(course: str, items: Sequence[Item]) -> None:
    if not items:
        click.echo(f"{course}: its author sets no questions, or none in a form that can be read.")
        return
    console = Console()
    askable = [item for item in items if not item.trouble]
    table = Table("Question", "Kind", "Key", "About", "On page", title=escape(course))
    for item in askable:
        asked = item.question
        shown = (
            _short(asked.question_text),
            asked.kind,
            _short(asked.expected_answer),
            asked.concept_name,
            item.chapter_id,
        )
        table.add_row(*map(escape, shown))
    console.print(table)
    hopeless = [item for item in items if item.trouble]
    if hopeless:
        reasons = Table("Question", "Why it cannot be asked", "On page", title=f"{len(hopeless)} not asked")
        for item in hopeless:
            reasons.add_row(
                *map(escape, (_short(item.question.question_text), item.trouble, item.chapter_id))
            )
        console.print(reasons)


def _short(text: str) -> str:
    return clipped(" ".join(text.split()), most=_SHOWN)
