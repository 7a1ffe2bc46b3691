"""Feedback in words: what was right, what was confused, what to read, what comes next."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.feedback.offline import MOST_WORDS, Round, feedback_text
from agents.language.words import capital, clipped, joined, pick
from agents.teaching.mastery import UNASKED, ConceptMastery, TopicMastery
from agents.teaching.mistakes import in_a_row
from agents.teaching.values import Difficulty, ErrorPattern, QuizQuestion, QuizResponse

NAMES = ("node", "topic", "service", "action")
DIFFICULTIES: tuple[Difficulty, ...] = ("easy", "medium", "hard", "easy")


def standing(score: float) -> TopicMastery:
    concept = ConceptMastery(score=score, evidence_count=4)
    return TopicMastery(score=score, weakest="action", per_concept=dict.fromkeys(NAMES, concept))


def questions() -> list[QuizQuestion]:
    return [
        QuizQuestion(
            question_id=name,
            question_text="?",
            concept_name=name,
            difficulty=difficulty,
            expected_answer="!",
            source_context="",
            chunk_id=f"chunk of {name}",
        )
        for name, difficulty in zip(NAMES, DIFFICULTIES, strict=True)
    ]


def responses(results: str) -> list[QuizResponse]:
    return [
        QuizResponse(
            question_id=name,
            learner_answer="!",
            is_correct=letter == "T",
            time_taken_seconds=9,
            attempt_number=1,
        )
        for name, letter in zip(NAMES, results, strict=True)
    ]


def missed(name: str, *, kind: str = "conceptual") -> ErrorPattern:
    return ErrorPattern(
        pattern_type=kind,  # type: ignore[arg-type]
        description=f"The idea of {name} is not quite there yet.",
        affected_questions=(name,),
        suggested_remediation="Read it again.",
    )


def finished(
    results: str, *, score: float = 0.5, cycle: int = 1, next_topic: str = "", kind: str = "conceptual"
) -> Round:
    wrong = [name for name, letter in zip(NAMES, results, strict=True) if letter == "F"]
    return Round(
        topic="Communication",
        questions=questions(),
        responses=responses(results),
        patterns=[missed(name, kind=kind) for name in wrong],
        mastery=standing(score),
        to_go=0 if score >= 0.85 else 2,
        areas=wrong,
        cycle=cycle,
        next_topic=next_topic,
        places={f"chunk of {name}": f"ROS 2 › {name.title()}s" for name in NAMES},
    )


def test_it_says_what_was_right_before_what_was_not() -> None:
    text = feedback_text(finished("TTTF"))

    assert text.index("**node**, **topic** and **service**") < text.index("The idea of action")


def test_it_names_the_passage_to_read_again_and_what_comes_next() -> None:
    text = feedback_text(finished("TTTF"))

    assert "*ROS 2 › Actions*" in text
    assert text.index("*ROS 2 › Actions*") < text.rindex("**action**")


def test_a_slip_sends_nobody_back_to_the_book() -> None:
    text = feedback_text(finished("TTTF", kind="careless"))

    assert "›" not in text
    assert "a few more questions" in text


def test_mastery_is_praised_with_what_the_learner_can_do_now() -> None:
    text = feedback_text(finished("TTTT", score=0.89, next_topic="Services"))

    assert "explain the why behind **service**, and work with **topic**, and say what **node** means" in text
    assert "about nine in ten" in text
    assert "**Communication** is mastered (89%, the goal is 85%)." in text
    assert "**Services**" in text


@pytest.mark.parametrize("cycle", [1, 5])
def test_who_is_not_there_yet_hears_how_far_it_is_and_how_much_further(cycle: int) -> None:
    text = feedback_text(finished("TTTF", score=0.848, cycle=cycle))

    assert "Mastery of Communication: 84%, the goal is 85%; 2 more right answers." in text


def test_a_goal_that_cannot_be_reached_is_called_so() -> None:
    text = feedback_text(replace(finished("TTTT", score=0.97), threshold=1.0, to_go=None))

    assert "97%, the goal is 100%; 100% can't be reached; the highest that can be is 99%" in text


def test_what_was_only_skipped_is_named_and_has_no_figure() -> None:
    skipped = TopicMastery(score=0.0, weakest="action", per_concept={"action": UNASKED})
    text = feedback_text(replace(finished("TTTF"), mastery=skipped, to_go=4))

    assert "**action** was not answered yet: 4 more right answers (the goal is 85%)." in text


def test_mastery_with_a_slip_still_mentions_it() -> None:
    assert "keep an eye on" in feedback_text(finished("TTTF", score=0.86))


def test_the_last_topic_asks_what_the_learner_would_like() -> None:
    assert "what you would like next" in feedback_text(finished("TTTT", score=0.9))


def test_after_five_rounds_it_is_honest_and_offers_another_way() -> None:
    text = feedback_text(finished("TTTF", cycle=5))

    assert "five rounds" in text
    assert "**action** does not hold yet" in text
    assert text.endswith("Shall I lay out a short path through what it builds on?")


def test_a_round_without_a_right_answer_is_met_kindly() -> None:
    text = feedback_text(finished("FFFF"))

    assert "four" in text.split(".")[0]
    assert "are in place" not in text


def test_all_right_but_not_yet_sure_asks_for_a_little_more() -> None:
    text = feedback_text(finished("TTTT", score=0.8))

    assert "surer about **action**" in text
    assert "mastered" not in text


def test_the_same_round_gets_the_same_words_and_another_round_other_words() -> None:
    rounds = [feedback_text(finished("TTTF", cycle=cycle)) for cycle in (1, 2, 3, 4)]

    assert feedback_text(finished("TTTF", cycle=1)) == rounds[0]
    assert len(set(rounds)) > 1


@given(
    st.text("TF", min_size=4, max_size=4),
    st.floats(0.01, 0.99),
    st.integers(1, 9),
    st.sampled_from(["", "Services and actions"]),
    st.sampled_from(["conceptual", "procedural", "careless"]),
)
def test_it_is_never_long_and_never_broken(
    results: str, score: float, cycle: int, after: str, kind: str
) -> None:
    text = feedback_text(finished(results, score=score, cycle=cycle, next_topic=after, kind=kind))

    assert 5 <= len(text.split()) <= MOST_WORDS
    assert text[-1] in ".?"
    assert "  " not in text
    assert "None" not in text.split(" of ", maxsplit=1)[-1]


def test_it_stays_short_when_the_course_uses_long_names() -> None:
    long = "the incremental five word name"
    asked = [
        question.model_copy(update={"concept_name": f"{long} {question.question_id}"})
        for question in questions()
    ]
    patterns = [
        ErrorPattern(
            pattern_type="conceptual",
            description=f"You answered with {long} where {long} {name} was meant.",
            affected_questions=(name,),
            suggested_remediation="",
        )
        for name in NAMES[1:]
    ]
    round_ = replace(
        finished("TFFF"),
        questions=asked,
        patterns=patterns,
        areas=[question.concept_name for question in asked[1:]],
        places={f"chunk of {name}": " › ".join([long] * 6 + [name]) for name in NAMES},
    )

    assert len(feedback_text(round_).split()) <= MOST_WORDS
    assert f"{long} topic was meant" in feedback_text(round_)


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", "b"], "a and b"),
        (["a", "b", "c"], "a, b and c"),
        (["a", "b", "c", "d", "e", "f"], "a, b, c, d and 2 more"),
    ],
)
def test_names_are_joined_as_people_do(names: list[str], text: str) -> None:
    assert joined(names) == text


def test_small_pieces() -> None:
    assert joined(["a", "b"], word="or") == "a or b"
    assert clipped("one two three", most=9) == "one two…"
    assert clipped("short", most=9) == "short"
    assert (capital("loop closure"), capital("tf2 library")) == ("Loop closure", "tf2 library")
    assert pick(["x", "y"], key="k") == pick(["x", "y"], key="k")


def test_two_open_concepts_are_not_praised_in_the_same_words() -> None:
    unanswered = [
        f"{name} is still open, and saying so was the right thing to do." for name in ("Node", "Topic")
    ]
    assert in_a_row(unanswered) == (
        "Node is still open, and saying so was the right thing to do. Topic is still open, too."
    )


def test_other_mistakes_in_a_row_keep_their_words() -> None:
    assert in_a_row(["You swapped a and b.", "Part is right."]) == "You swapped a and b. Part is right."


def test_a_concept_that_was_also_missed_is_not_praised() -> None:
    both = [question.model_copy(update={"concept_name": "node"}) for question in questions()[:2]]
    mixed = replace(finished("TFTF"), questions=[*both, *questions()[2:]])

    assert "**service**" in feedback_text(mixed)
    assert "**node**" not in feedback_text(mixed)
    only = replace(mixed, questions=both, responses=responses("TFTF")[:2])
    assert feedback_text(only).startswith("One of two right, so a part of it is there.")


@pytest.mark.parametrize(("result", "said"), [("T", "That was right."), ("F", "Not this time")])
def test_a_round_of_one_question_is_not_counted(result: str, said: str) -> None:
    whole = finished("TTTT" if result == "T" else "FFFF")
    one = replace(whole, questions=whole.questions[:1], responses=whole.responses[:1])
    assert feedback_text(one).startswith(said)
