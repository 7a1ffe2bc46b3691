"""Yes, no, or neither: what a short reply to a question of ours means."""

import re

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
_WORD = re.compile(r"[\w']+")


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


def _plain(word: str) -> str:
    """Drawn-out letters let go: "nooo", "yess"."""
    return re.sub(r"^(yes|no|yeah|yep|ok)\w?$", r"\1", re.sub(r"(.)\1{2,}", r"\1", word))
