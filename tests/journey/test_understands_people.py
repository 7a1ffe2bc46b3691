"""What people really typed, and what must come of it: one journey for each row of the list they left us."""

from collections.abc import Callable
from pathlib import Path

import pytest

from agents.language.understanding import Reading
from tests.support.talk import Learner, Meet


@pytest.fixture
async def quizzed(ada: Learner) -> Learner:
    """A learner with a question open."""
    await ada.say("teach me ROS 2 topics")
    return ada


@pytest.mark.parametrize("message", ["explain that differently", "can you explain it again?"])
async def test_what_was_taught_is_explained_once_more(quizzed: Learner, message: str) -> None:
    heard = await quizzed.say(message)
    assert "I don't have information" not in heard.text
    assert "topic" in heard.text
    assert (await quizzed.question()).question_text in heard.text


@pytest.mark.parametrize(
    "message", ["can you explain visual odometry instead", "could you explain ros 2 topics another way"]
)
async def test_explaining_something_else_leaves_the_lesson_where_it_is(
    quizzed: Learner, message: str
) -> None:
    """What is named may be on another page; the page that is being taught is explained another way."""
    before = (await quizzed.state()).lesson
    heard = await quizzed.say(message)
    after = (await quizzed.state()).lesson
    assert {**after, "hints_given": 0} == before
    assert ("visual odometry" in heard.text.lower()) == ("odometry" in message)


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("can I import a robot description of my own?", "URDF"),
        ("how do I upload my own notes?", "tutor ingest"),
    ],
)
async def test_own_things_are_a_question_where_the_course_answers_it(
    ada: Learner, message: str, said: str
) -> None:
    assert said in (await ada.say(message)).text


async def test_another_way_is_not_the_same_words(quizzed: Learner) -> None:
    lesson = (await quizzed.state()).explanation
    heard = await quizzed.say("explain that differently")
    body = heard.text.split("**Sources")[0]
    assert [line for line in body.splitlines() if len(line) > 60 and line not in lesson]


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("summarize what I learned", "topic"),
        ("I only have 10 minutes", "short"),
        ("how much longer?", "question 1 of 4"),
        ("I don't understand the question", "Only one of the options fits"),
    ],
)
async def test_requests_during_a_quiz_are_served_and_not_refused(
    quizzed: Learner, message: str, said: str
) -> None:
    question = await quizzed.question()
    heard = await quizzed.say(message)
    assert "I don't have information" not in heard.text
    assert said in heard.text
    assert await quizzed.question() == question
    assert await quizzed.evidence() == []


async def test_ten_minutes_are_three_questions(quizzed: Learner) -> None:
    await quizzed.say("I only have 10 minutes")
    assert len((await quizzed.state()).quiz_questions) == 3


@pytest.mark.parametrize(
    "message",
    [
        "give me a real-world analogy",
        "let's go on with topics",
        "delete the milk one",
        "write me python code that sorts a list",
        "¿Puedes explicarlo en español?",
    ],
)
async def test_a_request_is_never_graded(quizzed: Learner, message: str) -> None:
    await quizzed.say(message)
    assert await quizzed.evidence() == []
    assert (await quizzed.state()).doubtful_message == ""


async def test_yes_after_a_task_command_grades_nothing(quizzed: Learner) -> None:
    await quizzed.say("delete the milk one")
    await quizzed.say("yes")
    assert await quizzed.evidence() == []


async def test_an_analogy_is_the_courses_own_example_and_a_plain_word(quizzed: Learner) -> None:
    heard = await quizzed.say("give me a real-world analogy")
    assert "language model" in heard.text
    assert "**Sources:**" in heard.text


async def test_spanish_is_answered_in_spanish(quizzed: Learner) -> None:
    heard = await quizzed.say("¿Puedes explicarlo en español?")
    assert "modelo de lenguaje" in heard.text
    assert (await quizzed.question()).question_text in heard.text


async def test_a_path_is_planned_and_not_defined(ada: Learner) -> None:
    heard = await ada.say("plan a path to SLAM")
    assert heard.authors == ["pathplanner"]
    assert "SLAM" in heard.text


@pytest.mark.parametrize("message", ["I'm lost", "I'm bored"])
async def test_who_is_lost_gets_ways_on_and_can_pick_one(quizzed: Learner, message: str) -> None:
    heard = await quizzed.say(message)
    assert "1. " in heard.text
    assert "2. " in heard.text
    picked = await quizzed.say("1")
    assert (await quizzed.response()).reasoning_trace.intent == "hint"
    assert (await quizzed.question()).question_text in picked.text
    assert await quizzed.evidence() == []


async def test_reviews_are_not_the_to_do_list(ada: Learner) -> None:
    await ada.say("remind me to buy milk")
    heard = await ada.say("what is due for review?")
    assert heard.authors == ["coordinator"]
    assert "milk" not in heard.text


async def test_stop_then_continue_is_the_same_question(quizzed: Learner) -> None:
    question = await quizzed.question()
    await quizzed.say("stop")
    heard = await quizzed.say("continue")
    assert question.question_text in heard.text
    assert heard.authors == ["coordinator"]


async def test_after_reset_yes_starts_nothing(ada: Learner) -> None:
    await ada.say("what should I learn next?")
    await ada.say("reset")
    heard = await ada.say("yes")
    assert heard.authors == ["coordinator"]
    assert (await ada.state()).pending_question is None


async def test_an_errand_told_in_passing_is_offered_for_the_list(ada: Learner) -> None:
    heard = await ada.say("I need to book a room for the team meeting")
    assert "book a room for the team meeting" in heard.text
    assert (await ada.response()).status == "confirmation_required"
    await ada.say("yes")
    assert "book a room for the team meeting" in (await ada.say("show my tasks")).text


async def test_two_reminders_in_one_message_are_two_tasks(ada: Learner) -> None:
    await ada.say("remind me to call mum tomorrow and remind me to buy milk on Friday")
    tasks = (await ada.say("show my tasks")).text
    assert "1. " in tasks
    assert "2. " in tasks
    assert "call mum" in tasks
    assert "buy milk" in tasks


async def test_giving_up_shows_the_answer_and_counts_as_not_known(quizzed: Learner) -> None:
    question = await quizzed.question()
    heard = await quizzed.say("I give up")
    assert question.expected_answer.lower() in heard.text.lower()
    [row] = await quizzed.evidence()
    assert not row.is_correct


async def test_are_you_sure_shows_what_the_mark_rests_on(quizzed: Learner) -> None:
    question = await quizzed.question()
    await quizzed.answer(right=False)
    heard = await quizzed.say("are you sure?")
    assert question.source_context in heard.text


async def test_what_went_wrong_is_listed(quizzed: Learner) -> None:
    question = await quizzed.question()
    await quizzed.answer(right=False)
    heard = await quizzed.say("what did I get wrong?")
    assert question.question_text in heard.text


async def test_a_doubtful_message_is_asked_about_and_the_yes_grades_it(quizzed: Learner) -> None:
    while (question := await quizzed.question()).options:  # only what is typed can be near it
        await quizzed.answer(right=True)
    before = len(await quizzed.evidence())
    heard = await quizzed.say("something near it")
    assert "as your answer?" in heard.text
    assert len(await quizzed.evidence()) == before
    assert await quizzed.question() == question
    await quizzed.say("yes")
    assert [row.learner_answer for row in await quizzed.evidence()][before:] == ["something near it"] or (
        (await quizzed.state()).self_check_answer == "something near it"
    )


async def test_a_doubtful_message_that_was_no_answer_is_not_graded(quizzed: Learner) -> None:
    await quizzed.say("something near it")
    await quizzed.say("no")
    assert await quizzed.evidence() == []


async def test_the_first_seed_scenario_answers_the_second_question(ada: Learner) -> None:
    first = await ada.say("What is Isaac Sim?")
    second = await ada.say("How do I use it for synthetic data?")
    assert "synthetic data" in second.text.split("**Sources")[0].lower()
    assert second.text.split("[1]")[0] != first.text.split("[1]")[0]
    assert "Isaac Sim" in (await ada.state()).last_question


async def test_it_is_the_topic_of_the_same_message(ada: Learner) -> None:
    await ada.say("What is Isaac Sim?")
    heard = await ada.say("What is a topic and how does it differ from a service?")
    body = heard.text.split("**Sources")[0].lower()
    assert "topic" in body
    assert "service" in body
    assert "isaac" not in body


@pytest.fixture
def two_courses(tmp_path: Path) -> Path:
    """A folder with a second course, in words that nothing was fitted on."""
    course = tmp_path / "bread baking"
    course.mkdir()
    (course / "dough.md").write_text(
        "# Dough\n\nA **poolish** is a wet pre-ferment of equal parts of flour and water that stands overnight. "
        "It gives the loaf a mild sour taste.\n\n## Proofing\n\n**Proofing** is the last rest of a shaped loaf before "
        "it is baked. A loaf that is proofed too long collapses in the oven.\n",
        encoding="utf-8",
    )
    return course


async def test_several_courses_are_offered_by_number_and_searched_in_turn(
    meet: Meet, two_courses: Path
) -> None:
    ada = await meet()
    await ada.services.ready()
    await ada.services.library.ingest([two_courses])
    heard = await ada.say("hello")
    assert "1. " in heard.text
    assert "2. " in heard.text
    place = heard.text.index("Physical AI") > heard.text.index("read")
    assert "Physical AI" in (await ada.say("2" if place else "1")).text
    answered = await ada.say("What is a poolish?")
    assert "pre-ferment" in answered.text
    assert "another course" in answered.text
    assert (await ada.state()).course != "bread-baking"


async def test_switching_by_a_part_of_the_name_and_asking_where_one_is(meet: Meet, two_courses: Path) -> None:
    ada = await meet()
    await ada.services.ready()
    await ada.services.library.ingest([two_courses])
    await ada.say("switch to bread")
    assert "read" in (await ada.say("which course am I in?")).text
    here = (await ada.state()).course
    await ada.say("change course")
    assert (await ada.state()).course != here
    await ada.say("switch to bread")
    later = await meet(session_id="s2")
    await later.say("hello")
    assert (await later.state()).course == (await ada.state()).course


async def test_a_megabyte_is_cut_and_the_question_stays(quizzed: Learner) -> None:
    question = await quizzed.question()
    heard = await quizzed.say("why " * 250_000)
    assert "very long" in heard.text
    assert await quizzed.question() == question


@pytest.fixture
def doubtful(monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, float]], None]:
    """Make the reader see these chances in every message that it has to read."""

    def see(chances: dict[str, float]) -> None:
        reading = Reading(actions=tuple(chances.items()), answer=0.0)
        monkeypatch.setattr("agents.coordinator.intents.read", lambda *_, **__: reading)

    return see


Doubtful = Callable[[dict[str, float]], None]


async def test_a_doubtful_message_that_the_course_answers_is_answered(
    ada: Learner, doubtful: Doubtful
) -> None:
    doubtful({"add_material": 0.45, "ask": 0.4, "help": 0.15})
    heard = await ada.say("hang on, what does a node do with a topic")
    assert "**Sources" in heard.text
    assert (await ada.state()).choices == []


async def test_what_may_be_several_things_is_asked_by_number_and_nothing_changes(
    ada: Learner, doubtful: Doubtful
) -> None:
    doubtful({"switch_course": 0.5, "courses": 0.3, "progress": 0.2})
    heard = await ada.say("zork blim the other flarn")
    assert [choice.action for choice in (await ada.state()).choices] == [
        "switch_course",
        "courses",
        "progress",
    ]
    assert "1. " in heard.text
    assert "3. " in heard.text
    chosen = await ada.say("2")
    assert "what I can teach" in chosen.text
    assert (await ada.state()).choices == []
    assert (await ada.state()).doubtful_message == ""


async def test_the_task_that_was_doubtful_is_written_once_it_is_chosen(
    ada: Learner, doubtful: Doubtful
) -> None:
    doubtful({"tasks": 0.5, "goal": 0.4, "ask": 0.1})
    await ada.say("add buy milk to my list")
    assert (await ada.state()).doubtful_message == "add buy milk to my list"
    assert "buy milk" in (await ada.say("1")).text.lower()


async def test_a_lesson_is_not_left_on_a_guess(quizzed: Learner, doubtful: Doubtful) -> None:
    question = await quizzed.question()
    doubtful({"change_topic": 0.5, "courses": 0.3, "ask": 0.2})
    heard = await quizzed.say("blarg that other flim")
    assert "1. " in heard.text
    assert await quizzed.question() == question
    assert await quizzed.evidence() == []
