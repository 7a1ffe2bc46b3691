"""Files that are zip archives inside: Word, PowerPoint, EPUB."""

import io
import zipfile

from storage.errors import DocumentError

MAX_UNPACKED = 500 * 1024 * 1024
_MOST_PARTS = 20_000


def open_archive(data: bytes, *, broken: str) -> zipfile.ZipFile:
    """The archive, unless it would unpack to more than any book needs."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, OSError, ValueError) as err:
        raise DocumentError(broken) from err
    parts = archive.infolist()
    if len(parts) > _MOST_PARTS or sum(part.file_size for part in parts) > MAX_UNPACKED:
        raise DocumentError("unpacks to more than 500 MB; save it again without its pictures")
    if any(part.flag_bits & 0x1 for part in parts):
        raise DocumentError("is encrypted; save a copy without a password first")
    return archive
