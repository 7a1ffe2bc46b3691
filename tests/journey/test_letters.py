"""What a letter stands for is answered from where the learner is: the open lesson first."""

from pathlib import Path

import pytest

from tests.support.exercises import write
from tests.support.talk import Learner, Meet

HEAT = """# The first law

The **first law of thermodynamics** says that the inner energy of a system changes by the heat that comes in less the
work that goes out. As a formula it is $\\Delta U = Q - W$, where $Q$ is the heat that comes into the system. Here $W$ is
the work that the system does on what is around it. When a gas is heated in a closed box, no work is done, and all of
the heat goes into its inner energy. When it may push a piston, a part of the heat leaves it again as work, and the gas
becomes less hot than it would have been in the box. That is how every engine works that turns heat into motion.
"""
RIVERS = """# Rivers

A **delta** is land that a river builds where it meets the sea. What does a delta stand for in the history of a river?
It stands for what the river has carried. Each W on the map, where W is a wharf, is a place in the delta to land at.
"""


@pytest.fixture
async def ada(meet: Meet, tmp_path: Path) -> Learner:
    course = write(tmp_path / "nature", {"1-rivers": RIVERS, "2-heat": HEAT})
    return await meet(TUTOR_COURSE_DIR=str(course))


async def test_a_letter_is_what_the_open_lesson_says_it_is(ada: Learner) -> None:
    await ada.say("teach me The first law")
    heard = await ada.say("What does the W stand for in delta U = Q - W")

    assert "Here W is the work that the system does" in heard.text
    assert "wharf" not in heard.text
    assert "The first law" in heard.text.partition("Sources")[2]


async def test_without_a_lesson_a_letter_is_looked_up_in_the_course(ada: Learner) -> None:
    assert (
        "Q is the heat that comes into the system"
        in (await ada.say("what does Q mean in delta U = Q - W?")).text
    )
