"""Where passages are searched: embedded by default, a Qdrant server by URL."""

from pathlib import Path

from rag.index.port import ChunkIndex


async def open_index(
    *, folder: Path, dimension: int, qdrant_url: str, qdrant_api_key: str | None, collection: str
) -> ChunkIndex:
    """Open the index that the settings name."""
    if qdrant_url:
        from rag.index.server import ServerIndex, connect

        server = ServerIndex(
            connect(qdrant_url, api_key=qdrant_api_key), collection=collection, dimension=dimension
        )
        await server.open()
        return server
    from rag.index.embedded import EmbeddedIndex, IndexFolder

    embedded = EmbeddedIndex(IndexFolder.take(folder), dimension=dimension)
    await embedded.open()
    return embedded
