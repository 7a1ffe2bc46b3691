"""Text to BM25 weights, the same for the embedded index and for a server."""

from dataclasses import dataclass
from functools import cache

from qdrant_edge import Bm25, Bm25Config, Language, StopwordsSet

from storage.types import clean

# Words of asking rather than of any subject; they match everywhere and say nothing.
_ASKING = (
    "explain describe following between each some any all about may might must can could should would "
    "does did do how why what which who whom whose when where while than then there these those"
)
_PASSAGE_LENGTH = 110  # words left of an average passage once the stop words are gone
_CHAPTER_LENGTH = 1300
_MOST_CHARS = 20_000


@dataclass(frozen=True, slots=True)
class Weights:
    """A sparse vector: which words, and how much each counts."""

    indices: list[int]
    values: list[float]


def passage_weights(text: str) -> Weights:
    return _weights(_bm25(_PASSAGE_LENGTH).embed_document(text))


def chapter_weights(text: str) -> Weights:
    return _weights(_bm25(_CHAPTER_LENGTH).embed_document(text))


def query_weights(text: str) -> Weights:
    return _weights(_bm25(_PASSAGE_LENGTH).embed_query(clean(text[:_MOST_CHARS])))


@cache
def _bm25(average_length: int) -> Bm25:
    stopwords = StopwordsSet(languages={Language.English}, custom=set(_ASKING.split()))
    return Bm25(Bm25Config(avg_len=average_length, stopwords=stopwords))


def _weights(sparse: object) -> Weights:
    return Weights(list(sparse.indices), list(sparse.values))  # type: ignore[attr-defined]
