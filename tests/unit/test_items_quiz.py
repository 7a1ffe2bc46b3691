"""Which items make a quiz: how many, how mixed, about what, and none too soon again."""

from collections import Counter

from agents.teaching.questions.writing import candidates, difficulties_for, is_fair, write_items
from tests.support.passages import passage
from tests.support.sample_course import chapter, services


def test_a_quiz_has_as_many_items_as_asked_for_and_each_passes_the_linter(terms):
    quiz = write_items(chapter(), concepts=terms, count=4, seed=3)
    assert len(quiz) == 4
    assert all(is_fair(item, earlier=quiz[:place]) for place, item in enumerate(quiz))


def test_a_quiz_mixes_kinds_and_difficulties(terms):
    quiz = write_items(chapter(), concepts=terms, count=5, seed=1)
    assert len({item.kind for item in quiz}) >= 3
    assert {item.difficulty for item in quiz} >= {"easy", "medium"}


def test_no_question_gives_another_ones_answer_away(terms):
    quiz = write_items(chapter(), concepts=terms, count=6, seed=2)
    assert max(Counter(item.source_context for item in quiz).values()) == 1


def test_a_concept_is_asked_at_most_three_times(terms):
    quiz = write_items(chapter(), concepts=terms, count=10, focus=["service"], seed=4)
    assert 2 <= max(Counter(item.concept_name for item in quiz).values()) <= 3


def test_the_concepts_in_focus_come_first(terms):
    quiz = write_items([services()], concepts=terms, count=3, focus=["service"], seed=5)
    assert quiz[0].concept_name == "service"


def test_a_quiz_on_a_topic_asks_again_rather_than_about_something_else(terms):
    topic = ["service", "action"]
    seen: list[str] = []
    for _ in range(6):
        quiz = write_items(chapter(), concepts=terms, count=4, topic=topic, focus=topic, avoid=seen, seed=1)
        assert {item.concept_name for item in quiz} == set(topic)
        seen += [item.question_id for item in quiz if item.question_id not in seen]


def test_a_concept_in_focus_is_asked_again_before_the_rest_of_the_topic(terms):
    asked_out = [
        each.item.question_id
        for each in candidates(chapter(), concepts=terms)
        if each.item.concept_name == "service"
    ]
    quiz = write_items(
        chapter(), concepts=terms, count=4, topic=["service", "action"], focus=["service"], avoid=asked_out
    )
    about = Counter(item.concept_name for item in quiz)
    assert about.keys() == {"service", "action"}
    assert about["service"] > about["action"]


def test_what_was_asked_longest_ago_comes_again_first(terms):
    everything = [each.item.question_id for each in candidates([services()], concepts=terms)]
    first = write_items([services()], concepts=terms, count=1, avoid=everything)
    later = [name for name in everything if name != first[0].question_id] + [first[0].question_id]
    assert write_items([services()], concepts=terms, count=1, avoid=later) != first


def test_a_topic_with_too_few_sharp_items_is_filled_up_with_recall(terms):
    quiz = write_items(
        [services()], concepts=terms, count=4, topic=["service client"], focus=["service client"]
    )
    assert len(quiz) == 3  # as often as one concept may be asked about
    assert {item.kind for item in quiz} > {"recall"}


def test_the_same_seed_writes_the_same_quiz(terms):
    first = write_items([services()], concepts=terms, count=4, seed=9)
    assert write_items([services()], concepts=terms, count=4, seed=9) == first


def test_an_item_is_not_asked_again_while_others_exist(terms):
    seen: set[str] = set()
    for _ in range(3):
        quiz = write_items(chapter(), concepts=terms, count=3, avoid=seen, seed=1)
        ids = {item.question_id for item in quiz}
        assert not ids & seen
        seen |= ids


def test_when_everything_was_asked_the_items_come_again(terms):
    everything = {each.item.question_id for each in candidates([services()], concepts=terms)}
    assert len(write_items([services()], concepts=terms, count=3, avoid=everything, seed=1)) == 3


def test_the_id_of_an_item_depends_on_its_passage_and_its_words_only(terms):
    first = {
        each.item.question_id for each in candidates([services(), passage("More.", number=2)], concepts=terms)
    }
    assert {each.item.question_id for each in candidates([services()], concepts=terms)} == first
    moved = {each.item.question_id for each in candidates([services(number=7)], concepts=terms)}
    assert not first & moved


def test_a_beginner_gets_easy_items_first_and_an_advanced_learner_hard_ones():
    assert difficulties_for("beginner")[0] == "easy"
    assert difficulties_for("advanced")[0] == "hard"
