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


def test_every_block_stands_whole_in_its_order_and_has_its_source_behind_a_formula_that_belongs_to_it() -> (
    None
):
    lesson = first_lesson(ORDER, [retrieved(TEXT)])
    before, *body = lesson.text.split("\n\n")
    assert without_marks("\n\n".join(body)).replace("\n\n\n\n", "\n\n").split("\n\n") == [
        *(block for block in TEXT.split("\n\n"))
    ]
    assert "\n\n".join(body).count("[1]") == 5
    assert f"because a sum alone is a line.\n\n{FORMULA}\n\n[1]" in "\n\n".join(body)
    assert "Neurons" in before
    assert lesson.way_on.endswith(".")


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


def test_a_part_is_called_by_its_heading_beside_its_number() -> None:
    order = Order(topic="Neurons", concepts=("neuron",), part=2, parts=3, title="Activation")
    before = first_lesson(order, [retrieved(FIRST)]).text.split("\n\n")[0]
    assert "part 2 of 3, “Activation”" in before


MISSED = Order(topic="Neurons", concepts=("activation function",), missed=("activation function",))
ELSEWHERE = "Think of a dimmer. An activation function bends the line, as a dimmer bends the light."
EXAMPLE = "A neuron gets 2 and 3. Its activation function makes 1 of the sum of 5."


def test_another_way_is_the_summary_first_and_of_it_what_was_missed() -> None:
    recap = retrieved(
        "- A weight scales an input.\n- An activation function bends the sum.",
        chunk_id="chunk-8",
        heading_hierarchy=("Chapter", "Summary"),
    )
    other = retrieved(ELSEWHERE, chunk_id="chunk-9")
    lesson = another_way(MISSED, [retrieved(FIRST)], [other, recap], already_told=FIRST)
    told = without_marks(lesson.text)
    assert "bends the sum" in told
    assert "A weight scales" not in told
    assert "dimmer" not in told


def test_another_way_is_an_example_where_nothing_else_explains_it_and_it_is_shown_whole() -> None:
    worked = retrieved(EXAMPLE, chunk_id="chunk-8", heading_hierarchy=("Chapter", "Example: One neuron"))
    lesson = another_way(MISSED, [retrieved(FIRST)], [worked], already_told=FIRST)
    assert EXAMPLE in without_marks(lesson.text)
    assert lesson.told == ("activation function",)


def test_entries_of_a_glossary_beside_what_was_missed_are_no_other_way() -> None:
    entries = "**activation function**: what bends a sum of neurons, which makes it more than a line\n\n**bias**: a number"
    glossary = retrieved(entries, chunk_id="chunk-8", heading_hierarchy=("Chapter", "Glossary"))
    lesson = another_way(MISSED, [retrieved(FIRST)], [glossary], already_told=FIRST)
    assert "a number" not in lesson.text


def test_the_authors_answer_to_what_was_missed_is_told_before_the_rest() -> None:
    order = Order(
        topic="Neurons",
        concepts=("activation function",),
        missed=("activation function",),
        solutions=(
            ("activation function", "What bends the line?", "The activation function does: $y=f(x)$."),
        ),
    )
    text = another_way(
        order, [retrieved(FIRST)], [retrieved(ELSEWHERE, chunk_id="chunk-9")], already_told=FIRST
    ).text
    assert text.index("$y=f(x)$") < text.index("dimmer")


def test_a_topic_of_one_part_is_called_by_its_own_name_alone() -> None:
    order = Order(topic="Neurons", concepts=("Neurons", "Axon"), title="Axon")
    before = first_lesson(order, [retrieved(FIRST)]).text.split("\n\n")[0]
    assert before.startswith("**Neurons**: **Axon**.")
