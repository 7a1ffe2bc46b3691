"""How the tutor takes what people say between lessons: asking on, asking why, asking who, asking oddly."""

import re

import pytest
from google.genai import types

from agents.conversation import agent_session_of
from agents.coordinator.desk import HELP
from tests.support.talk import Learner


def _sentences(answer: str) -> set[str]:
    """What the course says in it: a paragraph has its mark behind it."""
    paragraphs = answer.split("---\n**Sources", maxsplit=1)[0].split("\n\n")
    quoted = (re.sub(r" ?\[\d\]|\*\*", "", each) for each in paragraphs if re.search(r"\[\d\]", each))
    return {sentence for each in quoted for sentence in re.split(r"(?<=\.) ", each.strip())}


async def test_a_shouted_question_is_answered_like_any_other(ada: Learner) -> None:
    heard = await ada.say("WHAT IS A TOPIC???")
    assert heard.text.startswith("A **topic** is a named channel")


@pytest.mark.parametrize(
    ("ask_on", "places"), [("tell me more", 3), ("go on", 3), ("say it in another way", 2)]
)
async def test_asking_on_brings_what_was_not_said_yet(ada: Learner, ask_on: str, places: int) -> None:
    said = _sentences((await ada.say("what is a topic?")).text)
    for _ in range(places):
        more = _sentences((await ada.say(ask_on)).text)
        assert more
        assert not more & said
        said |= more


@pytest.mark.parametrize(
    "ask_why", ["why is the answer that?", "why was my answer wrong?", "what's wrong with that?"]
)
async def test_asking_why_the_answer_is_so_shows_the_passage_behind_the_mark(
    ada: Learner, ask_why: str
) -> None:
    await ada.say("quiz me on topics")
    question = await ada.question()
    await ada.answer(right=False)
    heard = await ada.say(ask_why)
    assert heard.text.startswith("You said")
    assert question.source_context in heard.text


@pytest.mark.parametrize("ask_who", ["who are you?", "are you a bot?", "what are you?"])
async def test_the_tutor_says_honestly_what_it_is(ada: Learner, ask_who: str) -> None:
    heard = await ada.say(ask_who)
    assert "I'm a tutor program, not a person" in heard.text


@pytest.mark.parametrize(
    ("pick", "topic"),
    [
        ("start with the first one", "ROS 2 basics: nodes, graph and discovery"),
        ("ok, let's do step 2", "Topics, messages and quality of service"),
        ("the one about coordinate frames", "Coordinate frames and tf2"),
    ],
)
async def test_a_step_of_the_plan_can_be_picked(ada: Learner, pick: str, topic: str) -> None:
    await ada.say("what should I learn next?")
    heard = await ada.say(pick)
    assert heard.authors == ["tutor", "quiz"]
    assert (await ada.state()).current_topic == topic


async def test_a_plan_leads_to_the_goal_of_the_same_message(ada: Learner) -> None:
    heard = await ada.say("I want to understand loop closure, make me a plan")
    assert heard.authors == ["pathplanner"]
    assert "Your way to **loop closure**" in heard.text


async def test_few_words_are_a_task_command_when_such_a_task_is_open(ada: Learner) -> None:
    await ada.say("add task write the lab report")
    await ada.say("what is a node?")
    heard = await ada.say("I finished the lab report")
    assert "marked 'write the lab report' as completed" in heard.text


@pytest.mark.parametrize("command", re.findall(r"\*\*(progress|why [^*]+|reset)\*\*", HELP))
async def test_what_the_help_names_is_understood(ada: Learner, command: str) -> None:
    assert "I don't have information" not in (await ada.say(command)).text


async def test_an_unknown_topic_gets_what_the_course_covers(ada: Learner) -> None:
    heard = await ada.say("teach me French cooking")
    assert "I don't have information about French cooking" in heard.text
    assert "Topics, messages and quality of service" in heard.text
    assert (await ada.state()).learning_phase == ""


async def test_a_topic_under_another_name_gets_the_nearest_one_and_yes_takes_it(ada: Learner) -> None:
    heard = await ada.say("teach me about phony photographs")
    assert "nearest is **Isaac Sim and synthetic data**" in heard.text
    assert (await ada.response()).status == "clarification_needed"
    taken = await ada.say("yes")
    assert taken.authors == ["tutor", "quiz"]
    assert (await ada.state()).current_topic == "Isaac Sim and synthetic data"


async def test_a_one_off_question_is_answered_with_sources_and_a_follow_up_is_understood(
    ada: Learner,
) -> None:
    await ada.say("What is Isaac Sim?")
    first = await ada.response()
    heard = await ada.say("How do I use it for synthetic data?")
    response = await ada.response()
    assert first.grounded
    assert "**Sources:**" in heard.text
    assert response.citations[0].chapter_id == "module-3-simulation/ch3-isaac-sim"
    assert "Isaac Sim" in response.tool_calls[0].parameters["query"]


async def test_a_command_is_not_what_a_later_it_means(ada: Learner) -> None:
    await ada.say("hint")
    heard = await ada.say("is this on the exam?")
    assert "hint" not in heard.text.lower()


async def test_reset_forgets_the_conversation_and_keeps_the_session(ada: Learner) -> None:
    async def history() -> list[str]:
        turns = await ada.services.sessions.turns("ada", session_id="s1")
        view = agent_session_of(turns, system="Be kind.", max_history=20)
        return [message.content for message in view.conversation_history if not message.function_response]

    await ada.say("What is Isaac Sim?")
    await ada.say("reset")
    assert await history() == ["Be kind."]
    await ada.say("How do I use it?")
    assert (await history())[:2] == ["Be kind.", "How do I use it?"]
    response = await ada.response()
    assert "Isaac Sim" not in str([call.parameters for call in response.tool_calls])
    assert response.turn_number == 3


async def test_a_bare_why_after_a_mark_shows_the_passage_behind_it(ada: Learner) -> None:
    await ada.say("teach me ROS 2 topics")
    marked = await ada.question()
    await ada.answer(right=False)
    heard = await ada.say("why?")
    assert marked.question_text in heard.text
    assert marked.source_context in heard.text
    assert len(await ada.evidence()) == 1


async def test_a_bare_why_after_the_progress_shows_the_evidence(ada: Learner) -> None:
    await ada.say("teach me ROS 2 topics")
    await ada.answer(right=True)
    await ada.say("show my progress")
    heard = await ada.say("why?")
    assert "This is what I base it on" in heard.text


async def test_somebody_who_lost_the_thread_hears_where_they_were(ada: Learner) -> None:
    await ada.say("teach me ROS 2 topics")
    await ada.say("stop")
    heard = await ada.say("where were we?")
    assert (await ada.question()).question_text in heard.text


@pytest.mark.parametrize("message", ["   ", "x" * 100_000, "🤖", "¿Qué es un nodo?", "[1, 2, 3]"])
async def test_odd_messages_get_a_sentence_and_the_next_turn_works(ada: Learner, message: str) -> None:
    assert (await ada.say(message)).text.strip()
    assert (await ada.say("teach me ROS 2 topics")).authors == ["tutor", "quiz"]


async def test_a_picture_instead_of_words_gets_a_sentence(ada: Learner) -> None:
    heard = await ada.send([types.Part.from_bytes(data=b"\x89PNG", mime_type="image/png")])
    assert heard.text.strip()
    assert (await ada.say("hello")).text.strip()


async def test_a_recap_tells_what_was_right_and_what_to_look_at_again(ada: Learner) -> None:
    assert "haven't worked on anything yet" in (await ada.say("summarize what I learned")).text
    await ada.say("teach me ROS 2 topics")
    names = []
    for right in (True, False):
        names.append((await ada.question()).concept_name)
        await ada.answer(right=right)
    heard = await ada.say("summarize what I learned")
    assert "1 of 2 answers were right" in heard.text
    assert f"What you got right: **{names[0]}**" in heard.text
    assert f"To look at again: **{names[1]}**" in heard.text


async def test_asking_why_after_an_answer_shows_the_passages_that_it_rests_on(ada: Learner) -> None:
    await ada.say("what is a node?")
    heard = await ada.say("why do you say that?")
    cited = (await ada.response()).citations
    assert "this is what it rests on" in heard.text
    assert "> " in heard.text
    assert cited == () or cited[0].title in heard.text


async def test_who_has_little_time_is_offered_a_short_round_and_gets_it(ada: Learner) -> None:
    heard = await ada.say("I only have 10 minutes")
    assert "short round" in heard.text
    assert (await ada.say("yes please")).authors == ["tutor", "quiz"]
    assert 0 < len((await ada.state()).quiz_questions) <= (await ada.state()).quiz_length == 3


async def test_how_much_is_left_is_told_in_the_diagnostic_too(ada: Learner) -> None:
    assert "You have mastered 0 of" in (await ada.say("how much is left?")).text
    await ada.say("where are my gaps in loop closure?")
    question = await ada.question()
    heard = await ada.say("how many questions are left?")
    assert "six at most" in heard.text
    assert await ada.question() == question
