"""The author's questions in a quiz: marked as what they are, and afterwards with the author's own words."""

from collections.abc import Sequence
from typing import Any

import pytest
from bs4 import BeautifulSoup

from agents.teaching.values import QuizQuestion
from tests.support.talk import Learner
from web.study import question_of


def item(number: int, kind: str, text: str, key: str, **more: Any) -> QuizQuestion:
    return QuizQuestion(
        question_id=f"author-{number}",
        question_text=text,
        concept_name="Topic",
        difficulty="medium",
        expected_answer=key,
        source_context="A topic carries messages.",
        kind=kind,  # type: ignore[arg-type]
        origin="author",
        **more,
    )


RATE = item(
    1,
    "numeric",
    "A node sends 40 messages in 2.5 s. At which rate?",
    "16 Hz",
    solution="40 / 2.5 s = 16 Hz, so 16 a second.",
)
WHICH = item(
    2, "several", "Which of these may a topic have?", "one publisher\nmany subscribers",
    options=("one publisher", "no name", "many subscribers"),
    whys=("Anybody may publish.", "It is found by its name.", "All of them hear it."),
)  # fmt: skip
WHY = item(
    3, "recall", "Why do nodes talk over topics?", "They need not know each other. Each can be replaced. Both can be tested alone.",
    points=("They need not know each other", "Each can be replaced", "Both can be tested alone"),
)  # fmt: skip
SHOW = item(
    5, "recall", "Write a node that stays alive.", "Make a node and spin it.",
    solution="rclpy.init()\nrclpy.spin(node)",
)  # fmt: skip
LAW = item(4, "formula", "How does the rate depend on count and time?", "f = n/t")


@pytest.fixture
def asks(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The next quiz asks these."""

    def only(*questions: QuizQuestion) -> None:
        def chosen(_brief: object) -> Sequence[QuizQuestion]:
            return list(questions)

        monkeypatch.setattr("agents.quiz.brief.own_items", chosen)

    return only


async def test_a_number_without_its_unit_is_told_so_and_partly_right(ada: Learner, asks: Any) -> None:
    asks(RATE, WHICH, WHY)
    heard = await ada.say("teach me topics")
    assert "its unit" in heard.text
    assert "16" not in heard.text

    heard = await ada.say("16")

    [row] = await ada.evidence()
    assert (row.is_correct, row.grader) == (False, "code")
    assert 0.5 < row.score < 1
    assert "its unit is missing" in heard.text
    assert "40 / 2.5 s = 16 Hz" in heard.text


async def test_another_unit_that_says_the_same_is_right(ada: Learner, asks: Any) -> None:
    asks(RATE, WHICH, WHY)
    await ada.say("teach me topics")
    await ada.say("0.016 kHz")

    [row] = await ada.evidence()
    assert row.is_correct


async def test_of_several_the_share_is_told_with_what_the_author_says_of_each(
    ada: Learner, asks: Any
) -> None:
    asks(WHICH, RATE, WHY)
    heard = await ada.say("teach me topics")
    assert "C) many subscribers" in heard.text
    assert "All of them hear it" not in heard.text

    heard = await ada.say("A and B")

    [row] = await ada.evidence()
    assert not row.is_correct
    assert "1 of your 2 is right" in heard.text
    assert "C: All of them hear it." in heard.text
    assert "B: It is found by its name." in heard.text


async def test_a_formula_is_right_however_it_is_turned(ada: Learner, asks: Any) -> None:
    asks(LAW, RATE, WHICH)
    await ada.say("teach me topics")
    await ada.say("n = f t")

    [row] = await ada.evidence()
    assert row.is_correct


@pytest.mark.parametrize(
    ("said", "share", "is_correct", "left_out"),
    [("1 and 3", 2 / 3, False, "Each can be replaced"), ("all", 1.0, True, ""), ("none", 0.0, False, "They need not know each other")],
)  # fmt: skip
async def test_the_share_of_the_points_that_were_ticked_is_the_mark(
    ada: Learner, asks: Any, said: str, share: float, is_correct: bool, left_out: str
) -> None:
    asks(WHY, RATE, WHICH)
    await ada.say("teach me topics")
    heard = await ada.reply("so that they are not bound to each other")
    assert "2. Each can be replaced" in heard.text

    heard = await ada.say(said)

    [row] = await ada.evidence()
    assert (row.is_correct, row.grader) == (is_correct, "learner")
    assert row.score == pytest.approx(share)
    assert left_out in row.reason
    assert row.learner_answer == "so that they are not bound to each other"


async def test_the_page_shows_what_the_learner_compares_with(ada: Learner, asks: Any) -> None:
    """The points to tick, or the author's solution: neither before the answer is in, both from then on."""
    asks(WHY, SHOW, RATE)
    await ada.say("teach me topics")
    state = await ada.state()
    assert not any(each.points or each.solution for each in state.quiz_questions)

    await ada.reply("so that they are not bound to each other")
    shown = question_of(await ada.state())
    assert shown is not None
    assert [BeautifulSoup(each, "lxml").text.strip() for each in shown.points] == list(WHY.points)
    await ada.say("all")
    await ada.reply("make a node and let it spin")

    shown = question_of(await ada.state())
    assert shown is not None
    assert "rclpy.spin(node)" in shown.comparison_html
    assert "A topic carries messages." not in shown.comparison_html
    assert not (await ada.state()).quiz_questions[2].solution


async def test_what_names_no_point_is_asked_again(ada: Learner, asks: Any) -> None:
    asks(WHY, RATE, WHICH)
    await ada.say("teach me topics")
    await ada.reply("so that they are not bound to each other")

    heard = await ada.say("7")

    assert "Which of these points" in heard.text
    assert await ada.evidence() == []


async def test_what_was_left_out_is_kept_with_the_answer_for_the_next_round(ada: Learner, asks: Any) -> None:
    asks(WHY, RATE, WHICH)
    await ada.say("teach me topics")
    await ada.reply("so that they are not bound to each other")
    await ada.say("1")

    [response] = (await ada.state()).quiz_responses
    assert response.left_out == WHY.points[1:]
