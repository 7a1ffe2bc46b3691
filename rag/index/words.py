"""Text to BM25 weights, the same for the embedded index and for a server."""

from functools import cache
from typing import Any

from qdrant_edge import Bm25, Bm25Config, Language, SparseVector, StopwordsSet

from rag.index.port import CHAPTER_WORDS, DENSE, PASSAGE_WORDS, Point
from storage.types import clean

# Words of asking rather than of any subject; they match everywhere and say nothing.
_ASKING = (
    "explain describe following between each some any all about may might must can could should would "
    "does did do how why what which who whom whose when where while than then there these those"
)
_PASSAGE_LENGTH = 110  # words left of an average passage once the stop words are gone
_CHAPTER_LENGTH = 1300


def vectors(point: Point) -> dict[str, Any]:
    """What a point is found by: a passage by its meaning and its words, a chapter by its words."""
    if point.vector is None:
        return {CHAPTER_WORDS: _bm25(_CHAPTER_LENGTH).embed_document(point.text)}
    words = _bm25(_PASSAGE_LENGTH).embed_document(point.text)
    return {DENSE: point.vector.tolist(), PASSAGE_WORDS: words}


def query_weights(text: str) -> SparseVector:
    return _bm25(_PASSAGE_LENGTH).embed_query(clean(text))


@cache
def _bm25(average_length: int) -> Bm25:
    stopwords = StopwordsSet(languages={Language.English}, custom=set(_ASKING.split()))
    return Bm25(Bm25Config(avg_len=average_length, stopwords=stopwords))
