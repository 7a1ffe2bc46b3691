"""Markdown as plain text: what stays as it is, what blocks and marks become."""

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path

from agents.language.formulas import LEVEL
from rag.loaders.boxes import box_kind
from rag.loaders.document import MAX_TEXT_BYTES, fenced, regular_bytes
from storage.errors import DocumentError

_INCLUDE = re.compile(r"\{\{\s*#(?:rustdoc_)?(?:include|playground|playpen)\s+([^\s{}]+)[^{}]*\}\}")
_ANCHOR_LINE = re.compile(r"^.*\bANCHOR(?:_END)?:\s*[\w-]+.*\n?", re.MULTILINE)
_MOST_INCLUDED = 1024 * 1024  # bytes of one file
_MOST_INCLUDES = 200  # of one page
_COMPONENT = re.compile(r"</?[A-Z][\w.]*")
_MARKED_WORDS = re.compile(
    r"@[A-Z]\w*(?:\[[^\[\]\n]*\])?\{([^{}\n]*)\}"
)  # '@Perm{read}' as some books mark a word
_ROLE = re.compile(r"(?::([a-z][\w:-]*):|\{([a-z][\w:-]*)\})`([^`\n]+)`")
_TITLED = re.compile(r"(.+?)\s*<[^<>]+>$")
_LABELS = frozenset(
    "label eqlabel numref eqref cite citet citep t p target bibliography width begin_tab end_tab footcite".split()
)
_PLAIN_ROLES = frozenset("ref doc term abbr index hoverxref guilabel".split())
_SWITCH = re.compile(r"^[ \t]*(?:>[ \t]*)*\{[#:/@][a-z][^{}\n]*\}[ \t]*$", re.MULTILINE)
# No line of Rust begins with a hash but an attribute: mdBook hides the others.
_HIDDEN_LINE = re.compile(r"^[ \t]*#(?![\[!]).*$\n?", re.MULTILINE)
_MYST = re.compile(r"\{([\w:.-]+)\}[ \t]*(.*)")
_OPTION_LINE = re.compile(r"\A(?:---\n.*?\n---\n|(?::[\w-]+:[^\n]*(?:\n|\Z))+)", re.DOTALL)
_MARKERS = re.compile(
    r"`(?:\[[^`\n]*\]|\{[^`\n]*\}|\([^`\n]*\))`"
)  # points of interest in an annotated program
_NAME_OF_LANGUAGE = re.compile(r"[A-Za-z][\w+#.-]*")
# Fences that a tool draws or runs, and the language that their text is in.
_IN_DISGUISE = {"aquascope": "rust", "ignore": "rust", "bob": "text", "svgbob": "text", "none": "text"}
_MYST_CODE = frozenset({"code-block", "code", "code-cell", "sourcecode"})
_MYST_DROPPED = frozenset(
    {"toctree", "tableofcontents", "index", "bibliography", "contents", "raw", "literalinclude"}
)


def resolve_includes(text: str, *, path: Path, root: Path | None) -> str:
    """Put files that a page includes in their place; one that is missing or outside the course goes."""
    left = iter(range(_MOST_INCLUDES))
    text = _INCLUDE.sub(
        lambda found: _included(found[1], path=path, root=root) if next(left, None) is not None else "", text
    )
    if len(text) > MAX_TEXT_BYTES:
        raise DocumentError("includes more than a book's worth of other files; split it into smaller files")
    return text


def _included(target: str, *, path: Path, root: Path | None) -> str:
    name, _, part = target.partition(":")
    try:
        file = (path.parent / name).resolve()
        is_inside = root is not None and file.is_relative_to(root.resolve())
        text = regular_bytes(file, most=_MOST_INCLUDED).decode("utf-8") if is_inside else ""
    except (OSError, ValueError, DocumentError):
        return ""
    return _ANCHOR_LINE.sub("", _part(text, part)).strip("\n").replace("\r\n", "\n")


def _part(text: str, part: str) -> str:
    """The lines that "2:10" or a name stands for; all of them without either."""
    if not part:
        return text
    if re.fullmatch(r"\d*(?::\d*)?", part):
        first, colon, last = part.partition(":")
        lines = text.split("\n")
        start = max(int(first or 1) - 1, 0)
        return "\n".join(lines[start : int(last) if last else len(lines) if colon else start + 1])
    name = re.escape(part)
    found = re.search(rf"ANCHOR:\s*{name}\b[^\n]*\n(.*?)[^\n]*ANCHOR_END:\s*{name}\b", text, re.DOTALL)
    return found[1] if found else ""


def plain_roles(text: str) -> str:
    """Roles of Sphinx and its kin in Markdown: labels go, references keep their words, code is code."""
    return _ROLE.sub(_role, text)


def _role(found: re.Match[str]) -> str:
    name, words = (found[1] or found[2]).rpartition(":")[2], found[3]
    shown = _TITLED.match(words)
    if name in _LABELS:
        return ""
    if name == "math":
        return f"${words}$"
    return shown[1].strip() if shown else words if name in _PLAIN_ROLES else f"`{words}`"


def drop_components(text: str) -> str:
    """Drop the tags of components, however their attributes nest; what stands between two tags stays."""
    text = _SWITCH.sub("", _MARKED_WORDS.sub(r"\1", text.replace("}@", "}, @")))
    parts: list[str] = []
    at = 0
    while found := _COMPONENT.search(text, at):
        end = _tag_end(text, found.end())
        if end is None:  # "<T" of a comparison
            parts.append(text[at : found.end()])
            at = found.end()
            continue
        parts.append(text[at : found.start()])
        at = end
    return "".join([*parts, text[at:]])


def _tag_end(text: str, at: int) -> int | None:
    """Where a tag that began before `at` ends: braces and quotes may hold anything."""
    depth = 0
    quote = ""
    for place in range(at, min(len(text), at + 50_000)):
        sign = text[place]
        if quote:
            quote = "" if sign == quote and text[place - 1] != "\\" else quote
        elif sign in "\"'`" and (depth or text[place - 1] == "="):
            quote = sign
        elif sign in "{[":
            depth += 1
        elif sign in "}]":
            depth -= 1
        elif sign == ">" and depth <= 0:
            return place + 1
        elif depth <= 0 and (sign == "<" or text.startswith("\n\n", place)):
            return None
    return None


def plain_fence(info: str, code: str) -> tuple[str, str] | None:
    """A fence's language and code without what was meant for a tool; None when nothing is left to read."""
    info = info.strip()
    words = [word for word in re.split(r"[\s,{}]+", info) if word]
    named = _NAME_OF_LANGUAGE.match(words[0].lstrip(".")) if words else None
    language = named[0] if named else ""
    if language == "toc":
        return None
    if {"out", "output"} & set(words):
        language = "text"
    if language == "aquascope":
        code = _MARKERS.sub("", code)
    language = _IN_DISGUISE.get(language, language)
    if language == "rust" and _HIDDEN_LINE.search(code):
        code = re.sub(r"\n{3,}", "\n\n", _HIDDEN_LINE.sub("", code)).strip("\n")
    return (language, code) if code.strip() else None


def myst_fence(info: str, body: str) -> str | None:
    """A directive in MyST's fences as Markdown; None for a fence that is ordinary code."""
    found = _MYST.match(info.strip())
    if not found:
        return None
    name, argument = found[1].lower(), found[2].strip()
    body = _OPTION_LINE.sub("", body).strip("\n")
    if name in _MYST_DROPPED:
        return ""
    if name in _MYST_CODE:
        language = argument.split()[0] if argument else ""
        return fenced(body, language=language) if body else ""
    if name == "math":
        return f"$$\n{body}\n$$"
    if name in ("figure", "image"):
        return f"![{' '.join(body.split())}]({argument})"
    if box_kind(called=name, title=argument):
        colons = ":" * max(3, max((len(run) + 1 for run in re.findall(":{3,}", body)), default=3))
        return f"{colons} {name} {argument}\n{body}\n{colons}"
    title = f"**{argument}**\n\n" if argument else ""
    return f"{title}{body}"


_IMPORT = re.compile(
    r"""\s*(?:import\s+(?:(?:[^'"\n{]*\{[^'"}]{0,500}\}|[^'"\n{]+)\s*from\s+)?["'][^"'\n]+["'];?|export\s+(?:const|let|var|default|function)\b[^\n]*)(?=\n)"""
)
_UNDERLINED = re.compile(r"\n\n {0,3}([^\s#|>*+\0-][^\n]*)\n {0,3}(=+|-{2,})[ \t]*(?=\n)")
_RULE = re.compile(r"\n {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|\^[ \t]*)(?=\n)")
_QUOTE = re.compile(r"\n {0,3}>(?:[ \t]?>)*[ \t]?")
_ALERT = re.compile(r"\n\[![A-Za-z]+\][ \t]*")
_COLON_FENCE = re.compile(
    r"""\n[ \t]*:{3,}(?:[ \t]*\{[^{}\n]*\}|[ \t]*[\w.-]+(?:[ \t]*\{[^{}\n]*\})?)?[ \t]*(?:\[([^\[\]\n]*)\])?([^\n]*)"""
)
_BANG_BLOCK = re.compile(r"""\n[ \t]*(?:!!!|\?\?\?\+?)[ \t]+[\w -]+(?:"([^"\n]*)")?[ \t]*(?=\n)""")
_DEFINITION = re.compile(r"\n:[ \t]+(?=\S)")
_NO_TERM = re.compile(r"[#|>\0:\s]|[-*+] |\d+[.)] |\Z|.{200}")
_CONTENTS = re.compile(r"\n(?:[-*] TOC|\[\[?_?TOC_?\]?\])[ \t]*(?=\n)")
_BLANK_LINES = re.compile(r"\n\s*\n")
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
    text = _ALERT.sub("\n", _QUOTE.sub("\n", text))
    text = _with_definitions(_COLON_FENCE.sub(lambda line: f"\n\n{line[1] or line[2].strip()}\n", text))
    text = _BANG_BLOCK.sub(lambda line: f"\n\n{line[1] or ''}\n", text)
    text = _UNDERLINED.sub(_heading, _CONTENTS.sub("", text))
    # Also at the end of a line, where kramdown marks a line break with it.
    text = _RULE.sub("\n", text.replace("* * *\n", "\n"))
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


_TARGET = r"""\(\s*(?:<[^<>\n]*>|(?:[^()\s]++|\([^()\s]*+\))*+)(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)"""
_NESTED = r"(?:[^\[\]\\]++|\\.|\[[^\[\]]*+\](?:\([^()]*\))?)*+"
_IMAGE = re.compile(rf"!\[{_NESTED}\](?:{_TARGET}|\[[^\[\]]*\])")
_LINK = re.compile(rf"\[(?<!\\\[)((?:[^\[\]\\]++|\\.|\[[^\[\]]*+\](?!\())*+)\]{_TARGET}")
_NOTE_TARGETS = ("](#fn", "](#footnote", "](#cite", "](#user-content-fn")
_NOTE = re.compile(r"[ \t]?\[\^[^\[\]\s]+\](:[ \t]*)?")
_LINK_DEFINITION = re.compile(
    r"""\n {0,3}\[([^\[\]^][^\[\]]*)\]:[ \t]*(?:\n[ \t]+)?\S+[ \t]*(?:\n?[ \t]*(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*(?=\n)"""
)
_BRACKETED = re.compile(r"\[(?<!\\\[)((?:[^\[\]\\]++|\\.)++)\](?:\[([^\[\]]*)\])?")
_ATTRIBUTES = re.compile(r"\{:[^{}\n]*\}")
_SPAN = re.compile(r"\[((?:[^\[\]\\\n]++|\\[^\[\]\n])++)\]\{[#.][^{}\n]*\}")  # pandoc's [words]{#id}
_TEMPLATE = re.compile(r"\{%[^{}]*%\}|\{\{[^{}]*\}\}|\{/\*[^{}]*\*/\}")
_SCRIPTS = "".join(map(chr, LEVEL))  # of a letter: *K*ₐ
# Bold is the only emphasis that stays, always written with stars.
_EMPHASIS = (
    (re.compile(r"\*\*\*(?<!\*\*\*\*)([^*\n]++)\*\*\*(?!\*)"), r"**\1**"),
    (re.compile(r"\*\*(?<!\*\*\*)([^*\n]++)\*([^*\n]++)\*\*\*"), r"**\1\2**"),  # italics end the bold
    (re.compile(r"\*(?<![\w*\\]\*)(?![\s*])((?:[^*\n]|\n(?!\n))++)(?<![\s\\])\*(?![\w*])"), r"\1"),
    (re.compile(r"\*(?<=\w\*)(\w{1,20}(?=\*(?![\w*]))|\^\w{1,3}(?=\*))\*"), r"\1"),  # within a word
    (
        re.compile(rf"\*(?<![\w*\\]\*)([A-Za-zΑ-ω][A-Za-zΑ-ω -]{{0,40}})(?<! )\*(?=[a-z{_SCRIPTS}])"),
        r"\1",
    ),  # before one
    (re.compile(r"__(?<![\w\\]__)(?=\S)([^_\n]++)(?<=\S)__(?!\w|\.\w|\()"), r"**\1**"),  # not __init__.py
    (re.compile(r"_(?<![\w\\]_)(?![\s_])((?:[^_\n]|\n(?!\n))++)(?<![\s\\])_(?!\w)"), r"\1"),
)
_ESCAPED = re.compile(r"\\([\n!-/:-@\[-`{}~])")  # not "|", which a table still needs


def link_texts(text: str) -> list[str]:
    """What the links of a text say; what is told of a picture that is one leads nowhere."""
    return _LINK.findall(_IMAGE.sub("", text))


def link_targets(text: str) -> frozenset[str]:
    """The names that a page gives to addresses: what its links may refer to."""
    found = _LINK_DEFINITION.findall(f"\n{text}\n") if "]:" in text else ()
    return frozenset(name.casefold() for name in found)


def drop_links_and_images(text: str, *, targets: frozenset[str] = frozenset()) -> str:
    """Keep what a link says, nothing of an image, and no sign of a footnote; targets are named elsewhere on the page."""
    text = _SPAN.sub(r"\1", _TEMPLATE.sub("", _ATTRIBUTES.sub("", text)))
    text = _LINK.sub(_link_text, _IMAGE.sub("", text))
    return _resolve_references(_NOTE.sub(_note_text, text), targets=targets)


def _link_text(link: re.Match[str]) -> str:
    is_note = link[0].startswith(_NOTE_TARGETS, len(link[1]) + 1)
    return "" if is_note else link[1]


def _note_text(note: re.Match[str]) -> str:
    # At the start of a line this is the note itself, elsewhere a reference before a colon.
    starts_line = note.string.rfind("\n", max(note.start() - 4, 0), note.start()) >= 0
    return "" if starts_line else note[1] or ""


def _resolve_references(text: str, *, targets: frozenset[str]) -> str:
    known = link_targets(text) | targets
    if not known:
        return text

    def words(link: re.Match[str]) -> str:
        return link[1] if (link[2] or link[1]).casefold() in known else link[0]

    return _BRACKETED.sub(words, _LINK_DEFINITION.sub("", text))


def drop_italics(text: str) -> str:
    for pattern, written in _EMPHASIS:
        text = pattern.sub(written, text)
    return text


def decode_escapes(text: str) -> str:
    """Entities and backslash escapes as the characters they stand for."""
    return unescape(_ESCAPED.sub(r"\1", text)).replace("\xa0", " ")


_CODE_SPAN = re.compile(r"(`[^`]*`)")
_EMPHASIS_MARK = re.compile(r"(?<!\\)\*")


def plain_title(text: str) -> str:
    """A title that was written in Markdown, as it is read: escapes and entities resolved, but in code, which has none."""
    parts = _CODE_SPAN.split(text)
    said = [
        part.strip("`")
        if part.startswith("`")
        else decode_escapes(_EMPHASIS_MARK.sub("", part).replace("\\|", "|"))
        for part in parts
    ]
    return " ".join("".join(said).split())


_MARK = "\0"  # the decoder lets no NUL through, so no text can hold one
_HIDDEN = re.compile(r"\0(\d+)\0")
_FENCE_OR_COMMENT = re.compile(
    r"\n([ \t]*(?:>[ \t]?)*)((?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}(?=[^`\n]*(?:\n|\Z))|~{3,})([^\n]*)|<!--(?<!`<!--)"
)
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
_NUMBERED_EQUATION = re.compile(r"\\(?:begin|end)\{(?:equation|displaymath)\*?\}|\\label\{[^{}]*\}")
_LOOKS_LIKE_MATH = re.compile(r"[\\=^_]")
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
        return _HIDDEN.sub(lambda mark: change(self._kept[int(mark[1])]), text)


def hide_fences(text: str, *, stash: Stash) -> str:
    """Hide fenced code and drop comments, whichever opens first holding the other."""
    parts: list[str] = []
    at = 0
    while opened := _FENCE_OR_COMMENT.search(text, at):
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


def verbatim_spans(text: str) -> list[tuple[int, int]]:
    """Where fenced code and comments stand: what looks like markup in them is none."""
    spans: list[tuple[int, int]] = []
    if not any(mark in text for mark in ("```", "~~~", "<!--")):  # cheaper than a look at each line
        return spans
    at = 0
    text = f"\n{text}"
    while opened := _FENCE_OR_COMMENT.search(text, at):
        if opened[3]:
            at = _fence_end(text, opened=opened)[1]
        else:
            close = text.find("-->", opened.end())
            at = close + 3 if close >= 0 else len(text)
        spans.append((opened.start() - 1, at - 1))
    return spans


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

    def fence(block: re.Match[str]) -> str:
        before, code = block[1], block[2]
        # Lists continue with the same indentation, and authors indent their HTML.
        if _NOT_BEFORE_CODE.match(before) or code.lstrip()[0] in "<-*+" or _MARK in code:
            return block[0]
        lines = [line[1:] if line.startswith("\t") else line[4:] for line in code.rstrip().split("\n")]
        return f"\n{before}\n\n{stash.hide(fenced(chr(10).join(lines)))}\n\n"

    return _INDENTED.sub(fence, single_blank_lines(text))


def hide_code(text: str, *, stash: Stash) -> str:
    """Hide what is code by its element or its backticks."""
    text = _HTML_PRE.sub(lambda pre: f"\n\n{stash.hide(_fence_of_html(pre))}\n\n", text)
    text = _HTML_CODE.sub(lambda code: stash.hide(f"`{unescape(code[1]).strip()}`"), text)
    return _hide_code_spans(text, stash=stash)


def hide_tex(text: str, *, stash: Stash) -> str:
    """Hide formulas that are written in TeX."""
    return _MATH.sub(lambda math: _hidden_math(math, stash=stash), text)


def _fence_of_html(pre: re.Match[str]) -> str:
    language = _LANGUAGE.search(pre[0])
    code = unescape(_TAG.sub("", pre[1])).strip("\n")
    return fenced(code, language=language[1] if language else "")


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


def _hidden_math(found: re.Match[str], *, stash: Stash) -> str:
    """A formula as sections have it: on its own where nothing else stands on its lines."""
    math = found[0]
    if math.startswith("$") and not math.startswith("$$"):
        return stash.hide(math)
    # "[a, b]" may be written with escaped brackets too; only a formula stays as it is.
    if math.startswith("\\[") and "\n" not in math and not _LOOKS_LIKE_MATH.search(math[2:-2]):
        return math
    latex = _NUMBERED_EQUATION.sub("", math if math.startswith("\\begin") else math[2:-2])
    around = (
        found.string[max(0, found.start() - 40) : found.start()],
        found.string[found.end() : found.end() + 40],
    )
    is_alone = not around[0].rpartition("\n")[2].strip(" \t>") and not around[1].partition("\n")[0].strip()
    if math.startswith("\\(") or not is_alone:
        return stash.hide(f"${' '.join(latex.split())}$")
    # A comment ends with its line, everything else may stand on one.
    return stash.hide(f"$${latex.strip() if '%' in latex else ' '.join(latex.split())}$$")
