"""Guided reading: the author's paragraphs whole and in order, with a line before and a line after."""

import re

from agents.teaching.lesson import Order, another_way, first_lesson
from tests.support.passages import retrieved

FORMULA = "$$\ny = \\sigma(wx + b)\n$$"
CODE = '```rust\nlet s1 = String::from("hello");\n```'
TABLE = "| a | b |\n|---|---|\n| 1 | 2 |"
PICTURE = "![A neuron](neuron.svg)"
FIRST = "A neuron adds up its inputs. It then applies an activation function, because a sum alone is a line."
LAST = "The ownership of `s1` moves. Nothing is copied."
TEXT = "\n\n".join([FIRST, FORMULA, CODE, TABLE, PICTURE, LAST])
ORDER = Order(topic="Neurons", concepts=("activation function", "ownership"))


def without_marks(text: str) -> str:
    return re.sub(r"\s*\[\d\]", "", text).replace("**", "")


def test_every_block_stands_whole_in_its_order_and_has_its_source() -> None:
    lesson = first_lesson(ORDER, [retrieved(TEXT)])
    before, *body, after = lesson.text.split("\n\n")
    assert without_marks("\n\n".join(body)).replace("\n\n\n\n", "\n\n").split("\n\n") == [
        *(block for block in TEXT.split("\n\n"))
    ]
    assert "\n\n".join(body).count("[1]") == 6
    assert "Neurons" in before
    assert after.endswith(".")


def test_key_terms_are_bold_once_and_never_inside_code() -> None:
    text = first_lesson(Order(topic="x", concepts=("s1", "activation function")), [retrieved(TEXT)]).text
    assert text.count("**activation function**") == 2  # in the first line, and where it is told
    assert CODE in text
    assert "`s1`" in text


def test_sections_keep_their_headings_and_sources_are_numbered_in_order() -> None:
    one = retrieved("The first section says this.", heading_hierarchy=("Chapter", "One"))
    two = retrieved("The second section says that.", chunk_id="chunk-2", heading_hierarchy=("Chapter", "Two"))
    lesson = first_lesson(ORDER, [one, two])
    assert "says this. [1]\n\n#### Two\n\nThe second section says that. [2]" in lesson.text
    assert [source.chunk_id for source in lesson.sources] == ["chunk-1", "chunk-2"]


def test_a_lesson_says_which_part_it_is_and_before_the_text_that_there_is_no_quiz() -> None:
    order = Order(topic="Neurons", concepts=("neuron",), part=2, parts=3, has_quiz=False)
    before = first_lesson(order, [retrieved(FIRST)]).text.split("\n\n")[0]
    assert "part 2 of 3" in before
    assert "no questions" in before


def test_another_way_is_another_place_of_the_course() -> None:
    order = Order(topic="Neurons", concepts=("activation function",), missed=("activation function",))
    other = "Think of a dimmer. An activation function bends the line, as a dimmer bends the light."
    lesson = another_way(
        order, [retrieved(FIRST)], [retrieved(other, chunk_id="chunk-9")], already_told=FIRST
    )
    assert without_marks(lesson.text).count(other) == 1
    assert FIRST not in without_marks(lesson.text)
    assert lesson.told == ("activation function",)


def test_where_there_is_no_other_place_the_glossary_says_it_in_its_words() -> None:
    definition = "A function that bends the sum of a neuron."
    order = Order(
        topic="Neurons",
        concepts=("activation function",),
        missed=("activation function",),
        definitions=(("activation function", definition),),
    )
    entry = retrieved(f"- **activation function**: {definition}", chunk_id="chunk-9", title="Glossary")
    lesson = another_way(order, [retrieved(FIRST)], [entry], already_told=FIRST)
    assert definition in lesson.text
    assert "glossary" in lesson.text


def test_where_the_course_says_no_more_the_lesson_says_so_and_is_read_again() -> None:
    order = Order(topic="Neurons", concepts=("activation function",), missed=("activation function",))
    lesson = another_way(order, [retrieved(FIRST)], [], already_told=FIRST)
    assert "all that the course says" in lesson.text
    assert FIRST in without_marks(lesson.text)
    assert lesson.retold == ("activation function",)
