"""The form by which words are compared."""

from functools import lru_cache

import snowballstemmer

from agents.quiz.grading.vocabulary import IRREGULAR, NUMBER_WORDS, UNSTEMMED

_STEMMER = snowballstemmer.stemmer("english")


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """One form for went, goes and going; 2 for two."""
    word = IRREGULAR.get(word, word)
    if word in UNSTEMMED:
        return word
    return NUMBER_WORDS.get(word) or str(_STEMMER.stemWord(word))
