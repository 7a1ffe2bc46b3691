"""Embedders: WordLlama offline, Cohere with a key."""

from rag.embedders.cohere import CohereEmbedder
from rag.embedders.port import Embedder
from rag.embedders.wordllama import WordLlamaEmbedder
from storage.errors import ConfigurationError


def make_embedder(kind: str, *, cohere_api_key: str | None) -> Embedder:
    """Build the embedder that the settings name; 'auto' is Cohere when there is a key."""
    if kind == "auto":
        kind = "cohere" if cohere_api_key else "wordllama"
    if kind == "wordllama":
        return WordLlamaEmbedder()
    if not cohere_api_key:
        raise ConfigurationError(
            "TUTOR_EMBEDDER is 'cohere' but COHERE_API_KEY is not set. Set the key, or use TUTOR_EMBEDDER=wordllama."
        )
    return CohereEmbedder(api_key=cohere_api_key)
