"""The diagnostic against learners whose gaps are known, on the sample course."""

import random

import pytest

from evals.simulation.diagnostic import DiagnosticFigures, Population, readers, run_diagnostics, samplers
from evals.simulation.sample import sample_graph

GRAPH = sample_graph()
CHAPTERS = [GRAPH.chapter(chapter) for chapter in GRAPH.chapter_ids]
TOPICS = [chapter[start : start + 3] for chapter in CHAPTERS for start in range(0, len(chapter), 3)]


@pytest.mark.parametrize("population", [readers, samplers])
def test_gaps_in_a_topic_are_found_in_at_most_six_questions(population: Population) -> None:
    """Learners slip in one of ten answers and guess one of five."""
    figures = run_diagnostics(GRAPH, TOPICS, population=population, learners_a_topic=12, seed=3)

    assert figures.recall >= 0.85
    assert figures.precision >= 0.85
    assert figures.probes_a_learner <= 5.5


def test_gaps_in_whole_chapters_are_found_for_those_who_read_in_order() -> None:
    figures = run_diagnostics(GRAPH, CHAPTERS, population=readers, learners_a_topic=25, seed=3)

    assert figures.recall >= 0.83
    assert figures.precision >= 0.83


@pytest.mark.parametrize("population", [readers, samplers])
def test_simulated_learners_know_nothing_without_what_it_leans_on(population: Population) -> None:
    rng = random.Random(5)
    for _ in range(50):
        known = population(GRAPH, list(GRAPH.concepts), rng)
        assert GRAPH.closure(known) == known


def test_recall_and_precision_are_shares_of_the_true_and_the_found() -> None:
    figures = DiagnosticFigures(found=6, overlooked=2, imagined=4)

    assert (figures.recall, figures.precision) == (0.75, 0.6)
