"""Course text as people read it: no emphasis marks or links; code and formulas untouched."""

import re
from collections.abc import Sequence

from rag.headings import is_picture

_VERBATIM = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)|\$\$.+?\$\$|\$[^$\n]+\$", re.DOTALL)
_NUMBERED = re.compile(r"^\d{1,2}\)\s+(?=\w)")
_HELD = re.compile("\ue000(\\d+)\ue001")
_EMPHASIS = (
    (re.compile(r"(?<![\w*])\*{3}(?=[^\s*])([^*]+)\*([^*]+)\*\*(?![\w*])"), r"\1\2"),
    (re.compile(r"(?<![\w*])(\*{1,3})(?=[^\s*])([^*]+?)(?<=[^\s*])\1(?![\w*])"), r"\2"),
    (re.compile(r"(?<!\w)(_{1,2})(?=[^\s_])([^_]+?)(?<=[^\s_])\1(?!\w)"), r"\2"),
)
_LINKS = (
    (re.compile(r"!\[[^\]\n]*\]\([^)\n]*\)"), ""),
    (re.compile(r"\[([^\[\]\n]+)\]\([^()\s]+\)"), r"\1"),
    # The course's own reference marks would read like ours.
    (re.compile(r"\s?\[\^?\d{1,3}\]"), ""),
)
# Twice, because there may be italics inside of bold.
_MARKUP = (*_LINKS, *_EMPHASIS, *_EMPHASIS)
_RULE = re.compile(r"^[ \t]*-{3,}[ \t]*$\n?", re.MULTILINE)


def plain(text: str) -> str:
    """The text on one line, without its markup."""
    return re.sub(r"\s+", " ", _cleaned(text, _MARKUP)).strip()


def without_links(text: str) -> str:
    """The text as its author set it, but without pictures, addresses, reference marks and rules."""
    return _cleaned(_RULE.sub("", text), _LINKS).strip()


def _cleaned(text: str, patterns: Sequence[tuple[re.Pattern[str], str]]) -> str:
    """The text after the replacements, its code and formulas untouched."""
    held: list[str] = []

    def hold(match: re.Match[str]) -> str:
        held.append(match.group())
        return f"\ue000{len(held) - 1}\ue001"

    text = _VERBATIM.sub(hold, text.replace("\ue000", "").replace("\ue001", ""))
    for pattern, kept in patterns:
        text = pattern.sub(kept, text)
    return _HELD.sub(lambda match: held[int(match.group(1))], text)


def without_verbatim(text: str) -> str:
    """The text with its code and formulas left out."""
    return _VERBATIM.sub(" ", text)


def bare(sentence: str) -> str:
    """The sentence without pictures or '2)' in front of it, and without brackets around the whole of it."""
    text = sentence.lstrip()
    while text and is_picture(text[0]):
        text = text[1:].lstrip()
    text = _NUMBERED.sub("", text)
    if text.startswith("(") and text.endswith((")", ").")) and text.count("(") == text.count(")") == 1:
        return text.removesuffix(".").removesuffix(")")[1:].strip()
    return text
