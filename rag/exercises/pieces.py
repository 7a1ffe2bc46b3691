"""What every reader of a question bank needs: its HTML as a section's text is, and what makes a question impossible to ask."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import unescape

from bs4 import BeautifulSoup

from agents.teaching.values import Exercise
from rag.loaders.html import blocks

PICTURE = "it shows a picture or plays a sound, which are not read from a bank"
GAP = "____"
_MEDIA = ["img", "video", "audio", "object", "embed", "svg", "canvas", "iframe"]
_PACKED = "@@PLUGINFILE@@"  # Moodle's word for a file in the bank, also where it is only linked to
_NOT_SHOWN = ["script", "style", "head", "template"]
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>|<!--")
_INLINE_FORMULA = re.compile(r"\\\(((?:(?!\\\().)+?)\\\)", re.DOTALL)
_FORMULA = re.compile(r"\\\[((?:(?!\\\[).)+?)\\\]", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class BankText:
    """A piece of a bank's text."""

    text: str = ""
    has_media: bool = False  # that stood in it, and is gone


def from_html(source: str) -> BankText:
    """HTML as Markdown, pictures and sounds left out."""
    if not _TAG.search(source):
        return BankText(text=with_formulas(_without_gaps(unescape(source))))
    soup = BeautifulSoup(source, "lxml")
    media = soup.find_all(_MEDIA)
    for tag in (*media, *soup.find_all(_NOT_SHOWN)):
        tag.decompose()
    text = "\n\n".join(text for _, text in blocks(soup))
    return BankText(text=with_formulas(_without_gaps(text)), has_media=bool(media) or _PACKED in source)


def with_formulas(text: str) -> str:
    """LaTeX between the marks that a section's text has it in."""
    if "\\" not in text:
        return text
    text = _INLINE_FORMULA.sub(lambda found: f"${found[1].strip()}$", text)
    return _FORMULA.sub(lambda found: f"\n\n$$\n{found[1].strip()}\n$$\n\n", text).strip()


def _without_gaps(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ")
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"[ \t]+(?=\n)", "", text)).strip()


def one_line(text: str) -> str:
    return " ".join(text.split())


def judged(
    exercise: Exercise, *, has_media: bool = False, several: bool = False, broken: str = ""
) -> Exercise:
    """The question with its first trouble, if it has one."""
    return replace(
        exercise, trouble=exercise.trouble or broken or _trouble(exercise, has_media, several=several)
    )


def _trouble(exercise: Exercise, has_media: bool, *, several: bool) -> str:
    if has_media:
        return PICTURE
    if not exercise.text.strip():
        return "it has no text"
    right = sum(each.is_right for each in exercise.choices)
    if len(exercise.choices) == 1:
        return "it offers only one choice"
    if exercise.choices and not right:
        return "none of its choices is marked as the right one"
    if right > 1 and not several:
        return f"{right} of its choices are marked as right where only one may be"
    if not exercise.choices and not exercise.key.strip() and exercise.kind in _NEED_A_KEY:
        return "it has no right answer"
    return ""


_NEED_A_KEY = frozenset({"numeric", "short_answer", "cloze", "true_false"})


def headed(title: str, names: Sequence[str]) -> tuple[str, ...]:
    """The headings of a question: the bank's title and the groups that it is in."""
    found = [title]
    for name in map(one_line, names):
        if name and name.casefold() != found[-1].casefold():
            found.append(name)
    return tuple(found)
