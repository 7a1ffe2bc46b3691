"""Which files make a course, in which order, and what each is called."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from rag.loaders import SUFFIXES
from storage.course import Document
from storage.errors import InvalidInputError

_SKIPPED_FOLDERS = {"node_modules", "__pycache__", "venv", "site-packages"}
_CONTENTS_NAMES = {"summary", "toc", "_toc", "contents", "table-of-contents"}
_NO_TITLES = {"readme", "index", "table of contents", "contents", "about"}
_BACK_MATTER = re.compile(
    r"(?:glossary|appendix|appendices|references|bibliography|answers|solutions)\b", re.IGNORECASE
)
_LINK = re.compile(r"\]\(\s*<?([^)>#\s]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseFile:
    """One file to read: where it is, what people call it, and its id within the course."""

    path: Path
    name: str
    chapter_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseFiles:
    """A path's readable files in reading order, and the names of those that are not readable."""

    root: Path
    is_folder: bool
    files: tuple[CourseFile, ...]
    skipped: tuple[str, ...] = ()


def find_files(path: Path) -> CourseFiles:
    """List a folder's documents (or the one file) in the order in which they are read."""
    if not path.exists():
        raise InvalidInputError(f"There is no file or folder '{path}'. Check the path and try again.")
    root = path.resolve()
    if root.is_file():
        file = CourseFile(path=root, name=root.name, chapter_id=_id(root.name))
        return CourseFiles(root=root.parent, is_folder=False, files=(file,))
    every = sorted(_walk(root), key=lambda file: _natural(file.relative_to(root).as_posix()))
    readable = [file for file in every if file.suffix.lower() in SUFFIXES]
    contents = next((file for file in readable if _is_contents(file, root)), None)
    chapters = _in_reading_order([file for file in readable if file != contents], contents)
    skipped = tuple(
        file.relative_to(root).as_posix() for file in every if file.suffix.lower() in _NEAR_MISSES
    )
    return CourseFiles(root=root, is_folder=True, files=tuple(_name(chapters, root)), skipped=skipped)


# Documents that people expect to work; pictures and data beside a course are passed over in silence.
_NEAR_MISSES = {".doc", ".ppt", ".pptx", ".odt", ".rtf", ".epub", ".tex", ".ipynb", ".rst", ".pages", ".key"}


def course_name(path: Path) -> str:
    """A course is called after its folder, or after its one file."""
    resolved = path.resolve()
    return resolved.stem if resolved.is_file() else resolved.name


def course_title(course: str, documents: Iterable[Document]) -> str:
    """The title of the README at the top, if it has one of its own; else the course's name."""
    for document in documents:
        if document.chapter_id.lower() in ("readme", "index") and document.title.lower() not in _NO_TITLES:
            return document.title
    return human(course)


def module_name(chapter_id: str, *, course: str) -> str:
    """'module-1-ros2/ch1-basics' is in 'Module 1 Ros2'; a file at the top is in the course itself."""
    folder, _, rest = chapter_id.partition("/")
    return human(folder if rest else course)


def human(name: str) -> str:
    """'module-1-ros2' reads 'Module 1 Ros2'."""
    return " ".join(word[:1].upper() + word[1:] for word in re.split(r"[-_\s]+", name) if word)


def _walk(folder: Path) -> Iterator[Path]:
    for entry in folder.iterdir():
        if entry.name.startswith(".") or entry.name in _SKIPPED_FOLDERS:
            continue
        if entry.is_dir():
            yield from _walk(entry)
        elif entry.is_file():
            yield entry


def _name(chapters: Sequence[Path], root: Path) -> Iterator[CourseFile]:
    """Ids are paths without their ending; two files that differ only in it keep theirs."""
    names = [path.relative_to(root).as_posix() for path in chapters]
    times = Counter(map(_id, names))
    for path, name in zip(chapters, names, strict=True):
        yield CourseFile(path=path, name=name, chapter_id=_id(name) if times[_id(name)] == 1 else name)


def _id(name: str) -> str:
    return name[: -len(Path(name).suffix)] if Path(name).suffix else name


def _natural(name: str) -> list[tuple[int, int, str]]:
    """'ch10' comes after 'ch2', a folder's own README first, a glossary or appendix last."""
    folder, slash, file = name.rpartition("/")
    if _BACK_MATTER.match(file):
        name = f"{folder}{slash}\uffff{file}"
    parts = re.split(r"(\d+)", re.sub(r"(^|/)(readme|index)\.\w+$", r"\1", name.lower()))
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts if part]


def _is_contents(file: Path, root: Path) -> bool:
    return file.parent == root and file.stem.lower() in _CONTENTS_NAMES and file.suffix.lower() == ".md"


def _in_reading_order(chapters: list[Path], contents: Path | None) -> list[Path]:
    """A table of contents decides; what it leaves out follows in natural order."""
    if contents is None:
        return chapters
    text = contents.read_text(encoding="utf-8", errors="replace")
    listed = [(contents.parent / unquote(target)).resolve() for target in _LINK.findall(text)]
    place = {path: number for number, path in reversed(list(enumerate(listed)))}
    return sorted(chapters, key=lambda path: place.get(path, len(listed)))
