"""What an author sets apart on a page: what its reader will be able to do, an example worked through, what to keep in mind.

A box becomes a section of its own below the heading where it stands; what follows it goes on under that heading.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from agents.language.headings import heading_name, is_aims, is_worked_example

BoxKind = Literal["aims", "example", "points"]

_NAMES: dict[BoxKind, str] = {"aims": "Learning objectives", "example": "Example", "points": "Key points"}
# What generators and templates call such a box, in an attribute or behind a fence's colons.
_CALLED: dict[str, BoxKind] = {
    **dict.fromkeys(
        "objectives objective learning-objectives learningobjectives outcomes learning-outcomes "
        "chapter-objectives lesson-objectives goals".split(),
        "aims",
    ),
    **dict.fromkeys("example worked-example worked-out-example".split(), "example"),
    **dict.fromkeys("keypoints key-points takeaways key-takeaways".split(), "points"),
}
_OVERVIEW = "questions"  # in a template that has objectives too: what the lesson answers

_MARK = re.compile("\ue002([^\ue002\ue003]*)\ue003")
_TAG = re.compile(
    r"<(?P<close>/?)(?P<name>div|section|aside)\b(?P<attributes>[^<>]*)>"
    r"|^[ \t]*(?P<fence>:{3,})[ \t]*(?P<info>[^\n]*)$",
    re.MULTILINE | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"""\b(?:data-type|class)\s*=\s*["']([^"']*)["']""", re.IGNORECASE)
_CNX_AIMS = re.compile(r"""\bdata-type\s*=\s*["']abstract["']""")
_FENCE_NAME = re.compile(r"\{?\.?(?P<name>[A-Za-z][\w-]*)\}?[ \t]*(?P<title>.*?)[ \t]*:*$")
_ADMONITION = re.compile(
    r'^(?P<indent>[ \t]*)(?:!!!|\?\?\?\+?)[ \t]+(?P<name>[\w-]+)(?:[ \t]+"(?P<title>[^"\n]*)")?[ \t]*\n'
    r"(?P<body>(?:(?:(?P=indent)(?: {4}|\t)[^\n]*|[ \t]*)(?:\n|\Z))+)",
    re.MULTILINE,
)
_TITLE = re.compile(
    r"""\s*<(?P<tag>span|div|p|h[1-6])\b[^<>]*\bdata-type=["']title["'][^<>]*>(?P<title>(?:(?!</?(?P=tag)\b).)*)</(?P=tag)>""",
    re.DOTALL,
)
_ANY_TITLE = re.compile(
    r"""<(?P<tag>span|div|p)\b[^<>]*\bdata-type=["']title["'][^<>]*>(?P<title>(?:(?!</?(?P=tag)\b).)*)</(?P=tag)>""",
    re.DOTALL,
)
_MOST_TITLE = 150
ASIDE, BACK = "<", ">"  # headings below the one end with the other


@dataclass(frozen=True, slots=True, kw_only=True)
class _Open:
    """A tag or fence that is not closed yet, and the box that it opens."""

    closes: str  # what it waits for
    kind: BoxKind | None
    at: int  # in the text that is being written


def box_kind(*, called: str, title: str = "") -> BoxKind | None:
    """The kind of a box by what it is called, or else by its title."""
    names = (name.removeprefix("admonition-").rpartition(":")[2] for name in called.lower().split())
    by_name = next((_CALLED[name] for name in names if name in _CALLED), None)
    if by_name:
        return by_name
    if title and is_aims(title):
        return "aims"
    return "example" if title and is_worked_example(title) else None


def box_name(kind: BoxKind, title: str) -> str:
    """The heading of a box: 'Example: Boiling water'."""
    title = heading_name(title)[:_MOST_TITLE]
    if not title or kind != "example":
        return title if title and kind == "points" else _NAMES[kind]
    return title if is_worked_example(title) else f"{_NAMES[kind]}: {title}"


def mark_boxes(text: str) -> str:
    """Markdown with a mark where each box begins and ends; one that is never closed is none."""
    text = _ADMONITION.sub(_admonition, text)
    has_aims = "objectives" in text
    parts: list[str] = []
    opened: list[_Open] = []
    at = 0
    for tag in _TAG.finditer(text):
        if tag.start() < at:
            continue
        parts.append(text[at : tag.start()])
        at = tag.end()
        closes = _closes(tag)
        if closes:
            waiting = next(
                (place for place in reversed(range(len(opened))) if opened[place].closes == closes), None
            )
            ended = opened[waiting:] if waiting is not None else []
            del opened[len(opened) - len(ended) :]
            for each in reversed(ended[1:]):
                # Inside of what is closed now, and never closed itself.
                parts[each.at] = "" if each.kind else parts[each.at].removeprefix(_mark(ASIDE))
            is_box = bool(ended) and ended[0].kind is not None
            parts.append(
                _mark("") if is_box else f"{tag[0]}{_mark(BACK)}" if closes == "fence" and ended else tag[0]
            )
            continue
        kind, title, end = _opening(tag, text, has_aims=has_aims)
        if kind and any(each.kind for each in opened):
            kind = None  # a box in a box is part of it
        waits = tag["name"].lower() if tag["name"] else "fence"
        opened.append(_Open(closes=waits, kind=kind, at=len(parts)))
        at = max(at, end) if kind else at
        parts.append(
            _mark(box_name(kind, title)) if kind else f"{_mark(ASIDE)}{tag[0]}" if tag["fence"] else tag[0]
        )
    for each in opened:
        if each.kind or each.closes == "fence":
            parts[each.at] = parts[each.at].removeprefix(_mark(ASIDE)) if each.kind is None else ""
    return "".join([*parts, text[at:]])


def _closes(tag: re.Match[str]) -> str:
    if tag["fence"]:
        return "" if tag["info"].strip(" \t:") else "fence"
    return tag["name"].lower() if tag["close"] else ""


def _opening(tag: re.Match[str], text: str, *, has_aims: bool) -> tuple[BoxKind | None, str, int]:
    """The kind of box that a tag opens, its title, and where the title ends."""
    if tag["fence"]:
        found = _FENCE_NAME.match(tag["info"].strip())
        name, title = (found["name"], found["title"].strip()) if found else ("", "")
        if has_aims and name == _OVERVIEW:
            return "aims", "", tag.end()
        return box_kind(called=name, title=title), title, tag.end()
    if tag["attributes"].rstrip().endswith("/"):
        return None, "", tag.end()
    called = " ".join(_ATTRIBUTE.findall(tag["attributes"]))
    if _CNX_AIMS.search(tag["attributes"]):
        return "aims", "", tag.end()
    kind = box_kind(called=called)
    title = _TITLE.match(text, tag.end())
    if kind is None and title:
        kind = box_kind(called="", title=_words(title["title"]))
    return (kind, _words(title["title"]), title.end()) if kind and title else (kind, "", tag.end())


def _admonition(found: re.Match[str]) -> str:
    kind = box_kind(called=found["name"], title=found["title"] or "")
    if kind is None:
        return found[0]
    body = re.sub(r"^(?: {4}|\t)", "", found["body"], flags=re.MULTILINE)
    return f"{_mark(box_name(kind, found['title'] or ''))}{body}{_mark('')}"


def _words(markup: str) -> str:
    return " ".join(re.sub(r"<[^<>]*>", "", markup).replace("*", "").split())


def _mark(name: str) -> str:
    return f"\n\n\ue002{name}\ue003\n\n"


def titles_apart(text: str) -> str:
    """A title inside a page as a line of its own, in bold."""
    return _ANY_TITLE.sub(
        lambda found: f"\n\n**{_words(found['title'])}**\n\n" if found["title"].strip() else "", text
    )


def by_box(text: str) -> Iterator[tuple[str | None, str]]:
    """The text between marks, each with the mark before it: a box's name, '' for the end of one, None at first."""
    at, before = 0, None
    for found in _MARK.finditer(text):
        yield before, text[at : found.start()]
        before, at = found[1], found.end()
    yield before, text[at:]
