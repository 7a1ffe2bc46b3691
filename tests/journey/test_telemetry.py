"""What OpenTelemetry is told of a turn: ADK's own spans explain it, counters add it up."""

from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from google.adk.telemetry import node_tracing, tracing
from opentelemetry import metrics
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from agents.plugins.recorder import HandOvers
from tests.support.talk import Learner

Attributes = Mapping[str, Any]


class Listener:
    """A tracer and a meter of the test's own, in the place of the process's."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._spans, self._reader = InMemorySpanExporter(), InMemoryMetricReader()
        tracer = TracerProvider()
        tracer.add_span_processor(SimpleSpanProcessor(self._spans))
        for module in (tracing, node_tracing):
            monkeypatch.setattr(module, "tracer", tracer.get_tracer("test"))
        self._meter = MeterProvider([self._reader], shutdown_on_exit=False)
        monkeypatch.setattr(metrics, "get_meter", self._meter.get_meter)

    def spans(self, name: str) -> list[Attributes]:
        return [_attributes(span) for span in self._spans.get_finished_spans() if span.name == name]

    def turn(self) -> Attributes:
        """The span of the last turn."""
        return self.turns()[-1]

    def turns(self) -> list[Attributes]:
        """The outermost span of every turn, whatever this version of ADK's schema calls it."""
        return [_attributes(span) for span in self._spans.get_finished_spans() if span.parent is None]

    def ours(self) -> list[Any]:
        """The value of every attribute that we set."""
        found = [_attributes(span) for span in self._spans.get_finished_spans()]
        return [value for each in found for key, value in each.items() if key.startswith("tutor.")]

    def points(self, name: str) -> list[tuple[Attributes, Any]]:
        data = self._reader.get_metrics_data()
        metrics = [
            metric
            for found in data.resource_metrics
            for scope in found.scope_metrics
            for metric in scope.metrics
        ]
        return [
            (dict(point.attributes or {}), point)
            for metric in metrics
            if metric.name == name
            for point in metric.data.data_points
        ]

    def counts(self, name: str, *keys: str) -> dict[tuple[Any, ...], float]:
        return {tuple(each[f"tutor.{key}"] for key in keys): point.value for each, point in self.points(name)}


def _attributes(span: ReadableSpan) -> Attributes:
    return dict(span.attributes or {})


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch) -> Listener:
    return Listener(monkeypatch)


@pytest.fixture
async def learner(tmp_path: Path, listener: Listener) -> AsyncIterator[Learner]:
    ada = await Learner(tmp_path).begin()
    yield ada
    await ada.close()


async def test_the_span_of_a_turn_says_where_it_went_and_why(learner: Learner, listener: Listener) -> None:
    await learner.say("teach me ROS 2 topics")
    turn, response = listener.turn(), await learner.response()
    assert turn["tutor.route"] == "learning_loop"
    assert turn["tutor.intent"] == "teach"
    assert turn["tutor.confidence"] == response.reasoning_trace.confidence > 0
    assert (turn["tutor.topic"], turn["tutor.cycle"], turn["tutor.phase"]) == ("topic", 1, "quiz")
    assert (turn["tutor.question"], turn["tutor.questions"]) == (1, 4)
    assert (turn["tutor.status"], turn["tutor.grounded"]) == ("success", True)
    assert turn["tutor.citations"] == len(response.citations)
    assert turn["tutor.tokens"] == response.tokens_used > 0
    assert turn["tutor.model_calls"] == 0
    assert turn["tutor.seconds"] > 0


async def test_a_question_stays_with_the_coordinator_and_names_its_tool(
    learner: Learner, listener: Listener
) -> None:
    await learner.say("what is a node?")
    turn = listener.turn()
    assert (turn["tutor.route"], turn["tutor.intent"]) == ("coordinator", "ask")
    assert turn["tutor.tools"] == ("retrieve_context",)
    assert turn["tutor.passages"] > 0
    await learner.say("what is the capital of France?")
    assert listener.turn()["tutor.grounded"] is False


async def test_only_the_step_that_is_due_runs_and_tells_how_an_answer_was_judged(
    learner: Learner, listener: Listener
) -> None:
    await learner.say("teach me ROS 2 topics")
    lessons = len(listener.spans("invoke_agent tutor"))
    await learner.answer(right=True)
    assert len(listener.spans("invoke_agent tutor")) == lessons == 1
    graded = listener.spans("invoke_agent quiz")[-1]
    assert (graded["tutor.answer.correct"], graded["tutor.answer.grader"]) == (True, "code")
    assert not listener.spans("invoke_agent feedback")


async def test_a_turn_without_a_model_call_is_in_the_trace_view_too(
    learner: Learner, listener: Listener
) -> None:
    """adk web shows a turn's spans only where one of them names the invocation."""
    heard = await learner.say("hello")
    assert listener.turn()["tutor.model_calls"] == 0
    assert listener.turn()["gcp.vertex.agent.invocation_id"] == heard.events[0].invocation_id


async def test_the_turn_that_ends_a_cycle_says_how_and_shows_the_mastery(
    learner: Learner, listener: Listener
) -> None:
    await learner.say("teach me ROS 2 topics")
    await learner.finish_quiz(right=False)
    turn = listener.turn()
    assert turn["tutor.cycle.outcome"] == ("repeated",)
    assert (turn["tutor.cycle"], turn["tutor.mastery"]) == (2, (await learner.state()).mastery_score)
    # The quiz that graded the last answer, and the one that asks the next cycle's first question.
    before, after = listener.spans("invoke_agent quiz")[-2:]
    assert before["tutor.answer.correct"] is False
    assert "tutor.answer.correct" not in after


async def test_counters_add_up_turns_answers_cycles_calls_and_tokens(
    learner: Learner, listener: Listener
) -> None:
    await learner.say("teach me ROS 2 topics")
    await learner.answer(right=False)
    await learner.finish_quiz(right=True)
    await learner.say("stop")
    await learner.say("delete a task")
    assert listener.counts("tutor.turns", "route", "status") == {
        ("learning_loop", "success"): 5,
        ("coordinator", "success"): 1,
        ("task_manager", "clarification_needed"): 1,
    }
    assert listener.counts("tutor.answers", "answer.correct", "answer.grader") == {
        (False, "code"): 1,
        (True, "code"): 3,
    }
    assert listener.counts("tutor.cycles", "cycle.outcome") == {("repeated",): 1}
    [(_, calls)], [(_, tokens)] = listener.points("tutor.model_calls"), listener.points("tutor.tokens")
    assert calls.value == sum(turn["tutor.model_calls"] for turn in listener.turns())
    assert tokens.value == sum(turn["tutor.tokens"] for turn in listener.turns()) > 0
    assert sum(point.count for _, point in listener.points("tutor.turn.duration")) == 7


async def test_the_answers_of_a_diagnostic_are_counted_to_the_last(
    learner: Learner, listener: Listener
) -> None:
    await learner.say("test what I know about ROS 2 topics")
    while (await learner.state()).pending_question:
        await learner.answer(right=True)
    counted = listener.counts("tutor.answers", "answer.correct", "answer.grader")
    assert sum(counted.values()) == len(await learner.evidence()) > 0


async def test_a_turn_that_fails_is_counted_once_with_its_error(
    learner: Learner, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(HandOvers, "taken", fail)
    with pytest.raises(RuntimeError, match="full"):
        await learner.say("hello")
    assert listener.counts("tutor.turns", "route", "status") == {("coordinator", "error"): 1}
    assert listener.turn()["tutor.error"] == "RuntimeError"


async def test_nothing_that_a_learner_wrote_is_in_the_attributes(
    learner: Learner, listener: Listener
) -> None:
    await learner.say("hello, I am Zebulon and want to learn Zebulonics")
    await learner.say("remind me to call Zebulon")
    await learner.say("teach me ROS 2 topics")
    await learner.say("it is the Zebulon of the Zebulon")
    await learner.say("my goal is Zebulon engineering")
    assert listener.ours()
    assert "zebulon" not in str(listener.ours()).lower()


async def test_a_broken_state_is_told_as_it_is_healed(tmp_path: Path, listener: Listener) -> None:
    ada = await Learner(tmp_path).begin({"mastery_threshold": 7})
    await ada.say("hello")
    assert listener.turn()["tutor.status"] == "success"
    assert listener.turn()["tutor.mastery_threshold"] == 0.85
    await ada.close()
