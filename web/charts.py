"""Small pictures made on the server: plain SVG, no script, readable without colour."""

from collections.abc import Sequence
from datetime import datetime

from markupsafe import Markup, escape

from agents.teaching.calibration import Bin
from web.board import Day

_WIDTH, _HEIGHT = 560, 200
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 8, 12, 26


def over_time(points: Sequence[tuple[datetime, int]], *, label: str) -> Markup:
    """A line of how many concepts were mastered when."""
    most = max(4, *(count for _, count in points))
    begin, end = points[0][0].timestamp(), points[-1][0].timestamp()
    spread = (end - begin) or 1.0
    places = [(_x((moment.timestamp() - begin) / spread), _y(count / most)) for moment, count in points]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    area = f"{_LEFT},{_y(0)} {line} {places[-1][0]:.1f},{_y(0)}"
    last_x, last_y = places[-1]
    style = "%d %b" if points[0][0].date() != points[-1][0].date() else "%H:%M"
    body = [
        *_scale(most),
        f'<polygon class="area" points="{area}"/><polyline class="line" points="{line}"/>',
        f'<circle class="dot" cx="{last_x:.1f}" cy="{last_y:.1f}" r="4"/>',
        f'<text x="{_LEFT}" y="{_HEIGHT - 6}">{points[0][0]:{style}}</text>',
        f'<text x="{_WIDTH - _RIGHT}" y="{_HEIGHT - 6}" text-anchor="end">{points[-1][0]:{style}}</text>',
    ]
    return _svg(body, label)


def week(days: Sequence[Day], *, label: str) -> Markup:
    """A bar a day: right answers below, the others on top of them."""
    most = max(4, *(day.right + day.wrong for day in days))
    body = _scale(most)
    for place, day in enumerate(days):
        left = _x((place + 0.18) / len(days))
        width = (_WIDTH - _LEFT - _RIGHT) / len(days) * 0.64
        low, high = _y(day.right / most), _y((day.right + day.wrong) / most)
        body.append(
            f'<rect class="ok" x="{left:.1f}" y="{low:.1f}" width="{width:.1f}" height="{_y(0) - low:.1f}"/>'
        )
        body.append(
            f'<rect class="no" x="{left:.1f}" y="{high:.1f}" width="{width:.1f}" height="{low - high:.1f}"/>'
        )
        body.append(
            f'<text x="{left + width / 2:.1f}" y="{_HEIGHT - 6}" text-anchor="middle">{day.day:%a}</text>'
        )
    return _svg(body, label)


def forecast(found: Sequence[Bin], *, label: str) -> Markup:
    """For each tenth: what was said, and beside it what came."""
    body = [
        f'<line class="axis" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{_y(share):.1f}" y2="{_y(share):.1f}"/>'
        f'<text x="{_LEFT - 6}" y="{_y(share) + 4:.1f}" text-anchor="end">{share:.0%}</text>'
        for share in (0.0, 0.5, 1.0)
    ]
    for place, each in enumerate(found):
        left = _x((place + 0.15) / len(found))
        width = (_WIDTH - _LEFT - _RIGHT) / len(found) * 0.33
        for offset, share, kind in ((0.0, each.said, "said"), (width + 2, each.came, "ok")):
            body.append(
                f'<rect class="{kind}" x="{left + offset:.1f}" y="{_y(share):.1f}" width="{width:.1f}" '
                f'height="{_y(0) - _y(share):.1f}"/>'
            )
        body.append(
            f'<text x="{left + width:.1f}" y="{_HEIGHT - 6}" text-anchor="middle">{each.count}×</text>'
        )
    return _svg(body, label)


def _svg(body: Sequence[str], label: str) -> Markup:
    inner = "".join(body)
    return Markup(
        f'<svg class="chart" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(label)}">{inner}</svg>'
    )


def _scale(most: int) -> list[str]:
    return [
        f'<line class="axis" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{_y(share):.1f}" y2="{_y(share):.1f}"/>'
        f'<text x="{_LEFT - 6}" y="{_y(share) + 4:.1f}" text-anchor="end">{round(most * share)}</text>'
        for share in (0.0, 0.5, 1.0)
    ]


def _x(share: float) -> float:
    return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)


def _y(share: float) -> float:
    return _HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM)
