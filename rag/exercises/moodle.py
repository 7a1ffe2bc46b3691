"""Moodle's XML: what its question bank exports, a category above the questions that it holds."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from lxml import etree

from agents.teaching.values import AnswerChoice, Exercise
from rag.exercises.pieces import BankText, from_html, headed, judged, one_line
from rag.exercises.xml import children, parse_xml, text_of

FORM = "moodle"
_RIGHT = 99.0  # of a hundred: some tools write 99.99999
_CATEGORY_PARTS = re.compile(r"(?<!/)/(?!/)")  # a slash in a name is written twice
_SILENT = frozenset({"category", "description"})
_EXACT = frozenset({"plain_text", "markdown"})


def read(data: bytes, *, name: str) -> Sequence[Exercise]:
    """The questions of an export, each under its category."""
    root, broken = parse_xml(data)
    found: list[Exercise] = []
    headings: tuple[str, ...] = (name,)
    for question in children(root, "question"):
        kind = (question.get("type") or "").strip().lower()
        if kind == "category":
            headings = headed(name, category(text_of(_child(question, "category"))))
        elif kind not in _SILENT and text_of(_child(question, "hidden")) != "1":
            found += (replace(each, headings=headings) for each in _exercises(question, kind))
    if broken and found:
        found[-1] = judged(found[-1], broken=broken)
    return found


def category(path: str) -> list[str]:
    """'$course$/top/Unit 1/Cells' is Unit 1, and in it Cells."""
    parts = [part.replace("//", "/").strip() for part in _CATEGORY_PARTS.split(path)]
    return [part for part in parts if not re.fullmatch(r"\$\w+\$|top|", part)]


def _exercises(question: etree._Element, kind: str) -> Iterator[Exercise]:
    stem = _piece(_child(question, "questiontext"))
    exercise = Exercise(
        text=stem.text,
        form=FORM,
        title=one_line(text_of(_child(question, "name"))),
        solution=_piece(_child(question, "generalfeedback")).text,
    )
    if kind == "matching":
        yield from _matched(exercise, question, has_media=stem.has_media)
        return
    match kind:
        case "multichoice":
            yield _choices(exercise, question, has_media=stem.has_media)
        case "truefalse":
            yield judged(_verdict(exercise, question), has_media=stem.has_media)
        case "shortanswer" | "numerical":
            yield judged(_keyed(exercise, question, kind=kind), has_media=stem.has_media)
        case "essay":
            told = _piece(_child(question, "graderinfo")).text
            essay = replace(exercise, kind="recall", solution=exercise.solution or told)
            yield judged(essay, has_media=stem.has_media)
        case "cloze" | "multianswer":
            yield replace(exercise, trouble="it has gaps with keys inside its text, which are not read")
        case _:
            yield replace(exercise, trouble=f"questions of the kind “{kind or '?'}” cannot be asked here")


def _choices(exercise: Exercise, question: etree._Element, *, has_media: bool) -> Exercise:
    is_single = text_of(_child(question, "single")).lower() not in ("false", "0")
    answers = children(question, "answer")
    pieces = [_piece(answer) for answer in answers]
    enough = _RIGHT if is_single else 0.01
    choices = tuple(
        AnswerChoice(
            text=piece.text,
            is_right=_fraction(answer) >= enough,
            why=_piece(_child(answer, "feedback")).text,
        )
        for answer, piece in zip(answers, pieces, strict=True)
    )
    return judged(
        replace(exercise, choices=choices, kind="multiple_choice" if is_single else "several"),
        has_media=has_media or any(piece.has_media for piece in pieces),
        several=not is_single,
    )


def _verdict(exercise: Exercise, question: etree._Element) -> Exercise:
    right = [answer for answer in children(question, "answer") if _fraction(answer) >= _RIGHT]
    said = _piece(right[0]).text.casefold() if len(right) == 1 else ""
    # The wrong answer's feedback says why; the right one's may only praise.
    answers = sorted(children(question, "answer"), key=_fraction)
    whys = [_piece(_child(answer, "feedback")).text for answer in answers]
    told = next(filter(None, [exercise.solution, *whys]), "")
    return replace(
        exercise,
        kind="true_false",
        key=said.capitalize() if said in ("true", "false") else "",
        solution=told,
    )


def _keyed(exercise: Exercise, question: etree._Element, *, kind: str) -> Exercise:
    """A key on a line of its own for each answer that is fully right."""
    right = [answer for answer in children(question, "answer") if _fraction(answer) >= _RIGHT]
    unit = _unit(question)
    keys = [
        quantity(text_of(_child(answer, "text")), within=text_of(_child(answer, "tolerance")), unit=unit)
        if kind == "numerical"
        else " ".join(_piece(answer).text.replace("*", " ").split())  # a star stands for any words
        for answer in right
    ]
    told = next(filter(None, (_piece(_child(answer, "feedback")).text for answer in right)), "")
    return replace(
        exercise,
        kind="numeric" if kind == "numerical" else "short_answer",
        key="\n".join(dict.fromkeys(filter(None, keys))),
        solution=exercise.solution or told,
    )


def quantity(number: str, *, within: str = "", unit: str = "") -> str:
    """'9.8 ± 0.1 m/s^2'; any number is no key."""
    number, within = number.strip(), within.strip()
    if not re.fullmatch(r"[-+]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][-+]?\d+)?", number):
        return ""
    margin = f" ± {within}" if re.search(r"[1-9]", within) else ""
    return f"{number}{margin} {unit}".strip()


def _unit(question: etree._Element) -> str:
    """The unit that the key is in: the one that counts once."""
    units = [unit for group in children(question, "units") for unit in children(group, "unit")]
    names = [
        text_of(_child(unit, "unit_name"))
        for unit in units
        if re.fullmatch(r"1(?:\.0*)?", text_of(_child(unit, "multiplier")) or "1")
    ]
    return next(filter(None, names), "")


def _matched(exercise: Exercise, question: etree._Element, *, has_media: bool) -> Iterator[Exercise]:
    """Each of the things to be matched, with everything that it could be matched with."""
    pairs = [(_piece(each), _piece(_child(each, "answer"))) for each in children(question, "subquestion")]
    answers = list(dict.fromkeys(answer.text for _, answer in pairs if answer.text))
    media = has_media or any(piece.has_media for pair in pairs for piece in pair)
    for asked, right in pairs:
        if not asked.text:
            continue  # it only adds an answer that is never right
        choices = tuple(AnswerChoice(text=each, is_right=each == right.text) for each in answers)
        text = f"{exercise.text}\n\n{asked.text}".strip()
        yield judged(replace(exercise, text=text, choices=choices, kind="multiple_choice"), has_media=media)


def _child(element: etree._Element, name: str) -> etree._Element | None:
    return next(iter(children(element, name)), None)


def _piece(element: etree._Element | None) -> BankText:
    """An element's text by its format; files that are packed into it are pictures."""
    if element is None:
        return BankText()
    text = text_of(_child(element, "text"))
    if element.get("format") in _EXACT:
        return BankText(text=text)
    return from_html(text)


def _fraction(answer: etree._Element) -> float:
    try:
        return float(answer.get("fraction") or 0)
    except ValueError:
        return 0.0
