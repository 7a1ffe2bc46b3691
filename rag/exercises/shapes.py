"""Questions in data: objects that ask something and say which of their choices is right, whatever they call it.

Components of a page, quiz files and the data of quiz apps all say the same in other words ("options", "choices",
"answerOptions"; "correct: true", "answer: 2", "correctAnswer: 'b'"). The words that a key is made of and the kind of
its value tell its part.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from agents.teaching.values import AnswerChoice, Exercise, QuestionKind

_MOST_DEPTH = 40
_KEY_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_]+")
# The earlier word is the surer one.
_ASKING = ("question", "prompt", "stem", "ask", "q", "front", "text", "statement", "title", "content", "body")
_SURELY_ASKING = frozenset({"question", "prompt", "stem", "ask", "q", "front"})
_SAYING = (
    "text",
    "answer",
    "option",
    "choice",
    "label",
    "content",
    "body",
    "value",
    "title",
    "name",
    "statement",
)
_CHOICES = frozenset("choices options answers alternatives responses distractors choice option".split())
_WRONG = frozenset({"distractors", "wrong", "incorrect"})
_RIGHT = frozenset("correct right answer answers solution key back accept is".split())
_SURELY_RIGHT = frozenset({"correct", "right", "solution"})
_WHY = frozenset(
    "explain explanation explanations feedback why rationale reason comment justification context solution".split()
)
_WHY_OF_CHOICE = _WHY | {"description", "message", "note", "hint"}
_NAMES = ("title", "name", "topic", "heading", "category", "label")
_KINDS: tuple[tuple[re.Pattern[str], QuestionKind], ...] = (
    (re.compile(r"true.?false|boolean", re.IGNORECASE), "true_false"),
    (re.compile(r"many|multi.?(?:select|answer|response)|multiple.?(?:select|answer|response)|check", re.I), "several"),
    (re.compile(r"numer|number", re.IGNORECASE), "numeric"),
    (re.compile(r"short|text|input|fill", re.IGNORECASE), "short_answer"),
)  # fmt: skip

Data = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class DataQuestion:
    """One question as the data has it: its markup is still in it."""

    text: str
    choices: tuple[AnswerChoice, ...] = ()
    key: str = ""
    solution: str = ""
    kind: QuestionKind | None = None
    within: tuple[str, ...] = ()  # the titles of what it stands in, the outermost first
    quiz: str = ""  # the id of what it stands in
    trouble: str = ""

    def exercise(self, *, form: str, plain: Callable[[str], str], within: str = "") -> Exercise:
        """The same as an author's question, its markup resolved; within is what holds all of it."""
        titles = [plain(name) for name in (within, *self.within)]
        return Exercise(
            text=plain(_without_tags_as_words(self.text)),
            form=form,
            kind=self.kind,
            choices=tuple(
                AnswerChoice(
                    text=plain(_without_tags_as_words(each.text)), is_right=each.is_right, why=plain(each.why)
                )
                for each in self.choices
            ),
            key=plain(_without_tags_as_words(self.key)),
            solution=plain(self.solution),
            title=titles[-1] if self.within else "",
            headings=tuple(dict.fromkeys(filter(None, titles))),
            linked=self.quiz,
            trouble=self.trouble,
        )


_TAG = re.compile(r"</?([A-Za-z][\w-]*)[^<>]*>")
_WITHOUT_END = frozenset({"br", "hr", "img", "wbr", "input"})


def _without_tags_as_words(text: str) -> str:
    """'Which tag makes a link: <a>?' speaks of the tag: one that nothing closes is a word."""
    if "<" not in text or "`" in text:
        return text
    return _TAG.sub(
        lambda tag: tag[0] if f"</{tag[1]}" in text or tag[1].lower() in _WITHOUT_END else f"`{tag[0]}`", text
    )


def questions_in(value: Any) -> tuple[DataQuestion, ...]:
    """Every question that a piece of data holds, however deep, in its order."""
    found = list(_found(value, _Place(), depth=0))
    base = _first_number([each for each in found if isinstance(each, _Numbered)])
    return tuple(each.counted_from(base) if isinstance(each, _Numbered) else each for each in found)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    titles: tuple[str, ...] = ()
    quiz: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Numbered:
    """A question whose key is the number of a choice: from 0 or from 1, as the others of its kind tell."""

    asked: DataQuestion
    numbers: tuple[int, ...]

    def counted_from(self, first: int) -> DataQuestion:
        right = {number - first for number in self.numbers}
        if not all(0 <= number < len(self.asked.choices) for number in right):
            return replace(self.asked, trouble="its key names a choice that is not there")
        return replace(
            self.asked,
            choices=tuple(
                AnswerChoice(text=each.text, is_right=number in right, why=each.why)
                for number, each in enumerate(self.asked.choices)
            ),
        )


def _first_number(questions: Sequence[_Numbered]) -> int:
    """1 where a key names the number behind the last choice and none is 0: programs count from 0, people from 1."""
    named = [(number, len(each.asked.choices)) for each in questions for number in each.numbers]
    return int(any(number == count for number, count in named) and all(number for number, _ in named))


def _found(value: Any, place: _Place, *, depth: int) -> Iterator[DataQuestion | _Numbered]:
    if depth > _MOST_DEPTH:
        return
    if isinstance(value, Mapping):
        asked = _question(value, place)
        if asked:
            yield asked
            return
        name = _first_string(value, _NAMES)
        number = value.get("id", value.get("slug", ""))
        place = _Place(
            titles=(*place.titles, name) if name else place.titles,
            quiz=str(number) if isinstance(number, (str, int)) and not isinstance(number, bool) else "",
        )
        for part in value.values():
            if isinstance(part, (Mapping, list)):
                yield from _found(part, place, depth=depth + 1)
    elif isinstance(value, list):
        for part in value:
            yield from _found(part, place, depth=depth + 1)


def _question(data: Data, place: _Place) -> DataQuestion | _Numbered | None:
    """The question that an object is, or None where it is none."""
    text = _first_string(data, _ASKING)
    parts = _Parts.of(data)
    if parts.choices:
        if not text or not (parts.is_marked or parts.keys or _is_surely_asking(data)):
            return None
        return _with_choices(text, parts, place)
    if not text or not parts.keys or not _is_surely_asking(data):
        return None
    key = parts.keys[0]
    if isinstance(key, bool) or (parts.kind == "true_false" and str(key).lower() in ("true", "false")):
        is_true = key if isinstance(key, bool) else str(key).lower() == "true"
        return DataQuestion(
            text=text,
            key=str(is_true),
            solution=parts.why,
            kind="true_false",
            within=place.titles,
            quiz=place.quiz,
        )
    kind: QuestionKind | None = parts.kind if parts.kind in ("short_answer", "numeric") else None
    return DataQuestion(
        text=text,
        key=str(key),
        solution=parts.why,
        kind=kind,
        within=place.titles,
        quiz=place.quiz,
    )


@dataclass(slots=True, kw_only=True)
class _Parts:
    """What an object has beside the words of its question."""

    choices: list[AnswerChoice] = field(default_factory=list)
    names: list[str] = field(default_factory=list)  # the id, value or letter of each choice
    keys: list[Any] = field(
        default_factory=list
    )  # what names the right ones, where no choice says it of itself
    is_marked: bool = False
    why: str = ""
    solution: str = ""  # a key in some data, an explanation in other
    kind: QuestionKind | None = None

    @classmethod
    def of(cls, data: Data) -> "_Parts":
        parts = cls()
        for key, value in data.items():
            parts._take(words_of(key), value)
        if (
            parts.solution
            and not parts.keys
            and (not parts.choices or _named(parts.solution, parts) is not None)
        ):
            parts.keys = [parts.solution]
        else:
            parts.why = parts.why or parts.solution
        return parts

    def _take(self, words: frozenset[str], value: Any) -> None:
        if isinstance(value, Mapping) and words & _CHOICES and all(len(name) <= 2 for name in value):
            value = [{"id": name, "text": text} for name, text in value.items()]  # {"a": "…", "b": "…"}
        if isinstance(value, list) and _are_choices(words, value):
            self._take_choices(value, is_wrong=bool(words & _WRONG))
        elif words & {"type", "kind"} and isinstance(value, str):
            self.kind = next((kind for pattern, kind in _KINDS if pattern.search(value)), None)
        elif words & {"solution", "solutions"} and isinstance(value, str):
            self.solution = value
        elif words & _WHY and not words & {"correct", "is"} and isinstance(value, str):
            self.why = self.why or value
        elif words & _RIGHT and not words & _WRONG and _is_key(value):
            # "correctAnswer" is surer than "answer", whichever comes first.
            keys = list(value) if isinstance(value, list) else [value]
            self.keys = keys if words & _SURELY_RIGHT or not self.keys else self.keys

    def _take_choices(self, entries: list[Any], *, is_wrong: bool) -> None:
        for entry in entries:
            text, is_right, why, name = _choice(entry)
            self.choices.append(AnswerChoice(text=text, is_right=bool(is_right), why=why))
            self.names.append(name)
            self.is_marked |= is_right is not None or is_wrong


def _with_choices(text: str, parts: _Parts, place: _Place) -> DataQuestion | _Numbered:
    choices, is_marked = list(parts.choices), any(each.is_right for each in parts.choices)
    numbers: tuple[int, ...] = ()
    trouble = ""
    if parts.keys and not is_marked:
        named = [_named(key, parts) for key in parts.keys]
        if all(number is not None for number in named):
            right = {number for number in named if number is not None}
            choices = [
                AnswerChoice(text=each.text, is_right=number in right, why=each.why)
                for number, each in enumerate(choices)
            ]
        elif all(_number(key) is not None for key in parts.keys):
            numbers = tuple(number for key in parts.keys if (number := _number(key)) is not None)
        elif parts.is_marked:  # choices that are all wrong, and the right ones beside them
            choices += [AnswerChoice(text=str(key), is_right=True) for key in parts.keys]
            choices.sort(key=lambda each: each.text.casefold())  # so that the place tells nothing
        else:
            trouble = "its key names a choice that is not there"
    elif not is_marked:
        trouble = "none of its choices is marked as the right one"
    right_ones = sum(each.is_right for each in choices) or len(numbers)
    asked = DataQuestion(
        text=text,
        choices=tuple(choices),
        solution=parts.why,
        kind="several" if right_ones > 1 or parts.kind == "several" else None,
        within=place.titles,
        quiz=place.quiz,
        trouble="it offers only one choice" if len(choices) < 2 else trouble,
    )
    return _Numbered(asked=asked, numbers=numbers) if numbers and not asked.trouble else asked


def _named(key: Any, parts: _Parts) -> int | None:
    """Which choice a key names by its text, its id or its letter."""
    wanted = " ".join(str(key).split()).casefold()
    texts = [" ".join(each.text.split()).casefold() for each in parts.choices]
    names = [name.casefold() for name in parts.names]
    if isinstance(key, str) and wanted in texts:
        return texts.index(wanted)
    if wanted in names:
        return names.index(wanted)
    if isinstance(key, str) and re.fullmatch(r"[a-z]", wanted.strip("().")):
        number = ord(wanted.strip("().")) - ord("a")
        return number if number < len(texts) else None
    return None


def _number(key: Any) -> int | None:
    if isinstance(key, bool):
        return None
    if isinstance(key, int) or (isinstance(key, float) and key.is_integer()):
        return int(key)
    return int(key) if isinstance(key, str) and re.fullmatch(r"[0-9]{1,3}", key.strip()) else None


def _is_key(value: Any) -> bool:
    if isinstance(value, list):
        return bool(value) and all(isinstance(each, (str, int, float)) for each in value)
    return isinstance(value, (str, int, float, bool)) and value != ""


def _are_choices(words: frozenset[str], entries: list[Any]) -> bool:
    """Whether a list offers answers: it is called so, or its entries say of themselves that they are right."""
    if not entries or not all(isinstance(each, (str, int, float, Mapping)) for each in entries):
        return False
    objects = [each for each in entries if isinstance(each, Mapping)]
    if any(_holds_choices(each) for each in objects):
        return False
    if not words & _CHOICES or words & {"correct", "right"}:
        return len(objects) > 1 and any(_choice(each)[1] is not None for each in objects)
    return all(_first_string(each, _SAYING) for each in objects) and (
        len(entries) > 1 or bool(objects) or bool(words & _WRONG)
    )


def _holds_choices(entry: Data) -> bool:
    return any(isinstance(value, list) and words_of(key) & _CHOICES for key, value in entry.items())


def _choice(entry: Any) -> tuple[str, bool | None, str, str]:
    """A choice's text, whether it says that it is right, the word on it, and what a key may call it."""
    if not isinstance(entry, Mapping):
        return str(entry), None, "", ""
    is_right: bool | None = None
    why = ""
    for key, value in entry.items():
        words = words_of(key)
        if words & {"correct", "right", "answer", "valid", "true", "solution"} and _truth(value) is not None:
            is_right = _truth(value)
        elif words & {"incorrect", "wrong"} and _truth(value) is not None:
            is_right = not _truth(value)
        elif words & _WHY_OF_CHOICE and isinstance(value, str):
            why = why or value
    code = entry.get("code")
    text = "\n\n".join(part for part in (_first_string(entry, _SAYING), _fenced(code)) if part)
    name = next((entry[key] for key in ("id", "key", "letter", "value") if key in entry), "")
    return text, is_right, why, str(name)


def _fenced(code: Any) -> str:
    return f"```\n{code}\n```" if isinstance(code, str) and code.strip() else ""


def _truth(value: Any) -> bool | None:
    if isinstance(value, bool):
        return value
    return {"true": True, "false": False}.get(value.lower()) if isinstance(value, str) else None


def _first_string(data: Data, wanted: Sequence[str]) -> str:
    """The string (or number) whose key has the earliest of the wanted words."""
    best, rank = "", len(wanted)
    for key, value in data.items():
        is_text = isinstance(value, str) and value.strip()
        if is_text or (isinstance(value, (int, float)) and not isinstance(value, bool)):
            if not is_text and words_of(key) & {"id", "index"}:
                continue
            place = min((wanted.index(word) for word in words_of(key) if word in wanted), default=rank)
            if place < rank:
                best, rank = str(value), place
    return best


def _is_surely_asking(data: Data) -> bool:
    return any(words_of(key) & _SURELY_ASKING for key, value in data.items() if isinstance(value, str))


def words_of(key: object) -> frozenset[str]:
    """'questionText' and 'question_text' are made of the same words."""
    return frozenset(word.lower() for word in _KEY_WORDS.findall(str(key)))
