"""A simulated learner's first day at the real app: the diary agrees with the app's own record."""

from pathlib import Path

from evals.simulation.classroom import Classroom
from evals.simulation.learners import STRONG
from evals.simulation.people import Person
from evals.simulation.records import order_violations
from evals.simulation.study import Study


async def test_the_first_day_leaves_a_true_diary(tmp_path: Path) -> None:
    room = await Classroom(tmp_path).open()
    graph, topics = await room.graph(), await room.topics()
    ada = Person(
        name="ada", profile=STRONG, has_gaps=False, target="loop closure", topic=topics["loop closure"]
    )
    try:
        diary = await Study(ada, room, graph, seed=1).first_day()
        [diagnosis], [loop] = diary.diagnoses, diary.loops
        graded = [row.is_correct for row in await room.answers("ada")]
        cycles = await room.services.learners.cycles("ada")
        kept = [answer.is_marked_right for answer in (*diagnosis.answers, *loop.answers)]
        assert kept == graded
        assert diagnosis.has_ended
        assert loop.cycles == len(cycles) == len(loop.explained)
        assert (loop.ending == "mastered") == cycles[-1].mastery_achieved
        assert set(loop.explained[0].told) <= set(loop.concepts)
        prerequisites = {name: graph.prerequisites(name) for name in graph.concepts}
        assert [order_violations(path, prerequisites) for path in diary.paths] == [0]
    finally:
        await room.close()
