"""Which items may not be asked."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.teaching.questions.writing import answers, gives_itself_away, is_duplicate, is_fair
from agents.teaching.values import QuizQuestion

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


@pytest.mark.parametrize("good", [item(), choice()], ids=["short answer", "multiple choice"])
def test_a_good_item_is_fair(good):
    assert is_fair(good)


@pytest.mark.parametrize(
    "bad",
    [
        item(question_text=f"Is it true that {_REASON}?"),
        item(
            kind="cloze",
            question_text="Complete the sentence: A service is a ____ that serves requests.",
            expected_answer="service",
        ),
        choice(question_text="Which service-like exchange returns one response?"),
    ],
    ids=["short answer", "cloze", "multiple choice"],
)
def test_a_question_that_says_its_answer_is_not_asked(bad):
    assert gives_itself_away(bad)
    assert not is_fair(bad)


def test_a_shared_word_is_no_hint_when_a_wrong_option_shares_it_too():
    asked = "Which transform never changes while the robot runs?"
    hinting = choice(
        question_text=asked, expected_answer="static transform", options=("static transform", "joint", "link")
    )
    fair = hinting.model_copy(update={"options": ("static transform", "dynamic transform", "link")})
    assert gives_itself_away(hinting)
    assert not gives_itself_away(fair)


def test_an_item_whose_answer_is_said_beside_it_is_not_asked():
    assert not is_fair(choice(), beside="Before we start on services, up to 6 quick questions.")


def test_an_item_that_was_asked_already_is_a_duplicate():
    again = item(question_id="q2", question_text="Why should the service finish quickly?")
    assert is_duplicate(again, item())
    assert not is_fair(again, earlier=[item()])


def test_an_item_that_another_one_answers_is_not_asked():
    other = item(
        question_id="q2", question_text="What offers no progress report?", expected_answer="a service"
    )
    assert answers(item(), other)
    assert not is_fair(other, earlier=[item()])


_TEXT = st.text(max_size=80)


@settings(max_examples=150, deadline=None)
@given(
    question=_TEXT,
    answer=_TEXT,
    source=_TEXT,
    kind=st.sampled_from(["short_answer", "multiple_choice", "cloze", "ordering", "recall"]),
    options=st.lists(_TEXT, max_size=5).map(tuple),
)
def test_any_item_is_judged_without_an_error(question, answer, source, kind, options):
    judged = item(
        question_text=question, expected_answer=answer, source_context=source, kind=kind, options=options
    )
    assert is_fair(judged, earlier=[item()]) in (True, False)
    assert not is_fair(judged, earlier=[judged])
