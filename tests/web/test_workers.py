"""Several workers behind one port: what was acknowledged is kept when one is killed, and a stop ends what was begun."""

import asyncio
import signal
from pathlib import Path

import httpx
import pytest

from agents.meter import WIDTH, Meter
from agents.turn import TurnDraft
from evals.servers import crew, difference, lessons, new_database
from storage.database import Database
from storage.errors import StorageError
from tests.support.processes import until
from tests.support.site import Site


async def test_a_worker_that_is_killed_under_load_costs_nobody_an_answer(
    postgres_server: str, tmp_path: Path
) -> None:
    url = await new_database(postgres_server, "killed_under_load")
    served = await lessons(tmp_path / "home", url, workers=2, learners=3, kills=True)

    assert served.stuck == 0
    assert sum(served.acknowledged.values()) >= 3, "each has an answer at least"
    assert await difference(url, served) == (0, 0)


async def test_workers_share_a_port_and_their_numbers_and_one_that_dies_is_replaced(tmp_path: Path) -> None:
    file = f"sqlite:///{tmp_path / 'tutor.db'}"
    async with crew(tmp_path / "home", file, workers=2) as running:
        first = running.workers()
        running.kill_one()
        await until(lambda: len(running.workers()) == 2 and running.workers() != first)
        async with httpx.AsyncClient(base_url=running.url, timeout=60) as client:
            assert (await client.get("/readyz")).text == "ready\n"
            page = (await client.get("/")).text
            token = page.partition('name="csrf-token" content="')[2].partition('"')[0]
            form = {"text": "hello"}
            for _ in range(4):
                await client.post("/study/say", data=form, headers={"X-CSRF-Token": token})
            # Whichever worker is asked, it knows of all turns.
            for _ in range(4):
                numbers = (await client.get("/metrics")).text
                assert 'tutor_turns_total{status="success"} 4\n' in numbers
        running.process.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(running.process.wait, 60) == 0
        assert running.workers() == []


async def test_a_turn_that_nobody_listens_to_is_ended_before_the_server_stops(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, begun = asyncio.Event(), asyncio.Event()
    syllabus = site.services.syllabus

    async def slow(course: str) -> object:
        begun.set()
        await go_on.wait()
        return await syllabus(course)

    talk = site.web.state.talk
    await site.say("hello")
    monkeypatch.setattr(site.services, "syllabus", slow)
    running = talk.begin("user", "what is a node?")
    await begun.wait()
    assert "tutor_turns_under_way 1\n" in site.services.meter.text()
    closing = asyncio.create_task(talk.close())
    await asyncio.sleep(0)
    go_on.set()
    await closing
    assert running.task.done()
    assert not running.failed
    assert "node" in (await talk.state("user")).last_response["answer"]


async def test_operators_are_answered_without_a_name(site: Site) -> None:
    del site.client.headers["X-CSRF-Token"]
    await site.client.get("/")
    for path, words in {"/healthz": "alive", "/readyz": "ready", "/metrics": "tutor_turns_total"}.items():
        answered = await site.client.get(path)
        assert answered.status_code == 200
        assert words in answered.text


@pytest.mark.parametrize(
    ("peer", "headers"), [("8.8.8.8", {}), ("127.0.0.1", {"X-Forwarded-For": "10.0.0.1"})]
)
async def test_metrics_are_not_for_who_comes_from_far_or_through_the_proxy(
    site: Site, peer: str, headers: dict[str, str]
) -> None:
    transport = httpx.ASGITransport(app=site.web, client=(peer, 4711))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as far:
        assert "tutor_turns_total" not in (await far.get("/metrics", headers=headers)).text
        assert (await far.get("/healthz", headers=headers)).status_code == 200


async def test_nobody_is_sent_to_a_server_whose_database_does_not_answer(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise StorageError("The database does not answer.", cause="it is down")

    monkeypatch.setattr(Database, "fetch", fail)
    answered = await site.client.get("/readyz")
    assert answered.status_code == 503
    assert (await site.client.get("/healthz")).status_code == 200


def test_a_worker_that_was_killed_counts_on_and_nothing_of_it_is_under_way() -> None:
    rows = [0.0] * 2 * WIDTH
    first, second = Meter(rows, row=0), Meter(rows, row=1)
    first.turn(TurnDraft(), seconds=0.3)
    second.turn(TurnDraft(), seconds=2.0)
    with first.under_way(), second.under_way():
        assert "tutor_turns_under_way 2\n" in second.text()
        again = Meter(rows, row=0)  # in the place of the first, which was killed
        assert "tutor_turns_under_way 1\n" in again.text()
        again.turn(TurnDraft(), seconds=0.3)
    told = second.text()
    assert 'tutor_turns_total{status="success"} 3\n' in told
    assert 'tutor_turn_seconds_bucket{le="0.5"} 2\n' in told
    assert 'tutor_turn_seconds_bucket{le="+Inf"} 3\n' in told
    assert "tutor_turn_seconds_sum 2.600\n" in told
