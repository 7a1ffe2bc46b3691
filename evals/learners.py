"""Do learners learn? Simulated ones with a known true state work through the real app, in plain messages."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

from evals.report import Report, Row, goal
from evals.simulation import figures
from evals.simulation.classroom import Classroom
from evals.simulation.models import model_rows
from evals.simulation.people import people
from evals.simulation.records import Diary, Loop
from evals.simulation.study import Study

_SEED = 11  # the models' parameters were chosen on other seeds
_PAIRS_A_PROFILE = 5


async def run() -> Report:
    """All learners through one app, then the models alone against many more learners."""
    with TemporaryDirectory() as folder:
        room = await Classroom(Path(folder)).open()
        try:
            graph = await room.graph()
            crowd = people(graph, await room.topics(), pairs_a_profile=_PAIRS_A_PROFILE, seed=_SEED)
            diaries = [await Study(person, room, graph, seed=_SEED).run() for person in crowd]
        finally:
            await room.close()
    prerequisites = {name: graph.prerequisites(name) for name in graph.concepts}
    return Report(
        name="Learners: simulated, through the real app",
        command="python -m evals learners",
        rows=[
            *_size_rows(diaries),
            *_mastery_rows(diaries),
            *_diagnostic_rows(diaries),
            *_ending_rows(diaries, violations=figures.violations(diaries, prerequisites)),
            *_learning_rows(diaries, prerequisites),
            *_grading_rows(diaries),
            *_review_rows(diaries),
            *_kind_rows(diaries),
            *model_rows(seed=_SEED),
        ],
        notes=_NOTES,
    )


def _loops(diaries: Iterable[Diary], *, purpose: str = "teach") -> list[Loop]:
    return [loop for diary in diaries for loop in diary.loops if loop.purpose == purpose]


def _size_rows(diaries: Sequence[Diary]) -> list[Row]:
    sizes = (len(diaries), len(_loops(diaries)), len(_loops(diaries, purpose="review")))
    turns = sum(diary.turns for diary in diaries)
    return [
        Row(
            measure="learners / topics taught / reviews / turns",
            value=" / ".join(f"{size:,}" for size in (*sizes, turns)),
        )
    ]


def _mastery_rows(diaries: Sequence[Diary]) -> list[Row]:
    taught = _loops(diaries)
    asked, fewest = figures.questions_a_concept(taught)
    loops = [*taught, *_loops(diaries, purpose="review")]
    early, declared = (
        figures.too_early(loops),
        sum(len(loop.concepts) for loop in loops if loop.ending == "mastered"),
    )
    return [
        goal(
            "concepts declared mastered with a true chance below 0.75",
            early,
            at_most=0.03,
            shown=f"{early:.3f} of {declared}",
        ),
        Row(measure="questions a mastered concept / fewest possible", value=f"{asked:.2f} / {fewest:.2f}"),
        Row(
            measure="concepts of mastered topics that were not asked about",
            value=f"{figures.never_asked(taught):.3f}",
        ),
        Row(measure="questions beside the topic", value=f"{figures.off_topic(taught):.3f}"),
    ]


def _diagnostic_rows(diaries: Sequence[Diary]) -> list[Row]:
    diagnoses = [diagnosis for diary in diaries for diagnosis in diary.diagnoses]
    most = max(len(diagnosis.answers) for diagnosis in diagnoses)
    unfinished = sum(not diagnosis.has_ended for diagnosis in diagnoses)
    return [
        goal("diagnostic: gap recall", figures.gap_recall(diagnoses), at_least=0.85),
        goal("diagnostic: gap precision", figures.gap_precision(diagnoses), at_least=0.85),
        goal("diagnostic: most probes", most, at_most=6, shown=str(most)),
        Row(measure="diagnostic: probes on average", value=f"{figures.mean_probes(diagnoses):.2f}"),
        goal("diagnostics that did not end", unfinished, at_most=0, shown=str(unfinished)),
    ]


def _ending_rows(diaries: Sequence[Diary], *, violations: int) -> list[Row]:
    loops = [loop for diary in diaries for loop in diary.loops]
    endless = sum(loop.ending == "stuck" for loop in loops)
    at_limit = [loop for loop in loops if loop.ending == "limit"]
    understood = sum(bool(loop.offer_taken) for loop in at_limit)
    return [
        goal("order violations in the paths given", violations, at_most=0, shown=str(violations)),
        goal("loops that never end", endless, at_most=0, shown=str(endless)),
        Row(
            measure="loops that end without a quiz",
            value=str(sum(loop.ending == "no quiz" for loop in loops)),
        ),
        goal(
            "at the limit, a plain yes to the offer brings a path",
            understood / max(1, len(at_limit)),
            at_least=1.0,
            shown=f"{understood} of {len(at_limit)}",
        ),
        Row(
            measure="answers that were not taken for answers",
            value=str(sum(loop.refused for loop in loops)),
        ),
    ]


def _learning_rows(diaries: Sequence[Diary], prerequisites: dict[str, tuple[str, ...]]) -> list[Row]:
    taught = _loops(diaries)
    found = figures.gains(taught, prerequisites, seed=_SEED)
    return [
        Row(
            measure="concepts learnt a question: app / fixed quiz of the same length",
            value=f"{found.app:.3f} / {found.fixed:.3f}",
        ),
        Row(
            measure="explanations that still have something new to tell, cycles 2 to 5",
            value=", ".join(f"{figures.with_content(taught, cycle=cycle):.2f}" for cycle in range(2, 6)),
        ),
        Row(
            measure="explanations that tell something new, or the core once more, cycles 2 to 5",
            value=", ".join(f"{figures.with_retelling(taught, cycle=cycle):.2f}" for cycle in range(2, 6)),
        ),
        Row(
            measure="questions about a sentence that the explanations had said",
            value=f"{figures.asked_as_told(taught):.3f}",
        ),
    ]


def _grading_rows(diaries: Sequence[Diary]) -> list[Row]:
    kept = [loop for diary in diaries for loop in diary.loops] + [
        diagnosis for diary in diaries for diagnosis in diary.diagnoses
    ]
    answers = [answer for each in kept for answer in each.answers]
    repeated = sum(answer.was_asked_before for answer in answers) / len(answers)
    checked = sum(answer.was_self_checked for answer in answers) / len(answers)
    return [
        Row(measure="right answers marked wrong", value=f"{figures.marked_wrong(answers):.4f}"),
        Row(measure="wrong answers marked right", value=f"{figures.marked_right(answers):.4f}"),
        Row(measure="answers left to the learner to judge", value=f"{checked:.3f}"),
        Row(measure="questions that the learner had been asked before", value=f"{repeated:.3f}"),
    ]


def _review_rows(diaries: Sequence[Diary]) -> list[Row]:
    mornings = [morning for diary in diaries for morning in diary.mornings]
    return [
        Row(
            measure="forgotten concepts that the greeting brings up for review",
            value=f"{figures.caught(mornings):.3f} of {sum(len(each.forgotten) for each in mornings)}",
        ),
        Row(
            measure="concepts brought up that were forgotten",
            value=f"{figures.due_and_forgotten(mornings):.3f} of {sum(len(each.due) for each in mornings)}",
        ),
    ]


def _kind_rows(diaries: Sequence[Diary]) -> list[Row]:
    kinds = dict.fromkeys(diary.person.kind for diary in diaries)
    rows = []
    for kind in sorted(kinds):
        loops = _loops(diary for diary in diaries if diary.person.kind == kind)
        mastered = sum(loop.ending == "mastered" for loop in loops) / len(loops)
        rows.append(
            Row(
                measure=f"{kind}: topics mastered / cycles a topic",
                value=f"{mastered:.2f} / {fmean(loop.cycles for loop in loops):.1f}",
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
    "On other seeds, used while the app was being put right, 9 of 316, 6 of 323, 8 of 328 and 9 of 356 concepts "
    "were declared mastered too early, and 11 of 332 and 8 of 337 after what was missed came to be asked about "
    "twice; about two of three of them in reviews. This seed showed 19 of 321 before a "
    "concept's only question could no longer be true or false, an answer that its learner called wrong counted in "
    "full, and another thing's longer name was graded wrong.",
    "",
    f"The seed is {_SEED}. On seed 4242, which nobody had used before, 7 of 218 (3.2%) were mastered too early while one "
    "answer could be enough: two on the only answer ever, a choice; three that had been known, mastered and forgotten, two "
    "of which the review did not ask about; two by luck. With two answers a concept, one of them not a choice, and each "
    "concept in focus asked about first: 3 of 231 (1.3%), and 119 of 140 loops mastered instead of 109 of 138; with "
    "parameters that `tutor calibrate` fitted to that ledger 4 of 209 (1.9%), 105 of 139. On this seed it is no better: 6 "
    "of 198 now, 5 of 182 before. Five of the six had been mastered and then forgotten; three got one new question right. "
    "The spread over ten seeds is in the table of `python -m evals mastery`, without the app.",
    "",
    "The rows of the two models are without the app, over thousands of learners. In whole chapters the diagnostic "
    "misses for those who know things here and there: with guesses in 20%, six questions about up to twelve concepts "
    "that hardly lean on each other tell too little. With guesses in 12%, as where a term must be typed, both goals "
    "were reached (.870 and .862), and without slips and guesses .945 and .947.",
)
