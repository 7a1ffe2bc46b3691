"""The tutoring document as one visit: a diagnostic, rounds with mistakes until mastery, and a plan."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from itertools import pairwise, product
from typing import Any

import pytest

from agents.speaking import Move
from agents.state import SessionState
from agents.teaching.evidence import Evidence
from agents.teaching.mastery import course_mastery, is_mastered, next_answer_probability, topic_mastery
from agents.teaching.thresholds import is_enough
from agents.teaching.values import QuizQuestion
from agents.tutor.brief import TutorBrief
from tests.support.stories import Story, Told, play
from tests.support.talk import Learner, Meet, wrong_answer

TOPIC = "teach me ROS 2 topics"
PLAN = "what should I learn next?"
NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
WRITERS = {
    "coordinator": ["last_routed_to", "routing_reason"],
    "diagnostic": ["prerequisite_gaps", "diagnostic_complete", "learner_level"],
    "tutor": ["explanation", "examples_provided"],
    "quiz": ["quiz_questions", "quiz_responses", "quiz_score", "quiz_question_index"],
    "feedback": [
        "error_patterns",
        "feedback_text",
        "improvement_areas",
        "mastery_score",
        "learning_cycle_count",
    ],
    "pathplanner": ["learning_path", "path_reasoning"],
}
BLANK = SessionState().model_dump(mode="json")


def open_question(told: Told) -> QuizQuestion | None:
    return SessionState.of(told.state).pending_question


async def study(story: Story) -> None:
    learner = story.learner
    story.found["before"] = await learner.sessions.get_session(
        app_name="agents", user_id="ada", session_id="s1"
    )
    told = await story.say("find my gaps in URDF")
    while open_question(told):
        told = await story.answer("I don't know")
    told = await story.say(TOPIC)
    while question := open_question(told):
        is_first_round = told.state["learning_cycle_count"] == 0
        if is_first_round:
            await story.restart()
        told = await story.answer(wrong_answer(question) if is_first_round else question.expected_answer)
    await story.say("thanks")
    await story.say(PLAN)
    learner = story.learner
    story.found["evidence"] = await learner.evidence()
    story.found["cycles"] = await learner.services.learners.cycles("ada")
    story.found["mastery"] = await learner.services.learners.mastery("ada")
    story.found["transitions"] = await learner.transition_rows()
    ids = [question["chunk_id"] for question in asked(story)]
    story.found["passages"] = await learner.services.library.corpus.chunks_by_id(list(dict.fromkeys(ids)))


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Story:
    return play(tmp_path_factory.mktemp("study"), study)


def asked(story: Story) -> list[Mapping[str, Any]]:
    """Every question of a quiz, once."""
    found = {each["question_id"]: each for turn in story.turns for each in turn.state["quiz_questions"]}
    return list(found.values())


def written(story: Story) -> Iterator[tuple[str, str, object]]:
    """Who gave which key a new value that is not blank."""
    state: dict[str, object] = dict(BLANK)
    for turn in story.turns:
        for event in turn.events:
            for key, value in event.actions.state_delta.items():
                if key in BLANK and value != state[key]:
                    state[key] = value
                    if value != BLANK[key]:
                        yield event.author, key, value


def rounds(story: Story) -> list[Told]:
    """The turns that closed a round."""
    return [
        after
        for before, after in pairwise(story.turns)
        if after.state["learning_cycle_count"] > before.state["learning_cycle_count"]
    ]


# --- Who does what -----------------------------------------------------------------------------------


@pytest.mark.parametrize("agent", WRITERS)
def test_each_key_is_written_by_its_agent(story: Story, agent: str) -> None:
    found = list(written(story))
    for key in WRITERS[agent]:
        assert {author for author, name, _ in found if name == key} == {agent}, key


def test_the_next_topic_is_the_pathplanners(story: Story) -> None:
    assert {author for author, key, _ in written(story) if key == "next_topic"} == {"pathplanner"}


def test_the_state_is_flat_json(story: Story) -> None:
    last = story.turns[-1].state
    assert json.loads(json.dumps(last)) == last
    assert set(BLANK) <= set(last)


def test_a_new_session_waits(story: Story) -> None:
    before = story.found["before"]
    assert (before.events, dict(before.state)) == ([], {})


def test_every_message_begins_at_the_coordinator(story: Story) -> None:
    """Also the one after a diagnostic, after a round and after a plan."""
    rows = story.found["transitions"]
    assert [row.to_agent for row in rows if row.from_agent == "user"] == ["coordinator"] * len(story.turns)
    routed = [turn.state["last_routed_to"] for turn in story.turns]
    assert routed[-2:] == ["coordinator", "pathplanner"]
    assert {"diagnostic", "learning_loop"} <= set(routed)


def test_a_lesson_goes_on_with_a_new_app_before_every_turn(story: Story) -> None:
    first = [turn for turn in story.turns if turn.state["learning_cycle_count"] == 0 and turn.said != TOPIC]
    answers = [turn for turn in first if turn.state["quiz_responses"]]
    assert [len(turn.state["quiz_responses"]) for turn in answers] == list(range(1, len(answers) + 1))
    assert {turn.state["current_topic"] for turn in answers} == {story[TOPIC].state["current_topic"]}


# --- The learning cycle ------------------------------------------------------------------------------


def test_the_topic_is_what_is_being_taught(story: Story) -> None:
    state = story[TOPIC].state
    assert state["current_topic"] == "topic"
    assert state["explanation"]
    assert story[TOPIC].heard.authors == ["tutor", "quiz"]
    assert state["explanation"].split("\n")[0] in story[TOPIC].text


def test_one_question_is_asked_at_a_time(story: Story) -> None:
    texts = [question["question_text"] for question in asked(story)]
    for turn in story.turns:
        question = open_question(turn)
        shown = [text for text in texts if text in turn.text.rpartition("**Question ")[2]]
        assert len(shown) <= 1
        if question and turn.state["learning_phase"] == "quiz":
            assert question.question_text in turn.text


def test_feedback_comes_when_the_quiz_is_over(story: Story) -> None:
    with_feedback = [turn for turn in story.turns if "feedback" in turn.heard.authors]
    assert [turn.said for turn in with_feedback] == [turn.said for turn in rounds(story)]
    assert [turn.heard.authors[:2] for turn in with_feedback] == [["quiz", "feedback"]] * len(with_feedback)


def test_the_rounds_are_counted(story: Story) -> None:
    counts = [turn.state["learning_cycle_count"] for turn in rounds(story)]
    assert counts == list(range(1, len(counts) + 1))
    assert 2 <= len(counts) <= 5
    for turn in rounds(story)[:-1]:
        assert turn.heard.authors == ["quiz", "feedback", "tutor", "quiz"]
    cycles = story.found["cycles"]
    assert [(cycle.topic, cycle.cycle_number) for cycle in cycles] == [("topic", count) for count in counts]
    assert [cycle.mastery_achieved for cycle in cycles] == [False] * (len(counts) - 1) + [True]
    assert all(cycle.completed_at > cycle.started_at for cycle in cycles)


def test_mastery_escalates(story: Story) -> None:
    *before, last = rounds(story)
    assert last.state["mastery_score"] >= last.state["mastery_threshold"] == 0.85
    [feedback] = [event for event in last.events if event.author == "feedback"]
    assert feedback.actions.escalate
    assert last.state["learning_phase"] == ""
    for turn in before:
        assert turn.state["mastery_score"] < 0.85
        assert not any(event.actions.escalate for event in turn.events if event.author == "feedback")


def test_mastery_is_computed_after_every_round(story: Story) -> None:
    scores = [turn.state["mastery_score"] for turn in rounds(story)]
    assert scores == sorted(scores)
    assert 0 < scores[0] < scores[-1] <= 1


def test_the_score_of_a_round_is_in_the_state_when_it_is_over(story: Story) -> None:
    kept = [turn.state["quiz_score"] for turn in rounds(story)]
    assert kept == [cycle.quiz_score for cycle in story.found["cycles"]]


def test_a_round_with_mistakes_names_their_patterns(story: Story) -> None:
    first, *_, last = rounds(story)
    patterns, areas = first.state["error_patterns"], first.state["improvement_areas"]
    missed = {
        row.question_id for row in story.found["evidence"] if row.cycle_number == 1 and not row.is_correct
    }
    assert patterns
    assert {each for pattern in patterns for each in pattern["affected_questions"]} <= missed
    assert all(pattern["description"] and pattern["suggested_remediation"] for pattern in patterns)
    assert set(areas) <= set(first.state["topic_concepts"])
    assert areas
    [said] = [text for author, text in first.heard.messages if author == "feedback"]
    assert first.state["feedback_text"] in said
    assert (last.state["error_patterns"], last.state["improvement_areas"]) == ([], [])


def test_the_path_says_what_comes_next_and_why(story: Story) -> None:
    state = story[PLAN].state
    assert state["learning_path"]
    assert state["next_topic"] == state["learning_path"][0]
    assert state["next_topic"] in state["path_reasoning"]
    assert "topic" not in state["learning_path"]
    assert story[PLAN].heard.authors == ["pathplanner"]


# --- Questions and answers ---------------------------------------------------------------------------


def test_questions_are_made_from_passages_of_the_course(story: Story) -> None:
    passages = {each.chunk_id: each for each in story.found["passages"]}
    for question in asked(story):
        text = _letters(passages[question["chunk_id"]].chunk_text)
        assert _letters(question["source_context"]) in text
        assert question["concept_name"] in story[TOPIC].state["topic_concepts"]
        assert question["question_id"]
        assert question["expected_answer"]


def test_questions_are_about_their_concept(story: Story) -> None:
    """It, its answer, or the sentence that it was made from names the concept."""
    for question in asked(story):
        parts = [question[name] for name in ("question_text", "expected_answer", "source_context")]
        together = " ".join([*parts, *question["options"]]).casefold()
        assert question["concept_name"].casefold().rstrip("s") in together, question["question_text"]


def test_answers_are_kept_with_their_time_and_attempt(story: Story) -> None:
    by_id = {row.question_id: row for row in story.found["evidence"]}
    answered = {
        each["question_id"]: (each, turn) for turn in story.turns for each in turn.state["quiz_responses"]
    }
    assert len(answered) >= 8
    attempts = Counter(row.question_id for row in story.found["evidence"])
    for name, (answer, turn) in answered.items():
        row = by_id[name]  # the last of this question
        assert (answer["learner_answer"], answer["is_correct"]) == (row.learner_answer, row.is_correct)
        assert answer["attempt_number"] == row.attempt_number == attempts[name]
        assert 0 < answer["time_taken_seconds"] == row.time_taken_seconds < 600
        assert row.answered_at <= turn.response.timestamp


def test_answers_and_mastery_are_in_their_tables(story: Story) -> None:
    evidence, mastery = story.found["evidence"], story.found["mastery"]
    concepts = {row.concept_name for row in evidence}
    assert {row.concept_name for row in mastery} >= concepts
    mastered = {row.concept_name for row in mastery if row.mastered}
    assert mastered >= set(story[TOPIC].state["topic_concepts"])
    assert all(row.session_id == "s1" and row.user_id == "ada" for row in evidence)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


async def test_what_was_skipped_does_not_answer_the_next_question(ada: Learner) -> None:
    """Also where the next one begins another round."""
    await ada.say("teach me Isaac Sim and synthetic data")
    while not (await ada.state()).learning_cycle_count:
        skipped = (await ada.say("skip")).text.splitlines()[0].casefold()
        question = await ada.question()
        assert question.expected_answer.casefold() not in skipped, question.question_text


async def test_a_round_begins_with_its_explanation(ada: Learner, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every explanation takes the tutor a minute."""
    now, real = NOW, TutorBrief.offline
    ada.services.now = lambda: now

    async def slowly(self: TutorBrief) -> Move:
        nonlocal now
        now += timedelta(minutes=1)
        return await real(self)

    monkeypatch.setattr(TutorBrief, "offline", slowly)
    await ada.say(TOPIC)
    await ada.finish_quiz(right=False)
    first, second = await ada.services.learners.cycles("ada")
    assert first.started_at == NOW
    assert first.completed_at == second.started_at == NOW + timedelta(minutes=1)


# --- Mastery and its threshold -----------------------------------------------------------------------

SERIES = (
    "",
    "T",
    "TT",
    "TTT",
    "TTTT",
    "TTTTT",
    "TTF",
    "TTTF",
    "TTTFT",
    "FTTT",
    "FTTTT",
    "FFTTTT",
    "TTTTTTTTF",
)


def test_mastered_is_a_score_at_the_threshold() -> None:
    for series, threshold in product(SERIES, (0.5, 0.7, 0.85, 0.9)):
        outcomes = [letter == "T" for letter in series]
        reached = next_answer_probability(outcomes) >= threshold
        assert is_mastered(outcomes, threshold=threshold) == reached, (series, threshold)
        answers = [Evidence(is_correct=right, answered_at=NOW, topic="ROS 2") for right in outcomes]
        course = course_mastery({"node": answers, "topic": answers}, now=NOW)
        score = topic_mastery(course, ["node", "topic"]).score
        assert score == min(each.score for each in course.values()), series
        assert is_enough(score, threshold=threshold) == (score >= threshold), (series, threshold)


def test_every_threshold_can_be_reached() -> None:
    for threshold in (0.5, 0.7, 0.85, 0.9, 0.95, 0.97, 0.99):
        assert any(is_mastered([True] * number, threshold=threshold) for number in range(1, 2001, 25)), (
            threshold
        )


def test_who_never_knows_is_believed_to_know_nothing() -> None:
    chances = [next_answer_probability([False] * number) for number in (0, 1, 2, 4, 8, 16, 28)]
    assert chances == sorted(set(chances), reverse=True)
    assert chances[-1] < 0.1


async def test_a_lowered_threshold_is_told(meet: Meet) -> None:
    ada = await meet({"mastery_threshold": 0.5})
    heard = (await ada.say("teach me ROS 2 topics")).text
    assert (await ada.state()).mastery_threshold == 0.85
    assert re.search(r"\b85 ?%|\b0?\.85\b", heard)


async def test_who_runs_it_sets_the_threshold(meet: Meet) -> None:
    ada = await meet(TUTOR_MASTERY_THRESHOLD="0.5")
    await ada.say("hello")
    assert (await ada.state()).mastery_threshold == 0.5
    strict = await meet({"mastery_threshold": 0.7}, session_id="s2", TUTOR_MASTERY_THRESHOLD="0.5")
    await strict.say("hello")
    assert (await strict.state()).mastery_threshold == 0.7
