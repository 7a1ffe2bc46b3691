"""Which question about a concept the diagnostic asks."""

from agents.diagnostic.questions import question_about
from storage.course import Concept
from tests.support.passages import passage

TERMS = {
    "topic": "A named channel over which nodes exchange messages of one type.",
    "publisher": "The part of a node that sends messages to a topic.",
    "subscriber": "The part of a node that receives messages from a topic.",
    "service": "A named request-response exchange between two nodes.",
}
CONCEPTS = [
    Concept(name=name, definition=text, kind="glossary", chapter_id="ch", chunk_id="c1", position=place)
    for place, (name, text) in enumerate(TERMS.items())
]
TEXT = (
    "A **topic** is a named channel over which nodes exchange messages of one type. "
    "A **publisher** is the part of a node that sends messages to a topic. "
    "A **subscriber** is the part of a node that receives messages from a topic."
)


def test_the_first_question_wants_a_term_that_is_typed() -> None:
    question = question_about("publisher", [passage(TEXT)], concepts=CONCEPTS)

    assert question
    assert (question.kind in ("cloze", "short_answer"), question.expected_answer) == (True, "publisher")


def test_the_second_question_about_a_concept_is_another_one() -> None:
    first = question_about("publisher", [passage(TEXT)], concepts=CONCEPTS)
    assert first
    second = question_about("publisher", [passage(TEXT)], concepts=CONCEPTS, asked=[first])

    assert second
    assert second.question_text != first.question_text


def test_where_the_course_says_nothing_there_is_no_question() -> None:
    assert question_about("service", [passage(TEXT)], concepts=CONCEPTS) is None
