"""HTML inside Markdown as the Markdown it stands for."""

import re
from collections.abc import Callable
from functools import lru_cache

from rag.loaders.document import pipe_table
from rag.loaders.markup import bold
from rag.loaders.mathml import exponent, math_text

_NAME = re.compile(r"<([!?]?[A-Za-z][\w.+-]*@?)")
# Attribute values may hold ">", which is why they are spelt out.
_TAG = re.compile(r"""<(/?)([A-Za-z][\w.:-]*)((?:[^<>"'={]|=\s*"[^"]*"|=\s*'[^']*'|=?\{[^{}]*\}|=)*+)>""")
_ADDRESS = re.compile(r"<((?:https?|mailto|ftp):[^<>\s]*|[\w.+-]+@[\w.-]+)>")
_DECLARATION = re.compile(r"<[!?][A-Za-z][^<>]*>")
_SUBSCRIPT = re.compile(r"<sub\b[^<>]*>([^<>\n]*)</sub>")
_SUPERSCRIPT = re.compile(r"<sup\b[^<>]*>([^<>\n]*)</sup>")
_TITLE_SPAN = re.compile(r"""<span data-type=["']title["'][^<>]*>((?:[^<]++|<(?!/?span\b))*+)</span>""")
_TERM = re.compile(r"<dt\b[^<>]*>((?:[^<]++|<(?!/?d[tdl]\b))*+)</dt>\s*(?:<dd\b[^<>]*>\s*)?")
_BOLD = re.compile(r"<b>(\s*)([^<]*?)(\s*)</b>")
_ROW = re.compile(r"<tr\b[^<>]*>((?:[^<]++|<(?!/?tr\b))*+)")
_CELL = re.compile(r"<t([hd])\b([^<>]*)>((?:[^<]++|<(?!/?t[hdr]\b))*+)")
_EMPTY_CELL = re.compile(r"<(t[hd])\b([^<>]*)/>")
_TABLE_LINE = re.compile(r"\n[ \t]*\|[^\n<]*<[^\n]*")
_NEXT_ITEM = re.compile(r"</li>\s*<li\b[^<>]*>")

_DROPPED = re.compile("script|style|template|svg|iframe|object|video|audio|canvas|noscript|cnx-pi|head")
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCK = re.compile(
    "p|div|section|article|main|aside|header|footer|nav|figure|figcaption|blockquote|center|details|summary|ul|ol"
    "|d[dlt]|hr|address|fieldset|form|table|thead|tbody|tfoot|tr|caption|pre|tabs|tabitem"
)
_NOT_A_TAG = re.compile("https?|mailto|ftp|[!?]|.*@")
_OPENING = {"b": "<b>", "strong": "<b>", "br": "\n", "li": "\n- ", "td": " ", "th": " "}
_CLOSING = {"b": "</b>", "strong": "</b>", "li": "\n"}


def html_to_markdown(text: str) -> str:
    if "<" not in text:
        return text
    names = set(_NAME.findall(text))
    lowered = {name.lower() for name in names}
    if any(_NOT_A_TAG.match(name) for name in lowered):
        text = _DECLARATION.sub("", _ADDRESS.sub(r"\1", text))
    for name in sorted(names, key=_rank):
        render = _renderer(name.lower())
        if render:
            text = _replace_elements(text, name=name, render=render)
    if lowered & {"sub", "sup"}:
        text = _scripts(text)
    if "span" in lowered:
        text = _TITLE_SPAN.sub(r"\1\n\n", text)
    if "dt" in lowered:
        text = _TERM.sub(lambda term: f"\n\n{bold(_flat(term[1]))}: ", text)
    if "|" in text:
        text = _TABLE_LINE.sub(lambda line: "\n" + _flat(line[0]), text)
    text = _TAG.sub(_replacement, text)
    return _with_bold(text) if lowered & {"b", "strong"} else text


def _rank(name: str) -> tuple[bool, str]:
    """Tables last, so that formulas in their cells are text by then; always in the same order."""
    return name.lower() == "table", name


def _renderer(name: str) -> Callable[[str], str] | None:
    if _DROPPED.fullmatch(name):
        return lambda _: ""
    if name in _HEADINGS:
        return lambda element: f"\n\n{'#' * _HEADINGS[name]} {_flat(element)}\n\n"
    return {"math": math_text, "table": _table}.get(name)


@lru_cache(maxsize=256)
def _ends_of(name: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    return re.compile(rf"<{name}(?=[\s>/])"), re.compile(rf"</{name}\s*>")


def _replace_elements(text: str, *, name: str, render: Callable[[str], str]) -> str:
    """Replace whole elements; one that is never closed keeps its text."""
    opener, closer = _ends_of(name)
    parts: list[str] = []
    at = 0
    while (start := opener.search(text, at)) and (end := closer.search(text, start.end())):
        parts += (text[at : start.start()], render(text[start.start() : end.end()]))
        at = end.end()
    return "".join([*parts, text[at:]])


def _table(element: str) -> str:
    element = _EMPTY_CELL.sub(r"<\1\2></\1>", element)
    rows = [_CELL.findall(row) for row in _ROW.findall(element)]
    has_header = bool(rows) and any(kind == "h" for kind, _, _ in rows[0])
    return (
        f"\n\n{pipe_table([[_flat(cell) for _, _, cell in row] for row in rows], has_header=has_header)}\n\n"
    )


def _flat(markup: str) -> str:
    """The text of some markup on one line, as a heading or a table cell needs it."""
    text = _TAG.sub(_inline_replacement, _scripts(_NEXT_ITEM.sub(", ", markup)))
    return " ".join(_with_bold(text).split())


def _with_bold(text: str) -> str:
    """Move spaces out of bold text, where Markdown wants them; bold in bold is bold once."""
    if "<b>" not in text:
        return text.replace("</b>", "")
    text = _BOLD.sub(lambda tag: f"{tag[1]}**{tag[2]}**{tag[3]}" if tag[2] else tag[1], text)
    return text.replace("<b>", "").replace("</b>", "")


def _scripts(text: str) -> str:
    if "<su" not in text:
        return text
    text = _SUBSCRIPT.sub(lambda tag: tag[1].lstrip(), text)
    return _SUPERSCRIPT.sub(
        lambda tag: exponent(tag[1], base=tag.string[max(tag.start() - 1, 0) : tag.start()]), text
    )


def _inline_replacement(tag: re.Match[str]) -> str:
    if tag[2] in ("b", "strong"):
        return f"<{tag[1]}b>"
    return " " if tag[2] in ("br", "p", "li", "ul", "div") else ""


def _replacement(tag: re.Match[str]) -> str:
    if "\n\n" in tag[0]:  # a "<" and a ">" of two paragraphs, not a tag
        return tag[0]
    name = tag[2].lower()
    if name == "div" or _BLOCK.fullmatch(name):
        return "\n\n"
    return (_CLOSING if tag[1] else _OPENING).get(name, "")
