"""Short replies that say all: yes, no, 'b', 'the second one'."""

import re
from collections.abc import Collection, Iterable

from agents.language.understanding import read, tokens

_MOST_CHARACTERS = 200  # whoever says more says more than yes or no
_YES = frozenset(
    "absolutely affirmative agreed alright aye certainly confirm confirmed correct definitely exactly fine indeed ja k kk ok "
    "okay okey oui proceed right si sure sí totally y ya yea yeah yep yes yh yup".split()
)
_YES_IN_FRONT = frozenset("ahead delete do go good great of please sounds".split())
_NO = frozenset(
    "abort cancel don't dont hold keep leave n nah nay negative neither nein never nevermind no non none nope not nothing nvm "
    "skip stop undo wait forget".split()
)
_NO_CONTENT = frozenset(
    "a add all alone already am an and any anymore at away be both but by certain changed complete course deleted did either "
    "for him i i'd i'm is it it's just let let's like look love lovely me mind mine more much my now off on one perfect pls put "
    "rather really remove said so task tasks thank thanks that that's the them then there thing this those to today tutor want "
    "way we well with works would yet you".split()
)
_SIGNS = str.maketrans(dict.fromkeys("👍✅👌💯🙌", " yes ") | dict.fromkeys("👎❌🚫🙅", " no "))
_ASKS = re.compile(r"\W*(?:what|which|who|how|why|where|when|huh|hm+|eh)\b", re.IGNORECASE)
_WE_TWO = frozenset("i i'm i've i'd me my mine you your yours we us our let's".split())
_WONDERING = 3  # words
_WORD = re.compile(r"[\w']+")

_PLACES = {
    "first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "sixth": 5, "last": -1,
    "1st": 0, "2nd": 1, "3rd": 2, "4th": 3, "5th": 4,
    "one": 0, "two": 1, "three": 2, "four": 3, "five": 4, "six": 5,
}  # fmt: skip
_LETTERS = "abcdefgh"
_AROUND_A_PICK = frozenset(
    "the option step topic part point start begin ok okay then answer choice number letter pick choose take i'd i i'll go with "
    "say think it's it is its must be my would please maybe probably let's do one no um hmm".split()
)
_ALL = frozenset("all every everything both".split())
_NONE = frozenset("none nothing neither zero 0".split())
_EXCEPT = frozenset("but except without not".split())
_NUMBER_OF_THEM = _ALL | _NONE
_AROUND_A_TICK = frozenset(
    "and the of them it i had have i've got said mentioned only just number numbers point points nr no option options ones".split()
)
_VERDICTS = frozenset("yes yeah yep no nope not".split())
_MOST_WORDS = 9
_SURE, _SURE_OF_A_MARK = 0.6, 0.9
_MARK = re.compile(r"^[^\w]+$")


def yes_or_no(message: str) -> bool | None:
    """True for a yes, False for a no, None for neither: "no, delete task 3" has more to say than no."""
    if len(message) > _MOST_CHARACTERS or _ASKS.match(message):
        return None
    words = [_plain(word) for word in _WORD.findall(message.casefold().replace("’", "'").translate(_SIGNS))]
    if not words or not (_YES | _YES_IN_FRONT | _NO | _NO_CONTENT).issuperset(words):
        return None
    # A no anywhere wins: "wait, don't", "I'm not sure".
    if not _NO.isdisjoint(words):
        return False
    return True if words[0] in _YES_IN_FRONT or not _YES.isdisjoint(words) else None


def asks_back(message: str) -> bool:
    """Whether a reply only wonders: "what?", "which one?", "hm"."""
    return bool(_ASKS.match(message)) and len(message.split()) <= _WONDERING


def is_addressed(message: str) -> bool:
    """Whether somebody is spoken to: a question, or a word for one of the two who talk here."""
    is_question = bool(_ASKS.match(message)) or message.rstrip().endswith("?")
    return is_question or not _WE_TWO.isdisjoint(_WORD.findall(message.casefold().replace("’", "'")))


def _plain(word: str) -> str:
    """Drawn-out letters let go: "nooo", "yess"."""
    return re.sub(r"^(yes|no|yeah|yep|ok)\w?$", r"\1", re.sub(r"(.)\1{2,}", r"\1", word))


def likely_yes_or_no(message: str, *, about_a_mark: bool = False) -> bool | None:
    """The same in any words, as a reply to a proposal; None where something else is likelier.

    Where a mark hangs on it, one must be surer: somebody who was asked something is thought to say yes too easily.
    """
    verdict = yes_or_no(message)
    if verdict is not None:
        return verdict
    action, chance = read(message, place="offer").actions[0]
    return (
        {"yes": True, "no": False}.get(action)
        if chance >= (_SURE_OF_A_MARK if about_a_mark else _SURE)
        else None
    )


def verdict_on_own_answer(message: str) -> bool | None:
    """Whether learners call their own answer right: 'Yes, it did' and 'no, not at all', whatever follows."""
    first = next(iter(tokens(message)), "")
    if first in _VERDICTS:
        return first in _YES
    return likely_yes_or_no(message, about_a_mark=True)


def picked(message: str, *, count: int) -> int | None:
    """Which of so many things a message picks by letter, number or place, and nothing else; counted from 0."""
    words = [word for word in tokens(message) if not _MARK.match(word)]
    if not words or len(words) > _MOST_WORDS or not count:
        return None
    places = {word: _place(word, alone=len(words) == 1) for word in words}
    picks = [place for word in words if (place := places[word]) is not None]
    if len(picks) == 2 and words[-1] == "one":  # 'the second one'
        picks = picks[:1]
    if len(picks) != 1 or any(place is None and word not in _AROUND_A_PICK for word, place in places.items()):
        return None
    place = count - 1 if picks[0] == -1 else picks[0]
    return place if 0 <= place < count else None


def ticked(message: str, *, count: int) -> frozenset[int] | None:
    """Which of so many points a message names, counted from 0: '1 and 3', 'a, c', 'all but the second', 'none'.

    None where it says anything else. A plain yes means all of them, a plain no none.
    """
    verdict = yes_or_no(message)
    words = [word for word in tokens(message) if not _MARK.match(word)]
    if verdict is not None and not _NUMBER_OF_THEM.intersection(words):
        return frozenset(range(count)) if verdict else frozenset()
    if not words or len(words) > _MOST_WORDS + count or not count:
        return None
    is_none, is_all = bool(_NONE.intersection(words)), bool(_ALL.intersection(words))
    told = [word for word in words if word not in _NONE]
    places = {word: _place(word, alone=word != "a" or len(words) > 1) for word in told}
    named = {count - 1 if place == -1 else place for place in places.values() if place is not None}
    others = {word for word in told if places[word] is None} - _ALL - _EXCEPT - _AROUND_A_TICK
    if others or any(not 0 <= place < count for place in named) or (is_none and named):
        return None
    if is_none:
        return frozenset()
    if is_all:
        left_out = named if _EXCEPT.intersection(words) else set()
        return frozenset(range(count)) - left_out
    return frozenset(named) if named else None


def _place(word: str, *, alone: bool) -> int | None:
    if word in _PLACES:
        return _PLACES[word]
    if word.lstrip("#").isdecimal() and len(word) <= 3:
        return int(word.lstrip("#")) - 1
    # 'a' and 'i' are words, too.
    if len(word) == 1 and word in _LETTERS and (alone or word != "a"):
        return _LETTERS.index(word)
    return None


_DEAR = 3.0  # what one has to find one's way back from
_CHANGES = 1.5  # what begins something, or writes it down
_COSTS = dict.fromkeys(("reset", "switch_course"), _DEAR) | dict.fromkeys(
    ("teach", "change_topic", "quiz_me", "diagnose", "tasks", "next", "resume"), _CHANGES
)
_ASKING = 0.4  # a line to read and a number to type; in vain if what was meant is not among the choices
_OFFERED = 3
_PLAINLY = 0.8
# With nothing open these come to the same.
_ALIKE = {
    "change_topic": "teach",
    "resume": "next",
    "pause": "stop",
    "goal": "plan",
    "thanks": "small_talk",
    "greet": "small_talk",
}


def by_action(
    labels: Iterable[tuple[str, float]], *, impossible: Collection[str] = ()
) -> list[tuple[str, float]]:
    """How likely each action is, in whatever manner, the likeliest first; who means what cannot be done now says it plainly."""
    chances: dict[str, float] = {}
    for label, chance in labels:
        action = label.partition("/")[0]
        chances[action] = chances.get(action, 0.0) + chance
    left = {
        action: chance for action, chance in chances.items() if action not in impossible or chance >= _PLAINLY
    }
    ordered = sorted(left.items(), key=lambda each: -each[1])
    return [(action, chance / sum(left.values())) for action, chance in ordered]


def is_better_asked(actions: list[tuple[str, float]]) -> bool:
    """Whether acting on the likeliest would cost more than asking which of the likeliest is meant."""
    likeliest = actions[0][0]
    kin = _ALIKE.get(likeliest, likeliest)
    meant = sum(chance for action, chance in actions if _ALIKE.get(action, action) == kin)
    offered = sum(chance for _, chance in actions[:_OFFERED])
    return _COSTS.get(likeliest, 1.0) * (1 - meant) > _ASKING + (1 - _ASKING) * (1 - offered)


def is_dear(action: str) -> bool:
    """Whether it changes something."""
    return action in _COSTS
