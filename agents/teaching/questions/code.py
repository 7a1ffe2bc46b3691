"""Code: which line does what its author says beside it."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from agents.language.blocks import Block, blocks, fenced, is_only_text
from agents.language.words import content_set, word_count
from agents.teaching.questions.base import DraftQuestion, Kind, PassageReading
from agents.teaching.questions.sentences import leans

_COMMENTED = re.compile(r"^(?P<code>.*?\S)[ \t]+(?P<mark>#|//|--)[ \t]+(?P<comment>[^#/].*)$")
_COMMENT = re.compile(r"^(?:#|//|--|/\*|;;)[^\w]*(?P<comment>.*)$")
_NOT_SAID = re.compile(
    r"[{}();=❌✅✗✓]|//|copyright|licen[cs]e|noqa|type:|todo|fixme|error|panic|=>|->|^\W|https?:|[.…]{3}",
    re.IGNORECASE,
)
_SIGN = re.compile(r"(?<!\S)[^\w\s]{1,3}(?!\S)")  # an operator by itself
_PROMPTS = (">>>", "...", "$ ", "In [", "> ")
_FEWEST_LINES, _MOST_LINES = 3, 4
_NOTE_AND_LINE = 2
_MOST_COMMENT = 14  # words
_MOST_CHARS = 70


def write(reading: PassageReading) -> Iterator[DraftQuestion]:
    said = ""
    for block in blocks(reading.passage.chunk_text):
        said = block.text if block.kind == "paragraph" else said
        if block.kind == "code" and not is_only_text(block):
            yield from _which_line(block, reading, said=said)
    yield from _which_block(reading)


def _which_block(reading: PassageReading) -> Iterator[DraftQuestion]:
    """A block of one line below its note: nothing else can be meant; the other lines are those of its likes."""
    noted = {
        code: note for each in _code(reading.lesson) if (found := _noted(each)) for code, note in [found]
    }
    own = {found[0]: each for each in _code(reading.passage.chunk_text) if (found := _noted(each))}
    for code, block in own.items():
        note = noted[code].strip(" .:")
        options = (code, *_nearest(code, [each for each in noted if each != code])[: _MOST_LINES - 1])
        is_told = (
            list(noted.values()).count(noted[code]) == 1 and not _NOT_SAID.search(note) and not leans(note)
        )
        if (
            is_told
            and len(options) >= _FEWEST_LINES
            and content_set(note)
            and not _is_read_off(note, options)
        ):
            asked = f"Which line of code does what its author notes as “{note}”?"
            yield _draft(reading, asked, code, source=block.text, said="", options=options)


def _code(text: str) -> Iterator[Block]:
    return (each for each in blocks(text) if each.kind == "code" and not is_only_text(each))


def _noted(block: Block) -> tuple[str, str] | None:
    """The one line of a block, and the note above it."""
    lines = [line.strip() for line in fenced(block)[1].splitlines() if line.strip()]
    found = _COMMENT.match(lines[0]) if len(lines) == _NOTE_AND_LINE else None
    if (
        found is None
        or _COMMENT.match(lines[1])
        or _COMMENTED.match(lines[1])
        or not _can_be_an_option(lines[1])
    ):
        return None
    return lines[1], found["comment"]


def _which_line(block: Block, reading: PassageReading, *, said: str) -> Iterator[DraftQuestion]:
    lines = [line.rstrip() for line in fenced(block)[1].splitlines() if line.strip()]
    commented = list(_commented(lines, language=fenced(block)[0]))
    bare = list(dict.fromkeys(_without_comment(line) for line in lines if not _COMMENT.match(line.strip())))
    notes = Counter(note for _, note, _ in commented)
    for line, note, source in commented:
        code, comment = line.strip(), note.strip(" .:")
        others = [line for line in bare if line != code and _is_like(line, code) and _can_be_an_option(line)]
        is_told = (
            notes[note] == 1 and 3 <= word_count(comment) <= _MOST_COMMENT and not _NOT_SAID.search(comment)
        )
        is_told = is_told and not leans(comment) and _can_be_an_option(code)
        options = (code, *_nearest(code, others)[: _MOST_LINES - 1])
        if is_told and len(options) >= _FEWEST_LINES and not _is_read_off(comment, options):
            yield _draft(
                reading,
                f"Which line of code does what its author notes as “{comment}”?",
                code,
                source=source.strip(),
                said=said,
                options=options,
            )


def _commented(lines: Sequence[str], *, language: str) -> Iterator[tuple[str, str, str]]:
    """Each line with the note beside it, all lines of the note, and both as they stand.

    Two dashes are a dash, where nothing says that they begin a note. A note above may be about the line below it or about all that follows, so it tells nothing for certain.
    """
    at = 0
    while at < len(lines):
        line = lines[at]
        beside = None if _COMMENT.match(line.strip()) else _COMMENTED.match(line.strip())
        end = at + 1
        while end < len(lines) and beside and _COMMENT.match(lines[end].strip()):
            # Only what stands as far right as the note goes on with it.
            if _indent(lines[end]) <= _indent(line):
                break
            end += 1
        notes = [found["comment"] for each in lines[at + 1 : end] if (found := _COMMENT.match(each.strip()))]
        if beside and not (beside["mark"] == "--" and not language):
            yield beside["code"], " ".join([beside["comment"], *notes]), "\n".join(lines[at:end])
        at = end


def _is_like(line: str, code: str) -> bool:
    """Whether both are typed, or neither: in a dialogue with an interpreter the other lines are its replies."""
    return line.startswith(_PROMPTS) == code.startswith(_PROMPTS)


def _is_read_off(comment: str, options: Sequence[str]) -> bool:
    """Whether the note has a word or a sign that only the right line has, or only another one."""
    right, *wrong = map(_signs, options)
    others: frozenset[str] = frozenset().union(*wrong)
    return bool(_signs(comment) & (right ^ others))


def _signs(text: str) -> frozenset[str]:
    return content_set(text) | frozenset(_SIGN.findall(text))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _can_be_an_option(line: str) -> bool:
    return len(line) <= _MOST_CHARS and bool(re.search(r"\w{2}", line))


def _nearest(code: str, others: Sequence[str]) -> list[str]:
    return sorted(others, key=lambda line: abs(len(line) - len(code)))


def _draft(
    reading: PassageReading, text: str, answer: str, *, source: str, said: str, options: tuple[str, ...]
) -> DraftQuestion:
    return DraftQuestion(
        kind="multiple_choice",
        difficulty="medium",
        text=text,
        answer=answer,
        concept=reading.concept_of(source, said),
        source=source,
        options=options,
        about=reading.headed,
    )


def _without_comment(line: str) -> str:
    found = _COMMENTED.match(line)
    return (found["code"] if found else line).strip()


KIND = Kind(name="code", write=write)
