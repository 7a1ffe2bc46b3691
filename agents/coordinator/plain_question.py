"""Left for the merge: routing.py still asks whether a message is nothing but asides."""

import re

from agents.coordinator.language.forms import asks
from agents.coordinator.language.messages import Message
from agents.coordinator.language.wording import word_set
from agents.tutor.wording import content_words, stem
from rag.terms import words_of

_CLAUSE_END = re.compile(r"(?<=[.!?…,;])\s+|\s+[-–—]+\s+|\s*\n\s*")
_SELF = word_set("i i'm im i've ive i'd me my we our sorry")
_EXCLAMATIONS = word_set("""
    haha hahaha hehe lol lmao omg wow whoa yo yay hmm hm mm um umm uh ah aha oh ooh oops ugh argh damn cool great nice
    awesome perfect interesting alright sure cheers fine good morning evening afternoon right sorry gotcha
""")
# What learners say of themselves around a question. A clause of these alone holds nothing to look up.
_ABOUT_MYSELF = {
    stem(word)
    for word in word_set("""
        keep forget forgot forgotten forgetting remember confuse confused confusing lost stuck new beginner newbie noob
        understand get know see exam finals interview quiz tomorrow soon coming next month homework class lecture lesson teacher professor missed sick absent
        tired brain dumb stupid silly basic quick question ask wonder wondering curious study learn read heard bit totally
        completely mix mixed honestly guess think thought want like love need help struggling started trying student
        stuff monday tuesday wednesday thursday friday saturday sunday week yesterday
    """)
}


def names_nothing(message: str) -> bool:
    """Whether a message is nothing but asides, such as 'hi, I have an exam soon'."""
    return all(map(_is_aside, filter(None, _CLAUSE_END.split(message.strip()))))


def _is_aside(clause: str) -> bool:
    """Whether a clause holds nothing to look up, only how the learner feels or fares."""
    said = words_of(clause)
    telling = [word for word in content_words(clause) if word not in _EXCLAMATIONS and word not in _SELF]
    if not telling:
        return not _asks(clause)
    return (
        not _SELF.isdisjoint(said)
        and not _asks(clause)
        and all(stem(word) in _ABOUT_MYSELF for word in telling)
    )


def _asks(clause: str) -> bool:
    return "?" in clause or asks(Message.read(clause).words, marked=False, guessing=False) > 0
