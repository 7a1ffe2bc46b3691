"""Times in what leaves the product: each with its zone, and that is UTC."""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

_LOOKS_LIKE_ONE = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d")
_ISO_IN_UTC = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)")


def times_in(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every text in a JSON value that looks like a time, and where it stands."""
    if isinstance(value, Mapping):
        for name, each in value.items():
            yield from times_in(each, f"{path}.{name}")
    elif isinstance(value, list | tuple):
        for each in value:
            yield from times_in(each, path)
    elif isinstance(value, str) and _LOOKS_LIKE_ONE.match(value):
        yield path, value


def all_in_utc(value: Any) -> set[str]:
    """Asserts that every time in a JSON value is ISO 8601 in UTC; returns the last names of where they stand."""
    found = list(times_in(value))
    assert [each for each in found if not _is_in_utc(each[1])] == []
    return {path.rpartition(".")[2] for path, _ in found}


def _is_in_utc(text: str) -> bool:
    return bool(_ISO_IN_UTC.fullmatch(text)) and datetime.fromisoformat(text).utcoffset() == timedelta(0)
