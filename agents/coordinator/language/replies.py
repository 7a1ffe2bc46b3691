"""Short replies that say all: yes, no, 'b', 'the second one'."""

import re
from collections.abc import Sequence

from agents.coordinator.language.messages import Message
from agents.coordinator.language.wording import LIGHT, word_set
from rag.terms import words_of

_YES = word_set("""
    yes true correct right absolutely definitely indeed yup exactly oui si ja sim verdadero wahr vrai vero richtig
""")
_AGREED = _YES | word_set(
    "ok k sure agreed fine perfect go gladly let start begin ready confirm confirmed affirmative y proceed do course good"
)
_NO = word_set("no false wrong incorrect never non nein nao falso falsch faux untrue")
_DECLINED = _NO | word_set("n cancel stop keep leave nevermind mind abort don't wait undo")
_AROUND = word_set("""
    i think guess believe would say it is that this of course thanks thank you do want go ahead let us must be please
    probably perhaps the answer statement not lol tbh maybe um uh hmm definitely absolutely ok delete remove now them all sounds
""")
_LETTERS = word_set("a b c d e f g h")
_PLACES = word_set("first second third fourth fifth sixth last 1st 2nd 3rd 4th 5th")
_CHOICES = word_set(
    "option answer choice number one letter and or both all none of them above these neither pick choose"
)
_ALL_OR_NONE = (("both",), ("neither",), ("all",), ("none", "of"), ("all", "of"), ("both", "of"))
_DATA = re.compile(
    r"\s*\{\s*[\"'][^{}]*[\"']\s*:"
    r"|\s*<\|?(?:system|im_start|assistant)\b"
    r"|\s*(?:system|assistant|developer)\s*:"
    r"|.*\b(?:is_correct|transfer_to_agent|developer mode|jailbreak)\b"
    r"|.*\byou are now (?:a|an|in|the|dan)\b",
    re.IGNORECASE | re.DOTALL,
)
_MOST_DATA_CHARS = 2000
_MOST_WORDS_OF_A_REPLY = 5


def says_yes(message: Message) -> bool:
    return _verdict(message, yes=_YES, no=_NO) is True


def says_no(message: Message) -> bool:
    return _verdict(message, yes=_YES, no=_NO) is False


def agrees(message: Message) -> bool:
    """Yes, or another way to take up an offer."""
    return _opens_with(message, _YES | {"ok", "sure"}) or _verdict(message, yes=_AGREED, no=_DECLINED) is True


def declines(message: Message) -> bool:
    """No, or another way to turn an offer down."""
    return _opens_with(message, _NO | {"not"}) or _verdict(message, yes=_AGREED, no=_DECLINED) is False


def is_choice(message: Message) -> bool:
    """A letter, a number or a place in a list, and nothing else."""
    words = tuple(word for word in message.words if word not in LIGHT or word == "a")
    if words in _ALL_OR_NONE or words[:2] in _ALL_OR_NONE:
        return True
    picks = [word in _LETTERS or word in _PLACES or word.isdigit() for word in words]
    return any(picks) and all(
        pick or word in _CHOICES or word in _AROUND for pick, word in zip(picks, words, strict=True)
    )


def matches_option(message: Message, options: Sequence[str]) -> bool:
    """Whether the learner wrote out one of the options."""
    said = words_of(message.text)
    return any(words_of(option) == said for option in options)


def is_data(text: str) -> bool:
    """JSON, a role marker or a name from inside the program: nothing that a learner says."""
    return _DATA.match(text[:_MOST_DATA_CHARS]) is not None


def _opens_with(message: Message, words: frozenset[str]) -> bool:
    return 0 < len(message.words) <= _MOST_WORDS_OF_A_REPLY and message.words[0] in words


def _verdict(message: Message, *, yes: frozenset[str], no: frozenset[str]) -> bool | None:
    """Yes or no, where the message says nothing else; 'not true' is a no."""
    words = [word for word in message.words if word not in LIGHT]
    if not all(word in yes or word in no or word in _AROUND for word in words):
        return None
    said = next((word for word in words if word in yes or word in no), None)
    return None if said is None else (said in yes) != ("not" in words and said not in _DECLINED - _NO)
