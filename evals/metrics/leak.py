"""Whether a question gives its own answer away before it is answered."""

import re
from collections.abc import Iterable

from agents.teaching.evidence import LedgerRow
from evals.metrics.heard import SOURCES
from evals.metrics.scoring import Turn, metric

_QUESTION = re.compile(r"\*\*Question \d+(?: of|, at most) \d+\*\*")
_TRUE_OR_FALSE = re.compile(r"true or false", re.IGNORECASE)
_OPTION = re.compile(r"\s*[A-Z]\)\s")
_WORD = re.compile(r"[^\W_]+")


def judge(turn: Turn) -> list[str] | None:
    """Neither the question as it is shown nor a hint or remark beside it holds the key."""
    pending = [answer for answer in _answered_later(turn) if _is_shown(answer, turn.heard.text)]
    if not pending:
        return None
    return [
        f"“{answer.expected_answer}” is given away in: {text}"
        for answer in pending
        for text in _beside(answer, turn)
        if _says(text, answer)
    ]


def _answered_later(turn: Turn) -> Iterable[LedgerRow]:
    later = turn.conversation.turns[turn.index + 1 :]
    return (answer for stored in later for answer in stored.answers if answer.action == "answer")


def _is_shown(answer: LedgerRow, text: str) -> bool:
    return _squeezed(answer.question_text) in _squeezed(text)


def _beside(answer: LedgerRow, turn: Turn) -> Iterable[str]:
    """The question without its options, and what was said with it; a lesson or a cited answer is for learning from."""
    for message in turn.heard.messages:
        before, *shown = _QUESTION.split(message.text)
        if shown and _is_shown(answer, shown[-1]):
            yield _without_options(shown[-1])
            if message.author == "coordinator" and SOURCES not in before:
                yield before


def _without_options(text: str) -> str:
    """An option is no leak; the same question may be asked with options now and without them later."""
    return "\n".join(line for line in text.splitlines() if not _OPTION.match(line))


def _says(text: str, answer: LedgerRow) -> bool:
    if answer.kind == "true_false":
        text = _TRUE_OR_FALSE.sub("", text)
    key, words = _words(answer.expected_answer), _words(text)
    return bool(key) and any(words[at : at + len(key)] == key for at in range(len(words)))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _squeezed(text: str) -> str:
    return " ".join(text.split())


no_answer_leak = metric(judge)
