"""Rows of cells as a Markdown pipe table."""

from collections.abc import Sequence


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
