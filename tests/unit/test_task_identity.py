"""Who is calling, on both ends of a request."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry import baggage, context, propagate
from opentelemetry.propagators.composite import CompositePropagator

from tasks_tools.identity import HEADER, call_as, calling_as, header_for, user_of_header, user_of_meta

names = st.text(min_size=1, max_size=80).filter(lambda text: text == text.strip() and text.isprintable())


@pytest.fixture(autouse=True)
def same_telemetry_afterwards() -> Iterator[None]:
    before = propagate.get_global_textmap()
    yield
    propagate.set_global_textmap(before)


def sent() -> dict[str, Any]:
    """What a request carries as its `_meta`."""
    carrier: dict[str, Any] = {}
    propagate.inject(carrier)
    return carrier


def test_a_server_for_everybody_takes_the_named_user_and_nobody_else() -> None:
    assert user_of_meta({"user_id": "ada"}, only=None) == "ada"
    assert user_of_meta({}, only=None) is None
    assert user_of_meta(None, only=None) is None
    assert user_of_header(["ada"], only=None) == "ada"
    assert user_of_header([], only=None) is None


def test_a_server_for_one_user_serves_only_them() -> None:
    assert user_of_meta(None, only="ada") == "ada"
    assert user_of_meta({"user_id": "ada"}, only="ada") == "ada"
    assert user_of_meta({"user_id": "bob"}, only="ada") is None
    assert user_of_header(["bob"], only="ada") is None


@pytest.mark.parametrize(
    "claim", ["", " ", " ada", "ada ", "a\nb", "a\x00", "x" * 256, 7, True, ["ada"], {"id": "ada"}]
)
def test_what_is_no_name_is_nobody_even_for_a_server_of_one(claim: Any) -> None:
    assert user_of_meta({"user_id": claim}, only=None) is None
    assert user_of_meta({"user_id": claim}, only="ada") is None


def test_two_headers_are_nobody() -> None:
    assert user_of_header(["ada", "ada"], only=None) is None


@given(names)
def test_a_header_brings_any_name_across(name: str) -> None:
    value = header_for(name)[HEADER]

    assert value.isascii()
    assert user_of_header([value], only=None) == name


def test_a_request_names_the_user_only_inside_the_block() -> None:
    with calling_as("ada"):
        assert sent()["user_id"] == "ada"
    assert "user_id" not in sent()


def test_what_was_configured_before_is_still_sent() -> None:
    token = context.attach(baggage.set_baggage("tenant", "school"))
    try:
        with calling_as("ada"):
            assert sent() == {"user_id": "ada", "baggage": "tenant=school"}
    finally:
        context.detach(token)


def test_a_name_in_incoming_telemetry_names_nobody() -> None:
    """A browser can send any baggage header it likes."""
    token = context.attach(propagate.extract({"baggage": "user_id=victim", "user_id": "victim"}))
    try:
        assert "user_id" not in sent()
        with calling_as("ada"):
            assert sent()["user_id"] == "ada"
    finally:
        context.detach(token)


def test_telemetry_that_is_configured_later_does_not_lose_the_user() -> None:
    with calling_as("ada"):
        pass
    propagate.set_global_textmap(CompositePropagator([]))

    with calling_as("ada"):
        assert sent() == {"user_id": "ada"}


async def test_tasks_that_run_at_the_same_time_keep_their_own_user() -> None:
    learners = [f"learner-{number}" for number in range(5)]
    all_named = asyncio.Barrier(len(learners))

    async def call(user_id: str) -> str:
        call_as(user_id)
        await all_named.wait()
        name: str = sent()["user_id"]
        return name

    assert await asyncio.gather(*map(call, learners)) == learners
    assert "user_id" not in sent()
