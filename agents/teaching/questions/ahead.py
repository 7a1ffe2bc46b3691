"""What is said about one question must not answer another that is still open or to come."""

import re
from collections.abc import Collection, Iterator

from agents.language.words import TermFinder, contains_phrase, term_key, words_of
from agents.teaching.values import QuizQuestion

GAP = "____"
_NO_WORDS = ("true_false", "ordering", "several")  # their keys are no words that a text could say
_SHORT = 2  # letters; as short a key is looked for as a word only


def is_said(question: QuizQuestion, text: str) -> bool:
    """Whether a text names the answer to a question, however inflected."""
    if question.kind in _NO_WORDS:
        return False
    answer = question.expected_answer.strip()
    found = contains_phrase(words_of(text), term_key(answer))
    return found or (len(answer) > _SHORT and answer.lower() in text.lower())


def without_keys(text: str, ahead: Collection[QuizQuestion]) -> str:
    """The text with a gap wherever it names the answer to one of these questions."""
    asked = [question for question in ahead if is_said(question, text)]
    if not asked:
        return text
    shown, end = "", 0
    for start, stop in sorted(_places(text, asked)):
        if start >= end:
            shown += text[end:start] + GAP
        end = max(end, stop)
    return shown + text[end:]


def _places(text: str, asked: Collection[QuizQuestion]) -> Iterator[tuple[int, int]]:
    finder = TermFinder(key for each in asked if (key := term_key(each.expected_answer)))
    yield from ((start, stop) for _, start, stop in finder.spans(text))
    for each in asked:
        answer = each.expected_answer.strip()
        if len(answer) > _SHORT:
            yield from (found.span() for found in re.finditer(re.escape(answer), text, re.IGNORECASE))
