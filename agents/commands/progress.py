"""The progress bar of an ingest: how far, how fast, how long to go."""

import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from rag.ingest import Progress as IngestProgress


class IngestBar:
    """Appears with the first progress, so an ingest with nothing to do shows nothing."""

    def __init__(self) -> None:
        self._bar = Progress(
            TextColumn("Reading"),
            BarColumn(),
            TaskProgressColumn(),
            TextColumn("{task.fields[detail]}"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
        )
        self._started = time.perf_counter()
        self._task: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def __call__(self, progress: IngestProgress) -> None:
        rate = progress.chunks_done / max(time.perf_counter() - self._started, 1e-6)
        detail = f"{progress.files_done}/{progress.files_total} files · {progress.chunks_done} chunks · {rate:,.0f}/s"
        if self._task is None:
            self._bar.start()
            self._task = self._bar.add_task("", total=progress.bytes_total, detail=detail)
        self._bar.update(self._task, completed=progress.bytes_done, detail=detail)  # type: ignore[arg-type]
