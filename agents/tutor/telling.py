"""What of a passage a lesson can tell: statements, not what is asked of the reader or said about the book."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from agents.tutor.reading import Unit, read
from rag.asides import is_about_the_book, is_credit, is_left_open, sends_away
from rag.headings import sets_work, teaches
from rag.results import RetrievalResult

_CONTENTS_LINE = re.compile(r"^\d+(?:\.\d+)+\.?\s")
_PIECE = re.compile(r"\||(?:in|of|and|or|the|to|is|are|which|that|with|for|by|from|as|at|an?|on) ")
_FULL_STOP = re.compile(r"[.!?:;][\"'”’)\]`*]*$")
_FEWEST_WORDS = 7  # of something without a full stop: 'Link to Learning', 'Cluster size' are labels
_LONGEST_CRY = 5  # words: 'Go, bees, go!'
_LONGEST_WORD = 2  # 'Source.'
_TITLE_CASE = 0.8


def tellable(passages: Sequence[RetrievalResult]) -> list[Unit]:
    """The units that a lesson may use; where a course only sets work, its statements have to do."""
    told = [
        each for each in passages if teaches(each.heading_hierarchy, chapter_id=each.chapter_id)
    ] or passages
    return [unit for passage in told for unit in _statements(read(passage))]


def _statements(units: Sequence[Unit]) -> Iterator[Unit]:
    """Neither the paragraph below a label such as 'Art Connection' nor the list below a question or an aim."""
    is_work = asks = False
    for _, group in groupby(units, key=lambda unit: unit.paragraph):
        paragraph = list(group)
        is_label = len(paragraph) == 1 and _is_label(paragraph[0]) and sets_work(paragraph[0].text)
        is_answers = asks and paragraph[0].kind in ("item", "step", "steps", "bullets")
        if not (is_work or is_label or is_answers):
            yield from filter(is_statement, paragraph)
        is_work = is_label
        last = paragraph[-1].text
        asks = is_answers or is_left_open(last) or (last.endswith(":") and is_about_the_book(last))


def is_statement(unit: Unit) -> bool:
    """Whether the unit tells something about the subject."""
    if unit.is_block or unit.kind == "step":
        return True
    if is_left_open(unit.text) or _is_label(unit) or is_about_the_book(unit.text) or is_credit(unit.text):
        return False
    # 'Try it with another name:' is fine right above the code, and is used nowhere else.
    return unit.introduces or not sends_away(unit.text)


def _is_label(unit: Unit) -> bool:
    """A heading in disguise, a line of a table or of a list of contents, the end of a sentence, or a cry."""
    if _CONTENTS_LINE.match(unit.text) or _PIECE.match(unit.text):
        return True
    if _FULL_STOP.search(unit.text):
        return unit.words <= (_LONGEST_CRY if unit.text.endswith("!") else _LONGEST_WORD)
    if ":" in unit.text:
        return False
    is_part = unit.kind == "item" and unit.text[:1].islower()
    return is_part or unit.words < _FEWEST_WORDS or _is_title(unit.text)


def _is_title(text: str) -> bool:
    """Whether nearly all longer words are capitalised."""
    words: list[str] = re.findall(r"[^\W\d_]{4,}", text)
    return sum(word[0].isupper() for word in words) >= _TITLE_CASE * len(words)
