"""Progress is shown as bars in words and as a picture."""

from io import BytesIO

from PIL import Image

from agents.progress.chart import progress_chart
from agents.progress.text import progress_text
from agents.record import LearnerRecord


def record(promising: tuple[str, ...] = (), **scores: float) -> LearnerRecord:
    return LearnerRecord(
        course_title="Robots",
        topics=(),
        level="unknown",
        scores=scores,
        mastered=tuple(name for name, score in scores.items() if score >= 0.85),
        gaps=(),
        due=(),
        open_topic="",
        cycles=(("topic", 1, 0.75),),
        answers=(),
        promising=promising,
    )


def test_each_concept_has_a_bar_the_best_first() -> None:
    text = progress_text(record(joint=0.4, topic=0.9))
    assert "**1 of 2** concepts mastered in Robots." in text
    assert text.index("topic") < text.index("joint")
    assert "█████████░  90% ✓" in text


def test_one_right_answer_looks_good_and_is_not_mastered() -> None:
    text = progress_text(record(promising=("joint",), joint=0.75, topic=0.9, link=0.3))

    assert "**1 of 3** concepts mastered" in text
    assert "75% looks good\n" in text
    assert "30%\n" in text


def test_without_answers_it_says_how_to_begin() -> None:
    assert "teach me" in progress_text(record())


def test_the_chart_is_a_picture_that_grows_with_the_concepts() -> None:
    small, large = (
        Image.open(BytesIO(progress_chart(record(**scores)))) for scores in ({"a": 0.5}, {"a": 0.5, "b": 0.9})
    )
    assert (small.format, small.width) == ("PNG", large.width)
    assert small.height < large.height
