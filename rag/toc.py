"""How each generator writes its table of contents: mdBook, Jupyter Book, MkDocs, Hugging Face, Sphinx, Docusaurus."""

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from posixpath import basename, dirname
from textwrap import dedent
from typing import Any

import yaml

from rag.loaders.markup import plain_title

_NO_TITLES = frozenset({"readme", "index", "summary", "table of contents", "contents", "about", "home"})


def names_nothing(title: str) -> bool:
    """'Readme', 'Table of Contents': a title that any page at the front could have."""
    return title.strip().lower() in _NO_TITLES


class TocError(Exception):
    """A table of contents that cannot be read; the course falls back to the order of its names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of a table of contents."""

    title: str = ""  # "" where the page's own title counts
    target: str | None = None  # a path as it is written, relative to the table's folder; None for a heading
    children: tuple["Entry", ...] = ()
    kind: str = ""  # what the table itself says of the page: "front" matter, "exercises"
    is_folder: bool = False  # everything in the target's folder, in its own order


@dataclass(frozen=True, slots=True, kw_only=True)
class Toc:
    entries: tuple[Entry, ...]
    title: str = ""  # of the whole course
    base: str = ""  # the folder that the targets are relative to, from the table's own


_MOST_NODES = 200_000
_LISTS = ("parts", "chapters", "sections", "items", "entries", "subtrees", "toc", "children")


class _Loader(yaml.SafeLoader):
    """Plain YAML; a tag that only the course's own tools know is passed over."""


_Loader.add_multi_constructor("!", lambda *_: None)
_Loader.add_multi_constructor("tag:yaml.org,2002:python/", lambda *_: None)


def load_yaml(text: str) -> Any:
    try:
        loaded = yaml.load(text, Loader=_Loader)
    except (yaml.YAMLError, RecursionError, ValueError) as err:
        raise TocError("is no valid YAML") from err
    _refuse_bomb(loaded)
    return loaded


def _refuse_bomb(loaded: Any) -> None:
    """A few lines of YAML can name themselves again and again."""
    waiting, seen = [loaded], 0
    while waiting:
        seen += 1
        if seen > _MOST_NODES:
            raise TocError("is too large, or goes round in a circle")
        node = waiting.pop()
        if isinstance(node, dict):
            waiting += node.values()
        elif isinstance(node, list):
            waiting += node


def hugging_face(text: str) -> Toc:
    loaded = load_yaml(text)
    return Toc(entries=tuple(_local(item) for item in _mappings(loaded)))


def jupyter_book(text: str) -> Toc:
    loaded = load_yaml(text)
    items = [loaded] if isinstance(loaded, dict) else _mappings(loaded)
    entries: list[Entry] = []
    for item in items:
        root = item.get("root")
        if root:
            entries.append(Entry(target=str(root), kind="front"))
            entries += _below(item)
        else:
            entries.append(_file(item))
    return Toc(entries=tuple(entries))


def mkdocs(text: str) -> Toc:
    loaded = load_yaml(text)
    if not isinstance(loaded, dict):
        raise TocError("has no settings in it")
    nav = loaded.get("nav") or loaded.get("pages")
    base = str(loaded.get("docs_dir") or "docs").strip("/")
    entries = _nav(nav) if isinstance(nav, list) else [Entry(target=".", is_folder=True)]
    return Toc(entries=tuple(entries), title=_text(loaded.get("site_name")), base=base)


def _mappings(loaded: Any) -> list[dict[str, Any]]:
    return [item for item in loaded if isinstance(item, dict)] if isinstance(loaded, list) else []


def _local(item: dict[str, Any]) -> Entry:
    local = item.get("local")
    return Entry(
        title=_text(item.get("title")),
        target=str(local) if local else None,
        children=tuple(_local(child) for child in _mappings(item.get("sections"))),
        kind="exercises" if item.get("quiz") else "",
    )


def _file(item: dict[str, Any]) -> Entry:
    target = item.get("file") or item.get("root")
    glob = item.get("glob")
    return Entry(
        title=_text(item.get("title") or item.get("caption") or item.get("part")),
        target=str(target or glob) if target or glob else None,
        children=tuple(_below(item)),
    )


def _below(item: dict[str, Any]) -> list[Entry]:
    return [_file(child) for name in _LISTS for child in _mappings(item.get(name)) if "url" not in child]


def _nav(nav: list[Any]) -> list[Entry]:
    entries: list[Entry] = []
    for item in nav:
        if isinstance(item, str):
            entries.append(Entry(target=item))
            continue
        for title, value in item.items() if isinstance(item, dict) else ():
            if isinstance(value, list):
                entries.append(Entry(title=_text(title), children=tuple(_nav(value))))
            elif isinstance(value, str):
                entries.append(Entry(title=_text(title), target=value))
    return entries


def _text(value: Any) -> str:
    """A title, wherever it is written."""
    return plain_title(str(value)) if value is not None else ""


_COMMENT = re.compile(r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|//[^\n]*|/\*.*?\*/""", re.DOTALL)
_STRING = re.compile(r""""(?:[^"\\\n]|\\.)*"|'(?P<single>(?:[^'\\\n]|\\.)*)'""")
_START = re.compile(r"(?:module\.exports\s*=|export\s+default|sidebars?\w*\s*(?::\s*\w+)?\s*=)\s*(?=[{\[])")
# A YAML reader takes a JavaScript literal once there is a space behind each colon.
_COLON = re.compile(r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[\w$]+)\s*:(?=\S)""")


def sidebars(text: str) -> Toc:
    """All sidebars of a site, one after the other."""
    loaded = load_yaml(_literal(text))
    trees = list(loaded.values()) if isinstance(loaded, dict) else [loaded]
    entries = [entry for tree in trees for entry in _items(tree)]
    if not entries:
        raise TocError("lists no pages that can be read")
    return Toc(entries=tuple(entries), base="docs")


def category(text: str) -> tuple[str, float | None]:
    """The label and the position of a folder."""
    try:
        loaded = load_yaml(text)
    except TocError:
        return "", None
    if not isinstance(loaded, dict):
        return "", None
    return _text(loaded.get("label")), as_number(loaded.get("position"))


def as_number(value: object) -> float | None:
    try:
        return float(str(value))
    except ValueError:
        return None


def _literal(text: str) -> str:
    """The object that the file exports."""
    text = _STRING.sub(_in_double_quotes, _COMMENT.sub(lambda found: found[1] or "", text))
    start = _START.search(text)
    at = start.end() if start else 0
    end = _closing(text, at)
    literal = text[at:end] if start else text
    return _COLON.sub(r"\1: ", literal).replace("\t", " ")


def _in_double_quotes(string: re.Match[str]) -> str:
    """A string as YAML reads it too: between single quotes JavaScript escapes a quote, and YAML doubles it."""
    if string["single"] is None:
        return string[0]
    said = re.sub(r'(?<!\\)"', '\\"', string["single"].replace("\\'", "'"))
    return f'"{said}"'


def _closing(text: str, at: int) -> int:
    depth = 0
    for place in range(at, len(text)):
        depth += (text[place] in "{[") - (text[place] in "}]")
        if depth == 0 and place > at:
            return place + 1
    return len(text)


def _items(tree: Any) -> list[Entry]:
    if isinstance(tree, str):
        return [Entry(target=tree)]
    if isinstance(tree, list):
        return [entry for item in tree for entry in _items(item)]
    if not isinstance(tree, dict):
        return []
    kind = tree.get("type")
    if kind is None:  # 'Title': ['page', …]
        return [
            Entry(title=_text(title), children=tuple(_items(below)))
            for title, below in tree.items()
            if isinstance(below, list)
        ]
    return _typed(str(kind), tree)


def _typed(kind: str, item: dict[str, Any]) -> list[Entry]:
    label = _text(item.get("label"))
    if kind in ("doc", "ref") and item.get("id"):
        return [Entry(title=label, target=str(item["id"]))]
    if kind == "autogenerated":
        return [Entry(target=str(item.get("dirName") or "."), is_folder=True)]
    if kind == "category":
        link = item.get("link")
        target = link.get("id") if isinstance(link, dict) and link.get("type") == "doc" else None
        children = tuple(_items(item.get("items") or []))
        return [Entry(title=label, target=str(target) if target else None, children=children)]
    return []


_HTML_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_ATTRIBUTES = re.compile(r"\{:[^{}\n]*\}")
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n---[ \t]*\n", re.DOTALL)
_LINE = re.compile(r"^(?P<indent>[ \t]*)(?P<bullet>(?:[-*+]|\d+[.)])[ \t]+)?(?P<rest>\S.*)$")
_LINK = re.compile(r"\[(?P<title>(?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\]\(\s*<?(?P<target>[^)>]*?)>?\s*\)")
_HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*#*$")


@dataclass(slots=True)
class _Item:
    """An entry that is still being read."""

    entry: Entry
    indent: int
    level: int = 0  # of a heading
    below: list["_Item"] = field(default_factory=list)

    def finished(self) -> Entry:
        return replace(self.entry, children=tuple(item.finished() for item in self.below))


def mdbook(text: str) -> Toc:
    """Nested bullets are chapters, headings are parts; links before the first bullet are front matter.

    The book is called what its front matter says, or the first heading where that stands above everything.
    """
    front = _FRONT_MATTER.match(text)
    title = _titled(front[1]) if front else ""
    text = _ATTRIBUTES.sub("", _HTML_COMMENT.sub("", text[front.end() :] if front else text))
    top: list[_Item] = []
    part: _Item | None = None
    open_items: list[_Item] = []
    has_bullets = False
    for line in text.replace("\t", "    ").split("\n"):
        found = _LINE.match(line)
        if not found:
            continue
        if heading := _HEADING.match(found["rest"]):
            part = _Item(Entry(title=plain_title(heading[2])), indent=-1, level=len(heading[1]))
            top.append(part)
            open_items = []
            continue
        item = _item(found)
        if item is None:
            continue
        if not found["bullet"]:
            # A link of its own is front matter before the chapters, and back matter behind them.
            item.entry = replace(item.entry, kind="" if has_bullets else "front")
            top.append(item)
            part, open_items = None, []
            continue
        has_bullets = True
        while open_items and open_items[-1].indent >= item.indent:
            open_items.pop()
        siblings = open_items[-1].below if open_items else part.below if part else top
        siblings.append(item)
        open_items.append(item)
    if top and _is_title(top):
        title = title or top[0].entry.title
        top[:1] = top[0].below
    entries = [item.finished() for item in top if item.below or not item.level]
    if not has_bullets:
        entries = [replace(entry, kind="") for entry in entries]
    return Toc(entries=tuple(entries), title="" if names_nothing(title) else title)


def _is_title(top: Sequence[_Item]) -> bool:
    """Whether the first heading is the whole book's: nothing of its own is below it, or no other is as high."""
    first, *others = top
    is_alone = not any(0 < item.level <= first.level for item in others)
    return bool(first.level) and (not first.below or is_alone)


def _titled(settings: str) -> str:
    """The title in a YAML file or in front matter; empty where it has none."""
    try:
        loaded = load_yaml(settings)
    except TocError:
        return ""
    title = loaded.get("title") if isinstance(loaded, dict) else None
    return _text(title) if isinstance(title, str | int | float) else ""


def _mdbook_title(settings: str) -> str:
    """In book.toml."""
    try:
        book = tomllib.loads(settings).get("book", {})
    except tomllib.TOMLDecodeError:
        return ""
    return _text(book.get("title")) if isinstance(book, dict) else ""


_TITLE_LINE = re.compile(
    r"""^\s*(?:title\s*:|project\s*=)\s*(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')""", re.MULTILINE
)


def _assigned_title(settings: str) -> str:
    """In a program: `title: 'My Site'` of docusaurus.config.js, `project = "My Book"` of Sphinx's conf.py."""
    found = _TITLE_LINE.search(settings)
    return _text(re.sub(r"\\(?=['\"])", "", found["string"][1:-1])) if found else ""


def _item(line: re.Match[str]) -> _Item | None:
    link = _LINK.search(line["rest"])
    if link:
        entry = Entry(title=plain_title(link["title"]), target=link["target"].strip() or None)
    elif line["bullet"]:
        entry = Entry(title=plain_title(line["rest"]))
    else:
        return None  # running text
    return _Item(entry, indent=len(line["indent"]))


_DIRECTIVE = re.compile(
    r"^(?P<indent>[ \t]*)\.\.[ \t]+toctree::[^\n]*\n(?P<body>(?:(?P=indent)[ \t]+\S[^\n]*(?:\n|\Z)|[ \t]*\n)*)"
    r"|^[ \t]*(?P<fence>`{3,}|~{3,}|:{3,})(?:\{toctree\}|toc\b)[^\n]*\n(?P<fenced>.*?)\n[ \t]*(?P=fence)",
    re.MULTILINE | re.DOTALL,
)
_OPTION = re.compile(r"^:([\w-]+):[ \t]*(.*)$")
_TITLED = re.compile(r"^(.+?)\s*<([^<>]+)>$")


def toctrees(text: str) -> tuple[Entry, ...]:
    """The pages that a page leads to; a caption makes a part of them."""
    return tuple(entry for found in _DIRECTIVE.finditer(text) for entry in _tree(found))


def _tree(found: re.Match[str]) -> list[Entry]:
    body = dedent(found["body"] if found["body"] is not None else found["fenced"])
    options: dict[str, str] = {}
    entries: list[Entry] = []
    for line in map(str.strip, body.split("\n")):
        option = _OPTION.match(line)
        if option:
            options[option[1]] = option[2].strip()
        elif line and line not in ("self", "---") and not line.startswith(("#", "caption:", "maxdepth:")):
            titled = _TITLED.match(line)
            entries.append(
                Entry(title=plain_title(titled[1]), target=titled[2]) if titled else Entry(target=line)
            )
    if options.get("caption"):
        return [Entry(title=plain_title(options["caption"]), children=tuple(entries))]
    return entries


__all__ = ["Entry", "Toc", "TocError", "book_title", "is_toc", "is_toc_file", "labels", "toc_of_folder"]

# The first that a folder has decides.
_READERS: tuple[tuple[tuple[str, ...], Callable[[str], Toc]], ...] = (
    (("SUMMARY.md",), mdbook),
    (("_toctree.yml", "_toctree.yaml"), hugging_face),
    (("_toc.yml", "_toc.yaml"), jupyter_book),
    (("mkdocs.yml", "mkdocs.yaml"), mkdocs),
    (("sidebars.json", "sidebars.js", "sidebars.ts", "sidebars.mjs", "sidebars.cjs"), sidebars),
)
# Other names for a page of links, at the top of a course only: in a folder they may be a chapter.
_AT_THE_TOP = frozenset({"summary.md", "toc.md", "_toc.md", "contents.md", "table-of-contents.md"})
_CATEGORIES = frozenset({"_category_.json", "_category_.yml", "_category_.yaml"})
# The settings of a course's own tools, in which it has a title; the first that says one decides.
_SETTINGS: Mapping[str, Callable[[str], str]] = {
    "book.toml": _mdbook_title,
    "_config.yml": _titled,
    "_config.yaml": _titled,
    "config.yaml": _titled,
    "docusaurus.config.js": _assigned_title,
    "docusaurus.config.ts": _assigned_title,
    "conf.py": _assigned_title,
}
_BESIDE = _CATEGORIES | _SETTINGS.keys()
_NAMES = frozenset(name for names, _ in _READERS for name in names) | _BESIDE


def is_toc_file(name: str) -> bool:
    """Whether a file of a course (by its path in it) can be a table of contents or belong to one."""
    return basename(name) in _NAMES or name.lower() in _AT_THE_TOP


def is_toc(name: str, text: str) -> bool:
    """Whether it really is one: a page that only bears the name of one has no list of links."""
    return not name.lower().endswith(".md") or _targets(mdbook(text).entries) > 1


def _targets(entries: Sequence[Entry]) -> int:
    return sum((entry.target is not None) + _targets(entry.children) for entry in entries)


def toc_of_folder(folder: str, texts: Mapping[str, str]) -> tuple[str, Toc] | None:
    """The table of contents that a folder has, with its name; TocError where it cannot be read."""
    here = {basename(name): text for name, text in texts.items() if dirname(name) == folder}
    for names, read in _READERS:
        found = next((name for name in names if name in here), None)
        if found:
            return found, read(here[found])
    if not folder:
        found = next((name for name in here if name.lower() in _AT_THE_TOP), None)
        return (found, mdbook(here[found])) if found else None
    return None


def labels(texts: Mapping[str, str]) -> Mapping[str, tuple[str, float | None]]:
    """What Docusaurus' _category_ files call their folders, and where they put them."""
    found = {}
    for name, text in texts.items():
        if basename(name).startswith("_category_"):
            found[dirname(name)] = category(text)
    return found


def book_title(texts: Mapping[str, str]) -> str:
    """The title in the settings of the course's own tools; those at the top come first."""
    found = sorted(texts, key=lambda name: (name.count("/"), name))
    titles = (_SETTINGS[base](texts[name]) for base in _SETTINGS for name in found if basename(name) == base)
    return next((title for title in titles if title and not names_nothing(title)), "")
