"""GIFT: Moodle's questions as text, the answers of each between braces."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from agents.teaching.values import AnswerChoice, Exercise
from rag.exercises.moodle import category, quantity
from rag.exercises.pieces import GAP, BankText, from_html, headed, judged, one_line, with_formulas
from rag.loaders.document import decode

FORM = "gift"
_ESCAPED = {sign: chr(0xE010 + number) for number, sign in enumerate("~=#{}:\\")}
_BACK = {hidden: sign for sign, hidden in _ESCAPED.items()}
_ESCAPE = re.compile(r"\\([~=#{}:\\n])")
_HIDDEN = re.compile(f"[{''.join(_BACK)}]")
_CATEGORY = re.compile(r"\$CATEGORY:\s*(.*)")
_TITLE = re.compile(r"::(.*?)::", re.DOTALL)
_FORMAT = re.compile(r"\s*\[(html|moodle|plain|markdown)\]\s*", re.IGNORECASE)
_ANSWERS = re.compile(r"\{([^{}]*)\}")
_ANSWER = re.compile(r"([=~])([^=~]*)")
_WEIGHT = re.compile(r"\s*%(-?\d+(?:\.\d+)?)%")
_VERDICT = re.compile(r"(T|TRUE|F|FALSE)\s*(?:#(.*))?", re.IGNORECASE | re.DOTALL)
_RANGE = re.compile(r"\s*(-?[\d.]*\d)\s*\.\.\s*(-?[\d.]*\d)\s*")
_COMMENT = re.compile(r"^[ \t]*//.*\n?", re.MULTILINE)
# What GIFT writes and neither prose nor code does: braces whose first sign keys an answer.
_KEYED = re.compile(r"\{\s*(?:[=~]\s*\S|#\s*[=\d-]|(?:T|F|TRUE|FALSE)\s*[}#])")
_MOSTLY = 0.6


def is_gift(text: str) -> bool:
    """Whether most paragraphs of a text are questions with keyed answers between braces."""
    blocks = [block for _, block in _questions(text)]
    return sum(bool(_KEYED.search(block)) for block in blocks) > len(blocks) * _MOSTLY


def read(data: bytes, *, name: str) -> Sequence[Exercise]:
    """The questions of a file, each under its category."""
    return [
        replace(each, headings=headed(name, category(path)))
        for path, block in _questions(decode(data))
        for each in _exercises(block)
    ]


def _questions(text: str) -> Iterator[tuple[str, str]]:
    """Each block between blank lines, with the category that it is in."""
    path = ""
    hidden = _ESCAPE.sub(lambda found: "\n" if found[1] == "n" else _ESCAPED[found[1]], text)
    for block in re.split(r"\n[ \t]*\n", _COMMENT.sub("", hidden)):
        lines = []
        for line in block.splitlines():
            if named := _CATEGORY.match(line):
                path = _shown(named[1])
            else:
                lines.append(line)
        if (question := "\n".join(lines).strip()) and question != "\ufeff":
            yield path, question


def _exercises(block: str) -> Iterator[Exercise]:
    titled = _TITLE.match(block)
    block = block[titled.end() :] if titled else block
    style = _FORMAT.match(block)
    block = block[style.end() :] if style else block
    answers = _ANSWERS.findall(block)
    if not answers:
        if "{" in block or "}" in block:
            title = one_line(_shown(titled[1])) if titled else ""
            text = _shown(re.split("[{}]", block)[0])
            yield Exercise(
                text=text,
                form=FORM,
                title=title,
                trouble="a brace around its answers is never opened or closed",
            )
        return  # a text between the questions
    before, after = _ANSWERS.split(block, maxsplit=1)[0], _ANSWERS.split(block, maxsplit=1)[2]
    # Words or a full stop after the answers make them a gap in a sentence.
    is_gap = re.match(r"\s*[.?!](?!\w)", after) and not re.search(r"[.?!:]\s*$", before)
    stem = f"{before.rstrip()} {GAP}{after}" if is_gap or re.search(r"\w", after) else before
    piece = _piece(stem.strip(), style[1] if style else "")
    exercise = Exercise(text=piece.text, form=FORM, title=one_line(_shown(titled[1])) if titled else "")
    if len(answers) > 1:
        yield replace(exercise, trouble="it has more than one group of answers")
        return
    body, _, told = answers[0].partition("####")
    exercise = replace(exercise, solution=_shown(told))
    for each in _keyed(exercise, body.strip()):
        yield judged(each, has_media=piece.has_media, several=each.kind == "several")


def _keyed(exercise: Exercise, body: str) -> Iterator[Exercise]:
    if not body:
        yield replace(exercise, kind="recall")
    elif verdict := _VERDICT.fullmatch(body):
        whys = [_shown(why) for why in (verdict[2] or "").split("#")]
        told = next(filter(None, [exercise.solution, *whys]), "")
        key = "True" if verdict[1].upper().startswith("T") else "False"
        yield replace(exercise, kind="true_false", key=key, solution=told)
    elif body.startswith("#"):
        yield _numeric(exercise, body[1:].strip())
    else:
        answers = [_answer(mark, text) for mark, text in _ANSWER.findall(body)]
        if any(mark == "~" for mark, *_ in answers):
            yield _choices(exercise, answers)
        elif answers and all("->" in text for _, text, *_ in answers):
            yield from _matched(exercise, [text for _, text, *_ in answers])
        else:
            keys = [_piece(text).text for _, text, _, weight in answers if weight is None or weight >= 100]
            whys = [why for _, _, why, _ in answers if why]
            told = exercise.solution or next(iter(whys), "")
            yield replace(exercise, kind="short_answer", key="\n".join(filter(None, keys)), solution=told)


_Answer = tuple[str, str, str, float | None]  # its mark, its text, the author's word on it, its weight


def _answer(mark: str, text: str) -> _Answer:
    weighed = _WEIGHT.match(text)
    said, _, why = text[weighed.end() if weighed else 0 :].partition("#")
    return mark, said.strip(), _piece(why).text, float(weighed[1]) if weighed else None


def _choices(exercise: Exercise, answers: Sequence[_Answer]) -> Exercise:
    is_single = any(mark == "=" for mark, *_ in answers)
    choices = tuple(
        AnswerChoice(
            text=_piece(text).text, is_right=mark == "=" if is_single else (weight or 0) > 0, why=why
        )
        for mark, text, why, weight in answers
    )
    return replace(exercise, choices=choices, kind="multiple_choice" if is_single else "several")


def _numeric(exercise: Exercise, body: str) -> Exercise:
    said = [_answer(*each) for each in _ANSWER.findall(body if body.startswith("=") else f"={body}")]
    keys = [
        _number(_shown(text))
        for mark, text, _, weight in said
        if mark == "=" and (weight is None or weight >= 100)
    ]
    told = exercise.solution or next((why for _, _, why, _ in said if why), "")
    return replace(exercise, kind="numeric", key="\n".join(filter(None, keys)), solution=told)


def _number(text: str) -> str:
    between = _RANGE.fullmatch(text)
    if between:
        try:
            low, high = float(between[1]), float(between[2])
        except ValueError:
            return ""
        return quantity(f"{(low + high) / 2:g}", within=f"{abs(high - low) / 2:g}")
    number, _, within = text.partition(":")
    return quantity(number, within=within)


def _matched(exercise: Exercise, pairs: Sequence[str]) -> Iterator[Exercise]:
    split = [tuple(_piece(side).text for side in pair.split("->", 1)) for pair in pairs]
    answers = list(dict.fromkeys(right for _, right in split if right))
    for asked, right in split:
        if asked:
            choices = tuple(AnswerChoice(text=each, is_right=each == right) for each in answers)
            text = f"{exercise.text}\n\n{asked}".strip()
            yield replace(exercise, text=text, choices=choices, kind="multiple_choice")


def _piece(text: str, style: str = "") -> BankText:
    """A text in the format that it names itself, or that of its question."""
    if named := _FORMAT.match(text):
        style, text = named[1], text[named.end() :]
    shown = _shown(text)
    return BankText(text=shown) if style.lower() in ("plain", "markdown") else from_html(shown)


def _shown(text: str) -> str:
    """With the signs that were escaped as they are; a line end in the source is none in the text."""
    return with_formulas(_HIDDEN.sub(lambda found: _BACK[found[0]], text).strip())
