"""Options by letter, number, order or text; and true or false."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from agents.teaching.grading.grade import Grade, right, wrong
from agents.teaching.grading.words import FALSE, NEGATORS, STOP, TRUE, clean, stem

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_LETTERS = "abcdefghij"
_ONE = r"[(\[]?([a-j]|\d{1,2})[)\].:]?"
_LEAD = (
    r"(?:(?:i|think|guess|say|choose|pick|chose|would|believe|it|its|is|that|my|the|correct|right|best|answer|option|choice"
    r"|letter|number|be|must|should|maybe|probably|definitely|:)\s*\b)*"
)
_LABEL = re.compile(rf"{_LEAD}\s*{_ONE}(?:\s+(?:one|please|i think|i guess|because\b.*|since\b.*))?")
_LABEL_AND_TEXT = re.compile(r"[(\[]?([a-j]|\d{1,2})[)\].:,-]\s*(.+)")
_NAMED = re.compile(r"\b(?:option|answer|choice|letter|number)s?(?: is| are|:)? ?[(\[]?([a-j]|\d{1,2})\b")
_SEVERAL = re.compile(
    rf"(?:(?:both|either|options?|answers?|letters?|i think|it is) )*{_ONE}(?: ?(?:,|&|\+|/| and| or){{1,2}} ?{_ONE})+"
)
_ANY_LABEL = re.compile(r"(?<![a-z0-9])([a-j]|\d{1,2})(?![a-z0-9])")
_LAST = re.compile(r"\b(?:the )?last (?:one|option|answer)\b|^(?:the )?last$")
_ALL = re.compile(r"\b(?:all|both|every ?thing|any) of (?:them|these|the above|those)\b|^(?:all|both)$")
_ONE_OF_THEM = re.compile(r"(?<=\w)\s+ones?\W*$", re.IGNORECASE)  # 'the blue one' says nothing with 'one'
_LABEL_ROOM = 160  # a label stands at the front; longer texts are read by their words


def grade_choice(answer: str, references: Sequence[str], options: Sequence[str]) -> Grade | None:
    """Right when exactly the options of one reference (or of all) are chosen; None when nothing is keyed."""
    keys = [key for reference in references if (key := _chosen(reference, options))]
    if not keys:
        return None
    keyed = set().union(*keys)
    chosen = _chosen(answer, options)
    if not chosen:
        return _untold(answer, keyed, options)
    if chosen in keys or chosen == keyed:
        return right("You chose the right option." if len(chosen) == 1 else "You chose the right options.")
    return _not_chosen(answer, chosen, keyed, options)


def in_words(answer: str, options: Sequence[str]) -> str:
    """'b' as the option that it stands for, without the marks of code, to be quoted; anything else as it was typed."""
    chosen = _chosen(answer, options)
    return options[chosen.pop()].replace("`", "") if len(chosen) == 1 else answer


def grade_true_false(answer: str, references: Sequence[str], _options: Sequence[str]) -> Grade | None:
    """Compare the verdicts; None when one cannot be told."""
    expected = {_verdict(reference) for reference in references} - {None}
    given = _verdict(answer)
    if len(expected) != 1:
        return None
    if given is None:
        return wrong("I cannot tell whether you mean true or false; please say which.", confident=False)
    said = "true" if given else "false"
    return (
        right(f"Yes, {said} is right.")
        if given in expected
        else wrong(f"You said {said}, and that is not right here.")
    )


def _not_chosen(answer: str, chosen: set[int], keyed: set[int], options: Sequence[str]) -> Grade:
    if _conflict(answer, options):
        return wrong(
            "The letter and the text you gave belong to different options; which one do you mean?",
            confident=False,
        )
    if len(chosen) > len(keyed):
        hit = 0.3 if keyed <= chosen else 0.0
        return wrong("You named more options than are right; only the right ones count.", score=hit)
    if chosen < keyed:
        return wrong(
            "That is part of it, but more than one option is right.", score=len(chosen) / len(keyed) / 2
        )
    return wrong("That is not the right option.")


def _untold(answer: str, keyed: set[int], options: Sequence[str]) -> Grade:
    words = _key(answer).split()
    if len(words) == 1 and len(words[0]) <= 2:
        return wrong("There is no option with that label; answer with one of the options shown.")
    said = set(words)
    hits = [len(said & set(_key(option).split())) for option in options]
    if max(hits) and all(hits[index] < max(hits) for index in keyed):
        return wrong(
            "What you wrote is closer to another option; answer with a letter to be sure.", confident=False
        )
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
    trimmed = " ".join(text.split()).strip(" .!?\"'")
    if len(trimmed) > _LABEL_ROOM or "none of" in trimmed:
        return set()
    if _ALL.search(trimmed):
        return set(range(len(options)))
    one = _LABEL.fullmatch(trimmed) or _LABEL_AND_TEXT.fullmatch(trimmed)
    several = _ANY_LABEL.findall(trimmed) if _SEVERAL.fullmatch(trimmed) else []
    labels = [one[1]] if one and not several else several or _NAMED.findall(trimmed)
    return {index for label in labels for index in _index(label, options)} or _by_order(trimmed, options)


def _by_order(text: str, options: Sequence[str]) -> set[int]:
    if len(text.split()) > 6:
        return set()
    if _LAST.search(text):
        return {len(options) - 1}
    ends = r"(?: (?:one|option|answer|choice))?$"
    return {
        number for number, word in enumerate(_ORDINALS[: len(options)]) if re.search(rf"\b{word}{ends}", text)
    }


def _index(label: str, options: Sequence[str]) -> set[int]:
    index = int(label) - 1 if label.isdigit() else _LETTERS.index(label)
    return {index} if 0 <= index < len(options) else set()


def _by_text(text: str, keys: Sequence[str]) -> set[int]:
    said = f" {_key(_ONE_OF_THEM.sub('', text))} "
    if any(f" {word} " in f" {clean(text)} " for word in NEGATORS) and not any(
        _has_negator(key) for key in keys
    ):
        return set()
    inside = {index for index, key in enumerate(keys) if key and f" {key} " in said}
    inside = {
        index
        for index in inside
        if not any(index != other and f" {keys[index]} " in f" {keys[other]} " for other in inside)
    }
    if inside:
        return inside
    part = {index for index, key in enumerate(keys) if said.strip() and said in f" {key} "}
    if len(part) == 1:
        return part
    words = set(said.split())
    only = [
        words & (set(key.split()) - {w for other in keys if other != key for w in other.split()})
        for key in keys
    ]
    named = {index for index, found in enumerate(only) if found}
    return named if len(named) == 1 and len(words) <= 12 else set()


def _conflict(answer: str, options: Sequence[str]) -> bool:
    found = _LABEL_AND_TEXT.match(clean(answer).strip(" .!?\"'"))
    by_text = _by_text(found[2], [_key(option) for option in options]) if found else set()
    return bool(found and by_text and by_text != _index(found[1], options))


@lru_cache(maxsize=256)
def _key(text: str) -> str:
    words = re.findall(r"[^\W_]+", re.sub(r"^[(\[]?[a-j][)\].:]\s+", "", clean(text).strip()))
    kept = [word for word in words if word not in STOP] or words
    return " ".join(stem(word) for word in kept)


def _has_negator(key: str) -> bool:
    return any(word in NEGATORS for word in key.split())


def _verdict(text: str) -> bool | None:
    words = re.findall(r"[a-z0-9]+", clean(text))
    for at, word in enumerate(words):
        if word in TRUE or word in FALSE:
            if word in {"no", "n"} and at + 1 < len(words) and words[at + 1] in {"idea", "clue"}:
                return None
            turned = any(before in {"not", "never"} for before in words[max(0, at - 3) : at])
            return (word in TRUE) != turned
    return None


_SEPARATOR = re.compile(
    r"\s*(?:->|→|=>|>|,|;|\n|\bthen\b|\bfollowed by\b|\bbefore\b|\band finally\b|\bfinally\b|\|)\s*"
)
_NUMBERING = re.compile(
    r"^\s*(?:\d+[.)]\s+|(?:and|first|second|third|fourth|fifth|next|last|lastly|comes)\b[\s:,]*)+"
)
_STEP_LABEL = re.compile(r"^[(\[]?([a-z]|\d{1,2})[)\].:]?$")


def grade_ordering(answer: str, references: Sequence[str], options: Sequence[str]) -> Grade | None:
    """The share of pairs in the right order; right only when all are."""
    best: tuple[float, bool, bool] | None = None
    for reference in references:
        expected = _sequence(reference, options)
        if len(expected) < 2:
            continue
        given = _sequence(answer, options or _parts(reference))
        wanted = expected if options else list(range(len(expected)))
        # All items in an order that is wrong throughout is an order, too.
        found = (_in_order(given, wanted), given == wanted, sorted(given) == sorted(wanted))
        best = max(best or found, found)
    if best is None:
        return None
    share, exact, complete = best
    if exact:
        return right("All in the right order.")
    if share == 0 and not complete:
        return wrong(
            "I cannot find the order in your answer; list the items from first to last.",
            confident=False,
        )
    return wrong(
        "Not quite the right order yet: some items come too early or too late.", score=min(0.9, share) / 2
    )


def _sequence(text: str, items: Sequence[str]) -> list[int]:
    """The items a text lists, as their numbers; without items, the parts themselves in order."""
    parts = _parts(text)
    if not items:
        return list(range(len(parts)))
    labels = _labels(parts, len(items))
    if labels:
        return labels
    written_out = _written_out(text, items)
    # An item may hold a comma of its own, so what is written out in full is looked for before the text is cut.
    if len(written_out) == len(items) and not _overlap(items):
        return written_out
    by_text = [_item(part, items) for part in parts]
    if len(parts) > 1 and None not in by_text:
        return [index for index in by_text if index is not None]
    return written_out


def _written_out(text: str, items: Sequence[str]) -> list[int]:
    """The items that a text has word for word, in its order."""
    said = _step_key(text)
    places = sorted(
        (place, index) for index, item in enumerate(items) if (place := said.find(_step_key(item))) >= 0
    )
    return [index for _, index in places]


def _overlap(items: Sequence[str]) -> bool:
    keys = [_step_key(item) for item in items]
    return any(one in other for one in keys for other in keys if one is not other)


def _parts(text: str) -> list[str]:
    """A, B, C; 1. x 2. y; first x then y; also BAC and 'B A C'."""
    cleaned = " ".join(
        clean(text.replace("\n", ";")).split()
    )  # long gaps would take the separator's pattern long
    parts = [_NUMBERING.sub("", part).strip(" .") for part in _SEPARATOR.split(cleaned)]
    parts = [part for part in parts if part]
    if len(parts) == 1 and all(len(word) == 1 for word in parts[0].replace("-", " ").split()):
        return parts[0].replace("-", " ").split()
    if (
        len(parts) == 1
        and re.fullmatch(r"[a-h]{2,8}|[1-9]{2,9}", parts[0])
        and len(set(parts[0])) == len(parts[0])
    ):
        return list(parts[0])
    return parts


def _labels(parts: Sequence[str], count: int) -> list[int]:
    found = [_STEP_LABEL.match(part) for part in parts]
    if not all(found):
        return []
    numbers = [
        int(match[1]) - 1 if match[1].isdigit() else ord(match[1]) - ord("a") for match in found if match
    ]
    return numbers if all(0 <= number < count for number in numbers) else []


def _item(part: str, items: Sequence[str]) -> int | None:
    said = _step_key(part)
    exact = [index for index, item in enumerate(items) if _step_key(item) == said]
    partly = [
        index
        for index, item in enumerate(items)
        if said and (said in _step_key(item) or _step_key(item) in said)
    ]
    return exact[0] if exact else partly[0] if len(partly) == 1 else None


def _in_order(given: Sequence[int], wanted: Sequence[int]) -> float:
    pairs = list(combinations(wanted, 2))
    place = {item: number for number, item in enumerate(given)}
    kept = sum(first in place and second in place and place[first] < place[second] for first, second in pairs)
    return kept / len(pairs)


def _step_key(text: str) -> str:
    return " ".join(
        stem(word) for word in re.findall(r"[^\W_]+", clean(text)) if word not in {"the", "a", "an"}
    )
