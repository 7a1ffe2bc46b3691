"""The blocks that a text is made of: paragraphs, lists, tables, code, formulas and pictures, none of them broken."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from agents.language.headings import is_picture

BlockKind = Literal["paragraph", "list", "table", "code", "formula", "picture"]

_BLANK_LINES = re.compile(r"(\n[ \t]*\n\s*)")
_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})", re.MULTILINE)
_FENCE_LINES = re.compile(r"\A([ \t]*(?:`{3,}|~{3,})[^\n]*)\n(.*)\n([ \t]*(?:`{3,}|~{3,}))\s*\Z", re.DOTALL)
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_LINES_OF_ITEMS = re.compile(r"\n[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_TABLE = re.compile(r"\A[^\n]*\|[^\n]*\n[ \t]*\|?[ \t]*:?-{1,}[ \t:|-]*(?:\n|\Z)")
_TABLE_BELOW = re.compile(r"\n(?=[ \t]*\|[^\n]*\n[ \t]*\|[ \t]*:?-+[ \t:|-]*(?:\n|\Z))")
_FORMULA = re.compile(r"\A(?:\$\$.*\$\$|\\\[.*\\\]|\\begin\{(\w+\*?)\}.*\\end\{\1\})\s*\Z", re.DOTALL)
_FORMULA_LINE = re.compile(r"(?:^|\n)[ \t]*\$\$|\$\$[ \t]*(?:\n|\Z)")
_PICTURES = re.compile(r"\A(?:!\[[^\]]*\]\([^)\n]*\)\s*)+\Z")
_PICTURE_LINE = re.compile(r"^(?:!\[[^\]\n]*\]\([^)\n]*\)[ \t]*)+(?:\n\s*|$)", re.MULTILINE)
# What stands below a picture, or in its place.
_CAPTION = re.compile(
    r"^(?:(?:figure|fig\.|abbildung) ?\d+(?:[.–-]\d+)*: |in the picture: )[^\n]*(?:\n\s*|$)",
    re.MULTILINE | re.IGNORECASE,
)
_NOT_PROSE = re.compile(
    r"^[ \t]*(```+|~~~+).*?(?:^[ \t]*\1|\Z)|^[ \t]*(?:\||!\[)[^\n]*$", re.MULTILINE | re.DOTALL
)
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”’)]?\s+(?=[\"'“‘(]?[A-Z0-9])")


def split_blocks(text: str) -> list[tuple[BlockKind, str]]:
    """A section's blocks in order; the items of one list stay together, with or without blank lines."""
    blocks: list[tuple[BlockKind, str]] = []
    for part in (each for whole in _parts(text) for each in _tables_apart(whole)):
        kind = kind_of(part)
        if kind == "list" and blocks and blocks[-1][0] == "list" and _ITEM.match(part):
            blocks[-1] = ("list", f"{blocks[-1][1]}\n\n{part}")
        else:
            blocks.append((kind, part))
    return blocks


def _tables_apart(part: str) -> list[str]:
    """A table may follow its paragraph without a blank line."""
    return [part] if _FENCE.match(part) or "|" not in part else _TABLE_BELOW.split(part, maxsplit=1)


def kind_of(block: str) -> BlockKind:
    if _FENCE.match(block):
        return "code"
    if _TABLE.match(block):
        return "table"
    if _FORMULA.match(block):
        return "formula"
    if _PICTURES.match(block):
        return "picture"
    return "list" if _ITEM.match(block) or _LINES_OF_ITEMS.search(block) else "paragraph"


def without_pictures(text: str) -> str:
    """The text as words: neither a picture's address nor what is said of it tells anything by itself."""
    return _CAPTION.sub("", _PICTURE_LINE.sub("", text))


def is_caption(text: str) -> bool:
    """Whether a paragraph only says what a picture shows."""
    return bool(_CAPTION.match(text))


def prose(text: str) -> str:
    """The text without its code, tables and pictures."""
    return _NOT_PROSE.sub("", text)


def pieces(kind: BlockKind, block: str, *, fits: Callable[[str], bool]) -> Iterator[str]:
    """Cut a block that is too large: code and tables between lines, prose between sentences, then words."""
    if fits(block):
        yield block
    elif kind == "code" and (fence := _FENCE_LINES.match(block)):
        opening, code, closing = fence.groups()
        lines = code.split("\n")
        yield from _packed(lines, glue="\n", fits=fits, frame=lambda body: f"{opening}\n{body}\n{closing}")
    elif kind == "table":
        header, rows = _table_parts(block)
        yield from _packed(rows, glue="\n", fits=fits, frame=lambda body: f"{header}\n{body}")
    elif kind == "list":
        yield from _packed(_items(block), glue="\n", fits=fits)
    else:
        yield from _packed(_SENTENCE_END.split(block), glue=" ", fits=fits)


def joined(kind: BlockKind, parts: Sequence[str]) -> str:
    """Put the pieces of one block together again."""
    first, *rest = parts
    if kind == "code" and (opened := _FENCE_LINES.match(first)):
        bodies = [found[2] if (found := _FENCE_LINES.match(part)) else part for part in parts]
        return "\n".join([opened[1], *bodies, opened[3]])
    if kind == "table":
        return "\n".join([first, *("\n".join(_table_parts(part)[1]) for part in rest)])
    return ("\n" if kind == "list" else " ").join(parts)


def _parts(text: str) -> Iterator[str]:
    """Parts between blank lines; those inside a code block or a formula do not part it."""
    held = ""
    fence = ""
    in_formula = False
    for part in _BLANK_LINES.split(text):
        held += part
        for mark in _FENCE.findall(part):
            if not fence:
                fence = mark
            elif mark[0] == fence[0] and len(mark) >= len(fence):
                fence = ""
        if not fence and not _FENCE.match(held):
            in_formula ^= bool(_FORMULA_LINE.search(part)) and part.count("$$") % 2 == 1
        if not fence and not in_formula:
            yield from _not_blank(held)
            held = ""
    if fence:  # an open fence runs to the end
        yield from _not_blank(held)
    else:
        for part in _BLANK_LINES.split(held):
            yield from _not_blank(part)


def _not_blank(text: str) -> Iterator[str]:
    if text.strip():
        yield text.strip("\n").rstrip()


def _table_parts(block: str) -> tuple[str, list[str]]:
    lines = block.split("\n")
    return "\n".join(lines[:2]), lines[2:]


def _items(block: str) -> list[str]:
    starts = [match.start() + 1 for match in _LINES_OF_ITEMS.finditer(block)]
    ends = [*starts, len(block)]
    return [block[start:end].rstrip("\n") for start, end in zip([0, *starts], ends, strict=True)]


def _packed(
    units: Iterable[str],
    *,
    glue: str,
    fits: Callable[[str], bool],
    frame: Callable[[str], str] = str,
) -> Iterator[str]:
    """As many units to a piece as fit; one that alone does not is cut in the middle until it does."""
    held = ""
    for unit in _small_enough(units, fits=lambda body: fits(frame(body))):
        longer = f"{held}{glue}{unit}" if held else unit
        if held and not fits(frame(longer)):
            yield frame(held)
            longer = unit
        held = longer
    if held.strip():
        yield frame(held)


def _small_enough(units: Iterable[str], *, fits: Callable[[str], bool]) -> Iterator[str]:
    for unit in units:
        if fits(unit) or len(unit) < 2:
            yield unit
            continue
        middle = len(unit) // 2
        gap = unit.find(" ", middle)
        cut = gap if 0 < gap < len(unit) * 3 // 4 else middle
        yield from _small_enough([unit[:cut].rstrip(), unit[cut:].lstrip()], fits=fits)


# 'H.M.S. Beagle', 'J. Watson': after a lone letter only a word that begins sentences begins one.
_OPENERS = (
    "The|An?|It|They|This|These|That|Those|There|In|On|At|For|If|When|While|We|You|He|She|But|And|However|Some|Each|To|As|"
    "By|What|How|Its|Their|One|No|Not|Most|Many|All"
)
_END = re.compile(
    rf"(?<=[.!?])(?:(?<![\s.(][A-Z]\.)|(?=\s+(?:{_OPENERS})\b(?!\.)))[\"'”’)]?\s+(?=[\"'“‘(*]*[A-Z0-9])"
    r"|\n\s*\n|\n(?=\s*(?:[-*+]|\d+[.)])\s)"
)
_MARKER = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])[ \t]+")
_MOST_CHARS = 400


def sentences(text: str) -> list[str]:
    """A text's sentences, without its pictures; list items and paragraphs end one too."""
    return [part for part in _END.split(without_pictures(text)) if part and not part.isspace()]


def one_line(text: str) -> str:
    """One line without emphasis or list marks, cut to a readable length."""
    return re.sub(r"\s+", " ", _MARKER.sub("", text).replace("*", "")).strip()[:_MOST_CHARS]


_LISTED_ITEM = re.compile(r"^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+\S", re.MULTILINE)
_SET_APART = re.compile(
    r"^[ \t]*(?:(?P<fence>`{3,}|~{3,})[^\n]*\n(?:.*?\n)??[ \t]*(?P=fence)[^\n]*|\$\$(?:(?!\$\$).)+\$\$[ \t]*)$",
    re.MULTILINE | re.DOTALL,
)
_HEADINGS = re.compile(r"\A(?:[ \t]*#{1,6}[ \t][^\n]*(?:\n|\Z))+")
# Also a small letter by itself ('z. B.', 'd. h.') and a number that counts ('am 15. November').
_ABBREVIATED = re.compile(
    r"\b(?:e\.g|i\.e|cf|vs|approx|resp|Fig|Eq|Sec|Ch|No|Dr|Prof|Mr|Mrs|St|sog|bzw|ca|Nr|vgl|engl|evtl|ggf|inkl|Abb|Kap)\.$"
    r"|(?<![\w.])[b-hj-z]\.$|\b(?:am|dem|den|der|des|vom|zum|die|das) \d{1,2}\.$"
)


@dataclass(frozen=True, slots=True)
class Block:
    """One block, as it stands in the passage."""

    kind: BlockKind
    text: str


def blocks(text: str) -> Iterator[Block]:
    """The blocks as they are read: what follows its paragraph without a blank line is a block too; no headings."""
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
    first = _LISTED_ITEM.search(text)
    prose = text[: first.start()].rstrip("\n") if first else text
    if prose.strip():
        yield Block("paragraph", prose)
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
        if _LISTED_ITEM.match(line) or not found:
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
