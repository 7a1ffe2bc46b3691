"""Pictures that stand by themselves stay, as Markdown; those inside a sentence or a link are ornaments."""

import re
from html import unescape

from rag.loaders.verbatim import Stash

_MARKDOWN = r"!\[(?:[^\[\]\n]|\[[^\[\]\n]*\])*\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)(?:\{[^{}\n]*\})?"
_HTML = r"""<img\b(?:[^<>"']|"[^"]*"|'[^']*')*>"""
_WRAPPER = r"</?(?:p|div|figure|center|picture|source)\b[^<>\n]*>"
_LINE = re.compile(
    rf"\n[ \t]*(?:{_WRAPPER}\s*)*((?:(?:{_MARKDOWN}|{_HTML})[ \t]*)+)(?:<br\s*/?>)?(?=\s*(?:{_WRAPPER}|\n|\Z))"
)
_ONE = re.compile(rf"{_MARKDOWN}|{_HTML}")
_PARTS = re.compile(r"""!\[(.*)\]\(\s*<?([^\s<>]+)>?(?:\s+["'(].*)?\s*\)""", re.DOTALL)
_ATTRIBUTE = re.compile(r"""\b(src|alt)\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_ORNAMENT = re.compile(r"(?:data|attachment):|\bbadges?\b|shields\.io", re.IGNORECASE)


def hide_pictures(text: str, *, stash: Stash) -> str:
    """Put pictures that are a block of their own out of reach of what drops the others."""
    if "![" not in text and "<img" not in text:
        return text
    seen = ""

    def kept(line: re.Match[str]) -> str:
        nonlocal seen
        pictures = []
        for one in _ONE.findall(line[1]):
            alt, target = described(one)
            # Light and dark versions of one picture have the same words under them.
            if target and not _ORNAMENT.search(target) and not (alt and alt == seen):
                pictures.append(f"![{alt}]({target})")
            seen = alt
        return f"\n\n{stash.hide(' '.join(pictures))}\n\n" if pictures else "\n"

    return _LINE.sub(kept, text)


def described(picture: str) -> tuple[str, str]:
    """The words under a picture and its address."""
    if picture.startswith("!"):
        parts = _PARTS.match(picture)
        alt, target = (parts[1], parts[2]) if parts else ("", "")
    else:
        found = {name.lower(): double or single for name, double, single in _ATTRIBUTE.findall(picture)}
        alt, target = unescape(found.get("alt", "")), found.get("src", "")
    return " ".join(re.sub(r"[\[\]]|\([^()]*\)$", "", alt).split()), target.replace(" ", "%20")
