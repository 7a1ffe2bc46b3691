"""Qdrant's own engine inside this process, one folder, one owner."""

import asyncio
import atexit
import contextlib
import json
import math
import os
import shutil
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Self, TypeVar
from uuid import uuid4

import qdrant_edge as edge
from filelock import FileLock, Timeout
from qdrant_edge import Bm25, Bm25Config, Language, SparseVector, StopwordsSet

from agents.language.vectors import Vector
from rag.index import (
    CHAPTER_WORDS,
    COURSE_FIELD,
    DENSE,
    HOME,
    MAKER,
    PASSAGE_WORDS,
    VECTOR_NAMES,
    WITHIN_FIELD,
    Candidates,
    IndexBrokenError,
    IndexState,
    Point,
    Scope,
)
from storage.errors import ForeignIndexError, StorageError, TutorError
from storage.tables import clean

_SHARED, _PRIVATE = "shared", "private-"
# The engine reserves whole pages ahead; running out while it writes would kill the process.
_LEAST_FREE_BYTES = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexFolder:
    """A folder that no other process touches while its lock is held."""

    path: Path
    lock: FileLock
    is_private: bool

    @classmethod
    def take(cls, parent: Path) -> Self:
        """Take the shared folder, or a private one while another process has it."""
        try:
            parent.mkdir(parents=True, exist_ok=True)
            require_space(parent)
            _sweep(parent)
            shared = _locked(parent / _SHARED)
            if shared:
                return cls(path=parent / _SHARED, lock=shared, is_private=False)
            own = parent / f"{_PRIVATE}{os.getpid()}-{uuid4().hex[:8]}"
            folder = cls(path=own, lock=FileLock(f"{own}.lock"), is_private=True)
            folder.lock.acquire(blocking=False)
        except OSError as err:
            raise StorageError(
                f"The index folder cannot be written ({err.strerror}). Make the data folder writable, "
                "or choose another with TUTOR_DATA_DIR."
            ) from err
        atexit.register(folder.release)
        return folder

    def release(self) -> None:
        """Let go; a private copy is of no use to anybody else."""
        if self.is_private:
            _remove(self.path)
        self.lock.release()
        if self.is_private:
            Path(self.lock.lock_file).unlink(missing_ok=True)
            atexit.unregister(self.release)


def _locked(path: Path) -> FileLock | None:
    lock = FileLock(f"{path}.lock")
    try:
        lock.acquire(blocking=False)
    except Timeout:
        return None
    return lock


def _sweep(parent: Path) -> None:
    """Remove private copies whose process died: their lock is free."""
    for lock_file in parent.glob(f"{_PRIVATE}*.lock"):
        lock = _locked(lock_file.with_suffix(""))
        if lock:
            _remove(lock_file.with_suffix(""))
            with contextlib.suppress(OSError):
                lock_file.unlink()
            lock.release()


def require_space(folder: Path) -> None:
    """Say that the disk is full before the engine finds out."""
    free = shutil.disk_usage(folder).free
    if free < _LEAST_FREE_BYTES:
        raise StorageError(
            f"The disk is full: the index needs {_LEAST_FREE_BYTES >> 20} MB free and there are {free >> 20} MB. "
            "Free some space, or choose another disk with TUTOR_DATA_DIR."
        )


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


_SHARD, _STATE_FILE, _MARK = "shard", "state.json", "mastery-loop-index.txt"
_MARK_SAYS = f"The search index of {MAKER}: a cache, which it deletes and makes anew as it needs.\n"

T = TypeVar("T")


class EmbeddedIndex:
    """The engine has no async API, so one worker thread owns the shard."""

    def __init__(self, folder: IndexFolder, *, dimension: int) -> None:
        self._owned = folder
        self._folder = folder.path
        self._dimension = dimension
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="index")
        self._shard: edge.EdgeShard | None = None
        self._state: IndexState | None = None
        self._lengths: dict[str, int] = {}  # of the files that the engine has mapped

    async def open(self) -> None:
        """Open what is there; anything unreadable, or not as it was left, starts empty."""
        await self._run(self._open)

    async def state(self) -> IndexState | None:
        return self._state

    async def set_state(self, state: IndexState) -> None:
        await self._write(lambda: self._settle(state))

    async def upsert(self, points: Sequence[Point]) -> None:
        await self._write(lambda: self._upsert(points))

    async def remove(self, point_ids: Sequence[str]) -> None:
        def remove() -> None:
            self._unsettle()
            self._open_shard.update(edge.UpdateOperation.delete_points(list(point_ids)))

        await self._write(remove)

    async def count(self) -> int:
        return await self._read(lambda: self._open_shard.count(edge.CountRequest(exact=True)))

    async def search(self, text: str, vector: Vector, *, scope: Scope, limit: int) -> Candidates:
        return await self._read(lambda: self._search(text, vector, scope, limit))

    async def clear(self) -> None:
        await self._run(self._start_empty)

    async def close(self) -> None:
        await self._run(self._close_shard)
        self._worker.shutdown()
        self._owned.release()

    @property
    def _open_shard(self) -> edge.EdgeShard:
        if self._shard is None:
            raise IndexBrokenError("the index is not open")
        return self._shard

    async def _read(self, work: Callable[[], T]) -> T:
        def checked() -> T:
            if self._stretch():
                self._unsettle()
                raise IndexBrokenError("files of the index were cut short")
            return work()

        return await self._run(checked)

    async def _write(self, work: Callable[[], None]) -> None:
        def measured() -> None:
            work()
            self._measure()

        await self._read(measured)

    def _stretch(self) -> bool:
        """Give files that were cut short their length again, and say whether there were any.

        The engine maps its files, and reading a mapping past the end of its file kills the process.
        """
        short = [name for name, length in self._lengths.items() if _length(name) < length]
        for name in short:
            os.truncate(name, self._lengths[name])
        return bool(short)

    def _measure(self) -> None:
        shard = self._folder / _SHARD
        self._lengths = {str(shard / name): length for name, length in _sizes(shard).items()}

    async def _run(self, work: Callable[[], T]) -> T:
        def guarded() -> T:
            try:
                return work()
            except (KeyboardInterrupt, SystemExit, IndexBrokenError, TutorError):
                raise
            except OSError as err:
                raise StorageError(
                    f"The search index cannot be written ({err.strerror}). Free some space, make the data "
                    "folder writable, or choose another with TUTOR_DATA_DIR."
                ) from err
            # The engine reports by bare Exception, and its panics are BaseExceptions.
            except BaseException as err:
                raise IndexBrokenError(str(err)) from None

        return await asyncio.get_running_loop().run_in_executor(self._worker, guarded)

    def _open(self) -> None:
        self._state = _read_state(self._folder)
        if self._state is None or not self._loads(self._state.points):
            self._start_empty()

    def _loads(self, points: int) -> bool:
        try:
            self._shard = edge.EdgeShard.load(str(self._folder / _SHARD))
            self._measure()
            return self._shard.count(edge.CountRequest(exact=True)) == points
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException:
            return False

    def _start_empty(self) -> None:
        self._close_shard()
        if not _is_ours(self._folder):
            raise ForeignIndexError(
                f"The folder '{self._folder.parent.name}/{self._folder.name}' in the data folder holds something that this "
                "program did not make, so it is left alone. Move it away, or choose another data folder with TUTOR_DATA_DIR."
            )
        _remove(self._folder)
        require_space(self._folder.parent)
        self._folder.mkdir(parents=True, exist_ok=True)
        (self._folder / _MARK).write_text(_MARK_SAYS)
        (self._folder / _SHARD).mkdir()
        self._shard = edge.EdgeShard.create(str(self._folder / _SHARD), _config(self._dimension))
        for name in (COURSE_FIELD, WITHIN_FIELD):
            self._shard.update(edge.UpdateOperation.create_field_index(name, edge.KeywordIndexParams()))
        self._measure()

    def _close_shard(self) -> None:
        self._stretch()
        if self._shard is not None:
            self._shard.close()
        self._shard = self._state = None
        self._lengths = {}

    def _upsert(self, points: Sequence[Point]) -> None:
        require_space(self._folder)
        self._unsettle()
        written = [edge.Point(point.point_id, vectors(point), point.payload) for point in points]
        self._open_shard.update(edge.UpdateOperation.upsert_points(written))

    def _unsettle(self) -> None:
        # No state means "interrupted while writing": the next opener rebuilds from the database.
        self._state = None
        (self._folder / _STATE_FILE).unlink(missing_ok=True)

    def _settle(self, state: IndexState) -> None:
        self._open_shard.optimize()
        self._open_shard.flush()
        record = {"state": asdict(state), "files": _sizes(self._folder / _SHARD)}
        draft = self._folder / f"{_STATE_FILE}.new"
        draft.write_text(json.dumps(record))
        draft.replace(self._folder / _STATE_FILE)
        self._state = state

    def _search(self, text: str, vector: Vector, scope: Scope, limit: int) -> Candidates:
        where, words = _filter(scope), query_weights(text)
        queries = [
            edge.QueryRequest(
                limit=limit,
                query=edge.Query.Nearest(query, using=name),
                filter=where,
                with_payload=HOME,
            )
            for name, query in ((DENSE, vector.tolist()), (PASSAGE_WORDS, words), (CHAPTER_WORDS, words))
        ]
        return Candidates.of(self._open_shard.query_batch(edge.QueryBatchRequest(queries)), limit=limit)


def _config(dimension: int) -> edge.EdgeConfig:
    words = edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf)
    return edge.EdgeConfig(
        vectors={DENSE: edge.EdgeVectorParams(size=dimension, distance=edge.Distance.Cosine)},
        sparse_vectors={PASSAGE_WORDS: words, CHAPTER_WORDS: words},
        # A full scan of one-byte vectors takes a millisecond at 50,000 chunks; a graph takes a minute to build.
        hnsw_config=edge.HnswIndexConfig(m=0, ef_construct=4, full_scan_threshold=1_000_000_000),
        quantization_config=edge.ScalarQuantizationConfig(type=edge.ScalarType.Int8, always_ram=True),
        payload_memory=edge.Memory.Cached,
        # The database is the log: an interrupted index is rebuilt from it.
        wal_enabled=False,
    )


def _filter(scope: Scope) -> edge.Filter | None:
    must: list[Any] = [
        edge.FieldCondition(key=name, match=edge.MatchValue(value)) for name, value in scope.fields.items()
    ]
    return edge.Filter(must=must) if must else None


def _length(name: str) -> int | float:
    try:
        return os.stat(name).st_size  # noqa: PTH116 - of fifty files before every search
    except OSError:
        return math.inf  # the engine still has what has no name any more


def _sizes(folder: Path) -> dict[str, int]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.stat().st_size for path in files}


def _is_ours(folder: Path) -> bool:
    """Whether we made what is in a folder: it has our mark, or is as an earlier version left it, or there is nothing in it."""
    if (folder / _MARK).is_file() or not any((folder / name).exists() for name in (_SHARD, _STATE_FILE)):
        return True
    made, state = _read_json(folder / _SHARD / "edge_config.json"), _read_json(folder / _STATE_FILE)
    vectors = {*made.get("vectors", ()), *made.get("sparse_vectors", ())}
    return vectors == VECTOR_NAMES or {"state", "files"} == set(state)


def _read_json(file: Path) -> dict[str, Any]:
    """A file's object; empty where there is none to read."""
    try:
        read = json.loads(file.read_text())
    except (OSError, ValueError):
        return {}
    return read if isinstance(read, dict) else {}


def _remove(folder: Path) -> None:
    """Delete what we made in a folder, and the folder if it held nothing else."""
    if _is_ours(folder):
        shutil.rmtree(folder / _SHARD, ignore_errors=True)
        with contextlib.suppress(OSError):
            for name in (_STATE_FILE, f"{_STATE_FILE}.new", _MARK):
                (folder / name).unlink(missing_ok=True)
            folder.rmdir()


def _read_state(folder: Path) -> IndexState | None:
    """The state, if every file is as long as it was left: the engine maps files and would crash."""
    try:
        record = _read_json(folder / _STATE_FILE)
        state = IndexState(**record["state"])
        sizes = _sizes(folder / _SHARD)
        intact = all(sizes.get(name, -1) >= size for name, size in record["files"].items())
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return state if intact else None
