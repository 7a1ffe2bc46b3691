"""'Explain that differently' without a language model: another place of the course that explains it, or plainly none."""

from pathlib import Path

import pytest

from tests.support.talk import Learner, Meet

WELCOME = """# Welcome to Sailing

Welcome! On this page we will see what this course is about. Tacking is what everybody asks for first, and tacking is
fun, so tacking will be taught early. Tacking, tacking, tacking: you will learn all about tacking here with us!
"""
TACKING = """# Tacking

**Tacking** is a manoeuvre that turns the bow of a boat through the wind, so that the wind comes from the other side.
The sails change sides during the turn, and the crew moves to the new windward side of the boat.

A boat cannot sail straight into the wind. Therefore a sailor reaches a mark upwind by a zigzag of several turns,
because each leg of the zigzag brings the boat a little closer to the mark.

A turn fails when the boat is too slow. The bow then stops in the wind, and the boat drifts backwards until the rudder
is turned the other way.

The helmsman says what comes before the turn, so that nobody is hit by the boom. The crew answers when the ropes are
clear. Then the helmsman pushes the tiller away, and the crew lets one rope go while it pulls the other one in. After the
turn the boat gathers speed on a course that is a little lower than before, and the helmsman steers up when the sails
are full again. On a small boat all of this takes about five seconds, and on a large one it takes half a minute.
"""
UPWIND = """# Racing upwind

Every metre counts on the way to the first mark, and a race is often decided there. The crew looks for wind on both
sides of the course, and plans its way before the start.

Tacking costs speed, since a boat slows down in every turn. A crew that keeps tacking loses two boat lengths each time,
which is why good crews count their turns and turn only where the wind shifts.
"""
ANCHOR = """# Anchoring

**Anchoring** is holding a boat in place with a heavy hook that digs into the ground. The length of the chain is at
least five times the depth of the water, because a flat pull keeps the hook in the ground.

The crew lowers the hook slowly and lets the boat drift back. The hook holds when two marks on the shore stay in line.

A good place has a ground of sand or mud, since rock gives the hook nothing to dig into. The place is sheltered from the
waves, and it leaves the boat room to swing around the hook when the wind turns. Other boats nearby swing too, and not
all at the same speed, so the crew keeps away from them by twice the length of the chain.

At night the boat shows a white light that is seen from every side. Somebody looks at the marks on the shore every hour,
because a boat that drags its hook drifts without a sound. Before leaving, the crew pulls the boat forward until the
chain hangs straight down, and then breaks the hook out of the ground by hand or with the engine.
"""


@pytest.fixture
async def sailor(meet: Meet, tmp_path: Path) -> Learner:
    course = tmp_path / "sailing"
    course.mkdir()
    pages = {"README": WELCOME, "01-tacking": TACKING, "02-upwind": UPWIND, "03-anchoring": ANCHOR}
    for name, text in pages.items():
        (course / f"{name}.md").write_text(text, encoding="utf-8")
    return await meet(TUTOR_COURSE_DIR=str(course))


async def test_another_place_that_explains_it_is_shown_and_cited_while_a_question_is_open(
    sailor: Learner,
) -> None:
    await sailor.say("teach me tacking")
    question = await sailor.question()
    response = await sailor.response_to("explain that differently")
    assert "costs speed" in response.answer
    assert [each.title for each in response.citations] == ["Racing upwind"]
    assert "Every metre counts" not in response.answer
    assert "Welcome" not in response.answer
    assert question.question_text in response.answer
    assert (await sailor.state()).hints_given == 1
    assert await sailor.evidence() == []


async def test_what_was_shown_is_not_shown_again(sailor: Learner) -> None:
    await sailor.say("teach me tacking")
    await sailor.say("explain that differently")
    response = await sailor.response_to("please explain that in a different way")
    assert "costs speed" not in response.answer
    assert "all that the course says about **Tacking**" in response.answer
    assert [each.title for each in response.citations] == ["Tacking"]


async def test_what_only_one_place_explains_is_said_to_be_all(sailor: Learner) -> None:
    await sailor.say("teach me anchoring")
    response = await sailor.response_to("explain that differently")
    assert "all that the course says about **Anchoring**" in response.answer
    assert {each.title for each in response.citations} == {"Anchoring"}


async def test_after_the_quiz_was_left_nothing_is_announced(sailor: Learner) -> None:
    await sailor.say("teach me tacking")
    await sailor.say("stop")
    response = await sailor.response_to("explain that differently")
    assert "costs speed" in response.answer
    assert "then a few questions" not in response.answer


async def test_an_answer_is_explained_from_another_place_too(sailor: Learner) -> None:
    asked = await sailor.response_to("what is tacking?")
    response = await sailor.response_to("explain that differently")
    assert response.grounded
    assert "Welcome" not in response.answer
    assert not {each.chunk_id for each in asked.citations} & {each.chunk_id for each in response.citations}
