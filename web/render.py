"""From Markdown that a stranger wrote to HTML that is safe to show: formulas, code and citations included."""

import re
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from functools import lru_cache
from html import escape
from typing import Any
from urllib.parse import quote

import nh3
from latex2mathml.converter import convert as to_mathml
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from pygments import highlight
from pygments.formatters.html import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

_MARK = re.compile(r"\[(\d{1,3})\]")
_ABSOLUTE = re.compile(r"^(?:[a-z][a-z0-9+.-]*:|//|/|\\)", re.IGNORECASE)
_PYGMENTS = HtmlFormatter(nowrap=True)
_MOST_FORMULA = 2000  # characters; the converter's time grows with nesting

_MATHML = (
    "math mrow mi mn mo ms mtext mspace mfrac msqrt mroot msup msub msubsup munder mover munderover mtable mtr mtd "
    "mstyle mpadded mphantom menclose mmultiscripts mprescripts semantics"
).split()
_HTML = (
    "p br hr em strong s del sub sup code pre blockquote ul ol li h1 h2 h3 h4 h5 h6 table thead tbody tr th td a img "
    "span div"
).split()
_TAGS = {*_HTML, *_MATHML}
_ATTRIBUTES: dict[str, set[str]] = {
    "a": {"href", "class", "aria-label"},
    "img": {"src", "alt", "loading"},
    "span": {"class"},
    "div": {"class", "tabindex", "role", "aria-label"},
    "ol": {"start"},
    "pre": {"tabindex"},
    "p": {"class"},
    "math": {"display", "xmlns"},
    "mo": {*"stretchy fence separator form lspace rspace movablelimits minsize maxsize".split()},
    "mi": {"mathvariant"},
    "mspace": {"width"},
    "mfrac": {"linethickness"},
    "mtable": {"columnalign", "rowspacing", "columnspacing", "rowlines", "columnlines", "displaystyle"},
    "mstyle": {"displaystyle", "scriptlevel", "mathvariant"},
    "munder": {"accentunder"},
    "mover": {"accent"},
    "menclose": {"notation"},
}

# Where a picture of the course is served, or "" when it is not one of ours.
Pictures = Callable[[str], str]


def to_html(
    text: str, *, passages: Mapping[int, str] | None = None, pictures: Pictures = lambda _: "", depth: int = 2
) -> str:
    """The text as HTML; a mark [n] becomes a link to the passage that it stands for.

    `depth` is how far its headings stand below the page's own.
    """
    env = {"passages": passages or {}, "pictures": pictures, "depth": depth}
    return nh3.clean(
        _markdown().render(text, env),
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer",
    )


def to_line(text: str) -> str:
    """One line of Markdown, without a paragraph around it."""
    html = to_html(text)
    return html.removeprefix("<p>").rstrip().removesuffix("</p>") if html.count("<p>") == 1 else html


def picture_address(target: str, texts: Sequence[tuple[str, str]]) -> str:
    """Where a picture of one of these passages (id and text) is served; remote ones are not."""
    if _ABSOLUTE.match(target):
        return ""
    chunk_id = next((chunk_id for chunk_id, text in texts if f"]({target}" in text), "")
    return f"/picture/{quote(chunk_id, safe='')}?file={quote(target, safe='')}" if chunk_id else ""


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    found = MarkdownIt("commonmark", {"html": False, "highlight": _highlighted}).enable(
        ["table", "strikethrough"]
    )
    found.use(dollarmath_plugin, allow_space=False, allow_digits=False, renderer=_formula)
    found.core.ruler.push("inner_links", _unlink)
    found.core.ruler.push("marks", _link_marks)
    found.add_render_rule("image", _image)
    found.add_render_rule("heading_open", _heading)
    found.add_render_rule("heading_close", _heading)
    found.add_render_rule(
        "table_open", lambda *_: '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>'
    )
    found.add_render_rule("table_close", lambda *_: "</table></div>")
    return found


def _formula(content: str, options: Mapping[str, Any]) -> str:
    """A formula as MathML; one that cannot be read stays as it was written."""
    is_block = bool(options.get("display_mode"))
    try:
        if len(content) > _MOST_FORMULA:
            raise ValueError("too long")
        return to_mathml(content, display="block" if is_block else "inline")
    except Exception:  # the converter has no error of its own for what it does not know
        return f"<code>{escape(content)}</code>"


def _highlighted(code: str, language: str, _: str) -> str:
    try:
        lexer = get_lexer_by_name(language.split(maxsplit=1)[0]) if language.strip() else None
    except ClassNotFound:
        lexer = None
    inner = highlight(code, lexer, _PYGMENTS) if lexer else escape(code)
    return f'<pre tabindex="0"><code>{inner}</code></pre>'


def _unlink(state: StateCore) -> None:
    """A link within the course's own folder leads nowhere here, so only its words stay."""
    for block in state.tokens:
        leads_out = True
        for token in block.children or ():
            if token.type == "link_open":
                leads_out = str(token.attrs["href"]).startswith(("http://", "https://", "mailto:"))
            if token.type in ("link_open", "link_close") and not leads_out:
                token.tag, token.attrs = "span", {}


def _link_marks(state: StateCore) -> None:
    """'[1]' in the text, never in code, becomes a link where there is such a passage."""
    passages: Mapping[int, str] = state.env.get("passages", {})
    if not passages:
        return
    state.tokens = _one_mark_a_run(state.tokens, passages)
    for block in state.tokens:
        if block.type == "inline" and block.children:
            block.children = [part for child in block.children for part in _with_links(child, passages)]


def _one_mark_a_run(tokens: Sequence[Token], passages: Mapping[int, str]) -> list[Token]:
    """Code and its output carry their mark below them; where what follows has the same one alone, that is enough."""
    kept: list[Token] = []
    place = 0
    while place < len(tokens):
        marks = _marks(tokens[place + 1]) if tokens[place].type == "paragraph_open" else []
        is_lone = len(marks) == 1 and tokens[place + 1].content.strip() == f"[{marks[0]}]"
        if is_lone and marks[0] in passages and _next_marks(tokens[place + 3 :]) == {marks[0]}:
            place += 3  # its opening, its words, its end
            continue
        if is_lone:
            tokens[place].attrSet("class", "mark")
        kept.append(tokens[place])
        place += 1
    return kept


def _next_marks(tokens: Sequence[Token]) -> set[int]:
    """The marks of the next block that has any, before another heading."""
    for token in tokens:
        if token.type in ("heading_open", "hr"):
            return set()
        if marks := _marks(token):
            return set(marks)
    return set()


def _marks(token: Token) -> list[int]:
    texts = (child.content for child in token.children or () if child.type == "text")
    return [int(mark[1]) for text in texts for mark in _MARK.finditer(text)]


def _with_links(token: Token, passages: Mapping[int, str]) -> list[Token]:
    if token.type != "text" or "[" not in token.content:
        return [token]
    found: list[Token] = []
    end = 0
    for mark in _MARK.finditer(token.content):
        number = int(mark[1])
        if number not in passages:
            continue
        found += [_text(token.content[end : mark.start()]), *_link(number, passages[number])]
        end = mark.end()
    return [*found, _text(token.content[end:])]


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _link(number: int, chunk_id: str) -> list[Token]:
    href = f"/passage/{quote(chunk_id, safe='')}"
    attributes: dict[str, str | int | float] = {
        "href": href,
        "class": "cite",
        "aria-label": f"Source {number}: show the passage",
    }
    return [Token("link_open", "a", 1, attrs=attributes), _text(str(number)), Token("link_close", "a", -1)]


def _image(
    renderer: RendererHTML, tokens: Sequence[Token], place: int, options: Any, env: MutableMapping[str, Any]
) -> str:
    token = tokens[place]
    words = renderer.renderInlineAsText(token.children or [], options, env)
    address = env["pictures"](str(token.attrs.get("src", "")))
    if address:
        return f'<img src="{escape(address)}" alt="{escape(words)}" loading="lazy">'
    return f'<span class="picture">Picture{f": {escape(words)}" if words else ""}</span>'


def _heading(
    renderer: RendererHTML, tokens: Sequence[Token], place: int, options: Any, env: MutableMapping[str, Any]
) -> str:
    token = tokens[place]
    level = min(6, int(token.tag[1]) + env["depth"])
    return f"<h{level}>" if token.nesting == 1 else f"</h{level}>\n"
