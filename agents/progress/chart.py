"""Progress as a picture: mastery by concept, and the quiz score of each cycle."""

from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from agents.record import LearnerRecord

_WIDTH, _ROW, _MARGIN, _LABEL = 760, 28, 24, 230
_INK, _DONE, _OPEN, _GROUND, _LINE = "#1f2937", "#15803d", "#2563eb", "#e5e7eb", "#9ca3af"
_MOST_ROWS = 12


def progress_chart(record: LearnerRecord, *, threshold: float = 0.85) -> bytes:
    """A PNG of bars; the line is the threshold."""
    concepts = sorted(record.scores.items(), key=lambda item: -item[1])[:_MOST_ROWS]
    cycles = [
        (f"{topic}, cycle {number}", score) for topic, number, score in record.cycles if score is not None
    ]
    height = 2 * _MARGIN + _ROW * (len(concepts) + len(cycles[-_MOST_ROWS:]) + (3 if cycles else 1))
    image = Image.new("RGB", (_WIDTH, height), "white")
    draw = ImageDraw.Draw(image)
    y = _section(draw, "Mastery by concept", _MARGIN)
    for name, score in concepts:
        y = _bar(draw, name, score, y, color=_DONE if name in record.mastered else _OPEN, line=threshold)
    if cycles:
        y = _section(draw, "Quiz score by cycle", y + _ROW // 2)
    for name, score in cycles[-_MOST_ROWS:]:
        y = _bar(draw, name, score, y, color=_OPEN)
    out = BytesIO()
    image.save(out, format="PNG", optimize=True)
    return out.getvalue()


def _section(draw: ImageDraw.ImageDraw, title: str, y: int) -> int:
    draw.text((_MARGIN, y), title, fill=_INK, font=_font(17))
    return y + _ROW


def _bar(
    draw: ImageDraw.ImageDraw, name: str, score: float, y: int, *, color: str, line: float | None = None
) -> int:
    left, right = _MARGIN + _LABEL, _WIDTH - _MARGIN - 56
    draw.text((_MARGIN, y + 4), name[:32], fill=_INK, font=_font(14))
    draw.rectangle((left, y + 5, right, y + _ROW - 7), fill=_GROUND)
    draw.rectangle((left, y + 5, left + round((right - left) * score), y + _ROW - 7), fill=color)
    if line is not None:
        at = left + round((right - left) * line)
        draw.line((at, y + 2, at, y + _ROW - 4), fill=_LINE, width=2)
    draw.text((right + 8, y + 4), f"{score:.0%}", fill=_INK, font=_font(14))
    return y + _ROW


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size=size)
