"""Reading positions out of plain words: "task 2", "#3", "the last one", "1, 2 and 5", "the first two"."""

import re
from collections.abc import Iterator

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
