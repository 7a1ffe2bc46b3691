"""Which files make a course, and what each is called."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from posixpath import basename, splitext

from rag.loaders import BANKS, SUFFIXES
from rag.loaders.document import regular_bytes
from rag.toc import is_toc, is_toc_file
from storage.errors import DocumentError, InvalidInputError

_FRONT_PAGES = frozenset({"readme", "index", "_index"})
_BACK_MATTER = re.compile(
    r"(?:glossary|appendix|appendices|references|bibliography|answers|solutions)\b", re.IGNORECASE
)


def human(name: str) -> str:
    """'module-1-ros2' reads 'Module 1 Ros2'."""
    return " ".join(word[:1].upper() + word[1:] for word in re.split(r"[-_\s]+", name) if word)


def is_front_page(name: str) -> bool:
    """Whether a file introduces the folder that it is in."""
    return splitext(basename(name))[0].lower() in _FRONT_PAGES


def natural(name: str) -> list[tuple[int, int, str]]:
    """'ch10' comes after 'ch2', a folder's own README first, a glossary or appendix last."""
    folder, slash, file = name.rpartition("/")
    if _BACK_MATTER.match(file):
        name = f"{folder}{slash}\uffff{file}"
    parts = re.split(r"(\d+)", re.sub(r"(^|/)(readme|_?index)\.\w+$", r"\1", name.lower()))
    # Digits of other scripts are letters here: int() takes most of them, but not all.
    return [
        (0, int(part), "") if part.isascii() and part.isdigit() else (1, 0, part) for part in parts if part
    ]


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
    if path.is_symlink() and not root.is_dir() and not root.is_relative_to(path.parent.resolve()):
        raise InvalidInputError(f"'{path}' is a link to a file elsewhere. Name that file itself.")
    if not root.is_dir() and not root.is_file():
        raise InvalidInputError(f"'{path}' is neither a file nor a folder. Name one of these.")
    if root.is_file():
        file = CourseFile(path=root, name=shown_name(root.name), chapter_id=_id(root.name))
        return CourseFiles(root=root.parent, is_folder=False, files=(file,))
    closed: list[str] = []
    names = {file: file.relative_to(root).as_posix() for file in _walk(root, closed=closed)}
    every = sorted(names, key=lambda file: natural(names[file]))
    texts = {names[file]: _toc_text(file) for file in every if is_toc_file(names[file])}
    tocs = {name: text for name, text in texts.items() if is_toc(name, text)}
    chapters = [file for file in every if _is_document(file) and names[file] not in tocs]
    skipped = [shown_name(names[file]) for file in every if file.suffix.lower() in _NEAR_MISSES]
    files = tuple(_name([(file, names[file]) for file in chapters]))
    return CourseFiles(root=root, is_folder=True, files=files, skipped=(*closed, *skipped), tocs=tocs)


def _is_document(file: Path) -> bool:
    """Whether a file beside others is to be read: XML and archives can be anything."""
    suffix = file.suffix.lower()
    if suffix not in BANKS:
        return suffix in SUFFIXES
    from rag.exercises.banks import is_bank

    return is_bank(file)


def course_name(path: Path) -> str:
    """A course is called after its folder, or after its one file; a folder that only says its language has its parent's name too."""
    resolved = path.resolve()
    if resolved.is_file():
        return resolved.stem
    is_language = re.fullmatch(r"[a-z]{2}(?:[-_][A-Za-z]{2,4})?", resolved.name) is not None
    return (
        f"{resolved.parent.name}-{resolved.name}" if is_language and resolved.parent.name else resolved.name
    )


def shown_name(name: str) -> str:
    """A file's name on one line, whatever signs are in it."""
    return "".join(sign if sign.isprintable() else "�" for sign in name)


def _walk(root: Path, *, closed: list[str]) -> Iterator[Path]:
    """Every regular file below a folder; what a link leads to outside of it belongs to somebody else."""
    folders = [root]
    while folders:
        folder = folders.pop()
        try:
            entries = list(folder.iterdir())
        except OSError:
            closed.append(shown_name(folder.relative_to(root).as_posix()))
            continue
        for entry in entries:
            if entry.name.startswith(".") or entry.name in _SKIPPED_FOLDERS:
                continue
            if entry.is_symlink() and (entry.is_dir() or not _leads_into(entry, root)):
                continue
            if entry.is_dir():
                folders.append(entry)
            elif entry.is_file():
                yield entry


def _leads_into(link: Path, root: Path) -> bool:
    """Whether a link leads to what would be read anyway, and not to what is hidden."""
    try:
        inside = link.resolve().relative_to(root)
    except (ValueError, OSError, RuntimeError):  # elsewhere, or in a circle
        return False
    return not any(part.startswith(".") for part in inside.parts)


def _toc_text(file: Path) -> str:
    try:
        return regular_bytes(file, most=_MOST_TOC_BYTES).decode("utf-8-sig", errors="replace")
    except DocumentError:
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
