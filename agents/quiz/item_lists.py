"""Items from labelled lists: each label with what the passage says of it, among its neighbours."""

import re
from collections.abc import Iterator

from agents.quiz.item_draft import Draft, Reading
from agents.quiz.item_grammar import is_third_person
from agents.quiz.item_reasons import topic_of
from agents.quiz.item_text import leans, without_marks
from agents.quiz.item_words import content_set, same_text, word_count
from rag.sentences import first_sentence

_ENTRY = re.compile(
    r"^[ \t]*(?:[-*+•]|\d+[.)])[ \t]+(?:\*\*)?(?P<label>[A-Z][^*\n:—–]{1,40}?)(?:\*\*)?\s*(?::| —| –| -)(?:\*\*)?\s+(?P<text>\S[^\n]*)"
    r"(?=\n\s*(?:[-*+•]|\d+[.)])\s|\n\s*\n|\s*\Z)",
    re.MULTILINE,
)
_LABEL = re.compile(
    r"(?!(?:What|How|Why|Who|When|Where|Note|Tip|Example|Step)\b|.*\b[Qq]uiz\b)[A-Z][\w&’' -]{2,40}(?: \([A-Za-z]+\))?"
)
_FEWEST, _MOST_OTHERS = 3, 3
_FEWEST_WORDS, _MOST_WORDS = 5, 30


def list_items(reading: Reading) -> Iterator[Draft]:
    """Which label a description belongs to; only where a list has three or more."""
    entries = [
        (label.strip(), without_marks(first_sentence(text)).rstrip(". "))
        for label, text in _ENTRY.findall(reading.passage.chunk_text)
    ]
    labels = [label for label, _ in entries if _LABEL.fullmatch(label) and word_count(label) <= 5]
    if len(labels) < _FEWEST or len({same_text(label) for label in labels}) < len(entries):
        return
    for place, (label, text) in enumerate(entries):
        concept = reading.book.find(label) or reading.section or topic_of(label, reading)
        if concept is None or not _is_description(text, label):
            continue
        others = [*labels[place + 1 :], *labels[:place]][:_MOST_OTHERS]
        yield Draft(
            kind="multiple_choice",
            difficulty="medium",
            text=_question(reading.lower(text)),
            answer=label,
            concept=concept.name,
            source=f"{label}: {text}",
            basis="list",
            options=(label, *others),
        )


def _question(text: str) -> str:
    if is_third_person(text.partition(" ")[0]) or text.startswith("is "):
        return f"Which of these {text}?"
    return f"Which of these fits this description: “{text}”?"


def _is_description(text: str, label: str) -> bool:
    return (
        _FEWEST_WORDS <= word_count(text) <= _MOST_WORDS
        and not content_set(label) & content_set(text)
        and not leans(text)
        and not re.search(r"[|{}<>\\=\[\]#`]|\*\*|https?:", text)
    )
