"""The first half of a sentence, to be gone on with from memory."""

import re
from collections.abc import Iterator, Sequence

from agents.language.words import content_set
from agents.teaching.questions import memory
from agents.teaching.questions.base import DraftQuestion, PassageReading

_FEWEST_WORDS, _FEWEST_BEFORE = 11, 5  # of the sentence, and of its first half
_ENOUGH_NAMED = 2
_OPEN = re.compile(r"\b(?:he|she|they|it|this|these|those|such|them|er|sie|es|dies\w*)\b", re.IGNORECASE)
_SPEAKS_OF_US = re.compile(
    r"\b(?:we|we'\w+|we’\w+|us|our|let's|let’s|wir|uns|unser\w*|in (?:this|that) case)\b", re.IGNORECASE
)
_JOINTS = frozenset(
    "because that which who when where while so to by for if unless until whereas and but or than into with "
    "weil dass die der das wenn wo während um durch für und aber oder als mit".split()
)


_DATE = re.compile(r"\b(?:1\d|20)\d\d\b")
_WEAK = frozenset(("and", "or", "und", "oder"))


def write(reading: PassageReading) -> Iterator[DraftQuestion]:
    for sentence in reading.thoughts:
        words = sentence.text.split()
        middle = _middle(words)
        is_date = _DATE.search(" ".join(words[middle:]))  # and dates are nothing to know by heart
        if (
            middle
            and not is_date
            and not _is_open(words[:middle])
            and not _SPEAKS_OF_US.search(sentence.text)
        ):
            yield DraftQuestion(
                kind="recall",
                difficulty="medium",
                text=f"Close the text and finish this sentence: “{' '.join(words[:middle])} …” Then compare.",
                answer=sentence.text,
                concept=reading.concept_of(sentence.text),
                source=sentence.source,
            )


def _is_open(words: Sequence[str]) -> bool:
    """Whether a word stands for something that the words before it do not name."""
    named = 0
    for word in words:
        if _OPEN.fullmatch(word.strip(",;")) and named < _ENOUGH_NAMED:
            return True
        named += bool(content_set(word))
    return False


def _middle(words: Sequence[str]) -> int:
    """Where a sentence can be cut so that the second half is what there is to know; 0 when nowhere."""
    if len(words) < _FEWEST_WORDS:
        return 0
    third = len(words) // 3
    places = range(max(_FEWEST_BEFORE, third), len(words) - third)
    joints = [
        at for at in places if words[at].lower().strip("(") in _JOINTS and not words[at - 1].endswith(",")
    ]
    joints = joints or [at for at in places if words[at - 1].endswith(",")]
    # What comes after 'and' is often only one more of the same.
    return min(joints, key=lambda at: (words[at].lower() in _WEAK, abs(at - len(words) // 2)), default=0)


KIND = memory.kind("finish", write)
