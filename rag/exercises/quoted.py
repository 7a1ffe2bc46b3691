"""Boxes that kramdown makes of quotes, `> What is …` with `{: .challenge}` below: written as fenced divs, which have a reader."""

import re

from rag.exercises.roles import role_of_name

LIKELY = re.compile(
    r"^[ \t>]*\{:[ \t]*\.(?:challenge|exercise|solution|discussion|question|task)[ \t]*\}", re.MULTILINE
)
_KIND = re.compile(r"[ \t]*\{:[ \t]*\.([\w-]+)[ \t]*\}[ \t]*$")
_QUOTED = re.compile(r"[ \t]{0,3}>[ \t]?")
_FENCE = re.compile(r"[ \t]{0,3}(`{3,}|~{3,})")
_MOST_DEPTH = 6


def as_divs(source: str, *, depth: int = 0) -> str:
    """The page with every quote that is marked to ask or to answer as a div."""
    kept: list[str] = []
    quote: list[str] = []
    fence = ""
    for line in source.split("\n"):
        if not fence and _QUOTED.match(line):
            quote.append(line)
            continue
        kind = _KIND.match(line) if quote else None
        if kind and role_of_name(kind[1]):
            inside = "\n".join(_QUOTED.sub("", each, count=1) for each in quote)
            inside = as_divs(inside, depth=depth + 1) if depth < _MOST_DEPTH else inside
            kept += ["", f"::: {kind[1]}", inside, ":::", ""]
            quote = []
            continue
        kept += [*quote, line]
        quote = []
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence):
            fence = ""
    return "\n".join([*kept, *quote])
