"""Web pages: the main content, without what surrounds it on a site."""

import re
from collections.abc import Callable, Iterable, Iterator
from html import unescape
from pathlib import Path
from textwrap import indent
from typing import TypeGuard

from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString, PageElement
from bs4.exceptions import ParserRejectedMarkup

from agents.language.formulas import lowered, raised, readable_formulas
from rag.exercises import Shelf
from rag.exercises.forms import take_from_tree
from rag.loaders.boxes import box_kind, box_name
from rag.loaders.document import LoadedDocument, Outline, fenced, pipe_table, read_html, title_from_path
from rag.loaders.formulas import as_block, as_formula, math_text
from rag.loaders.markup import bold
from rag.loaders.text import parse as parse_text
from storage.errors import DocumentError

BOX = -1  # the level of a mark: what follows is set apart under this name, or no longer
_BOLD = frozenset({"b", "strong"})
_CODE = frozenset({"code", "kbd", "samp", "tt"})
_SPACES = re.compile(r"[ \t\r\n\f\xa0]+")
_SPACES_AT_BREAK = re.compile(r" *\n *")
_ONE_FORMULA = re.compile(r"\$(?:[^$\\]|\\.)+\$")
_PERMALINK = re.compile(r"\s*[¶#§]$")


def line_text(nodes: Iterable[PageElement]) -> str:
    """Nodes that stand on one line, with a line end only where the page has <br>."""
    return _SPACES_AT_BREAK.sub("\n", re.sub(" {2,}", " ", _inline_text(nodes))).strip()


def heading_text(tag: Tag) -> str:
    line = readable_formulas(_inline_text(tag.children))
    text = " ".join(line.replace("**", "").replace("`", "").split())
    return _PERMALINK.sub("", text)


def _inline_text(nodes: Iterable[PageElement]) -> str:
    parts: list[str] = []
    for node in nodes:
        text = _inline(node)
        name = getattr(node, "name", None)
        if name == "sup":
            text = raised(text, base=parts[-1] if parts else "")
        elif name == "sub":
            text = lowered(text)
        if text:
            parts.append(text)
    return "".join(parts)


def _inline(node: PageElement) -> str:
    if type(node) is NavigableString:  # not a comment or a declaration, which are strings as well
        return _SPACES.sub(" ", node)
    if not isinstance(node, Tag):
        return ""
    if node.name == "br":
        return "\n"
    if node.name == "math":
        return math_text(str(node))
    if node.name in _CODE:
        return _code_span(node.get_text())
    text = _inline_text(node.children)
    return _bold(text) if node.name in _BOLD else text


def _code_span(text: str) -> str:
    text = " ".join(text.split())
    mark = "``" if "`" in text else "`"
    return f"{mark}{text}{mark}" if text else ""


def _bold(text: str) -> str:
    words = text.strip()
    if not words or "**" in words:
        return text
    return text.replace(words, f"**{words}**")


_BLOCKS = re.compile(
    "^(?:h[1-6r]|address|article|blockquote|body|center|d[dltv]|div|details|fieldset|figcaption|figure|footer|header"
    "|html|li|main|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)$"
)
_STANDS_ALONE = re.compile(r"```|~~~|\||- |\d+\. |\$\$")  # begins a block of its own
_LIST_START = re.compile(r"- |\d+\. ")
_LANGUAGE = re.compile(r"\blang(?:uage)?-([\w+#-]+)")


def blocks(node: Tag) -> Iterator[tuple[int, str]]:
    """The headings and text blocks of an element, in reading order; text has level 0."""
    line: list[PageElement] = []
    for child in node.children:
        if not _is_block(child):
            line.append(child)
            continue
        yield from _paragraph(line)
        line = []
        yield from _block(child)
    yield from _paragraph(line)


def _block(tag: Tag) -> Iterator[tuple[int, str]]:
    render = _RENDERERS.get(tag.name)
    if box := _box(tag):
        yield BOX, box
        yield from blocks(tag)
        yield BOX, ""
    elif re.fullmatch("h[1-6]", tag.name):
        yield int(tag.name[1]), heading_text(tag)
    elif render:
        yield 0, render(tag)
    else:
        yield from blocks(tag)


def _box(tag: Tag) -> str:
    """The name of what is set apart, which then is no line of it any more; '' for any other element."""
    if (
        tag.name not in ("div", "section", "aside")
        or not tag.attrs
        or tag.find_parent(attrs={"data-box": True})
    ):
        return ""
    kinds = [*tag.get_attribute_list("class"), *tag.get_attribute_list("data-type")]
    first = next((child for child in tag.children if isinstance(child, Tag)), None)
    is_title = first is not None and (
        first.name in _ANY_HEADING
        or first.get("data-type") == "title"
        or "title" in " ".join(first.get_attribute_list("class"))
    )
    title = heading_text(first) if first is not None and is_title else ""
    called = " ".join(each for each in kinds if each)
    kind = "aims" if tag.get("data-type") == "abstract" else box_kind(called=called, title=title)
    if kind is None:
        return ""
    tag["data-box"] = kind
    if first is not None and is_title:
        first.decompose()
    return box_name(kind, title)


def _is_block(node: PageElement) -> TypeGuard[Tag]:
    # An inline element around blocks (a link around a card, say) counts as one of them.
    return isinstance(node, Tag) and (bool(_BLOCKS.match(node.name)) or node.find(_BLOCKS) is not None)


def _paragraph(line: list[PageElement]) -> Iterator[tuple[int, str]]:
    if text := line_text(line):
        yield 0, as_block(text) if _ONE_FORMULA.fullmatch(text) else text


def _texts(tag: Tag) -> list[str]:
    """The blocks of an element that cannot hold sections, its headings as plain lines."""
    return [text for _, text in blocks(tag) if text]


def _list(tag: Tag) -> str:
    lines: list[str] = []
    for child in tag.find_all(True, recursive=False):
        text = _item(child)
        marker = f"{len(lines) + 1}. " if tag.name == "ol" else "- "
        if text:
            lines.append(marker + indent(text, " " * len(marker)).lstrip())
    return "\n".join(lines)


def _item(tag: Tag) -> str:
    """What a list item holds; a list in it follows on the next line, anything else after a blank one."""
    text = ""
    for _, block in blocks(tag) if tag.name == "li" else _block(tag):
        text += ("\n" if _LIST_START.match(block) else "\n\n") + block
    return text.strip()


def _definitions(tag: Tag) -> str:
    terms: list[str] = []
    entries: list[str] = []
    for child in tag.find_all(["dt", "dd"]):
        text = " ".join(_texts(child)) if child.name == "dt" else "\n\n".join(_texts(child))
        if child.name == "dt":
            terms.append(text)
        elif text:
            names = ", ".join(bold(term) for term in terms if term)
            between = "\n\n" if _STANDS_ALONE.match(text) else " "
            entries.append(f"{names}:{between}{text}" if names else text)
            terms.clear()
    return "\n\n".join(entries)


def _code_block(tag: Tag) -> str:
    for line_end in tag.find_all("br"):
        line_end.replace_with("\n")
    inner = tag.find("code")
    classes = " ".join(
        [*tag.get_attribute_list("class"), *(inner.get_attribute_list("class") if inner else [])]
    )
    language = _LANGUAGE.search(classes)
    code = tag.get_text().strip("\n")
    return fenced(code, language=language[1] if language else "") if code.strip() else ""


def _table(tag: Tag) -> str:
    rows = [
        row.find_all(["th", "td"], recursive=False)
        for row in tag.find_all("tr")
        if row.find_parent("table") is tag  # tables in cells have rows of their own
    ]
    if all(len(row) <= 1 for row in rows):  # it only lays out the page
        return "\n\n".join(text for row in rows for cell in row for text in _texts(cell))
    has_header = any(cell.name == "th" for cell in rows[0])
    table = pipe_table([[" ".join(_texts(cell)) for cell in row] for row in rows], has_header=has_header)
    caption = heading_text(tag.caption) if tag.caption else ""
    return f"{caption}\n\n{table}".strip()


_RENDERERS: dict[str, Callable[[Tag], str]] = {
    "ul": _list,
    "ol": _list,
    "dl": _definitions,
    "pre": _code_block,
    "table": _table,
}


_SURROUNDINGS = ["nav", "footer", "aside"]
_NO_TEXT = "script style template noscript svg iframe form button select object canvas".split()
# What a site lays over its pages, what it hides, its menus, and the links that a generator puts beside names.
_OVERLAYS = (
    "[aria-hidden=true], [hidden], [role=dialog], [role=alertdialog], [id*=cookie i], [class*=cookie i], "
    "[role=navigation], [role=contentinfo], #sidebar, #footer, .sphinxsidebar, a.headerlink, .viewcode-link"
)
_TURNS = ["next", "prev", "previous", "up", "home", "start"]  # what a page may call the pages around it
_ELSEWHERE = re.compile(r"^[^#]")  # begins with another page's address
_MOST_LINKS = 50
_MOST_TURNING = 150  # letters of a line to turn pages with; what is longer tells something
_ANY_HEADING = ["h2", "h3", "h4", "h5", "h6"]
_XML_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")


def load(path: Path) -> LoadedDocument:
    return parse(read_html(path), path=path)


def parse(source: str, *, path: Path) -> LoadedDocument:
    if "<" not in source:
        return parse_text(unescape(source), path=path)
    try:
        return _parse(source, path=path)
    except RecursionError:
        raise DocumentError("nests its elements too deeply; save the page again from a browser") from None


def _parse(source: str, *, path: Path) -> LoadedDocument:
    soup = _soup(source)
    about = {
        rel: str(tag["href"])
        for rel in ("next", "up")
        if (tag := soup.find(["link", "a"], rel=rel, href=True))
    }
    shelf = Shelf(path=path, plain=_plain)
    take_from_tree(soup, shelf)  # before forms and all that is hidden go: so are choices and answers
    _drop_surroundings(soup)
    content = _content(soup)
    outline = Outline(_title(soup, content=content) or title_from_path(path))
    for level, text in blocks(content):
        if level == BOX:
            outline.box(text)
        elif level:
            outline.heading(text, level=level)
        else:
            outline.text(text)
    away = [tag.get_text(" ", strip=True) for tag in content.find_all("a", href=_ELSEWHERE)]
    return shelf.placed(outline.document(front_matter=about, links=[text for text in away if text]))


def _plain(piece: str) -> str:
    """A piece of a page as its text will be."""
    soup = _soup(piece)
    _drop_surroundings(soup)
    return "\n\n".join(text for _, text in blocks(soup)).strip()


def _soup(source: str) -> BeautifulSoup:
    try:
        # XHTML is read as HTML too; its declaration would only draw a warning.
        return BeautifulSoup(_XML_DECLARATION.sub("", source), "lxml")
    except ParserRejectedMarkup as err:
        raise DocumentError("cannot be read as HTML; save the page again from a browser") from err


def _drop_surroundings(soup: BeautifulSoup) -> None:
    for script in soup.find_all("script", type=re.compile("^math/tex")):
        is_block = "display" in str(script.get("type"))
        script.replace_with(as_formula(script.get_text(), is_block=is_block))
    for tag in soup.find_all(_NO_TEXT + _SURROUNDINGS):
        tag.decompose()
    for header in soup.find_all("header"):
        # The header of a site goes, the header of an article holds its title.
        if header.find_parent(["main", "article"]) is None:
            header.decompose()
    for tag in soup.select(_OVERLAYS):
        tag.decompose()
    for title in soup.select("p.admonition-title"):
        if box_kind(called="", title=title.get_text(" ", strip=True)):
            continue
        # 'Note' above a box is the beginning of what it notes.
        if isinstance(after := title.find_next_sibling(), Tag) and after.name == "p":
            after.insert(0, f"{title.get_text(strip=True)}: ")
            title.decompose()
    _drop_page_turning(soup)


def _drop_page_turning(soup: BeautifulSoup) -> None:
    """'Prev | Up | Next' around a page: short blocks with links to the pages that it calls so."""
    near = {str(tag["href"]) for tag in soup.find_all("link", rel=_TURNS, href=True)}
    links = [tag for tag in soup.find_all("a", href=True) if str(tag["href"]) in near]
    for link in links[:_MOST_LINKS]:
        line = None
        for tag in () if link.decomposed else link.parents:
            if tag.name in ("body", "main", "article") or len(tag.get_text(" ", strip=True)) > _MOST_TURNING:
                break
            line = tag if _is_block(tag) else line
        if line is not None:
            line.decompose()


def _content(soup: BeautifulSoup) -> Tag:
    articles = soup.find_all("article")
    candidates = [
        soup.find("main"),
        soup.find(role="main"),
        articles[0] if len(articles) == 1 else None,
    ]
    return next((tag for tag in candidates if tag and tag.get_text(strip=True)), soup.body or soup)


def _title(soup: BeautifulSoup, *, content: Tag) -> str:
    """The page's title without the site's name, which the first heading shows."""
    title = " ".join(soup.title.get_text().split()) if soup.title else ""
    heading = next((text for tag in content.find_all("h1") if (text := heading_text(tag))), "")
    if heading and heading.casefold() in (title or heading).casefold():
        return heading
    return title or next((text for tag in content.find_all(_ANY_HEADING) if (text := heading_text(tag))), "")
