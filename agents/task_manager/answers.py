"""Answers to our own questions: yes, no, or one of the options."""

import re
from collections.abc import Iterator, Sequence

from agents.task_manager.understanding import Entities, Reading
from tasks_tools.references import KnownTask, match_titles, read_reference

_YES_WORDS = (
    "absolutely affirmative agreed aye certainly confirm confirmed correct definitely exactly fine indeed ja k kk ok okay "
    "okey oui proceed right si sure sí y ya yea yeah yep yes yup"
)
_YES_AT_START = "ahead delete do go good of please sounds"
_NO_WORDS = (
    "abort cancel don't dont hold keep leave n nah nay negative neither nein never nevermind no non none nope not nothing "
    "skip stop undo wait forget"
)
_SMALL_WORDS = (
    "a all alone already am an and any anymore at away be both by certain changed complete course deleted did either for i "
    "i'm is it just let's like look me mind mine more my now off on one pls rather really remove said task tasks thank "
    "thanks that that's the them then there thing this those want way well yet you"
)
_YES = frozenset(_YES_WORDS.split())
_YES_FIRST = _YES | frozenset(_YES_AT_START.split())
_NO = frozenset(_NO_WORDS.split())
_SMALL = _YES_FIRST | _NO | frozenset(_SMALL_WORDS.split())
_SIGNS = {"👍": "yes", "✅": "yes", "👌": "yes", "💯": "yes", "👎": "no", "❌": "no"}
_QUESTION = re.compile(r"^(?:what|which|who|how|why|where|when|huh|hm+|eh)\b", re.IGNORECASE)


def read_yes_or_no(text: str) -> Iterator[Reading]:
    """A yes or a no, and little besides: "no, delete task 3" is a new command."""
    words = _words(text)
    if not words or _QUESTION.match(text) or not _SMALL.issuperset(words):
        return
    # A no anywhere wins: "wait, don't", "I'm not sure".
    if not _NO.isdisjoint(words):
        yield Reading(intent="decline", confidence=0.97, rule="no")
    elif words[0] in _YES_FIRST or not _YES.isdisjoint(words):
        yield Reading(intent="confirm", confidence=0.97, rule="yes")


def _words(text: str) -> list[str]:
    """The words of an answer, signs read out and drawn-out letters let go: "nooo", "yess"."""
    for sign, word in _SIGNS.items():
        text = text.replace(sign, f" {word} ")
    found = re.findall(r"[\w']+", text.casefold().replace("’", "'"))
    return [re.sub(r"^(yes|no|yeah|yep|ok)\w?$", r"\1", re.sub(r"(.)\1{2,}", r"\1", word)) for word in found]


def read_choice(text: str, *, options: Sequence[str]) -> Iterator[Reading]:
    """One or more of the options that were shown, by number or by their words; or none of them."""
    chosen = choose(text, options=options)
    if chosen:
        sure = read_reference(text, count=len(options)) != read_reference("", count=0)
        yield Reading(
            intent="choose",
            confidence=0.97 if sure else 0.75,
            entities=Entities(reference=text),
            rule="an option",
        )
    else:
        yield from (reading for reading in read_yes_or_no(text) if reading.intent == "decline")


def choose(text: str, *, options: Sequence[str]) -> tuple[int, ...]:
    """The positions of the options that a text picks."""
    reference = read_reference(text, count=len(options))
    if reference.everything:
        return tuple(range(1, len(options) + 1))
    if reference.positions:
        inside = tuple(place for place in reference.positions if 1 <= place <= len(options))
        return inside if inside == reference.positions else ()
    known = [KnownTask(id=place, title=title) for place, title in enumerate(options, 1)]
    match = match_titles(text, known)
    return (match.tasks[0].id,) if match.kind == "one" else ()
