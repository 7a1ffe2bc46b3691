"""Which process owns the index folder, and where the others keep a copy of their own."""

import atexit
import contextlib
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from uuid import uuid4

from filelock import FileLock, Timeout

from storage.errors import StorageError

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
            shutil.rmtree(self.path, ignore_errors=True)
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
            shutil.rmtree(lock_file.with_suffix(""), ignore_errors=True)
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
