"""Numbered items in a section's text: where each begins and ends, whatever the format that the text came from.

A PDF has every item in a paragraph of its own and no indents; Markdown and Word indent what belongs to an item; a list
inside of an item numbers from 1 again. The outer list is the one that is counted on.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from rag.exercises.choices import numbered_keys
from rag.exercises.titles import NUMBER, answer_in_brackets, answer_label, numbered_label

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_START = re.compile(
    rf"(?P<indent>[ ]{{0,3}})(?P<bold>\*\*|__)?(?P<q>[Qq](?:uestion)?[ ]?|[A-Z](?=\d))?(?P<open>\()?(?P<number>{NUMBER})"
    r"(?P<close>\\?[.):]|[、．：）])?(?(bold)(?:\*\*|__)?[.:)]?)(?:[ \t]+(?=\S)|(?<=[、．：）])(?=\S)|[ \t]*\Z)"
)
_BULLET = re.compile(r"(?P<indent>[ ]{0,3})[-*+•][ \t]+(?!\[[ xX]\])(?=\S)")
_RUN_IN = re.compile(r"(?<![\w.,=+*/(-])(?P<open>\()?(?P<number>\d{1,3})(?(open)\)|[.)])\s+(?=\S)")
_ROW = re.compile(r"^\|\s*(?:\*\*)?(\d{1,3}(?:\.\d+)*)[.)]?(?:\*\*)?\s*\|\s*(.+?)\s*\|", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One item: its number, its text, and the lines that it takes."""

    number: str
    text: str
    start: int
    end: int
    label: str = ""  # as the author writes it, where that is more than the number


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mark:
    """A line that begins with a number."""

    line: int
    number: str
    text_at: int
    style: tuple[str, ...]

    @property
    def last(self) -> int:
        return int(self.number.rpartition(".")[2])

    @property
    def prefix(self) -> str:
        return self.number.rpartition(".")[0]


def is_code(lines: Sequence[str]) -> list[bool]:
    """Which lines stand in a fence, its marks included."""
    found: list[bool] = []
    fence = ""
    for line in lines:
        mark = _FENCE.match(line)
        found.append(bool(fence or mark))
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence) and not line.strip().strip("`~"):
            fence = ""
    return found


_DEEPEST = 30  # lists that are open at a time: more are no lists in each other
_LEFT_OUT = 5  # numbers between two items: some may be of another form


def numbered(text: str, *, to_the_end: bool, gap: int = _LEFT_OUT) -> list[Listed]:
    """The items of the outer list; the last ends with the list, or with the text where nothing else is in it."""
    lines = text.split("\n")
    marks = _outer(_marks(lines), gap=gap)
    return _listed(lines, [(each.line, each.text_at, each.number) for each in marks], to_the_end=to_the_end)


def labelled(text: str, *, to_the_end: bool) -> list[Listed]:
    """'Exercise 3.1 …', each in its paragraph."""
    lines = text.split("\n")
    code = is_code(lines)
    found: list[tuple[int, int, str]] = []
    labels: list[str] = []
    for number, line in enumerate(lines):
        label = None if code[number] else numbered_label().match(line)
        begins = label and (number == 0 or not lines[number - 1].strip() or label["bold"])
        if label and begins and _is_label(label, line[label.end() :]):
            found.append((number, label.end(), label["number"]))
            labels.append(f"{label['word']} {label['number']}")
    listed = _listed(lines, found, to_the_end=to_the_end, each_ends=not to_the_end)
    return [replace(each, label=label) for each, label in zip(listed, labels, strict=True)]


def _is_label(label: re.Match[str], rest: str) -> bool:
    """'Exercise 3.1: …', 'Exercise 3.1 Show …'; 'exercise 3 shows' goes on as a sentence."""
    if not label["word"][:1].isupper() and label["word"].isascii():
        return False
    return bool(label["bold"] or label["end"] or not rest.strip() or not rest.strip()[:1].islower())


def bulleted(text: str) -> list[Listed]:
    """The items of a list without numbers, counted."""
    lines = text.split("\n")
    code = is_code(lines)
    found = [
        (number, bullet.end(), "")
        for number, line in enumerate(lines)
        if not code[number] and (bullet := _BULLET.match(line))
    ]
    margin = min((len(lines[number]) - len(lines[number].lstrip()) for number, _, _ in found), default=0)
    outer = [each for each in found if len(lines[each[0]]) - len(lines[each[0]].lstrip()) <= margin + 1]
    counted = [(line, at, str(place)) for place, (line, at, _) in enumerate(outer, 1)]
    return _listed(lines, counted, to_the_end=False)


def _marks(lines: Sequence[str]) -> list[_Mark]:
    code = is_code(lines)
    marks: list[_Mark] = []
    for number, line in enumerate(lines):
        found = None if code[number] else _START.match(line)
        if not found or not (found["close"] or found["bold"] or found["q"] or "." in found["number"]):
            continue
        is_bare = "." in found["number"] and not (found["close"] or found["q"] or found["bold"])
        if is_bare and not _begins_sentence(line[found.end() :]):
            continue  # '3.5 metres'
        style = ("q" if found["q"] else "", found["open"] or "", found["close"] or "", found["bold"] or "")
        marks.append(_Mark(line=number, number=found["number"], text_at=found.end(), style=style))
    margin = min((len(lines[each.line]) - len(lines[each.line].lstrip()) for each in marks), default=0)
    return [each for each in marks if len(lines[each.line]) - len(lines[each.line].lstrip()) <= margin + 1]


def _begins_sentence(text: str) -> bool:
    return text[:1] in tuple('(*$`"“¿¡[') or (text[:1].isalpha() and not text[:1].islower())


def _outer(marks: Sequence[_Mark], *, gap: int) -> list[_Mark]:
    """Marks that count on; a list that begins again at 1 belongs to the item before it if that list goes on afterwards."""
    if len(marks) > 1 and len({mark.number for mark in marks}) == 1:
        # Markdown that leaves the counting to the program: '1.', '1.', '1.'.
        return [replace(mark, number=str(count)) for count, mark in enumerate(marks, 1)]
    open_lists: list[list[_Mark]] = []
    for mark in marks:
        depth = _continued(open_lists, mark, gap=gap)
        if depth is None:
            open_lists.append([mark])
            continue
        # What was opened inside of this item is over, and was a part of it.
        del open_lists[depth + 1 :]
        open_lists[depth].append(mark)
    if not open_lists:
        return []
    outer = open_lists[0]
    # Lists that never went back: the next group of questions where they are marked in the same way.
    for later in open_lists[1:]:
        if later[0].style == outer[0].style or later[0].prefix != outer[0].prefix:
            outer = [*outer, *later]
    return outer


def _continued(open_lists: Sequence[Sequence[_Mark]], mark: _Mark, *, gap: int) -> int | None:
    """The list that a mark goes on with: the innermost whose next number it is, else the outermost that it leaves some out of."""
    same = [
        depth
        for depth, marks in enumerate(open_lists[-_DEEPEST:], max(len(open_lists) - _DEEPEST, 0))
        if marks[-1].prefix == mark.prefix and marks[-1].style == mark.style
    ]
    following = [depth for depth in same if mark.last == open_lists[depth][-1].last + 1]
    later = [depth for depth in same if 0 < mark.last - open_lists[depth][-1].last <= gap]
    return following[-1] if following else later[0] if later else None


def _listed(
    lines: Sequence[str], starts: Sequence[tuple[int, int, str]], *, to_the_end: bool, each_ends: bool = False
) -> list[Listed]:
    """The items from their first lines on; where each ends for itself, a text goes on between them."""
    code = is_code(lines)
    items: list[Listed] = []
    for place, (line, text_at, number) in enumerate(starts):
        is_last = place + 1 == len(starts)
        end = len(lines) if is_last else starts[place + 1][0]
        if each_ends or (is_last and not to_the_end):
            end = min(end, _end_of_list(lines, line, code=code))
        items.append(Listed(number=number, text=_body(lines[line:end], text_at), start=line, end=end))
    return items


def _end_of_list(lines: Sequence[str], start: int, *, code: Sequence[bool]) -> int:
    """Where an item ends: at a paragraph that is neither indented nor a list, code, a formula, an answer or announced."""
    last = lines[start]
    for number in range(start + 1, len(lines)):
        line = lines[number]
        if line.strip() and not lines[number - 1].strip() and not code[number]:
            belongs = line.startswith((" ", "\t", "$$", "|", "- ", "* ", "+ ")) or answer_label().match(line)
            is_announced = last.rstrip(" *_").endswith((":", "："))
            if not belongs and not is_announced and not re.match(r"\(?[A-Za-z][.)]\s", line):
                return number
        last = line if line.strip() else last
    return len(lines)


def _body(lines: Sequence[str], text_at: int) -> str:
    """An item's text at the margin."""
    rest = list(lines[1:])
    depth = min((len(line) - len(line.lstrip(" ")) for line in rest if line.strip()), default=0)
    return "\n".join([lines[0][text_at:], *(line[depth:] for line in rest)]).strip()


def parted(text: str) -> tuple[str, str]:
    """A question, and the answer that stands below or behind it."""
    lines = text.split("\n")
    code = is_code(lines)
    at = 0
    for number, line in enumerate(lines):
        label = None if code[number] else answer_label().match(line)
        if label and (number or label.end() > 0):
            question = text[:at].strip()
            answer = text[at + label.end() :].strip()
            return (question, answer) if question else (text, "")
        at += len(line) + 1
    behind = answer_in_brackets().search(text)
    return (text[: behind.start()].strip(), behind[1].strip()) if behind else (text, "")


_SHORT = 40  # letters of an answer that others stand behind in a line
_UNANSWERED = 60  # numbers between two answers: authors answer every second, or a few


def answers_in(text: str) -> list[Listed]:
    """Numbered answers: in a list, in the rows of a table, or one after the other in a line."""
    if keys := numbered_keys(" ".join(text.split())):
        return [Listed(number=str(number), text=key, start=0, end=0) for number, key in keys.items()]
    listed = labelled(text, to_the_end=True) or numbered(text, to_the_end=True, gap=_UNANSWERED)
    if len(listed) < 2 and (rows := _ROW.findall(text)):
        return [Listed(number=number, text=said, start=0, end=0) for number, said in rows]
    numbers = {each.number for each in listed}
    return [inner for each in listed for inner in _run_in(each, numbers=numbers)]


def _run_in(item: Listed, *, numbers: Collection[str]) -> Iterator[Listed]:
    """'B 2. C 3. A' behind 1 is three answers; so is '45 m 2. 3 kg', where a paragraph was made of lines."""
    text, number = item.text, int(item.number) if item.number.isdigit() else 0
    at = 0
    for found in _RUN_IN.finditer(text) if number else ():
        step = int(found["number"]) - number
        is_next = step == 1 or (0 < step <= _LEFT_OUT and found.start() - at < _SHORT)
        if is_next and found.start() > at and found["number"] not in numbers:
            yield replace(item, number=str(number), text=text[at : found.start()].strip(" \n;,"))
            number, at = number + step, found.end()
    yield replace(item, number=str(number) if number else item.number, text=text[at:].strip())
