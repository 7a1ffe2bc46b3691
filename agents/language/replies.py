"""Short replies that say all: yes, no, 'b', 'the second one'."""

import re

from agents.language.grams import tokens
from agents.language.understanding import read

_YES = frozenset(
    "y ya yea yeah yep yes yup ok okay k kk sure certainly absolutely definitely indeed exactly agreed correct right true aye affirmative gladly".split()
)
_NO = frozenset(
    "n no nah nay nope non never none not don't dont cancel abort stop wait neither false wrong incorrect nevermind".split()
)
_AROUND = frozenset(
    "i i'm it it's that that's this is was do did does it the a an to of and so just really all now then please pls thanks thank you "
    "course go ahead let let's us for me my mine think guess say said would want like sounds good fine great perfect ready keep leave alone mind "
    "at yet already well oh um uh hmm hm lol tbh maybe probably of be must actually very much there here one them on with".split()
)  # fmt: skip
_VERDICTS = frozenset("yes yeah yep no nope not".split())
_SIGNS = {"👍": "yes", "✅": "yes", "👌": "yes", "💯": "yes", "👎": "no", "❌": "no"}
_MOST_WORDS = 9
_SURE = 0.6
_PLACES = {
    "first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "sixth": 5, "last": -1,
    "1st": 0, "2nd": 1, "3rd": 2, "4th": 3, "5th": 4,
    "one": 0, "two": 1, "three": 2, "four": 3, "five": 4, "six": 5,
}  # fmt: skip
_LETTERS = "abcdefgh"
_AROUND_A_PICK = frozenset(
    "the option answer choice number letter pick choose take i'd i i'll go with say think it's it is its must be my would please maybe probably let's do one no um hmm".split()
)
_MARK = re.compile(r"^[^\w]+$")


def yes_or_no(message: str) -> bool | None:
    """True, False, or None where the message says neither, or something else besides."""
    for sign, word in _SIGNS.items():
        message = message.replace(sign, f" {word} ")
    words = [word for word in tokens(message) if not _MARK.match(word)]
    if not words or len(words) > _MOST_WORDS:
        return None
    if any(word not in _YES and word not in _NO and word not in _AROUND for word in words):
        return None
    # A no anywhere wins: 'wait, don't', 'ok no'.
    if not _NO.isdisjoint(words):
        return False
    return True if not _YES.isdisjoint(words) or _accepts(words) else None


def likely_yes_or_no(message: str) -> bool | None:
    """The same in any words, as a reply to a proposal; None where something else is likelier."""
    verdict = yes_or_no(message)
    if verdict is not None:
        return verdict
    action, chance = read(message, place="offer").actions[0]
    return {"yes": True, "no": False}.get(action) if chance >= _SURE else None


def verdict_on_own_answer(message: str) -> bool | None:
    """Whether learners call their own answer right: 'Yes, it did' and 'no, not at all', whatever follows."""
    first = next(iter(tokens(message)), "")
    if first in _VERDICTS:
        return first in _YES
    return likely_yes_or_no(message)


def _accepts(words: list[str]) -> bool:
    text = " ".join(words)
    return any(
        text.startswith(opening)
        for opening in ("go ahead", "of course", "please do", "let's", "sounds good", "do it")
    )


def picked(message: str, *, count: int) -> int | None:
    """Which of so many things a message picks by letter, number or place, and nothing else; counted from 0."""
    words = [word for word in tokens(message) if not _MARK.match(word)]
    if not words or len(words) > _MOST_WORDS or not count:
        return None
    picks = [place for word in words if (place := _place(word, alone=len(words) == 1)) is not None]
    rest = [word for word in words if _place(word, alone=len(words) == 1) is None]
    if len(picks) == 2 and words[-1] == "one":  # 'the second one'
        picks = picks[:1]
    if len(picks) != 1 or any(word not in _AROUND_A_PICK for word in rest):
        return None
    place = count - 1 if picks[0] == -1 else picks[0]
    return place if 0 <= place < count else None


def _place(word: str, *, alone: bool) -> int | None:
    if word in _PLACES:
        return _PLACES[word]
    if word.lstrip("#").isdigit() and len(word) <= 3:
        return int(word.lstrip("#")) - 1
    # 'a' and 'i' are words, too.
    if len(word) == 1 and word in _LETTERS and (alone or word != "a"):
        return _LETTERS.index(word)
    return None
