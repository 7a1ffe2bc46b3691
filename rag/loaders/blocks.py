"""Lines of Markdown: headings made uniform, block markup dropped, definitions spelt out."""

import re

_IMPORT = re.compile(
    r"""\s*(?:import\s+(?:(?:[^'"\n{]*\{[^'"}]{0,500}\}|[^'"\n{]+)\s*from\s+)?["'][^"'\n]+["'];?|export\s+(?:const|let|var|default|function)\b[^\n]*)(?=\n)"""
)
_UNDERLINED = re.compile(r"\n\n {0,3}([^\s#|>*+\0-][^\n]*)\n {0,3}(=+|-{2,})[ \t]*(?=\n)")
_RULE = re.compile(r"\n {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|\^[ \t]*)(?=\n)")
_QUOTE = re.compile(r"\n {0,3}>(?:[ \t]?>)*[ \t]?")
_ALERT = re.compile(r"\n\[![A-Za-z]+\][ \t]*")
_COLON_FENCE = re.compile(r"""\n[ \t]*:{3,}(?:[ \t]*\{?[\w.-]+\}?)?[ \t]*(?:\[([^\[\]\n]*)\])?([^\n]*)""")
_BANG_BLOCK = re.compile(r"""\n[ \t]*(?:!!!|\?\?\?\+?)[ \t]+[\w -]+(?:"([^"\n]*)")?[ \t]*(?=\n)""")
_DEFINITION = re.compile(r"\n:[ \t]+(?=\S)")
_NO_TERM = re.compile(r"[#|>\0:\s]|[-*+] |\d+[.)] |\Z|.{200}")
_CONTENTS = re.compile(r"\n(?:[-*] TOC|\[\[?_?TOC_?\]?\])[ \t]*(?=\n)")
_BLANK_LINES = re.compile(r"\n\s*\n")
_SPECIAL_START = re.compile(r"\n *([^\sA-Za-z\d])")
_INDENTED_PROSE = re.compile(r"\n[ \t]+(?![ \t]|[-*+] |\d{1,9}[.)] )")
_CAPTION_TABLE = re.compile(r"\n\|[ \t]*\|[ \t]*\n\|[ :-]+\|[ \t]*\n((?:\|[^|\n]*\|[ \t]*\n)+)")


def drop_imports(text: str) -> str:
    """Drop the JavaScript that opens an MDX page."""
    at = 0
    while line := _IMPORT.match(text, at):
        at = line.end()
    return text[at:]


def single_blank_lines(text: str) -> str:
    """Let one truly empty line part two blocks."""
    return _BLANK_LINES.sub("\n\n", text)


def plain_blocks(text: str) -> str:
    """Needs a text with single blank lines that begins and ends with one."""
    # One look at how lines begin spares most of these patterns a pass over a whole book.
    starts = set(_SPECIAL_START.findall(text))
    if ">" in starts:
        text = _ALERT.sub("\n", _QUOTE.sub("\n", text))
    if ":" in starts:
        text = _COLON_FENCE.sub(lambda line: f"\n\n{line[1] or line[2].strip()}\n", text)
        text = _with_definitions(text)
    if starts & {"!", "?"}:
        text = _BANG_BLOCK.sub(lambda line: f"\n\n{line[1] or ''}\n", text)
    if starts & {"*", "-", "["}:
        text = _CONTENTS.sub("", text)
    if starts & {"=", "-"}:
        text = _UNDERLINED.sub(_heading, text)
    if "* * *\n" in text:  # also at the end of a line, where kramdown marks a line break with it
        text = text.replace("* * *\n", "\n")
    if starts & {"-", "*", "_", "^"}:
        text = _RULE.sub("\n", text)
    if "|" in starts:
        text = _CAPTION_TABLE.sub(lambda table: "\n" + table[1].replace("|", ""), text)
    return _INDENTED_PROSE.sub("\n", text)


def _with_definitions(text: str) -> str:
    """Write "term" over ": meaning" as "**term**: meaning"."""
    parts: list[str] = []
    at = 0
    for found in _DEFINITION.finditer(text):
        before = text[at : found.start()].rstrip("\n")
        start = before.rfind("\n") + 1
        term = before[start:]
        at = found.end()
        if not start or _NO_TERM.match(term):  # a second meaning follows the first directly
            parts.append(f"{before}\n")
        else:
            parts.append(f"{before[:start]}\n{bold(term)}: ")
    return "".join([*parts, text[at:]])


def bold(term: str) -> str:
    term = term.strip()
    return term if term.startswith("**") and term.endswith("**") else f"**{term}**"


def _heading(found: re.Match[str]) -> str:
    text, line = found[1], found[2]
    # A sentence above dashes is far more often a paragraph above a rule.
    if line[0] == "-" and (len(text) > 100 or text.endswith((".", ";", ",", ":"))):
        return f"\n\n{text}\n"
    return f"\n\n{'#' if line[0] == '=' else '##'} {text}\n"
