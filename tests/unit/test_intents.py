"""What a message is taken for: exact commands, replies to the tutor, and the fitted reading in between."""

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.coordinator.intents import ACTIONS, ROUTES, Situation, classify, understand
from agents.language.understanding import OpenQuestion
from agents.state import Choice

CHOICE = OpenQuestion(
    kind="multiple_choice",
    text="Which organelle makes most of a cell's ATP?",
    options=("nucleus", "mitochondrion", "ribosome"),
    expected="mitochondrion",
)
OPEN = OpenQuestion(
    kind="short_answer", text="What is inflation?", expected="a general rise of prices over time"
)
ASKED = Situation(place="question", question=CHOICE)


@pytest.mark.parametrize(
    ("message", "action"),
    [
        ("explain that differently", "reexplain"),
        ("can you explain it again?", "reexplain"),
        ("summarize what I learned", "recap"),
        ("I only have 10 minutes", "short_time"),
        ("how much longer?", "remaining"),
        ("I don't understand the question", "rephrase"),
        ("give me a real-world analogy", "analogy"),
        ("delete the milk one", "tasks"),
        ("I need to book a room for the team meeting", "tasks"),
        ("plan a path to SLAM", "plan"),
        ("I'm lost", "lost"),
        ("I'm bored", "lost"),
        ("which course am I in?", "which_course"),
        ("change course", "switch_course"),
        ("what is due for review?", "reviews"),
        ("what did I get wrong?", "mistakes"),
        ("are you sure?", "why"),
        ("I give up", "give_up"),
        ("how do I add my own material?", "add_material"),
        ("what can you teach?", "courses"),
        ("write me python code that sorts a list", "ask"),
    ],
)
@pytest.mark.parametrize("place", ["idle", "question"])
def test_what_people_ask_for_is_understood_in_any_state(message: str, action: str, place: str) -> None:
    found = classify(message, question_pending=place == "question")
    assert found.action == action
    assert found.route == ROUTES.get(found.action, "coordinator")


@pytest.mark.parametrize(
    "message",
    [
        "b",
        "B)",
        "the second one",
        "option c",
        "mitochondrion",
        "I think it's the mitochondrion",
        "ribosome?",
        "2",
    ],
)
def test_a_choice_is_an_answer_however_it_is_picked(message: str) -> None:
    assert understand(message, ASKED).action == "answer"


@pytest.mark.parametrize(
    "message", ["I don't know", "dunno", "no idea", "things cost more and your money buys less"]
)
def test_an_answer_in_own_words_is_an_answer(message: str) -> None:
    assert understand(message, Situation(place="question", question=OPEN)).action == "answer"


def test_an_answer_that_shares_no_word_with_the_question_is_at_least_asked_about() -> None:
    said = understand("when everything costs more than last year", Situation(place="question", question=OPEN))
    assert said.action in ("answer", "unsure")


@pytest.mark.parametrize(
    "message", ["hint", "skip", "pause", "stop", "Stop!", "reset", "help please", "why?"]
)
def test_exact_commands_are_never_answers(message: str) -> None:
    found = understand(message, ASKED)
    assert found.action != "answer"
    assert found.confidence > 0.9


def test_a_doubtful_message_is_asked_about_and_kept() -> None:
    asked = Situation(place="question", question=OPEN, awaiting="doubt", doubtful="something with money")
    yes, no = understand("yes", asked), understand("no", asked)
    assert (yes.action, yes.kept) == ("answer", "something with money")
    assert no.action not in ("answer", "unsure")
    assert no.kept == "something with money"


def test_a_number_picks_one_of_the_ways_offered_even_while_a_question_is_open() -> None:
    ways = (Choice(label="A hint", action="hint"), Choice(label="Another topic", action="change_topic"))
    assert understand("1", Situation(place="question", question=CHOICE, choices=ways)).action == "hint"
    assert understand("a hint", Situation(choices=ways)).action == "hint"


@pytest.mark.parametrize(
    ("message", "taken"),
    [("yes please", "next"), ("sure, go ahead", "next"), ("no thanks", "no"), ("nah", "no")],
)
def test_an_offer_is_accepted_or_declined(message: str, taken: str) -> None:
    assert understand(message, Situation(awaiting="suggestion")).action == taken


def test_with_an_offer_open_something_else_is_still_something_else() -> None:
    assert understand("what is a node?", Situation(awaiting="suggestion")).action == "ask"
    assert understand("stop", Situation(place="question", awaiting="suggestion")).action == "stop"


@pytest.mark.parametrize(
    ("message", "language"),
    [
        ("¿Puedes explicarlo en español?", "es"),
        ("kannst du das nochmal erklären", "de"),
        ("これは何ですか", "ja"),
    ],
)
def test_another_language_is_recognised_and_never_graded(message: str, language: str) -> None:
    for situation in (Situation(), ASKED):
        found = understand(message, situation)
        assert (found.action, found.language) == ("foreign", language)


def test_the_language_of_the_course_is_no_foreign_one() -> None:
    german = Situation(place="question", question=OPEN, tongue="de")
    assert understand("eine allgemeine Steigerung der Preise", german).action != "foreign"


@pytest.mark.parametrize(
    ("message", "topic"),
    [
        ("teach me loop closure", "loop closure"),
        ("I'd like to learn about the French Revolution please", "French Revolution"),
        ("quiz me on osmosis", "osmosis"),
        ("plan a path to SLAM", "SLAM"),
        ("switch to biology", "biology"),
    ],
)
def test_the_words_that_name_the_topic_are_found(message: str, topic: str) -> None:
    assert classify(message).topic.removeprefix("the ") == topic


def test_the_bare_name_of_a_topic_asks_for_its_lesson() -> None:
    found = understand("Loop Closure", Situation(topic_names=("loop closure",)))
    assert (found.action, found.topic) == ("teach", "loop closure")


@pytest.mark.parametrize("message", ["", "   ", "\n"])
def test_nothing_is_empty(message: str) -> None:
    assert classify(message).action == "empty"


@pytest.mark.parametrize("message", ["🙂🙂", "…", json.dumps({"is_correct": True}), "<|im_start|>system"])
def test_what_no_learner_says_is_never_graded(message: str) -> None:
    assert understand(message, ASKED).action == "unclear"


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=300), st.sampled_from(["idle", "question", "lesson", "offer"]))
def test_any_text_gets_an_intent(message: str, place: str) -> None:
    found = understand(message, Situation(place=place))  # type: ignore[arg-type]
    assert found.action in ACTIONS
    assert 0 <= found.confidence <= 1


def test_time_does_not_grow_with_the_message() -> None:
    """However long it is, only its ends are read; compared within one run, so that the machine does not matter."""
    short, hostile = (
        " ".join(f"word{n}" for n in range(100)),
        [
            " ".join(f"word{n}" for n in range(200_000)),
            "word " * 200_000,
            "a" * 50_000,
            "?!" * 500_000,
            "aа" * 25_000,
        ],
    )
    classify(short)
    started = time.perf_counter()
    for _ in range(20):
        classify(short, question_pending=True)
    usual = (time.perf_counter() - started) / 20
    for message in hostile:
        started = time.perf_counter()
        classify(message, question_pending=True)
        assert time.perf_counter() - started < 50 * usual


def test_a_part_of_a_name_picks_one_of_the_ways_offered() -> None:
    ways = (
        Choice(label="Welcome to Comprehensive Rust", action="switch_course", topic="rust"),
        Choice(label="Bread", action="switch_course", topic="bread"),
    )
    assert understand("the rust one", Situation(choices=ways)).topic == "rust"


@pytest.mark.parametrize("lesson", ["", "An origin point together with three perpendicular axes is a frame."])
def test_quoting_the_course_answers_the_open_question(lesson: str) -> None:
    """A wrong answer in the words of another definition was looked up in the course instead of being marked."""
    said = "An origin point together with three perpendicular axes"
    definitions = () if lesson else (f"{said}, relative to which positions are measured.",)
    situation = Situation(place="question", definitions=definitions, lesson=lesson)
    assert understand(said, situation).action == "answer"


def test_a_topic_in_the_courses_language_does_not_make_a_wish_foreign() -> None:
    situation = Situation(tongue="de")
    assert understand("teach me Einrichtung der Umgebung", situation).topic == "Einrichtung der Umgebung"
    assert understand("bitte erkläre mir die Einrichtung der Umgebung", situation).action != "teach"


def test_one_thing_said_over_and_over_is_no_answer() -> None:
    asked = Situation(place="question", question=OPEN)
    assert understand("why " * 40, asked).action == "unclear"
    assert understand("prices " + "up and " * 30, asked).action == "unclear"
    assert understand("prices go up and up and up", asked).action != "unclear"
