"""What a teacher sees of the class, from the rows alone."""

from dataclasses import replace
from typing import Any

from agents.classroom import Cell, class_table, question_reports
from agents.mastery_book import Reckoning
from agents.syllabus import Syllabus
from agents.teaching.evidence import LedgerRow, QuestionRuling
from agents.teaching.mastery import Parameters
from agents.teaching.record import CourseRecord, replayed
from agents.teaching.values import Concept
from storage.corpus import Document
from tests.support.ledger import DISPUTE, NOW, ledger_row

CONCEPTS = (("joint", "urdf"), ("link", "urdf"), ("node", "ros"))


def document(chapter_id: str) -> Document:
    return Document(
        id=chapter_id,
        chapter_id=chapter_id,
        module_name="",
        title=chapter_id.upper(),
        source_url="",
        position=0,
        content_hash="",
    )


SYLLABUS = Syllabus(
    course="ros",
    title="Robots",
    revision=1,
    documents=(document("preface"), document("urdf"), document("ros")),
    concepts=tuple(
        Concept(name=name, definition="", kind="term", chapter_id=chapter, chunk_id="k", position=0)
        for name, chapter in CONCEPTS
    ),
    relationships=(),
    passages=(),
)


def answers(*rows: dict[str, Any]) -> list[LedgerRow]:
    return [replace(ledger_row(**row), id=number) for number, row in enumerate(rows, 1)]


def record(*concepts: str, right: int) -> Reckoning:
    """Somebody with so many right answers on each of these concepts."""
    rows = [
        {"concept_name": name, "question_id": f"{name} {number}"}
        for name in concepts
        for number in range(right)
    ]
    kept = CourseRecord(concepts=replayed(answers(*rows)))
    return Reckoning.of(kept, user_id="", course="ros", threshold=0.85, now=NOW, parameters=Parameters())


def test_the_class_is_a_table_of_chapters_by_learners() -> None:
    records = {"ada": record("joint", "link", right=4), "bob": record("joint", right=1)}
    table = class_table(SYLLABUS, records, ["ada", "bob", "cy"], threshold=0.85)

    assert [row.title for row in table.rows] == ["URDF", "ROS"], "what teaches nothing is no row"
    assert table.rows[0].cells == (
        Cell(mastered=2, begun=2, total=2),
        Cell(mastered=0, begun=1, total=2),
        Cell(mastered=0, begun=0, total=2),
    )
    assert [cell.is_done for cell in table.rows[0].cells] == [True, False, False]
    assert [cell.mastered for cell in table.totals] == [2, 0, 0]


def test_the_question_that_most_learners_miss_comes_first_and_what_all_know_not_at_all() -> None:
    wrong = {"is_correct": False, "learner_answer": "a node"}
    rows = answers(
        *({"question_id": "hard", **wrong} for _ in range(5)),
        {"question_id": "once", **wrong},
        {"question_id": "easy"},
        *({"question_id": "mixed", **(wrong if number else {})} for number in (0, 0, 0, 1)),
    )

    assert [each.question_id for each in question_reports(rows)] == ["hard", "once", "mixed"]


def test_wrong_answers_are_counted_in_words_and_saying_nothing_is_none() -> None:
    choice = {"kind": "multiple_choice", "options": ("a joint", "a node"), "is_correct": False}
    [report] = question_reports(
        answers(
            {"learner_answer": "B", **choice},
            {"learner_answer": "a node", **choice},
            {"learner_answer": "I don't know", **choice},
        )
    )

    assert report.wrong_answers == (("a node", 2),)
    assert (report.asked, report.missed) == (3, 3)


def test_a_disputed_question_is_shown_with_what_was_said_and_a_ruled_one_stays_in_view() -> None:
    ruling = QuestionRuling(
        id=1,
        course="ros",
        question_id="never asked",
        question_text="Which one?",
        ruling="retired",
        accepted_answer=None,
        decided_by="tess",
        decided_at=NOW,
    )
    disputed, ruled = question_reports(answers({"question_id": "q1"}), [DISPUTE], [ruling])

    assert (disputed.missed, disputed.disputes) == (0, (DISPUTE,))
    assert (ruled.text, ruled.asked, ruled.rulings) == ("Which one?", 0, (ruling,))
