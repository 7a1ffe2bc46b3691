"""What every embedder does, and how Cohere fails."""

import logging
from collections.abc import AsyncIterator, Iterator

import numpy as np
import pytest

from rag.embedders import CohereEmbedder, Embedder, WordLlamaEmbedder, make_embedder
from storage.errors import CohereAPIError, ConfigurationError
from tests.support.cohere_server import CohereServer, cohere_server


@pytest.fixture
def service() -> Iterator[CohereServer]:
    with cohere_server() as server:
        yield server


@pytest.fixture
async def cohere(service: CohereServer) -> AsyncIterator[CohereEmbedder]:
    embedder = CohereEmbedder(api_key="key", base_url=service.url, first_wait_seconds=0)
    yield embedder
    await embedder.close()


@pytest.fixture(params=["wordllama", "cohere"])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    if request.param == "wordllama":
        return WordLlamaEmbedder()
    embedder: Embedder = request.getfixturevalue("cohere")
    return embedder


async def test_vectors_have_length_one_and_the_stated_dimension(embedder: Embedder) -> None:
    embedded = await embedder.embed_documents(["A robot arm.", "Photosynthesis in plants."])
    assert embedded.vectors.shape == (2, embedder.dimension)
    assert np.allclose(np.linalg.norm(embedded.vectors, axis=1), 1, atol=1e-5)
    assert all(count > 0 for count in embedded.token_counts)


async def test_a_query_is_nearest_to_the_text_about_it(embedder: Embedder) -> None:
    embedded = await embedder.embed_documents(["the robot arm moves", "plants make sugar"])
    query = await embedder.embed_query("the robot arm")
    scores = embedded.vectors @ query
    assert scores[0] > scores[1]


async def test_no_texts_and_empty_texts_are_no_problem(embedder: Embedder) -> None:
    assert (await embedder.embed_documents([])).vectors.shape == (0, embedder.dimension)
    assert not np.isnan((await embedder.embed_documents([""])).vectors).any()


async def test_cohere_is_told_which_text_is_a_query(cohere: CohereEmbedder, service: CohereServer) -> None:
    await cohere.embed_documents(["d"] * 100)
    await cohere.embed_query("q")
    assert [body["input_type"] for _, body in service.requests] == ["search_document"] * 2 + ["search_query"]
    assert len(service.requests[0][1]["texts"]) == 96


async def test_cohere_reranks(cohere: CohereEmbedder) -> None:
    assert await cohere.rerank("q", ["long passage", "short"]) == [1, 0]


async def test_a_failure_that_passes_is_survived(cohere: CohereEmbedder, service: CohereServer) -> None:
    service.failures = [503, 429]
    await cohere.embed_query("q")
    assert len(service.requests) == 3


async def test_after_three_attempts_cohere_is_said_not_to_answer(
    cohere: CohereEmbedder, service: CohereServer
) -> None:
    service.failures = [503] * 9
    with pytest.raises(CohereAPIError, match="does not answer after 3 attempts"):
        await cohere.embed_query("q")
    assert len(service.requests) == 3


async def test_a_wrong_key_is_said_at_once_and_not_repeated(
    cohere: CohereEmbedder, service: CohereServer
) -> None:
    service.failures = [401] * 9
    with pytest.raises(CohereAPIError, match="COHERE_API_KEY") as caught:
        await cohere.embed_query("q")
    assert len(service.requests) == 1
    assert "'key'" not in str(caught.value)


async def test_auto_is_wordllama_without_a_key_and_cohere_with_one() -> None:
    assert make_embedder("auto", cohere_api_key=None).name == "wordllama-256"
    with_key = make_embedder("auto", cohere_api_key="key")
    assert with_key.name == "cohere-embed-v4.0"
    await with_key.close()


def test_asking_for_cohere_without_a_key_says_what_to_do() -> None:
    with pytest.raises(ConfigurationError, match="COHERE_API_KEY is not set"):
        make_embedder("cohere", cohere_api_key=None)


def test_loading_wordllama_leaves_logging_alone() -> None:
    before = (logging.getLogger().level, list(logging.getLogger().handlers))
    WordLlamaEmbedder()
    assert (logging.getLogger().level, list(logging.getLogger().handlers)) == before
