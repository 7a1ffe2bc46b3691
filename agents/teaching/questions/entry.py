"""A list of names with what each is: which of them is the one that is described?"""

import re
from collections.abc import Iterator, Sequence

from agents.language.blocks import blocks, items, plain
from agents.language.words import content_set, word_count
from agents.teaching.questions.base import DraftQuestion, Kind, PassageReading

_ENTRY = re.compile(
    r"^\s*(?:[-*+]|\d{1,2}[.)])\s+(?P<names>(?:\*\*|`+)[^*`\n]{1,40}(?:\*\*|`+)(?:(?:,| and| or|,? und) `+[^`\n]{1,40}`+)*)"
    r"\s*(?::|—|–|-(?=\s))\s*(?P<said>\S.*)$",
    re.DOTALL,
)
_FEWEST_ENTRIES, _MOST_OPTIONS = 3, 4
_FEWEST_WORDS, _MOST_WORDS = 3, 24  # of a description


def write(reading: PassageReading) -> Iterator[DraftQuestion]:
    for block in blocks(reading.passage.chunk_text):
        entries = _entries(items(block.text)) if block.kind == "list" else {}
        names = list(entries)
        for at, name in enumerate(names if len(names) >= _FEWEST_ENTRIES else ()):
            others = [*names[at + 1 :], *names[:at]][: _MOST_OPTIONS - 1]
            if not content_set(name) & content_set(entries[name]):
                yield DraftQuestion(
                    kind="multiple_choice",
                    difficulty="easy",
                    text=f"Which of these is described as “{entries[name]}”?",
                    answer=name,
                    concept=reading.concept_of(name, entries[name]),
                    source=f"{name}: {entries[name]}",
                    options=(name, *others),
                    about=f"{name} {reading.headed}",
                )


def _entries(listed: Sequence[str]) -> dict[str, str]:
    """The names of a list and what is said of each; nothing unless all of its items are such."""
    found = [_ENTRY.match(item) for item in listed]
    if not all(found):
        return {}
    said = {plain(each["names"]): plain(each["said"]).rstrip(".") for each in found if each}
    return said if all(_FEWEST_WORDS <= word_count(each) <= _MOST_WORDS for each in said.values()) else {}


KIND = Kind(name="entry", write=write)
