"""Items from tables and from numbered steps."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents.quiz.item_draft import Draft, Reading
from agents.quiz.item_grammar import an
from agents.quiz.item_terms import is_proper
from agents.quiz.item_text import numbered_steps, prose, without_marks
from agents.quiz.item_verbs import VERBS
from agents.quiz.item_words import content_set, same_text, word_count
from storage.course import Concept

_ROW = re.compile(r"^[ \t]*\|(.+)\|[ \t]*$", re.MULTILINE)
_RULE = re.compile(r"^[\s|:-]+$")
_NO_ANSWER = frozenset(("not applicable", "n/a", "-", "–", "—", "", "varies", "unknown"))
_STEPS_INTRO = re.compile(
    r"(?:^|(?<=[.!?]\s))(?P<intro>[A-Z][^.!?:]*\b(?:steps?|procedure|stages?|questions?|phases?)\b[^.!?:]*):\s*$",
    re.MULTILINE,
)
_LABEL = re.compile(r"[A-Za-z][\w-]*(?: [\w-]+){0,2}")
# A heading such as "Bacteria" is a thing itself; only these say something of what the first column names.
_ATTRIBUTE = re.compile(
    r"\b(?:functions?|location|examples?|uses?|motion|role|effects?|purpose|meaning|description|definition|features?|material|"
    r"cause|result|product|structure|shape|propert(?:y|ies)|characteristics?|action|target|what|where|how|why|when)\b",
    re.IGNORECASE,
)
_PROCEDURE = re.compile(
    r"\b(?:procedure|process|steps?|how to|workflow|recipe|worked example)\b", re.IGNORECASE
)
_MOST_COLUMNS = 6
_MOST_STEPS, _MOST_STEP_WORDS = 5, 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table with its header row."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def table_items(reading: Reading) -> Iterator[Draft]:
    """Which row fits, and what holds for one column."""
    for table in tables(reading.passage.chunk_text):
        if all(row[0].endswith("?") for row in table.rows[:2]):
            yield from _asked_by_rows(table, reading)
        else:
            yield from _asked_by_columns(table, reading)


def tables(text: str) -> list[Table]:
    """The tables of a passage whose rows are all as long as the header."""
    found: list[Table] = []
    for block in re.split(r"\n[ \t]*\n", text):
        rows = [
            tuple(without_marks(cell).rstrip(".") for cell in row.split("|"))
            for row in _ROW.findall(block)
            if not _RULE.match(row)
        ]
        if len(rows) >= 4 and len({len(row) for row in rows}) == 1 and len(rows[0]) >= 2:
            found.append(Table(header=rows[0], rows=tuple(rows[1:])))
    return found


def _asked_by_rows(table: Table, reading: Reading) -> Iterator[Draft]:
    """The first column asks, each other column answers: 'For a service, who takes part?'"""
    for place, name in enumerate(table.header[1:], 1):
        concept = reading.book.find(name)
        if concept is None:
            continue
        for row in table.rows:
            answer, others = row[place], _distinct(row[1:], but=row[place])
            question = row[0]
            if not question.endswith("?") or not _is_cell(answer):
                continue
            subject = concept.name if is_proper(concept.name) else f"{an(concept.name)} {concept.name}"
            text = f"Think of {subject}: {question[0].lower()}{question[1:]}"
            yield from _table_items(concept, text, answer, others, row, table)


def _asked_by_columns(table: Table, reading: Reading) -> Iterator[Draft]:
    """The first column names things: 'Which joint type fits this permitted motion: rotation without end?'"""
    kind = _lowered(table.header[0])
    if not _LABEL.fullmatch(kind) or kind.endswith("s") or not _names_things(table):
        return
    for place, heading in enumerate(table.header[1:], 1):
        if not _LABEL.fullmatch(heading) or not _ATTRIBUTE.search(heading):
            continue
        column = [same_text(row[place]) for row in table.rows]
        for number, row in enumerate(table.rows):
            concept = _concept_of(row, table, reading)
            told = content_set(row[0]) & content_set(row[place])
            unique = column.count(column[number]) == 1 and word_count(row[place]) >= 2
            if concept is None or told or not unique or not _is_cell(row[place]):
                continue
            text = f"Which {kind} fits {_label(heading)}: {row[place]}?"
            others = _distinct([each[0] for each in _turned(table.rows, number)], but=row[0])
            yield from _table_items(concept, text, row[0], others, row, table)


def _names_things(table: Table) -> bool:
    """Whether the first column holds names, each once: a table of data does not."""
    first = [same_text(row[0]) for row in table.rows]
    cells = [cell for row in table.rows for cell in row]
    return (
        len(set(first)) == len(first)
        and all(
            re.fullmatch(r"[A-Za-z0-9][\w’' -]{2,40}", row[0]) and not row[0].isdigit() for row in table.rows
        )
        and all(cells)
        and len(table.header) <= _MOST_COLUMNS
    )


def _table_items(
    concept: Concept,
    text: str,
    answer: str,
    others: Sequence[str],
    row: tuple[str, ...],
    table: Table,
) -> Iterator[Draft]:
    source = "; ".join(f"{head}: {cell}" for head, cell in zip(table.header, row, strict=True))
    if len(others) >= 2:
        yield Draft(
            kind="multiple_choice",
            difficulty="medium",
            text=text,
            answer=answer,
            concept=concept.name,
            source=source,
            basis="table",
            options=(answer, *others[:3]),
        )


def _concept_of(row: tuple[str, ...], table: Table, reading: Reading) -> Concept | None:
    """The term that a row is about: its own name, or what the first column lists."""
    own = reading.book.find(row[0])
    listed = reading.book.mentions(table.header[0], chapter_id=reading.passage.chapter_id)
    found = [own] if own else [mention.concept for mention in listed]
    return next((concept for concept in found if concept.kind != "heading"), None)


def _is_cell(cell: str) -> bool:
    return (
        cell.lower() not in _NO_ANSWER and word_count(cell) <= 14 and not re.fullmatch(r"[\d.,%\s-]+", cell)
    )


def _distinct(cells: Sequence[str], *, but: str) -> list[str]:
    kept: dict[str, str] = {}
    for cell in cells:
        if _is_cell(cell) and same_text(cell) != same_text(but):
            kept.setdefault(same_text(cell), cell)
    return list(kept.values())


def _lowered(heading: str) -> str:
    return heading if heading.isupper() else heading.lower()


def _label(heading: str) -> str:
    if re.match(r"(?:what|where|who|how|when|why|which)\b", heading, re.IGNORECASE):
        return "this description"
    this = "these" if heading.endswith("s") and not heading.endswith("ss") else "this"
    return f"{this} {_lowered(heading)}"


def _turned(rows: Sequence[tuple[str, ...]], by: int) -> list[tuple[str, ...]]:
    """The rows after one first: different rows are asked with different neighbours."""
    return [*rows[by + 1 :], *rows[: by + 1]]


def step_items(reading: Reading) -> Iterator[Draft]:
    """Put the steps of a numbered list in order."""
    steps = numbered_steps(reading.passage.chunk_text)
    task = _task(steps, reading)
    concept = _concept_of_steps(steps, task, reading)
    short = all(word_count(step) <= _MOST_STEP_WORDS for step in steps)
    if (
        len(steps) < 3
        or not task
        or concept is None
        or not short
        or len(set(map(same_text, steps))) < len(steps)
    ):
        return
    for start in range(0, max(1, len(steps) - _MOST_STEPS + 1), 2):
        part = tuple(step.rstrip(".;,") for step in steps[start : start + _MOST_STEPS])
        if any(re.search(r"\bsteps? \d|\bbelow\b|\babove\b", step) for step in part):
            continue
        yield Draft(
            kind="ordering",
            difficulty="medium",
            text=f"{task} Put these steps in the right order.",
            answer=" → ".join(part),
            concept=concept.name,
            source=" ".join(f"{number}. {step}." for number, step in enumerate(part, start + 1)),
            basis="steps",
            options=part,
        )


def _task(steps: Sequence[str], reading: Reading) -> str:
    """What the steps are for, in the passage's own words."""
    match = _STEPS_INTRO.search(prose(reading.passage.chunk_text))
    if match:
        intro = re.sub(r"^(?:The following|These|\w+)(?= steps\b)", "Several", without_marks(match["intro"]))
        intro = re.sub(r"\b(?:these|the following) (?=steps\b)", "", intro)
        if not re.search(r"\b(?:following|these|this|below|above|it|they|you|we)\b", intro):
            return f"{intro}."
    heading = reading.passage.heading_hierarchy[-1] if reading.passage.heading_hierarchy else ""
    return f"Think of this task: “{heading}”." if _PROCEDURE.search(heading) and _are_orders(steps) else ""


def _are_orders(steps: Sequence[str]) -> bool:
    """Whether the steps tell what to do: a numbered list of statements has no order."""
    return all(step.split(" ")[0].lower() in VERBS for step in steps)


def _concept_of_steps(steps: Sequence[str], task: str, reading: Reading) -> Concept | None:
    for text in (task, *steps):
        mentions = reading.book.mentions(text, chapter_id=reading.passage.chapter_id)
        if mentions:
            return mentions[0].concept
    return None
