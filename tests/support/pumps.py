"""A course on pumps, small enough to be seen whole, for what must hold of any course text."""

from hypothesis import strategies as st

_WORDS = "pump moves water because It is a the machine . : ? ! ` $ * ** | - 1. [1] \n \n\n ``` $$ # ( )"
_PIECES = [*_WORDS.split(" "), " ", "\n"]
SCRAMBLED_TEXT = st.lists(st.sampled_from(_PIECES), min_size=1, max_size=60).map("".join)
