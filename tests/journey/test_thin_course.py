"""A course that says little: the tutor tells what there is, asks nothing that it cannot judge, and leaves no loose end."""

from pathlib import Path

from tests.support.talk import Meet

COURSE = """# Knots

## Bowline

Pull it tight. Now look at the picture above and try it yourself!

## Clove hitch

Watch the video first.
"""


async def test_a_lesson_without_a_quiz_closes_its_round(meet: Meet, tmp_path: Path) -> None:
    course = tmp_path / "knots"
    course.mkdir()
    (course / "knots.md").write_text(COURSE, encoding="utf-8")
    ada = await meet(TUTOR_COURSE_DIR=str(course))
    heard = await ada.say("teach me Bowline")
    assert "too little about Bowline for a fair quiz" in heard.text
    state = await ada.state()
    assert (state.learning_phase, state.open_cycle_id) == ("", None)
    [cycle] = await ada.services.learners.cycles("ada")
    assert cycle.completed_at is not None
    assert not cycle.mastery_achieved
