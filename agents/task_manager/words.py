"""Getting to the point of a message: without politeness, with its command words spelt right."""

import re
from collections.abc import Iterable

_OPENING = re.compile(
    r"^(?:(?:please|pls|plz|kindly|hey|hi|hello|ok|okay|so|well|and|also|then|now|actually|ugh|fine|alright|right|yes|yeah|"
    r"oh|um|just|quickly|finally|great|thanks|no|tutor|"
    r"when you (?:have|get) (?:a|some) (?:second|sec|minute|moment|time|chance)|if you (?:can|could|don't mind)|"
    r"would you (?:mind|be so kind as to)|(?:can|could|would|will) you(?: (?:please|kindly|just|also|maybe|quickly))?|"
    r"i(?:'d| would) like (?:you )?to|i want (?:you )?to|i wanna|let's|let us|you can|go ahead and|may i|can i|could i)"
    r"(?:\s*[,:;!.…]+\s*|\s+))+(?=\S)",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"(?:[\s,;.!?🙏]+(?:please|pls|plz|thanks|thank you|thx|cheers|already|for me|ok|okay|will you|would you|if you can)|"
    r"\s*🙏)+[\s.!?🙏]*$",
    re.IGNORECASE,
)
_VERBS = (
    "add", "remind", "remember", "create", "show", "list", "display", "delete", "remove", "complete", "update", "change",
    "rename", "finish", "cancel", "postpone", "schedule", "reschedule", "mark", "edit",
)  # fmt: skip
_NOUNS = ("task", "tasks", "reminder", "reminders", "list")
_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "’": "'", "‘": "'", "`": "'"})
_WORD = re.compile(r"[^\W\d_]+")


def tidy(message: str) -> str:
    """A message without its politeness, on one line, with plain quotes and mended command words."""
    text = re.sub(r"\s+", " ", message.translate(_QUOTES)).strip()
    shorter = _CLOSING.sub("", _OPENING.sub("", text)).strip()
    return mended(shorter or text)


def mended(text: str) -> str:
    """Mend slips of the keyboard in the command and the noun after it, and nowhere else."""
    known: tuple[str, ...] = _VERBS
    for place, word in enumerate(list(_WORD.finditer(text))[:4]):
        spelt = word[0].lower()
        if spelt in _NOUNS:
            break
        if spelt in _VERBS:
            known = _NOUNS
        elif right := _meant(spelt, known if place < 2 or known is _NOUNS else ()):
            return mended(text[: word.start()] + right + text[word.end() :])
    return text


def _meant(word: str, known: Iterable[str]) -> str | None:
    if word == "ad":
        return "add" if "add" in known else None
    return next((right for right in known if len(word) >= 4 and _slipped(word, right)), None)


def _slipped(word: str, right: str) -> bool:
    """One letter missing, one too many, or two swapped; a wrong letter is more often another word."""
    if len(word) == len(right):
        differing = [place for place, (a, b) in enumerate(zip(word, right, strict=True)) if a != b]
        return (
            len(differing) == 2
            and differing[1] == differing[0] + 1
            and word[differing[0]] == right[differing[1]]
            and word[differing[1]] == right[differing[0]]
        )
    longer, shorter = sorted((word, right), key=len, reverse=True)
    # The first letter hardly ever slips ("move" is no "remove"), and a last one too many is grammar ("completed").
    last = len(longer) - (1 if longer == word else 0)
    return (
        len(longer) == len(shorter) + 1
        and len(longer) > 4
        and any(longer[:place] + longer[place + 1 :] == shorter for place in range(1, last))
    )
