"""What a model proposes for a quiz: each question checked by itself, and what is wrong with it named."""

from typing import Any

import pytest

from agents.quiz.writer import WriteBrief, Writing, own_items
from agents.teaching.values import Concept, QuizQuestion
from tests.support.passages import retrieved

TEXT = (
    "A hive is a home that bees build of wax. Drones leave the hive in autumn, because the workers feed them no more. "
    "Langstroth invented the movable frame in 1851."
)
OPTIONS = ["A home of wax", "A queen of bees", "A field of clover", "A jar of honey"]
WHYS = ["Bees build it of wax.", "The queen lives in it.", "Bees only feed there.", "People fill it."]


def writing(
    *, count: int = 2, earlier: tuple[str, ...] = (), examples: tuple[QuizQuestion, ...] = ()
) -> Writing:
    hive = Concept(
        name="hive", definition="", kind="term", chapter_id="module-1/chapter", chunk_id="chunk-1", position=0
    )
    brief = WriteBrief(
        concepts=(hive,),
        count=count,
        difficulties=("easy",),
        topic=("hive",),
        focus=("hive",),
        missed=(),
        unproven=(),
        avoid=(),
        told=TEXT,
        seed=1,
        passages=(retrieved(TEXT),),
        examples=examples,
    )
    return Writing(brief=brief, earlier=earlier)


def choice(**fields: Any) -> dict[str, Any]:
    usual = {
        "question_text": "What do bees live in?",
        "kind": "multiple_choice",
        "expected_answer": "A home of wax",
        "options": OPTIONS,
        "whys": WHYS,
        "concept_name": "hive",
        "passage": 1,
        "source_context": "A hive is a home that bees build of wax.",
    }
    return {**usual, **fields}


def short(**fields: Any) -> dict[str, Any]:
    usual = {
        "question_text": "Why do drones leave in autumn?",
        "kind": "short_answer",
        "expected_answer": "The workers feed them no more.",
        "points": ["workers stop feeding", "drones cannot stay"],
        "concept_name": "hive",
        "passage": 1,
    }
    return {**usual, **fields}


def example(text: str = "How many combs has a hive in summer?") -> QuizQuestion:
    return QuizQuestion(
        question_id="e1",
        question_text=text,
        concept_name="hive",
        difficulty="easy",
        expected_answer="about ten",
        source_context="",
        origin="author",
    )


def test_a_good_question_keeps_its_points_and_the_word_on_each_choice_beside_it() -> None:
    made = writing()
    assert made.take([choice(), short()], made.brief.passages) == []
    first, second = made.questions
    assert dict(zip(first.options, first.whys, strict=True)) == dict(zip(OPTIONS, WHYS, strict=True))
    assert second.points == ("workers stop feeding", "drones cannot stay")
    assert {each.origin for each in made.questions} == {"model"}


def test_figures_dates_and_names_of_people_may_be_asked() -> None:
    made = writing()
    asked = short(
        question_text="In which year was the movable frame invented?", expected_answer="1851", points=[]
    )
    by = short(question_text="Who invented the movable frame?", expected_answer="Langstroth", points=[])
    assert made.take([asked, by], made.brief.passages) == []
    assert len(made.questions) == 2


@pytest.mark.parametrize(
    ("proposed", "remark"),
    [
        (choice(options=[*OPTIONS[:3], "a home of wax"]), "different options"),
        (choice(expected_answer="A cave"), "none of the options"),
        (choice(options=[*OPTIONS[:3], "All of the above"]), "other options"),
        (
            choice(
                expected_answer="A home of many cells, which the bees build of wax and fill with honey",
                options=[
                    "A home of many cells, which the bees build of wax and fill with honey",
                    "A queen",
                    "A jar",
                    "Clover",
                ],
            ),
            "longer",
        ),
        (choice(question_text="Is the home of wax what bees live in?"), "lead to the answer"),
        (short(kind="ordering"), "kind"),
        (
            short(question_text="What do workers do?", expected_answer="They feed no drones since 1999."),
            "number",
        ),
        (
            short(question_text="Where do they live?", concept_name="wasps", expected_answer="In Rome"),
            "concept_name",
        ),
        (short(question_text="Why do drones leave in the autumn?"), "asked before"),
        ({"kind": "short_answer"}, "question_text"),
    ],
)
def test_what_is_not_usable_goes_back_named_and_only_it(proposed: dict[str, Any], remark: str) -> None:
    made = writing(count=3, earlier=["Why do drones leave in autumn?"])
    sound = choice(question_text="What is it that bees build and live in?")
    remarks = made.take([proposed, sound], made.brief.passages)
    assert [remark in each for each in remarks] == [True]
    assert [each.question_text for each in made.questions] == [sound["question_text"]]
    assert made.missing == 2


def test_more_than_were_wanted_are_spares_for_those_that_fail() -> None:
    made = writing(count=1)
    made.take([choice(expected_answer="A cave"), short(), choice()], made.brief.passages)
    assert [each.kind for each in made.questions] == ["short_answer"]
    assert made.is_over


def test_the_authors_questions_are_shown_as_examples_and_not_asked_again() -> None:
    made = writing(examples=(example(),))
    [shown] = [part for part in made.order() if "How many combs" in part]
    assert "about ten" in shown
    again = short(question_text="How many combs has a hive in the summer?", expected_answer="ten")
    assert "asked before" in made.take([again], made.brief.passages)[0]


def test_code_writes_from_the_same_brief() -> None:
    assert own_items(writing(count=3, examples=(example(),)).brief)
