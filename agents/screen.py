"""What leaves for a screen is text: no tag comes alive in it, and no picture is fetched from elsewhere.

Messages are Markdown, and `adk web` lets Markdown hold HTML. A course (`&lt;img …&gt;` reads as a tag once it is
decoded), an answer or a language model could so make the reader's browser fetch an address, which tells
somebody that it was read, and what the address holds. A zero-width space behind the opening sign keeps it
from opening anything and is not seen; a picture from elsewhere becomes a link to it.

Where nothing draws formulas (a terminal, `adk web`) they leave as text: v₀² instead of LaTeX.

Code blocks stay as they are, for people copy from them. A block counts as one only where every Markdown
renderer agrees that it is; a message with a doubtful one is treated as if it had no code at all.
"""

import re

from agents.language.formulas import formulas_and_code, readable_formulas

DRAWN = "formulas_are_drawn"  # what a page says in a run's metadata that draws them by itself
MOST_MESSAGE = 16_000  # characters that come in
NOTHING = "\u200b"
# Half of a pair, control signs, and what we put behind a sign ourselves, in case it was copied from us.
_NO_CHARACTER = re.compile(f"[\ud800-\udfff\x00-\x08\x0b\x0c\x0e-\x1f\x7f{NOTHING}]")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_PICTURE = re.compile(r"!\[")
# A place within the course: no scheme, no other host, nothing that decodes to one.
_OWN_PICTURE = re.compile(r"!\[[^\[\]\n<]*\]\((?:/(?!/)|\.{1,2}/)*[\w%.~+@-][\w%.~+@=,/-]*\)")
_MAY_CHANGE = re.compile(r"[$`]")
_UNFINISHED_PICTURE = re.compile(r"!\[[^\[\]\n<]*(?:\](?:\([^()\n]*)?)?\Z")
_FENCE = re.compile(r"(`{3,}|~{3,})[\w+#.-]*[ ]*\Z")
_LIKE_A_FENCE = re.compile(r"[\s>*+\-\d.)]*(?:`{3}|~{3})")


class Screen:
    """One message on its way out, as a whole or piece by piece: the pieces add up to the whole."""

    def __init__(self, *, draws_formulas: bool = True) -> None:
        self._draws_formulas = draws_formulas
        self._line = ""  # the one that is being written
        self._sent = 0  # characters of it that are out
        self._fence = ""  # the code block that we are in
        self._is_doubtful = False

    def feed(self, piece: str) -> str:
        """What may be shown of the message with this piece."""
        *whole, rest = (self._line + piece).split("\n")
        out = ""
        for line in whole:
            out += self._safe(line)[self._sent :] + "\n"
            self._sent = 0
            self._read(line)
        self._line = rest
        ready = self._safe(rest[: self._end_of_ready(rest)])
        out += ready[self._sent :]
        self._sent = len(ready)
        return out

    def finish(self) -> str:
        """What was held back to see how it goes on."""
        return self._safe(self._line)[self._sent :]

    def _end_of_ready(self, line: str) -> int:
        """How much of an unfinished line cannot become anything else any more."""
        if self._in_code(line):
            return len(line)
        picture = _UNFINISHED_PICTURE.search(line)
        formula = None if self._draws_formulas else _unfinished_formula(line)
        ends = [picture.start() + 1] if picture else []
        return min([*ends, len(line) if formula is None else formula])

    def _in_code(self, line: str) -> bool:
        return bool(self._fence) and not self._is_doubtful and not _LIKE_A_FENCE.match(line)

    def _safe(self, line: str) -> str:
        if self._in_code(line):
            return line
        return _inert(line if self._draws_formulas else readable_formulas(line))

    def _read(self, line: str) -> None:
        """Follow where code begins and ends."""
        if not _LIKE_A_FENCE.match(line):
            return
        if not self._fence:
            opened = _FENCE.match(line)
            self._fence = opened[1] if opened else ""
            self._is_doubtful = self._is_doubtful or opened is None
        elif set(line.strip(" ")) == {self._fence[0]} and not line.startswith("    "):
            closes = len(line.strip(" ")) >= len(self._fence)
            self._fence = "" if closes else self._fence
        else:
            self._is_doubtful = True


def _unfinished_formula(line: str) -> int | None:
    """Where a formula or code begins that has no end yet, or one that the next sign may make something else."""
    done = formulas_and_code(line)
    if done and done[-1][1] == len(line):
        done = done[:-1]
    bare = line
    for start, end in done:
        bare = f"{bare[:start]}{' ' * (end - start)}{bare[end:]}"
    found = _MAY_CHANGE.search(bare)
    return found.start() if found else None


def shown(text: str, *, draws_formulas: bool = True) -> str:
    """A whole message as it may be shown; showing it again changes nothing."""
    if "<" not in text and "![" not in text and (draws_formulas or "$" not in text):
        return text
    screen = Screen(draws_formulas=draws_formulas)
    return screen.feed(text) + screen.finish()


def readable(text: str) -> str:
    """What came in, without what is no character; two halves that belong together become one."""
    if any("\ud800" <= sign <= "\udfff" for sign in text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return _NO_CHARACTER.sub("", text)


def _inert(line: str) -> str:
    if "<" in line:
        line = _TAG.sub(f"<{NOTHING}", line)
    if "![" not in line:
        return line
    own = {found.start() for found in _OWN_PICTURE.finditer(line)}
    return _PICTURE.sub(lambda found: "![" if found.start() in own else f"!{NOTHING}[", line)
