"""Code: which line does what its author says beside it, and what a block prints where its output is shown."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from agents.language.words import content_set, same_text, word_count
from agents.teaching.blocks import Block, blocks
from agents.teaching.questions.base import DraftQuestion, Kind, Reading
from agents.teaching.values import QuizQuestion

_FENCE = re.compile(
    r"^\s*(?:`{3,}|~{3,})[ \t]*(?P<language>[\w+-]*)[^\n]*\n(?P<body>.*?)\n?\s*(?:`{3,}|~{3,})\s*$", re.DOTALL
)
_COMMENTED = re.compile(r"^(?P<code>.*?\S)[ \t]+(?:#|//|--)[ \t]+(?P<comment>[^#/].*)$")
_COMMENT = re.compile(r"^(?:#|//|--|/\*|;;)[^\w]*(?P<comment>.*)$")
_NOT_SAID = re.compile(
    r"[{}();=❌✅✗✓]|//|copyright|licen[cs]e|noqa|type:|todo|fixme|error|panic|=>|->|^\W|https?:|[.…]{3}",
    re.IGNORECASE,
)
_OUTPUT = ("", "text", "output", "console", "plaintext", "txt")
_FEWEST_LINES, _MOST_LINES = 3, 4
_MOST_COMMENT = 14  # words
_MOST_CODE, _MOST_CHARS, _MOST_OUTPUT = 12, 70, 60


def write(reading: Reading) -> Iterator[DraftQuestion]:
    every = list(blocks(reading.passage.chunk_text))
    for place, block in enumerate(every):
        if block.kind == "code":
            yield from _which_line(block, reading)
            after = every[place + 1] if place + 1 < len(every) else None
            yield from _prints(block, after, reading)


def _which_line(block: Block, reading: Reading) -> Iterator[DraftQuestion]:
    language, body = _opened(block)
    lines = [line.strip() for line in body.splitlines() if line.strip()]
    commented = [
        (match["code"], match["comment"], match.group())
        for line in lines
        if (match := _COMMENTED.match(line))
    ]
    commented += [
        (code, match["comment"], f"{above}\n{code}")
        for above, code in pairwise(lines)
        if (match := _COMMENT.match(above)) and not _COMMENT.match(code)
    ]
    bare = list(dict.fromkeys(_without_comment(line) for line in lines if not _COMMENT.match(line)))
    notes = Counter(note for _, note, _ in commented)
    for line, note, source in commented:
        code, comment = line.strip(), note.strip(" .:")
        others = [line for line in bare if line != code and _can_be_an_option(line)]
        is_told = (
            notes[note] == 1 and 3 <= word_count(comment) <= _MOST_COMMENT and not _NOT_SAID.search(comment)
        )
        is_told = is_told and _can_be_an_option(code)
        if is_told and len(others) >= _FEWEST_LINES - 1 and not content_set(comment) <= content_set(code):
            options = (code, *_nearest(code, others)[: _MOST_LINES - 1])
            yield _draft(
                reading,
                f"Which line of code does what its author notes as “{comment}”?",
                code,
                source=source.strip(),
                options=options,
                language=language,
            )


def _can_be_an_option(line: str) -> bool:
    return len(line) <= _MOST_CHARS and bool(re.search(r"\w{2}", line))


def _nearest(code: str, others: Sequence[str]) -> list[str]:
    return sorted(others, key=lambda line: abs(len(line) - len(code)))


def _prints(block: Block, after: Block | None, reading: Reading) -> Iterator[DraftQuestion]:
    if after is None or after.kind != "code":
        return
    language, body = _opened(block)
    named, output = _opened(after)
    printed = output.strip()
    is_output = language.lower() not in _OUTPUT and named.lower() in _OUTPUT
    is_short = (
        len(body.splitlines()) <= _MOST_CODE
        and printed
        and "\n" not in printed
        and len(printed) <= _MOST_OUTPUT
    )
    if is_output and is_short and not printed.startswith("<") and same_text(printed):
        yield _draft(
            reading,
            f"What does this code print?\n\n{block.text}",
            printed,
            source=f"{block.text}\n\n{after.text}",
            language=language,
        )


def _draft(
    reading: Reading, text: str, answer: str, *, source: str, language: str, options: tuple[str, ...] = ()
) -> DraftQuestion:
    return DraftQuestion(
        kind="multiple_choice" if options else "short_answer",
        difficulty="medium",
        text=text,
        answer=answer,
        concept=reading.concept_of(source),
        source=source,
        options=options,
    )


def _opened(block: Block) -> tuple[str, str]:
    found = _FENCE.match(block.text)
    return (found["language"], found["body"]) if found else ("", block.text)


def _without_comment(line: str) -> str:
    found = _COMMENTED.match(line)
    return (found["code"] if found else line).strip()


def _is_fair(question: QuizQuestion) -> bool:
    """The options differ, and the key is one of them."""
    if not question.options:
        return bool(question.expected_answer)
    return (
        len(set(question.options)) == len(question.options) and question.expected_answer in question.options
    )


KIND = Kind(name="code", write=write, lint=_is_fair)
