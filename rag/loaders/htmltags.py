"""HTML inside Markdown as the Markdown it stands for."""

import re
from collections.abc import Callable

from agents.language.formulas import lowered, raised
from rag.loaders.document import pipe_table
from rag.loaders.formulas import math_text
from rag.loaders.markup import bold

_NAME = re.compile(r"<([A-Za-z][\w-]*)")
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

_BLOCK = re.compile(
    "p|div|section|article|main|aside|header|footer|nav|figure|figcaption|blockquote|center|details|summary|ul|ol"
    "|d[dlt]|hr|address|fieldset|form|table|thead|tbody|tfoot|tr|caption|pre|tabs|tabitem"
)
_OPENING = {"b": "<b>", "strong": "<b>", "br": "\n", "li": "\n- ", "td": " ", "th": " "}
_CLOSING = {"b": "</b>", "strong": "</b>", "li": "\n"}


def html_to_markdown(text: str) -> str:
    text = _DECLARATION.sub("", _ADDRESS.sub(r"\1", text))
    names = set(map(str.lower, _NAME.findall(text)))
    for name, render in _ELEMENTS.items():
        if name in names:
            text = _replace_elements(text, name=name, render=render)
    text = _TITLE_SPAN.sub(r"\1\n\n", _scripts(text))
    text = _TERM.sub(lambda term: f"\n\n{bold(_flat(term[1]))}: ", text)
    text = _TABLE_LINE.sub(lambda line: "\n" + _flat(line[0]), text)
    return _with_bold(_TAG.sub(_replacement, text))


def _replace_elements(text: str, *, name: str, render: Callable[[str], str]) -> str:
    """Replace whole elements; one that is never closed keeps its text."""
    opener = re.compile(rf"<{name}(?=[\s>/])", re.IGNORECASE)
    closer = re.compile(rf"</{name}\s*>", re.IGNORECASE)
    parts: list[str] = []
    at = 0
    while (start := opener.search(text, at)) and (end := closer.search(text, start.end())):
        parts += (text[at : start.start()], render(text[start.start() : end.end()]))
        at = end.end()
    return "".join([*parts, text[at:]])


def _heading(element: str) -> str:
    return f"\n\n{'#' * int(element[2])} {_flat(element)}\n\n"


def _table(element: str) -> str:
    element = _EMPTY_CELL.sub(r"<\1\2></\1>", element)
    rows = [_CELL.findall(row) for row in _ROW.findall(element)]
    has_header = bool(rows) and any(kind == "h" for kind, _, _ in rows[0])
    table = pipe_table([[_flat(cell) for _, _, cell in row] for row in rows], has_header=has_header)
    return f"\n\n{table}\n\n"


# Replaced whole; tables last, so that formulas in their cells are text by then.
_ELEMENTS: dict[str, Callable[[str], str]] = {
    **dict.fromkeys(
        "script style template svg iframe object video audio canvas noscript cnx-pi head".split(),
        lambda _: "",
    ),
    **dict.fromkeys((f"h{level}" for level in range(1, 7)), _heading),
    "math": math_text,
    "table": _table,
}


def _flat(markup: str) -> str:
    """The text of some markup on one line, as a heading or a table cell needs it."""
    text = _TAG.sub(_inline_replacement, _scripts(_NEXT_ITEM.sub(", ", markup)))
    return " ".join(_with_bold(text).split())


def _with_bold(text: str) -> str:
    """Move spaces out of bold text, where Markdown wants them; bold in bold is bold once."""
    text = _BOLD.sub(lambda tag: f"{tag[1]}**{tag[2]}**{tag[3]}" if tag[2] else tag[1], text)
    return text.replace("<b>", "").replace("</b>", "")


def _scripts(text: str) -> str:
    # A sign that stays one must not be taken for the mark of italics.
    text = _SUBSCRIPT.sub(lambda tag: lowered(tag[1]).replace("_", r"\_"), text)
    return _SUPERSCRIPT.sub(
        lambda tag: raised(tag[1], base=tag.string[max(tag.start() - 1, 0) : tag.start()]), text
    )


def _inline_replacement(tag: re.Match[str]) -> str:
    if tag[2] in ("b", "strong"):
        return f"<{tag[1]}b>"
    return " " if tag[2] in ("br", "p", "li", "ul", "div") else ""


def _replacement(tag: re.Match[str]) -> str:
    if "\n\n" in tag[0]:  # a "<" and a ">" of two paragraphs, not a tag
        return tag[0]
    name = tag[2].lower()
    if _BLOCK.fullmatch(name):
        return "\n\n"
    return (_CLOSING if tag[1] else _OPENING).get(name, "")
