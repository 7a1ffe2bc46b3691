"""What is said about one question does not answer another that is still to come."""

from itertools import islice
from typing import get_args

from agents.language.words import in_short
from agents.quiz.marking import SKIPPED, Ruling
from agents.quiz.offline import KEPT_BACK, comparison, kept_back, reaction, ruling_text
from agents.teaching.questions.ahead import is_said, without_keys
from agents.teaching.questions.hints import hint
from agents.teaching.questions.writing import MOST_QUESTIONS, candidates, write_items
from agents.teaching.values import Concept, QuestionKind, QuizQuestion, QuizResponse
from tests.support.ledger import ledger_row
from tests.support.passages import passage
from tests.support.sample_course import chapter, section


def question(
    name: str, answer: str, *, kind: QuestionKind = "short_answer", source: str = ""
) -> QuizQuestion:
    return QuizQuestion(
        question_id=name,
        question_text=f"What is {name}?",
        concept_name=name,
        difficulty="easy",
        expected_answer=answer,
        source_context=source or f"The course says {answer}.",
        kind=kind,
    )


def marked(asked: QuizQuestion, *, grader: str = "code", reason: str = "") -> QuizResponse:
    return QuizResponse(
        question_id=asked.question_id,
        learner_answer="",
        is_correct=False,
        time_taken_seconds=1,
        attempt_number=1,
        grader=grader,
        reason=reason,
    )


FIRST = question("one", "URDF")
AGAIN = question("two", "the URDFs", kind="cloze")
OTHER = question("three", "a joint that connects two links")
LIE = question("four", "False", kind="true_false")


def test_a_skipped_answer_waits_where_a_question_ahead_asks_for_it_too() -> None:
    said = reaction(FIRST, marked(FIRST, grader=SKIPPED), number=1, ahead=[OTHER, AGAIN])
    assert said == f"Skipped. {KEPT_BACK}"
    assert reaction(FIRST, marked(FIRST, grader=SKIPPED), number=1, ahead=[OTHER]).endswith("record: URDF.")


def test_what_was_kept_back_is_told_at_the_end() -> None:
    questions = [FIRST, OTHER, AGAIN]
    told = kept_back(questions, [marked(FIRST), marked(OTHER), marked(AGAIN)])
    assert "“What is one?” URDF." in told
    assert "joint" not in told
    assert kept_back([FIRST, OTHER], [marked(FIRST), marked(OTHER)]) == ""


def test_a_reason_and_a_comparison_have_a_gap_in_its_place() -> None:
    said = reaction(OTHER, marked(OTHER, reason="It is in the URDF."), number=1, ahead=[FIRST])
    assert "It is in the ____." in said
    assert "a joint that connects two links" in said
    source = "A URDF has links. Its joints connect them."
    assert "A ____ has links." in comparison(question("five", "links", source=source), ahead=[FIRST])


def test_a_verdict_is_no_answer_to_another_statement() -> None:
    assert "The answer: False." in reaction(LIE, marked(LIE), number=1, ahead=[LIE, FIRST])


def test_a_key_is_found_however_it_is_written() -> None:
    assert is_said(AGAIN, "all of the URDFs")
    assert is_said(FIRST, "a urdf file")
    assert without_keys("no name in it", [FIRST]) == "no name in it"
    assert without_keys("URDF, the URDF file, urdfs", [FIRST, AGAIN]) == "____, the ____ file, ____"


def test_over_whole_quizzes_of_all_kinds_nothing_said_answers_a_question_ahead(terms: list[Concept]) -> None:
    code = passage(
        "Count the services:\n\n```python\nprint(3 + 4)\n```\n\n```output\n7\n```\n\nIt prints the sum.",
        number=9,
    )
    steps = section("module-4-vslam/ch3-slam-loop-closure.md", "The pose graph and loop closure", number=8)
    passages = [*chapter(), steps, code]
    quizzes = [write_items(passages, concepts=terms, count=MOST_QUESTIONS, seed=seed) for seed in range(6)]
    from_memory = (each.item for each in candidates(passages, concepts=terms) if each.is_last_resort)
    from_author = [
        question("speed", "4.5 m/s", kind="numeric"),
        question("law", "v = s / t", kind="formula"),
        question("claim", "true", kind="true_false"),
        question("gap", "xacro", kind="cloze"),
        question("parts", "a publisher\na subscriber", kind="several"),
    ]
    quizzes.append([*islice(from_memory, 4), *quizzes[0], *from_author])
    assert {each.kind for quiz in quizzes for each in quiz} == set(get_args(QuestionKind))
    for quiz in quizzes:
        for number, asked in enumerate(quiz, 1):
            ahead = quiz[number:]
            for text in _said_about(asked, ahead):
                for later in ahead:
                    key = later.expected_answer.strip().lower()
                    is_word = later.kind not in ("true_false", "ordering", "several") and len(key) > 2
                    assert not (is_word and key in text.lower()), (asked.question_text, text, key)


def _said_about(asked: QuizQuestion, ahead: list[QuizQuestion]) -> list[str]:
    """All that the tutor may say about a question before the next one."""
    told = f"The course says: {asked.source_context}"
    wrong = marked(asked, reason=told)
    marks = (wrong, marked(asked, grader=SKIPPED), wrong.model_copy(update={"is_correct": True}))
    row = ledger_row(question_text=asked.question_text)
    return [
        *(reaction(asked, each, number=1, ahead=ahead) for each in marks),
        comparison(asked, ahead=ahead),
        ruling_text(row, Ruling(outcome="kept", reason=told), ahead=ahead).replace(
            in_short(asked.question_text), ""
        ),
        *(hint(asked, number=number, place="Services and actions", ahead=ahead) for number in (1, 2, 3)),
    ]
