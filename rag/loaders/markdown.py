"""Markdown in the dialects that courses use: CommonMark, GitHub, kramdown, MDX.

Lines and patterns instead of a full parser: a whole textbook has to load in a blink. Code and formulas
are hidden first, so that nothing below can damage them.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from html import unescape
from pathlib import Path

import yaml

from rag.exercises import Shelf
from rag.exercises.forms import take_from_markup
from rag.exercises.quiz_links import quizzes_of
from rag.loaders.document import LoadedDocument, Outline, normalised, read_text, title_from_path
from rag.loaders.htmltags import html_to_markdown
from rag.loaders.markup import (
    Stash,
    decode_escapes,
    drop_components,
    drop_imports,
    drop_italics,
    drop_links_and_images,
    hide_code_and_math,
    hide_fences,
    hide_indented_code,
    link_targets,
    link_texts,
    plain_blocks,
    plain_roles,
    resolve_includes,
    single_blank_lines,
)

_BLOCK = re.compile(r"---[ \t]*\n(.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_KEY = re.compile(r"\s*[\w-]+[ \t]*:(?:\s|\Z)")


def split_front_matter(text: str) -> tuple[dict[str, str], str]:
    """Part the front matter from the text; a block that is no mapping is ordinary text."""
    block = _BLOCK.match(text)
    if block is None or not _KEY.match(block[1] or ""):
        return {}, text
    try:
        # BaseLoader makes every scalar a string, so a title of "2024" or "Yes" stays as written.
        loaded = yaml.load(block[1], Loader=yaml.BaseLoader)
    except (yaml.YAMLError, RecursionError):
        loaded = None
    if not isinstance(loaded, dict):
        loaded = _salvage(block[1])
    values = {str(key): _flat(value) for key, value in loaded.items() if not isinstance(value, dict)}
    return values, text[block.end() :]


def _flat(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(item for item in value if isinstance(item, str))
    return str(value or "").strip()


def _salvage(block: str) -> dict[str, str]:
    """Broken YAML still names the title on a line of its own more often than not."""
    pairs = (line.partition(":") for line in block.splitlines() if _KEY.match(line))
    return {key.strip(): value.strip().strip("\"'") for key, _, value in pairs}


# The attributes are kramdown's; a bold letter after the reference names a panel of the figure.
_REF = r"\[\\?\[[^\[\]\n]*\]\]\([^()\s]*#[^()\s]*\)(?:\{:[^{}\n]*\})?(?:\*\*[a-z, –-]{1,8}\*\*)?"
_REFS = re.compile(rf"{_REF}(?:[ \t]*(?:[,;&]|and|or)?[ \t]*{_REF})*")
_OPENS = ("(", "(see", "(See")
_KINDS = (("(#fig", "figure"), ("#fig-", "figure"), ("(#tab", "table"), ("#tab-", "table"))
_LEADS = re.compile(
    r"[(*]*(?:in|to|from|by|on|with|at|of|using|see|as|and|like|than|both|through|following)\Z", re.IGNORECASE
)


def drop_cross_references(text: str) -> str:
    parts: list[str] = []
    at = 0
    for refs in _REFS.finditer(text):
        before, at = text[at : refs.start()], refs.end()
        bare = before.rstrip(" \t")
        if bare.endswith(_OPENS) and text.startswith(")", at):
            parts.append(bare[: bare.rindex("(")].rstrip(" \t"))
            at += 1
        else:
            parts.append(_continued(before, target=refs[0], after=text[at : at + 2].strip()))
    return "".join([*parts, text[at:]])


def _continued(before: str, *, target: str, after: str) -> str:
    """The text up to the reference, with words for it where the sentence needs some."""
    bare = before.rstrip()
    kind = next((name for mark, name in _KINDS if mark in target), None)
    if not bare or bare[-1] in ".?!:>" or "\n" in before[len(bare) :]:
        # A sentence goes on in lower case; otherwise the reference is only a label before it.
        return f"{before}The {kind}" if kind and after.islower() else before
    if kind and (bare[-1] == "(" or _LEADS.match(bare[-40:].split()[-1])):
        return f"{before}the {kind}"
    return bare


_MARKDOWN = r"!\[(?:[^\[\]\n]|\[[^\[\]\n]*\])*\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)(?:\{[^{}\n]*\})?"
_HTML = r"""<img\b(?:[^<>"']|"[^"]*"|'[^']*')*>"""
_WRAPPER = r"</?(?:p|div|figure|center|picture|source)\b[^<>\n]*>"
_LINE = re.compile(
    rf"\n[ \t]*(?:{_WRAPPER}\s*)*((?:(?:{_MARKDOWN}|{_HTML})[ \t]*)+)(?:<br\s*/?>)?(?=\s*(?:{_WRAPPER}|\n|\Z))"
)
_ONE = re.compile(rf"{_MARKDOWN}|{_HTML}")
_PARTS = re.compile(r"""!\[(.*)\]\(\s*<?([^\s<>]+)>?(?:\s+["'(].*)?\s*\)""", re.DOTALL)
_ATTRIBUTE = re.compile(r"""\b(src|alt)\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_ORNAMENT = re.compile(r"(?:data|attachment):|\bbadges?\b|shields\.io", re.IGNORECASE)


def hide_pictures(text: str, *, stash: Stash) -> str:
    """Put pictures that are a block of their own out of reach of what drops the others."""
    seen = ""

    def kept(line: re.Match[str]) -> str:
        nonlocal seen
        pictures = []
        for one in _ONE.findall(line[1]):
            alt, target = described(one)
            # Light and dark versions of one picture have the same words under them.
            if target and not _ORNAMENT.search(target) and not (alt and alt == seen):
                pictures.append(f"![{alt}]({target})")
            seen = alt
        return f"\n\n{stash.hide(' '.join(pictures))}\n\n" if pictures else "\n"

    return _LINE.sub(kept, text)


def described(picture: str) -> tuple[str, str]:
    """The words under a picture and its address."""
    if picture.startswith("!"):
        parts = _PARTS.match(picture)
        alt, target = (parts[1], parts[2]) if parts else ("", "")
    else:
        found = {name.lower(): double or single for name, double, single in _ATTRIBUTE.findall(picture)}
        alt, target = unescape(found.get("alt", "")), found.get("src", "")
    return " ".join(re.sub(r"[\[\]]|\([^()]*\)$", "", alt).split()), target.replace(" ", "%20")


_HEADING = re.compile(r"\n {0,3}(#{1,6})(?:[ \t]+([^\n]*)|(?=\n))")
_HEADING_TAIL = re.compile(r"(?:[ \t]+#+)?(?:[ \t]*\{[#.:][^{}]*\}|[ \t]*\[\[[^\[\]\s]*\]\])?[ \t]*$")

_QUESTION = re.compile(r"<(?:Question|Quiz|MultipleChoice)\b")  # components that ask the reader something


def load(path: Path, *, root: Path | None = None) -> LoadedDocument:
    return _parse(resolve_includes(read_text(path), path=path, root=root), path=path, root=root)


def parse(source: str, *, path: Path, shelf: Shelf | None = None) -> LoadedDocument:
    """Read Markdown that is already in memory; the path only lends its name.

    With a shelf the source is normalised, and has marks where questions stood.
    """
    return _parse(normalised(source) if shelf is None else source, path=path, shelf=shelf)


def _parse(
    source: str, *, path: Path, root: Path | None = None, shelf: Shelf | None = None
) -> LoadedDocument:
    front_matter, body = split_front_matter(source)
    shelf = shelf or Shelf(path=path, root=root)
    targets = cache(lambda: link_targets(body))  # only a page with questions pays for it
    shelf.plain = lambda piece: plain(piece, targets=targets())
    body = take_from_markup(body, shelf)
    links = link_texts(body)
    stash = Stash()
    pieces = list(_split(_clean(body, stash=stash), stash=stash))
    title = _title(front_matter.get("title", "")) or _first_heading(pieces) or title_from_path(path)
    outline = Outline(title)
    for level, heading, text in pieces:
        if level:
            outline.heading(heading, level=level)
        outline.text(stash.restore(decode_escapes(text)))
    document = outline.document(
        front_matter=front_matter, links=links, questions=len(_QUESTION.findall(body))
    )
    return replace(shelf.placed(document), quizzes=quizzes_of(source))


def plain(piece: str, *, targets: frozenset[str] = frozenset()) -> str:
    """A piece of a page as its text will be; targets are the addresses that the rest of the page names."""
    stash = Stash()
    return stash.restore(decode_escapes(_clean(piece, stash=stash, targets=targets))).strip()


def _clean(body: str, *, stash: Stash, targets: frozenset[str] = frozenset()) -> str:
    body = hide_fences(f"\n\n{drop_imports(body)}\n\n", stash=stash)
    body = hide_indented_code(plain_roles(body), stash=stash)
    # Before formulas are looked for, because "\[link\]" reads as one.
    body = hide_code_and_math(drop_cross_references(body), stash=stash)
    body = hide_pictures(drop_components(body), stash=stash)
    body = html_to_markdown(drop_links_and_images(body, targets=targets))
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
    text = decode_escapes(_HEADING_TAIL.sub("", text).replace("**", ""))
    return " ".join(stash.restore(text, change=lambda piece: piece.strip("`")).split())


def _title(text: str) -> str:
    text = drop_italics(html_to_markdown(drop_links_and_images(text)))
    return " ".join(decode_escapes(text).replace("**", "").split())


def _first_heading(pieces: list[tuple[int, str, str]]) -> str:
    """The first heading of the highest kind the page has: a page that begins at level two has its title there."""
    headings = [(level, heading) for level, heading, _ in pieces if level and heading]
    return next((heading for level, heading in headings if level == 1), headings[0][1] if headings else "")
