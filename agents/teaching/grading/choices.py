"""Options by letter, number, order or text; true or false; and the order of several."""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import combinations

from agents.teaching.grading.grade import Grade, right, wrong
from agents.teaching.grading.words import FALSE, NEGATORS, STOP, TRUE, clean, stem

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_AROUND_A_LABEL = frozenset(
    "i think guess say choose pick chose would believe it its is are that my the correct right best answer answers option "
    "options choice letter letters number be must should maybe probably definitely one please both either and or".split()
)
_BETWEEN_STEPS = frozenset(
    "and then first second third fourth fifth next last lastly finally comes followed by before".split()
)
_WHY = re.compile(r"\b(?:because|since)\b.*", re.DOTALL)
_LABEL_AND_TEXT = re.compile(r"[(\[]?([a-z]|\d{1,2})[)\].:,-]\s*(.+)")
_NAMED = re.compile(r"\b(?:option|answer|choice|letter|number)s?(?: is| are|:)? ?[(\[]?([a-z]|\d{1,2})\b")
_ALL = re.compile(r"\b(?:all|both|every ?thing|any) of (?:them|these|the above|those)\b|^(?:all|both)$")
_LABEL_ROOM = 160  # a label stands at the front; longer texts are read by their words


def grade_choice(answer: str, references: Sequence[str], options: Sequence[str]) -> Grade | None:
    """Right when exactly the options of one reference (or of all) are chosen; None when nothing is keyed."""
    keys = [key for reference in references if (key := _chosen(reference, options))]
    if not keys:
        return None
    keyed = set().union(*keys)
    chosen = _chosen(answer, options)
    if not chosen:
        return _untold(answer)
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


def _verdict(text: str) -> bool | None:
    words = re.findall(r"[a-z0-9]+", clean(text))
    for at, word in enumerate(words):
        if word in TRUE or word in FALSE:
            if word == "no" and words[at + 1 : at + 2] in (["idea"], ["clue"]):
                return None
            turned = any(before in {"not", "never"} for before in words[max(0, at - 3) : at])
            return (word in TRUE) != turned
    return None


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


def _untold(answer: str) -> Grade:
    words = _key(answer).split()
    if len(words) == 1 and len(words[0]) <= 2:
        return wrong("There is no option with that label; answer with one of the options shown.")
    return wrong("I cannot tell which option you mean; answer with its letter.", confident=False)


def _chosen(text: str, options: Sequence[str]) -> set[int]:
    """Which options a text names: its whole text first, then labels, then words only one option has."""
    keys = [_key(option) for option in options]
    exact = {index for index, key in enumerate(keys) if key and key == _key(text)}
    return exact if len(exact) == 1 else _by_label(text, len(options)) or _by_text(text, keys)


def _by_label(text: str, count: int) -> set[int]:
    said = " ".join(clean(text).split()).strip(" .!?\"'")
    if len(said) > _LABEL_ROOM:
        return set()
    if _ALL.search(said) and "none of" not in said:
        return set(range(count))
    labels = _labels(_WHY.sub("", said), count, around=_AROUND_A_LABEL)
    if not labels:
        with_text = _LABEL_AND_TEXT.fullmatch(said)
        named = [with_text[1]] if with_text else _NAMED.findall(said)
        labels = [at for label in named if (at := _place(label, count)) is not None]
    return set(labels)


def _labels(text: str, count: int, *, around: Collection[str]) -> list[int]:
    """The places that a text lists by label, in its order; none where it has other words, too."""
    words = re.findall(r"[^\W_]+", text)
    said = [word for word in words if word not in around] or words
    places = [_place(word, count) for word in said]
    return [place for place in places if place is not None] if None not in places else []


def _place(label: str, count: int) -> int | None:
    """'b', '2', 'second' and 'last' as a place among so many, counted from 0."""
    if label.isdecimal():
        place = int(label[:3]) - 1
    elif label in _ORDINALS:
        place = _ORDINALS.index(label)
    else:
        place = count - 1 if label == "last" else ord(label) - ord("a") if len(label) == 1 else -1
    return place if 0 <= place < count else None


def _by_text(text: str, keys: Sequence[str]) -> set[int]:
    """Options that stand in the text whole; else the only one that the text is a part of, or has a word of its own of."""
    words = clean(text).split()
    if not NEGATORS.isdisjoint(words) and NEGATORS.isdisjoint(word for key in keys for word in key.split()):
        return set()
    said = f" {_key(text.strip(' .!?').removesuffix(' one'))} "
    inside = {index for index, key in enumerate(keys) if key and f" {key} " in said}
    if inside:
        return {
            index
            for index in inside
            if not any(index != other and f" {keys[index]} " in f" {keys[other]} " for other in inside)
        }
    part = {index for index, key in enumerate(keys) if said.strip() and said in f" {key} "}
    if len(part) == 1:
        return part
    own = [
        set(said.split())
        & set(key.split()) - {word for other in keys if other != key for word in other.split()}
        for key in keys
    ]
    named = {index for index, found in enumerate(own) if found}
    return named if len(named) == 1 and len(said.split()) <= 12 else set()


def _conflict(answer: str, options: Sequence[str]) -> bool:
    found = _LABEL_AND_TEXT.match(clean(answer).strip(" .!?\"'"))
    by_text = _by_text(found[2], [_key(option) for option in options]) if found else set()
    return bool(found and by_text and by_text != {_place(found[1], len(options))})


@lru_cache(maxsize=256)
def _key(text: str) -> str:
    words = re.findall(r"[^\W_]+", re.sub(r"^[(\[]?[a-j][)\].:]\s+", "", clean(text).strip()))
    return " ".join(stem(word) for word in [word for word in words if word not in STOP] or words)


_SEPARATOR = re.compile(
    r"\s*(?:->|→|=>|>|,|;|\bthen\b|\bfollowed by\b|\bbefore\b|\band finally\b|\bfinally\b|\|)\s*"
)
_NUMBERING = re.compile(
    r"^\s*(?:\d+[.)]\s+|(?:and|first|second|third|fourth|fifth|next|last|lastly|comes)\b[\s:,]*)+"
)


def grade_ordering(answer: str, references: Sequence[str], options: Sequence[str]) -> Grade | None:
    """The share of pairs in the right order; right only when all are."""
    best: tuple[float, bool, bool] | None = None
    for reference in references:
        items = options or _parts(reference)
        wanted, given = _sequence(reference, items), _sequence(answer, items)
        if len(wanted) > 1:
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
            "I cannot find the order in your answer; list the items from first to last.", confident=False
        )
    return wrong(
        "Not quite the right order yet: some items come too early or too late.", score=min(0.9, share) / 2
    )


def _sequence(text: str, items: Sequence[str]) -> list[int]:
    """The places of the items that a text lists: by label ('B, A, C', 'bac'), written out, or part by part."""
    said = clean(text)
    is_run = re.fullmatch(r"\s*[a-z]{2,9}\s*|\s*[1-9]{2,9}\s*", said) and len(said.strip()) == len(items)
    if labels := _labels(" ".join(said) if is_run else said, len(items), around=_BETWEEN_STEPS):
        return labels
    # An item may hold a comma of its own, so what is written out in full is looked for before the text is cut.
    written_out = _written_out(text, items)
    if len(written_out) < len(items):
        by_part = [_item(part, items) for part in _parts(text)]
        if len(by_part) > 1 and None not in by_part:
            return [index for index in by_part if index is not None]
    return written_out


def _written_out(text: str, items: Sequence[str]) -> list[int]:
    """The items that a text has word for word, in its order; of two that overlap the longer one."""
    said, places = _step_key(text), []
    for index in sorted(range(len(items)), key=lambda index: -len(items[index])):
        key = _step_key(items[index])
        if key and (place := said.find(key)) >= 0:
            places.append((place, index))
            said = said.replace(key, "\0" * len(key), 1)
    return [index for _, index in sorted(places)]


def _parts(text: str) -> list[str]:
    """What stands between arrows, commas and 'then', without its numbering."""
    said = " ".join(clean(text.replace("\n", ";")).split())  # long gaps would take the patterns long
    parts = [_NUMBERING.sub("", part).strip(" .") for part in _SEPARATOR.split(said)]
    return [part for part in parts if part]


def _item(part: str, items: Sequence[str]) -> int | None:
    said, keys = _step_key(part), [_step_key(item) for item in items]
    if said in keys:
        return keys.index(said)
    partly = [index for index, key in enumerate(keys) if said and (said in key or key in said)]
    return partly[0] if len(partly) == 1 else None


def _in_order(given: Sequence[int], wanted: Sequence[int]) -> float:
    pairs = list(combinations(wanted, 2))
    place = {item: number for number, item in enumerate(given)}
    kept = sum(first in place and second in place and place[first] < place[second] for first, second in pairs)
    return kept / len(pairs)


def _step_key(text: str) -> str:
    return " ".join(
        stem(word) for word in re.findall(r"[^\W_]+", clean(text)) if word not in {"the", "a", "an"}
    )
