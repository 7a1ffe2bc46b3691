"""Puts code and formulas out of reach while the prose around them is cleaned."""

import re
from collections.abc import Callable
from html import unescape

from rag.loaders.blocks import single_blank_lines
from rag.loaders.generators import myst_fence, plain_fence

_MARK = "\0"  # the decoder lets no NUL through, so no text can hold one
_HIDDEN = re.compile(r"\0(\d+)\0")
_FENCE_OR_COMMENT = re.compile(
    r"\n([ \t]*(?:>[ \t]?)*)((?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}(?=[^`\n]*(?:\n|\Z))|~{3,})([^\n]*)|<!--(?<!`<!--)"
)
_COMMENT = re.compile(r"()()()()<!--")  # the same groups, when a text has no fences to look for
_INDENTED_START = re.compile(r"\n[ \t]*\n(?: {4}|\t)")
_INDENTED = re.compile(r"\n([^\n]*)\n\n((?:(?: {4}|\t)[^\n]+(?:\n+|\Z))+)")
_NOT_BEFORE_CODE = re.compile(r"[ \t]|[-*+:][ \t]|\d{1,9}[.)][ \t]|!!!|\?\?\?|\[\^")
_BACKTICKS = re.compile(r"`+")
_MATH = re.compile(
    r"\$\$(?<!\\\$\$)(?:[^$\\\0]|\\[^\0])++\$\$"
    r"|\$(?<![\\$\w]\$)(?![\s$])(?:[^$\\\n\0]|\\[^\n\0]|\n(?!\s*\n))++(?<![\s\\])\$(?![\d$])"
    r"|\\\((?:[^\\\0]|\\[^()\0])++\\\)"
    r"|\\\[(?:[^\\\0]|\\[^\[\]\0])++\\\]"
    r"|\\begin\{(\w+\*?)\}(?:[^\\\0]|\\(?!begin\{\1\}|end\{\1\})[^\0]){0,5000}+\\end\{\1\}"
)
_MATH_START = re.compile(r"\\(?:[(\[]|begin\{)")
_LOOKS_LIKE_MATH = re.compile(r"[\\=^_]")
_HTML_START = re.compile(r"<(?:pre|PRE|code|CODE)\b")
_HTML_PRE = re.compile(r"<pre\b[^<>]*>((?:[^<]++|<(?!/?pre\b))*+)</pre>", re.IGNORECASE)
_HTML_CODE = re.compile(r"<code\b[^<>]*>([^<\0]*)</code>", re.IGNORECASE)
_LANGUAGE = re.compile(r"""class=["'][^"']*\blang(?:uage)?-([\w+#-]+)""")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")


class Stash:
    """Verbatim pieces of one document, each replaced by a short mark."""

    def __init__(self) -> None:
        self._kept: list[str] = []

    def hide(self, piece: str) -> str:
        self._kept.append(self.restore(piece))
        return f"{_MARK}{len(self._kept) - 1}{_MARK}"

    def restore(self, text: str, *, change: Callable[[str], str] = str) -> str:
        if _MARK not in text:
            return text
        return _HIDDEN.sub(lambda mark: change(self._kept[int(mark[1])]), text)


def hide_fences(text: str, *, stash: Stash) -> str:
    """Hide fenced code and drop comments, whichever opens first holding the other."""
    has_fences = ("`" in text and "```" in text) or ("~" in text and "~~~" in text)
    if not has_fences and "<!--" not in text:
        return text
    opener = _FENCE_OR_COMMENT if has_fences else _COMMENT
    parts: list[str] = []
    at = 0
    while opened := opener.search(text, at):
        parts.append(text[at : opened.start()])
        if opened[3]:
            end = _fence_end(text, opened=opened)
            parts.append(_hidden_fence(text[opened.end() : end[0]], opened=opened, stash=stash))
            at = end[1]
        else:
            close = text.find("-->", opened.end())
            if close < 0:  # nothing closes any later one either
                return "".join([*parts, text[opened.start() :].replace("<!--", "")])
            at = close + 3
    return "".join([*parts, text[at:]])


def _fence_end(text: str, *, opened: re.Match[str]) -> tuple[int, int]:
    """Where the code ends and where the text goes on; an open fence runs to the end."""
    mark = opened[3]
    close = re.compile(rf"\n[ \t]*(?:>[ \t]?)*{mark[0]}{{{len(mark)},}}[ \t]*(?=\n|\Z)")
    closed = close.search(text, opened.end())
    return (closed.start(), closed.end()) if closed else (len(text), len(text))


def _hidden_fence(code: str, *, opened: re.Match[str], stash: Stash) -> str:
    container, bullet, mark, info = opened[1], opened[2] or "", opened[3], opened[4]
    lines = [_outdent(line, container=container) for line in code.strip("\n").split("\n")]
    code = "\n".join(lines)
    directive = myst_fence(info, code)
    if directive is not None:
        return hide_fences(f"\n\n{directive}\n\n", stash=stash)
    plain = plain_fence(info, code)
    if plain is None:
        return "\n\n"
    language, code = plain
    return f"\n\n{bullet}{stash.hide(f'{mark}{language}{chr(10)}{code}{chr(10)}{mark}')}\n\n"


def _outdent(line: str, *, container: str) -> str:
    """Drop the quote marks or list indentation that the whole fence stands in."""
    if not container:
        return line
    common = 0
    while common < min(len(line), len(container)) and line[common] in (container[common], " "):
        common += 1
    return line[common:]


def hide_indented_code(text: str, *, stash: Stash) -> str:
    """Hide code that is set off only by four spaces."""
    if not _INDENTED_START.search(text):
        return text

    def fence(block: re.Match[str]) -> str:
        before, code = block[1], block[2]
        # Lists continue with the same indentation, and authors indent their HTML.
        if _NOT_BEFORE_CODE.match(before) or code.lstrip()[0] in "<-*+" or _MARK in code:
            return block[0]
        lines = [line[1:] if line.startswith("\t") else line[4:] for line in code.rstrip().split("\n")]
        return f"\n{before}\n\n{stash.hide(chr(10).join(['```', *lines, '```']))}\n\n"

    return _INDENTED.sub(fence, single_blank_lines(text))


def hide_code_and_math(text: str, *, stash: Stash) -> str:
    if "<" in text and _HTML_START.search(text):
        text = _HTML_PRE.sub(lambda pre: f"\n\n{stash.hide(_fence_of_html(pre))}\n\n", text)
        text = _HTML_CODE.sub(lambda code: stash.hide(f"`{unescape(code[1]).strip()}`"), text)
    if "`" in text:
        text = _hide_code_spans(text, stash=stash)
    if "$" in text or ("\\" in text and _MATH_START.search(text)):
        text = _MATH.sub(lambda math: _hidden_math(math[0], stash=stash), text)
    return text


def _fence_of_html(pre: re.Match[str]) -> str:
    language = _LANGUAGE.search(pre[0])
    code = unescape(_TAG.sub("", pre[1])).strip("\n")
    return f"```{language[1] if language else ''}\n{code}\n```"


def _hide_code_spans(text: str, *, stash: Stash) -> str:
    """Pair each run of backticks with the next one of its length, in one pass."""
    runs = [run.span() for run in _BACKTICKS.finditer(text)]
    partner: dict[int, int] = {}
    latest: dict[int, int] = {}
    for index in range(len(runs) - 1, -1, -1):
        length = runs[index][1] - runs[index][0]
        if length in latest:
            partner[index] = latest[length]
        latest[length] = index
    parts: list[str] = []
    at = index = 0
    while index < len(runs):
        start, end = runs[index]
        close = partner.get(index)
        if (
            close is not None
            and text[start - 1 : start] != "\\"
            and text.find("\n\n", end, runs[close][0]) < 0
        ):
            parts += (text[at:start], stash.hide(text[start : runs[close][1]]))
            at, index = runs[close][1], close
        index += 1
    return "".join([*parts, text[at:]])


def _hidden_math(math: str, *, stash: Stash) -> str:
    # "[a, b]" may be written with escaped brackets too; only a formula stays as it is.
    if math.startswith("\\[") and "\n" not in math and not _LOOKS_LIKE_MATH.search(math[2:-2]):
        return math
    return stash.hide(math)
