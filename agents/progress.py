"""How far a learner is: in words, and as a chart."""

from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from agents.record import LearnerRecord
from agents.syllabus import Chapter
from agents.task_manager.study_tasks import summary

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


_BAR = 10
_MOST_CONCEPTS = 12


def progress_text(record: LearnerRecord) -> str:
    """Mastery by concept as bars, then gaps, reviews and study tasks."""
    if not record.scores:
        nothing = (
            "You haven't answered anything yet, so there is nothing to show. "
            "Say **teach me** and a topic, or **find my gaps**."
        )
        return f"{nothing}\n{summary(record.study_tasks)}".rstrip()
    ordered = sorted(record.scores.items(), key=lambda item: -item[1])
    lines = [
        f"**{len(record.mastered)} of {len(record.concepts)}** concepts mastered in {record.course_title}.",
        "",
        *_chapters(record),
        "",
    ]
    lines += [
        "```",
        *(bar(name, score, mark=_mark(name, record)) for name, score in ordered[:_MOST_CONCEPTS]),
        "```",
    ]
    if len(ordered) > _MOST_CONCEPTS:
        lines.append(f"… and {len(ordered) - _MOST_CONCEPTS} more.")
    if record.gaps:
        lines.append(f"Still shaky: {', '.join(record.gaps[:6])}.")
    if record.due:
        lines.append(f"Due for review: {', '.join(record.due[:6])}.")
    if record.study_tasks:
        lines.append(summary(record.study_tasks))
    lines.append("A bar is the chance that you get the next question on that concept right.")
    return "\n".join(lines)


def _chapters(record: LearnerRecord) -> list[str]:
    """Chapter by chapter, with its parts where it has several; what was not begun yet is only counted."""
    begun = [chapter for chapter in record.chapters if not record.scores.keys().isdisjoint(chapter.names)]
    lines = [f"- {_chapter(chapter, record)}" for chapter in begun]
    untouched = len(record.chapters) - len(begun)
    if untouched:
        noun = "chapter" if untouched == 1 else "chapters"
        lines.append(f"- {untouched} {'other ' if begun else ''}{noun} not begun yet")
    return lines


def _chapter(chapter: Chapter, record: LearnerRecord) -> str:
    mastered = set(record.mastered)
    done = sum(name in mastered for name in chapter.names)
    said = f"**{chapter.title}**: {done} of {len(chapter.names)} concepts"
    if len(chapter.parts) > 1:
        said += f", {sum(mastered.issuperset(part) for part in chapter.parts)} of {len(chapter.parts)} parts"
    hopeful = sum(name in record.promising for name in chapter.names)
    return f"{said} mastered" + (f", {hopeful} {'looks' if hopeful == 1 else 'look'} good" if hopeful else "")


def bar(name: str, score: float, *, mark: str) -> str:
    full = round(score * _BAR)
    return f"{name[:24]:<24} {'█' * full}{'░' * (_BAR - full)} {score:>4.0%} {mark}".rstrip()


def _mark(name: str, record: LearnerRecord) -> str:
    """One right answer looks good; mastered takes two, one of them in the learner's own words."""
    if name in record.mastered:
        return "✓"
    return "looks good" if name in record.promising else ""
