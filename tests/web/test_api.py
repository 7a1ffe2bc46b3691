"""The HTTP API: the tutor for programs, under the rules of the pages, and never an answer before it was given."""

import json
from typing import Any

import httpx
import pytest

from agents.state import SessionState
from storage.accounts import Accounts
from tests.support.pages import OpenSite, Site
from tests.support.talk import wrong_answer
from web.access import choose_doors

ACCOUNTS = choose_doors(host="0.0.0.0", has_accounts=True)
COURSE = "physical-ai"


@pytest.fixture
async def home(open_site: OpenSite) -> Site:
    return open_site()


@pytest.fixture
async def school(open_site: OpenSite) -> Site:
    return open_site(doors=ACCOUNTS)


async def said(client: httpx.AsyncClient, message: str, **more: str) -> list[tuple[str, Any]]:
    """The events of one turn."""
    answer = await client.post("/api/turn", json={"message": message, **more})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/event-stream")
    blocks = [block.split("\n") for block in answer.text.strip().split("\n\n")]
    return [(name[len("event: ") :], json.loads(data[len("data: ") :])) for name, data in blocks]


async def view(client: httpx.AsyncClient, message: str, **more: str) -> dict[str, Any]:
    name, found = (await said(client, message, **more))[-1]
    assert name == "view"
    return dict(found)


async def pending(site: Site, user_id: str = "user") -> Any:
    session = await site.web.state.talk.session(user_id)
    return SessionState.of(session.state).pending_question


async def test_a_turn_streams_words_and_ends_with_a_view(home: Site) -> None:
    client = await home.program("user")
    events = await said(client, "teach me topics")
    names = [name for name, _ in events]
    shown = events[-1][1]

    assert names[-1] == "view"
    assert names.count("view") == 1
    assert shown["status"] == "success"
    assert shown["progress"]["course"] == COURSE
    assert shown["progress"]["concepts"]
    assert shown["question"]["number"] == 1


async def test_no_expected_answer_leaves_before_the_answer_is_in(home: Site) -> None:
    client = await home.program("user")
    shown = await view(client, "quiz me on topics")
    for _ in range(shown["question"]["total"]):
        open_one = await pending(home)
        assert set(shown["question"]) == {
            "question_id",
            "text",
            "kind",
            "number",
            "total",
            "options",
        }
        assert "expected_answer" not in json.dumps({**shown, "mark": None})
        for path in ("/api/progress", "/api/courses"):
            assert "expected" not in (await client.get(path)).text
        shown = await view(client, wrong_answer(open_one), question_id=open_one.question_id)
        assert shown["mark"]["question_id"] == open_one.question_id
        assert shown["mark"]["is_correct"] is False
        assert shown["mark"]["expected_answer"] == open_one.expected_answer


async def test_while_a_question_is_open_no_name_of_a_concept_is_told(home: Site) -> None:
    """It may be what the question asks for."""
    client = await home.program("user")
    shown = await view(client, "quiz me on topics")
    for _ in range(shown["question"]["total"]):
        assert shown["progress"]["concepts"]
        assert {each["name"] for each in shown["progress"]["concepts"]} == {""}
        shown = await view(client, wrong_answer(await pending(home)))


async def test_an_option_is_sent_by_what_stands_beside_it(home: Site) -> None:
    client = await home.program("user")
    shown = await view(client, "quiz me on topics")
    for _ in range(shown["question"]["total"]):
        open_one = await pending(home)
        right = [
            each["send"] for each in shown["question"]["options"] if each["text"] == open_one.expected_answer
        ]
        shown = await view(client, right[0] if right else open_one.expected_answer)
        assert shown["mark"]["is_correct"] is True


async def test_an_answer_to_an_older_question_is_told_and_not_graded(home: Site) -> None:
    client = await home.program("user")
    await view(client, "quiz me on topics")
    shown = await view(client, "a topic", question_id="an-older-one")

    assert shown["mark"] is None
    assert shown["question"]["number"] == 1


async def test_an_answer_in_a_course_that_was_removed_is_told_so(home: Site) -> None:
    client = await home.program("user")
    await view(client, "quiz me on topics")
    question = await pending(home)
    await home.services.library.corpus.delete_course(COURSE)
    await home.services.library.follow()
    (first, told), (last, shown) = await said(client, "A", question_id=question.question_id)

    assert (first, last) == ("trouble", "view")
    assert "removed" in told["message"]
    assert (shown["question"], shown["progress"]["topic"]) == (None, "")


async def test_a_diagnostic_tells_no_answers(home: Site) -> None:
    client = await home.program("user")
    shown = await view(client, "test what I know about topics")
    assert shown["question"]["total"] is None
    shown = await view(client, wrong_answer(await pending(home)))

    assert shown["mark"] is None


async def test_progress_and_courses_tell_how_far_the_learner_is(home: Site) -> None:
    client = await home.program("user")
    await view(client, "quiz me on topics")
    question = await pending(home)
    await view(client, question.expected_answer)
    progress = (await client.get("/api/progress")).json()
    [course] = (await client.get("/api/courses")).json()

    assert [each["name"] for each in progress["concepts"]] == [question.concept_name]
    assert 0 < progress["concepts"][0]["score"] < 1
    assert (course["name"], course["begun"], course["is_current"]) == (COURSE, 1, True)


@pytest.mark.parametrize("token", ["Bearer made-up", "Bearer ", "Basic dXNlcjo=", "", "Bearer é"])
async def test_a_token_that_is_none_of_ours_is_told_so(home: Site, token: str) -> None:
    refused = await home.person().get("/api/progress", headers={"authorization": token.encode()})

    assert refused.status_code == 401
    assert "tutor token add" in refused.json()["message"]


async def test_at_home_a_program_may_look_without_a_token_but_not_speak(home: Site) -> None:
    """Else any page that is open beside ours could speak in the learner's name."""
    stranger = home.person()
    looked = await stranger.get("/api/courses")
    spoke = await stranger.post("/api/turn", json={"message": "delete all my tasks"})
    from_our_page = await stranger.post(
        "/api/turn", json={"message": "hello"}, headers={"x-csrf-token": await stranger.token()}
    )

    assert (looked.status_code, spoke.status_code, from_our_page.status_code) == (200, 403, 200)


async def test_a_learner_reaches_their_own_data_only(school: Site) -> None:
    await school.member("ada")
    await school.member("bob")
    ada, bob = await school.program("ada"), await school.program("bob")
    await view(ada, "quiz me on topics")
    await view(ada, (await pending(school, "ada")).expected_answer)
    bobs = await view(bob, "hello")

    assert (await ada.get("/api/progress")).json()["concepts"]
    assert (await bob.get("/api/progress")).json()["concepts"] == []
    assert bobs["question"] is None
    assert await school.services.ledger.of("bob") == []


@pytest.mark.parametrize("smuggled", ["session_id", "user_id", "session"])
async def test_a_foreign_session_cannot_be_named(school: Site, smuggled: str) -> None:
    await school.member("ada")
    await school.member("bob")
    bob = await school.program("bob")
    refused = await bob.post("/api/turn", json={"message": "hello", smuggled: "page-ada"})
    looked = await bob.get(f"/api/progress?{smuggled}=ada&user_id=ada")

    assert refused.status_code == 422
    assert smuggled in refused.text
    assert looked.json()["concepts"] == []
    assert await school.services.sessions.turns("ada") == []


async def test_a_closed_account_takes_its_tokens_along(school: Site) -> None:
    await school.member("ada")
    ada = await school.program("ada")
    await Accounts(school.services.database).remove("ada")

    assert (await ada.get("/api/progress")).status_code == 401


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ({"message": ""}, 422),
        ({"message": "   "}, 422),
        ({"message": "x" * 16_001}, 422),
        ({"message": "hello", "course": "alchemy"}, 404),
        ({"message": 7}, 422),
    ],
)
async def test_what_cannot_be_served_is_told(home: Site, body: dict[str, Any], status: int) -> None:
    client = await home.program("user")
    refused = await client.post("/api/turn", json=body)

    assert refused.status_code == status
    assert "message" in refused.text or "course" in refused.text


async def test_a_course_that_is_none_is_named_with_those_that_are(home: Site) -> None:
    client = await home.program("user")
    refused = await client.get("/api/progress?course=alchemy")

    assert refused.status_code == 404
    assert COURSE in refused.json()["message"]


async def test_the_schema_describes_every_path_and_the_view(home: Site) -> None:
    schema = (await home.person().get("/api/openapi.json")).json()

    assert set(schema["paths"]) == {"/api/turn", "/api/progress", "/api/courses"}
    assert "TurnView" in schema["components"]["schemas"]
    told = schema["components"]["schemas"]["QuestionView"]["properties"]
    assert not {"expected_answer", "concept"} & set(told)


async def test_a_body_that_is_no_text_is_refused_without_a_fault(site: Site) -> None:
    answered = await site.client.post(
        "/api/turn", content=b"[\xce\x94f\xcc\xcb", headers={"content-type": "application/octet-stream"}
    )
    assert answered.status_code == 422
    assert {"type", "loc", "msg"} == set(answered.json()["detail"][0])
