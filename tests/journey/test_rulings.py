"""What a teacher rules on a question reaches every learner: their mastery, the quiz under way and the next one."""

from agents.mastery_book import carry_out
from agents.teaching.evidence import RulingKind
from agents.teaching.values import QuizQuestion
from storage.ledger import Disputes, QuestionRulings
from tests.support.talk import Learner, Meet, wrong_answer


async def rule(
    learner: Learner, question: QuizQuestion, kind: RulingKind, accepted: str | None = None
) -> list[str]:
    services = learner.services
    course = (await learner.state()).course
    await QuestionRulings(services.database).add(
        course=course,
        question_id=question.question_id,
        question_text=question.question_text,
        ruling=kind,
        accepted_answer=accepted,
        decided_by="tess",
        now=services.now(),
    )
    return await carry_out(services, course=course, question_id=question.question_id)


async def evidence_count(learner: Learner, concept: str) -> int:
    """How many answers the learner's mastery of a concept rests on."""
    rows = await learner.services.learners.mastery(learner.user_id)
    return next(row.evidence_count for row in rows if row.concept_name == concept)


async def test_voiding_a_question_recomputes_the_mastery_of_everybody_who_answered_it(meet: Meet) -> None:
    ada, bob = await meet(), await meet(user_id="bob", session_id="s2")
    for learner in (ada, bob):
        await learner.say("quiz me on topics")
    question = await ada.question()
    assert (await bob.question()).question_id == question.question_id
    await ada.answer(right=True)
    await bob.answer(right=False)
    for learner in (ada, bob):
        await learner.finish_quiz()
    before = [await evidence_count(learner, question.concept_name) for learner in (ada, bob)]

    assert await rule(ada, question, "void") == ["ada", "bob"]

    after = [await evidence_count(learner, question.concept_name) for learner in (ada, bob)]
    assert after == [count - 1 for count in before]
    assert await rule(ada, question, "void") == [], "twice is once"


async def test_a_question_that_is_taken_out_is_asked_neither_now_nor_later(ada: Learner) -> None:
    await ada.say("quiz me on topics")
    questions = (await ada.state()).quiz_questions
    await rule(ada, questions[1], "retired")
    heard = await ada.answer(right=True)

    assert questions[1].question_text not in heard.text
    assert len((await ada.state()).quiz_questions) == len(questions) - 1
    await ada.finish_quiz()
    for _ in range(3):
        await ada.say("quiz me on topics")
        asked = {each.question_id for each in (await ada.state()).quiz_questions}
        assert questions[1].question_id not in asked
        await ada.finish_quiz()


async def test_an_open_question_that_was_voided_counts_for_nothing_and_says_so(ada: Learner) -> None:
    await ada.say("quiz me on topics")
    question = await ada.question()
    await rule(ada, question, "void")
    heard = await ada.answer(right=False)

    assert "taken this question out of the count" in heard.text
    assert "The answer:" not in heard.text.split("Question")[0]
    assert [row.action for row in await ada.evidence()] == ["answer", "void"]


async def test_what_a_teacher_accepts_is_right_for_whoever_says_it_next(meet: Meet) -> None:
    ada, bob = await meet(), await meet(user_id="bob", session_id="s2")
    for learner in (ada, bob):
        await learner.say("quiz me on topics")
    question = await ada.question()
    said = wrong_answer(question)
    await ada.reply(said)
    await rule(ada, question, "also_right", said)
    await bob.reply(said)

    assert [(row.action, row.is_correct) for row in await ada.evidence()] == [
        ("answer", False),
        ("rekey", True),
    ]
    assert [(row.action, row.is_correct) for row in await bob.evidence()] == [("answer", True)]


async def test_a_dispute_is_kept_for_the_teacher_with_what_was_said(ada: Learner) -> None:
    await ada.say("quiz me on topics")
    await ada.answer(right=False)
    await ada.say("I disagree, that is what the book says")
    [answer] = [row for row in await ada.evidence() if row.action == "answer"]
    [dispute] = await Disputes(ada.services.database).of_course(answer.course)

    assert (dispute.answer_id, dispute.question_id) == (answer.id, answer.question_id)
    assert "what the book says" in dispute.argument
