"""Markdown in the dialects that courses use: CommonMark, GitHub, kramdown, MDX.

Lines and patterns instead of a full parser: a whole textbook has to load in a blink. Code and formulas
are hidden first, so that nothing below can damage them.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from rag.loaders.blocks import drop_imports, plain_blocks, single_blank_lines
from rag.loaders.crossrefs import drop_cross_references
from rag.loaders.document import LoadedDocument
from rag.loaders.files import normalised, read_text
from rag.loaders.frontmatter import split_front_matter
from rag.loaders.generators import drop_components, plain_roles, resolve_includes
from rag.loaders.htmltags import html_to_markdown
from rag.loaders.inline import decode_escapes, drop_italics, drop_links_and_images, link_texts
from rag.loaders.outline import Outline, title_from_path
from rag.loaders.pictures import hide_pictures
from rag.loaders.verbatim import Stash, hide_code_and_math, hide_fences, hide_indented_code

_HEADING = re.compile(r"\n {0,3}(#{1,6})(?:[ \t]+([^\n]*)|(?=\n))")
_HEADING_TAIL = re.compile(r"(?:[ \t]+#+)?(?:[ \t]*\{[#.:][^{}]*\}|[ \t]*\[\[[^\[\]\s]*\]\])?[ \t]*$")

_QUESTION = re.compile(r"<(?:Question|Quiz|MultipleChoice)\b")  # components that ask the reader something


def load(path: Path, *, root: Path | None = None) -> LoadedDocument:
    return _parse(resolve_includes(read_text(path), path=path, root=root), path=path)


def parse(source: str, *, path: Path) -> LoadedDocument:
    """Read Markdown that is already in memory; the path only lends its name."""
    return _parse(normalised(source), path=path)


def _parse(source: str, *, path: Path) -> LoadedDocument:
    front_matter, body = split_front_matter(source)
    links = link_texts(body)
    stash = Stash()
    pieces = list(_split(_clean(body, stash=stash), stash=stash))
    title = _title(front_matter.get("title", "")) or _first_heading(pieces) or title_from_path(path)
    outline = Outline(title)
    for level, heading, text in pieces:
        if level:
            outline.heading(heading, level=level)
        outline.text(stash.restore(decode_escapes(text)))
    document = outline.document(front_matter=front_matter)
    words = sum(len(section.text.split()) for section in document.sections)
    return replace(
        document,
        links=len(links),
        linked=min(sum(len(link.split()) for link in links) / max(words, 1), 1.0),
        questions=len(_QUESTION.findall(body)),
    )


def _clean(body: str, *, stash: Stash) -> str:
    body = hide_fences(f"\n\n{drop_imports(body)}\n\n", stash=stash)
    body = hide_indented_code(plain_roles(body), stash=stash)
    # Before formulas are looked for, because "\[link\]" reads as one.
    body = hide_code_and_math(drop_cross_references(body), stash=stash)
    body = hide_pictures(drop_components(body), stash=stash)
    body = html_to_markdown(drop_links_and_images(body))
    return single_blank_lines(drop_italics(plain_blocks(single_blank_lines(body))))


def _split(text: str, *, stash: Stash) -> Iterator[tuple[int, str, str]]:
    """Level, heading and text of each part; the part before the first heading has level 0."""
    level, heading, at = 0, "", 0
    for found in _HEADING.finditer(text):
        yield level, heading, text[at : found.start()]
        level, at = len(found[1]), found.end()
        heading = _plain_heading(found[2] or "", stash=stash)
    yield level, heading, text[at:]


def _plain_heading(text: str, *, stash: Stash) -> str:
    if text.endswith(("#", "}", "]")):
        text = _HEADING_TAIL.sub("", text)
    text = decode_escapes(text.replace("**", ""))
    return " ".join(stash.restore(text, change=lambda piece: piece.strip("`")).split())


def _title(text: str) -> str:
    text = drop_italics(html_to_markdown(drop_links_and_images(text)))
    return " ".join(decode_escapes(text).replace("**", "").split())


def _first_heading(pieces: list[tuple[int, str, str]]) -> str:
    """The first heading of the highest kind the page has: a page that begins at level two has its title there."""
    headings = [(level, heading) for level, heading, _ in pieces if level and heading]
    return next((heading for level, heading in headings if level == 1), headings[0][1] if headings else "")
