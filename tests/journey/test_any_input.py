"""Anything at all, through everything that reads it: an answer or a clear refusal, never an exception.

In `make test` a little of each; `make soak` tries over half a million inputs.
"""

import contextlib
import json
import random
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from agents.settings import Settings, load_settings
from agents.state import SessionState
from rag.loaders import SUFFIXES, load_document
from storage.database import Database
from storage.errors import ConfigurationError, DocumentError
from tasks_tools.identity import user_of_header, user_of_meta
from tasks_tools.server import TOOLS
from tasks_tools.service import TaskService
from tests.support.anything import any_json, any_text
from tests.support.documents import document_of
from tests.support.ledger import NOW
from tests.support.readers import READERS
from tests.support.site import Site, addresses, site_in
from tests.support.soak import times


@pytest.mark.scaled
@pytest.mark.parametrize("name", READERS)
def test_any_text_is_read(name: str) -> None:
    chance = random.Random(name)
    for _ in range(times(25, 8000)):
        READERS[name](any_text(chance))


def damaged(data: bytes, chance: random.Random) -> bytes:
    """A file with bytes changed, cut out, put in twice, or cut off."""
    changed = bytearray(data)
    for _ in range(chance.randint(1, 12)):
        at = chance.randrange(len(changed)) if changed else 0
        size = chance.choice([1, 1, 2, 8, 64, 512])
        match chance.randrange(4):
            case 0:
                changed[at : at + size] = chance.randbytes(size)
            case 1:
                del changed[at : at + size]
            case 2:
                changed[at:at] = changed[at : at + size] * chance.choice([1, 1, 20])
            case _:
                changed[at : at + size] = bytes([chance.choice(b"<>&;[](){}#*`|\"'\\\n\x00\xff%/")]) * size
    return bytes(changed[: 200_000 if chance.random() < 0.9 else chance.randrange(1 + len(changed))])


@pytest.mark.scaled
@pytest.mark.parametrize("suffix", sorted(SUFFIXES))
def test_any_bytes_load_or_are_refused(suffix: str, tmp_path: Path) -> None:
    whole, chance = document_of(suffix), random.Random(suffix)
    path = tmp_path / f"a{suffix}"
    for number in range(times(20, 6000)):
        data = chance.randbytes(chance.randrange(2000)) if number % 10 == 0 else damaged(whole, chance)
        path.write_bytes(data)
        try:
            document = load_document(path, root=tmp_path)
        except DocumentError as err:
            said = str(err)
        else:
            said = ""
            assert all(section.text.strip() for section in document.sections)
        assert str(tmp_path) not in said


@pytest.mark.scaled
def test_any_json_is_a_state() -> None:
    chance = random.Random(1)
    names = [*SessionState.model_fields, "", "x", "app:x", "temp:x"]
    for _ in range(times(200, 60_000)):
        state = {chance.choice(names): any_json(chance) for _ in range(chance.randrange(6))}
        healed = SessionState.of(state)
        assert healed.changes(learning_cycle_count=1) == {"learning_cycle_count": 1}


@pytest.mark.scaled
def test_any_settings_are_taken_or_refused_by_name(tmp_path: Path) -> None:
    chance = random.Random(2)
    names = [*Settings.model_fields, "", "x"]
    for _ in range(times(50, 4000)):
        values = {chance.choice(names): any_json(chance) for _ in range(chance.randrange(4))}
        (tmp_path / "adk.yaml").write_text(json.dumps(values), encoding="utf-8")
        with contextlib.suppress(ConfigurationError):
            load_settings(tmp_path)


@pytest.mark.scaled
def test_any_claim_to_be_somebody_is_a_name_or_nobody() -> None:
    chance = random.Random(3)
    for _ in range(times(200, 50_000)):
        only = chance.choice([None, "ada", any_text(chance)])
        headers = [any_text(chance) for _ in range(chance.randrange(3))]
        for user in (
            user_of_meta({"user_id": any_json(chance)}, only=only),
            user_of_header(headers, only=only),
        ):
            assert user is None or user == only or user.isprintable()


def arguments(schema: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Arguments for a tool: some right, some of any type, some that it does not know."""
    texts = [
        "",
        " ",
        "a",
        "x" * 300,
        "\ud800",
        "\x00",
        "2026-03-06T17:00:00+01:00",
        "0001-01-01T00:00:00+23:59",
        "ß" * 255,
    ]
    numbers = [0, 1, -1, 2**31, 2**63, 2**64, 10**400, True, 1.5, float("nan"), float("inf")]
    anything = [*texts, *numbers, None, [], {}, ["a"], {"a": 1}, [[[]]]]
    names = [*schema["properties"], "user_id", "", "x"]
    return {chance.choice(names): chance.choice(anything) for _ in range(chance.randrange(5))}


@pytest.mark.scaled
async def test_any_arguments_of_a_task_tool_get_an_answer(migrated_sqlite: Path, tmp_path: Path) -> None:
    shutil.copy(migrated_sqlite, tmp_path / "tutor.db")
    database = await Database.open(f"sqlite:///{tmp_path / 'tutor.db'}")
    service, chance = TaskService(database), random.Random(7)
    try:
        for _ in range(times(150, 40_000)):
            tool = chance.choice(TOOLS)
            result = await service.call(
                tool.name, arguments=arguments(tool.input_schema, chance), user_id="ada", now=NOW
            )
            assert result.success or result.code in ("INVALID_INPUT", "NOT_FOUND")
            json.dumps(result.as_json())
    finally:
        await database.close()


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    async with site_in(tmp_path) as opened:
        yield opened


@pytest.mark.scaled
async def test_any_request_to_any_endpoint_is_answered_without_a_fault(site: Site) -> None:
    """Generated from the routes themselves, so a new endpoint is tried as soon as it is there."""
    chance = random.Random(11)
    known = sorted(addresses(site.web))
    for number in range(times(40, 6000)):
        method, path = known[number % len(known)].split(" ")
        for name in [part for part in path.split("/") if part.startswith("{")]:
            path = path.replace(
                name, chance.choice(["a", "..%2f..%2fetc%2fpasswd", "%00", "x" * 3000, "%F0%9F%98%80", "-1"])
            )
        junk = [
            "",
            " ",
            "yes",
            "a" * 20_000,
            "\x00",
            "😀",
            "<img src=x>",
            "../..",
            "true",
            "-1",
            "NaN",
            "teach me topics",
            "ada",
        ]
        fields = [
            "text",
            "said_in",
            "question_id",
            "then",
            "course",
            "topic",
            "manner",
            "sure",
            "see",
            "file",
            "user_id",
            "x",
        ]
        form = {chance.choice(fields): chance.choice(junk) for _ in range(chance.randrange(4))}
        query = {chance.choice(fields): chance.choice(junk)[:500] for _ in range(chance.randrange(3))}
        headers = {"Accept": chance.choice(["*/*", "text/event-stream", "application/json", "\x7f"])}
        site.client.cookies.set("who", chance.choice(["user", "ada", "eve"]))
        body: dict[str, Any] = chance.choice(
            [
                {"data": form or None},
                {"content": chance.randbytes(200)},
                {"json": [form]},
                {"files": {"files": ("a.md", b"# A\n\nB.")}},
            ]
        )
        response = await site.client.request(
            method, path, params=query, headers=headers, **(body if method != "GET" else {})
        )
        assert response.status_code < 500, (method, path, form, query, response.text[:200])
