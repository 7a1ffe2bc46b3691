"""Whose tasks a call may see: who it comes from is never what its arguments say."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from anyio.from_thread import BlockingPortal

from tests.support.task_clients import (
    TOOLS,
    HttpWorld,
    Learner,
    StdioWorld,
    World,
    add,
    code,
    structured,
    titles,
)
from tests.support.task_server import PROJECT, TOKEN, server_arguments


def test_learners_do_not_see_or_touch_each_others_tasks(ada: Learner, bob: Learner) -> None:
    number = add(ada, "Ada's secret")

    assert titles(bob) == []
    assert code(bob("update_task", task_id=number, title="mine now")) == "NOT_FOUND"
    assert code(bob("complete_task", task_id=number)) == "NOT_FOUND"
    assert code(bob("delete_task", task_id=number)) == "NOT_FOUND"
    assert titles(ada, status="pending") == ["Ada's secret"]


@pytest.mark.parametrize("name", ["user_id", "user", "X-User-Id", "_meta", "metadata"])
def test_naming_another_user_in_the_arguments_is_refused(world: World, name: str) -> None:
    """A model that was talked into passing somebody's id gets nowhere."""
    victim, thief = f"victim-{uuid4()}", f"thief-{uuid4()}"
    add(world.learner(victim), "secret")
    claim = {"user_id": victim} if name in {"_meta", "metadata"} else victim

    assert code(world.learner(thief)("list_tasks", **{name: claim})) == "INVALID_INPUT"
    assert code(world.learner(thief)("add_task", title="planted", **{name: claim})) == "INVALID_INPUT"
    assert titles(world.learner(victim)) == ["secret"]
    assert titles(world.learner(thief)) == []


@pytest.mark.parametrize("tool", sorted(TOOLS))
def test_a_call_that_names_no_user_is_refused(world: World, portal: BlockingPortal, tool: str) -> None:
    result = structured(portal, world.client, tool, arguments={"user_id": "ada"})

    assert code(result) == "UNAUTHENTICATED"


@pytest.mark.parametrize("user_id", ["", "   ", " ada", "a\nb", "x" * 256])
def test_what_cannot_be_a_user_is_refused(stdio_world: StdioWorld, user_id: str) -> None:
    assert code(stdio_world.learner(user_id)("list_tasks")) == "UNAUTHENTICATED"


@pytest.mark.parametrize("claim", [7, True, ["ada"], {"id": "ada"}])
def test_a_user_is_a_text(portal: BlockingPortal, world: World, claim: Any) -> None:
    result = structured(portal, world.client, "list_tasks", arguments={}, meta={"user_id": claim})

    assert code(result) == "UNAUTHENTICATED"


def test_user_ids_may_be_in_any_script(world: World) -> None:
    name = f"Ådà 学生 {uuid4()}"
    add(world.learner(name), "Lesen")

    assert titles(world.learner(name)) == ["Lesen"]


def test_over_http_only_the_header_counts(http_world: HttpWorld, portal: BlockingPortal) -> None:
    """The body is the caller's own word; a proxy that logs people in can only vouch for the header."""
    result = structured(portal, http_world.client, "list_tasks", arguments={}, meta={"user_id": "ada"})

    assert code(result) == "UNAUTHENTICATED"


def test_two_user_headers_are_refused(http_world: HttpWorld, portal: BlockingPortal) -> None:
    client = http_world.connect(("X-User-Id", "ada"), ("X-User-Id", "bob"))

    assert code(structured(portal, client, "list_tasks", arguments={})) == "UNAUTHENTICATED"


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer wrong"}, {"Authorization": TOKEN}])
def test_over_http_nobody_is_heard_without_the_token(http_world: HttpWorld, headers: dict[str, str]) -> None:
    """Whoever may name a user is an app that was given the token, not everybody on this machine."""
    refused = httpx.post(
        http_world.url, json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, headers=headers
    )

    assert refused.status_code == 401
    assert "TUTOR_TASKS_TOKEN" in refused.json()["error"]


def test_a_token_that_nobody_set_is_made_up_and_told(tasks_file: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, *server_arguments(tasks_file), "--http", "0"],
        env={**os.environ, "PYTHONPATH": str(PROJECT), "TUTOR_TASKS_TOKEN": ""},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    try:
        url = process.stderr.readline().split(" at ")[1].split(". ")[0]
        token = process.stderr.readline().split("TUTOR_TASKS_TOKEN=")[1].split()[0]
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        accepts = {"Accept": "application/json, text/event-stream"}
        heard = httpx.post(url, json=call, headers={"Authorization": f"Bearer {token}", **accepts})
    finally:
        process.terminate()
        process.communicate(timeout=30)

    assert url.startswith("http://127.0.0.1:")
    assert len(token) >= 32
    assert heard.status_code == 200
