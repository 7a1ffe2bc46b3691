"""Where a question belongs: the section that answers it, and the concept that it is about."""

from dataclasses import replace

import pytest

from agents.teaching.values import AnswerChoice, Concept, Exercise, Item, QuizQuestion
from rag.concepts import CoursePassage
from rag.exercises.attaching import Attacher, item_changes
from rag.exercises.collecting import items_on
from rag.loaders.document import LoadedDocument
from rag.tree import Unit


def passage(name: str, *headings: str, chapter: str = "tides", text: str) -> CoursePassage:
    return CoursePassage(chunk_id=name, chapter_id=chapter, headings=("Tides", *headings), text=text)


PASSAGES = [
    passage(
        "moon",
        "The moon's pull",
        text="The moon pulls on the water that faces it. This is a **tidal bulge**.",
    ),
    passage(
        "sun", "The sun's part", text="The sun pulls too. In line with the moon it makes a **spring tide**."
    ),
    passage("neap", "The sun's part", text="At right angles the two make a **neap tide**, which is low."),
    passage("recap", "Summary", text="Moon and sun pull; spring tide, neap tide, tidal bulge, bore."),
    passage("bore", chapter="rivers", text="A **bore** is a wave that runs up a river with the tide."),
]
CONCEPTS = [
    Concept(name=name, definition=said, kind="bold", chapter_id=chapter, chunk_id=chunk, position=0)
    for name, said, chapter, chunk in (
        ("tidal bulge", "The water that faces the moon.", "tides", "moon"),
        ("spring tide", "Sun and moon in line.", "tides", "sun"),
        ("neap tide", "Sun and moon at right angles.", "tides", "neap"),
        ("bore", "A wave that runs up a river.", "rivers", "bore"),
    )
]
ROOT = Unit(
    title="The sea",
    kind="part",
    children=(
        Unit(
            title="Tides",
            kind="part",
            children=(
                Unit(title="Tides", chapter_id="tides"),
                Unit(title="Rivers", chapter_id="rivers"),
                Unit(title="Quiz", chapter_id="quiz", kind="exercises"),
            ),
        ),
        Unit(title="Fish", chapter_id="fish"),
    ),
)
ATTACHER = Attacher(PASSAGES, concepts=CONCEPTS, root=ROOT)


def item(
    text: str, *headings: str, chapter: str = "tides", key: str = "", options: tuple[str, ...] = ()
) -> Item:
    question = QuizQuestion(
        question_id=text,
        question_text=text,
        concept_name="",
        difficulty="easy",
        expected_answer=key,
        source_context="",
        options=options,
        origin="author",
    )
    return Item(question=question, exercise_id=text, chapter_id=chapter, headings=("Tides", *headings))


def test_a_question_inside_a_section_belongs_to_it_whatever_its_words() -> None:
    found = ATTACHER.attached(item("Why is the neap tide low?", "The moon's pull")).question
    assert (found.chunk_id, found.concept_name) == ("moon", "tidal bulge")


def test_at_the_end_of_a_page_the_last_heading_does_not_hold_what_another_section_answers() -> None:
    page = Attacher(PASSAGES[:3], concepts=CONCEPTS, root=ROOT)
    pulls = page.attached(item("What pulls on the water that faces it?", "The sun's part", key="the moon"))
    makes = page.attached(item("What do both make in line?", "The sun's part", key="a spring tide"))
    assert (pulls.question.chunk_id, makes.question.chunk_id) == ("moon", "sun")


def test_what_stands_after_a_recap_that_ends_the_page_belongs_to_the_section_whose_text_answers_it() -> None:
    """Whatever level the recap's heading has: it answers nothing by itself, and is no end of the page to be near to."""
    recap = passage("equations", "Key equations", text="A neap tide is low: $h = s - m$.")
    terms = passage("terms", "Glossary", text="neap tide: a low tide.")
    attacher = Attacher([*PASSAGES[:3], recap, terms], concepts=CONCEPTS, root=ROOT)
    found = attacher.attached(item("Why is the neap tide low?", "Key equations")).question
    assert found.chunk_id == "neap"


def test_the_last_section_before_a_glossary_is_the_end_of_its_page() -> None:
    terms = passage("terms", "Glossary", text="spring tide, neap tide, tidal bulge.")
    attacher = Attacher([*PASSAGES[:3], terms], concepts=CONCEPTS, root=ROOT)
    found = attacher.attached(item("What is a tidal bulge?", "The sun's part")).question
    assert found.chunk_id == "moon"


def test_below_a_heading_of_its_own_it_still_belongs_to_the_section_around_it() -> None:
    found = ATTACHER.attached(item("Explain it.", "The sun's part", "Exercise 3", key="at right angles"))
    assert found.question.chunk_id == "neap"


@pytest.mark.parametrize("heading", ["Exercises", "Review Questions", "Anything"])
def test_at_the_end_of_a_page_it_belongs_to_the_section_whose_text_answers_it(heading: str) -> None:
    found = ATTACHER.attached(item("What makes the tide lowest?", heading, key="right angles")).question
    assert (found.chunk_id, found.concept_name) == ("neap", "neap tide")
    assert "right angles" in found.source_context


def test_a_page_of_nothing_but_questions_belongs_to_its_unit_and_each_question_to_a_section() -> None:
    asked = item("What runs up a river?", chapter="quiz", key="a bore")
    assert ATTACHER.attached(asked).question.chunk_id == "bore"


def test_what_a_page_of_questions_says_before_them_answers_none_of_them() -> None:
    opening = CoursePassage(
        chunk_id="opening", chapter_id="quiz", headings=("Quiz",), text="Let us see what a neap tide is!"
    )
    attacher = Attacher([*PASSAGES, opening], concepts=CONCEPTS, root=ROOT)
    found = attacher.attached(item("What is a neap tide?", chapter="quiz")).question
    assert (found.chunk_id, found.concept_name) == ("neap", "neap tide")


def test_a_question_of_a_quiz_that_a_page_links_to_belongs_to_that_page() -> None:
    asked = item("What runs up a river?", chapter="quiz", key="a bore")
    homes = {("quiz", asked.headings): "tides"}
    found = Attacher(PASSAGES, concepts=CONCEPTS, root=ROOT, homes=homes).attached(asked)
    assert found.question.chunk_id in ("moon", "sun", "neap")


def test_a_summary_leads_to_its_page_but_is_not_what_is_learnt_from() -> None:
    asked = item("Moon and sun pull: which tides are there?", chapter="quiz", key="spring tide, neap tide")
    assert ATTACHER.attached(asked).question.chunk_id in ("sun", "neap")


def test_wrong_choices_may_show_the_page_but_not_the_section() -> None:
    wrong = (
        "a spring tide in line with the moon",
        "a neap tide at right angles, which is low",
        "what the sun makes",
        "a spring and a neap tide",
    )
    asked = item("What faces it?", key="water", options=("water", *wrong))
    assert Attacher(PASSAGES[:3], concepts=CONCEPTS, root=ROOT).attached(asked).question.chunk_id == "moon"


def test_the_concept_is_the_one_that_question_and_key_name_rather_than_a_wrong_choice() -> None:
    asked = item("Which one is low?", "The sun's part", key="neap tide", options=("spring tide", "neap tide"))
    assert ATTACHER.attached(asked).question.concept_name == "neap tide"


def test_a_section_without_concepts_is_called_by_its_heading() -> None:
    bare = Attacher(PASSAGES, concepts=(), root=ROOT).attached(item("Why?", "2. The sun's part"))
    assert bare.question.concept_name == "The sun's part"


def test_a_course_that_tells_nothing_keeps_its_questions() -> None:
    alone = Attacher([], concepts=(), root=Unit(title="Q")).attached(item("Why?", "Exercises"))
    assert (alone.question.chunk_id, alone.question.concept_name) == ("", "Exercises")


def exercises(*asked: Exercise) -> LoadedDocument:
    return LoadedDocument(title="Tides", sections=(), exercises=asked)


def collected(*asked: Exercise) -> list[Item]:
    return items_on(exercises(*asked), course="sea", chapter_id="tides")


WHY = Exercise(text="Why is there a bulge?", form="asked", key="the moon pulls", solution="The moon pulls.")
WHICH = Exercise(
    text="Which tide is low?",
    form="asked",
    choices=(
        AnswerChoice(text="neap", is_right=True, why="yes"),
        AnswerChoice(text="spring", is_right=False),
    ),
)


def test_the_same_text_on_the_same_page_keeps_its_id_when_key_and_heading_change() -> None:
    [before] = collected(WHY)
    [_, after] = collected(WHICH, replace(WHY, key="gravity", headings=("Tides", "New heading")))
    assert after.question.question_id == before.question.question_id
    assert (before.position, after.position) == (0, 1)


def test_what_is_asked_twice_or_elsewhere_is_another_question() -> None:
    one, again = collected(WHY, WHY)
    [there] = items_on(exercises(WHY), course="sea", chapter_id="rivers")
    [other] = items_on(exercises(WHY), course="lake", chapter_id="tides")
    assert len({each.question.question_id for each in (one, again, there, other)}) == 4


def test_choices_keys_and_explanations_come_along() -> None:
    [which] = collected(WHICH)
    asked = which.question
    assert (asked.options, asked.expected_answer, asked.whys) == (("neap", "spring"), "neap", ("yes", ""))
    assert (asked.origin, asked.kind, which.trouble) == ("author", "multiple_choice", "")


def changed(before: list[Item], **news: object) -> tuple[list[str], list[str]]:
    values = {
        "reread": {},
        "gone": (),
        "passages": PASSAGES,
        "concepts": CONCEPTS,
        "root": ROOT,
    } | news
    found = item_changes(before, **values)  # type: ignore[arg-type]
    return [each.question.question_id for each in found.kept], list(found.removed)


def test_reading_again_writes_only_what_is_new_or_stands_elsewhere() -> None:
    pull = ATTACHER.attached(item("What pulls?", "Exercises", key="the moon"))
    river = ATTACHER.attached(item("What runs up a river?", chapter="rivers"))
    assert changed([pull, river]) == ([], [])
    assert changed([pull, river], gone={"rivers"}) == ([], [river.question.question_id])
    new = item("What is low?", "Exercises", key="a neap tide")
    assert changed([pull, river], reread={"tides": [new]}) == (["What is low?"], ["What pulls?"])
    assert changed([pull], concepts=CONCEPTS[1:]) == (["What pulls?"], []), "its concept is gone"


def test_a_teachers_question_outlives_its_page_and_what_was_written_goes_with_its_passage() -> None:
    def by(origin: str, text: str) -> Item:
        made = ATTACHER.attached(item(text, "Exercises"))
        return replace(made, question=made.question.model_copy(update={"origin": origin}))

    own, written = by("teacher", "What pulls?"), by("code", "What is low?")
    assert changed([own, written], gone={"tides"}, passages=PASSAGES[4:])[1] == ["What is low?"]
