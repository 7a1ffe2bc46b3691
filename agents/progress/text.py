"""Progress in words."""

from agents.record import LearnerRecord
from agents.task_manager.study import summary

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
        f"**{len(record.mastered)} of {len(record.scores)}** concepts mastered in {record.course_title}.",
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


def bar(name: str, score: float, *, mark: str) -> str:
    full = round(score * _BAR)
    return f"{name[:24]:<24} {'█' * full}{'░' * (_BAR - full)} {score:>4.0%} {mark}".rstrip()


def _mark(name: str, record: LearnerRecord) -> str:
    """One right answer looks good; mastered takes two, one of them in the learner's own words."""
    if name in record.mastered:
        return "✓"
    return "looks good" if name in record.promising else ""
