"""python -m evals.simulation: check the mastery model and the diagnostic against simulated learners."""

from collections.abc import Sequence
from statistics import fmean

from evals.report import Report, Row, goal, machine
from evals.simulation.diagnostic import order_violations, readers, run_diagnostics, samplers
from evals.simulation.mastery import SURE_CHANCE, plain_share, run_topics
from evals.simulation.sample import sample_graph

_TOPICS = 2000
_SEED = 11  # the model's parameters were chosen on other seeds


def mastery_report() -> Report:
    """Topics of one to four concepts, quizzes of four questions, at most five rounds."""
    rows: list[Row] = []
    for concepts in (1, 2, 3, 4):
        ours = run_topics(_TOPICS, concepts=concepts, seed=_SEED)
        plain = run_topics(_TOPICS, concepts=concepts, seed=_SEED, judge=plain_share)
        size = f"{concepts} concept{'s' if concepts > 1 else ''}"
        rows += [
            Row(
                measure=f"{size}: said of masters / true chance of their next answer",
                value=f"{fmean(ours.master_said):.3f} / {fmean(ours.master_true):.3f}",
            ),
            goal(
                f"{size}: masters with a true chance below {SURE_CHANCE:g}",
                ours.mastered_too_early,
                at_most=0.05,
            ),
            Row(
                measure=f"{size}: calibration error over all said, and of the plain share",
                value=f"{ours.calibration_error():.3f}, {plain.calibration_error():.3f}",
            ),
            Row(
                measure=f"{size}: topics mastered in five rounds, and by the plain share of right answers",
                value=f"{ours.topics_mastered / ours.topics:.2f}, {plain.topics_mastered / plain.topics:.2f}",
            ),
            Row(
                measure=f"{size}: questions a mastered concept",
                value=f"{ours.questions_a_mastered_concept:.1f}",
            ),
        ]
    return Report(
        name="Mastery: simulated learners",
        command="python -m evals.simulation",
        rows=rows,
        notes=_MASTERY_NOTES,
    )


def diagnostic_report() -> Report:
    """The sample course: topics of three concepts, and whole chapters."""
    graph = sample_graph()
    chapters: list[Sequence[str]] = [graph.chapter(chapter) for chapter in graph.chapter_ids]
    threes = [chapter[start : start + 3] for chapter in chapters for start in range(0, len(chapter), 3)]
    rows: list[Row] = []
    for size, topics, each in (("topics of three", threes, 40), ("whole chapters", chapters, 100)):
        for population in (readers, samplers):
            figures = run_diagnostics(graph, topics, population=population, learners_a_topic=each, seed=_SEED)
            name = f"{size}, {population.__name__}"
            rows += [
                goal(f"{name}: gap recall", figures.recall, at_least=0.85),
                goal(f"{name}: gap precision", figures.precision, at_least=0.85),
                Row(measure=f"{name}: questions", value=f"{figures.probes_a_learner:.2f}"),
            ]
    violations = order_violations(graph, plans=500, seed=_SEED)
    rows.append(goal("order violations in 500 paths", violations, at_most=0, shown=str(violations)))
    return Report(
        name="Diagnostic and path: simulated learners",
        command="python -m evals.simulation",
        rows=rows,
        notes=_DIAGNOSTIC_NOTES,
    )


_MASTERY_NOTES = (
    "A third each: weak (an explanation works in 30%, slips 15%), average (50%, 10%), strong (75%, 5%). "
    "Questions of all kinds and difficulties; a guess is right in 10% (open), 25% (four options) or 50% (true/false).",
)
_DIAGNOSTIC_NOTES = (
    "Learners slip in 10% and guess right in 20%, and know nothing without its prerequisites. Readers have read up "
    "to some point; samplers know concepts here and there.",
)


def main() -> None:
    """Print both tables."""
    print(machine(), mastery_report().as_markdown(), diagnostic_report().as_markdown(), sep="\n\n")


if __name__ == "__main__":
    main()
