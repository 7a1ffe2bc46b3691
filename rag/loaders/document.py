"""What every loader works with: a file read safely, the document it becomes, its outline, its tables, and what the page is for."""

import codecs
import io
import os
import re
import stat
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Literal

from agents.language.blocks import prose, without_pictures
from agents.language.headings import heading_name
from agents.teaching.values import Exercise
from storage.errors import DocumentError, WordlessDocumentError


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    headings: tuple[str, ...]  # from the document's title down to this section's own heading
    text: str  # paragraphs, lists, tables, code fences and LaTeX; no HTML, images or link targets
    page: int | None = None  # 1-based, only where the format has pages


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedDocument:
    title: str
    sections: tuple[Section, ...]
    front_matter: Mapping[str, str] = field(default_factory=dict)
    links: int = 0  # where the format has them
    linked: float = 0.0  # the share of the words that links are made of
    questions: int = 0  # components that ask the reader something
    quizzes: tuple[str, ...] = ()  # the ids of those that it sends its reader to
    exercises: tuple[
        Exercise, ...
    ] = ()  # taken out of the sections: what gives an answer away is taught nowhere


_MOST_HEADING = 300  # every passage carries its headings
_UNNAMED = {"readme", "index"}  # these say nothing, the folder around them does


class Outline:
    """One document being read from top to bottom."""

    def __init__(self, title: str) -> None:
        self._title = title[:_MOST_HEADING].rstrip()
        self._path: list[tuple[int, str]] = []
        self._blocks: list[str] = []
        self._page: int | None = None
        self._sections: list[Section] = []

    def heading(self, text: str, *, level: int) -> None:
        """Open a section; a heading without words (an image, say) opens none."""
        if not text:
            return
        text = text[:_MOST_HEADING].rstrip()
        self._close_section()
        while self._path and self._path[-1][0] >= level:
            self._path.pop()
        self._path.append((level, text))

    def text(self, block: str) -> None:
        self._blocks.append(block)

    def page(self, number: int) -> None:
        self._close_section()
        self._page = number

    def document(
        self, *, front_matter: Mapping[str, str] | None = None, links: Sequence[str] = (), questions: int = 0
    ) -> LoadedDocument:
        """All that was read; the links are what those to other pages say."""
        self._close_section()
        if not any(without_pictures(section.text).strip() for section in self._sections):
            raise WordlessDocumentError(title=self._title)
        words = sum(len(section.text.split()) for section in self._sections)
        return LoadedDocument(
            title=self._title,
            sections=tuple(self._sections),
            front_matter=dict(front_matter or {}),
            links=len(links),
            linked=min(sum(len(link.split()) for link in links) / max(words, 1), 1.0),
            questions=questions,
        )

    def _close_section(self) -> None:
        # Only newlines are stripped at the start: a list may begin with an indented item.
        text = "\n\n".join(self._blocks).rstrip().lstrip("\n")
        if text.strip():
            self._sections.append(Section(headings=self._headings(), text=text, page=self._page))
        self._blocks.clear()

    def _headings(self) -> tuple[str, ...]:
        names = [self._title]
        for _, name in self._path:
            if name.casefold() != names[-1].casefold():
                names.append(name)
        return tuple(names)


def fenced(code: str, *, language: str = "") -> str:
    """Code between marks that it does not hold itself."""
    mark = "`" * max(3, max((len(run) + 1 for run in re.findall(r"`{3,}", code)), default=3))
    return f"{mark}{language}\n{code}\n{mark}"


@contextmanager
def reading(broken: str) -> Iterator[None]:
    """A broken file makes the reader of its format raise anything: it is told as what it is."""
    try:
        yield
    except DocumentError:
        raise
    except Exception as err:
        raise DocumentError(broken) from err


def title_from_path(path: Path) -> str:
    """Turn "ch1-basics.md" into "Ch1 Basics"."""
    parent = path.absolute().parent.name
    name = parent if path.stem.casefold() in _UNNAMED and parent else path.stem
    words = re.split(r"[\s_-]+", name)
    return " ".join(word[:1].upper() + word[1:] for word in words if word) or "Untitled"


MAX_BYTES = 50 * 1024 * 1024
MAX_TEXT_BYTES = 10 * 1024 * 1024  # twice the longest novels; a megabyte of words takes about 25 of memory

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
# Soft hyphens and zero-width marks split words for a search; the last two mark where a question was taken out.
_INVISIBLE = "\0\u00ad\u200b\u2060\ufeff\ue000\ue001"
_CHARSET = re.compile(rb"""charset\s*=\s*["']?([\w.:-]+)""", re.IGNORECASE)


def regular_bytes(path: Path, *, most: int = MAX_BYTES) -> bytes:
    """What is in a regular file: a pipe would be waited for and a device read for ever."""
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
            about = os.fstat(file.fileno())
            if not stat.S_ISREG(about.st_mode):
                raise DocumentError("is not a regular file; leave it out of the course")
            data = file.read(most + 1) if about.st_size <= most else None
    except FileNotFoundError:
        raise DocumentError("does not exist; check its name") from None
    except IsADirectoryError:
        raise DocumentError("is a folder; name the files in it") from None
    except OSError as err:
        reason = err.strerror or "the disk refused"
        raise DocumentError(f"cannot be read ({reason.lower()}); check its permissions") from err
    if data is None or len(data) > most:  # it may grow while it is read
        raise DocumentError(f"is larger than {most >> 20} MB; split it into smaller files")
    return data


def read_bytes(path: Path, *, most: int = MAX_BYTES) -> bytes:
    data = regular_bytes(path, most=most)
    if not data or data.isspace():
        raise DocumentError("is empty; write something in it, or leave it out of the course")
    return data


def read_text(path: Path, *, most: int = MAX_TEXT_BYTES) -> str:
    """Read a file that should be text: UTF-8, UTF-16 with its mark, or Western Latin."""
    return decode(read_bytes(path, most=most))


def read_html(path: Path) -> str:
    """Read a page in the character set it declares, unless it is UTF-8 after all."""
    data = read_bytes(path, most=MAX_TEXT_BYTES)
    declared = _CHARSET.search(data, 0, 2048)
    return decode(data, declared=declared[1].decode("ascii") if declared else None)


def decode(data: bytes, *, declared: str | None = None) -> str:
    marked = next((encoding for bom, encoding in _BOMS if data.startswith(bom)), None)
    controls = len(data) - len(data.translate(None, _CONTROLS))
    if marked is None:
        _refuse_binary(data, controls=controls)
    text = _decode(data, encodings=[marked] if marked else ["utf-8", declared or "cp1252", "cp1252"])
    return normalised(text.translate(_WITHOUT_CONTROLS) if controls else text)


def _refuse_binary(data: bytes, *, controls: int) -> None:
    kind = next((kind for magic, kind in _MAGIC.items() if data.startswith(magic)), None)
    if kind:
        raise DocumentError(f"is not text: it is {kind}")
    if b"\0" in data or controls > len(data) * 0.02:
        raise DocumentError("is not text; save it as UTF-8 text, or give it the ending of its real format")


def _decode(data: bytes, *, encodings: list[str]) -> str:
    for encoding in encodings:
        with suppress(UnicodeDecodeError, LookupError):
            return data.decode(encoding)
    return data.decode("latin-1")  # where every byte is a character


def normalised(text: str) -> str:
    """Unix line ends, no invisible marks, and no NUL, which the Markdown reader uses for itself."""
    text = visible(text)
    if not text or text.isspace():
        raise DocumentError("is empty; write something in it, or leave it out of the course")
    return text


def visible(text: str) -> str:
    """Text without the signs that nobody sees, its line ends as on Unix."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    for mark in _INVISIBLE:
        if mark in text:  # cheaper by far than a replacement that finds nothing
            text = text.replace(mark, "")
    return text


def pipe_table(rows: Sequence[Sequence[str]], *, has_header: bool = True) -> str:
    """Render rows, with captions that span the whole table as a line above it."""
    kept = [cells for cells in (_clean(row) for row in rows) if any(cells)]
    width = max((len(row) for row in kept), default=0)
    captions: list[str] = []
    # A lone first cell above others is a title that the author let span the table.
    while width > 1 and len(kept) > 1 and len(kept[0]) == 1:
        captions.append(kept.pop(0)[0])
    if width <= 1:
        return "\n\n".join(cell for row in kept for cell in row if cell)
    header = kept.pop(0) if has_header else []
    lines = [_line(header, width=width), "|" + " --- |" * width, *(_line(row, width=width) for row in kept)]
    return "\n\n".join([*captions, "\n".join(lines)])


def _clean(row: Sequence[str]) -> list[str]:
    return [" ".join(cell.split()).replace("|", "\\|") for cell in row]


def _line(row: Sequence[str], *, width: int) -> str:
    return "| " + " | ".join([*row, *[""] * (width - len(row))]) + " |"


MAX_UNPACKED = 500 * 1024 * 1024
_MOST_PARTS = 20_000


def open_archive(data: bytes, *, broken: str) -> zipfile.ZipFile:
    """The archive, unless it would unpack to more than any book needs."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError) as err:
        raise DocumentError(broken) from err
    parts = archive.infolist()
    if len(parts) > _MOST_PARTS or sum(part.file_size for part in parts) > MAX_UNPACKED:
        raise DocumentError("unpacks to more than 500 MB; save it again without its pictures")
    if any(part.flag_bits & 0x1 for part in parts):
        raise DocumentError("is encrypted; save a copy without a password first")
    return archive


PageKind = Literal["content", "title", "preface", "licence", "changelog", "exercises", "links"]

_LINKED = 0.5  # of a page's words: above it, it sends its reader elsewhere
_FEWEST_LINKS = 5
_WORDS_A_QUESTION = 100  # with the question's own, where it stands among them
_WORDS_AROUND_A_QUESTION = 10  # where it was taken out
_FEW_QUESTIONS = 3
# The heading of a release has a number, perhaps a date, and no words: '5.6.1. Adding a Column' is a section.
_RELEASE = re.compile(
    r"\[?(?:version )?v?\d+\.\d+(?:[^a-z]*|.*\b(?:19|20)\d\d\b.*)$|\[?(?:19|20)\d\d-\d\d|\[?unreleased",
    re.IGNORECASE,
)
# The last resort, where neither the table of contents nor the page's shape tells: what such pages are called.
_NAMES: dict[PageKind, re.Pattern[str]] = {
    "licence": re.compile(
        r"(?:licen[cs]es?|copying|copyright|notice|third[- ]party notices)$", re.IGNORECASE
    ),
    "changelog": re.compile(
        r"(?:change ?logs?|release notes|history of changes|what'?s new)$", re.IGNORECASE
    ),
    "preface": re.compile(
        r"(?:preface|foreword|vorwort|dedication|acknowledge?ments|about (?:the authors?|this (?:book|course))|"
        r"code of conduct|contribut(?:ing|ors)|credits)$",
        re.IGNORECASE,
    ),
    "exercises": re.compile(
        r"(?:.*\b)?(?:exercises?|quiz(?:zes)?|homework|worksheets?|exam)(?:$|\s*[:–—-]\s|\s+#?\d)|"
        r"(?:exercises?|assignments?|solutions?|challenges?)(?:$|\s*[:–—-]\s|\s+#?\d)|"
        r"(?:review|practice|discussion|study|chapter) (?:questions?|exercises?|problems?)$|exercise solutions$|answer key$",
        re.IGNORECASE,
    ),
    "links": re.compile(
        r"(?:(?:other|further|additional|more|useful|learning) (?:resources|reading|links)|resources|bibliography)$",
        re.IGNORECASE,
    ),
}
_WORK_FOLDERS = frozenset(
    "starter solution solutions exercise exercises assignment assignments quiz quizzes quiz-app".split()
)


def page_kind(document: LoadedDocument, *, name: str) -> PageKind:
    """The kind of a page by its shape, then by what it and its file are called."""
    if not document.sections:
        return "exercises"  # a bank of questions
    headings = [section.headings[-1] for section in document.sections if len(section.headings) > 1]
    if len(headings) > 2 and sum(bool(_RELEASE.match(each)) for each in headings) > len(headings) * 0.6:
        return "changelog"
    if document.links >= _FEWEST_LINKS and document.linked > _LINKED:
        return "links"
    path = PurePosixPath(name.lower())
    stem = re.sub(r"^[\d._-]+", "", path.stem).replace("_", " ").replace("-", " ")
    by_name = named_kind(document.title) or named_kind(stem)
    if by_name:
        return by_name
    return "exercises" if _mostly_asks(document) or _is_work(path) else "content"


def _mostly_asks(document: LoadedDocument) -> bool:
    """Questions that hardly anything is told between; a page that teaches may end with a few."""
    words = prose_words(document)
    if document.exercises and words < len(document.exercises) * _WORDS_AROUND_A_QUESTION:
        return True
    return document.questions >= _FEW_QUESTIONS and words < document.questions * _WORDS_A_QUESTION


def _is_work(path: PurePosixPath) -> bool:
    """'solution/a.md', 'async-exercises/b.md': work by the name of its folder or its own."""
    words = {word for part in path.parts for word in re.split(r"[-_.]", part)}
    return bool({*path.parts} & _WORK_FOLDERS or words & {"exercises", "exercise", "assignments", "quizzes"})


def named_kind(title: str) -> PageKind | None:
    """What a title alone says."""
    words = heading_name(title)
    return next((kind for kind, pattern in _NAMES.items() if pattern.match(words)), None)


def prose_words(document: LoadedDocument) -> int:
    return sum(len(prose(section.text).split()) for section in document.sections)
