"""What of a passage a lesson can tell: statements, not what is asked of the reader or said about the book."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from agents.tutor.reading import Unit, read
from rag.headings import sets_work, teaches
from rag.results import RetrievalResult

_QUESTION = re.compile(r"\?[\"'”’)]*$")
_BLANK = re.compile(r"_{3,}|\.{5,}|…{2,}")
_CONTENTS_LINE = re.compile(r"^\d+(?:\.\d+)+\.?\s")
_FULL_STOP = re.compile(r"[.!?:;][\"'”’)\]`*]*$")
_FEWEST_WORDS = 7  # of something without a full stop: 'Link to Learning', 'Cluster size' are labels
_LONGEST_CRY = 5  # words: 'Go, bees, go!'
_ABOUT_THE_BOOK = re.compile(
    r"^(?:after|in|by the end of) this (?:chapter|lesson|section|module)\b|\byou(?: will|'ll|’ll) (?:also )?(?:be able|learn|explore)\b|"
    r"^welcome\b|^(?:we|you)(?:'ve| have|’ve) (?:just |now |already )?(?:talked|learn|seen|covered|explored|discussed|looked)|"
    r"\b(?:this|these|our|first|next) (?:assignments?|quiz|tutorials?|curriculum|lessons|notebook|video)\b|"
    r"\b(?:in|for) (?:this|these|the next) (?:challenge|exercise)s?\b|"
    r"\b(?:next|now|then),? you(?: will|'ll|’ll)\b|\bin the (?:next|previous|last|coming) (?:chapter|lesson|section|module)s?\b|"
    r"\b[\w-]*notebook(?: file|\.ipynb)",
    re.IGNORECASE,
)
_POINTS_AWAY = re.compile(
    r"\b(?:learn|read|find out|know|see) more\b|\b(?:more|further|additional) (?:information|details|reading)\b|"
    r"\b(?:have|take) a (?:closer )?look\b|\bcheck out\b|\bthis (?:web ?site|link|site|animation|interactive|article|webpage|page)\b|"
    r"https?:|\bwww\.|\bclick (?:on|through|here|the|this)\b|"
    r"\bhere (?:is|are) (?:an?|some|a few|two|three|several|the)\b",
    re.IGNORECASE,
)
_ORDER = re.compile(
    # to leave the page
    r"^(?:please )?(?:watch|visit|view|click|explore|see|check|browse|scroll|listen|navigate|download|install|go (?:to|on)|search|"
    r"look (?:at|up|through|around)|play|refer to|turn to|test your|follow (?:the|this|these))\b(?! \w+ (?:is|are)\b)"
    # to do the work
    r"|^(?:name|list|describe|explain|discuss|compare|identify|decide|propose|summari[sz]e|think (?:about|of)|reflect on|"
    r"challenge yourself|try|practice|practise|research|do some research|use the interactive|create|edit|fill in|filter your|"
    r"build your|write (?:about|your)|pick|choose one)\b(?= (?:an?|the|how|why|what|whether|which|if|about|of|on|your|yourself|"
    r"this|these|it|to|one|two|three|four|five|each|some|at least|any|all|both|in|using|building|creating|out)\b|[, ]*$)",
    re.IGNORECASE,
)
_PICTURE = re.compile(
    r"^(?:the |this |our |next )?(?:figure|diagram|picture|photo(?:graph)?|image|chart|graph|micrograph|illustration)s?(?: [\d.]+)? "
    r"(?:above |below )?(?:shows?|illustrates?|depicts?|summari[sz]es|compares|lists|gives)\b",
    re.IGNORECASE,
)
_CREDIT = re.compile(
    r"\b(?:photo(?:graph)?|image|picture|sketchnote|infographic|illustration|drawing|graphic|written|authored|video)s? "
    r"(?:credit|courtesy|by|with)\b.{0,4} ?[@A-Z❤♥]|\bcredit:"
)
_MOST_CREDIT_WORDS = 14


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
        asks = (
            is_answers or _is_left_open(last) or (last.endswith(":") and bool(_ABOUT_THE_BOOK.search(last)))
        )


def is_statement(unit: Unit) -> bool:
    """Whether the unit tells something about the subject."""
    if unit.is_block or unit.kind == "step":
        return not _BLANK.search(unit.text)
    if _is_left_open(unit.text) or _is_label(unit) or _ABOUT_THE_BOOK.search(unit.text):
        return False
    if _CREDIT.search(unit.text) and unit.words <= _MOST_CREDIT_WORDS:
        return False
    # 'Try it with another name:' is fine right above the code, and is used nowhere else.
    is_aside = _POINTS_AWAY.search(unit.text) or _ORDER.match(unit.text) or _PICTURE.match(unit.text)
    return unit.introduces or not is_aside


def _is_left_open(text: str) -> bool:
    return bool(_QUESTION.search(text) or _BLANK.search(text))


def _is_label(unit: Unit) -> bool:
    """A heading in disguise, a line of a table of contents, or a cry."""
    if _CONTENTS_LINE.match(unit.text):
        return True
    if _FULL_STOP.search(unit.text):
        return unit.text.endswith("!") and unit.words <= _LONGEST_CRY
    return unit.words < _FEWEST_WORDS and ":" not in unit.text
