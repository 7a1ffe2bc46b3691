"""Which files make a course, and what each is called."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rag.loaders import SUFFIXES
from rag.naming import natural
from rag.toc import is_toc, is_toc_file
from storage.errors import InvalidInputError

_SKIPPED_FOLDERS = {"node_modules", "__pycache__", "venv", "site-packages"}
_MOST_TOC_BYTES = 2 * 1024 * 1024
# Documents that people expect to work; pictures and data beside a course are passed over in silence.
_NEAR_MISSES = {".doc", ".ppt", ".odt", ".rtf", ".tex", ".pages", ".key"}


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseFile:
    """One file to read: where it is, what people call it, and its id within the course."""

    path: Path
    name: str
    chapter_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseFiles:
    """A path's readable files by name, its tables of contents, and the names of what is not read."""

    root: Path
    is_folder: bool
    files: tuple[CourseFile, ...]
    skipped: tuple[str, ...] = ()
    tocs: Mapping[str, str] = field(default_factory=dict)


def find_files(path: Path) -> CourseFiles:
    """List a folder's documents (or the one file) in natural order."""
    if not path.exists():
        raise InvalidInputError(f"There is no file or folder '{path}'. Check the path and try again.")
    root = path.resolve()
    if root.is_file():
        file = CourseFile(path=root, name=shown_name(root.name), chapter_id=_id(root.name))
        return CourseFiles(root=root.parent, is_folder=False, files=(file,))
    names = {file: file.relative_to(root).as_posix() for file in _walk(root, root=root)}
    every = sorted(names, key=lambda file: natural(names[file]))
    texts = {names[file]: _toc_text(file) for file in every if is_toc_file(names[file])}
    tocs = {name: text for name, text in texts.items() if is_toc(name, text)}
    chapters = [file for file in every if file.suffix.lower() in SUFFIXES and names[file] not in tocs]
    skipped = tuple(shown_name(names[file]) for file in every if file.suffix.lower() in _NEAR_MISSES)
    files = tuple(_name([(file, names[file]) for file in chapters]))
    return CourseFiles(root=root, is_folder=True, files=files, skipped=skipped, tocs=tocs)


def course_name(path: Path) -> str:
    """A course is called after its folder, or after its one file."""
    resolved = path.resolve()
    return resolved.stem if resolved.is_file() else resolved.name


def shown_name(name: str) -> str:
    """A file's name on one line, whatever signs are in it."""
    return "".join(sign if sign.isprintable() else "�" for sign in name)


def _walk(folder: Path, *, root: Path) -> Iterator[Path]:
    """Every file below a folder; what a link leads to outside of it belongs to somebody else."""
    for entry in folder.iterdir():
        if entry.name.startswith(".") or entry.name in _SKIPPED_FOLDERS:
            continue
        if entry.is_symlink() and (entry.is_dir() or not entry.resolve().is_relative_to(root)):
            continue
        if entry.is_dir():
            yield from _walk(entry, root=root)
        elif entry.is_file():
            yield entry


def _toc_text(file: Path) -> str:
    try:
        if file.stat().st_size > _MOST_TOC_BYTES:
            return ""
        return file.read_text(encoding="utf-8-sig", errors="replace")
    except OSError:
        return ""


def _name(chapters: Sequence[tuple[Path, str]]) -> Iterator[CourseFile]:
    """Ids are paths without their ending; two files that differ only in it keep theirs."""
    times = Counter(_id(name) for _, name in chapters)
    for path, name in chapters:
        chapter_id = _id(name) if times[_id(name)] == 1 else shown_name(name)
        yield CourseFile(path=path, name=shown_name(name), chapter_id=chapter_id)


def _id(name: str) -> str:
    suffix = Path(name).suffix
    return shown_name(name[: -len(suffix)] if suffix else name)
