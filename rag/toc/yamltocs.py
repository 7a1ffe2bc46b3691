"""Tables of contents in YAML: Hugging Face's _toctree.yml, Jupyter Book's _toc.yml, mkdocs.yml."""

from typing import Any

import yaml

from rag.toc.entry import Entry, Toc, TocError

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
    items = [{"root": loaded.get("root"), **loaded}] if isinstance(loaded, dict) else _mappings(loaded)
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
    return Toc(entries=tuple(entries), title=str(loaded.get("site_name") or ""), base=base)


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
    return " ".join(str(value).split()) if value is not None else ""
