"""Learners' records are nobody else's on this machine: files for their owner only, in a folder of their own."""

import contextlib
import os
from pathlib import Path


def only_mine() -> None:
    """Whatever this process makes from here on is for its owner only."""
    os.umask(0o077)


def private_folder(folder: Path) -> None:
    """Make a folder that only its owner can enter, or make it one; never one that holds other things too."""
    with contextlib.suppress(OSError):  # whoever opens a database there says it better
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if folder.resolve() not in (Path.cwd(), Path.home()):
        _close(folder, 0o700)


def private_files(file: Path) -> None:
    """Close a database file, its companions and its copies to others; companions made later are like it."""
    for each in file.parent.glob(f"{file.stem}.*"):
        if each.is_file() and not each.is_symlink():
            _close(each, 0o600)


def _close(path: Path, mode: int) -> None:
    # Where somebody else owns it, or the disk knows no owners, it is for them to say.
    with contextlib.suppress(OSError):
        if path.stat().st_mode & 0o077:
            path.chmod(mode)
