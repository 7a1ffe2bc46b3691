"""What stands in an exercise's element: its title, the letters of its lists, the choices that it tells right from wrong."""

import re

from bs4 import Tag
from bs4.element import NavigableString

from rag.exercises.roles import role_of_name

_TITLES = frozenset(
    "heading title admonition-title callout-title os-title exercise-title solution-title theorem-title proof-title".split()
)
_TITLE_TAGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "summary"})
_NUMBERS = frozenset({"os-number", "os-divider"})
_TRUE = frozenset({"", "1", "1.0", "true", "yes", "correct"})
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
NO_TEXT = "\ue000"  # of a mark, until its number is known


def new_mark() -> Tag:
    mark = Tag(name="p")
    mark.string = NO_TEXT
    return mark


def title_tag(whole: Tag) -> Tag | None:
    """What stands over all words of an element and says that it is its title."""
    for each in whole.descendants:
        if isinstance(each, Tag):
            classes = {str(name).lower() for name in each.get_attribute_list("class")}
            is_label = each.name == "span" and any(map(role_of_name, classes))
            if is_label or classes & _TITLES or each.name in _TITLE_TAGS or each.get("data-type") == "title":
                return each
        elif each.get_text(strip=True) and not (
            each.parent and set(each.parent.get_attribute_list("class")) & _NUMBERS
        ):
            return None
    return None


def take_title(whole: Tag) -> str:
    title = title_tag(whole)
    return markup(title.extract()) if title else ""


def inside(whole: Tag) -> str:
    """An element's markup without its title and number, and with the letters of its lists."""
    take_title(whole)
    return lettered(whole)


def lettered(whole: Tag) -> str:
    for other in [*whole.find_all(class_=list(_NUMBERS)), *whole.find_all("p", string=NO_TEXT)]:
        other.extract()
    for ordered in whole.find_all("ol"):
        style = f"{ordered.get('type', '')} {ordered.get('style', '')} {ordered.get('data-number-style', '')}"
        if re.search(r"^[aA] |(?:lower|upper)-alpha", style):
            _write_letters(ordered)
    return markup(whole)


def markup(whole: Tag) -> str:
    return "".join(map(str, whole.contents))


def _write_letters(ordered: Tag) -> None:
    ordered.name = "div"
    for letter, item in zip(_LETTERS, ordered.find_all("li", recursive=False), strict=False):
        item.name = "div"
        first = next((each for each in item.children if not isinstance(each, NavigableString)), None)
        inner = (
            first
            if isinstance(first, Tag) and first.name in ("p", "div") and not _words(item, first)
            else item
        )
        inner.insert(0, NavigableString(f"({letter}) "))


def _words(item: Tag, first: Tag) -> bool:
    """Whether an item says something before its first element."""
    return any(isinstance(each, NavigableString) and each.strip() for each in first.previous_siblings)


def take_choices(whole: Tag) -> list[tuple[str, bool, str]]:
    """The choices that the page itself tells right from wrong, taken out of the element."""
    items = [each for each in whole.find_all(["li", "label"]) if is_right(each) is not None]
    if not any(is_right(each) for each in items):
        return []
    lists = {id(item.parent): item.parent for item in items if item.name == "li" and item.parent}
    listed = [item for each in lists.values() for item in each.find_all("li", recursive=False)]
    labels = whole.find_all("label") if not listed else []
    if len(listed or labels) < 2:
        return []
    choices = []
    for item in listed or labels:
        right = bool(is_right(item))
        whys = [each.extract() for each in item.find_all(_is_feedback)]
        choices.append((markup(item), right, "".join(map(markup, whys))))
    for each in [*lists.values(), *labels]:
        each.extract()
    return choices


def _is_feedback(tag: Tag) -> bool:
    names = [str(tag.get("data-type", "")), *map(str, tag.get_attribute_list("class"))]
    return any("feedback" in name.lower() for name in names)


def is_right(tag: Tag) -> bool | None:
    """Whether a choice is right, where the page says so."""
    for each in [tag, *tag.find_all("input")]:
        for name, value in each.attrs.items():
            if "correct" in name.lower() and "incorrect" not in name.lower():
                return str(value).strip().lower() in _TRUE
        classes = {str(name).lower() for name in each.get_attribute_list("class")}
        if classes & {"correct", "incorrect"}:
            return "correct" in classes
    return None
