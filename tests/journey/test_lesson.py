"""What a lesson is made of, in the sample course."""

from pathlib import Path

from agents.lesson_material import glossary_passages
from agents.state import SessionState
from evals.simulation.classroom import Classroom


async def test_the_glossary_adds_other_words_for_the_concepts_of_a_topic(tmp_path: Path) -> None:
    room = await Classroom(tmp_path).open()
    state = SessionState(course="physical-ai", current_topic="DDS", topic_concepts=["middleware", "DDS"])
    try:
        found = await glossary_passages(state, room.services)
        nothing = await glossary_passages(state.model_copy(update={"topic_concepts": []}), room.services)
    finally:
        await room.close()

    assert {passage.chapter_id for passage in found} == {"glossary"}
    assert any("Data Distribution Service" in passage.chunk_text for passage in found)
    assert nothing == ()
