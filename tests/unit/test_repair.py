"""A large model's text is checked sentence by sentence: mended where code can, dropped where nobody can."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.repair import Draft, sentences
from tests.support.passages import retrieved

SIPHON = retrieved(
    "A siphon lifts water over an edge. It needs 2 ends, and the outlet is lower than the inlet."
)
PUMP = retrieved("A hand pump moves 30 litres a minute. See https://example.org/pumps for pictures of pumps.")
COURSE = (SIPHON, PUMP)


def told(text: str, *, known: str = "") -> Draft:
    draft = Draft(COURSE, known=known)
    draft.feed(text)
    draft.finish()
    return draft


def test_analogies_transitions_closing_lines_and_other_languages_are_welcome() -> None:
    text = (
        "Think of a rope over a pulley.\n\nA siphon lifts water over an edge [1]. Don't confuse it with a pump. "
        "Der Auslauf liegt tiefer als der Einlauf [1].\n\nLet's see what has stayed!"
    )
    draft = told(text)
    assert draft.text == text
    assert (draft.faulty, draft.repairs, draft.is_grounded) == ([], [], True)


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        ("The valve was patented by a plumber [7].", "there is no passage [7]"),
        ("A hand pump moves 45 litres a minute [2].", "45 is in no passage"),
        ("Buy one at https://shop.example.com/pump [2].", "https://shop.example.com/pump is in no passage"),
        ("Write to sales@example.com for a pump [2].", "sales@example.com is in no passage"),
    ],
)
def test_what_the_passages_do_not_have_is_held_back_and_named(sentence: str, why: str) -> None:
    draft = told(f"A siphon lifts water over an edge [1]. {sentence} It is useful.")
    assert draft.faulty == [(sentence, why)]
    assert sentence not in draft.text


def test_numbers_and_addresses_of_the_passages_pass() -> None:
    text = "A hand pump moves 30 litres a minute [2]. There are pictures at https://example.org/pumps [2]. A siphon has two ends, 2 in all [1]."
    assert told(text).text == text


def test_a_number_of_the_question_or_the_topic_passes() -> None:
    assert told("ROS 2 is not meant here [1].", known="ROS 2").faulty == []


def test_what_a_passage_clearly_carries_gets_its_mark_from_code() -> None:
    draft = told("A siphon lifts water over an edge. A hand pump moves 30 litres a minute.")
    assert draft.text == "A siphon lifts water over an edge. [1] A hand pump moves 30 litres a minute. [2]"
    assert [repair.action for repair in draft.repairs] == ["marked", "marked"]


def test_a_wrong_mark_is_replaced_by_the_passage_that_says_it() -> None:
    draft = told("A siphon lifts water over an edge [9]. A hand pump moves 30 litres a minute [1].")
    assert draft.text == "A siphon lifts water over an edge. [1] A hand pump moves 30 litres a minute. [2]"
    assert draft.faulty == []


def test_a_refusal_rests_on_nothing() -> None:
    draft = told("I apologize, but I cannot assist with that request.")
    assert not draft.is_grounded


def test_a_second_try_takes_the_place_of_the_first_and_what_is_still_wrong_goes() -> None:
    text = "A siphon lifts water over an edge [1]. It moves 99 litres [1]. It costs 17 euros [1]. Well then."
    draft = told(text)
    draft.mend(["A hand pump moves 30 litres a minute [2].", "It costs 18 euros [1]."])
    assert (
        draft.text
        == "A siphon lifts water over an edge [1]. A hand pump moves 30 litres a minute [2]. Well then."
    )
    assert [(repair.action, repair.kind) for repair in draft.repairs] == [
        ("mended", "foreign_number"),
        ("dropped", "foreign_number"),
    ]


def test_code_blocks_stay_whole_and_are_not_read_as_sentences() -> None:
    text = (
        "A siphon lifts water over an edge [1].\n\n```python\nlitres = 4711. * 3. + 1.\n```\nThat is all.\n"
    )
    draft = told(text)
    assert draft.text == text.strip()
    assert "```python\nlitres = 4711. * 3. + 1.\n```\n" in [each.text for each in sentences(text)]


@given(st.text(alphabet="Ab .!?\n[]1`*…。日ä", max_size=200))
def test_sentences_put_together_again_are_the_text(text: str) -> None:
    assert "".join(each.text for each in sentences(text)) == text


@given(
    st.lists(
        st.sampled_from(["A siphon ", "lifts water. ", "It is ", "so [1]. ", "Now 45 ", "litres. ", "\n\n"]),
        max_size=20,
    )
)
def test_what_was_shown_on_the_way_is_what_is_said_in_the_end(pieces: list[str]) -> None:
    draft = Draft(COURSE)
    shown = "".join(map(draft.feed, pieces)) + draft.finish()
    if not draft.faulty:
        assert shown.split() == draft.text.split()


def test_words_are_shown_as_they_come_until_something_needs_a_check() -> None:
    draft = Draft(COURSE)
    assert draft.feed("A siphon lifts water") == "A siphon lifts "
    assert draft.feed(" over an edge of 45") == "water over an edge of "
    assert draft.feed(" metres [1]. And so on, ") == ""
    assert "45" not in draft.finish()


def test_without_passages_a_number_of_its_own_goes() -> None:
    draft = Draft(())
    draft.feed("Well done, you kept the main idea in view. You had 7 of 4 right.")
    draft.finish()
    draft.mend()
    assert draft.text == "Well done, you kept the main idea in view."
