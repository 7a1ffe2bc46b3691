"""The mastery model and the diagnostic by themselves, against far more learners than the app could serve."""

from collections.abc import Sequence
from statistics import fmean

from evals.report import Row, goal
from evals.simulation.diagnostic import order_violations, readers, run_diagnostics, samplers
from evals.simulation.mastery import SURE_CHANCE, plain_share, run_topics
from evals.simulation.sample import sample_graph

_TOPICS = 2000
_PLANS = 500


def model_rows(*, seed: int) -> list[Row]:
    """Both models, and the planner."""
    return [*_mastery_rows(seed), *_diagnostic_rows(seed)]


def _mastery_rows(seed: int) -> list[Row]:
    """Topics of one to four concepts, quizzes of four questions, at most five rounds."""
    rows: list[Row] = []
    for concepts in (1, 2, 3, 4):
        ours = run_topics(_TOPICS, concepts=concepts, seed=seed)
        plain = run_topics(_TOPICS, concepts=concepts, seed=seed, judge=plain_share)
        size = f"mastery model, {concepts} concept{'s' if concepts > 1 else ''}"
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
    return rows


def _diagnostic_rows(seed: int) -> list[Row]:
    """The sample course: topics of three concepts, and whole chapters."""
    graph = sample_graph()
    chapters: list[Sequence[str]] = [graph.chapter(chapter) for chapter in graph.chapter_ids]
    threes = [chapter[start : start + 3] for chapter in chapters for start in range(0, len(chapter), 3)]
    rows: list[Row] = []
    for size, topics, each in (("topics of three", threes, 40), ("whole chapters", chapters, 100)):
        for population in (readers, samplers):
            found = run_diagnostics(graph, topics, population=population, learners_a_topic=each, seed=seed)
            name = f"diagnostic model, {size}, {population.__name__}"
            rows += [
                goal(f"{name}: gap recall", found.recall, at_least=0.85),
                goal(f"{name}: gap precision", found.precision, at_least=0.85),
                Row(measure=f"{name}: questions", value=f"{found.probes_a_learner:.2f}"),
            ]
    violations = order_violations(graph, plans=_PLANS, seed=seed)
    rows.append(
        goal(f"order violations in {_PLANS} random plans", violations, at_most=0, shown=str(violations))
    )
    return rows
