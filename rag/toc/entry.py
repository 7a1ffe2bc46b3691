"""What every table of contents comes down to."""

from dataclasses import dataclass


class TocError(Exception):
    """A table of contents that cannot be read; the course falls back to the order of its names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of a table of contents."""

    title: str = ""  # "" where the page's own title counts
    target: str | None = None  # a path as it is written, relative to the table's folder; None for a heading
    children: tuple["Entry", ...] = ()
    kind: str = ""  # what the table itself says of the page: "front" matter, "exercises"
    is_folder: bool = False  # everything in the target's folder, in its own order


@dataclass(frozen=True, slots=True, kw_only=True)
class Toc:
    entries: tuple[Entry, ...]
    title: str = ""  # of the whole course
    base: str = ""  # the folder that the targets are relative to, from the table's own
