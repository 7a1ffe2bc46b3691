"""The regression gate: quality figures that a change must not lower. Never a timing."""

import asyncio
import json
import tomllib
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
import numpy as np

from agents.teaching.grading import grade_answer
from evals import answers, concepts, items, numeric, retrieval, routing, short_answers, tasks
from evals.data import SAMPLE_COURSE, bench_data, sample_library
from evals.openstax import COURSE, biology_library, questions
from storage.errors import ConfigurationError

FLOORS = Path(__file__).parent / "floors.toml"
# A part of the concepts, always the same, so that the gate fits into every test run.
_SAMPLE_TOPICS, _BOOK_TOPICS = 27, 20

Figures = dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """One figure against its floor; a figure without a floor, or a floor without a figure, does not pass."""

    figure: str
    value: float | None
    floor: float | None

    @property
    def passes(self) -> bool:
        return self.value is not None and self.floor is not None and self.value >= self.floor


def judge(figures: Mapping[str, float], floors: Mapping[str, float]) -> list[Verdict]:
    """Every figure and every floor, held against each other."""
    return [
        Verdict(figure=name, value=figures.get(name), floor=floors.get(name))
        for name in dict.fromkeys([*floors, *figures])
    ]


def read_floors(group: str) -> Figures:
    """The floors of one group."""
    tables = tomllib.loads(FLOORS.read_text(encoding="utf-8"))[group]
    return _flat(tables)


async def labels() -> Figures:
    """What our own labels say of routing and of task commands; needs nothing else."""
    return _flat(
        {
            "routing": routing.all_figures(
                {part: routing.judge(routing.load(part))[0] for part in routing.SETS}
            ),
            "tasks": tasks.figures_of(tasks.judged("tasks_heldout")),
            "numeric": {"as_labelled": numeric.share_as_labelled()},
        }
    )


async def sample_course() -> Figures:
    """Search, answers and items on the course that ships with the tutor."""
    with TemporaryDirectory() as folder:
        async with sample_library(Path(folder)) as library:
            asked = [await answers.ask(library, label) for label in answers.load_labels("held_out")]
            written = await items.write_course(library, SAMPLE_COURSE.name, topics=_SAMPLE_TOPICS)
    trip = items.round_trip([item for item in written.items if item.kind != "recall"])
    return _flat({"answers": answers.figures_of(asked), "items": written.figures() | trip})


async def book() -> Figures:
    """Search, concepts, items and routing on the public textbook."""
    source = bench_data("openstax_biology")
    asked = questions(source)
    with TemporaryDirectory() as folder:
        async with biology_library(Path(folder)) as library:
            found = await retrieval.found_modules(library, asked)
            checked = await concepts.check(library, source)
            written = await items.write_course(library, COURSE, topics=_BOOK_TOPICS)
    served, kept = routing.book_questions_served()
    return _flat(
        {
            "retrieval": {
                "top_1": retrieval.share(asked, found, top=1),
                "top_5": retrieval.share(asked, found, top=5),
            },
            "concepts": {
                "without_cycle": float(not checked.has_cycle),
                "shown": checked.shown,
                "forward": checked.forward,
            },
            "items": written.figures(),
            "routing": {
                "questions_served": float(np.mean(served)),
                "questions_not_graded": float(np.mean(kept)),
            },
        }
    )


async def students() -> Figures:
    """Grading and routing of real students' answers, to questions that nothing was fitted on."""
    cases = short_answers.load_cases("held_out")
    grades = [grade_answer(case.answer, question=case.question, references=case.references) for case in cases]
    figures: Figures = {"routing.answers_taken": float(np.mean(routing.student_answers_taken()))}
    for corpus in short_answers.CORPORA:
        chosen = [place for place, case in enumerate(cases) if case.corpus == corpus]
        truth = np.array([cases[place].is_correct for place in chosen])
        said = np.array([grades[place].is_correct for place in chosen])
        sure = np.array([grades[place].confident for place in chosen])
        figures[f"grading.{corpus}_macro_f1"] = short_answers.macro_f1(truth, said)
        figures[f"grading.{corpus}_confident"] = float(sure.mean())
        figures[f"grading.{corpus}_right_where_confident"] = float(np.mean(truth[sure] == said[sure]))
    return figures


GROUPS: Mapping[str, Callable[[], Coroutine[Any, Any, Figures]]] = {
    "labels": labels,
    "sample_course": sample_course,
    "book": book,
    "students": students,
}


def check(*, as_json: bool = False) -> bool:
    """Compute every figure, print it with its floor, and tell whether all of them pass."""
    verdicts: list[Verdict] = []
    for group, compute in GROUPS.items():
        try:
            figures = asyncio.run(compute())
        except ConfigurationError as err:
            click.echo(f"{group}: left out. {err}", err=True)
            continue
        judged = judge(figures, read_floors(group))
        verdicts += judged
        if not as_json:
            print("\n".join(f"{group}: {line(verdict)}" for verdict in judged))
    if as_json:
        print(json.dumps([asdict(verdict) | {"passes": verdict.passes} for verdict in verdicts], indent=2))
    return all(verdict.passes for verdict in verdicts)


def line(verdict: Verdict) -> str:
    """One figure as a person reads it."""
    value = "missing" if verdict.value is None else f"{verdict.value:.3f}"
    floor = "no floor is set" if verdict.floor is None else f"floor {verdict.floor:.3f}"
    return f"{verdict.figure:34} {value:>8}  {floor}  {'ok' if verdict.passes else 'BELOW'}"


def _flat(tables: Mapping[str, Mapping[str, float]]) -> Figures:
    return {f"{table}.{name}": value for table, values in tables.items() for name, value in values.items()}
