"""Questions on prose that defines little, as tutorials and lecture notes have it."""

import pytest
from agents.quiz.item_plain import OPENING, PLAIN, may_be_answered_otherwise

from agents.diagnostic.questions import question_about
from agents.quiz.marking import code_grade
from agents.state import QuizQuestion
from agents.teaching.questions.sentences import plain_sentences
from agents.teaching.questions.writing import candidates, write_items
from storage.course import Concept
from tests.support.passages import passage

ETHICS = "Data ownership is about control and about user rights related to the creation of data."
GAP = "Whoever plans a survey asks for informed consent before any personal answer is stored."
SHARP = "A **pump** is a machine that moves water from one place to another."


def concept(name: str, *, kind: str = "term", position: int = 0) -> Concept:
    return Concept(
        name=name,
        definition=f"Something about {name}.",
        kind=kind,
        chapter_id=passage("").chapter_id,
        chunk_id="chunk-1",
        position=position,
    )


TERMS = [
    concept(name, position=position)
    for position, name in enumerate(
        ["data ownership", "informed consent", "data privacy", "dataset bias", "algorithm fairness", "pump"]
    )
]


def asked(text: str) -> dict[str, list[QuizQuestion]]:
    found: dict[str, list[QuizQuestion]] = {}
    for each in candidates([passage(text)], concepts=TERMS):
        found.setdefault(each.basis, []).append(each.item)
    return found


def test_a_term_that_is_only_talked_about_gets_an_open_question_with_the_courses_sentence_as_answer() -> None:
    [item] = asked(ETHICS)["explain"]
    assert item.question_text == f"{OPENING} data ownership?"
    assert item.expected_answer == ETHICS.rstrip(".")
    assert (item.concept_name, item.source_context) == ("data ownership", ETHICS)


def test_the_question_takes_the_sentences_article() -> None:
    [item] = asked("Without care a pump that runs dry wears out within a few hours of work.")["explain"]
    assert item.question_text == f"{OPENING} a pump?"


def test_the_question_names_the_thing_as_the_sentence_does() -> None:
    [item] = asked(
        "Few things Informed Consent does are as useful as the trust that it creates among people."
    )["explain"]
    assert item.question_text == f"{OPENING} Informed Consent?"


def test_a_term_inside_a_sentence_can_be_missing() -> None:
    [item] = asked(GAP)["any gap"]
    assert (
        item.question_text
        == f"Which term completes this sentence: “{GAP.replace('informed consent', '____')[:-1]}”?"
    )
    assert item.expected_answer == "informed consent"
    assert len(set(item.options)) == 4


def test_a_term_in_a_list_is_not_asked_about() -> None:
    assert "explain" not in asked(
        "Challenges come from dataset bias, data privacy, and other troubles of our time."
    )


@pytest.mark.parametrize(
    "text",
    [
        "Explore resources on data ownership to learn more about these rights.",
        "In this lesson you will learn about data ownership and user rights.",
        "Note that data ownership is explained in the next lesson of this course.",
        "Is data ownership about control and about user rights in general?",
        "Data ownership, which is about control and about user rights.",
        "Open the notebook and read what data ownership means to you.",
    ],
)
def test_what_only_speaks_to_the_reader_is_no_statement(text: str) -> None:
    assert plain_sentences(text) == []
    assert not PLAIN & asked(text).keys()


def test_a_sentence_that_gives_a_sharper_question_gives_no_plain_one() -> None:
    found = asked(SHARP)
    assert found
    assert not PLAIN & found.keys()


def test_the_sharper_question_about_a_concept_is_asked() -> None:
    both = f"{SHARP}\n\nWithout care a pump that runs dry wears out within a few hours of work."
    bases = {each.item.question_id: each.basis for each in candidates([passage(both)], concepts=TERMS)}
    assert PLAIN & set(bases.values())
    for seed in range(10):
        quiz = write_items(
            [passage(both)], concepts=TERMS, count=1, topic=("pump",), focus=("pump",), seed=seed
        )
        assert [bases[item.question_id] in PLAIN for item in quiz] == [False]


def test_another_true_answer_to_an_open_question_is_left_to_the_learner_and_no_answer_is_not() -> None:
    [item] = asked(ETHICS)["explain"]
    other = code_grade(item, "the harvest was good and everybody danced in the street")
    assert (other.is_correct, other.confident) == (False, False)
    nothing = code_grade(item, "no idea")
    assert (nothing.is_correct, nothing.confident) == (False, True)
    assert code_grade(item, ETHICS).is_correct


def test_a_diagnostic_asks_no_open_question_because_it_cannot_ask_back() -> None:
    [item] = asked(ETHICS)["explain"]
    assert may_be_answered_otherwise(item)
    assert question_about("data ownership", [passage(ETHICS)], concepts=TERMS) is None
    gap = question_about("informed consent", [passage(GAP)], concepts=TERMS)
    assert gap
    assert gap.kind == "multiple_choice"
