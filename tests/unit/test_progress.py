"""Progress is shown as bars in words and as a picture."""

from dataclasses import replace
from io import BytesIO

from PIL import Image

from agents.learner_record import LearnerRecord, progress_chart, progress_text
from agents.syllabus import Chapter


def record(**scores: float) -> LearnerRecord:
    return LearnerRecord(
        course_title="Robots",
        topics=(),
        level="unknown",
        threshold=0.85,
        scores=scores,
        mastered=tuple(name for name, score in scores.items() if score >= 0.85),
        to_go={name: round(10 * (0.85 - score)) for name, score in scores.items() if score < 0.85},
        gaps=(),
        due=(),
        open_topic="",
        left=None,
        cycles=(("topic", 1, 0.75),),
        answers=(),
    )


def test_each_concept_has_a_bar_the_best_first() -> None:
    text = progress_text(record(joint=0.4, topic=0.9))
    assert "**1 of 2** concepts mastered in Robots (the goal is 85%)." in text
    assert text.index("topic") < text.index("joint")
    assert "█████████░  90% ✓" in text


def test_what_is_not_mastered_tells_how_many_more_right_answers_it_takes() -> None:
    text = progress_text(record(joint=0.75, topic=0.9, link=0.3))

    assert "**1 of 3** concepts mastered" in text
    assert "75% 1 more right answer\n" in text
    assert "30% 6 more right answers\n" in text
    assert "From 85% on it is mastered" in text


def test_progress_counts_against_the_whole_course_chapter_by_chapter() -> None:
    chapters = (
        Chapter(title="Frames", parts=(("topic", "joint"), ("link",))),
        Chapter(title="Joints", parts=(("axis", "origin"),)),
        Chapter(title="Maps", parts=(("map",),)),
    )
    text = progress_text(replace(record(joint=0.75, topic=0.9, link=0.9), chapters=chapters))

    assert "**2 of 6** concepts mastered in Robots (the goal is 85%)." in text
    assert "**Frames**: 2 of 3 concepts, 1 of 2 parts mastered" in text
    assert "2 other chapters not begun yet" in text
    assert "Maps" not in text


def test_without_answers_it_says_how_to_begin() -> None:
    assert "teach me" in progress_text(record())


def test_the_chart_is_a_picture_that_grows_with_the_concepts() -> None:
    small, large = (
        Image.open(BytesIO(progress_chart(record(**scores)))) for scores in ({"a": 0.5}, {"a": 0.5, "b": 0.9})
    )
    assert (small.format, small.width) == ("PNG", large.width)
    assert small.height < large.height
