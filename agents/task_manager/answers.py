"""Answers to our own questions: yes, no, or one of the options."""

import re
from collections.abc import Iterator, Sequence

from agents.task_manager.understanding import Entities, Reading
from tasks_tools.references import KnownTask, match_titles, read_reference

_YES = re.compile(
    r"^(?:y|ya|yes|yep|yeah|yup|yea|sure|ok|okay|okey|k|kk|confirm|confirmed|absolutely|definitely|certainly|correct|"
    r"right|affirmative|proceed|si|sí|oui|ja|please|do|go|of course|👍|✅|👌|💯|fine|exactly|indeed|delete|agreed|aye)\b|^[👍✅👌💯]",
    re.IGNORECASE,
)
_NO = re.compile(
    r"^(?:n|no|nope|nah|nay|cancel|stop|don't|dont|do not|never ?mind|nevermind|not|keep|leave|wait|neither|none|nein|non|"
    r"abort|hold on|forget it|skip|undo|👎|❌|negative|rather not|i changed my mind|no way|nothing)\b|^[👎❌]",
    re.IGNORECASE,
)
_SMALL_WORDS = (
    "a ahead all already am and any anymore at away be by certain changed complete course delete deleted did do don't "
    "dont either fine for forget go good hold i i'm is it just keep leave let's like look me mind my n neither never "
    "nevermind no none not now of off ok okay on one please pls really remove right sounds stop sure task tasks thank "
    "thanks that that's the them then there this those wait want way y yeah yep yes yet you"
)
_SMALL = frozenset(_SMALL_WORDS.split())
_QUESTION = re.compile(r"^(?:what|which|who|how|why|where|when|huh|hm+|eh)\b", re.IGNORECASE)


def read_yes_or_no(text: str) -> Iterator[Reading]:
    """A yes or a no, and little besides: "no, delete task 3" is a new command."""
    words = re.findall(r"[\w']+", text.casefold().replace("’", "'"))
    if _QUESTION.match(text) or any(word not in _SMALL for word in words[1:]):
        return
    if _NO.match(text) or ({"don't", "dont", "not"} & set(words)):
        yield Reading(intent="decline", confidence=0.97, rule="no")
    elif _YES.match(text):
        yield Reading(intent="confirm", confidence=0.97, rule="yes")


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
