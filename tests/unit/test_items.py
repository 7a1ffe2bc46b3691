"""What the quiz asks, from sentences of the sample course and from passages that give nothing to ask."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rag
from agents.quiz.item_render import render_question
from agents.quiz.items import candidates, difficulties_for, replace_rejected, write_items
from agents.quiz.linter import lint, lint_set
from agents.state import QuizQuestion
from rag.concepts import extract_concepts
from rag.sentences import CoursePassage
from storage.course import Concept, Passage

_COURSE = Path(rag.__file__).parent / "courses" / "physical-ai"


def passage(text: str, *, number: int = 1, headings: tuple[str, ...] = ("Chapter", "Section")) -> Passage:
    return Passage(
        chunk_id=f"chunk-{number}",
        chunk_text=text,
        source_url="file:///course/chapter.md",
        chapter_id="module/chapter",
        module_name="Module",
        heading_hierarchy=headings,
        token_count=max(1, len(text) // 4),
        chunk_index=number,
        title="Chapter",
        page=None,
        course="course",
        document_position=0,
    )


def concept(name: str, definition: str, position: int) -> Concept:
    return Concept(
        name=name,
        definition=definition,
        kind="glossary",
        chapter_id="module/chapter",
        chunk_id="chunk-1",
        position=position,
    )


@pytest.fixture(scope="module")
def terms() -> list[Concept]:
    """The terms of the sample course, in the order in which it teaches them."""
    return list(extract_concepts(list(_course())).concepts)


def _course() -> Iterator[CoursePassage]:
    for file in [*sorted(_COURSE.glob("module-*/*.md")), _COURSE / "glossary.md"]:
        text = file.read_text(encoding="utf-8")
        title = "Glossary" if file.stem == "glossary" else text.split("\n# ", 1)[1].split("\n", 1)[0]
        for number, part in enumerate(text.split("\n## ")):
            heading, _, body = part.partition("\n")
            yield CoursePassage(
                chunk_id=f"{file.stem}-{number}",
                chapter_id=f"{file.parent.name}/{file.stem}",
                headings=(title, heading) if number else (title,),
                text=body,
            )


def section(file: str, heading: str, *, number: int = 1) -> Passage:
    text = (_COURSE / file).read_text(encoding="utf-8")
    body = text.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0].strip()
    return passage(body, number=number, headings=("Chapter", heading))


def services(*, number: int = 1) -> Passage:
    return section(
        "module-1-ros2/ch3-services-actions.md", "Services: ask once, get one answer", number=number
    )


def chapter() -> list[Passage]:
    """Three sections of one chapter, as a search would find them."""
    file = "module-1-ros2/ch3-services-actions.md"
    return [
        services(),
        section(file, "Actions: long tasks with progress", number=2),
        section(file, "Choosing the right tool", number=3),
    ]


def asked(
    text: str, terms: list[Concept], *, headings: tuple[str, ...] = ("Chapter", "Section")
) -> list[QuizQuestion]:
    """All items that one passage allows and the linter lets through."""
    found = candidates([passage(text, headings=headings)], concepts=terms)
    return [each.item for each in found if not lint(each.item, passage=each.passage)]


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


def test_a_definition_makes_a_true_statement_and_a_false_one_with_another_term(terms):
    items = asked("A **topic** is a named channel over which nodes exchange messages of one type.", terms)
    statements = {item.expected_answer: item for item in items if item.kind == "true_false"}
    assert statements.keys() == {"True", "False"}
    assert "topic" in statements["True"].question_text
    assert "“topic”" not in statements["False"].question_text
    assert " not " not in statements["False"].question_text


def test_a_cloze_blanks_the_term_and_its_article_does_not_tell(terms):
    items = asked(
        "An **action** is a named exchange for a long-running task that has a goal, reports feedback on the way, "
        "can be canceled and ends with a result.",
        terms,
    )
    [cloze] = [item for item in items if item.kind == "cloze"]
    assert cloze.question_text.startswith("Complete the sentence: A(n) ____ is a named exchange")
    assert cloze.expected_answer == "action"


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
            "With DDS, discovery needs no central server, because each participant announces itself on the network.",
            "With DDS, discovery needs no central server. Why?",
        ),
        (
            "VSLAM limits bundle adjustment to recent keyframes and corrects large loops, because precision costs time.",
            "VSLAM limits bundle adjustment to recent keyframes and corrects large loops. Why?",
        ),
        (
            "Xacro generates URDF from macros and formulas, so that one change updates shape and inertia together.",
            "Why does xacro generate URDF from macros and formulas?",
        ),
        (
            "If no joint axis is written, URDF uses `1 0 0`, the local x direction.",
            "What happens if no joint axis is written?",
        ),
        (
            "Unlike a topic, a service carries data in both directions.",
            "How is a service different from a topic?",
        ),
        (
            "The link carries the shape and the mass, whereas the joint carries the permitted motion.",
            "What is the difference between the link and the joint?",
        ),
        (
            "A pose has six degrees of freedom, three for position and three for orientation.",
            "How many degrees of freedom does a pose have?",
        ),
        ("Every object on a USD stage is called a prim.", "What is every object on a USD stage called?"),
        (
            "The pinhole camera model projects a point by dividing X and Y by Z.",
            "How does the pinhole camera model project a point?",
        ),
        ("Gazebo consists of a server and a graphical client.", "What does Gazebo consist of?"),
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
        "You can spawn a model, because the world is already running.",
        "The following node offers a service, because the lamp needs one.",
        "This plugin is loaded first, because the others need it.",
        "Attach a plugin to the world, because the sensor needs one.",
        "The same procedure then opens the topic, because the node waits.",
    ],
)
def test_a_sentence_that_leans_on_its_neighbours_is_not_asked(sentence, terms):
    assert not [item for item in asked(sentence, terms) if item.difficulty == "hard"]


def test_a_swapped_contrast_is_false_and_the_original_true(terms):
    items = asked(
        "Mass governs straight-line acceleration, whereas the inertia tensor governs rotation.", terms
    )
    statements = {item.expected_answer: item.question_text for item in items if item.kind == "true_false"}
    assert statements["True"].endswith(
        "Mass governs straight-line acceleration, whereas the inertia tensor governs rotation."
    )
    assert statements["False"].endswith(
        "The inertia tensor governs straight-line acceleration, whereas mass governs rotation."
    )


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


def test_a_table_of_kinds_is_asked_row_by_row(terms):
    table = (
        "| Joint type | Permitted motion |\n|---|---|\n| fixed | no motion |\n| revolute | rotation between two limits |\n"
        "| continuous | rotation without end |\n| prismatic | sliding between two limits |\n"
    )
    items = asked(table, terms)
    [wheel] = [item for item in items if "rotation without end" in item.question_text]
    assert wheel.question_text == "Which joint type fits this permitted motion: rotation without end?"
    assert wheel.expected_answer == "continuous"


def test_a_table_of_data_is_not_asked(terms):
    assert (
        asked(
            "| node | count | rate |\n|---|---|---|\n| 1 | 4 | 0.5 |\n| 2 | 5 | 0.7 |\n| 3 | 6 | 0.9 |\n",
            terms,
        )
        == []
    )


def test_advice_becomes_a_choice_between_the_tools(terms):
    items = asked("If the data flows continuously, use a topic.", terms)
    [choice] = [item for item in items if item.question_text.startswith("Which of these would you use")]
    assert choice.expected_answer == "topic"
    assert choice.difficulty == "medium"


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


def test_a_quiz_has_as_many_items_as_asked_for_and_each_passes_the_linter(terms):
    quiz = write_items(chapter(), concepts=terms, count=4, seed=3)
    passages = {each.chunk_id: each.chunk_text for each in chapter()}
    assert len(quiz) == 4
    assert [lint(item, passage=passages[item.chunk_id]) for item in quiz] == [[]] * 4
    assert lint_set(quiz) == []


def test_a_quiz_mixes_kinds_and_difficulties(terms):
    quiz = write_items(chapter(), concepts=terms, count=5, seed=1)
    assert len({item.kind for item in quiz}) >= 3
    assert {item.difficulty for item in quiz} == {"easy", "medium", "hard"}


def test_no_question_gives_another_ones_answer_away(terms):
    quiz = write_items(chapter(), concepts=terms, count=6, seed=2)
    assert max(Counter(item.source_context for item in quiz).values()) == 1


def test_a_concept_is_asked_at_most_three_times(terms):
    quiz = write_items(chapter(), concepts=terms, count=10, focus=["service"], seed=4)
    assert max(Counter(item.concept_name for item in quiz).values()) == 3


def test_the_concepts_in_focus_come_first(terms):
    quiz = write_items([services()], concepts=terms, count=3, focus=["service"], seed=5)
    assert quiz[0].concept_name == "service"


def test_a_quiz_on_a_topic_asks_again_rather_than_about_something_else(terms):
    topic = ["service", "action"]
    seen: list[str] = []
    for _ in range(6):
        quiz = write_items(chapter(), concepts=terms, count=4, topic=topic, focus=topic, avoid=seen, seed=1)
        assert {item.concept_name for item in quiz} == set(topic)
        seen += [item.question_id for item in quiz if item.question_id not in seen]


def test_a_concept_in_focus_is_asked_again_before_the_rest_of_the_topic(terms):
    asked_out = [
        each.item.question_id
        for each in candidates(chapter(), concepts=terms)
        if each.item.concept_name == "service"
    ]
    quiz = write_items(
        chapter(), concepts=terms, count=4, topic=["service", "action"], focus=["service"], avoid=asked_out
    )
    assert [item.concept_name for item in quiz] == ["service"] * 3 + ["action"]


def test_what_was_asked_longest_ago_comes_again_first(terms):
    everything = [each.item.question_id for each in candidates([services()], concepts=terms)]
    first = write_items([services()], concepts=terms, count=1, avoid=everything)
    later = [name for name in everything if name != first[0].question_id] + [first[0].question_id]
    assert write_items([services()], concepts=terms, count=1, avoid=later) != first


def test_a_topic_with_too_few_items_is_filled_up_to_three(terms):
    quiz = write_items([services()], concepts=terms, count=4, topic=["DDS"], focus=["DDS"])
    assert len(quiz) == 3


def test_the_same_seed_writes_the_same_quiz(terms):
    first = write_items([services()], concepts=terms, count=4, seed=9)
    assert write_items([services()], concepts=terms, count=4, seed=9) == first


def test_an_item_is_not_asked_again_while_others_exist(terms):
    seen: set[str] = set()
    for _ in range(3):
        quiz = write_items(chapter(), concepts=terms, count=3, avoid=seen, seed=1)
        ids = {item.question_id for item in quiz}
        assert not ids & seen
        seen |= ids


def test_when_everything_was_asked_the_items_come_again(terms):
    everything = {each.item.question_id for each in candidates([services()], concepts=terms)}
    assert len(write_items([services()], concepts=terms, count=3, avoid=everything, seed=1)) == 3


def test_the_id_of_an_item_depends_on_its_passage_and_its_words_only(terms):
    first = {
        each.item.question_id for each in candidates([services(), passage("More.", number=2)], concepts=terms)
    }
    assert {each.item.question_id for each in candidates([services()], concepts=terms)} == first
    moved = {each.item.question_id for each in candidates([services(number=7)], concepts=terms)}
    assert not first & moved


def test_a_beginner_gets_easy_items_first_and_an_advanced_learner_hard_ones():
    assert difficulties_for("beginner")[0] == "easy"
    assert difficulties_for("advanced")[0] == "hard"


def test_a_broken_item_of_a_model_is_replaced_and_a_good_one_is_kept(terms):
    good = QuizQuestion(
        question_id="m1",
        question_text="Why should a service finish quickly?",
        concept_name="service",
        difficulty="hard",
        expected_answer="it offers no progress report and no standard way to cancel the request",
        source_context="A service should finish quickly, because a service offers no progress report and no standard way to cancel the request.",
        chunk_id="chunk-1",
    )
    broken = good.model_copy(
        update={"question_id": "m2", "question_text": "What is shown in the figure above?"}
    )
    kept = replace_rejected([good, broken], passages=[services()], concepts=terms, seed=1)
    assert kept[0] == good
    assert len(kept) == 2
    assert kept[1].question_text != broken.question_text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "word",
        "```python\nnode = Node('topic')\n",
        "| a |\n|---|\n",
        "- topic\n- service\n- action\n",
        "Ein Knoten ist ein Programm, weil Roboter viele Programme brauchen.",
        "节点是一个程序。主题是一个通道。",
        "$$T_{AB} = \\begin{bmatrix} R & t$$",
        "1. 2. 3. 4.",
        "**node**",
        "A topic is. Because, so that. Unlike , whereas .",
    ],
)
def test_an_odd_passage_gives_no_items_and_no_error(text, terms):
    assert write_items([passage(text)], concepts=terms, count=4, seed=1) == []


def test_no_passages_and_no_concepts_give_no_items(terms):
    assert write_items([], concepts=terms, count=4, seed=1) == []
    assert write_items([services()], concepts=[], count=4, seed=1) == []


_WORDS = st.sampled_from(
    (
        *(
            "a",
            "the",
            "node",
            "topic",
            "service",
            "joint",
            "link",
            "each",
            "never",
            "not",
            "is",
            "are",
            "has",
            "called",
        ),
        *(
            "because",
            "so",
            "so that",
            "whereas",
            "unlike",
            "if",
            "when",
            "by using",
            "consists of",
            "used to",
            "found in",
        ),
        *(
            "that",
            "which",
            "increases",
            ",",
            ".",
            ";",
            ":",
            "?",
            "(",
            ")",
            "-",
            "1.",
            "|",
            "\n",
            "`code`",
            "**bold**",
            "$x$",
        ),
    )
)
_SENTENCES = st.lists(_WORDS, max_size=40).map(" ".join)


@settings(max_examples=150, deadline=None)
@given(text=st.one_of(st.text(max_size=300), _SENTENCES), count=st.integers(0, 5), seed=st.integers(0, 99))
def test_any_text_gives_only_items_that_pass_the_linter(text, count, seed):
    known = [
        concept("node", "A named unit of a program.", 0),
        concept("topic", "A named channel for messages.", 1),
        concept("service", "A named exchange of a request and a response.", 2),
        concept("joint", "A connection between two links.", 3),
        concept("link", "A rigid part of a robot.", 4),
    ]
    quiz = write_items([passage(text)], concepts=known, count=count, seed=seed)
    assert len(quiz) <= count
    assert [lint(item, passage=text) for item in quiz] == [[]] * len(quiz)


def test_options_are_lettered_and_the_place_in_the_quiz_is_shown():
    item = QuizQuestion(
        question_id="q",
        question_text="What do we call a rigid part of a robot?",
        concept_name="link",
        difficulty="easy",
        expected_answer="link",
        source_context="A link is a rigid part of a robot.",
        kind="multiple_choice",
        options=("joint", "link", "model"),
    )
    shown = render_question(item, number=2, total=5)
    assert shown.startswith("**Question 2 of 5**")
    assert "B) link" in shown


@pytest.mark.parametrize(
    ("kind", "text", "hint"),
    [
        ("true_false", "True or false: A link bends.", "true or false"),
        ("cloze", "Complete the sentence: A(n) ____ is a rigid part of a robot.", "gap"),
    ],
)
def test_the_learner_is_told_how_to_answer(kind, text, hint):
    item = QuizQuestion(
        question_id="q",
        question_text=text,
        concept_name="link",
        difficulty="easy",
        expected_answer="link",
        source_context="",
        kind=kind,
    )
    last_line = render_question(item, number=1, total=1).splitlines()[-1]
    assert hint in last_line.lower()
