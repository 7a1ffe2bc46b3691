"""Images, links, notes and emphasis: what is left of them in plain text."""

import re
from html import unescape

_TARGET = r"""\(\s*(?:<[^<>\n]*>|(?:[^()\s]++|\([^()\s]*+\))*+)(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)"""
_NESTED = r"(?:[^\[\]\\]++|\\.|\[[^\[\]]*+\](?:\([^()]*\))?)*+"
_IMAGE = re.compile(rf"!\[{_NESTED}\](?:{_TARGET}|\[[^\[\]]*\])")
_LINK = re.compile(rf"\[(?<!\\\[)((?:[^\[\]\\]++|\\.|\[[^\[\]]*+\](?!\())*+)\]{_TARGET}")
_NOTE_TARGETS = ("](#fn", "](#footnote", "](#cite", "](#user-content-fn")
_NOTE = re.compile(r"[ \t]?\[\^[^\[\]\s]+\](:[ \t]*)?")
_DEFINITION = re.compile(
    r"""\n {0,3}\[([^\[\]^][^\[\]]*)\]:[ \t]*(?:\n[ \t]+)?\S+[ \t]*(?:\n?[ \t]*(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*(?=\n)"""
)
_BRACKETED = re.compile(r"\[(?<!\\\[)((?:[^\[\]\\]++|\\.)++)\](?:\[([^\[\]]*)\])?")
_ATTRIBUTES = re.compile(r"\{:[^{}\n]*\}")
_TEMPLATE = re.compile(r"\{%[^{}]*%\}|\{\{[^{}]*\}\}|\{/\*[^{}]*\*/\}")
_STRONG_ITALIC = re.compile(r"\*\*\*(?<!\*\*\*\*)([^*\n]++)\*\*\*(?!\*)")
_UNDERSCORED_BOLD = re.compile(r"__(?<![\w\\]__)(?=\S)([^_\n]++)(?<=\S)__(?!\w|\.\w|\()")  # not __init__.py
_STAR_ITALIC = re.compile(r"\*(?<![\w*\\]\*)(?![\s*])((?:[^*\n]|\n(?!\n))++)(?<![\s\\])\*(?![\w*])")
_STAR_ITALIC_IN_WORD = re.compile(r"\*(?<=\w\*)(\w{1,20}(?=\*(?![\w*]))|\^\w{1,3}(?=\*))\*")
_STAR_ITALIC_BEFORE_WORD = re.compile(r"\*(?<![\w*\\]\*)([A-Za-z][A-Za-z -]{0,40})(?<! )\*(?=[a-z])")
_ITALIC_ENDING_BOLD = re.compile(r"\*\*(?<!\*\*\*)([^*\n]++)\*([^*\n]++)\*\*\*")
_UNDERSCORED_ITALIC = re.compile(r"_(?<![\w\\]_)(?![\s_])((?:[^_\n]|\n(?!\n))++)(?<![\s\\])_(?!\w)")
_ESCAPED = re.compile(r"\\([\n!-/:-@\[-`{}~])")  # not "|", which a table still needs


def link_texts(text: str) -> list[str]:
    """What the links of a text say."""
    return _LINK.findall(text) if "](" in text else []


def drop_links_and_images(text: str) -> str:
    """Keep what a link says, nothing of an image, and no sign of a footnote."""
    if "{" in text:
        text = _TEMPLATE.sub("", _ATTRIBUTES.sub("", text))
    if "[" not in text:
        return text
    text = _LINK.sub(_link_text, _IMAGE.sub("", text))
    if "[^" in text:
        text = _NOTE.sub(_note_text, text)
    return _resolve_references(text)


def _link_text(link: re.Match[str]) -> str:
    is_note = link[0].startswith(_NOTE_TARGETS, len(link[1]) + 1)
    return "" if is_note else link[1]


def _note_text(note: re.Match[str]) -> str:
    # At the start of a line this is the note itself, elsewhere a reference before a colon.
    starts_line = note.string.rfind("\n", max(note.start() - 4, 0), note.start()) >= 0
    return "" if starts_line else note[1] or ""


def _resolve_references(text: str) -> str:
    known = {name.casefold() for name in _DEFINITION.findall(text)}
    if not known:
        return text

    def words(link: re.Match[str]) -> str:
        return link[1] if (link[2] or link[1]).casefold() in known else link[0]

    return _BRACKETED.sub(words, _DEFINITION.sub("", text))


def drop_italics(text: str) -> str:
    """Leave bold as the only emphasis, always written with stars."""
    if "*" in text:
        if "***" in text:
            text = _ITALIC_ENDING_BOLD.sub(r"**\1\2**", _STRONG_ITALIC.sub(r"**\1**", text))
        for pattern in (_STAR_ITALIC, _STAR_ITALIC_IN_WORD, _STAR_ITALIC_BEFORE_WORD):
            text = pattern.sub(r"\1", text)
    if "_" in text:
        text = _UNDERSCORED_ITALIC.sub(r"\1", _UNDERSCORED_BOLD.sub(r"**\1**", text))
    return text


def decode_escapes(text: str) -> str:
    """Entities and backslash escapes as the characters they stand for."""
    if "\\" in text:
        text = _ESCAPED.sub(r"\1", text)
    if "&" in text:
        text = unescape(text)
    return text.replace("\xa0", " ") if "\xa0" in text else text
