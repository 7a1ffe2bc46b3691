"""A question as it was meant: not shouted, without asides, and with the words that make it a question put right."""

import re
from collections.abc import Collection

from agents.coordinator.language.forms import asks
from agents.coordinator.language.messages import Message
from agents.coordinator.language.short_forms import SPELLED_OUT
from agents.coordinator.language.spelling import is_slip
from agents.coordinator.language.wording import word_set
from agents.coordinator.question import understand
from agents.tutor.wording import STOP_WORDS, content_words, stem
from rag.terms import singular, term_key, words_of

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_CLAUSE_END = re.compile(r"(?<=[.!?…,;])\s+|\s+[-–—]+\s+|\s*\n\s*")
_SHOUTED = 0.5  # of the words in capitals, with a small word among them: acronyms alone are no shouting
_ASKING_WORDS = (
    "difference",
    "differences",
    "between",
    "explain",
    "define",
    "describe",
    "example",
    "purpose",
    "compare",
)
_SLIPS = {
    short: full
    for short, full in SPELLED_OUT.items()
    if full in ("what", "what is", "how", "why", "which", "where", "the")
    and short not in ("witch", "what's", "whats")
}
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


def plainly(message: str, terms: Collection[str] = ()) -> str:
    """The message as a calm, careful learner would have typed it; terms are the course's concept names."""
    calm = _put_right(_calm(message, terms), terms)
    return without_asides(calm, terms)


def _calm(message: str, terms: Collection[str]) -> str:
    """Lower case for what was shouted; the course's terms as the course writes them."""
    words = _WORD.findall(message)
    loud = [word for word in words if word.isupper()]
    if len(loud) <= _SHOUTED * len(words) or not any(
        len(word) > 1 and word.lower() in STOP_WORDS for word in loud
    ):
        return message
    calm = message.lower()
    for term in terms:
        if not term.islower():
            found = re.search(rf"(?<!\w){re.escape(term.lower())}(?!\w)", calm)
            calm = calm[: found.start()] + term + calm[found.end() :] if found else calm
    return calm


def without_asides(message: str, terms: Collection[str] = ()) -> str:
    """'haha ok. what is a node? I keep forgetting' asks what a node is."""
    clauses = [clause for clause in _CLAUSE_END.split(message.strip()) if clause]
    kept = [clause for clause in clauses if not _is_aside(clause)]
    asked = [clause for clause in kept if _asks(clause)]
    if len(asked) == 1 and _stands_alone(asked[0], terms):
        kept = asked
    if len(kept) == len(clauses) or not asked:
        return message
    return " ".join(kept).rstrip(" ,;")


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


def _stands_alone(clause: str, terms: Collection[str]) -> bool:
    """What a term of the course means, or how two differ, depends on nothing that is said around it."""
    asked = understand(clause)
    names = {term_key(term) for term in terms}
    return (
        asked.kind in ("definition", "difference")
        and bool(asked.focus)
        and all(term_key(name) in names for name in asked.focus)
    )


def _asks(clause: str) -> bool:
    return "?" in clause or asks(Message.read(clause).words, marked=False, guessing=False) > 0


def _put_right(message: str, terms: Collection[str]) -> str:
    known = {form for term in terms for word in words_of(term) for form in (word, singular(word))}

    def spelled(match: re.Match[str]) -> str:
        word = match.group().lower()
        if word in known or singular(word) in known:
            return match.group()
        near = [asking for asking in _ASKING_WORDS if is_slip(word, of=asking)]
        return near[0] if len(near) == 1 else _SLIPS.get(word, match.group())

    return _WORD.sub(spelled, message)
