"""Which questions may not be asked: those that say their own answer, or that another one says."""

from collections.abc import Collection

from agents.language.words import content_set, likeness, same_text
from agents.teaching.values import QuizQuestion
from rag.terms import term_key, words_of

_SAME = 0.8
_FEW = 3  # stems of an answer that names a thing
_MOST_KNOWN = 0.85  # of a longer answer


def gives_itself_away(item: QuizQuestion) -> bool:
    """Whether the words of the question lead to the answer; what is said from memory or worked out is not found so."""
    if item.kind in ("true_false", "ordering", "recall", "output"):
        return False
    answer = content_set(item.expected_answer)
    if item.kind != "multiple_choice":
        known = len(answer & content_set(item.question_text))
        return known * 2 >= len(answer) if len(answer) <= _FEW else known >= _MOST_KNOWN * len(answer)
    asked = content_set(item.question_text.replace("-", " "))
    wrong = (content_set(each) for each in item.options if same_text(each) != same_text(item.expected_answer))
    return any(len(word) > _FEW for word in (answer & asked).difference(*wrong))


def is_said(item: QuizQuestion, text: str) -> bool:
    """Whether a text names the answer to an item, as the subject of a test does."""
    if item.kind in ("true_false", "ordering"):
        return False
    key, words = term_key(item.expected_answer), words_of(text)
    return bool(key) and any(tuple(words[at : at + len(key)]) == key for at in range(len(words)))


def is_duplicate(one: QuizQuestion, other: QuizQuestion) -> bool:
    """Whether two items ask the same: by id, by text, or in nearly the same words for the same answer."""
    return (
        one.question_id == other.question_id
        or same_text(one.question_text) == same_text(other.question_text)
        or (
            same_text(one.expected_answer) == same_text(other.expected_answer)
            and likeness(one.question_text, other.question_text) >= _SAME
        )
    )


def answers(one: QuizQuestion, other: QuizQuestion) -> bool:
    """Whether reading one question gives the answer to the other away: both rest on the same sentence."""
    return same_text(one.source_context) == same_text(other.source_context) or (
        likeness(one.source_context, other.source_context) >= _SAME and bool(content_set(one.source_context))
    )


def is_fair(item: QuizQuestion, *, earlier: Collection[QuizQuestion] = (), beside: str = "") -> bool:
    """Whether an item may be asked after the earlier ones; `beside` is what is said around it."""
    return not (
        gives_itself_away(item)
        or is_said(item, beside)
        or any(is_duplicate(item, other) or answers(item, other) for other in earlier)
    )
