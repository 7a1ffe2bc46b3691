"""Whether a text can be read without what stood before it."""

import re

_LEANS_BACK = re.compile(
    r"^(?:it|its|they|them|their|this|these|that|those|such|he|she|both|the former|the latter|the two|the same|"
    r"the other|the first|the second|the third|the last|the opposite|another|otherwise|instead|however|"
    r"therefore|thus|hence|then|but|so|and|or|yet|first|second|third|finally|nor|neither|also|as a result|"
    r"for this reason|in (?:the|this|that) (?:example|case|formula|way)|with (?:this|that|these)|here|there|"
    r"a second|the answer|the result|each one|one of them|in contrast|on the other hand|similarly|"
    r"consequently|moreover|furthermore|additionally|in addition|in other words|for example|for instance)\b|"
    r"^(?:most importantly|more importantly|importantly|in general|generally|typically|usually|often|in fact|indeed|"
    r"eventually|ultimately|overall|unfortunately|fortunately|interestingly|in turn|at first|initially), "
    r"(?:it|they|this|these|those|he|she)\b|^each way\b",
    re.IGNORECASE,
)


def leans_back(text: str) -> bool:
    """Whether a text opens with a word that stands for something said before it."""
    return bool(_LEANS_BACK.match(text))
