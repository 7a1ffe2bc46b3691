"""Own material: received, put into a folder of its own, and read while a bar moves."""

import asyncio
import logging
import re
import shutil
import time
import zipfile
import zlib
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from secrets import token_urlsafe
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

from agents.services import Services
from rag.ingest import IngestProgress, IngestReport, Stage
from storage.errors import TutorError
from web.caller import Someone, Teacher, Text, TurnedAwayError, fragment
from web.courses import course_view, read_from

logger = logging.getLogger(__name__)
router = APIRouter()

MOST_BYTES = 100 * 1024 * 1024
_MOST_UNPACKED = 300 * 1024 * 1024
_MOST_FILES = 5000
_MOST_JOBS = 100  # kept to be asked about
_STEP = 1024 * 1024
_WAIT = 0.5  # seconds that a question about the progress waits for news
_TELLING = 0.05  # of the reading; before it the time that it took says nothing about the time left
_STAGES: Mapping[Stage, str] = {
    "reading": "Reading the files: {files}",
    "indexing": "Making it searchable: {files} files",
    "connecting": "Finding what it teaches, and what its author asks",
    "saving": "Saving",
}
_PASSED_OVER = "has no words in it, or is of a format that is not read"
_NOTHING = "There was nothing in it that could be read."
_TOO_LARGE = (
    f"That is more than {MOST_BYTES // 1024 // 1024} MB, which is more than can be added at once. Nothing was added: "
    "add it in parts, or leave pictures and videos out."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadFile:
    """A file that is no part of its course, and why."""

    name: str
    reason: str


@dataclass(slots=True)
class UploadReading:
    """A course that is being read, or was."""

    user_id: str
    course: str
    title: str = ""  # known once it is read
    message: str = "Reading …"
    share: float = 0.0
    began: float = field(default_factory=time.monotonic)
    is_over: bool = False
    failed: bool = False
    task: "asyncio.Task[None]" = field(init=False)

    def progressed(self, progress: IngestProgress) -> None:
        self.share = max(self.share, progress.share)
        files = f"{progress.files_done} of {progress.files_total}"
        self.message = _STAGES[progress.stage].format(files=files)

    @property
    def seconds_left(self) -> int | None:
        """By the time that it took so far; None while that says too little."""
        if self.is_over or self.share < _TELLING:
            return None
        taken = time.monotonic() - self.began
        return max(1, round(taken / self.share * (1 - self.share)))


class Uploads:
    """The uploads of this process: who sent what, and how far its reading is."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self.folder = services.settings.data_dir / "uploads"
        self.readings: dict[str, UploadReading] = {}
        self.unread: dict[
            str, tuple[UnreadFile, ...]
        ] = {}  # of each course, what its last reading passed over

    async def take(self, files: Iterable[tuple[str, UploadFile]], *, user_id: str) -> str:
        """Put the files into a new course's folder and begin to read it; returns what to ask after."""
        named = [(name, file) for raw, file in files if (name := safe_path(raw))]
        if not named:
            raise TurnedAwayError(400, _NOTHING)
        course = await self._free_name(_title_of([name for name, _ in named]))
        folder = self.folder / course
        try:
            for name, file in named:
                await asyncio.to_thread(_put, folder, name, file)
            if not any(folder.rglob("*")):
                raise TurnedAwayError(400, _NOTHING)
        except BaseException:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
            raise
        return self._begin(UploadReading(user_id=user_id, course=course), [_root(folder)], is_new=True)

    def read_again(self, course: str, paths: Sequence[Path], *, user_id: str) -> str:
        """Begin to read what has changed of a course; returns what to ask after."""
        return self._begin(UploadReading(user_id=user_id, course=course), paths)

    def _begin(self, reading: UploadReading, paths: Sequence[Path], *, is_new: bool = False) -> str:
        number = token_urlsafe(12)
        reading.task = asyncio.create_task(self._read(reading, paths, is_new=is_new))
        self.readings[number] = reading
        for old in list(self.readings)[:-_MOST_JOBS]:
            del self.readings[old]
        return number

    async def _read(self, reading: UploadReading, paths: Sequence[Path], *, is_new: bool) -> None:
        try:
            [report] = await self._services.library.ingest(
                paths, course=reading.course, on_progress=reading.progressed
            )
            self.unread[reading.course] = unread_of(report)
            reading.title = (await self._services.syllabus(reading.course)).title
            if is_new:
                reading.message, reading.failed = _told(report, title=reading.title), not report.added
            else:
                reading.message = f"“{reading.title}”: {changes_of(report)}"
        except TutorError as err:
            reading.message, reading.failed = str(err), True
        except Exception:
            logger.exception("an upload could not be read")
            reading.message, reading.failed = "It could not be read; nothing was added.", True
        finally:
            if reading.failed and is_new:
                await self._undo(reading.course)
            reading.is_over = True

    async def _undo(self, course: str) -> None:
        """A course in which nothing could be read is none."""
        await asyncio.to_thread(shutil.rmtree, self.folder / course, ignore_errors=True)
        with suppress(TutorError):
            await self._services.library.corpus.delete_course(course)

    async def _free_name(self, title: str) -> str:
        """A course's name that nobody has: what is there already is never written over."""
        taken = {course.name for course in await self._services.library.courses()}
        taken |= {path.name for path in self.folder.glob("*")}
        name = re.sub(r"[^\w.-]+", "-", title).strip("-._")[:60] or "course"
        numbers = ("" if count == 1 else f"-{count}" for count in range(1, 10_000))
        return next(found for number in numbers if (found := f"{name}{number}") not in taken)


@router.post("/courses/upload")
async def upload(request: Request, caller: Teacher) -> JSONResponse:
    """Take files and begin to read them; courses are everybody's, so a class gets them from its teacher."""
    uploads: Uploads = request.app.state.uploads
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise TurnedAwayError(400, "Send files as a form.")
    try:
        form = await MultiPartParser(
            request.headers, _counted(request), max_files=_MOST_FILES, max_fields=10
        ).parse()
    except MultiPartException as err:
        raise TurnedAwayError(400, f"That could not be taken: {err.message}") from err
    try:
        files = [
            (file.filename or "", file) for file in form.getlist("files") if isinstance(file, UploadFile)
        ]
        return JSONResponse({"id": await uploads.take(files, user_id=caller.user_id)})
    finally:
        await form.close()


@router.post("/courses/read")
async def read_again(request: Request, caller: Teacher, course: Text) -> Response:
    """Read what has changed of a course; our script follows it, who has none waits for it."""
    uploads: Uploads = request.app.state.uploads
    known = await caller.course(course)
    number = uploads.read_again(known.name, await read_from(caller, known), user_id=caller.user_id)
    if "application/json" in request.headers.get("accept", ""):
        return JSONResponse({"id": number})
    await asyncio.wait([uploads.readings[number].task])
    return RedirectResponse(f"/course?course={quote(known.name)}", status_code=303)


@router.get("/courses/reading/{number}")
async def reading(request: Request, caller: Someone, number: str) -> Response:
    """How far the reading of an upload is; only for the one who sent it."""
    uploads: Uploads = request.app.state.uploads
    found = uploads.readings.get(number)
    if found is None or found.user_id != caller.user_id:
        raise TurnedAwayError(404, "There is no such upload.")
    if not found.is_over:
        await asyncio.wait([found.task], timeout=_WAIT)
    html = ""
    if found.is_over and not found.failed:
        html = fragment(request, "course_card.html", view=await course_view(caller, found.course))
    return JSONResponse(
        {
            "message": found.message,
            "share": round(found.share, 3),
            "seconds_left": found.seconds_left,
            "is_over": found.is_over,
            "failed": found.failed,
            "html": html,
        }
    )


def safe_path(name: str) -> str:
    """A file's path below the course's folder; empty for what has no business there."""
    parts = [part for part in PurePosixPath(name.replace("\\", "/")).parts if part not in ("/", ".", "..")]
    is_hidden = any(part.startswith(".") or part == "__MACOSX" for part in parts)
    clean = ["".join(sign for sign in part if sign.isprintable() and sign not in ':*?"<>|') for part in parts]
    return "" if is_hidden or not all(clean) else "/".join(part[-120:] for part in clean)


async def _counted(request: Request) -> AsyncGenerator[bytes, None]:
    """The body as it comes, no further than may be."""
    if int(request.headers.get("content-length") or 0) > MOST_BYTES:
        raise TurnedAwayError(413, _TOO_LARGE)
    seen = 0
    async for piece in request.stream():
        seen += len(piece)
        if seen > MOST_BYTES:
            raise TurnedAwayError(413, _TOO_LARGE)
        yield piece


def _put(folder: Path, name: str, file: UploadFile) -> None:
    if name.lower().endswith(".zip"):
        _unpack(folder, file)
        return
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as out:
        shutil.copyfileobj(file.file, out, _STEP)


def _unpack(folder: Path, file: UploadFile) -> None:
    """A folder that was sent as one file, unless it unpacks to more than it may."""
    too_much = TurnedAwayError(
        400,
        f"This archive unpacks to more than {_MOST_UNPACKED // 1024 // 1024} MB or {_MOST_FILES:,} files. "
        "Nothing was added: send only the texts.",
    )
    try:
        with zipfile.ZipFile(file.file) as archive:
            parts = [part for part in archive.infolist() if not part.is_dir()]
            if len(parts) > _MOST_FILES or sum(part.file_size for part in parts) > _MOST_UNPACKED:
                raise too_much
            left = _MOST_UNPACKED
            for part in parts:
                if not (name := safe_path(part.filename)) or name.lower().endswith(".zip"):
                    continue
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(part) as packed, path.open("wb") as out:
                    # What the archive says of itself need not be true.
                    while piece := packed.read(_STEP):
                        left -= len(piece)
                        if left < 0:
                            raise too_much
                        out.write(piece)
    except (zipfile.BadZipFile, zlib.error, RuntimeError, ValueError, OSError, EOFError) as err:
        raise TurnedAwayError(400, "This archive cannot be opened: it is broken or has a password.") from err


def _root(folder: Path) -> Path:
    """The folder that was dropped: what is around it was only made to hold it."""
    inside = list(folder.iterdir())
    return _root(inside[0]) if len(inside) == 1 and inside[0].is_dir() else folder


def _title_of(names: list[str]) -> str:
    tops = {name.split("/")[0] for name in names}
    top = tops.pop() if len(tops) == 1 else "my-material"
    return top if "/" in names[0] else PurePosixPath(top).stem


def _told(report: IngestReport, *, title: str) -> str:
    if not report.added:
        unread = [f"{each.name} {each.reason}" for each in unread_of(report)]
        why = f" ({'; '.join(unread[:3])})" if unread else ""
        return (
            f"Nothing in it could be read{why}. Markdown, text, HTML, notebooks, PDF, Word, PowerPoint and EPUB "
            "files work, and question banks (Moodle XML, GIFT, Aiken, QTI 2.1, Anki, JSON)."
        )
    return f"Your course “{title}” is ready."


def changes_of(report: IngestReport) -> str:
    """What a reading changed, in a sentence."""
    changes = {"added": report.added, "changed": report.changed, "removed": report.removed}
    said = ", ".join(f"{count} {word}" for word, count in changes.items() if count)
    return f"{said}." if said else "nothing has changed."


def unread_of(report: IngestReport) -> tuple[UnreadFile, ...]:
    """The files that were passed over: what went wrong, and what has no words or another format."""
    failed = [UnreadFile(name=name, reason=reason) for name, reason in report.failures]
    passed_over = [UnreadFile(name=name, reason=_PASSED_OVER) for name in report.skipped]
    return (*failed, *passed_over)
