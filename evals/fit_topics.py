"""Fit what chooses the page that teaches a topic: python -m evals.fit_topics [--write] [--strangers FOLDER].

Two models. The ranking is a conditional logistic over the pages that may be meant. The second, a plain logistic over the
page that it puts first, says whether the course teaches the thing at all: what was asked of a course on another subject
is what a course does not have. Both are fitted on the topics of `evals/labels/course_topics_fit.jsonl`, written from the
courses of TUTOR_BENCH_DATA by people who did not know the code, and on those of `evals courses` that are not held back.
What is printed for a course comes from weights that were fitted without it. With --strangers, a folder with one folder a
course, the topics of `course_topics_strangers.jsonl` are tried with weights that have seen none of them.
"""

import asyncio
import json
import math
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from agents.syllabus import Syllabus, hits_for, load_syllabus
from agents.teaching.topics import WEIGHTS, CandidatePage, candidates, weighed
from evals.courses import COURSES, LABELS, Wanted, is_page, topics
from evals.data import bench_data, fresh_library
from evals.ranking import fit_weights, rows_of
from rag.library import Library

_RIDGE = 3.0
_STRENGTH = 1.0  # of the second model's fit; smaller is smoother
_BORDER = 0.4  # below it the nearest page is offered instead of taught
# What says the same in a course of two pages and of two hundred.
_ABSOLUTE = (
    *("alike_title", "alike_unit", "alike_heading", "alike_term", "near_title", "near_name"),
    *("found_close", "covered", "words_here", "tells_all"),
)
_FAR = "openstax_biology"  # what is asked of it is not in the others, and the other way round
_FOREIGN = 60  # wishes a course that it does not teach

Weights = Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What somebody asked a course for, and the pages that may be meant."""

    course: str
    wanted: Wanted
    found: Sequence[CandidatePage]

    @property
    def right(self) -> NDArray[np.bool_]:
        return np.array(
            [
                self.is_taught and is_page(each.match.place.chapter_id, self.wanted.chapters)
                for each in self.found
            ],
            dtype=bool,
        )

    @property
    def is_taught(self) -> bool:
        return self.course == self.wanted.course

    def first(self, ranking: Weights) -> int | None:
        """The place of the page that these weights put first."""
        scores = [weighed(each.measures, ranking) for each in self.found]
        return int(np.argmax(scores)) if scores else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """Both models as they are stored."""

    ranking: Weights
    taught: Weights

    def is_right(self, case: Case) -> bool:
        """Whether a learner would be taught from a right page, or be told that there is none."""
        best = case.first(self.ranking)
        if best is None or not self._takes(case.found[best]):
            return not case.is_taught
        return bool(case.right[best])

    def _takes(self, page: CandidatePage) -> bool:
        return page.match.is_sure or weighed(page.measures, self.taught) >= _logit(_BORDER)


def main(arguments: Sequence[str] = tuple(sys.argv[1:])) -> None:
    """Fit, print what courses left out say, and write the weights with --write."""
    cases = asyncio.run(load_cases({name: bench_data(path) for name, path in COURSES.items()}, "fit"))
    mine = [case for case in cases if not case.wanted.is_held_back]
    for course in COURSES:
        report(course, mine, fit([case for case in mine if case.course != course]))
    model = fit(mine)
    report("all that is held back", [case for case in cases if case.wanted.is_held_back], model)
    if "--strangers" in arguments:
        folder = Path(arguments[arguments.index("--strangers") + 1])
        courses = {each.name: each for each in sorted(folder.iterdir()) if each.is_dir()}
        strange = asyncio.run(load_cases(courses, "strangers"))
        for course in courses:
            report(course, strange, model)
        report("all strangers", strange, model)
    if "--write" in arguments:
        about = {
            "about": "score of a page = sum of weight x measure; the measures are defined in topics.py",
            "made_by": "python -m evals.fit_topics --write",
            "fitted_on": f"{sum(case.is_taught for case in mine)} topics of {len(COURSES)} courses",
        }
        border = {"logit": round(_logit(_BORDER), 4)}
        weights = {"ranking": model.ranking, "taught": model.taught, "border": border}
        WEIGHTS.write_text(json.dumps({**about, "weights": weights}, indent=2) + "\n", encoding="utf-8")


def fit(cases: Sequence[Case]) -> Model:
    """The ranking where there is something to choose, then what its first pages look like."""
    tables = [([each.measures for each in case.found], case.right) for case in cases if case.right.any()]
    ranking = fit_weights(tables, ridge=_RIDGE)
    firsts = [
        (case.found[best].measures, case.is_taught)
        for case in cases
        if (best := case.first(ranking)) is not None
    ]
    scaler = StandardScaler()
    rows = scaler.fit_transform(rows_of([measures for measures, _ in firsts], _ABSOLUTE))
    model = LogisticRegression(C=_STRENGTH, max_iter=1000).fit(rows, [taught for _, taught in firsts])
    weights = model.coef_[0] / scaler.scale_
    bias = float(model.intercept_[0] - weights @ scaler.mean_)
    taught = {name: round(float(weight), 4) for name, weight in zip(_ABSOLUTE, weights, strict=True)}
    return Model(ranking=ranking, taught={"bias": round(bias, 4), **taught})


def report(name: str, cases: Sequence[Case], model: Model) -> None:
    """How often it is right for titles, for learners' words, and for what is not there."""
    some = [case for case in cases if name.startswith("all") or case.course == name]
    kinds = {
        "titles": [case for case in some if case.is_taught and not case.wanted.is_own],
        "learners' words": [case for case in some if case.is_taught and case.wanted.is_own],
        "not there": [case for case in some if not case.is_taught],
    }
    shares = (
        f"{kind} {np.mean([model.is_right(case) for case in group]):.3f} of {len(group)}"
        for kind, group in kinds.items()
        if group
    )
    print(f"{name}: {', '.join(shares)}")


async def load_cases(courses: Mapping[str, Path], labels: str) -> list[Case]:
    """Ask every course for its topics, and for some of another subject."""
    file = LABELS.with_name(f"course_topics_{labels}.jsonl")
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    wishes = [
        Wanted(course=row["course"], words=row["wanted"], chapters=tuple(row["chapters"]), is_own=True)
        for row in rows
    ]
    cases = []
    for course, source in courses.items():
        with TemporaryDirectory() as folder:
            async with fresh_library(Path(folder), source, course=course) as library:
                syllabus = await load_syllabus(library, course)
                foreign = [each for each in wishes if (each.course == _FAR) != (course == _FAR)]
                asked = [each for each in wishes if each.course == course]
                asked += topics(syllabus) if labels == "fit" else []
                asked += random.Random(course).sample(foreign, min(_FOREIGN, len(foreign)))
                cases += [await case_of(library, syllabus, wanted) for wanted in asked]
    return cases


async def case_of(library: Library, syllabus: Syllabus, wanted: Wanted) -> Case:
    """The pages that are considered for a wish."""
    every = await hits_for(library, syllabus, wanted.words)
    hits = [hit for hit in every if hit.chapter_id not in syllabus.apart] or every
    found = candidates(wanted.words, syllabus.places, hits, syllabus.pages)
    return Case(course=syllabus.course, wanted=wanted, found=found)


def _logit(chance: float) -> float:
    return math.log(chance / (1 - chance))


if __name__ == "__main__":
    main()
