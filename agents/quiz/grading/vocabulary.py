"""The word lists of vocabulary.txt, by name."""

from collections.abc import Mapping
from importlib.resources import files


def _read() -> Mapping[str, list[str]]:
    lists: dict[str, list[str]] = {}
    name = ""
    for line in files(__package__).joinpath("vocabulary.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            name = line.strip("[]")
        elif line and not line.startswith("#"):
            lists.setdefault(name, []).extend(line.split())
    return lists


_LISTS = _read()

STOP = frozenset(_LISTS["stop"])
LIGHT = frozenset(_LISTS["light"])
NEGATORS = frozenset(_LISTS["negators"])
NEGATING_STEMS = frozenset(_LISTS["negating_stems"])
PRONOUNS = frozenset(_LISTS["pronouns"])
CLAUSE_WORDS = frozenset(_LISTS["clause_words"])
PASSING = frozenset(_LISTS["passing"])
LABELLED = frozenset(_LISTS["labelled"])
AFTER_LABEL = frozenset(_LISTS["after_label"])
UNSTEMMED = frozenset(_LISTS["unstemmed"])
TRUE = frozenset(_LISTS["true"])
FALSE = frozenset(_LISTS["false"])
CLOZE_FILLER = frozenset(_LISTS["cloze_filler"])
ABOUT = frozenset(_LISTS["about"])
IRREGULAR = dict(pair.split(":") for pair in _LISTS["irregular"])
NUMBER_WORDS = dict(pair.split(":") for pair in _LISTS["number_words"])
