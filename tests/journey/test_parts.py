"""A chapter that is larger than one lesson is taught part by part, and mastered when its parts are."""

from tests.support.talk import Learner

CHAPTER = "Topics, messages and quality of service"


async def test_a_chapter_goes_on_with_its_next_part(ada: Learner) -> None:
    heard = await ada.say(f"teach me {CHAPTER}")
    first = await ada.state()
    assert (first.current_topic, first.topic_part) == (CHAPTER, 1)
    assert first.topic_parts > 1
    assert f"part 1 of {first.topic_parts}" in heard.text
    assert f"part 1 of {first.topic_parts}" in (await ada.say("how am I doing?")).text
    while (await ada.state()).learning_phase:
        heard = await ada.finish_quiz(right=True)
    assert f"part 2 of {first.topic_parts}" in heard.text
    await ada.say("yes")
    second = await ada.state()
    assert (second.current_topic, second.topic_part) == (CHAPTER, 2)
    assert not set(second.topic_concepts) & set(first.topic_concepts)


async def test_who_asks_for_a_chapter_again_goes_on_where_it_is_not_mastered(ada: Learner) -> None:
    await ada.say(f"teach me {CHAPTER}")
    while (await ada.state()).learning_phase:
        await ada.finish_quiz(right=True)
    await ada.say(f"teach me {CHAPTER}")
    assert (await ada.state()).topic_part == 2


async def test_a_part_can_be_asked_for_by_its_number(ada: Learner) -> None:
    await ada.say(f"teach me {CHAPTER}, part 2")
    assert (await ada.state()).topic_part == 2
