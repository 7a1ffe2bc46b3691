"""Which task a learner means, from what this conversation has shown and spoken of."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import snowballstemmer
from rapidfuzz import fuzz

_NUMBER_WORDS = "one two three four five six seven eight nine ten"
_ORDINAL_WORDS = "first second third fourth fifth sixth seventh eighth ninth tenth"
_NUMBERS = {word: number for number, word in enumerate(_NUMBER_WORDS.split(), 1)}
_ORDINALS = {word: number for number, word in enumerate(_ORDINAL_WORDS.split(), 1)}
_MOST_AT_ONCE = 200
MOST_CHARACTERS = 2000  # whoever points at a task needs fewer

# A number that goes on, "2.5", "10:30", "50%", "3D", is part of another thing.
_LISTED = rf"(?:\d{{1,3}}|{'|'.join(_NUMBERS)})(?![\w%]|[.,:/]\d)"
_HEAD = r"(?:tasks?|items?|numbers?|no\.|nr\.?|to-?dos?|entry|entries|options?|reminders?)"
_SEPARATOR = r"\s*(?:,\s*and|,|and|&|\+|plus|-|–|—|through|thru)\s*"
_LIST = rf"{_LISTED}(?:{_SEPARATOR}(?:{_HEAD}\s*)?#?{_LISTED})*"
_RANGE_WORD = re.compile(
    r"\b(?P<head>tasks|items|numbers|from|to-?dos)(?P<low>\s+\d+)\s+(?:to|till|until)\s+(?=\d)"
)
_RANGE = re.compile(
    rf"(?P<low>{_LISTED})\s*(?:-|–|—|through|thru)\s*#?(?P<high>{_LISTED})|(?P<single>{_LISTED})"
)

_FROM_END = r"(?:second|next)[ -]to[ -](?:the )?last|penultimate|(?:one )?before (?:the )?last|last but one"
_ORDINAL = rf"(?:{_FROM_END}|last|final|former|latter|\d{{1,2}}(?:st|nd|rd|th)|{'|'.join(_ORDINALS)})"
_NOUN = rf"(?:ones?|{_HEAD}|thing|on (?:the|my|that|your) list)\b"
# Alone, an ordinal is a reference only where no other noun follows: "the first is done", not "the first aid kit".
_NO_NOUN = (
    r"(?=\s*(?:$|[,.;:!?)&]|(?:and|or|as|to|is|are|was|were|has|please|pls|off|back|done|till|until|by|due|so|"
    r"for|from|now|too|say)\b))"
)

_SEVERAL = rf"\b(?P<end>first|last)\s+(?P<count>{_LISTED})\b"
_NUMBERED = rf"(?:\b{_HEAD}\s*(?:number\s*)?#?|(?<![\w#])#)\s*(?P<list>{_LIST})"
_ORDERED = rf"\b(?P<ordinal>{_ORDINAL})(?:\s+{_NOUN}|{_NO_NOUN})"
_CLEAR = re.compile(f"{_SEVERAL}|{_NUMBERED}|{_ORDERED}")
_AMOUNT = re.compile(
    rf"(?<!first )(?<!last )\b{_LISTED}\s+(?:more\s+|new\s+)?(?:tasks|items|to-?dos|entries|reminders|of\b)"
)

_COMMANDS = (
    "add change check choose clear close complete completed cancel cross delete deleting deleted did do done drop edit "
    "erase finish finished finishing forget get kill mark marked move pick postpone push remove removed rename "
    "reschedule rid scratch select set snooze strike take tick trash update bin delay"
)
_FILLERS = frozenset(
    f"{_COMMANDS} a about all already an any are as been both can could don't for from go have i i'd i'm i've is "
    "it just let's like list longer mean meant mind more my need no not now off ok okay on out please pls really so "
    "sure task tasks item items number thank thanks that that's the them then think this those to want was were "
    "will with would yeah yes you one ones option oh over again".split()
)
_WORD = re.compile(r"#?\d+(?![\w%]|[.:/]\d)|[^\W\d_][\w'-]*|\d\S*|[,&+–—-]")
_TO_CHANGE = re.compile(
    rf"^\W*(?:(?:please|could you|can you|ok|and)\s+)*(?:update|change|rename|edit|move|postpone|push|reschedule|"
    rf"snooze|delay|set|replace|make|mark|turn)\s+#?(?P<list>{_LIST})\s+(?:to|so|with|until|till|for|by|into|say|due|back)\b"
)
_QUOTED = re.compile(r"\"[^\"]*\"|“[^“”]*”|‘[^‘’]*’|(?<!\w)'[^']*'(?!\w)")


def positions(text: str, *, count: int) -> list[int]:
    """The positions that a text names, in its order; the last of `count` is known by that name too."""
    words = _QUOTED.sub(" ", text.casefold().replace("’", "'"))
    words = _RANGE_WORD.sub(lambda m: f"{m['head']}{m['low']}-", words)
    found = [place for match in _CLEAR.finditer(words) for place in _clear(match, count=count)]
    return list(dict.fromkeys(found or _bare(words)))


def without_fillers(text: str) -> list[str]:
    """What is left of a message when commands, politeness and little words are taken out."""
    return [word for word in _WORD.findall(text.casefold().replace("’", "'")) if word not in _FILLERS]


def _clear(match: re.Match[str], *, count: int) -> Iterator[int]:
    if match["list"]:
        yield from _listed(match["list"])
    elif match["end"]:
        several = min(_value(match["count"]), count)
        yield from range(1, several + 1) if match["end"] == "first" else range(count - several + 1, count + 1)
    elif (place := _ordinal(match["ordinal"], count=count)) > 0:
        yield place


def _bare(words: str) -> list[int]:
    """Numbers without "task" or "#": only where nothing else is said, because "buy 2 apples" is no reference."""
    if match := _TO_CHANGE.match(words):
        return list(_listed(match["list"]))
    if _AMOUNT.search(words):
        return []
    spoken = re.sub(r"(\d)\s+(?:to|till|until)\s+(?=\d)", r"\1-", words)
    rest = re.sub(r"^(?:and|[ ,&+])+|(?:and|[ ,&+])+$", "", " ".join(without_fillers(spoken)))
    if words.strip(" .!?") == "one":
        return [1]
    return list(_listed(rest)) if re.fullmatch(rf"#?{_LIST}|#?{_LISTED}(?:\s+#?{_LISTED})+", rest) else []


def _listed(text: str) -> Iterator[int]:
    for match in _RANGE.finditer(text):
        if match["single"]:
            yield _value(match["single"])
        else:
            low, high = _value(match["low"]), _value(match["high"])
            yield from range(low, min(high, low + _MOST_AT_ONCE) + 1)


def _value(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[word]


def _ordinal(word: str, *, count: int) -> int:
    if word in {"last", "final", "latter"}:
        return count
    if word == "former":
        return 1
    if re.fullmatch(_FROM_END, word):
        return count - 1
    return _ORDINALS[word] if word in _ORDINALS else int(word.rstrip("stndrh"))


_LITTLE_WORDS = "of in at by with and or called named titled saying says about regarding thing stuff"
_LITTLE = frozenset(_LITTLE_WORDS.split())
_SNOWBALL = snowballstemmer.stemmer("english")
_MOST_WORDS = 40
_NEAR = 84  # two of twelve letters wrong still match, "tree" and "three" do not


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownTask:
    """A task that a learner may point at."""

    id: int
    title: str
    done: bool = False
    due_at: datetime | None = None


def match_titles(text: str, tasks: Sequence[KnownTask]) -> Sequence[KnownTask]:
    """The tasks whose titles have most of the words that count; an exact title wins."""
    text = text[:MOST_CHARACTERS]
    named = {_plain(text), _plain(_quoted(text))}
    exact = [task for task in tasks if _plain(task.title) in named]
    if exact:
        return _open_first(exact)
    words = _words(text)[:_MOST_WORDS]
    if not words:
        return []
    shares = {task.id: _share(words, _words(task.title)) for task in tasks}
    best = max(shares.values(), default=0.0)
    if best >= 0.5:
        return _open_first([task for task in tasks if shares[task.id] == best])
    # "the dentist called, so that appointment is off" has more words than the title; the title is in it all the same.
    whole = [task for task in tasks if (title := _words(task.title)) and _share(title, words) == 1]
    return _open_first(whole)


def _open_first(tasks: Sequence[KnownTask]) -> Sequence[KnownTask]:
    """Only those not done, unless all are: nobody completes or moves what is done already."""
    return [task for task in tasks if not task.done] or tasks


def _share(words: Sequence[str], title: Sequence[str]) -> float:
    return sum(any(_same(word, other) for other in title) for word in words) / len(words)


def _same(word: str, other: str) -> bool:
    if word == other:
        return True
    return min(len(word), len(other)) >= 5 and fuzz.ratio(word, other) >= _NEAR


def _words(text: str) -> list[str]:
    return [_stem(word) for word in without_fillers(text) if word not in _LITTLE and re.search(r"\w", word)]


def _stem(word: str) -> str:
    return str(_SNOWBALL.stemWord(word.lstrip("#")))


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _quoted(text: str) -> str:
    opening = re.search(r"[\"“‘']", text)
    closing = max(text.rfind(mark) for mark in "\"”’'")
    return text[opening.end() : closing] if opening and closing > opening.end() else text


__all__ = [
    "KnownTask",
    "Reference",
    "match_titles",
    "read_reference",
    "resolve_many",
    "resolve_task_reference",
]

_OF_THEM = re.compile(
    rf"\b(?:all(?: of)? (?:them|those|these)(?: {_HEAD})?|(?:them|those|these) all|all of it|it all)\b",
    re.IGNORECASE,
)
_KIND = r"(?:(?:my|the|of|completed|done|finished|open|pending|overdue|remaining) )"
_EVERYTHING = re.compile(
    rf"\b(?:everything|every(?: single)? (?:task|item|one)|all {_KIND}*(?:tasks|items|to-?dos|reminders|ones)|"
    r"(?:clear|empty|wipe|delete|erase|remove) (?:my |the )?(?:whole |entire )?(?:to-?do |task )?list)\b",
    re.IGNORECASE,
)
_POINTING = re.compile(r"\b(?:it|that|this|that's|it's|same)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """What a text points at: positions of the last list, everything, or the task last spoken of."""

    positions: tuple[int, ...] = ()
    everything: bool = False
    of_them: bool = False  # everything that the last list shows
    last_spoken_of: bool = False


def read_reference(text: str, *, count: int) -> Reference:
    """Read what a text points at; `count` is how many tasks the last list had."""
    text = text[:MOST_CHARACTERS]
    # Of three tasks nobody means "both".
    if count == 2 and re.search(r"\bboth\b", text, re.IGNORECASE):
        return Reference(positions=(1, 2), everything=True)
    if _OF_THEM.search(text) or text.casefold().strip(" .!") == "all":
        return Reference(everything=True, of_them=True)
    if _EVERYTHING.search(text):
        return Reference(everything=True)
    found = positions(text, count=count)
    if found:
        return Reference(positions=tuple(found))
    said = set(without_fillers(text)) - {"and"}
    return Reference(last_spoken_of=bool(_POINTING.search(text)) and not said)


def resolve_task_reference(metadata: Mapping[str, Any], text: str) -> int | None:
    """The id of the one task that a text means, or None: of several, none is guessed."""
    shown = _shown(metadata)
    reference = read_reference(text, count=len(shown))
    if reference.last_spoken_of:
        return _last(metadata)
    if reference.everything:
        return next(iter(shown.values())) if len(shown) == 1 else None
    return shown.get(reference.positions[0]) if len(reference.positions) == 1 else None


def resolve_many(metadata: Mapping[str, Any], text: str) -> list[int]:
    """The ids of all tasks that a text means; positions that the last list did not have are left out."""
    shown = _shown(metadata)
    reference = read_reference(text, count=len(shown))
    if reference.everything:
        return list(shown.values())
    if reference.last_spoken_of:
        last = _last(metadata)
        return [] if last is None else [last]
    return [shown[place] for place in reference.positions if place in shown]


def _shown(metadata: Mapping[str, Any]) -> dict[int, int]:
    """Position to id, in the order of the list; what is not a position of a task is left alone."""
    references = metadata.get("task_references") or {}
    places = sorted(filter(_is_position, references), key=int)
    return {int(place): references[place] for place in places if type(references[place]) is int}


def _is_position(key: Any) -> bool:
    return isinstance(key, str) and key.isascii() and key.isdigit()


def _last(metadata: Mapping[str, Any]) -> int | None:
    """The task that was last spoken of, or else that the last tool call was about."""
    task_id = metadata.get("task_spoken_of") or (metadata.get("last_tool_parameters") or {}).get("task_id")
    return task_id if isinstance(task_id, int) else None
