"""Options by letter, number, order or text; and true or false."""

import re
from collections.abc import Sequence

from agents.quiz.grading.grade import Grade, right, wrong
from agents.quiz.grading.stems import stem
from agents.quiz.grading.vocabulary import NEGATORS, STOP
from agents.quiz.grading.words import clean

_ORDINALS = "first second third fourth fifth sixth seventh eighth".split()
_LETTERS = "abcdefghij"
_PREFIX = r"(?:i (?:think|guess|say|choose|pick|chose|would say|believe|am going with)|it is|it|is|that is|its|my|the|correct|right|best|answer|option|choice|letter|number|no\.?|would be|must be|should be|maybe|probably|definitely|:)"
_LABEL = re.compile(rf"^(?:{_PREFIX}\s*)*[(\[]?([a-j]|\d{{1,2}})[)\].:]?(?:\s+(?:one|please|i think|i guess|because\b.*|since\b.*))?$")
_LABEL_AND_TEXT = re.compile(r"^[(\[]?([a-j]|\d{1,2})[)\].:,-]\s*(.+)$")
_NAMED = re.compile(r"\b(?:option|answer|choice|letter|number)s?\s*(?:is|are|:)?\s*[(\[]?([a-j]|\d{1,2})\b")
_SEVERAL = re.compile(r"^(?:both|either|all of|options?|answers?|letters?|i think|it is|\s)*[(\[]?([a-j]|\d{1,2})[)\]]?(?:(?:\s*(?:,|and|or|&|\+|/)\s*)+[(\[]?([a-j]|\d{1,2})[)\]]?)+[.!]?$")
_LAST = re.compile(r"\b(?:the )?last (?:one|option|answer)\b|^(?:the )?last$")
_ALL = re.compile(r"\b(?:all|both|every ?thing|any) of (?:them|these|the above|those)\b|^(?:all|both)$")
_TRUE = frozenset("true t yes y yeah yep yup correct right agree agreed affirmative sure 1 certainly definitely absolutely accurate indeed".split())
_FALSE = frozenset("false f no n nope nah wrong incorrect disagree untrue 0 inaccurate mistaken negative never".split())


def grade_choice(answer: str, references: Sequence[str], options: Sequence[str]) -> Grade | None:
    """Right when exactly the keyed options are chosen; None when no option can be told."""
    if not options:
        return None
    keyed = {index for reference in references for index in _chosen(reference, options)}
    chosen = _chosen(answer, options)
    if not keyed or not chosen:
        return None if not keyed else _untold(answer, keyed, options)
    if chosen == keyed:
        return right("You chose the right option." if len(keyed) == 1 else "You chose the right options.")
    if _conflict(answer, options):
        return wrong("The letter and the text you gave belong to different options, so please say which one you mean.", confident=False)
    if len(chosen) > len(keyed):
        return wrong("You named more options than are right; only the right ones count.", score=0.3 if keyed <= chosen else 0.0)
    if chosen < keyed:
        return wrong("That is part of it, but more than one option is right.", score=len(chosen) / len(keyed) / 2)
    return wrong("That is not the right option.")


def grade_true_false(answer: str, references: Sequence[str], _options: Sequence[str]) -> Grade | None:
    """Compare the verdicts; None when one cannot be told."""
    expected = {_verdict(reference) for reference in references} - {None}
    given = _verdict(answer)
    if len(expected) != 1:
        return None
    if given is None:
        return wrong("I cannot tell whether you mean true or false; please say which.", confident=False)
    said = "true" if given else "false"
    return right(f"Yes, {said} is right.") if given in expected else wrong(f"You said {said}, and that is not right here.")


def _untold(answer: str, keyed: set[int], options: Sequence[str]) -> Grade:
    words = _key(answer).split()
    if len(words) == 1 and len(words[0]) <= 2:
        return wrong("There is no option with that label; answer with one of the options shown.")
    said = set(words)
    hits = [len(said & set(_key(option).split())) for option in options]
    if max(hits) and all(hits[index] < max(hits) for index in keyed):
        return wrong("What you wrote is closer to another option; answer with a letter to be sure.", confident=False)
    return wrong("I cannot tell which option you mean; answer with its letter.", confident=False)


def _chosen(text: str, options: Sequence[str]) -> set[int]:
    """Which options a text names: its whole text first, then labels, then words only one option has."""
    keys = [_key(option) for option in options]
    said = _key(text)
    exact = {index for index, key in enumerate(keys) if key == said and key}
    if len(exact) == 1:
        return exact
    return _by_label(clean(text).strip(), options) or _by_text(text, keys)


def _by_label(text: str, options: Sequence[str]) -> set[int]:
    trimmed = text.strip(" .!?\"'")
    if _ALL.search(trimmed):
        return set(range(len(options))) if not re.search(r"\bnone\b", trimmed) else set()
    if found := _LABEL.match(trimmed):
        return _index(found[1], options)
    if _SEVERAL.match(trimmed):
        labels = re.findall(r"(?<![a-z0-9])([a-j]|\d{1,2})(?![a-z0-9])", trimmed)
        return {index for label in labels for index in _index(label, options)}
    if found := _LABEL_AND_TEXT.match(trimmed):
        return _index(found[1], options)
    if named := _NAMED.findall(trimmed):
        return {index for label in named for index in _index(label, options)}
    if _LAST.search(trimmed):
        return {len(options) - 1}
    ordinals = {number for number, word in enumerate(_ORDINALS[: len(options)]) if re.search(rf"\b{word}(?: (?:one|option|answer|choice))?$", trimmed)}
    return ordinals if len(trimmed.split()) <= 6 else set()


def _index(label: str, options: Sequence[str]) -> set[int]:
    index = int(label) - 1 if label.isdigit() else _LETTERS.index(label)
    return {index} if 0 <= index < len(options) else set()


def _by_text(text: str, keys: Sequence[str]) -> set[int]:
    said = f" {_key(text)} "
    if any(f" {word} " in f" {clean(text)} " for word in NEGATORS) and not any(_has_negator(key) for key in keys):
        return set()
    inside = {index for index, key in enumerate(keys) if key and f" {key} " in said}
    inside = {index for index in inside if not any(index != other and f" {keys[index]} " in f" {keys[other]} " for other in inside)}
    if inside:
        return inside
    part = {index for index, key in enumerate(keys) if said.strip() and said in f" {key} "}
    if len(part) == 1:
        return part
    words = set(said.split())
    only = [words & (set(key.split()) - {w for other in keys if other != key for w in other.split()}) for key in keys]
    named = {index for index, found in enumerate(only) if found}
    return named if len(named) == 1 and len(words) <= 12 else set()


def _conflict(answer: str, options: Sequence[str]) -> bool:
    found = _LABEL_AND_TEXT.match(clean(answer).strip(" .!?\"'"))
    by_text = _by_text(found[2], [_key(option) for option in options]) if found else set()
    return bool(found and by_text and by_text != _index(found[1], options))


def _key(text: str) -> str:
    words = re.findall(r"[^\W_]+", re.sub(r"^[(\[]?[a-j][)\].:]\s+", "", clean(text).strip()))
    kept = [word for word in words if word not in STOP] or words
    return " ".join(stem(word) for word in kept)


def _has_negator(key: str) -> bool:
    return any(word in NEGATORS for word in key.split())


def _verdict(text: str) -> bool | None:
    words = re.findall(r"[a-z0-9]+", clean(text))
    for at, word in enumerate(words):
        if word in _TRUE or word in _FALSE:
            if word in {"no", "n"} and at + 1 < len(words) and words[at + 1] in {"idea", "clue"}:
                return None
            turned = any(before in {"not", "never"} for before in words[max(0, at - 3) : at])
            return (word in _TRUE) != turned
    return None
