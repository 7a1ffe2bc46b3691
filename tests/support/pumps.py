"""A course on pumps, small enough to be seen whole, for what must hold of any course text."""

from hypothesis import strategies as st

from agents.teaching.values import RetrievalResult
from tests.support.passages import retrieved

_WORDS = "pump moves water because It is a the machine . : ? ! ` $ * ** | - 1. [1] \n \n\n ``` $$ # ( )"
_PIECES = [*_WORDS.split(" "), " ", "\n"]
SCRAMBLED_TEXT = st.lists(st.sampled_from(_PIECES), min_size=1, max_size=60).map("".join)


def passage(text: str, *, number: int = 1) -> RetrievalResult:
    return retrieved(
        text,
        rank=number,
        chunk_id=f"chunk-{number}",
        title="Pumps",
        course="pumps",
        chapter_id="module-1/pumps",
        heading_hierarchy=("Pumps", "How pumps work"),
        chunk_index=number - 1,
    )
