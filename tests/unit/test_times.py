"""Values with a time in them: none takes one without its zone, and all keep it in UTC."""

import importlib
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from evals.house import MODULES

NOON_IN_TOKYO = datetime(2026, 3, 2, 12, tzinfo=timezone(timedelta(hours=9)))


def models() -> Iterator[type[BaseModel]]:
    """Every pydantic model of the product in a module that knows of times."""
    product = {name: path.read_text() for name, path in MODULES.items() if not name.startswith("evals")}
    time = re.compile(r"^    \w+: (?:Moment|\w*[dD]atetime)\b", re.MULTILINE)
    timed = [name for name, text in product.items() if "pydantic" in text and time.search(text)]
    for module in map(importlib.import_module, timed):
        for found in vars(module).values():
            if (
                isinstance(found, type)
                and issubclass(found, BaseModel)
                and found.__module__ == module.__name__
            ):
                yield found


def timed_fields() -> dict[str, FieldInfo]:
    found: dict[str, FieldInfo] = {}
    for model in models():
        schema = model.model_json_schema()
        about = schema.get("$defs", {}).get(
            model.__name__, schema
        )  # of a model that knows itself, its schema is there
        for name in (name for name, each in about.get("properties", {}).items() if "date-time" in str(each)):
            found[f"{model.__module__}.{model.__name__}.{name}"] = model.model_fields[name]
    return found


def test_no_value_takes_a_time_without_its_zone_and_all_keep_it_in_utc() -> None:
    fields = timed_fields()
    assert {"agents.turn.ToolCall.invoked_at", "agents.state.SessionState.referenced_at"} <= fields.keys()
    for name, field in fields.items():
        takes: TypeAdapter[datetime] = TypeAdapter(field.rebuild_annotation())
        with pytest.raises(ValidationError, match="timezone"):
            takes.validate_python("2026-03-02T12:00:00")
        kept = takes.validate_python(NOON_IN_TOKYO)
        assert (name, kept, kept.tzinfo) == (name, NOON_IN_TOKYO, UTC)


def test_a_time_that_utc_does_not_have_is_refused_like_any_other_that_is_none() -> None:
    for field in timed_fields().values():
        with pytest.raises(ValidationError):
            TypeAdapter(field.rebuild_annotation()).validate_python("0001-01-01T00:00:00+05:00")
