"""Which question about a concept the diagnostic asks."""

from agents.diagnostic.brief import question_about
from agents.diagnostic.offline import opening
from agents.teaching.values import Concept, QuizQuestion
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


def test_a_sentence_is_not_asked_about_twice() -> None:
    first = question_about("publisher", [passage(TEXT)], concepts=CONCEPTS)
    assert first
    assert question_about("publisher", [passage(TEXT)], concepts=CONCEPTS, asked=[first]) is None


def test_what_the_preface_names_is_not_the_answer() -> None:
    """'Before we start on **publisher** …' and then 'What do we call the part that sends messages?'"""
    question = question_about("publisher", [passage(TEXT)], concepts=CONCEPTS, preface=opening("Publisher"))
    assert question
    assert "publisher" not in question.expected_answer


def test_what_an_earlier_question_names_is_not_the_answer() -> None:
    named = QuizQuestion(
        question_id="q0",
        question_text="What does a publisher need before it can send anything?",
        concept_name="topic",
        difficulty="easy",
        expected_answer="a topic",
        source_context="A publisher needs a topic.",
    )
    question = question_about("publisher", [passage(TEXT)], concepts=CONCEPTS, asked=[named])
    assert question
    assert "publisher" not in question.expected_answer


def test_where_the_course_says_nothing_there_is_no_question() -> None:
    assert question_about("service", [passage(TEXT)], concepts=CONCEPTS) is None
