"""What an answer must have, by the form of its question: a name, a year, a number, the thing itself."""

import re
from collections.abc import Sequence

from agents.coordinator.question import Question, without_setting
from agents.tutor.defining import ABOUT, defines, mentions
from agents.tutor.reading import Unit, read_all
from agents.tutor.wording import contains_phrase, content_stems, content_words, is_generic, stem, stems
from rag.results import RetrievalResult

_LONGEST_NAME = 2  # content words; more are a description, whose words are looked for one by one
_AUXILIARY = r"(?:is|are|was|were|do|does|did|can|could|should|will|would|has|have|must|may)"
_THING = re.compile(
    rf"^(?:(?:on|in|at|by|from|to|for|with|under) )?(?:what|which) (?!{_AUXILIARY}\b)(?P<x>(?:[\w-]+ ){{0,2}}[\w-]+) {_AUXILIARY}\b",
    re.IGNORECASE,
)
_THING_WORD = re.compile(rf"^(?:what|which) (?!{_AUXILIARY}\b)(?P<x>[\w-]+)\b", re.IGNORECASE)
_HOW_TO = re.compile(
    r"^(?:show me )?how (?:do|does|can|could|should|would|might) (?:i|you|we|one) |^how to ", re.IGNORECASE
)
_DOES_WHAT = re.compile(r"^what (?:does|do|did) .+ (?P<x>[a-z]+)$", re.IGNORECASE)
MADE_BY = re.compile(
    r"^(?:who|(?:which|what) (?:company|firm|person|team|organi[sz]ation|vendor)) (?:\w+ )?"
    r"(?:wrote|made|makes?|creat\w*|develop\w*|built|builds|design\w*|publish\w*)\b",
    re.IGNORECASE,
)
BY_NAME = re.compile(r"\bby\s+(?:the\s+)?(?P<name>[A-Z]\w+)")
_DATED = re.compile(r"^(?:when (?:was|were|did)|(?:in |since )?(?:what|which) year)\b", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:1[0-9]|20)\d\d\b")
_COUNTED = re.compile(
    rf"^(?:by |at |to |for |after )?how (?:many|much) (?!{_AUXILIARY}\b)(?P<x>[\w -]*?)(?= {_AUXILIARY}\b| (?:of|in|with|for|per)\b|$)",
    re.IGNORECASE,
)
# A course shows a command or a file without calling it one each time.
_CATEGORIES = frozenset(
    [
        "command",
        "file",
        "folder",
        "attribute",
        "variable",
        "function",
        "tag",
        "tool",
        "program",
        "parameter",
        "format",
    ]
)
_NEAR = 3  # words after a number within which the thing counted comes
_AMOUNT = re.compile(
    r"\b(?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|hundreds?|thousands?|several|any number of|no)\b|\$[^$]+\$",
    re.IGNORECASE,
)
_ANY_NUMBER = re.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twice|half|once|forever|milliseconds?|square)\b",
    re.IGNORECASE,
)


def indispensable(asked: Question) -> set[str]:
    """Words without which it would be another question: what is asked for, or what is to be done."""
    if asked.kind in ("definition", "purpose") and asked.focus:
        return set(content_words(without_setting(asked.focus[0])))
    if thing := _THING.match(asked.text) or _THING_WORD.match(asked.text):
        return _telling(thing["x"])
    if verb := verb_of_how_to(asked):
        return _telling(verb)
    if doing := _DOES_WHAT.match(asked.text):
        return _telling(doing["x"])
    return set()


def verb_of_how_to(asked: Question) -> str:
    """What is to be done: 'encrypt' in 'how do I encrypt topics'."""
    if not _HOW_TO.match(asked.text):
        return ""
    return next(iter(content_words(_HOW_TO.sub("", asked.text))), "")


def _telling(text: str) -> set[str]:
    return {word for word in content_words(text) if not is_generic(word) and word not in _CATEGORIES}


def gives_what_is_asked(asked: Question, results: Sequence[RetrievalResult]) -> bool:
    """Whether the passages have the kind of thing that the question asks for."""
    units = read_all(results)
    subject = {stem(word) for word in asked.subject_words}
    about = [unit for unit in units if unit.stems & subject]
    if MADE_BY.match(asked.text):
        names = [match["name"] for unit in about for match in BY_NAME.finditer(unit.text)]
        return any(stem(name.lower()) not in subject for name in names)
    if _DATED.match(asked.text):
        return any(_YEAR.search(unit.text) for unit in about)
    if asked.kind == "quantity":
        return _has_amount(asked, about, subject)
    if asked.kind == "definition" and asked.focus:
        return is_explained(
            without_setting(asked.focus[0]), [unit.text for unit in units if not unit.is_block], results
        )
    return _stand_together(asked, about, subject)


def _has_amount(asked: Question, about: Sequence[Unit], subject: set[str]) -> bool:
    """A number of the thing that is counted, or any number where the question's last word and half of it stand."""
    counted = _COUNTED.match(asked.text)
    nouns = {stem(word) for word in _telling(" ".join(counted["x"].split()[:2]))} if counted else set()
    if nouns:
        others = subject - nouns
        near = [unit for unit in about if not others or unit.stems & others]
        return any(nouns & set(_after_number(unit.text)) for unit in near)
    last = {stem(word) for word in asked.words[-1:] if not is_generic(word)}
    half = [unit for unit in about if 2 * len(unit.stems & subject) >= len(subject) and last <= unit.stems]
    return any(_ANY_NUMBER.search(unit.text) for unit in half)


def _after_number(text: str) -> list[str]:
    """The words that come right after a number."""
    return [word for match in _AMOUNT.finditer(text) for word in stems(text[match.end() :])[:_NEAR]]


def _stand_together(asked: Question, about: Sequence[Unit], subject: set[str]) -> bool:
    """Whether what is asked for stands in one paragraph with something else of the question."""
    wanted = {stem(word) for word in indispensable(asked)}
    others = subject - wanted
    if not wanted or not others or not (_THING.match(asked.text) or _THING_WORD.match(asked.text)):
        return True
    paragraphs: dict[tuple[str, int], set[str]] = {}
    for unit in about:
        paragraphs.setdefault((unit.source.chunk_id, unit.paragraph), set()).update(unit.stems)
    for unit in about:
        said = paragraphs[unit.source.chunk_id, unit.paragraph]
        if wanted <= said and others & (said | content_stems(unit.source.place)):
            return True
    return False


def is_explained(name: str, sentences: Sequence[str], results: Sequence[RetrievalResult]) -> bool:
    """Whether the course says something of the thing, rather than mention it on the way."""
    words = content_words(name)
    if len(words) > _LONGEST_NAME:
        return True
    headings = [stems(heading) for result in results for heading in result.heading_hierarchy]
    if any(contains_phrase(heading, stems(name)) for heading in headings):
        return True
    if len(words) > 1:  # two words side by side are no accident
        return any(mentions(sentence, name) for sentence in sentences)
    kind_of = re.compile(rf"\b(?:such as|called|like) (?:an? |the )?[`*]*{re.escape(name)}\b", re.IGNORECASE)
    return any(defines(sentence, name) >= ABOUT or kind_of.search(sentence) for sentence in sentences)
