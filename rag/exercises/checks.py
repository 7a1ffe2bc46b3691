"""A check at the end of a worked example: a title, what to do, and a note with its answer.

The example itself stays in the lesson, with its solution; what it asks the reader to try comes out with its answer.
"""

import re

from rag.exercises import Exercise, Shelf

_EXAMPLE = re.compile(r"""<div\b[^<>]*\bdata-type=["']example["']""")
_TITLE = r"""<(?P<{0}>span|div|p|h[1-6])\b[^<>]*\bdata-type=["']title["'][^<>]*>(?P<{0}words>(?:(?!</?(?P={0})\b).)*)</(?P={0})>"""
_CHECK = re.compile(
    _TITLE.format("title")
    + r"(?P<text>(?:(?!data-type=[\"'](?:title|note|example)|\n#).)*?)"
    + r"<div\b[^<>]*\bdata-type=[\"']note[\"'][^<>]*>\s*"
    + _TITLE.format("answer")
    + r"(?P<key>(?:(?!</?div\b).)*(?:<div\b(?:(?!</?div\b).)*</div\s*>(?:(?!</?div\b).)*)*)</div\s*>",
    re.DOTALL,
)
_ANSWER = re.compile(r"(?:answers?|solutions?)\s*:?$", re.IGNORECASE)
_MARKUP = re.compile(r"<[^<>]*>|[*_]")
_MOST_KEY = 12  # words; what is longer explains


def take(source: str, shelf: Shelf) -> str:
    """The page without the checks of its examples."""
    if not _EXAMPLE.search(source):
        return source

    def kept(found: re.Match[str]) -> str:
        if not _ANSWER.match(_plain(found["answerwords"])) or _ANSWER.match(_plain(found["titlewords"])):
            return found[0]
        text, answer = shelf.plain(found["text"]), shelf.plain(found["key"])
        if not text:
            return found[0]
        is_short = "\n" not in answer and len(answer.split()) <= _MOST_KEY
        exercise = Exercise(
            text=text,
            form="check",
            key=answer if is_short else "",
            solution=answer,
            title=_plain(found["titlewords"]),
            trouble="" if answer else "its answer is empty",
        )
        return f"\n\n{shelf.put(exercise)}\n\n"

    return _CHECK.sub(kept, source)


def _plain(markup: str) -> str:
    return " ".join(_MARKUP.sub("", markup).split())
