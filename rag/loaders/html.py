"""Web pages: the main content, without what surrounds it on a site."""

import re
from html import unescape
from pathlib import Path

from bs4 import BeautifulSoup, Tag
from bs4.exceptions import ParserRejectedMarkup

from rag.loaders.document import LoadedDocument
from rag.loaders.files import read_html
from rag.loaders.htmlblocks import Heading, blocks
from rag.loaders.htmlinline import heading_text
from rag.loaders.outline import Outline, title_from_path
from rag.loaders.text import parse as parse_text
from storage.errors import DocumentError

_SURROUNDINGS = ["nav", "footer", "aside"]
_NO_TEXT = [
    "script",
    "style",
    "template",
    "noscript",
    "svg",
    "iframe",
    "form",
    "button",
    "select",
    "object",
    "canvas",
]
# What a site lays over its pages, and what it hides.
_OVERLAYS = (
    "[aria-hidden=true], [hidden], [role=dialog], [role=alertdialog], [id*=cookie i], [class*=cookie i]"
)
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
    _drop_surroundings(soup)
    content = _content(soup)
    outline = Outline(_title(soup, content=content) or title_from_path(path))
    for block in blocks(content):
        if isinstance(block, Heading):
            outline.heading(block.text, level=block.level)
        else:
            outline.text(block)
    return outline.document()


def _soup(source: str) -> BeautifulSoup:
    try:
        # XHTML is read as HTML too; its declaration would only draw a warning.
        return BeautifulSoup(_XML_DECLARATION.sub("", source), "lxml")
    except ParserRejectedMarkup as err:
        raise DocumentError("cannot be read as HTML; save the page again from a browser") from err


def _drop_surroundings(soup: BeautifulSoup) -> None:
    for script in soup.find_all("script", type=re.compile("^math/tex")):
        script.replace_with(f"${script.get_text()}$")
    for tag in soup.find_all(_NO_TEXT + _SURROUNDINGS):
        tag.decompose()
    for header in soup.find_all("header"):
        # The header of a site goes, the header of an article holds its title.
        if header.find_parent(["main", "article"]) is None:
            header.decompose()
    for tag in soup.select(_OVERLAYS):
        tag.decompose()


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
