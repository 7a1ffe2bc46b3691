"""Studying on the page: one turn at a time, every turn through the Runner, the place always kept."""

import asyncio
import json
from pathlib import Path

import pytest
from google.adk.events.event import Event
from google.adk.sessions.session import Session
from google.genai.types import Content, Part

from agents.adk_sessions import APP_NAME
from agents.quiz.marking import Ruling, apply_ruling
from agents.quiz.offline import before_question, comparison
from agents.said import WORDS_KEY
from agents.state import SessionState
from agents.teaching.values import QuizQuestion
from tests.support.site import Site, site_in, soup, words
from web.caller import TEMPLATES, session_id
from web.render import to_html
from web.study import Standing, mark_of, study_of


async def test_the_lesson_comes_first_and_the_question_after_it(site: Site) -> None:
    await site.start()
    page = await site.see("/study")
    assert "named channel" in words(page.select_one("#lesson"))
    assert not page.select_one("#lesson").has_attr("hidden")
    assert page.select_one("#question").has_attr("hidden")
    asked = await site.see("/study?see=question")
    assert asked.select_one("#lesson").has_attr("hidden")
    assert not asked.select_one("#question").has_attr("hidden")


@pytest.mark.parametrize(
    ("kind", "options", "control"),
    [
        ("multiple_choice", ("a wire", "a *robot*"), "input[type=radio][name=text]"),
        ("true_false", (), "input[type=radio][name=text]"),
        ("ordering", ("first", "then"), "ol.order li[draggable]"),
        ("cloze", (), "input[type=text][name=text]"),
        ("short_answer", (), "textarea[name=text]"),
        ("recall", (), "textarea[name=text]"),
        ("several", ("one", "two"), "input[type=checkbox][name=text]"),
        ("numeric", (), "input[type=text][name=text]"),
        ("formula", (), "input[type=text][name=text]"),
    ],
)
def test_every_kind_of_question_has_its_control(kind: str, options: tuple[str, ...], control: str) -> None:
    item = QuizQuestion(
        question_id="q1", question_text="What is it?", concept_name="it", difficulty="easy", kind=kind,
        expected_answer="the secret", source_context="It is the secret.", options=options,
    )  # fmt: skip
    state = SessionState(learning_phase="quiz", quiz_questions=[item]).model_dump(mode="json")
    session = Session(id="s", app_name="agents", user_id="ada", state=state)
    html = TEMPLATES.get_template("study/main.html").render(
        study=study_of(session, Standing()), csrf_token=""
    )
    form = soup(html).select_one("#question form.answer")
    assert len(form.select(control)) == (2 if options or kind == "true_false" else 1)
    assert form.select_one("[name=question_id]")["value"] == "q1"
    assert "secret" not in html


def test_the_points_of_a_key_are_ticked_one_by_one() -> None:
    item = QuizQuestion(
        question_id="q1", question_text="Why?", concept_name="it", difficulty="easy", kind="recall",
        expected_answer="It is light. It is cheap.", source_context="It is light. It is cheap.",
        points=("It is light", "It is cheap"),
    )  # fmt: skip
    state = SessionState(
        learning_phase="quiz", quiz_questions=[item], self_check_answer="because"
    ).model_dump(mode="json")
    session = Session(id="s", app_name="agents", user_id="ada", state=state)
    html = TEMPLATES.get_template("study/main.html").render(
        study=study_of(session, Standing()), csrf_token=""
    )
    form = soup(html).select_one("#question form.ticks")
    assert [box["value"] for box in form.select("input[type=checkbox][name=text]")] == ["1", "2"]
    assert html.count("It is cheap") == 1
    assert soup(html).find("button", string="None of them")


async def test_marks_of_a_lesson_lead_to_the_passage_in_its_place(site: Site) -> None:
    await site.start()
    page = await site.see("/study")
    link = page.select_one("#lesson a.cite")
    passage = await site.see(link["href"], headers={"X-Part": "1"})
    assert "Topics, publishers and subscribers" in words(passage.select_one("h2"))
    assert "named channel" in words(passage.select_one(".it"))
    assert passage.select(".near"), "what stands around it is shown too"


async def test_an_answer_is_marked_at_once_with_its_reason_and_the_next_question_follows(site: Site) -> None:
    await site.start()
    heard = await site.answer(right=True)
    main = soup(heard["page"]["main"])
    assert "Right" in words(main.select_one(".mark .verdict"))
    assert "You said" in words(main.select_one(".mark"))
    assert words(main.select_one(".mark .prose"))
    assert "Question 2 of 4" in words(main.select_one("#question"))
    dots = soup(heard["page"]["head"]).select(".dots li")
    assert [dot["class"][0] for dot in dots] == ["right", "now", "open", "open"]


async def test_a_wrong_answer_can_be_disputed(site: Site) -> None:
    await site.start()
    heard = await site.answer(right=False)
    main = soup(heard["page"]["main"])
    assert "Not yet" in words(main.select_one(".mark .verdict"))
    assert main.find("button", string="I disagree")
    heard = await site.say("I disagree")
    main = soup(heard["page"]["main"])
    assert "I looked again" in words(main.select_one(".note"))
    assert "Question 2 of 4" in words(main.select_one("#question"))


async def test_an_answer_that_was_looked_at_again_is_shown_as_it_counts_now(site: Site) -> None:
    """Whoever did it: the learner by the button or in the chat, a teacher, or `tutor dispute`; also after a reload."""

    async def shown_after_reload() -> tuple[str, list[str], str]:
        page = await site.see("/study?see=question")
        dots = [dot["class"][0] for dot in page.select("#head .dots li")]
        notes = " ".join(words(note) for note in page.select("#main .note:not(.live)"))
        return words(page.select_one(".mark")), dots, notes

    await site.start("camera intrinsics")
    await site.answer(right=False)
    assert (await site.state()).pending_question.kind == "recall"
    for _ in range(2):  # said from memory, and compared with the course
        await site.answer(right=False)
    heard = await site.say("I disagree", said_in="talk")
    mark, dots, _ = await shown_after_reload()
    assert mark.startswith("– Not counted")
    assert "counts for nothing" in mark
    assert dots == ["wrong", "void", "now"]
    assert words(soup(heard["page"]["main"]).select_one(".mark")) == mark

    for _ in range(2):
        await site.answer(right=False)
    assert "None of the two" in (await shown_after_reload())[2]
    last = [row for row in await site.services.ledger.of("user") if row.action == "answer"][-1]
    await apply_ruling(site.services, last, Ruling(outcome="voided", reason="it was not clear"))
    _, _, notes = await shown_after_reload()
    assert notes == "After a second look: 0 of 1 right ."
    main = soup((await site.say("I disagree"))["page"]["main"])
    mark, _, notes = await shown_after_reload()
    assert mark.startswith("– Not counted")
    assert "the ruling stands" in notes
    assert "After a second look: 0 of 1 right" in notes
    assert not main.find("button", string="I disagree")

    await apply_ruling(site.services, last, Ruling(outcome="corrected", reason="the key was wrong"))
    mark, _, notes = await shown_after_reload()
    assert mark.startswith("✓ Right")
    assert "The key was wrong" in mark
    assert "After a second look: 1 of 2 right" in notes


@pytest.mark.parametrize(
    "said",
    [
        ("find my gaps in URDF",),
        ("find my gaps in URDF", "what is a node?"),
        ("find my gaps in URDF", "I don't know"),
        ("two questions on the whole course",),
        ("teach me ROS 2 topics", "hint", "what is a node?", "show my tasks"),
        ("teach me ROS 2 topics", "find my gaps in URDF", "yes", *["I don't know"] * 6),
    ],
    ids=" / ".join,
)
async def test_the_open_question_stands_on_the_page_once(site: Site, said: tuple[str, ...]) -> None:
    for line in said:
        await site.say(line)
    question = (await site.state()).pending_question
    assert question is not None
    shown = words((await site.see("/study")).select_one("body"))
    assert shown.count(words(soup(to_html(question.question_text)))) == 1


async def test_no_name_stands_above_a_question_that_may_ask_for_it(site: Site) -> None:
    await site.start()
    names = (await site.state()).topic_concepts
    asked = (await site.see("/study?see=question")).select_one("#head")
    assert not asked.select(".chip")
    bars = asked.select(".bars svg")
    assert [bar["aria-label"] for bar in bars] == [
        f"concept {n} of {len(names)}, 0%" for n in range(1, len(names) + 1)
    ]
    assert "goal 85%" in words(asked)
    reading = (await site.see("/study")).select_one("#head")
    assert [name for name in names if name not in words(reading.select_one(".chips"))] == []
    assert reading.select_one(".bars").has_attr("hidden")
    after = soup((await site.master())["page"]["head"])
    assert [name for name in names if name not in words(after.select_one(".chips"))] == []


async def test_why_an_answer_is_right_is_folded_and_why_it_is_not_is_open(site: Site) -> None:
    """The reason quotes the course, and may answer the question below it."""
    await site.start()
    right = soup((await site.answer(right=True))["page"]["main"]).select_one(".mark")
    assert not right.select_one("details.why").has_attr("open")
    assert not [part for part in right.select(".prose") if not part.find_parent("details")]
    wrong = soup((await site.answer(right=False))["page"]["main"])
    if not wrong.select_one(".mark"):
        wrong = soup((await site.answer(right=False))["page"]["main"])
    assert wrong.select_one(".mark > .prose")
    assert not wrong.select_one(".mark details")


async def test_only_what_the_tutor_judged_can_be_disputed(site: Site) -> None:
    await site.start()
    gave_up = soup((await site.say("show me the answer"))["page"]["main"])
    assert "Not yet" in words(gave_up.select_one(".mark"))
    assert not gave_up.find("button", string="I disagree")
    skipped = soup((await site.say("skip"))["page"]["main"])
    assert not skipped.find("button", string="I disagree")


def test_what_is_to_be_compared_is_shown_once() -> None:
    """In the question's card; what else was said with it stays."""
    item = QuizQuestion(
        question_id="q1", question_text="What do you remember?", concept_name="it", difficulty="easy", kind="recall",
        expected_answer="all", source_context="It is `a<b` and more.",
    )  # fmt: skip
    state = SessionState(learning_phase="quiz", quiz_questions=[item], self_check_answer="mine")
    asked = Event(author="user", invocation_id="1", content=Content(parts=[Part(text="mine")]))
    said = Event(
        author="quiz",
        invocation_id="1",
        content=Content(parts=[Part(text=f"No model.\n\n{comparison(item)}")]),
        custom_metadata={WORDS_KEY: before_question("No model.", comparison(item)).words},
    )
    session = Session(
        id="s", app_name="a", user_id="u", state=state.model_dump(mode="json"), events=[asked, said]
    )
    study = study_of(session, Standing())
    assert study.question is not None
    assert study.last is not None
    assert "The course says" in study.question.comparison_html
    assert [words(soup(each.html)) for each in study.last.replies] == ["No model."]


@pytest.mark.parametrize(
    ("answer", "grader", "disputable"),
    [("a wire", "code", True), ("a wire", "model", True), ("a wire", "learner", False), ("I don't know", "code", False), ("", "skipped", False)],
)  # fmt: skip
def test_a_dispute_is_about_a_judgement_of_the_tutor(answer: str, grader: str, disputable: bool) -> None:
    response = {
        "question_id": "q1",
        "learner_answer": answer,
        "is_correct": False,
        "score": 0.0,
        "grader": grader,
    }
    event = Event(author="quiz", invocation_id="1", content=Content(parts=[Part(text="Not yet.")]))
    event.actions.state_delta.update({"quiz_responses": [response], "question_asked_at": "now"})
    mark = mark_of(event)
    assert mark is not None
    assert mark.is_disputable is disputable


async def test_a_topic_begun_in_the_chat_has_no_mark_of_the_one_before(site: Site) -> None:
    await site.start()
    await site.answer()
    await site.say("teach me nodes", said_in="talk")
    heard = await site.say("yes", said_in="talk")  # a chat asks before it leaves a lesson
    main = soup(heard["page"]["main"])
    assert main.select_one("#lesson")
    assert not main.select_one(".mark")


async def test_hint_skip_and_explain_differently_keep_the_place(site: Site) -> None:
    await site.start()
    hint = soup((await site.say("hint"))["page"]["main"])
    assert words(hint.select_one(".note"))
    assert "Question 1 of 4" in words(hint.select_one("#question"))
    again = soup((await site.say("explain it differently"))["page"]["main"])
    assert again.select_one(".note a.cite")
    assert "Question 1 of 4" in words(again.select_one("#question"))
    skipped = soup((await site.say("skip"))["page"]["main"])
    assert "Skipped" in words(skipped.select_one(".mark"))
    assert "Question 2 of 4" in words(skipped.select_one("#question"))
    assert not await site.services.ledger.of("user")


async def test_who_knows_it_goes_straight_to_the_questions(site: Site) -> None:
    await site.start()
    page = await site.see("/study")
    button = page.find("button", string="I know this")
    main = soup((await site.say(button["value"]))["page"]["main"])
    assert not main.select_one("#question").has_attr("hidden")


async def test_what_is_said_in_the_chat_is_never_graded(site: Site) -> None:
    """Not even the right answer: who talks beside a question is not answering it."""
    await site.start()
    question = (await site.state()).pending_question
    assert question is not None
    for text in (question.expected_answer, "C", "I think it is about robots", "what is a node?"):
        await site.say(text, said_in="talk")
    assert not await site.services.ledger.of("user")


async def test_a_question_in_the_chat_is_answered_there_and_the_question_stays(site: Site) -> None:
    await site.start()
    await site.answer()
    heard = (await site.say("what is a node?", said_in="talk"))["page"]
    assert "named unit" in words(soup(heard["talk"]).select(".theirs")[-1])
    assert soup(heard["talk"]).select_one(".theirs a.cite")
    main = soup(heard["main"])
    assert "Right" in words(main.select_one(".mark")), "the last mark stays where it was"
    assert "Question 2 of 4" in words(main.select_one("#question"))


async def test_what_goes_into_the_answer_field_is_always_the_answer(site: Site) -> None:
    """Nobody is asked 'shall I take that as your answer?' where there is a field for it."""
    await site.start()
    while (question := (await site.state()).pending_question) and question.options:
        await site.answer()
    assert question is not None
    before = len(await site.services.ledger.of("user"))
    await site.say("can you tell me what a node is", said_in="answer", question_id=question.question_id)
    state = await site.state()
    assert not state.doubtful_message
    assert state.self_check_answer or len(await site.services.ledger.of("user")) == before + 1


async def test_a_stale_answer_of_a_second_tab_is_told_and_not_graded(site: Site) -> None:
    await site.start()
    old = (await site.state()).pending_question
    assert old is not None
    await site.answer()
    heard = await site.say("A", said_in="answer", question_id=old.question_id)
    assert "answered already" in words(soup(heard["page"]["main"]).select_one(".note"))
    assert len(await site.services.ledger.of("user")) == 1
    assert "Question 2 of 4" in words(soup(heard["page"]["main"]).select_one("#question"))


async def test_two_tabs_that_answer_at_once_are_graded_once(site: Site) -> None:
    await site.start()
    await asyncio.gather(site.answer(), site.answer())
    assert len(await site.services.ledger.of("user")) == 1


async def test_no_page_and_no_stream_carries_the_answer_before_it_was_given(site: Site) -> None:
    await site.start("ROS 2 topics", manner="quiz")
    for _ in range(4):
        question = (await site.state()).pending_question
        assert question is not None
        seen = [
            (await site.client.get("/study")).text,
            json.dumps(await site.say("hint")),
            (await site.client.get("/study/now")).text,
            (await site.client.get("/")).text,
        ]
        for text in seen:
            assert "expected_answer" not in text
            assert "source_context" not in text
            if not question.options:
                shown = soup(text).select_one("#question")
                assert shown is None or question.expected_answer not in shown.decode()
        await site.answer(right=False)


async def test_a_reload_comes_back_to_the_same_place(site: Site) -> None:
    await site.start()
    heard = await site.answer(right=False)
    page = await site.see("/study")
    for part in ("head", "main", "talk"):
        assert words(page.select_one(f"#{part}")) == words(soup(f"<div>{heard['page'][part]}</div>"))


async def test_a_restart_comes_back_to_the_same_place(folder: Path) -> None:
    async with site_in(folder) as site:
        await site.start()
        await site.answer(right=False)
        before = words((await site.see("/study")).select_one("#main"))
    async with site_in(folder) as site:
        assert words((await site.see("/study")).select_one("#main")) == before
        await site.answer()
        assert len(await site.services.ledger.of("user")) == 2


async def test_a_turn_goes_on_when_its_window_is_closed(site: Site) -> None:
    """Whoever reloads in the middle of a turn finds what came of it."""
    await site.start()
    question = (await site.state()).pending_question
    assert question is not None
    site.web.state.talk.begin("user", "C", said_in="answer", question_id=question.question_id)
    assert 'data-busy="1"' in (await site.client.get("/study")).text
    parts = (await site.client.get("/study/now")).json()
    assert "Question 2 of 4" in words(soup(parts["main"]).select_one("#question"))


async def test_a_topic_is_mastered_and_the_next_is_offered(site: Site) -> None:
    await site.start()
    heard = await site.master()
    assert "4 of 4 concepts mastered" in words(soup(heard["page"]["head"]))
    assert soup(heard["page"]["main"]).select_one(".next button").text.startswith("Go on")


async def test_looking_at_the_page_does_not_lower_what_the_session_asks_for(site: Site) -> None:
    talk = site.web.state.talk
    await talk.sessions.create_session(
        app_name=APP_NAME, user_id="user", session_id=session_id("user"), state={"mastery_threshold": 0.999}
    )
    await site.start()
    await site.master()
    for address in ("/study", "/api/progress?course=physical-ai"):
        await site.client.get(address)
        rows = await site.services.learners.mastery("user", course="physical-ai")
        assert rows
        assert not any(row.mastered for row in rows), address


async def test_two_learners_do_not_see_each_other(site: Site) -> None:
    await site.start()
    await site.answer()
    site.client.cookies.set("who", "grace")
    assert "Learn a topic" in words((await site.see("/")).select_one("h1"))
    await site.start("nodes")
    site.client.cookies.delete("who")
    assert "Question 2 of 4" in words((await site.see("/study")).select_one("#question"))


async def test_a_long_conversation_is_not_loaded_whole(site: Site) -> None:
    """What a page and a turn read of it does not grow, so turn 300 is as fast as turn 3."""
    await site.start()
    talk = site.web.state.talk
    session = await talk.session("user")
    for number in range(300):
        event = session.events[0].model_copy(
            update={"id": f"old-{number}", "invocation_id": f"old-{number}", "timestamp": 1.0 + number}
        )
        await talk.sessions.append_event(session, event)
    assert len((await talk.session("user")).events) <= 40
    assert "Question" in words((await site.see("/study")).select_one("#question"))


async def test_without_a_script_a_form_brings_the_next_page(site: Site) -> None:
    await site.start()
    question = (await site.state()).pending_question
    assert question is not None
    form = {"text": "C", "said_in": "answer", "question_id": question.question_id}
    response = await site.client.post("/study/say", data=form)
    assert (response.status_code, response.headers["location"]) == (303, "/study")
    assert (await site.see("/study?see=question")).select_one("#question")


async def test_an_empty_or_endless_message_gets_a_word(site: Site) -> None:
    for text, said in (("  ", "first"), ("a" * 20_000, "at once")):
        response = await site.client.post(
            "/study/say", data={"text": text}, headers={"Accept": "text/event-stream"}
        )
        assert response.status_code == 400
        assert said in response.json()["message"]
