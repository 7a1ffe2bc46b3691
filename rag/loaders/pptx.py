"""PowerPoint slides: a section a slide, with its text, tables and notes."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pptx import Presentation

from rag.loaders.document import (
    LoadedDocument,
    Outline,
    open_archive,
    pipe_table,
    read_bytes,
    reading,
    title_from_path,
)

_BROKEN = "cannot be read as PowerPoint slides; open them and save them as .pptx again"
_FURNITURE = frozenset({"DATE", "FOOTER", "SLIDE_NUMBER"})


@reading(_BROKEN)
def load(path: Path) -> LoadedDocument:
    data = read_bytes(path)
    open_archive(data, broken=_BROKEN).close()
    return _read(Presentation(io.BytesIO(data)), path=path)


def _read(slides: Any, *, path: Path) -> LoadedDocument:
    titles = [_title(slide) for slide in slides.slides]
    outline = Outline(next((title for title in titles if title), "") or title_from_path(path))
    for number, (slide, title) in enumerate(zip(slides.slides, titles, strict=True)):
        outline.page(number + 1)
        # A slide that goes on under the title of the one before belongs to it.
        outline.heading(title or f"Slide {number + 1}", level=1)
        for block in _blocks(slide):
            outline.text(block)
    return outline.document()


def _title(slide: Any) -> str:
    shape = slide.shapes.title
    return " ".join(shape.text_frame.text.split()) if shape is not None and shape.has_text_frame else ""


def _blocks(slide: Any) -> Iterator[str]:
    title = slide.shapes.title
    for shape in _shapes(slide.shapes):
        if title is not None and shape.shape_id == title.shape_id:
            continue
        if shape.is_placeholder and shape.placeholder_format.type.name in _FURNITURE:
            continue
        if getattr(shape, "has_table", False):
            rows = [[cell.text for cell in row.cells] for row in shape.table.rows]
            yield pipe_table(rows)
        elif shape.has_text_frame:
            yield _text(shape.text_frame, is_list=shape.is_placeholder)
    if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
        yield slide.notes_slide.notes_text_frame.text.strip()


def _shapes(shapes: Any) -> Iterator[Any]:
    """All shapes as they are read: groups opened, from the top to the bottom."""
    for shape in sorted(shapes, key=lambda shape: (shape.top or 0, shape.left or 0)):
        if hasattr(shape, "shapes"):
            yield from _shapes(shape.shapes)
        else:
            yield shape


def _text(frame: Any, *, is_list: bool) -> str:
    """The paragraphs of a box; several of them in a placeholder are what a slide shows as bullets."""
    paragraphs = [(part.level, _runs(part)) for part in frame.paragraphs if part.text.strip()]
    if is_list and len(paragraphs) > 1:
        return "\n".join(f"{'  ' * level}- {text}" for level, text in paragraphs)
    return "\n\n".join(text for _, text in paragraphs)


def _runs(paragraph: Any) -> str:
    parts = []
    for run in paragraph.runs:
        words = run.text.strip()
        parts.append(run.text.replace(words, f"**{words}**") if run.font.bold and words else run.text)
    return " ".join("".join(parts).replace("****", "").split()) or " ".join(paragraph.text.split())
