"""Lists whose numbers a page shows as letters, with the letters written out: a solution names a choice by its letter."""

import re

_LETTERED = re.compile(
    r"""^[ \t]*\{:[^{}\n]*(?:\btype=["']?a\b|number-style=["']?(?:lower|upper)-alpha)[^{}\n]*\}[ \t]*$""",
    re.MULTILINE | re.IGNORECASE,
)
_NUMBERED = re.compile(r"( {0,3})(\d{1,2})[.)][ \t]+(?=\S)")
_HTML = re.compile(
    r"""<ol\b[^<>]*(?:\btype=["']?a\b|-style(?:-type)?[=:]\s*["']?(?:lower|upper)-alpha)[^<>]*>((?:[^<]++|<(?!/?ol\b))*+)</ol\s*>""",
    re.IGNORECASE,
)
_ITEM = re.compile(r"<li\b[^<>]*>", re.IGNORECASE)
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def lettered_lists(piece: str) -> str:
    """Markdown with '(a) …' where the page shows it, one paragraph an item."""
    parts: list[str] = []
    at = 0
    for style in _LETTERED.finditer(piece):
        parts.append(_with_letters(piece[at : style.start()]))
        at = style.end()
    piece = "".join([*parts, piece[at:]])
    return _HTML.sub(_of_items, piece)


def _with_letters(before: str) -> str:
    """Text that ends in a numbered list, with letters for the numbers of that list."""
    lines = before.rstrip().split("\n")
    starts: list[int] = []
    for number in range(len(lines) - 1, -1, -1):
        item = _NUMBERED.match(lines[number])
        if item:
            starts.append(number)
            lines[number] = lines[number][item.end() :]
            if item[2] == "1":
                break
    if not starts or len(starts) > len(_LETTERS):
        return before
    starts.reverse()
    above = "\n".join(lines[: starts[0]])
    items = [
        f"({letter}) {_outdented(lines[start:end])}"
        for letter, start, end in zip(_LETTERS, starts, [*starts[1:], len(lines)], strict=False)
    ]
    return "\n\n".join([above, *items, ""])


def _outdented(lines: list[str]) -> str:
    return "\n".join(re.sub(r"^(?: {1,4}|\t)", "", line) for line in lines).strip()


def _of_items(found: re.Match[str]) -> str:
    letters = iter(_LETTERS)
    return _ITEM.sub(lambda _: f"\n\n({next(letters, '?')}) ", found[1]) + "\n\n"
