"""Do learners learn? Simulated ones with a known true state work through the real app, in plain messages.

EVAL_SEEDS ("0,1,11") and EVAL_PAIRS (learners of each profile, with and without gaps) make it larger or smaller.
"""

import os
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

from agents.feedback.calibrating import CalibrationReport, calibrate
from agents.teaching.path import ConceptGraph
from evals.report import Report, Row, goal
from evals.simulation import figures
from evals.simulation.classroom import Classroom
from evals.simulation.models import model_rows
from evals.simulation.people import people
from evals.simulation.records import Answer, Diagnosis, Diary, Loop, Morning
from evals.simulation.spread import Measure, spread
from evals.simulation.study import Study

_SEEDS = "11,4242,0,1,2,3,4,5,6,7"
_PAIRS_A_PROFILE = "1"

Runs = Mapping[int, Sequence[Diary]]
Figure = Callable[[Sequence[Diary]], float]


async def run() -> Report:
    """All learners through one app, seed after seed; once more after a calibration on what they have left behind."""
    seeds = [int(seed) for seed in os.environ.get("EVAL_SEEDS", _SEEDS).split(",")]
    pairs = int(os.environ.get("EVAL_PAIRS", _PAIRS_A_PROFILE))
    with TemporaryDirectory() as folder:
        room = await Classroom(Path(folder)).open()
        try:
            graph = await room.graph()
            runs = {seed: days async for seed, days in classes(room, seeds, pairs=pairs)}
            calibrated = await calibrate(room.services)
            again = {seed: days async for seed, days in classes(room, seeds, pairs=pairs, prefix="again-")}
        finally:
            await room.close()
    return report(runs, again, calibrated, graph=graph)


async def classes(
    room: Classroom, seeds: Iterable[int], *, pairs: int, prefix: str = ""
) -> AsyncIterator[tuple[int, list[Diary]]]:
    """The diaries of each seed's learners; who comes a second time comes under another name."""
    graph, topics = await room.graph(), await room.topics()
    for seed in seeds:
        crowd = people(graph, topics, pairs_a_profile=pairs, seed=seed)
        days = [
            await Study(person, room, graph, seed=seed, user_id=f"{prefix}{seed}-{person.name}").run()
            for person in crowd
        ]
        print(f"seed {seed}: {sum(diary.turns for diary in days)} turns", file=sys.stderr, flush=True)
        yield seed, days


def report(runs: Runs, again: Runs, calibrated: CalibrationReport, *, graph: ConceptGraph) -> Report:
    """The table of all runs."""
    prerequisites = {name: graph.prerequisites(name) for name in graph.concepts}
    seeds = list(runs)
    return Report(
        name="Learners: simulated, through the real app",
        command="python -m evals learners",
        rows=[
            _size_row(runs),
            *(measure.row(runs) for measure in _MASTERY),
            _seed_row("mastered too early, seed by seed", runs),
            *_calibrated_rows(runs, again, calibrated),
            *(measure.row(runs) for measure in _DIAGNOSTIC),
            Measure[Diary](
                name="order violations in the paths given",
                of=lambda diaries: figures.violations(diaries, prerequisites),
                at_most=0,
                digits=0,
            ).row(runs),
            *(measure.row(runs) for measure in _ENDINGS),
            _learning_row(runs, prerequisites),
            *(measure.row(runs) for measure in (*_LESSONS, *_GRADING, *_REVIEWS)),
            *_kind_rows(runs),
            *model_rows(seeds=seeds),
        ],
        notes=(*_NOTES, "", f"The seeds are {', '.join(map(str, seeds))}."),
        figures={"seeds": seeds},
    )


def _loops(diaries: Iterable[Diary], *, purpose: str = "") -> list[Loop]:
    return [loop for diary in diaries for loop in diary.loops if not purpose or loop.purpose == purpose]


def _taught(diaries: Iterable[Diary]) -> list[Loop]:
    return _loops(diaries, purpose="teach")


def _diagnoses(diaries: Iterable[Diary]) -> list[Diagnosis]:
    return [diagnosis for diary in diaries for diagnosis in diary.diagnoses]


def _mornings(diaries: Iterable[Diary]) -> list[Morning]:
    return [morning for diary in diaries for morning in diary.mornings]


def _answers(diaries: Sequence[Diary]) -> list[Answer]:
    kept = [each.answers for each in _loops(diaries)] + [each.answers for each in _diagnoses(diaries)]
    return [answer for answers in kept for answer in answers]


def _share_of_answers(is_so: Callable[[Answer], bool]) -> Figure:
    def share(diaries: Sequence[Diary]) -> float:
        answers = _answers(diaries)
        return sum(map(is_so, answers)) / max(1, len(answers))

    return share


def _told(cycle: int, *, count: Callable[..., float]) -> Figure:
    return lambda diaries: count(_taught(diaries), cycle=cycle)


_MASTERY = (
    Measure[Diary](
        name="concepts declared mastered with a true chance below 0.75",
        of=lambda diaries: figures.too_early(_loops(diaries)),
        at_most=0.03,
    ),
    Measure[Diary](name="… in first lessons", of=lambda diaries: figures.too_early(_taught(diaries))),
    Measure[Diary](
        name="… in reviews", of=lambda diaries: figures.too_early(_loops(diaries, purpose="review"))
    ),
    Measure[Diary](
        name="questions a mastered concept",
        of=lambda diaries: figures.questions_a_concept(_taught(diaries))[0],
        digits=2,
    ),
    Measure[Diary](
        name="… the fewest possible",
        of=lambda diaries: figures.questions_a_concept(_taught(diaries))[1],
        digits=2,
    ),
    Measure[Diary](
        name="concepts of mastered topics that were not asked about",
        of=lambda diaries: figures.never_asked(_taught(diaries)),
    ),
    Measure[Diary](name="questions beside the topic", of=lambda diaries: figures.off_topic(_taught(diaries))),
)
_DIAGNOSTIC = (
    Measure[Diary](
        name="diagnostic: gap recall", of=lambda d: figures.gap_recall(_diagnoses(d)), at_least=0.85
    ),
    Measure[Diary](
        name="diagnostic: gap precision", of=lambda d: figures.gap_precision(_diagnoses(d)), at_least=0.85
    ),
    Measure[Diary](
        name="diagnostic: most probes",
        of=lambda diaries: max((len(each.answers) for each in _diagnoses(diaries)), default=0),
        at_most=6,
        digits=0,
    ),
    Measure[Diary](
        name="diagnostic: probes on average", of=lambda d: figures.mean_probes(_diagnoses(d)), digits=2
    ),
    Measure[Diary](
        name="diagnostics that did not end",
        of=lambda diaries: sum(not each.has_ended for each in _diagnoses(diaries)),
        at_most=0,
        digits=0,
    ),
)
_ENDINGS = (
    Measure[Diary](
        name="loops that never end",
        of=lambda diaries: sum(loop.ending == "stuck" for loop in _loops(diaries)),
        at_most=0,
        digits=0,
    ),
    Measure[Diary](
        name="loops that end without a quiz",
        of=lambda diaries: sum(loop.ending == "no quiz" for loop in _loops(diaries)),
        digits=0,
    ),
    Measure[Diary](
        name="at the limit, a plain yes to the offer that does not bring a path",
        of=lambda diaries: sum(loop.offer_taken is False for loop in _loops(diaries)),
        at_most=0,
        digits=0,
    ),
    Measure[Diary](
        name="answers that were not taken for answers",
        of=lambda diaries: sum(loop.refused for loop in _loops(diaries)),
        at_most=0,
        digits=0,
    ),
)
_LESSONS = (
    *(
        Measure[Diary](
            name=f"explanations that still have something new to tell, cycle {cycle}",
            of=_told(cycle, count=figures.with_content),
            digits=2,
        )
        for cycle in range(2, 6)
    ),
    *(
        Measure[Diary](
            name=f"explanations that tell something new, or the core once more, cycle {cycle}",
            of=_told(cycle, count=figures.with_retelling),
            digits=2,
        )
        for cycle in range(2, 6)
    ),
    Measure[Diary](
        name="questions about a sentence that the explanations had said",
        of=lambda diaries: figures.asked_as_told(_taught(diaries)),
    ),
)
_GRADING = (
    Measure[Diary](
        name="right answers marked wrong", of=lambda d: figures.marked_wrong(_answers(d)), digits=4
    ),
    Measure[Diary](
        name="wrong answers marked right", of=lambda d: figures.marked_right(_answers(d)), digits=4
    ),
    Measure[Diary](
        name="answers left to the learner to judge",
        of=_share_of_answers(lambda answer: answer.was_self_checked),
    ),
    Measure[Diary](
        name="questions that the learner had been asked before",
        of=_share_of_answers(lambda answer: answer.was_asked_before),
    ),
)
_REVIEWS = (
    Measure[Diary](
        name="forgotten concepts that the greeting brings up for review",
        of=lambda diaries: figures.caught(_mornings(diaries)),
    ),
    Measure[Diary](
        name="concepts brought up that were forgotten",
        of=lambda diaries: figures.due_and_forgotten(_mornings(diaries)),
    ),
)


def _size_row(runs: Runs) -> Row:
    diaries = [diary for run in runs.values() for diary in run]
    sizes = (
        len(runs),
        len(diaries),
        len(_taught(diaries)),
        len(_loops(diaries, purpose="review")),
        sum(diary.turns for diary in diaries),
    )
    return Row(
        measure="seeds / learners / topics taught / reviews / turns",
        value=" / ".join(f"{size:,}" for size in sizes),
    )


def _seed_row(name: str, runs: Runs) -> Row:
    counts = {seed: figures.early_of_declared(_loops(run)) for seed, run in runs.items()}
    return Row(
        measure=name,
        value=", ".join(f"{seed}: {early} of {declared}" for seed, (early, declared) in counts.items()),
    )


def _calibrated_rows(runs: Runs, again: Runs, calibrated: CalibrationReport) -> list[Row]:
    """What became of it after `tutor calibrate` on the ledger that all these learners left."""
    refit = calibrated.refit
    if refit is None or not again:
        return []
    same = {seed: runs[seed] for seed in again}
    before, after = (
        figures.too_early(_loops(diary for run in each.values() for diary in run)) for each in (same, again)
    )
    quality = f"{refit.before.calibration_error:.3f} → {refit.after.calibration_error:.3f}"
    return [
        Row(
            measure="`tutor calibrate` on their ledger: answers, calibration error of the learners held back",
            value=f"{calibrated.answers:,}, {quality}{'' if refit.is_taken else ' (not taken: ' + refit.reason + ')'}",
        ),
        goal(
            f"after it, mastered too early on the same seeds (before: {before:.3f})",
            after,
            at_most=max(0.03, before),
            shown=spread([figures.too_early(_loops(run)) for run in again.values()], middle=after),
        ),
        _seed_row("… seed by seed", again),
    ]


def _learning_row(runs: Runs, prerequisites: Mapping[str, tuple[str, ...]]) -> Row:
    found = [figures.gains(_taught(run), prerequisites, seed=seed) for seed, run in runs.items()]
    return Row(
        measure="concepts learnt a question: app / fixed quiz of the same length",
        value=f"{spread([each.app for each in found])} / {spread([each.fixed for each in found])}",
    )


def _kind_rows(runs: Runs) -> list[Row]:
    kinds = sorted({diary.person.kind for run in runs.values() for diary in run})
    rows = []
    for kind in kinds:
        loops = [_taught(diary for diary in run if diary.person.kind == kind) for run in runs.values()]
        loops = [own for own in loops if own]
        mastered = [sum(loop.ending == "mastered" for loop in own) / len(own) for own in loops]
        cycles = [fmean(loop.cycles for loop in own) for own in loops]
        rows.append(
            Row(
                measure=f"{kind}: topics mastered / cycles a topic",
                value=f"{spread(mastered, digits=2)} / {spread(cycles, digits=1)}",
            )
        )
    return rows


_NOTES = (
    "Everybody talks to the real app in plain messages: names a goal, is diagnosed, learns what is suggested; days "
    "later takes the review that the greeting offers and learns what the path says; days later again a review, and "
    "then the goal's topic. What they truly know is known to the simulation only: weak learners get a concept from "
    "an explanation in 30%, slip in 15% and forget 3% a day; average 50%, 10%, 2%; strong 75%, 5%, 1%; without what "
    "it builds on, an explanation works a fifth as often, and one that only says the core once more half as often. A guess is right in 10% (open), 25% (four options) or 50% "
    "(true/false), and half of the answers shown for a question are remembered that day. They type the expected "
    "answer, a letter, or the answer with two letters swapped; wrong ones are another option, another concept's "
    "answer, or none. Those with gaps lack at least one concept that their goal builds on; the others have all.",
    "",
    "Fewest possible: the shortest series of right answers that the mastery model lets pass. The fixed quiz has the "
    "same learners, as many explained concepts and questions of the same kinds round for round, and corrects wrong "
    "answers, but takes the concepts in turn whatever was answered.",
    "",
    "A value is that of all seeds taken together, and in brackets from the lowest seed to the highest; counts are sums, "
    "and the last figures of a learner's kind and of the two models are means over the seeds. A seed has six learners "
    "(each profile with and without gaps), because a learner's days take some ninety turns: single seeds are noisy.",
    "",
    "The rows of the two models are without the app, over thousands of learners. In whole chapters the diagnostic "
    "misses for those who know things here and there: with guesses in 20%, six questions about up to twelve concepts "
    "that hardly lean on each other tell too little. With guesses in 12%, as where a term must be typed, both goals "
    "were reached (.870 and .862), and without slips and guesses .945 and .947.",
)
