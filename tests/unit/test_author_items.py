"""The author's exercises as what can be asked: of which kind, in which parts, and what is marked against what."""

import pytest

from agents.teaching.grading import grade_answer
from agents.teaching.questions.author import accepted_answers, items_of
from agents.teaching.values import AnswerChoice, Exercise, QuestionKind


def exercise(text: str, solution: str = "", *choices: tuple[str, bool], **more: str) -> Exercise:
    offered = tuple(
        AnswerChoice(text=said, is_right=is_right, why=f"why {said}") for said, is_right in choices
    )
    return Exercise(text=text, form="test", solution=solution, choices=offered, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("solution", "kind", "key"),
    [
        ("4.5 m/s", "numeric", "4.5 m/s"),
        ("v = 4.5 m/s", "numeric", "4.5 m/s"),
        ("6.1 ×\n\n10^4 kg of sand", "numeric", "6.1 × 10^4 kg of sand"),
        ("about 20", "numeric", "about 20"),
        ("The speed is $v = \\frac{s}{t} = 4.5\\ \\mathrm{m/s}$.", "numeric", "4.5\\ \\mathrm{m/s}$"),
        ("First find the time it takes. Then divide the way by it: v = 9 m / 2 s = 4.5 m/s", "numeric", "4.5 m/s"),
        ("Take the mass and divide it by the volume of the body, which gives the density; **2.7 g/cm³**", "numeric", "2.7 g/cm³"),
        ("v = s/t", "formula", "v = s/t"),
        ("Ca(OH)2", "formula", "Ca(OH)2"),
        ("N2 + 3H2 ⟶ 2NH3", "formula", "N2 + 3H2 ⟶ 2NH3"),
        ("a copper wire", "short_answer", "a copper wire"),
        ("Yes.", "multiple_choice", "Yes"),
        ("False", "true_false", "false"),
        ("3d^10 4s^1", "recall", "3d^10 4s^1"),
        ("12 m; 7 s", "recall", "12 m; 7 s"),
        ("[Kr]5s^2 for strontium and so on, because the shells fill up one by one.", "recall", None),
        ("57Mn", "recall", "57Mn"),
        ("1:2:1", "recall", "1:2:1"),
    ],
)  # fmt: skip
def test_the_key_tells_of_which_kind_a_question_is(
    solution: str, kind: QuestionKind, key: str | None
) -> None:
    (item,) = items_of(exercise("How is it here?", solution))

    assert (item.kind, item.trouble) == (kind, "")
    assert key is None or item.expected_answer == key
    assert item.solution == solution


@pytest.mark.parametrize("solution", ["4.5 m/s", "v = s/t", "N2 + 3H2 ⟶ 2NH3", "Yes", "a copper wire"])
def test_the_author_would_pass(solution: str) -> None:
    (item,) = items_of(exercise("How is it here?", solution))
    grade = grade_answer(
        solution,
        question=item.question_text,
        references=[item.expected_answer],
        kind=item.kind,
        options=item.options,
    )

    assert grade.is_correct
    assert grade.confident


def test_long_answers_come_with_a_checklist() -> None:
    (item,) = items_of(
        exercise("Why?", "Warm air is lighter than cold air. So it rises. Cold air takes its place below.")
    )

    assert item.kind == "recall"
    assert len(item.points) == 3


def test_who_is_asked_to_draw_is_not_marked_by_a_number() -> None:
    (item,) = items_of(exercise("Draw the forces on the box.", "5 N"))

    assert item.kind == "recall"


def test_parts_are_asked_one_by_one_each_with_its_own_key() -> None:
    items = items_of(
        exercise(
            "A lift of 900 kg stands still.\n\n(a) What is its weight?\n\n(b) Which force holds it?\n\n(c) Is it in motion?",
            "(a) 8.8 × 10^3 N; (b) the pull of the rope; (c) no",
        )
    )

    assert [(each.kind, each.expected_answer, each.part) for each in items] == [
        ("numeric", "8.8 × 10^3 N", 1),
        ("short_answer", "the pull of the rope", 2),
        ("multiple_choice", "No", 3),
    ]
    assert items[0].question_text == "A lift of 900 kg stands still.\n\nWhat is its weight?"


def test_a_part_that_leans_on_another_is_asked_with_it() -> None:
    items = items_of(
        exercise("(a) How long is it?\n(b) How wide is it for the length in (a)?", "(a) 4 m (b) 2 m")
    )

    assert "How long" in items[1].question_text
    assert "How long" not in items[0].question_text or items[0].part == 1


def test_numbered_parts_and_numbered_solutions_go_together() -> None:
    items = items_of(exercise("Name the colour.\n\n1. of grass\n2. of snow", "1. green\n2. white"))

    assert [each.expected_answer for each in items] == ["green", "white"]


def test_a_part_without_an_answer_says_so() -> None:
    items = items_of(exercise("(a) Name one. (b) Sketch it. (c) Name another.", "(a) iron (c) copper"))

    assert [bool(each.trouble) for each in items] == [False, True, False]


def test_parts_that_the_solution_does_not_tell_apart_stay_one_question() -> None:
    items = items_of(
        exercise(
            "Which are metals?\n\n(a) iron\n\n(b) wood\n\n(c) copper",
            "(a) and (c) are metals, and (b) burns.",
        )
    )

    assert len(items) == 1


def test_several_results_are_asked_one_by_one() -> None:
    items = items_of(exercise("How fast are they?", "v1 = 3.0 m/s; v2 = 4.0 m/s"))

    assert [(each.kind, each.expected_answer) for each in items] == [
        ("numeric", "3.0 m/s"),
        ("numeric", "4.0 m/s"),
    ]
    assert items[1].question_text.endswith("v2 = ?")


def test_answers_that_the_question_names_itself_are_chosen() -> None:
    (item,) = items_of(exercise("Is glass at room temperature solid or liquid?", "solid"))
    (other,) = items_of(exercise("Classify this as solid, liquid, or gaseous: steam", "gaseous"))

    assert (other.kind, other.options, other.expected_answer) == (
        "multiple_choice",
        ("solid", "liquid", "gaseous"),
        "gaseous",
    )
    assert item.expected_answer == "solid"


def test_choices_keep_what_the_author_says_of_each() -> None:
    (item,) = items_of(exercise("Which?", "", ("iron", True), ("wood", False), ("wool", False)))

    assert (item.kind, item.expected_answer) == ("multiple_choice", "iron")
    assert item.whys == ("why iron", "why wood", "why wool")


def test_more_than_one_right_choice_makes_it_several() -> None:
    (item,) = items_of(exercise("Which?", "", ("iron", True), ("wood", False), ("copper", True)))

    assert (item.kind, item.expected_answer) == ("several", "iron\ncopper")


def test_true_and_false_as_choices_are_what_they_are() -> None:
    (item,) = items_of(exercise("Iron rusts.", "", ("True", True), ("False", False)))

    assert (item.kind, item.expected_answer, item.options) == ("true_false", "true", ())
    assert item.solution == "why True"


@pytest.mark.parametrize(
    "bad",
    [
        exercise("Which?", "", ("iron", False), ("wood", False)),
        exercise("Which?", "", ("iron", True)),
        exercise("Which?", "", ("iron", True), ("iron", False)),
        exercise("Which?", "", ("iron", True), (" ", False)),
        exercise("Why?"),
        exercise("Why?", "![a drawing](a.png)"),
        exercise("Why?", "Answers will vary."),
        exercise("  ", "iron"),
        exercise("Why?", "iron", trouble="its key names a choice that does not exist"),
    ],
)
def test_what_cannot_be_asked_says_why(bad: Exercise) -> None:
    (item,) = items_of(bad)

    assert item.trouble


def test_what_code_prints_is_compared_as_printed() -> None:
    (item,) = items_of(
        exercise("What does this print?\n\n```python\nprint(2 * 3)\n```", "It doubles:\n\n```output\n6\n```")
    )

    assert (item.kind, item.expected_answer) == ("output", "6")


def test_a_key_may_allow_two_answers() -> None:
    assert accepted_answers("iron or steel") == ("iron", "steel")
    assert accepted_answers("iron") == ("iron",)


def test_thousands_of_parts_are_no_trap() -> None:
    assert len(items_of(exercise("(a) x " * 5000, "(a) y " * 5000))) >= 1
    assert len(items_of(exercise("1. why\n" * 5000, "= " * 9000))) >= 1


def test_what_is_asked_of_a_picture_that_is_not_there_cannot_be_asked() -> None:
    (missing,) = items_of(exercise("Which archer of this figure is most precise?", "Archer X"))
    assert missing.trouble == "it asks about a picture that is not there"
    (shown,) = items_of(
        exercise("Which archer of this figure is most precise?\n\n![Four targets](targets.png)", "Archer X")
    )
    (told,) = items_of(exercise("Explain the picture of the atom that Bohr had.", "Shells. They fill up."))
    assert (shown.trouble, told.trouble) == ("", "")


def test_a_picture_behind_the_last_part_is_shown_with_each_of_them() -> None:
    asked = "(a) Who of this figure is most precise?\n\n(b) Who is least so?\n\n![Four targets](targets.png)"
    items = items_of(exercise(asked, "(a) Archer X\n\n(b) Archer Y"))
    assert [each.trouble for each in items] == ["", ""]
    assert all(each.question_text.count("![Four targets](targets.png)") == 1 for each in items)
