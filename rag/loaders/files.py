"""Bytes from disk to text, with a reason a course author can act on when that fails."""

import codecs
import re
from pathlib import Path

from storage.errors import DocumentError

MAX_BYTES = 50 * 1024 * 1024

_MAGIC = {
    b"%PDF-": "a PDF; rename it to .pdf",
    b"PK\x03\x04": "a zip or an Office file; give it its own ending",
    b"\x89PNG": "an image",
    b"GIF8": "an image",
    b"\xff\xd8\xff": "an image",
    b"\x1f\x8b": "a compressed file; unpack it first",
    b"7z\xbc\xaf": "a compressed file; unpack it first",
    b"\x7fELF": "a program",
    b"\xd0\xcf\x11\xe0": "an old Office file; save it as .docx",
    b"SQLite format 3": "a database",
}
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROLS = bytes(code for code in (*range(32), 0x7F) if code not in b"\t\n\r")
_WITHOUT_CONTROLS = {code: "\n\n" if code == 0x0C else None for code in _CONTROLS}
_INVISIBLE = "\0\u00ad\u200b\u2060\ufeff"  # soft hyphens and zero-width marks split words for a search
_CHARSET = re.compile(rb"""charset\s*=\s*["']?([\w.:-]+)""", re.IGNORECASE)


def read_bytes(path: Path) -> bytes:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise DocumentError("is larger than 50 MB; split it into smaller files")
        data = path.read_bytes()
    except FileNotFoundError:
        raise DocumentError("does not exist; check its name") from None
    except IsADirectoryError:
        raise DocumentError("is a folder; name the files in it") from None
    except OSError as err:
        reason = err.strerror or "the disk refused"
        raise DocumentError(f"cannot be read ({reason.lower()}); check its permissions") from err
    if not data or data.isspace():
        raise DocumentError("is empty; write something in it, or leave it out of the course")
    return data


def read_text(path: Path) -> str:
    """Read a file that should be text: UTF-8, UTF-16 with its mark, or Western Latin."""
    return decode(read_bytes(path))


def read_html(path: Path) -> str:
    """Read a page in the character set it declares, unless it is UTF-8 after all."""
    data = read_bytes(path)
    declared = _CHARSET.search(data, 0, 2048)
    return decode(data, declared=declared[1].decode("ascii") if declared else None)


def decode(data: bytes, *, declared: str | None = None) -> str:
    marked = next((encoding for bom, encoding in _BOMS if data.startswith(bom)), None)
    controls = len(data) - len(data.translate(None, _CONTROLS))
    if marked is None:
        _refuse_binary(data, controls=controls)
    text = _decode(data, encodings=[marked] if marked else ["utf-8", declared or "cp1252", "cp1252"])
    if text is None:
        # Every byte is a character in Latin-1, so this is the last resort.
        text = data.decode("latin-1")
    if controls:
        text = text.translate(_WITHOUT_CONTROLS)
    return normalised(text)


def _refuse_binary(data: bytes, *, controls: int) -> None:
    kind = next((kind for magic, kind in _MAGIC.items() if data.startswith(magic)), None)
    if kind:
        raise DocumentError(f"is not text: it is {kind}")
    if b"\0" in data or controls > len(data) * 0.02:
        raise DocumentError("is not text; save it as UTF-8 text, or give it the ending of its real format")


def _decode(data: bytes, *, encodings: list[str]) -> str | None:
    for encoding in encodings:
        try:
            return data.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    return None


def normalised(text: str) -> str:
    """Unix line ends, no invisible marks, and no NUL, which the Markdown reader uses for itself."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    for mark in _INVISIBLE:
        if mark in text:  # cheaper by far than a replacement that finds nothing
            text = text.replace(mark, "")
    if not text or text.isspace():
        raise DocumentError("is empty; write something in it, or leave it out of the course")
    return text
