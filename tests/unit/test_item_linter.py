"""Which items may not be asked, and what their writer is told."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.teaching.questions.linter import is_duplicate, lint, lint_set
from agents.teaching.values import QuizQuestion

_PASSAGE = (
    "A **service** is a named request-response exchange in which one node sends a request and another node returns one "
    "response. A service should finish quickly, because a service offers no progress report and no standard way to cancel "
    "the request. Unlike a topic, a service carries data in both directions. **DDS** (Data Distribution Service) is an "
    "industry standard. An **action** suits long tasks. The first robot of this kind was built by Grace Miller in 1987. "
    "The pose has six degrees of freedom. RANSAC draws a sample, computes the motion and counts the inliers."
)
_REASON = "a service offers no progress report and no standard way to cancel the request"


def item(**changes: Any) -> QuizQuestion:
    """A good item about a service, with some of it changed."""
    fields: dict[str, Any] = {
        "question_id": "q1",
        "question_text": "Why should a service finish quickly?",
        "concept_name": "service",
        "difficulty": "hard",
        "expected_answer": _REASON,
        "source_context": f"A service should finish quickly, because {_REASON}.",
        "kind": "short_answer",
        "chunk_id": "c1",
    }
    return QuizQuestion(**(fields | changes))


def choice(**changes: Any) -> QuizQuestion:
    """A good multiple choice item, with some of it changed."""
    fields: dict[str, Any] = {
        "question_text": "What do we call a named exchange in which one node asks and another returns one response?",
        "expected_answer": "service",
        "source_context": "A service is a named request-response exchange in which one node sends a request.",
        "kind": "multiple_choice",
        "options": ("topic", "service", "action", "parameter"),
    }
    return item(**(fields | changes))


def codes(question: QuizQuestion, **judged_with: Any) -> set[str]:
    return {problem.code for problem in lint(question, passage=_PASSAGE, **judged_with)}


@pytest.mark.parametrize("good", [item(), choice()], ids=["short answer", "multiple choice"])
def test_a_good_item_has_no_problem(good):
    assert lint(good, passage=_PASSAGE, concept_names=["service", "topic"]) == []


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"expected_answer": "because it encrypts all traffic"}, "unsupported_answer"),
        ({"source_context": "Services were invented in a garage by two friends."}, "unsupported_source"),
        ({"expected_answer": ""}, "no_answer"),
        ({"question_text": "Why should it finish quickly?"}, "open_pronoun"),
        ({"question_text": "These finish quickly. Why?"}, "open_pronoun"),
        ({"question_text": "Why should these methods finish quickly?"}, "open_pronoun"),
        ({"question_text": "What does the figure above say of a service?"}, "unseen"),
        ({"question_text": "As shown below, a service is quick. Why?"}, "unseen"),
        ({"question_text": "According to the passage, why should a service finish quickly?"}, "unseen"),
        ({"question_text": "Why should a service, in the example below, finish quickly?"}, "unseen"),
        ({"question_text": "Why should a **service** finish quickly?"}, "markup"),
        ({"question_text": "Why should a `service finish quickly?"}, "markup"),
        ({"question_text": "Why is \\frac{service}{time} small?"}, "markup"),
        ({"question_text": "Why should a service with rate $x finish quickly?"}, "markup"),
        ({"question_text": "A service should finish quickly"}, "not_a_question"),
        ({"question_text": "Why?"}, "too_short"),
        ({"question_text": "Why should a service " + "very " * 60 + "quickly finish?"}, "too_long"),
        ({"question_text": "Why should a ____ finish quickly?"}, "stray_blank"),
        ({"question_text": "In what year was the first robot built?", "expected_answer": "1987"}, "trivia"),
        ({"question_text": "Who built the first robot?", "expected_answer": "Grace Miller"}, "trivia"),
        ({"options": ("a", "b", "c")}, "bad_options"),
        ({"concept_name": "quantum tunnelling"}, "off_concept"),
        ({"question_text": f"Is it true that {_REASON}?"}, "given_away"),
    ],
)
def test_a_bad_short_answer_is_rejected(changes, code):
    assert code in codes(item(**changes))


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"options": ("topic", "action", "parameter")}, "key_missing"),
        ({"options": ("topic", "service", "The service", "action")}, "key_duplicated"),
        ({"options": ("service", "topic")}, "few_options"),
        ({"options": ("service", "topic", "a topic", "action")}, "same_options"),
        ({"options": ("service", "DDS", "Data Distribution Service", "action")}, "same_options"),
        ({"options": ("service", "topic", "action", "none of the above")}, "catch_all"),
        ({"question_text": "Which service-like exchange returns one response?"}, "given_away"),
        (
            {"question_text": "Which of these is named an", "options": ("service", "action", "topic")},
            "article",
        ),
        ({"expected_answer": _REASON, "options": (_REASON, "it is fast", "it is new")}, "longest_option"),
        (
            {
                "question_text": "Which of these are named exchanges?",
                "expected_answer": "services",
                "options": ("services", "topic", "action"),
            },
            "grammar",
        ),
    ],
)
def test_a_bad_multiple_choice_is_rejected(changes, code):
    assert code in codes(choice(**changes))


def test_a_shared_word_is_no_hint_when_a_wrong_option_shares_it_too():
    asked = "Which transform never changes while the robot runs?"
    hinting = choice(
        question_text=asked, expected_answer="static transform", options=("static transform", "joint", "link")
    )
    fair = hinting.model_copy(update={"options": ("static transform", "dynamic transform", "link")})
    assert "given_away" in codes(hinting)
    assert "given_away" not in codes(fair)


def test_a_question_that_spells_out_the_short_form_gives_it_away():
    spelled = item(
        question_text="What is the Data Distribution Service called for short?", expected_answer="DDS"
    )
    assert "given_away" in codes(spelled)


@pytest.mark.parametrize(
    ("text", "answer", "code"),
    [
        ("Complete the sentence: A service should finish quickly.", "service", "blank_missing"),
        ("Complete the sentence: A(n) ____ carries ____ in both directions.", "service", "several_blanks"),
        ("Complete the sentence: A service carries data ____ both directions.", "in", "blank_stop_word"),
        ("Complete the sentence: An ____ suits long tasks.", "action", "article"),
        ("Complete the sentence: A service is a ____ that serves requests.", "service", "given_away"),
    ],
)
def test_a_bad_cloze_is_rejected(text, answer, code):
    assert code in codes(item(kind="cloze", question_text=text, expected_answer=answer))


@pytest.mark.parametrize(
    ("statement", "answer", "code"),
    [
        ("A service should finish quickly.", "Yes", "bad_key"),
        ("Unlike a topic, a service carries data in both directions.", "False", "bad_key"),
        ("A service encrypts traffic between satellites.", "True", "unsupported_answer"),
        ("The pose has not six degrees of freedom.", "False", "only_negated"),
        ("Bananas grow on large tropical plants.", "False", "off_passage"),
    ],
)
def test_a_bad_true_or_false_item_is_rejected(statement, answer, code):
    question = item(
        kind="true_false",
        question_text=f"True or false: {statement}",
        expected_answer=answer,
        options=("True", "False"),
    )
    assert code in codes(question)


def test_a_statement_with_a_confusable_term_swapped_in_is_a_good_false_item():
    question = item(
        kind="true_false",
        question_text="True or false: Unlike a service, a topic carries data in both directions.",
        expected_answer="False",
        options=("True", "False"),
    )
    assert codes(question) == set()


@pytest.mark.parametrize(
    ("options", "answer", "code"),
    [
        (
            ("draw a sample", "compute the motion", "count inliers"),
            "draw a sample → compute the motion → count inliers",
            "given_away",
        ),
        (
            ("compute the motion", "draw a sample", "count inliers"),
            "draw a sample → count inliers",
            "key_missing",
        ),
        (("compute the motion", "draw a sample"), "draw a sample → compute the motion", "few_options"),
    ],
)
def test_a_bad_ordering_is_rejected(options, answer, code):
    question = item(
        kind="ordering",
        question_text="RANSAC works in steps. Put these steps in the right order.",
        concept_name="RANSAC",
        expected_answer=answer,
        source_context="RANSAC draws a sample, computes the motion and counts the inliers.",
        options=options,
    )
    assert code in codes(question)


def test_a_concept_that_the_course_does_not_have_is_named():
    [problem] = lint(item(), passage=_PASSAGE, concept_names=["topic"])
    assert problem.code == "unknown_concept"
    assert "service" in problem.message


def test_a_number_may_be_the_answer_when_it_is_the_point():
    count = item(
        question_text="How many degrees of freedom does a pose have?",
        concept_name="pose",
        expected_answer="six",
        source_context="The pose has six degrees of freedom.",
    )
    assert codes(count) == set()


def test_an_item_that_was_asked_already_is_a_duplicate():
    again = item(question_id="q2", question_text="Why should the service finish quickly?")
    assert "duplicate" in codes(again, earlier=[item()])
    assert is_duplicate(again, item())


def test_two_statements_about_one_term_are_not_duplicates_because_both_are_true():
    one = item(kind="true_false", question_text="True or false: A service is quick.", expected_answer="True")
    two = item(
        question_id="q2",
        kind="true_false",
        question_text="True or false: A topic streams data.",
        expected_answer="True",
    )
    assert not is_duplicate(one, two)


def test_a_set_in_which_the_longest_option_is_always_right_is_rejected():
    quiz = [
        choice(
            question_id=f"q{number}",
            question_text=f"What do we call exchange number {number} of the robot?",
            expected_answer="a named exchange of nodes",
            source_context=f"Sentence number {number} stands alone here.",
            options=("a topic", "a named exchange of nodes", "an action"),
        )
        for number in range(4)
    ]
    assert "longest_option" in {problem.code for problem in lint_set(quiz)}


def test_a_set_in_which_one_question_answers_another_is_rejected():
    other = item(
        question_id="q2", question_text="What offers no progress report?", expected_answer="a service"
    )
    assert {problem.code for problem in lint_set([item(), other])} == {"answered_by_another"}


def test_each_problem_says_what_to_do():
    broken = item(question_text="It is shown in the figure above", expected_answer="")
    messages = [problem.message for problem in lint(broken, passage=_PASSAGE)]
    assert len(messages) >= 3
    assert all(message.endswith(".") and len(message.split()) >= 4 for message in messages)


_TEXT = st.text(max_size=80)


@settings(max_examples=150, deadline=None)
@given(
    question=_TEXT,
    answer=_TEXT,
    source=_TEXT,
    passage=st.text(max_size=200),
    kind=st.sampled_from(["short_answer", "multiple_choice", "cloze", "true_false", "ordering"]),
    options=st.lists(_TEXT, max_size=5).map(tuple),
)
def test_any_item_of_any_model_is_judged_without_an_error(question, answer, source, passage, kind, options):
    judged = item(
        question_text=question, expected_answer=answer, source_context=source, kind=kind, options=options
    )
    problems = lint(judged, passage=passage, concept_names=["service"], earlier=[item()])
    assert all(problem.code and problem.message for problem in problems)
    assert lint_set([judged, judged])
