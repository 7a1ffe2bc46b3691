"""The author's questions as what can be asked: of which kind each is, and what is marked against what.

What a form does not say itself the key tells: a number, a formula, a few words; what is longer only the learner, or a model,
can compare. Where the author asks for several things at once, each is asked by itself.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.language.blocks import TEXT_LANGUAGES, blocks, fenced, plain
from agents.language.words import word_count
from agents.teaching.grading.chemistry import is_chemical, is_substance
from agents.teaching.grading.formulas import is_formula
from agents.teaching.grading.numbers import result_of, whole_lines
from agents.teaching.questions.points import points_of
from agents.teaching.questions.task_parts import parts_of, results_in, same_parts
from agents.teaching.values import Difficulty, Exercise, QuestionKind

_FEW_WORDS = 6  # of a key that a learner can be expected to write as it stands
_PICTURE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_OPEN = re.compile(r"^\W*answers?\s+(?:will|may|can|should|could)\s+vary\W*", re.IGNORECASE)
_ASKS_OF_A_PICTURE = re.compile(
    r"\b(?:this|these|following) (?:figure|diagram|drawing|graph|picture|photograph|illustration)s?\b|"
    r"\bthe (?:figure|diagram|drawing|picture)s?\b(?! of\b)",
    re.IGNORECASE,
)
_ASKS_FOR_A_DRAWING = re.compile(
    r"\b(?:draw|sketch|plot|graph|construct a (?:graph|diagram|concept map)|discuss|debate|design)\b",
    re.IGNORECASE,
)
_ASKS_WHAT_IT_PRINTS = re.compile(r"\b(?:prints?|printed|outputs?|displays?|displayed)\b", re.IGNORECASE)
_YES_OR_NO = re.compile(r"\W*(yes|no|true|false)\W*", re.IGNORECASE)
_ASKS_FOR_A_FORMULA = re.compile(r"\b(?:formulas?|symbols?)\b", re.IGNORECASE)
_A_WORD = re.compile(r"[^\W\d_]{3,}")
_SIGNS = re.compile(r"[=⟶→⇌↔≡<>^;_]|(?<![\w(-])\d+(?:\.\d+)?(?![-\w(])")  # a number that is no part of a name
_THING = r"(?:an?\s+|the\s+)?[\w()+−–-]+"
# 'polar or nonpolar', 'Zr, Nb, or Mo': of one word each, or it could not be told where the first begins.
_ONE_OF = re.compile(
    rf"(?:^|(?<=[(:\n])|\b(?:as|is|are|be|was|were|whether|either|this|it|they|each|of|about|between)(?=\s))\s*(?P<things>(?:{_THING},\s+)*{_THING},?\s+or\s+{_THING})"
)
_TWO = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorItem:
    """One thing to ask: an exercise, or one of its parts."""

    question_text: str
    kind: QuestionKind
    expected_answer: str = ""
    solution: str = ""
    options: tuple[str, ...] = ()
    whys: tuple[str, ...] = ()
    points: tuple[str, ...] = ()
    difficulty: Difficulty = "medium"
    part: int = 0  # 1 for (a); 0 where there are no parts
    trouble: str = ""  # why it cannot be asked, in a clause for people


def items_of(exercise: Exercise) -> tuple[AuthorItem, ...]:
    """What one exercise asks, its parts one after the other."""
    text, solution = exercise.text.strip(), exercise.solution.strip()
    trouble = exercise.trouble or ("" if text else "it has no words")
    if trouble:
        return (AuthorItem(question_text=text, kind="recall", solution=solution, trouble=trouble),)
    if exercise.choices:
        return (_with_choices(exercise),)
    if exercise.kind is None and (parts := _in_parts(text, exercise.key.strip() or solution)):
        return parts
    return (_keyed(text, key=exercise.key.strip(), solution=solution, kind=exercise.kind),)


def _with_choices(exercise: Exercise) -> AuthorItem:
    options = tuple(each.text.strip() for each in exercise.choices)
    right = [each.text.strip() for each in exercise.choices if each.is_right]
    item = AuthorItem(
        question_text=exercise.text.strip(),
        kind=exercise.kind or ("several" if len(right) > 1 else "multiple_choice"),
        expected_answer="\n".join(right),
        solution=exercise.solution.strip(),
        options=options,
        whys=tuple(each.why.strip() for each in exercise.choices),
        difficulty="easy",
    )
    if trouble := _trouble_with(options, right):
        return replace(item, trouble=trouble)
    if {each.strip(" .").lower() for each in options} == {"true", "false"}:
        why = next((each.why.strip() for each in exercise.choices if each.is_right), "")
        solution = item.solution or why
        return replace(
            item,
            kind="true_false",
            expected_answer=right[0].strip(" .").lower(),
            options=(),
            whys=(),
            solution=solution,
        )
    # An option may have lines of its own; a key has one for each option.
    flat = tuple(" ".join(each.split()) if "\n" in each and "```" not in each else each for each in options)
    keyed = "\n".join(
        option for option, choice in zip(flat, exercise.choices, strict=True) if choice.is_right
    )
    return replace(item, options=flat, expected_answer=keyed)


def _trouble_with(options: Sequence[str], right: Sequence[str]) -> str:
    if not all(options):
        return "one of its answers has no words"
    if len(options) < _TWO:
        return "it offers only one answer"
    if len(set(options)) < len(options):
        return "two of its answers are the same"
    return "" if right else "the author gives no right answer"


def _in_parts(text: str, solution: str) -> tuple[AuthorItem, ...]:
    """Each part with what the solution says of it; none where the two do not go together."""
    asked = parts_of(text)
    if not asked.parts:
        return _results(text, solution)
    answers = same_parts(solution, asked.parts)
    return tuple(
        replace(item, part=number)
        for number, part in enumerate(asked.parts, 1)
        if answers
        for item in _results_or_whole(asked.text_of(part), answers.get(part.name, ""))
    )


def _results_or_whole(text: str, solution: str) -> tuple[AuthorItem, ...]:
    return _results(text, solution) or (_keyed(text, key="", solution=solution),)


def _results(text: str, solution: str) -> tuple[AuthorItem, ...]:
    """One item for each of the results that a solution is made of, where there are several."""
    return tuple(
        replace(
            _keyed(f"{text}\n\n{result.name} = ?", key=result.text, solution=solution, kind="numeric"),
            part=number,
        )
        for number, result in enumerate(results_in(solution), 1)
    )


def _keyed(text: str, *, key: str, solution: str, kind: QuestionKind | None = None) -> AuthorItem:
    """A question that is answered in writing, by what its key is."""
    given = key or solution
    said = re.sub(r"\(\w\)\s*(?=\(|$)", "", _PICTURE.sub("", given)).strip() if "![" in given else given
    item = AuthorItem(question_text=text, kind=kind or "recall", expected_answer=given, solution=solution)
    if _ASKS_OF_A_PICTURE.search(text) and not _PICTURE.search(text):
        return replace(item, trouble="it asks about a picture that is not there")
    if not given:
        return replace(item, trouble="the author gives no answer")
    if said.rstrip(" .;").endswith(":") or (said != given and word_count(said) <= _TWO):
        return replace(item, trouble="its answer is a picture or a table that is not there")
    if kind is not None:
        return replace(item, points=points_of(solution or key) if kind == "recall" else ())
    if opened := _OPEN.match(said):
        if not said[opened.end() :].strip():
            return replace(item, trouble="the author leaves its answer open")
        said = said[opened.end() :].strip()
    if options := _offered(text, said):
        chosen = next(each for each in options if each in _words(said))
        return replace(
            item, kind="multiple_choice", expected_answer=chosen, options=options, difficulty="easy"
        )
    found, short = _kind_of(text, said)
    points = points_of(said) if found == "recall" else ()
    options = ("Yes", "No") if found == "multiple_choice" else ()
    return replace(item, kind=found, expected_answer=short, points=points, options=options)


def _offered(text: str, key: str) -> tuple[str, ...]:
    """The answers that a question names itself, 'polar or nonpolar', where its key is one of them and nothing more."""
    said = _words(key)
    if len(said) > _FEW_WORDS or _SIGNS.search(key) or "," in key:
        return ()
    for found in reversed(list(_ONE_OF.finditer(_PICTURE.sub("", text)))):
        options = tuple(
            re.sub(r"^(?:an?|the)\s+", "", each.strip())
            for each in re.split(r",\s+(?:or\s+)?|\s+or\s+", found["things"])
        )
        if len(set(options) & set(said)) == 1 and len(set(options)) == len(options):
            return options
    return ()


def _words(text: str) -> list[str]:
    return [word.strip(" .,;:") for word in text.split()]


def accepted_answers(key: str) -> tuple[str, ...]:
    """The answers that a key in few words allows: 'silane or silicon(IV) hydride' are two."""
    parts = tuple(part.strip(" ,") for part in re.split(r",?\s+or\s+", key))
    return parts if len(parts) > 1 and all(parts) and word_count(key) <= _TWO * _FEW_WORDS else (key,)


def _kind_of(text: str, key: str) -> tuple[QuestionKind, str]:
    """Of which kind a question is by its key, and the key in short."""
    if printed := _printed(text, key):
        return "output", printed
    line = plain(whole_lines(key)).strip(" .")
    asked = _PICTURE.sub("", text)
    if not _ASKS_FOR_A_DRAWING.search(asked):
        if result := result_of(key):
            return "numeric", result
        if (
            is_chemical(line)
            or is_formula(line)
            or (_ASKS_FOR_A_FORMULA.search(asked) and is_substance(line))
        ):
            return "formula", line
        if said := _YES_OR_NO.fullmatch(line):
            return _as_verdict(said[1].lower())
    is_short = word_count(line) <= _FEW_WORDS and "\n\n" not in key.strip()
    # Signs such as 1s² 2s² are written in too many ways to be marked by their letters.
    if is_short and _A_WORD.search(line) and not _SIGNS.search(line):
        return "short_answer", line
    return "recall", key


def _as_verdict(said: str) -> tuple[QuestionKind, str]:
    return ("multiple_choice", said.capitalize()) if said in ("yes", "no") else ("true_false", said)


def _printed(text: str, key: str) -> str:
    """What the code of a question prints, where the key shows it set apart; else empty."""
    code = [block for block in blocks(text) if block.kind == "code"]
    shown = [block for block in blocks(key) if block.kind == "code"]
    asked = " ".join(block.text for block in blocks(text) if block.kind != "code")
    if not code or len(shown) != 1 or not _ASKS_WHAT_IT_PRINTS.search(asked):
        return ""
    language, body = fenced(shown[0])
    return body.strip("\n") if language in ("", *TEXT_LANGUAGES) else ""
