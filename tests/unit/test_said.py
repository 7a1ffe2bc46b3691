"""A message in pieces: whole for a terminal, its words for a page that draws the rest."""

from agents.citations import above_sources
from agents.language.words import in_short
from agents.quiz.offline import before_question, render_question, with_question
from agents.said import WORDS_KEY, Said, one_after_another, words_of_event
from agents.state import SessionState
from agents.teaching.values import QuizQuestion
from tests.support.passages import retrieved

QUESTION = QuizQuestion(
    question_id="q1", question_text="What is a node?", concept_name="node", difficulty="easy",
    expected_answer="a program", source_context="A node is a program.",
)  # fmt: skip
ASKING = SessionState(learning_phase="quiz", quiz_questions=[QUESTION])


def test_a_terminal_shows_all_of_it_and_a_page_the_words() -> None:
    shown = render_question(QUESTION, number=1, total=4)
    said = before_question("Right.", shown)
    assert (str(said), said.words) == (f"Right.\n\n{shown}", "Right.")
    alone = before_question("", shown)
    assert (str(alone), alone.words) == (shown, "")


def test_words_that_look_like_a_question_or_like_sources_are_words() -> None:
    text = "We talked about **Question 1 of 4** before.\n\n---\n**Sources:**\n\nThey are named below."
    said = with_question(text, ASKING)
    assert said.words == text
    assert "What is a node?" in str(said)


def test_the_sources_stand_below_the_words_and_above_the_question() -> None:
    passage = retrieved("A node is a program.")
    said = with_question(above_sources("A node is a program [1].", [passage]), ASKING)
    assert said.words == "A node is a program [1]."
    assert str(said).index("**Sources:**") < str(said).index("Question 1 of 1")


def test_what_comes_one_after_another_keeps_its_pieces() -> None:
    said = one_after_another("In short.", with_question("A node.", ASKING), "", "And a note.")
    assert said.words == "In short.\n\nA node.\n\nAnd a note."
    assert "What is a node?" in str(said)
    assert not one_after_another("", Said())


def test_an_event_without_pieces_is_all_words() -> None:
    assert words_of_event(None, "Hello.") == "Hello."
    assert words_of_event({WORDS_KEY: ""}, "**Question 1 of 4**") == ""


def test_a_question_of_several_paragraphs_is_called_by_its_first() -> None:
    text = "Use slicing to get the\nlast four of them.\n\n```python\nx = 1\n```\n\nWould it always work?"
    assert in_short(text) == "Use slicing to get the last four of them."
    assert in_short("word " * 100).endswith("word…")
    assert len(in_short("word " * 100)) <= 120
