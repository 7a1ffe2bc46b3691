"""Real courses' questions in component-like forms, against counts by dumber readers; skipped where the data is not there."""

import pytest

from evals.exercises_components import FormCount, fenced_divs, mdx, quiz_json, quizzes_with_a_page
from storage.errors import ConfigurationError


def counted(form: str) -> FormCount:
    readers = {
        "mdx en": lambda: mdx("courses/hf_course/en"),
        "mdx de": lambda: mdx("courses/hf_course/de"),
        "fenced divs": fenced_divs,
        "quiz json": quiz_json,
    }
    try:
        return readers[form]()
    except ConfigurationError as err:
        pytest.skip(str(err))


@pytest.mark.parametrize("form", ["mdx en", "mdx de", "fenced divs", "quiz json"])
def test_the_authors_questions_are_found_with_their_keys_and_no_lesson_tells_them(form: str):
    count = counted(form)
    assert count.questions >= 30
    assert count.share_found >= 0.98
    assert count.share_of_keys >= 0.99
    assert count.leaks == 0


def test_every_quiz_of_an_app_has_the_page_that_links_to_it():
    try:
        quizzes, placed = quizzes_with_a_page()
    except ConfigurationError as err:
        pytest.skip(str(err))
    assert (quizzes, placed) == (40, 40)
