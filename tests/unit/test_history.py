"""The model sees the last messages of a conversation, and the learner is told when they were too long."""

from google.adk.events.event import Event
from google.adk.sessions.session import Session
from google.genai import types

from agents.conversation import conversation, window


def session(*lines: tuple[str, str]) -> Session:
    events = [
        Event(author=author, content=types.Content(role="user", parts=[types.Part(text=text)]))
        for author, text in lines
    ]
    return Session(id="s", app_name="a", user_id="u", events=events)


TALK = session(("user", "one"), ("coordinator", "two"), ("user", "three"), ("tutor", "four"), ("user", "now"))


def test_the_current_message_is_not_part_of_the_history() -> None:
    assert conversation(TALK) == [
        ("user", "one"),
        ("assistant", "two"),
        ("user", "three"),
        ("assistant", "four"),
    ]


def test_what_was_before_a_reset_is_gone() -> None:
    assert conversation(TALK, since_turn=2) == [("user", "three"), ("assistant", "four")]


def test_the_window_slides_to_the_last_messages() -> None:
    kept = window(conversation(TALK), most_messages=2)
    assert kept.messages == (("user", "three"), ("assistant", "four"))
    assert not kept.was_cut


def test_a_long_conversation_loses_its_oldest_part_and_says_so() -> None:
    kept = window([("user", "x" * 400), ("assistant", "short")], most_messages=20, most_tokens=50)
    assert kept.messages == (("assistant", "short"),)
    assert kept.was_cut
