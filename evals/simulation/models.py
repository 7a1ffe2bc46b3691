"""The mastery model and the diagnostic by themselves, against far more learners than the app could serve."""

from collections.abc import Sequence
from statistics import fmean

from evals.report import Row, goal
from evals.simulation.diagnostic import order_violations, readers, run_diagnostics, samplers
from evals.simulation.mastery import SURE_CHANCE, plain_share, run_topics
from evals.simulation.sample import sample_graph
from evals.simulation.spread import spread

_TOPICS = 2000  # over all seeds
_PLANS = 500


def model_rows(*, seeds: Sequence[int]) -> list[Row]:
    """Both models, and the planner."""
    return [*_mastery_rows(seeds), *_diagnostic_rows(seeds)]


def _mastery_rows(seeds: Sequence[int]) -> list[Row]:
    """Topics of one to four concepts, quizzes of four questions, at most five rounds."""
    rows: list[Row] = []
    topics = _TOPICS // len(seeds)
    for concepts in (1, 2, 3, 4):
        ours = [run_topics(topics, concepts=concepts, seed=seed) for seed in seeds]
        plain = [run_topics(topics, concepts=concepts, seed=seed, judge=plain_share) for seed in seeds]
        size = f"mastery model, {concepts} concept{'s' if concepts > 1 else ''}"
        early = [run.mastered_too_early for run in ours]
        rows += [
            Row(
                measure=f"{size}: said of masters / true chance of their next answer",
                value=f"{spread([fmean(run.master_said) for run in ours])} / "
                f"{spread([fmean(run.master_true) for run in ours])}",
            ),
            goal(
                f"{size}: masters with a true chance below {SURE_CHANCE:g}",
                fmean(early),
                at_most=0.03,
                shown=spread(early),
            ),
            Row(
                measure=f"{size}: calibration error over all said, and of the plain share",
                value=f"{spread([run.calibration_error() for run in ours])}, "
                f"{spread([run.calibration_error() for run in plain])}",
            ),
            Row(
                measure=f"{size}: topics mastered in five rounds, and by the plain share of right answers",
                value=f"{spread([run.topics_mastered / run.topics for run in ours], digits=2)}, "
                f"{spread([run.topics_mastered / run.topics for run in plain], digits=2)}",
            ),
            Row(
                measure=f"{size}: questions a mastered concept",
                value=spread([run.questions_a_mastered_concept for run in ours], digits=1),
            ),
        ]
    return rows


def _diagnostic_rows(seeds: Sequence[int]) -> list[Row]:
    """The sample course: topics of three concepts, and whole chapters."""
    graph = sample_graph()
    chapters: list[Sequence[str]] = [graph.chapter(chapter) for chapter in graph.chapter_ids]
    threes = [chapter[start : start + 3] for chapter in chapters for start in range(0, len(chapter), 3)]
    rows: list[Row] = []
    for size, topics, each in (("topics of three", threes, 40), ("whole chapters", chapters, 100)):
        for population in (readers, samplers):
            found = [
                run_diagnostics(
                    graph,
                    topics,
                    population=population,
                    learners_a_topic=max(1, each // len(seeds)),
                    seed=seed,
                )
                for seed in seeds
            ]
            name = f"diagnostic model, {size}, {population.__name__}"
            recall, precision = [run.recall for run in found], [run.precision for run in found]
            rows += [
                goal(f"{name}: gap recall", fmean(recall), at_least=0.85, shown=spread(recall)),
                goal(f"{name}: gap precision", fmean(precision), at_least=0.85, shown=spread(precision)),
                Row(
                    measure=f"{name}: questions",
                    value=spread([run.probes_a_learner for run in found], digits=2),
                ),
            ]
    violations = sum(order_violations(graph, plans=_PLANS // len(seeds), seed=seed) for seed in seeds)
    rows.append(
        goal(f"order violations in {_PLANS} random plans", violations, at_most=0, shown=str(violations))
    )
    return rows
