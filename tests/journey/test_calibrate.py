"""`tutor calibrate`: what was said against what came; a better fit counts, and can be undone."""

import random
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from agents.commands.learner import _lines
from agents.feedback.calibrating import calibrate, forecasts, undo, weigh
from agents.services import Services
from agents.settings import load_settings
from agents.teaching.evidence import replay
from agents.teaching.mastery import Parameters, next_answer_probability
from tests.support.ledger import ANSWER, NOW, ledger_row

OFFLINE = {
    "model": "embedded",
    "embedder": "wordllama",
    "course_dir": "",
    "database_url": "",
    "qdrant_url": "",
}


@pytest.fixture
async def services(tmp_path: Path) -> AsyncIterator[Services]:
    settings = load_settings(tmp_path).model_copy(update={**OFFLINE, "data_dir": tmp_path / "data"})
    services = Services(settings, now=lambda: NOW + timedelta(hours=2))
    await services.ready()
    yield services
    await services.close()


async def study(services: Services, *, learners: int, answers: int, knows: float = 0.9) -> None:
    """Everybody knows as much as everybody else, so a miss is a slip and says nothing: we assume otherwise."""
    rng = random.Random(5)
    for number in range(learners):
        for place in range(answers):
            concept = ("joint", "link")[place % 2]
            answer = replace(
                ANSWER,
                user_id=f"learner-{number}",
                concept_name=concept,
                question_id=f"q{place}",
                is_correct=rng.random() < knows,
                answered_at=NOW + timedelta(minutes=place),
            )
            await services.ledger.append(answer)


async def test_from_500_answers_on_a_better_fit_counts_for_everything_and_can_be_undone(
    services: Services,
) -> None:
    await study(services, learners=26, answers=20)
    report = await calibrate(services)
    kept = await services.learners.mastery("learner-1", course="ros")

    assert report.refit is not None
    assert report.refit.is_taken
    assert report.refit.after.log_loss < report.refit.before.log_loss
    assert await services.mastery_parameters() == report.refit.parameters != Parameters()
    assert (await undo(services)) == Parameters() == await services.mastery_parameters()
    again = await services.learners.mastery("learner-1", course="ros")
    assert {row.concept_name for row in kept} == {row.concept_name for row in again} == {"joint", "link"}
    assert all(a.mastery_score != b.mastery_score for a, b in zip(kept, again, strict=True))
    assert await undo(services) is None


async def test_the_table_says_what_was_said_and_what_came(services: Services) -> None:
    await study(services, learners=26, answers=20)
    text = "\n".join(_lines(await calibrate(services)))

    assert "468 forecasts, from 520 answers of 26 learners" in text
    assert "█" in text
    assert "--undo" in text


async def test_a_second_run_finds_nothing_better_and_keeps_what_it_has(services: Services) -> None:
    await study(services, learners=26, answers=20)
    first, second = await calibrate(services), await calibrate(services)

    assert first.refit is not None
    assert second.refit is not None
    assert not second.refit.is_taken
    assert await services.mastery_parameters() == first.refit.parameters


async def test_a_fit_with_which_nobody_could_master_anything_is_not_taken(services: Services) -> None:
    await study(services, learners=26, answers=20, knows=0.6)
    report = await calibrate(services)

    assert report.refit is not None
    assert report.refit.after.log_loss < report.refit.before.log_loss
    assert report.refit.fewest_after is None
    assert "would not master a topic" in "\n".join(_lines(report))
    assert await services.mastery_parameters() == Parameters()


async def test_with_fewer_answers_nothing_is_fitted(services: Services) -> None:
    await study(services, learners=4, answers=20)
    report = await calibrate(services)

    assert report.refit is None
    assert "500" in "\n".join(_lines(report))
    assert await services.mastery_parameters() == Parameters()


async def test_without_answers_there_is_nothing_to_compare(services: Services) -> None:
    assert "no forecast" in "\n".join(_lines(await calibrate(services)))


def test_a_forecast_is_made_from_what_came_before_and_void_answers_count_for_nothing() -> None:
    rows = [
        ledger_row(is_correct=number != 2, topic="", answered_at=NOW + timedelta(minutes=number))
        for number in (1, 2, 3)
    ]
    rows = [replace(row, id=number, question_id=str(number)) for number, row in enumerate(rows, 1)]
    void = replace(rows[1], id=4, action="void", amends_id=2)

    assert [came for _, came in forecasts(replay(rows))] == [False, True]
    assert [came for _, came in forecasts(replay([*rows, void]))] == [True]
    first, _ = forecasts(replay(rows))[0]
    assert first.chance(Parameters()) == pytest.approx(next_answer_probability([True]), abs=0.05)


def test_one_half_of_the_learners_alone_decides_nothing() -> None:
    found = weigh({"only one": []}, Parameters(), threshold=0.85, most_answers=20)

    assert not found.is_taken
    assert found.reason
