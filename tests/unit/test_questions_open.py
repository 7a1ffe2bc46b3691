"""What is asked in own words: about the point of a section, with the author's sentences as a checklist."""

import pytest

from agents.lesson_material import guides_of
from agents.quiz.marking import code_grade
from agents.quiz.offline import comparison, how_to_answer
from agents.syllabus import Syllabus
from agents.teaching.questions.aim import aims_in
from agents.teaching.questions.centre import centre_of
from agents.teaching.questions.hints import hint
from agents.teaching.questions.writing import candidates, write_items
from agents.teaching.values import Concept, QuizQuestion
from tests.support.passages import passage

HIVES = """A hive is a home that bees build of wax. Bees keep their honey in the cells of the hive. For example, the hive behind our house had forty pounds of honey.

Drones leave the hive in autumn, because the workers feed them no more. Next, we look at the queen."""


def heading(name: str, *, kind: str = "heading", chunk: str = "chunk-1") -> Concept:
    return Concept(
        name=name, definition="", kind=kind, chapter_id="module/chapter", chunk_id=chunk, position=0
    )


def asked(
    text: str,
    kind: str,
    *,
    about: str = "Hives",
    headings: tuple[str, ...] = ("Bees",),
    guides: tuple[str, ...] = (),
) -> list[QuizQuestion]:
    """The questions of one kind that a section allows."""
    found = candidates(
        [passage(text, headings=(*headings, about))],
        concepts=[heading(about)],
        topic=[about],
        guides=guides,
    )
    return [each.item for each in found if each.item.written_as == kind]


def quiz(text: str, *, about: str = "Hives", count: int = 4) -> list[QuizQuestion]:
    return write_items(
        [passage(text, headings=("Bees", about))],
        concepts=[heading(about)],
        count=count,
        topic=[about],
        focus=[about],
    )


def test_a_section_is_explained_by_its_weightiest_sentences_and_not_by_its_examples() -> None:
    [question] = asked(HIVES, "explain")
    assert question.kind == "recall"
    assert "A hive is a home that bees build of wax." in question.expected_answer
    assert "forty pounds" not in question.expected_answer
    assert "queen" not in question.expected_answer
    assert 2 <= len(question.points) <= 4


def test_nobody_is_asked_to_go_on_with_a_sentence_or_a_paragraph() -> None:
    texts = [each.question_text for each in quiz(HIVES, count=10)]
    assert texts
    assert not [text for text in texts if "finish" in text or "begins" in text or "Close the text" in text]


def test_a_section_that_says_nothing_of_its_heading_is_not_to_be_explained() -> None:
    assert asked(HIVES, "explain", about="Option B") == []
    assert asked("Here is how to go on. What comes next? Let's see.", "explain") == []


def test_several_things_are_asked_about_in_the_plural_and_a_bare_heading_with_where_it_stands() -> None:
    text = "Tokenizers are programs that cut a text into pieces. A model reads the pieces of tokenizers as numbers."
    [question] = asked(text, "explain", about="Tokenizers", headings=())
    assert "what are “Tokenizers”" in question.question_text
    text = (
        "Water moves through a membrane with small holes by a mechanism of chance. "
        "Nothing drives the mechanism but the heat that both sides of the membrane have."
    )
    [question] = asked(text, "explain", about="Mechanism", headings=("Osmosis",))
    assert "what is" not in question.question_text
    assert "under “Osmosis”" in question.question_text


def test_what_is_compared_is_never_marked_by_code_unless_nothing_was_said() -> None:
    [question] = asked(HIVES, "explain")
    assert not code_grade(question, "A hive is a home that bees build of wax, and honey is in it").confident
    assert not code_grade(question, "something else").confident
    assert code_grade(question, "I don't know").confident
    assert "compare" in how_to_answer(question)
    assert "wax" in comparison(question)


def test_hints_to_it_give_more_and_more_but_never_all() -> None:
    [question] = asked(HIVES, "explain")
    hints = [hint(question, number=number) for number in (1, 2, 3)]
    assert len(set(hints)) > 1
    assert all(question.source_context not in each for each in hints)


@pytest.mark.parametrize(
    ("text", "one", "other"),
    [
        (
            "`From` provides a new value of a type, whereas `Into` provides a method on an old value.",
            "`From`",
            "`Into`",
        ),
        (
            "Workers can gather nectar from many flowers. In contrast, drones can bring nothing at all to the hive.",
            "workers",
            "drones",
        ),
        ("Unlike wasps, bees keep a store of honey for the winter in the hive.", "bees", "wasps"),
        (
            "The difference between a hive and a nest is that people build a hive for the bees.",
            "a hive",
            "a nest",
        ),
        (
            "There are two sorts of bees:\n\n- **Queens** lay all of the eggs that a hive needs.\n"
            "- **Workers** do all of the other work, as long as they live.",
            "Queens",
            "Workers",
        ),
    ],
)
def test_two_things_that_the_text_sets_against_each_other_are_told_apart(
    text: str, one: str, other: str
) -> None:
    [question] = asked(text, "contrast")
    assert question.question_text.lower() == f"what is the difference between {one} and {other}?".lower()
    assert question.expected_answer in (text, question.source_context)


@pytest.mark.parametrize(
    "text",
    [
        "It gathers nectar from many flowers, while they gather nothing at all for the hive.",
        "The library doesn't hold any honey from the field, but the cellar holds all honey of the year.",
        "Many bees would fly to the same flower in spring. Adding water would only change the taste of honey.",
    ],
)
def test_what_is_not_set_against_each_other_is_not_told_apart(text: str) -> None:
    assert asked(text, "contrast") == []


def test_what_the_text_counts_and_lists_is_to_be_named() -> None:
    text = "There are three sorts of bees:\n\n- Queens lay eggs.\n- Drones mate with queens.\n- Workers do the rest."
    [question] = asked(text, "listed")
    assert question.question_text == "Which three sorts of bees are there?"
    assert question.points == ("Queens lay eggs.", "Drones mate with queens.", "Workers do the rest.")
    inside = "The three parts of a bee are the head, the thorax, and the abdomen."
    [question] = asked(inside, "listed")
    assert question.points == ("the head", "the thorax", "the abdomen")


def test_a_list_of_steps_to_take_is_not_to_be_named() -> None:
    assert asked("Now take the smoker and do this:\n\n- Open the hive.\n- Blow the smoke.", "listed") == []


def test_an_entry_of_a_list_is_chosen_among_the_others() -> None:
    text = "- `os`: files and folders of the system\n- `math`: functions of real numbers\n- `json`: reading of nested data"
    found = {each.expected_answer: each for each in asked(text, "entry", about="Modules")}
    assert found.keys() == {"`os`", "`math`", "`json`"}
    assert sorted(found["`os`"].options) == ["`json`", "`math`", "`os`"]
    assert "files and folders" in found["`os`"].question_text


def test_a_claim_is_explained_with_what_stands_behind_it() -> None:
    text = (
        "Honey bees keep their hive warm in winter. They crowd around the queen of the hive all winter and shiver with the muscles of their wings. "
        "Those on the rim of the hive change places with those inside, so that none freezes."
    )
    [question] = asked(text, "claim")
    assert "Honey bees keep their hive warm in winter." in question.question_text
    assert "shiver" in question.expected_answer
    defined = text.replace("Honey bees keep their hive warm in winter.", "A hive is a home that bees build.")
    assert asked(defined, "claim") == []
    assert asked(text, "claim", headings=("Bees", "Summary")) == []
    assert asked(text, "claim", about="Wasps") == [], "not what the section is called after"


def test_what_was_so_once_or_of_somebody_who_only_comes_by_is_no_point_of_an_answer() -> None:
    """It shows the point; where nothing else is said of it, nothing is asked."""
    told = "A hive is a home that bees build of wax. Keepers of hives sold 40 percent of the honey of each hive in 1911. "
    [question] = asked(f"{told}Bees keep their honey in the cells of the hive.", "explain")
    assert "1911" not in question.expected_answer
    assert "cells" in question.expected_answer
    assert (
        asked(f"{told}Bees of the hives that Mabel Harding Oakes kept made honey of heather.", "explain")
        == []
    )
    [cited] = asked(f"{told}Bees keep their honey in the cells of the hive (Oakes 1911).", "explain")
    assert "cells" in cited.expected_answer


def test_a_year_is_asked_for_only_of_what_the_lesson_is_about() -> None:
    text = (
        "In 1908, a county council of the north began a survey of the honey that hives had brought to market."
    )
    assert asked(text, "facts", about="Hives") == []
    assert asked(text, "facts", about="A council's survey of the county")


def test_a_quiz_asks_for_no_answer_twice_and_explains_nothing_that_it_asked_for() -> None:
    text = (
        "**Langstroth** found the space that bees leave open in a hive. Langstroth (1810–1895) was a keeper of bees. "
        "Langstroth invented a hive with frames of wood that a keeper can lift out. "
        "Langstroth described a hive with walls that keep the cold of winter out."
    )
    items = quiz(text, about="Langstroth and the hive")
    assert [each.expected_answer for each in items].count("Langstroth") == 1


def test_what_happened_when_and_who_did_it_is_asked_where_the_text_turns_on_it() -> None:
    text = (
        "In 1851, Langstroth found the space that bees leave open in a hive. Langstroth (1810–1895) wrote about his hive. "
        "Langstroth invented a hive with frames of wood that a keeper can lift out."
    )
    found = {
        each.expected_answer: each.question_text
        for each in asked(text, "facts", about="Langstroth and the hive")
    }
    assert "In which year did this happen" in found["1851"]
    assert found["Langstroth"].startswith("Who invented a hive with frames")


def test_what_one_will_be_able_to_tell_is_asked_for_where_the_text_tells_it() -> None:
    aims = "- Explain how bees keep honey in the hive\n- Build a hive of your own"
    [question] = asked(HIVES, "aim", guides=(aims,))
    assert question.question_text.startswith("Explain how bees keep honey in the hive")
    assert "Bees keep their honey in the cells" in question.expected_answer
    assert asked(HIVES, "aim", guides=("- Describe the life of wasps in a desert",)) == []


def test_aims_are_lists_of_what_to_be_able_to_do_and_nothing_else() -> None:
    assert aims_in("- Explain the hive\n- Describe a queen") == ["Explain the hive", "Describe a queen"]
    assert aims_in("- Queens lay eggs\n- Describe a queen") == []


def test_what_pages_say_of_themselves_guides_their_questions() -> None:
    opening = passage("- Explain the hive\n- Describe a queen", headings=("Bees",))
    summary = passage("Bees live in a hive.", number=2, headings=("Bees", "Summary"))
    syllabus = Syllabus(
        course="bees",
        title="Bees",
        revision=1,
        documents=(),
        concepts=(),
        relationships=(),
        passages=(opening, summary, passage("Wasps do not.", number=3)),
    )
    assert guides_of(syllabus, [opening]) == (
        "- Explain the hive\n- Describe a queen",
        "Bees live in a hive.",
    )


def test_what_headings_summaries_and_other_sentences_name_weighs_more_than_what_is_mentioned() -> None:
    text = "The hive has a queen. The queen lays eggs. The queen lives long. A fence stands beside it."
    centre = centre_of([passage(text, headings=("Hives",))], guides=["The **queen** rules."])
    assert centre.weight("queen") > centre.weight("eggs")
    assert centre.weight("hive") > centre.weight("fence")
    assert centre.weight("fence") == 0.0


def test_what_is_only_mentioned_is_not_asked_about() -> None:
    text = f"{HIVES}\n\nThe system is a set of things that somebody looks at as one."
    assert not [each for each in quiz(text, count=10) if "system" in each.question_text.lower()]


def test_one_kind_is_a_third_of_a_quiz_where_there_are_others() -> None:
    prints = "\n\n".join(f"```python\nprint({n} + {n} * 2)\n```\n\n```\n{n * 3}\n```" for n in range(3, 8))
    code_only = [each.written_as for each in quiz(prints)]
    assert code_only == ["output"] * 3
    mixed = [each.written_as for each in quiz(f"{HIVES}\n\n{prints}")]
    assert mixed.count("output") <= 2
    assert len(set(mixed)) > 1


def test_what_a_name_is_like_is_not_asked_but_what_it_is() -> None:
    others = "Use `smoke` and `frames` with it, or `honey` and `combs` where the keeper has both of them."
    plain = f"The `keeper` field is rather obvious to all who have kept bees in hives. {others}"
    assert asked(plain, "name_in_code") == []
    [question] = asked(
        f"The `keeper` field is the person who looks after the bees of hives. {others}", "name_in_code"
    )
    assert question.expected_answer == "`keeper`"


def test_a_list_of_parts_is_no_sequence_of_steps() -> None:
    steps = "The steps of opening a hive:\n\n1. Light the smoker\n2. Lift the lid\n3. Take out the frames"
    assert asked(steps, "order")
    parts = "The stages of a hive:\n\n1. Duration parameters\n2. Honey parameters\n3. Colour parameters"
    assert asked(parts, "order") == []


@pytest.mark.parametrize(
    ("said", "count"),
    [
        ("a home of wood that keepers build for bees", 1),
        ("the most common home of wood that keepers build", 0),
        ("crucial - it tells the bees of a keeper from wasps at once", 0),
    ],
)
def test_what_says_only_how_a_thing_compares_defines_nothing(said: str, count: int) -> None:
    hive = Concept(
        name="hive", definition=said, kind="bold", chapter_id="module/chapter", chunk_id="chunk-1", position=0
    )
    found = candidates([passage(f"A **hive** is {said}.", headings=("Bees", "Hives"))], concepts=[hive])
    assert [each.item.expected_answer for each in found if each.item.written_as == "term"] == ["hive"] * count


def test_whoever_coined_it_what_sets_a_term_in_bold_is_a_point() -> None:
    text = (
        "Keepers of a hive adopt the words of Mabel Harding Oakes, who said that a **hive** is a city. "
        "A hive has streets of wax. A hive has guards at its doors. A hive has stores of honey for the winter."
    )
    [question] = asked(text, "explain")
    assert "city" in question.expected_answer
