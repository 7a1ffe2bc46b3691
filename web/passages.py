"""A cited passage in its place in the course, and the pictures that it shows."""

import mimetypes
from pathlib import Path
from urllib.parse import unquote, urlsplit

from fastapi import APIRouter, Response
from fastapi.responses import FileResponse, HTMLResponse

from agents.services import Services
from rag.plan import document_id
from storage.course import Passage
from web.render import picture_address, to_html
from web.studying import place_of
from web.who import Someone, TurnedAwayError

router = APIRouter()

_AROUND = 2  # passages before and after
_PICTURES = {".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".avif"}
_MOST_BYTES = 10 * 1024 * 1024
# A drawing is shown inside an <img>, where it can do nothing; opened by itself it must not be able to either.
_ONLY_A_PICTURE = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


@router.get("/passage/{chunk_id}", response_class=HTMLResponse)
async def passage(caller: Someone, chunk_id: str) -> Response:
    """The passage with what stands before and after it, for the panel beside the lesson or as a page."""
    found = await _passage(caller.services, chunk_id)
    library = caller.services.library
    titles = {each.name: each.title for each in await library.courses()}
    chapter = await library.corpus.chapter(document_id(found.course, found.chapter_id))
    here = next(place for place, each in enumerate(chapter) if each.chunk_id == chunk_id)
    near = chapter[max(0, here - _AROUND) : here + _AROUND + 1]
    texts = [(each.chunk_id, each.chunk_text) for each in near]
    shown = [
        {
            "is_it": each.chunk_id == chunk_id,
            "html": to_html(each.chunk_text, pictures=lambda target: picture_address(target, texts), depth=3),
        }
        for each in near
    ]
    is_part = caller.request.headers.get("x-part") == "1"
    return caller.page(
        "passage_part.html" if is_part else "passage.html",
        place=place_of(found),
        course_title=titles.get(found.course, found.module_name),
        passages=shown,
        has_before=here > _AROUND,
        has_after=here + _AROUND + 1 < len(chapter),
    )


@router.get("/picture/{chunk_id}")
async def picture(caller: Someone, chunk_id: str, file: str) -> Response:
    """A picture that a passage shows, from the folder of its own course."""
    path = picture_file(await _passage(caller.services, chunk_id), file)
    if path is None:
        raise TurnedAwayError(404, "The course has no such picture.")
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return FileResponse(path, media_type=kind, headers={"Content-Security-Policy": _ONLY_A_PICTURE})


def picture_file(passage: Passage, target: str) -> Path | None:
    """Only what the passage itself names, within the folder that the course was read from."""
    if f"]({target}" not in passage.chunk_text:
        return None
    address = urlsplit(passage.source_url)
    if address.scheme != "file":
        return None
    source = Path(unquote(address.path))
    depth = passage.chapter_id.count("/")
    if len(source.parents) <= depth:
        return None
    root = source.parents[depth].resolve()
    path = (source.parent / unquote(urlsplit(target).path)).resolve()
    is_ours = path.is_relative_to(root) and path.suffix.lower() in _PICTURES and path.is_file()
    return path if is_ours and path.stat().st_size <= _MOST_BYTES else None


async def _passage(services: Services, chunk_id: str) -> Passage:
    found = await services.library.corpus.chunks_by_id([chunk_id])
    if not found:
        raise TurnedAwayError(404, "This passage is not in the course any more.")
    return found[0]
