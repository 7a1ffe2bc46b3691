"""What a program prints: the same line by line, whatever the spaces and quotes around it."""

import re
from collections.abc import Iterator, Sequence

from agents.teaching.grading.cloze import grade_blank
from agents.teaching.grading.grade import Grade, right, wrong

_ALIKE = str.maketrans(dict.fromkeys("'‘’“”„`´", '"') | dict.fromkeys("−–", "-") | {"\u00a0": " "})
_FENCE = re.compile(r"^\s*(?:`{3,}|~{3,})[^\n]*$", re.MULTILINE)
_PROMPT = re.compile(r"^(?:Out ?\[\d*\]:|>>>)\s*")
_LEAD = re.compile(
    r"^(?:(?:it|this|that|the code) )?(?:prints?|outputs?|shows?|gives?|returns?)\b:?\s*", re.IGNORECASE
)
_AROUND_MARKS = re.compile(r"\s*([,:;=()\[\]{}])\s*")


def grade_output(answer: str, references: Sequence[str], options: Sequence[str]) -> Grade:
    """Right when some reference is met line by line; code is always sure of it."""
    expected = [_lines(reference) for reference in references]
    if any(said == lines for said in _read(answer) for lines in expected):
        return right("That is exactly what it prints.")
    blank = grade_blank(answer)
    if blank is not None:
        return blank
    return max((_compared(_lines(answer), lines) for lines in expected), key=lambda grade: grade.score)


def _read(answer: str) -> Iterator[list[str]]:
    """The answer as it stands, without 'it prints' before it, and without a sentence's full stop behind it."""
    for text in (answer, _LEAD.sub("", answer.strip())):
        yield _lines(text)
        yield _lines(re.sub(r"(?<=[^\W\d])\.\s*$", "", text))


def _lines(text: str) -> list[str]:
    return [line for each in _FENCE.sub("", text).splitlines() if (line := _line(each))]


def _line(text: str) -> str:
    """A line as a prompt or as `print` would show it: quotes of one sort, none around the whole, one space at most."""
    line = " ".join(_PROMPT.sub("", text.strip()).translate(_ALIKE).split())
    if line.count('"') == 2 and line[0] == line[-1] == '"':
        line = line[1:-1].strip()
    return _AROUND_MARKS.sub(r"\1", line)


def _compared(said: Sequence[str], expected: Sequence[str]) -> Grade:
    met = sum(one == other for one, other in zip(said, expected, strict=False))
    score = met / max(len(said), len(expected), 1)
    if len(said) != len(expected):
        return wrong(f"It prints {_counted(len(expected))}, and yours has {len(said)}.", score=score)
    if sorted(" ".join(said).split()) == sorted(" ".join(expected).split()):
        return wrong("The values are there, but in another order.", score=score)
    if len(expected) > 1:
        first = next(at for at, pair in enumerate(zip(said, expected, strict=True), 1) if len(set(pair)) > 1)
        return wrong(f"Line {first} is not what it prints.", score=score)
    return wrong("That is not what it prints.", score=score)


def _counted(lines: int) -> str:
    return "one line" if lines == 1 else f"{lines} lines"
