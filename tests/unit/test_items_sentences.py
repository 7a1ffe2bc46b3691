"""What the quiz asks about one sentence, list or table of a course."""

import pytest

from agents.language.blocks import sentences, whole_sentences
from agents.teaching.questions.sentences import whole_thoughts
from agents.teaching.questions.writing import candidates, is_fair
from agents.teaching.values import Concept, QuizQuestion
from tests.support.passages import passage


def asked(
    text: str, terms: list[Concept], *, headings: tuple[str, ...] = ("Chapter", "Section")
) -> list[QuizQuestion]:
    """All questions that one passage allows and that may be asked, but for those of last resort."""
    found = candidates([passage(text, headings=headings)], concepts=terms)
    return [each.item for each in found if is_fair(each.item) and not each.is_last_resort]


def texts(items: list[QuizQuestion]) -> set[str]:
    return {item.question_text for item in items}


def test_a_definition_is_asked_both_ways(terms):
    items = asked(
        "A **plugin** is a piece of compiled code that a simulator loads at run time to add behavior.", terms
    )
    assert (
        "What do we call a piece of compiled code that a simulator loads at run time to add behavior?"
        in texts(items)
    )
    assert "In your own words, what is a plugin?" in texts(items)


@pytest.mark.parametrize(
    "sentence",
    [
        "Gut sind sie für Aufgaben, die Text erfordern, wie z. B. Übersetzungen oder Fragen.",
        "Das ist d. h. das Modell ist die sog. Zielgröße der Messung.",
        "Der zweite Teil kommt am 15. November in den Handel.",
    ],
)
def test_no_sentence_ends_at_an_abbreviation_or_at_a_number_that_counts(sentence):
    assert whole_sentences(f"{sentence} Dann geht es weiter.") == [sentence, "Dann geht es weiter."]


@pytest.mark.parametrize(
    "sentence",
    [
        "Dadurch werden die Objekte in einen Behälter verpackt.",
        "Am Ende dieses Kapitels wirst du in der Lage sein, ein Modell zu bauen.",
        "In den Kapiteln 5 bis 8 lernst du die Bibliotheken der Gruppe kennen.",
    ],
)
def test_what_leans_or_is_about_the_book_is_no_thought_in_german_either(sentence):
    assert whole_thoughts(sentence) == []
    assert whole_thoughts("Eine Umgebung ist ein Baum von Ordnern mit allen Paketen.")


def test_a_definition_is_asked_about_as_such_and_never_as_a_gap(terms):
    items = asked(
        "An **action** is a named exchange for a long-running task that has a goal, reports feedback on the way, "
        "can be canceled and ends with a result.",
        terms,
    )
    assert {item.expected_answer for item in items if item.written_as == "term"} == {"action"}
    assert not [item for item in items if "____" in item.question_text]


def test_a_gap_is_the_term_that_a_sentence_names_and_its_article_does_not_tell(terms):
    [gap] = [
        item
        for item in asked(
            "The spring that pulls a joint back to where its motor left it is called an **elastor coil**.",
            terms,
        )
        if item.kind == "cloze"
    ]
    assert (
        gap.question_text
        == "Which term completes this sentence: “The spring that pulls a joint back to where its motor left it is called a(n) ____”?"
    )
    assert gap.expected_answer == "elastor coil"
    once = "The spring that pulled a joint back in 1964 to where its motor left it was called an **elastor coil**."
    assert not [item for item in asked(once, terms) if item.kind == "cloze"]


def test_a_reason_becomes_a_hard_why_question(terms):
    items = asked(
        "Each fixed joint becomes a static transform, because its joint origin never changes.", terms
    )
    [why] = [item for item in items if item.difficulty == "hard"]
    assert why.question_text == "Why does each fixed joint become a static transform?"
    assert why.expected_answer == "because its joint origin never changes"


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        (
            "A kinematic tree contains no closed loop, because a loop would give some link two parents.",
            "Why does a kinematic tree contain no closed loop?",
        ),
        (
            "Outliers are dangerous because an ordinary average trusts every match equally.",
            "Why are outliers dangerous?",
        ),
        (
            "A cancel request does not stop an action by force, because the action server decides how to stop safely.",
            "Why does a cancel request not stop an action by force?",
        ),
        (
            "VSLAM limits bundle adjustment to recent keyframes and corrects large loops, because precision costs time.",
            "Why is this so: “VSLAM limits bundle adjustment to recent keyframes and corrects large loops”?",
        ),
        (
            "With DDS, discovery needs no central server, because each participant announces itself on the network.",
            "Why is this so: “With DDS, discovery needs no central server”?",
        ),
        (
            "Xacro generates URDF from macros and formulas, so that one change updates shape and inertia together.",
            "Why does xacro generate URDF from macros and formulas?",
        ),
    ],
)
def test_a_sentence_becomes_the_question_that_a_teacher_would_ask(sentence, question, terms):
    assert question in texts(asked(sentence, terms))


@pytest.mark.parametrize(
    "sentence",
    [
        "It becomes a static transform, because its joint origin never changes.",
        "A service fits that task badly, because the caller wants to watch the progress.",
        "As shown in the figure, a topic connects many nodes, because names are shared.",
        "The following node offers a service, because the lamp needs one.",
        "This plugin is loaded first, because the others need it.",
        "Attach a plugin to the world, because the sensor needs one.",
        "The same procedure then opens the topic, because the node waits.",
    ],
)
def test_a_sentence_that_leans_on_its_neighbours_is_not_asked(sentence, terms):
    assert not [item for item in asked(sentence, terms) if item.difficulty == "hard"]


def test_numbered_steps_become_an_ordering_item_with_shuffled_steps(terms):
    items = asked(
        "RANSAC works in these steps:\n\n1. Draw a small sample of matches.\n2. Compute the motion from the sample.\n"
        "3. Count the matches that agree.\n4. Keep the motion with the most inliers.\n",
        terms,
    )
    [order] = [item for item in items if item.kind == "ordering"]
    assert order.expected_answer.split(" → ")[0] == "Draw a small sample of matches"
    assert sorted(order.options) == sorted(order.expected_answer.split(" → "))
    assert list(order.options) != order.expected_answer.split(" → ")


def test_a_numbered_list_of_statements_is_not_taken_for_steps(terms):
    items = asked(
        "Three facts about a node:\n\n1. Nodes are programs.\n2. Nodes have names.\n3. Nodes send messages.\n",
        terms,
    )
    assert not [item for item in items if item.kind == "ordering"]


def test_a_table_of_data_is_not_asked(terms):
    assert (
        asked(
            "| node | count | rate |\n|---|---|---|\n| 1 | 4 | 0.5 |\n| 2 | 5 | 0.7 |\n| 3 | 6 | 0.9 |\n",
            terms,
        )
        == []
    )


def test_wrong_options_are_terms_of_the_course_and_none_is_a_kind_of_the_right_one(terms):
    items = asked(
        "A **transform** is the rotation and translation that relate one coordinate frame to another.", terms
    )
    [choice] = [
        item for item in items if item.kind == "multiple_choice" and item.expected_answer == "transform"
    ]
    names = {term.name for term in terms}
    assert set(choice.options) <= names
    assert not {"static transform", "dynamic transform"} & set(choice.options)


def test_a_worked_example_is_not_asked_for_its_numbers(terms):
    text = "The chassis is a link with two joints. A chassis has four wheels, because a cart needs them."
    assert asked(text, terms, headings=("Inertia", "Worked example: the chassis of a cart")) == []


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Darwin sailed on H.M.S. Beagle for five years. It was a long way.", 2),
        ("It was found by J. D. Watson and F. Crick. They told everybody.", 2),
        ("Oranges have much vitamin C. The body cannot make it.", 2),
    ],
)
def test_initials_end_no_sentence(text, count):
    assert len(sentences(text)) == count


@pytest.mark.parametrize(
    "sentence",
    [
        "Supported by the monastery, he taught physics and botany in secondary schools.",
        "Writing such numbers by hand would be slow because each of them has many digits.",
        "Labels for these models cost a lot of money because people write them by hand.",
        "If you have very long texts in your data, this matrix can be huge and slow.",
        "In the garden of the monastery, they grew peas for many years in a row.",
    ],
)
def test_a_thought_about_something_outside_of_it_is_none(sentence):
    assert whole_thoughts(sentence) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Mendel chose peas for his work because he could breed them quickly.",
        "When a virus enters a cell, it uses the machinery of the host.",
        "Selection keeps those with good traits alive, because these traits help them to survive.",
        "Organelles such as mitochondria have a membrane of their own.",
    ],
)
def test_a_thought_that_names_what_it_points_at_is_whole(sentence):
    assert whole_thoughts(sentence)


def test_a_variable_of_an_example_is_not_asked_about(terms):
    code = '```rust\nlet s1 = String::from("a");\nlet s2 = s1;\n```'
    text = f"{code}\n\nThe assignment of `s1` to `s2` moves the data to its new owner at once."
    assert whole_thoughts(text) == []
    others = (
        "Types such as `Drop`, `Clone` and `copy` matter. The move leaves `s1` behind without any data in it."
    )
    items = asked(
        f"{code}\n\n{others} The functions `push`, `pop` and `len` work on a list of owned values.", terms
    )
    assert not [item for item in items if "`s1`" in item.options]


def test_a_reason_that_only_repeats_the_question_is_not_asked_for(terms):
    items = asked(
        "A plugin defines a number of methods that simulators must have in order to load the plugin.", terms
    )
    assert not [item for item in items if item.question_text.startswith("Why")]


def test_what_a_part_does_is_not_its_meaning(terms):
    text = "* **Decoder (right)**: The decoder uses the representation of the encoder to generate a sequence."
    own = Concept(
        name="Decoder (right)",
        definition="The decoder uses the representation of the encoder to generate a sequence",
        kind="glossary",
        chapter_id="module/chapter",
        chunk_id="chunk-1",
        position=0,
    )
    assert not [item for item in asked(text, [*terms, own]) if "what is" in item.question_text.lower()]
