"""What the makers of sites and books put into Markdown: includes, components, directives, hidden lines."""

import re
from pathlib import Path

from rag.loaders.document import MAX_TEXT_BYTES, regular_bytes
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
        return f"```{language}\n{body}\n```" if body else ""
    if name == "math":
        return f"$$\n{body}\n$$"
    if name in ("figure", "image"):
        return f"![{' '.join(body.split())}]({argument})"
    title = f"**{argument}**\n\n" if argument else ""
    return f"{title}{body}"
