"""Small pictures made on the server: plain SVG, no script, readable without colour."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from markupsafe import Markup, escape

from agents.teaching.calibration import Bin

_WIDTH, _HEIGHT = 560, 200
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 8, 12, 26


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """One day's answers."""

    day: date
    right: int
    wrong: int


def over_time(points: Sequence[tuple[datetime, int]], *, label: str) -> Markup:
    """A line of how many concepts were mastered when; nothing where nobody has answered yet."""
    if not points:
        return Markup()
    most = max(4, *(count for _, count in points))
    begin, end = points[0][0], points[-1][0]
    spread = (end - begin).total_seconds() or 1.0
    places = [(_x((moment - begin).total_seconds() / spread), _y(count / most)) for moment, count in points]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    last_x, last_y = places[-1]
    area = f"{_LEFT},{_y(0)} {line} {last_x:.1f},{_y(0)}"
    style = "%d %b" if begin.date() != end.date() else "%H:%M"
    body = [
        f'<polygon class="area" points="{area}"/><polyline class="line" points="{line}"/>',
        f'<circle class="dot" cx="{last_x:.1f}" cy="{last_y:.1f}" r="4"/>',
        _text(_LEFT, f"{begin:{style}}", anchor="start"),
        _text(_WIDTH - _RIGHT, f"{end:{style}}", anchor="end"),
    ]
    return _svg([*_scale(most), *body], label)


def week(days: Sequence[Day], *, label: str) -> Markup:
    """A bar a day: right answers below, the others on top of them."""
    most = max(4, *(day.right + day.wrong for day in days))
    width = _x(0.64 / len(days)) - _LEFT
    body = _scale(most)
    for place, day in enumerate(days):
        left = _x((place + 0.18) / len(days))
        right, all_ = day.right / most, (day.right + day.wrong) / most
        body += [_bar("ok", left, width, 0.0, right), _bar("no", left, width, right, all_)]
        body.append(_text(left + width / 2, f"{day.day:%a}"))
    return _svg(body, label)


def forecast(found: Sequence[Bin], *, label: str) -> Markup:
    """For each tenth what was said, and beside it what came; nothing where too little was forecast yet."""
    if not found:
        return Markup()
    width = _x(0.33 / len(found)) - _LEFT
    body = _scale(100, unit="%")
    for place, each in enumerate(found):
        left = _x((place + 0.15) / len(found))
        body += [
            _bar("said", left, width, 0.0, each.said),
            _bar("ok", left + width + 2, width, 0.0, each.came),
        ]
        body.append(_text(left + width, f"{each.count}×"))
    return _svg(body, label)


def _svg(body: Sequence[str], label: str) -> Markup:
    inner = "".join(body)
    return Markup(
        f'<svg class="chart" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(label)}">{inner}</svg>'
    )


def _scale(most: int, *, unit: str = "") -> list[str]:
    """Lines at the bottom, in the middle and at the top."""
    return [
        f'<line class="axis" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{_y(share):.1f}" y2="{_y(share):.1f}"/>'
        f'<text x="{_LEFT - 6}" y="{_y(share) + 4:.1f}" text-anchor="end">{round(most * share)}{unit}</text>'
        for share in (0.0, 0.5, 1.0)
    ]


def _bar(kind: str, left: float, width: float, low: float, high: float) -> str:
    return (
        f'<rect class="{kind}" x="{left:.1f}" y="{_y(high):.1f}" width="{width:.1f}" '
        f'height="{_y(low) - _y(high):.1f}"/>'
    )


def _text(x: float, words: str, *, anchor: str = "middle") -> str:
    return f'<text x="{x:.1f}" y="{_HEIGHT - 6}" text-anchor="{anchor}">{words}</text>'


def _x(share: float) -> float:
    return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)


def _y(share: float) -> float:
    return _HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM)
