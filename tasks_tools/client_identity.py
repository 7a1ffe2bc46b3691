"""The client's end of identity: a tool call names its user in the request's `_meta`.

ADK's McpTool has no parameter for `_meta`, but fills it, as the MCP specification asks, with what the
process's OpenTelemetry propagator injects. So one more propagator carries the user. It reads only our
own variable: a `baggage` header that some browser sent cannot name a user.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from opentelemetry import propagate
from opentelemetry.context import Context
from opentelemetry.propagators.composite import CompositePropagator
from opentelemetry.propagators.textmap import (
    CarrierT,
    Getter,
    Setter,
    TextMapPropagator,
    default_getter,
    default_setter,
)

from tasks_tools.identity import META_KEY, ORIGIN_HEADER, ORIGIN_META_KEY

_user: ContextVar[str | None] = ContextVar("tasks_tools_user", default=None)
_origin: ContextVar[str | None] = ContextVar("tasks_tools_origin", default=None)


def call_as(user_id: str) -> None:
    """Name the user of all tool calls that the current asyncio task makes from here on."""
    _install()
    _user.set(user_id)


@contextmanager
def calling_as(user_id: str) -> Iterator[None]:
    """Name the user of the tool calls inside the block."""
    _install()
    token = _user.set(user_id)
    try:
        yield
    finally:
        _user.reset(token)


@contextmanager
def on_tutors_behalf() -> Iterator[None]:
    """The tool calls inside the block are the tutor's own doing, for the user that is named."""
    token = _origin.set("tutor")
    try:
        yield
    finally:
        _origin.reset(token)


def origin_header() -> dict[str, str]:
    """The header with which an HTTP client says so."""
    origin = _origin.get()
    return {ORIGIN_HEADER: origin} if origin else {}


class _UserPropagator(TextMapPropagator):
    """Puts the user into outgoing requests, and takes nobody's word from incoming ones."""

    def inject(
        self, carrier: CarrierT, context: Context | None = None, setter: Setter[CarrierT] = default_setter
    ) -> None:
        user = _user.get()
        if user is not None:
            setter.set(carrier, META_KEY, user)
        origin = _origin.get()
        if origin is not None:
            setter.set(carrier, ORIGIN_META_KEY, origin)

    def extract(
        self, carrier: CarrierT, context: Context | None = None, getter: Getter[CarrierT] = default_getter
    ) -> Context:
        return Context() if context is None else context

    @property
    def fields(self) -> set[str]:
        return {META_KEY, ORIGIN_META_KEY}


class _WithUser(CompositePropagator):
    """What was configured before, and the user."""


def _install() -> None:
    # Looked at on every call: somebody may configure telemetry after us.
    current = propagate.get_global_textmap()
    if not isinstance(current, _WithUser):
        propagate.set_global_textmap(_WithUser([current, _UserPropagator()]))
