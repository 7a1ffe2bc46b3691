"""The eval sets hold with the embedded model, repeat exactly, and notice when a rule is broken."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from google.adk.evaluation.evaluation_generator import EvaluationGenerator
from google.adk.events.event import Event
from google.genai import types

from agents.coordinator.intents import Intent, understand
from agents.coordinator.offline import CourseQuestion, GroundedAnswer, grounded_answer
from agents.quiz.offline import render_question
from agents.services import Services
from agents.settings import load_settings
from agents.teaching.mastery import TopicMastery, topic_mastery
from agents.teaching.values import QuizQuestion
from evals.metrics.heard import heard
from evals.metrics.stored import EVAL_SESSION, stored_conversation
from evals.runner import HERE, CaseResult, load_set, offline_sets, run_cases
from evals.stage import Stage
from tests.support.talk import Learner

Run = Callable[..., list[CaseResult]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """Plays cases on one data folder, as often as it is asked to."""
    monkeypatch.setenv("TUTOR_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("TUTOR_MODEL", "embedded")

    async def play(file: Path, only: list[str]) -> list[CaseResult]:
        stage = Stage(Services(load_settings()))
        try:
            return await run_cases(stage, load_set(file), only=only)
        finally:
            await stage.close()

    def run(file: Path, *only: str) -> list[CaseResult]:
        return asyncio.run(play(file, list(only)))

    return run


@pytest.mark.parametrize("file", offline_sets(), ids=lambda file: file.name.split(".")[0])
def test_every_case_passes(run: Run, file: Path) -> None:
    results = run(file)
    assert results
    assert {result.eval_id: result.failed for result in results if result.failed} == {}


@pytest.mark.parametrize("name", ["tasks"])
def test_a_second_run_on_the_same_data_has_the_same_result(run: Run, name: str) -> None:
    """Nothing that a learner of an earlier run did may show."""
    file = HERE / f"{name}.evalset.json"
    assert run(file) == run(file)


@pytest.mark.parametrize(
    ("user_id", "session_id", "greeting"),
    [
        ("eval-ada", f"{EVAL_SESSION}1", "Welcome. I'm your tutor"),
        ("eval-ada", "s1", "Welcome back."),
        ("ada", f"{EVAL_SESSION}1", "Welcome back."),
    ],
)
async def test_whoever_was_judged_is_forgotten_if_it_was_an_eval_learner_in_an_eval_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, user_id: str, session_id: str, greeting: str
) -> None:
    monkeypatch.setenv("TUTOR_DATA_DIR", str(tmp_path / "data"))
    learner = await Learner(tmp_path, user_id=user_id, session_id=session_id).begin()
    events = (await learner.say("teach me URDF")).events
    said = Event(author="user", invocation_id=events[0].invocation_id, content=words("teach me URDF"))
    await learner.close()
    [turn] = EvaluationGenerator.convert_events_to_eval_invocations([said, *events])
    assert await stored_conversation([heard(turn)], key=(session_id, user_id))
    again = await Learner(tmp_path, user_id=user_id, session_id="another").begin()
    assert (await again.say("hello")).text.startswith(greeting)
    await again.close()


def words(text: str) -> types.Content:
    return types.Content(role="user", parts=[types.Part(text=text)])


def failed(results: list[CaseResult]) -> set[str]:
    return {metric for result in results for metric in result.failed}


def test_a_threshold_that_is_ignored_is_noticed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def lenient(*args: Any, **options: Any) -> TopicMastery:
        return replace(topic_mastery(*args, **options), mastered=True)

    monkeypatch.setattr("agents.feedback.brief.topic_mastery", lenient)
    results = run(HERE / "learning.evalset.json", "one-slip-brings-another-cycle")
    assert "mastery_gate_right" in failed(results)


def test_a_threshold_that_is_never_reached_is_noticed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def strict(*args: Any, **options: Any) -> TopicMastery:
        return replace(topic_mastery(*args, **options), mastered=False)

    monkeypatch.setattr("agents.feedback.brief.topic_mastery", strict)
    results = run(HERE / "learning.evalset.json", "mastered-in-two-cycles")
    assert "mastery_gate_right" in failed(results)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text.replace("[1]", "").partition("\n---\n")[0],
        lambda text: text.replace(" [1].", ".", 1),
        lambda text: "A node is an ancient sort of cheese from the mountains of Peru [1]. " + text,
        lambda text: text.replace("[1]", "[2]", 1),
    ],
    ids=["dropped", "dropped once", "invented", "of another passage"],
)
def test_a_citation_that_is_missing_or_false_is_noticed(
    run: Run, monkeypatch: pytest.MonkeyPatch, spoil: Callable[[str], str]
) -> None:
    def spoilt(brief: CourseQuestion) -> GroundedAnswer:
        answer = grounded_answer(brief)
        return replace(answer, text=spoil(answer.text))

    monkeypatch.setattr("agents.coordinator.brief.grounded_answer", spoilt)
    results = run(HERE / "answers.evalset.json", "plain-question")
    assert "citations_true" in failed(results)


def test_an_answer_in_the_question_is_noticed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def leaky(item: QuizQuestion, *, number: int, total: int) -> str:
        return f"{render_question(item, number=number, total=total)}\n\n(psst: {item.expected_answer})"

    monkeypatch.setattr("agents.quiz.brief.render_question", leaky)
    results = run(HERE / "learning.evalset.json", "mastered-in-two-cycles")
    assert "no_answer_leak" in failed(results)


def test_an_answer_in_a_hint_is_noticed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "agents.coordinator.lesson_desk.hint", lambda question, **_: f"It is {question.expected_answer}."
    )
    results = run(HERE / "interruptions.evalset.json", "wants-hints")
    assert "no_answer_leak" in failed(results)


def test_a_wrong_route_is_noticed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def astray(*args: Any, **options: Any) -> Intent:
        intent = understand(*args, **options)
        return replace(intent, route="pathplanner") if intent.route == "task_manager" else intent

    monkeypatch.setattr("agents.coordinator.brief.understand", astray)
    results = run(HERE / "tasks.evalset.json", "add-and-list")
    assert {"route_right", "tool_trajectory_avg_score"} <= failed(results)


def test_answering_what_the_course_does_not_have_is_noticed(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def vague(brief: CourseQuestion) -> GroundedAnswer:
        return replace(
            grounded_answer(brief), text="That is a good question [1].", sources=brief.passages[:1]
        )

    monkeypatch.setattr("agents.coordinator.brief.grounded_answer", vague)
    results = run(HERE / "answers.evalset.json", "off-topic")
    assert "grounded_flag_right" in failed(results)


def test_a_grade_that_is_wrong_is_noticed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from agents.teaching.grading import Grade

    always_right = Grade(is_correct=True, score=1.0, reason="", confident=True)
    monkeypatch.setattr("agents.quiz.brief.code_grade", lambda *_, **__: always_right)
    results = run(HERE / "learning.evalset.json", "one-slip-brings-another-cycle")
    assert "expectations_met" in failed(results)
