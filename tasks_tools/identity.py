"""Who is calling, found where no model can write: beside the arguments, never among them.

Over stdio the client that started this process names the user in the request's `_meta`.
Over HTTP it is a header, which a proxy that logs people in can set; the request's body,
`_meta` and all, is the caller's own word there and proves nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Literal
from urllib.parse import quote, unquote

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

from storage import is_learner_id

META_KEY = "user_id"
HEADER = "X-User-Id"
ORIGIN_META_KEY = "task_origin"  # "tutor": the call is the tutor's own doing, for this learner
ORIGIN_HEADER = "X-Task-Origin"
Origin = Literal["learner", "tutor"]  # who asks
_ENCODED = "UTF-8''"  # RFC 8187: how a header carries what is not ASCII


def user_of_meta(meta: Mapping[str, Any] | None, *, only: str | None) -> str | None:
    """The user that a stdio request names, or None to refuse it."""
    claimed = (meta or {}).get(META_KEY)
    return only if claimed is None else _accepted(claimed, only=only)


def user_of_header(values: Sequence[str], *, only: str | None) -> str | None:
    """The user that an HTTP request's header names, or None to refuse it."""
    if not values:
        return only
    # A second header may be one that the caller slipped past the proxy.
    return _accepted(_decoded(values[0]), only=only) if len(values) == 1 else None


def origin_of(said: Any) -> Origin:
    """Who acts, as the client put it beside the arguments; where it says nothing, the learner."""
    return "tutor" if said == "tutor" else "learner"


def header_for(user_id: str) -> dict[str, str]:
    """The header with which an HTTP client names its user."""
    # What cannot stand in a header as it is goes encoded; the server then judges whether it is a name.
    plain = user_id.isascii() and is_learner_id(user_id) and not user_id.startswith(_ENCODED)
    return {HEADER: user_id if plain else _ENCODED + quote(user_id, safe="")}


def _accepted(claimed: Any, *, only: str | None) -> str | None:
    """The claimed user, unless it is no name or not the one user that the server was started for."""
    if not isinstance(claimed, str) or not is_learner_id(claimed):
        return None
    return claimed if only in {None, claimed} else None


def _decoded(value: str) -> str:
    return unquote(value.removeprefix(_ENCODED)) if value.startswith(_ENCODED) else value


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
