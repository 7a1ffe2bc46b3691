"""Files that are nothing but questions: which form each is in, told by what is in it, and what it becomes.

A bank is no page: it has no sections and is taught nowhere. It stands beside a course, or is a course of questions.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from agents.teaching.values import Exercise
from rag.exercises import aiken, anki, gift, moodle, qti, quiz_json
from rag.loaders.document import (
    MAX_TEXT_BYTES,
    LoadedDocument,
    decode,
    open_archive,
    read_bytes,
    regular_bytes,
    title_from_path,
)
from storage.errors import DocumentError

_CERTAIN = frozenset({".apkg", ".colpkg", ".gift", ".aiken"})
_TEXTS = frozenset({".txt", ".text"})  # some are banks
_MOST_QUESTIONS = 20_000
_UNKNOWN = "is no question bank that is known; Moodle XML, GIFT, Aiken, QTI 2.1, Anki decks and quizzes in JSON are read"
_ROOT = re.compile(r"<([A-Za-z_][\w.-]*:)?(quiz|assessmentItems?)\b")
_FIRST_ELEMENT = re.compile(r"<[A-Za-z_][^\s/>]*")
_TOLD_APART = re.compile(r"<(?:[\w.-]+:)?(questestinterop|qti-assessment-\w+|assessmentTest)\b")
_HEAD = 4096


def is_bank(path: Path) -> bool:
    """Whether a file is a bank, by its ending where that is enough and else by what it holds."""
    suffix = path.suffix.lower()
    if suffix in _CERTAIN:
        return True
    try:
        if suffix == ".zip":
            with open_archive(regular_bytes(path), broken=_UNKNOWN) as archive:
                return _is_package(archive) or anki.is_deck(archive.namelist())
        if suffix == ".xml":
            return bool(_first_element(decode(read_bytes(path, most=MAX_TEXT_BYTES))))
        if suffix == ".json":
            return quiz_json.is_quiz(decode(read_bytes(path, most=MAX_TEXT_BYTES)))
        if suffix in _TEXTS:
            text = decode(read_bytes(path))
            return aiken.is_aiken(text) or gift.is_gift(text)
    except DocumentError:
        pass
    return False


def read_bank(path: Path) -> LoadedDocument:
    """All questions of a bank, those that cannot be asked with why."""
    data = read_bytes(path)
    title = title_from_path(path)
    exercises = _read(data, name=title, suffix=path.suffix.lower())
    if not exercises:
        raise DocumentError("holds no questions; export it again with some")
    if len(exercises) > _MOST_QUESTIONS:
        raise DocumentError(f"holds more than {_MOST_QUESTIONS:,} questions; split it into smaller files")
    return LoadedDocument(title=title, sections=(), exercises=tuple(exercises))


def _read(data: bytes, *, name: str, suffix: str) -> Sequence[Exercise]:
    if data.startswith(b"PK"):
        with open_archive(data, broken=_UNKNOWN) as archive:
            if anki.is_deck(archive.namelist()):
                return anki.read(archive, name=name)
            if _is_package(archive):
                return qti.read_package(archive, name=name)
        raise DocumentError(_UNKNOWN)
    if suffix in (".apkg", ".colpkg"):
        raise DocumentError(anki.BROKEN)
    text = decode(data)
    if suffix == ".json":
        return quiz_json.read(data, name=name)
    if text.lstrip().startswith("<"):
        first = _first_element(text)
        if first.endswith("quiz"):
            return moodle.read(data, name=name)
        if first:
            return qti.read(data, name=name)
        raise DocumentError(_UNKNOWN)
    if aiken.is_aiken(text) or suffix == ".aiken":
        return aiken.read(data, name=name)
    if gift.is_gift(text) or suffix == ".gift":
        return gift.read(data, name=name)
    raise DocumentError(_UNKNOWN)


def _first_element(text: str) -> str:
    """The name of the root where it is a bank's."""
    root = _FIRST_ELEMENT.search(text, 0, _HEAD)
    if root is None:
        return ""
    known = _ROOT.match(text, root.start()) or _TOLD_APART.match(text, root.start())
    return known[0].rpartition(":")[2].lstrip("<") if known else ""


def _is_package(archive: ZipFile) -> bool:
    """Whether an archive has a manifest that names questions; pages are packed in the same way."""
    try:
        return b"imsqti" in archive.read("imsmanifest.xml")
    except (KeyError, BadZipFile, OSError, EOFError, RuntimeError, NotImplementedError, ValueError):
        return False
