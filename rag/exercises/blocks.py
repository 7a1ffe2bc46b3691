"""Where the boxes of a Markdown page begin and end: fenced divs, directives and admonitions, however they nest.

- Pandoc and its kin: `::: challenge`, `::: {.exercise #id title="…"}`, `:::tip[Title]`; three colons and nothing else
  close the innermost, whatever their number;
- MyST: `:::{exercise} Title` and the same behind backticks, options as `:name: value` or between `---`; colons of the
  same number close what they opened, and all that was left open in it;
- mkdocs: `??? question "Title"` and `!!! question`, their content indented.

One pass over the lines, which also tells code and comments, in which nothing is looked for, and headings.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from rag.exercises.roles import role_of_name

_FENCE = re.compile(
    r"([ \t]*(?:>[ \t]?)*)(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}(?=[^`\n]*$)|~{3,})[ \t]*(.*)"
)
_COLONS = re.compile(r"[ \t]*(?:>[ \t]?)*(:{3,})[ \t]*(.*?)[ \t]*:*[ \t]*$")
_BANG = re.compile(r"""([ \t]*)(?:!!!|\?\?\?\+?)[ \t]+([\w-]+(?:[ \t]+[\w-]+)*)?[ \t]*(?:"(.*)")?[ \t]*$""")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*))?$")
_NAMED = re.compile(r"\{([A-Za-z][\w.:+-]*)\}[ \t]*(.*)")  # {exercise} Title
_BRACED = re.compile(r"([\w-]*)[ \t]*\{([^{}]*)\}[ \t]*(.*)")  # {.exercise #id title="…"}
_BARE = re.compile(r"([\w.:-]+)[ \t]*(?:\[(.*)\]|(.*))")  # challenge, tip[Title], tip Title
_ATTRIBUTE = re.compile(r"""([#.]?)([\w:.-]+)(?:=(?:"([^"]*)"|'([^']*)'|([^\s"']+)))?""")
_ADMONISH = re.compile(r"admonish[ \t]+([\w-]+)[ \t]*(.*)")  # of mdBook: admonish question title="…"
_OPTION = re.compile(r"[ \t]*:([\w-]+):[ \t]*(.*)$")
_OPTION_IN_BLOCK = re.compile(r"[ \t]*([\w-]+)[ \t]*:[ \t]*(.*)$")
_OPEN_COMMENT = re.compile(r"<!--(?!.*-->)")

LIKELY = re.compile(
    r"^[ \t>]*(?::{3,}[ \t]*[^\s:]|[`~:]{3,}[ \t]*\{[\w.:+-]+\}|`{3,}admonish[ \t]|(?:!!!|\?\?\?))",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageHeading:
    start: int
    end: int
    level: int
    text: str


@dataclass(slots=True, kw_only=True, eq=False)
class PageBox:
    """One box: what it is called, what is said of it, and what is in it."""

    name: str  # in small letters
    classes: tuple[str, ...] = ()
    title: str = ""
    label: str = ""
    options: dict[str, str] = field(default_factory=dict)
    dialect: str  # div, directive or admonition
    start: int
    body: int  # where its content begins
    stop: int = -1  # where its content ends
    end: int = -1
    is_closed: bool = True
    inner: list["PageBox"] = field(default_factory=list)
    mark: str = ""  # the fence that it was opened with
    indent: int = 0  # of an admonition's own line
    code: str | None = None  # the language, where its content is code

    @property
    def is_folded(self) -> bool:
        """Whether a reader sees its title first, and its content only after a click."""
        return (
            "dropdown" in self.classes
            or "collapse" in self.options
            or self.name in ("dropdown", "toggle", "details")
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A page's boxes, headings, and where code and comments stand, each in their order."""

    blocks: tuple[PageBox, ...]
    headings: tuple[PageHeading, ...]
    verbatim: tuple[tuple[int, int], ...]


_MOST_DEPTH = 40


def layout(source: str, *, apart: Collection[str] = ()) -> Layout:
    """Read a page's lines once; a box of one of these names never stands in one of its own name: that was not closed."""
    return _Scan(source, apart).read()


class _Scan:
    def __init__(self, source: str, apart: Collection[str]) -> None:
        self._source = source
        self._apart = apart
        self._top: list[PageBox] = []
        self._open: list[PageBox] = []
        self._headings: list[PageHeading] = []
        self._verbatim: list[tuple[int, int]] = []
        self._at = 0  # where the current line begins

    def read(self) -> Layout:
        lines = _lines(self._source)
        for start, end in lines:
            self._at = start
            line = self._source[start:end]
            if line.strip():
                self._end_indented(line)
                self._line(line, end=end, lines=lines)
        for block in self._open:
            block.is_closed = block.dialect == "admonition"
            block.stop = block.end = len(self._source)
        return Layout(blocks=tuple(self._top), headings=tuple(self._headings), verbatim=tuple(self._verbatim))

    def _line(self, line: str, *, end: int, lines: Iterator[tuple[int, int]]) -> None:
        if fence := _FENCE.match(line):
            self._fence(fence, end=end, lines=lines)
        elif colons := _COLONS.match(line):
            self._colons(colons, end=end)
        elif bang := _BANG.match(line):
            words = (bang[2] or "note").lower().split()
            self._push(
                PageBox(
                    name=words[0],
                    classes=tuple(words),
                    title=bang[3] or "",
                    dialect="admonition",
                    start=self._at,
                    body=end + 1,
                    indent=_width(bang[1]),
                    options={"collapse": ""} if line.lstrip().startswith("?") else {},
                )
            )
        elif heading := _HEADING.match(line):
            self._headings.append(
                PageHeading(start=self._at, end=end, level=len(heading[1]), text=(heading[2] or "").strip())
            )
        elif comment := _OPEN_COMMENT.search(line):
            self._skip(lines, closing=re.compile("-->"), start=self._at + comment.start(), end=end)

    def _fence(self, fence: re.Match[str], *, end: int, lines: Iterator[tuple[int, int]]) -> None:
        mark, info = fence[2], fence[3].strip()
        for depth in range(len(self._open) - 1, -1, -1):
            block = self._open[depth]
            if block.mark[:1] == mark[0] and len(mark) >= len(block.mark):
                if not info:
                    self._close(depth, end=end)
                return  # as many marks as its own are no fence inside of it
        named = _NAMED.match(info)
        if admonished := _ADMONISH.match(info):
            self._push(_admonition(admonished, mark=mark, start=self._at, body=end + 1))
        elif named and named[1].lower() == "code-cell" and _answers(self._source, end + 1):
            cell = self._directive(named, mark=mark, end=end)
            cell.name, cell.code, cell.title = "solution", cell.title, ""
            self._push(cell)
        elif named and named[1].lower() not in _CODE:
            self._push(self._directive(named, mark=mark, end=end))
        else:
            closing = re.compile(rf"[ \t]*(?:>[ \t]?)*{re.escape(mark[0])}{{{len(mark)},}}[ \t]*$")
            self._skip(lines, closing=closing, start=self._at, end=end)

    def _colons(self, colons: re.Match[str], *, end: int) -> None:
        mark, info = colons[1], colons[2]
        if not info:
            same = [
                n for n, block in enumerate(self._open) if block.mark == mark and block.dialect == "directive"
            ]
            inner = [n for n, block in enumerate(self._open) if block.mark.startswith(":")]
            if same or inner:
                self._close((same or inner)[-1], end=end)
            return
        if named := _NAMED.match(info):
            self._push(self._directive(named, mark=mark, end=end))
            return
        braced = _BRACED.fullmatch(info)
        bare = braced or _BARE.fullmatch(info)
        if bare is None:
            return
        block = PageBox(name=bare[1].lower(), dialect="div", start=self._at, body=end + 1, mark=mark)
        block.title = (bare[3] if braced else bare[2] or bare[3]) or ""
        classes = [block.name] if block.name else []
        for sign, name, *values in _ATTRIBUTE.findall(bare[2] if braced else ""):
            value = next(filter(None, values), "")
            if sign == ".":
                classes.append(name.lower())
            elif sign == "#":
                block.label = name
            else:
                block.options[name.lower()] = value
        block.name = block.name or next(iter(classes), "")
        block.classes = tuple(classes)
        block.title = block.title or block.options.get("title", "")
        self._push(block)

    def _directive(self, named: re.Match[str], *, mark: str, end: int) -> PageBox:
        body, options = _options(self._source, end + 1)
        return PageBox(
            name=named[1].lower(),
            classes=(named[1].lower(), *options.get("class", "").lower().split()),
            title=named[2].strip(),
            label=options.get("label", options.get("name", "")),
            options=options,
            dialect="directive",
            start=self._at,
            body=body,
            mark=mark,
        )

    def _push(self, block: PageBox) -> None:
        same = [
            n for n, other in enumerate(self._open) if other.name == block.name and block.name in self._apart
        ]
        if same:
            unclosed = self._open[same[0]]
            self._close(same[0], end=self._at)
            unclosed.is_closed = unclosed.dialect == "admonition"
        if len(self._open) == _MOST_DEPTH:
            return
        (self._open[-1].inner if self._open else self._top).append(block)
        self._open.append(block)

    def _close(self, depth: int, *, end: int) -> None:
        for block in self._open[depth:]:
            block.is_closed = block is self._open[depth] or block.dialect == "admonition"
            block.stop = block.end = self._at
        self._open[depth].end = end
        del self._open[depth:]

    def _end_indented(self, line: str) -> None:
        """A line that stands no deeper than an admonition's own is not in it any more."""
        width = _width(line)
        for depth, block in enumerate(self._open):
            if block.dialect == "admonition" and width <= block.indent:
                self._close(depth, end=self._at)
                return

    def _skip(
        self, lines: Iterator[tuple[int, int]], *, closing: re.Pattern[str], start: int, end: int
    ) -> None:
        for line_start, line_end in lines:
            end = line_end
            if closing.search(self._source[line_start:line_end]):
                break
        self._verbatim.append((start, end))


def _admonition(found: re.Match[str], *, mark: str, start: int, body: int) -> PageBox:
    options = {name.lower(): first or second for _, name, first, second, _ in _ATTRIBUTE.findall(found[2])}
    quoted = re.search(r'(?<!=)"([^"]*)"', found[2])
    return PageBox(
        name=found[1].lower(),
        classes=(found[1].lower(),),
        title=options.get("title") or (str(quoted[1]) if quoted else ""),
        label=options.get("id", ""),
        options={"collapse": ""} if "collapsible" in options else {},
        dialect="directive",
        start=start,
        body=body,
        mark=mark,
    )


_CODE = frozenset({"code-block", "code", "code-cell", "sourcecode", "eval-rst", "math"})


def _answers(source: str, at: int) -> bool:
    """Whether a cell of code is tagged as a solution."""
    tags = re.findall(r"[\w-]+", _options(source, at)[1].get("tags", "").lower())
    return any(role_of_name(word) == "answers" for tag in tags for word in re.split(r"[-_]", tag))


def _lines(source: str) -> Iterator[tuple[int, int]]:
    at = 0
    while at <= len(source):
        end = source.find("\n", at)
        end = len(source) if end < 0 else end
        yield at, end
        at = end + 1


def _width(line: str) -> int:
    line = line.expandtabs(4)
    return len(line) - len(line.lstrip(" "))


def _options(source: str, at: int) -> tuple[int, dict[str, str]]:
    """A directive's options, and where its content begins behind them."""
    options: dict[str, str] = {}
    is_block = source.startswith("---\n", at)
    at += 4 if is_block else 0
    pattern = _OPTION_IN_BLOCK if is_block else _OPTION
    while at < len(source):
        end = source.find("\n", at)
        line = source[at : len(source) if end < 0 else end]
        at = at + len(line) + 1
        if is_block and line.strip() == "---":
            return at, options
        found = pattern.match(line)
        if not found and not is_block:
            return at - len(line) - 1, options
        if found:
            options[found[1].lower()] = found[2].strip()
    return min(at, len(source)), options


def without(source: str, spans: Sequence[tuple[int, int]], *, start: int, stop: int) -> str:
    """A stretch of the source without what stands in some spans of it."""
    parts: list[str] = []
    for cut_start, cut_end in sorted(spans):
        if cut_start >= start and cut_end <= stop:
            parts.append(source[start:cut_start])
            start = max(start, cut_end)
    return "\n\n".join([*parts, source[start:stop]]).strip("\n")
