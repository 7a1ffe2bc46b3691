"""Reads a file in a process of its own, so that one that hangs, bursts or crashes its reader costs a line.

PDF, Word, PowerPoint and EPUB files and question banks are read by large libraries, partly in C, and a small one of them can
unpack to anything. `python -m rag.loaders.apart` reads one path a line and answers one line of JSON.
"""

import json
import os
import signal
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from rag.loaders import BANKS, load_document
from rag.loaders.document import LoadedDocument
from storage.errors import DocumentError, WordlessDocumentError

_DOCUMENT = TypeAdapter(LoadedDocument)
MOST_SECONDS = 120  # of work, not of waiting: a busy machine does not change what can be read
MOST_MEMORY = 2 << 30
_TOO_LONG = f"takes longer than {MOST_SECONDS} seconds to read; split it, or save it again"
_TOO_LARGE = "needs more than 2 GB of memory to be read; split it, or save it again"
_CRASHED = "crashes the program that reads it; open it and save it again"
_SUFFIXES = frozenset({".pdf", ".docx", ".pptx", ".epub", *BANKS})
_LARGE = 2 * 1024 * 1024  # whatever it is


def belongs_apart(path: Path, *, size: int) -> bool:
    """Small texts are read here: the readers of text take time in proportion."""
    return path.suffix.lower() in _SUFFIXES or size > _LARGE


class ReadingProcess:
    """Started with the first file, and again after one that ended it."""

    def __init__(self, *, seconds: int = MOST_SECONDS, memory: int = MOST_MEMORY) -> None:
        self._limits = (str(seconds), str(memory))
        self._process: subprocess.Popen[str] | None = None

    def load(self, path: Path, *, root: Path | None = None) -> LoadedDocument:
        process = self._process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps([os.fsencode(each or "").hex() for each in (path, root)]) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except OSError:
            line = ""
        if not line:
            self.close()
            is_late = process.returncode == -getattr(signal, "SIGXCPU", 0)
            raise DocumentError(_TOO_LONG if is_late else _CRASHED)
        return _document(json.loads(line))

    def close(self) -> None:
        """End the process; it ends by itself when nobody writes to it any more."""
        process, self._process = self._process, None
        if process is not None:
            process.communicate()

    def _start(self) -> "subprocess.Popen[str]":
        here = str(Path(__file__).parents[2])
        paths = os.pathsep.join(filter(None, [here, os.environ.get("PYTHONPATH", "")]))
        return subprocess.Popen(
            [sys.executable, "-m", __name__, *self._limits],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONPATH": paths},
        )


def _document(answer: dict[str, Any]) -> LoadedDocument:
    if "wordless" in answer:
        raise WordlessDocumentError(title=answer["wordless"])
    if "failed" in answer:
        raise DocumentError(answer["failed"])
    return _DOCUMENT.validate_python(answer)


def main() -> None:
    """Answer until the input ends; whatever a library prints goes nowhere."""
    seconds, memory = int(sys.argv[1]), int(sys.argv[2])
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    with open(os.devnull, "w") as nowhere:  # noqa: PTH123
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
    for line in sys.stdin:
        path, root = (Path(os.fsdecode(bytes.fromhex(each))) for each in json.loads(line))
        _limit(seconds=seconds, memory=memory)
        answers.write(json.dumps(_answer(path, root=root)) + "\n")
        answers.flush()


def _answer(path: Path, *, root: Path) -> dict[str, Any]:
    try:
        return asdict(load_document(path, root=root if root != Path() else None))
    except WordlessDocumentError as err:
        return {"wordless": err.title}
    except DocumentError as err:
        caused_by = err.__cause__
        return {"failed": _TOO_LARGE if isinstance(caused_by, MemoryError) else str(err)}
    except MemoryError:
        return {"failed": _TOO_LARGE}


def _limit(*, seconds: int, memory: int) -> None:
    """The kernel ends us at the limit of this one file; Windows has no such thing."""
    if sys.platform == "win32":
        return
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    until = int(used.ru_utime + used.ru_stime) + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (until, resource.getrlimit(resource.RLIMIT_CPU)[1]))
    resource.setrlimit(resource.RLIMIT_AS, (memory, resource.getrlimit(resource.RLIMIT_AS)[1]))


if __name__ == "__main__":
    main()
