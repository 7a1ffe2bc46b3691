"""Sphinx' toctree directives, in reStructuredText and in MyST's Markdown."""

import re
from textwrap import dedent

from rag.toc.entry import Entry

_DIRECTIVE = re.compile(
    r"^(?P<indent>[ \t]*)\.\.[ \t]+toctree::[^\n]*\n(?P<body>(?:(?P=indent)[ \t]+\S[^\n]*(?:\n|\Z)|[ \t]*\n)*)"
    r"|^[ \t]*(?P<fence>`{3,}|~{3,}|:{3,})(?:\{toctree\}|toc\b)[^\n]*\n(?P<fenced>.*?)\n[ \t]*(?P=fence)",
    re.MULTILINE | re.DOTALL,
)
_OPTION = re.compile(r"^:([\w-]+):[ \t]*(.*)$")
_TITLED = re.compile(r"^(.+?)\s*<([^<>]+)>$")


def toctrees(text: str) -> tuple[Entry, ...]:
    """The pages that a page leads to; a caption makes a part of them."""
    return tuple(entry for found in _DIRECTIVE.finditer(text) for entry in _tree(found))


def _tree(found: re.Match[str]) -> list[Entry]:
    body = dedent(found["body"] if found["body"] is not None else found["fenced"])
    options: dict[str, str] = {}
    entries: list[Entry] = []
    for line in map(str.strip, body.split("\n")):
        option = _OPTION.match(line)
        if option:
            options[option[1]] = option[2].strip()
        elif line and line not in ("self", "---") and not line.startswith(("#", "caption:", "maxdepth:")):
            titled = _TITLED.match(line)
            entries.append(Entry(title=titled[1], target=titled[2]) if titled else Entry(target=line))
    if options.get("caption"):
        return [Entry(title=options["caption"], children=tuple(entries))]
    return entries
