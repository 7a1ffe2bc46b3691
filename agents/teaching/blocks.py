"""Cut a passage into paragraphs, lists, code, tables and formulas, none of them broken."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from agents.language.blocks import sentences, split_blocks
from agents.language.headings import is_picture

BlockKind = Literal["prose", "list", "code", "table", "formula"]

_ITEM = re.compile(r"^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+\S", re.MULTILINE)
_SET_APART = re.compile(
    r"^[ \t]*(?:(?P<fence>`{3,}|~{3,})[^\n]*\n(?:.*?\n)??[ \t]*(?P=fence)[^\n]*|\$\$(?:(?!\$\$).)+\$\$[ \t]*)$",
    re.MULTILINE | re.DOTALL,
)
_HEADINGS = re.compile(r"\A(?:[ \t]*#{1,6}[ \t][^\n]*(?:\n|\Z))+")
_ABBREVIATED = re.compile(r"\b(?:e\.g|i\.e|cf|vs|approx|resp|Fig|Eq|Sec|Ch|No|Dr|Prof|Mr|Mrs|St)\.$")


@dataclass(frozen=True, slots=True)
class Block:
    """One block, as it stands in the passage."""

    kind: BlockKind
    text: str


def blocks(text: str) -> Iterator[Block]:
    """The blocks in order; headings are left to the passage's own place."""
    for kind, block in split_blocks(text):
        match kind:
            case "table" | "formula":
                yield Block(kind, block)
            case _:
                yield from _apart(_HEADINGS.sub("", block))


def _apart(text: str) -> Iterator[Block]:
    """Code, a formula or a list may follow its paragraph without a blank line."""
    at = 0
    for found in _SET_APART.finditer(text):
        yield from _told(text[at : found.start()])
        yield Block("code" if found["fence"] else "formula", found[0])
        at = found.end()
    yield from _told(text[at:])


def _told(text: str) -> Iterator[Block]:
    """A paragraph, and the list that it may run into; code that is never closed runs to the end."""
    text = text.strip("\n").rstrip()
    if text.lstrip().startswith(("```", "~~~")):
        yield Block("code", text)
        return
    first = _ITEM.search(text)
    prose = text[: first.start()].rstrip("\n") if first else text
    if prose.strip():
        yield Block("prose", prose)
    if first:
        yield Block("list", text[first.start() :])


_FENCED = re.compile(
    r"^\s*(?:`{3,}|~{3,})[ \t]*(?P<language>[\w+-]*)[^\n]*\n(?P<body>.*?)\n?\s*(?:`{3,}|~{3,})\s*$", re.DOTALL
)
TEXT_LANGUAGES = ("text", "output", "console", "plaintext", "txt")
_IN_CODE = re.compile(r"\w\(|[{};]$|^\s*[$@#]|\w ?[:+-]?= ?\S|->|::", re.MULTILINE)


def fenced(block: Block) -> tuple[str, str]:
    """The language and the lines of a block of code."""
    found = _FENCED.match(block.text)
    return (found["language"], found["body"]) if found else ("", block.text)


def is_only_text(block: Block) -> bool:
    """Whether a block is set like code but is none that somebody could run: output, a drawing, a line to read."""
    language, body = fenced(block)
    return language.lower() in TEXT_LANGUAGES or (not language and not _IN_CODE.search(body))


_BOUND = re.compile(
    r"\b(?:let|var|const|val|auto|for)\s+(?:mut\s+|&\s*)?([A-Za-z_]\w*)\b(?!\()"
    r"|^[ \t]*([A-Za-z_]\w*)(?:[ \t]*:[ \t]*[^=\n]{1,40})?[ \t]*=(?![=>])",
    re.MULTILINE,
)


def local_names(text: str) -> frozenset[str]:
    """The names that the code of a passage gives to its own values: outside of it they mean nothing."""
    code = [fenced(block)[1] for block in blocks(text) if block.kind == "code"]
    return frozenset(one or other for body in code for one, other in _BOUND.findall(body))


def items(text: str) -> list[str]:
    """The items of a list, each with the lines that belong to it."""
    found: list[str] = []
    for line in text.splitlines():
        if _ITEM.match(line) or not found:
            found.append(line)
        else:
            found[-1] += "\n" + line
    return found


def whole_sentences(text: str) -> list[str]:
    """Sentences that are not cut inside code, inside a formula, inside brackets or after an abbreviation."""
    found: list[str] = []
    held = ""
    pieces = _spans(text)
    if not pieces:
        return []
    for piece, following in zip(pieces, [*pieces[1:], ""], strict=True):
        held += piece
        if not _is_cut(held.rstrip()) and not _is_in_brackets(held, following):
            found.append(held.strip())
            held = ""
    if held.strip():
        found.append(held.strip())
    return found


def _spans(text: str) -> list[str]:
    """The text cut where its sentences start, so that nothing between them is lost."""
    starts: list[int] = []
    position = 0
    for piece in sentences(text):
        position = text.find(piece, position)
        starts.append(position)
        position += len(piece)
    ends = [*starts[1:], len(text)] if starts else []
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


def _is_cut(text: str) -> bool:
    return text.count("`") % 2 == 1 or text.count("$") % 2 == 1 or bool(_ABBREVIATED.search(text))


def _is_in_brackets(text: str, following: str) -> bool:
    """Whether what follows closes a bracket; one that is never closed holds nothing together."""
    return text.count("(") > text.count(")") and ")" in following.partition("(")[0]


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


def bare(sentence: str) -> str:
    """The sentence without pictures or '2)' in front of it, and without brackets around the whole of it."""
    text = sentence.lstrip()
    while text and is_picture(text[0]):
        text = text[1:].lstrip()
    text = _NUMBERED.sub("", text)
    if text.startswith("(") and text.endswith((")", ").")) and text.count("(") == text.count(")") == 1:
        return text.removesuffix(".").removesuffix(")")[1:].strip()
    return text
