"""How a message is read: phrases, slips and the shape of a question."""

import pytest

from agents.coordinator.language.forms import asks
from agents.coordinator.language.messages import Message
from agents.coordinator.language.patterns import Phrase, PhraseBook
from agents.coordinator.language.replies import says_no, says_yes
from agents.coordinator.language.spelling import Speller, is_slip
from agents.coordinator.phrases import abroad, guidance, learning, quiz, talk, tasks
from agents.coordinator.phrases.groups import GROUPS

MODULES = (abroad, guidance, learning, quiz, talk, tasks)


def phrase(line: str) -> Phrase:
    return Phrase.parse(line, action="teach", groups={"ME": "me us"})


def matches(line: str, words: str) -> bool:
    return phrase(line).match(words.split(), 0, len(words.split())) is not None


@pytest.mark.parametrize(
    ("line", "said", "not_said"),
    [
        ("quiz|test ME", "test us", "test them"),
        ("next [question|one]", "next", "next topic"),
        ("teach ME {topic}", "teach me urdf joints", "teach me"),
        ("add * list", "add milk to my list", "add milk"),
        ("task <number> is done", "task second is done", "task milk is done"),
    ],
)
def test_a_phrase_takes_what_its_line_says(line: str, said: str, not_said: str) -> None:
    assert matches(line, said)
    assert not matches(line, not_said)


def test_a_phrase_keeps_the_words_of_its_slot() -> None:
    match = phrase("put {topic} on list").match("put read two pages on list".split(), 0, 6)

    assert match is not None
    assert match.kept == (1, 4)


def test_light_words_do_not_count_in_a_phrase() -> None:
    assert matches("take a break", "take break")


def test_a_book_finds_phrases_by_their_first_word_and_those_that_begin_with_a_slot() -> None:
    book = PhraseBook([phrase("teach ME {topic}"), phrase("{topic} instead")])

    found = list(book.find(["teach", "me", "urdf", "instead"], 0, 4))

    assert {match.phrase.line for match in found} == {"teach ME {topic}", "{topic} instead"}


@pytest.mark.parametrize("module", MODULES)
def test_no_phrase_is_so_light_that_it_says_nothing(module: object) -> None:
    """A line whose every word is a light word, or may be missing, would be found in any message."""
    for table in (module.ANYTIME, module.IDLE, module.PENDING):  # type: ignore[attr-defined]
        for action, lines in table.items():
            for line in filter(None, map(str.strip, lines.splitlines())):
                parsed = Phrase.parse(line, action=action, groups=GROUPS)
                assert any(part.words and not part.optional for part in parsed.parts) or "<number>" in line, (
                    line
                )


@pytest.mark.parametrize("slip", ["teahc", "teacj", "teac", "teaach"])
def test_one_wrong_letter_is_a_slip(slip: str) -> None:
    assert is_slip(slip, of="teach")


@pytest.mark.parametrize(
    ("word", "of"), [("step", "stop"), ("pauses", "pause"), ("learned", "learn"), ("node", "note")]
)
def test_another_word_and_another_form_are_no_slips(word: str, of: str) -> None:
    assert not is_slip(word, of=of)


def test_the_speller_leaves_words_it_knows() -> None:
    assert Speller({"teach", "topic"}).correct(["teahc", "topic", "frames"]) == ("teach", "topic", "frames")


@pytest.mark.parametrize(
    "text",
    [
        "how fast the robot turns",
        "where the camera is",
        "when a node crashes the others run",
        "what it sends",
    ],
)
def test_a_clause_that_opens_with_a_question_word_is_no_question_by_itself(text: str) -> None:
    assert asks(text.split(), marked=False, guessing=True) == 0


def test_short_forms_are_spelled_out_and_accents_dropped() -> None:
    assert Message.read("What's wróng, I dunno").words == ("what", "is", "wrong", "i", "do", "not", "know")


def test_a_quote_is_the_learners_own_spelling() -> None:
    message = Message.read("teach me base_link & C++ now")

    assert message.quote(2, 5) == "base_link & C"


@pytest.mark.parametrize(
    ("text", "yes", "no"), [("yes", True, False), ("not true", False, True), ("a node", False, False)]
)
def test_a_verdict_is_yes_no_or_none(text: str, yes: bool, no: bool) -> None:
    message = Message.read(text)

    assert (says_yes(message), says_no(message)) == (yes, no)
