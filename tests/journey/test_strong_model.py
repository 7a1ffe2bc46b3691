"""What a strong model can do with its tools, each a visit through the real Runner; and what reaches it, seen at the wire."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from agents.briefing import prompt
from evals.doubles.openai_server import OpenAiServer, openai_server
from storage.tasks import Tasks
from tests.support.ledger import NOW
from tests.support.talk import Learner

VAGUE = "hmm the thing with the frames and the stuff, could you maybe"  # which code does not act on
OWN_WORDS = "it passes messages on to whoever wants them"  # which code alone cannot judge
ERRANDS = "the bank, the dentist and the plumber all want a call from me"
PROMPTS = {
    "coordinator/prompt.md": {"retrieve_context", "start_topic", "take_as_answer", "help_with_question",
                              "set_pace", "show_record", "set_goal", "switch_course", "transfer_to_agent"},
    "tutor/prompt.md": {"retrieve_context"},
    "quiz/prompt.md": {"propose_questions", "give_verdict"},
    "quiz/judge.md": {"give_verdict"},  # with which the diagnostic judges, too
    "feedback/prompt.md": set[str](),
    "pathplanner/prompt.md": {"plan_path"},
    "diagnostic/prompt.md": {"give_verdict"},
    "task_manager/prompt.md": {"add_task", "list_tasks", "update_task", "complete_task", "delete_task"},
}  # fmt: skip


@pytest.fixture
def model() -> Iterator[OpenAiServer]:
    with openai_server() as server:
        yield server


@pytest.fixture
async def ada(tmp_path: Path, model: OpenAiServer) -> AsyncIterator[Learner]:
    learner = await Learner(tmp_path, TUTOR_MODEL="openai:strong", TUTOR_MODEL_URL=model.url).begin()
    learner.services.model.pause = 0.0  # type: ignore[attr-defined]
    yield learner
    await learner.close()


async def titles(ada: Learner) -> list[str]:
    return sorted(task.title for task in await Tasks(ada.services.database).list("ada", now=NOW))


async def called(ada: Learner) -> list[str]:
    return [call.tool_name for call in (await ada.response()).tool_calls]


def offered(request: dict[str, Any]) -> set[str]:
    return {each["function"]["name"] for each in request.get("tools", ())}


async def test_every_request_has_its_agents_own_instruction_and_tools(
    ada: Learner, model: OpenAiServer
) -> None:
    await ada.say("teach me ROS 2 topics")
    await ada.reply(OWN_WORDS)
    await ada.finish_quiz(right=False)
    await ada.say("What is Isaac Sim?")
    await ada.say("stop")
    await ada.say("make me a plan")
    await ada.say("where are my gaps in loop closure?")
    await ada.say("yes")
    while (await ada.state()).is_probing:
        await ada.reply(OWN_WORDS)
    model.replies["answer"] = [[("transfer_to_agent", {"agent_name": "task_manager"})]]
    await ada.say(ERRANDS)
    seen = set()
    for request in model.requests:
        system = request["messages"][0]["content"]
        [name] = [name for name in PROMPTS if prompt(name) in system]
        # ADK offers the MCP server's tools under their own names, and the hand-over to agents that have others.
        more = {"propose_questions"} if name == "quiz/judge.md" else set()
        assert PROMPTS[name] <= offered(request) <= PROMPTS[name] | more, name
        assert "transcript of what another agent did" not in str(request)
        seen.add(name)
    assert seen == set(PROMPTS)


async def test_it_searches_by_itself(ada: Learner, model: OpenAiServer) -> None:
    model.replies["answer"] = [[("retrieve_context", {"query": "What is a coordinate frame?"})]]
    heard = await ada.say(VAGUE)
    response = await ada.response()
    assert await called(ada) == ["retrieve_context"]
    assert response.grounded
    assert "**Sources:**" in heard.text


async def test_it_searches_again_where_the_first_search_does_not_hold_the_answer(
    ada: Learner, model: OpenAiServer
) -> None:
    model.replies["answer"] = [
        [("retrieve_context", {"query": "weather forecast", "top_k": 1})],
        [("retrieve_context", {"query": "What is loop closure?", "top_k": 2})],
    ]
    await ada.say(VAGUE)
    assert await called(ada) == ["retrieve_context", "retrieve_context"]
    shown = model.briefs("answer")[-1]
    assert "loop closure" in shown.lower()
    assert (await ada.response()).grounded


async def test_it_looks_again_although_code_has_looked_already(ada: Learner, model: OpenAiServer) -> None:
    model.replies["answer"] = [[("retrieve_context", {"query": "What is Gazebo?"})]]
    await ada.say("What is Isaac Sim?")
    queries = [call.parameters["query"] for call in (await ada.response()).tool_calls]
    assert queries == ["What is Isaac Sim?", "What is Gazebo?"]


async def test_it_hands_over_to_the_diagnostic(ada: Learner, model: OpenAiServer) -> None:
    model.replies["answer"] = [[("transfer_to_agent", {"agent_name": "diagnostic"})]]
    heard = await ada.say(VAGUE)
    assert heard.authors == ["diagnostic"]
    assert (await ada.state()).last_routed_to == "diagnostic"
    assert (await ada.state()).pending_question is not None


async def test_it_adds_three_tasks_in_one_message(ada: Learner, model: OpenAiServer) -> None:
    model.replies["answer"] = [[("transfer_to_agent", {"agent_name": "task_manager"})]]
    errands = ["call the bank", "call the dentist", "call the plumber"]
    model.replies["tasks"] = [
        [("add_task", {"title": title}) for title in errands],
        "All three are on your list.",
    ]
    heard = await ada.say(ERRANDS)
    assert await titles(ada) == errands
    assert "All three are on your list." in heard.text
    assert await called(ada) == ["add_task"] * 3


async def test_a_delete_is_asked_about_and_done_with_the_learners_yes(
    ada: Learner, model: OpenAiServer
) -> None:
    await ada.say("remind me to call the bank")
    [task] = await Tasks(ada.services.database).list("ada", now=NOW)
    model.replies["answer"] = [[("transfer_to_agent", {"agent_name": "task_manager"})]]
    model.replies["tasks"] = [[("delete_task", {"task_id": task.id})]]
    heard = await ada.say("that business with the bank is history, you know")
    assert await titles(ada) == ["call the bank"]
    assert (await ada.response()).status == "confirmation_required"
    assert "call the bank" in heard.text
    await ada.say("yes")
    assert await titles(ada) == []


async def test_it_plans_by_its_tool(ada: Learner, model: OpenAiServer) -> None:
    model.replies["answer"] = [[("transfer_to_agent", {"agent_name": "pathplanner"})]]
    model.replies["plan"] = [
        [("plan_path", {"goals": ["loop closure"]})],
        "This way leads there, foundations first.",
    ]
    heard = await ada.say(VAGUE)
    state = await ada.state()
    assert "This way leads there, foundations first." in heard.text
    assert state.goals == ["loop closure"]
    assert state.learning_path
    assert state.next_topic in heard.text


async def test_it_starts_a_lesson_and_looks_something_up_for_it(ada: Learner, model: OpenAiServer) -> None:
    model.replies["answer"] = [[("start_topic", {"topic": "ROS 2 topics"})]]
    model.replies["lesson"] = [[("retrieve_context", {"query": "What is a robot description?"})]]
    heard = await ada.say(VAGUE)
    assert heard.authors == ["tutor", "quiz"]
    assert await called(ada) == ["start_topic", "retrieve_context", "propose_questions"]
    assert "robot description" in model.briefs("lesson")[-1].lower()
    assert (await ada.response()).grounded


async def test_it_takes_a_message_as_an_answer_and_gives_its_verdict(
    ada: Learner, model: OpenAiServer
) -> None:
    await ada.say("teach me ROS 2 topics")
    model.replies["answer"] = [[("take_as_answer", {})]]
    model.replies["judge"] = [
        [("give_verdict", {"verdict": verdict, "to_learner": "That is the point of it."})]
        for verdict in ("right", "wrong")  # the second time it is asked about something else
    ]
    heard = await ada.say("Das leitet Nachrichten an alle weiter, die sie haben wollen")
    assert "That is the point of it." in heard.text
    assert "Question 2 of" in heard.text


async def test_it_shows_the_record_that_code_keeps(ada: Learner, model: OpenAiServer) -> None:
    model.replies["answer"] = [
        [("show_record", {"about": "progress"}), ("show_record", {"about": "courses"})]
    ]
    before = len(model.requests)
    heard = await ada.say(VAGUE)
    assert "have not answered" in heard.text or "nothing" in heard.text.lower() or "mastered" in heard.text
    assert "Physical AI" in heard.text
    assert len(model.requests) == before + 1  # what code says needs no second telling


async def test_questions_that_are_not_usable_go_back_once_named_and_the_sound_ones_stay(
    ada: Learner, model: OpenAiServer
) -> None:
    sound = {
        "question_text": "What is a publisher for?", "concept_name": "publisher", "kind": "short_answer",
        "expected_answer": "It sends messages to a topic.", "difficulty": "easy", "passage": 1,
        "source_context": "A publisher is the part of a node that sends messages to a topic.",
    }  # fmt: skip
    broken = {**sound, "question_text": "Which one is it?", "kind": "multiple_choice", "options": ["a", "b"]}
    mended = {
        **sound,
        "question_text": "To what does a publisher send messages?",
        "expected_answer": "to a topic",
    }
    model.replies["quiz"] = [
        [("propose_questions", {"questions": [sound, broken]})],
        [("propose_questions", {"questions": [mended]})],
    ]
    await ada.say("teach me ROS 2 topics")
    told = model.requests[-1]["messages"][-1]
    assert (told["role"], "Which one is it?" in told["content"]) == ("tool", True)
    asked = [question.question_text for question in (await ada.state()).quiz_questions]
    assert {sound["question_text"], mended["question_text"]} <= set(asked)
    assert "Which one is it?" not in asked


async def test_it_keeps_a_goal_and_the_way_to_it(ada: Learner, model: OpenAiServer) -> None:
    model.replies["answer"] = [[("set_goal", {"goal": "loop closure"})]]
    heard = await ada.say(VAGUE)
    assert heard.authors == ["pathplanner"]
    assert await ada.services.learners.goals("ada", course=(await ada.state()).course) == ["loop closure"]


async def test_endless_calls_end_at_the_limit_with_the_offline_way(
    tmp_path: Path, model: OpenAiServer
) -> None:
    ada = await Learner(
        tmp_path, TUTOR_MODEL="openai:strong", TUTOR_MODEL_URL=model.url, TUTOR_MAX_LLM_CALLS="4"
    ).begin()
    model.replies["answer"] = [[("retrieve_context", {"query": "What is a node?"})]] * 9
    heard = await ada.say("What is a node?")
    await ada.close()
    assert len(model.requests) == 4
    assert "My language model did not answer" in heard.text
    assert "[1]" in heard.text
