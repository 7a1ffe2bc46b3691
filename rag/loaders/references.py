"""References on a page: 'Figure 3' where its target is known, and a whole sentence where it is not.

Converters leave '[link]' with an address. Pictures and tables of the page that have one are numbered in their order, unless
their author has numbered them; what stands elsewhere goes out of the sentence, or the sentence goes.
"""

import re
from collections.abc import Callable, Mapping
from html import unescape
from pathlib import Path
from urllib.parse import unquote

_REF = (
    r"\[\\?\[[^\[\]\n]*\]\]\((?P<{0}>[^()\s]*)\)(?:\{{:[^{{}}\n]*\}})?"
    r"(?P<{0}panel>[ ]?\(\*{{0,2}}[a-z](?:[ ]?[,–-][ ]?[a-z]){{0,3}}\*{{0,2}}\)|\*\*\(?[a-z, –-]{{1,8}}\)?\*\*)?"
)
_A_SENTENCE = re.compile(r"\s+[^\W_a-z]")
_ONE = re.compile(_REF.format("target"))
_ANY = re.compile(r"\[\\?\[[^\[\]\n]*\]\]\([^()\s]*\)")
_BARE = re.compile(r"\s*\[\\?\[?link\\?\]?\](?:\([^()\s]*\))?")  # in a caption nothing can be linked
_ID = re.compile(r"#([\w.:-]+)")
_PICTURE = re.compile(
    r"!\[(?P<alt>(?:[^\[\]\n]|\[[^\[\]\n]*\])*)\]\(\s*<?(?P<file>[^\s<>()]+(?:\([^\s()]*\)[^\s<>()]*)*)>?"
    r"""(?:\s+(?:"(?P<title>[^"]*)"|'(?P<title1>[^']*)'))?\s*\)(?:\{(?P<attributes>[^{}\n]*)\})?"""
)
_PICTURE_LINE = re.compile(rf"^[ \t]*{_PICTURE.pattern}[ \t]*$", re.MULTILINE)
# An element around a picture, in the middle of a line too.
_MEDIA = re.compile(rf"""<span\b[^<>]*\bdata-type=["']media["'][^<>]*>\s*{_PICTURE.pattern}\s*</span>""")
_TABLE = re.compile(r"<table\b(?P<attributes>[^<>]*)>", re.IGNORECASE)
_ATTRIBUTE_ID = re.compile(r"""(?:#|\bid\s*=\s*["'])(?P<id>[\w.:-]+)""")
_ALT = re.compile(r"""\balt\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_NUMBERED = re.compile(
    r"\s*(?:\*\*)?(?P<label>(?:fig(?:ure|\.)?|table|abb(?:ildung|\.)?|tabelle|figura|tableau)\s*\d+(?:[.\-–]\d+)*)",
    re.IGNORECASE,
)
_BEGINS = "\ue005"  # a sentence, what stood before is gone
_MOST_NAME = 6  # words
_NEAR = 3  # paragraphs, within which a table stands that a sentence speaks of
_REMOTE = re.compile(r"^(?:[a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)

_BRACKETED = re.compile(r"(?<![ \t])[ \t]*\((?:[^()\n]*?\ue004[^()\n]*?)\)")
_PREPOSITION = re.compile(
    r"(?:,[ ])?(?<!\bas )(?<!\bthan )(?<!\blike )\b(?:in|from|by|on|with|at|under|through|using|via|see|of)\s+(?:the\s+|an?\s+)?\ue004(?:\s*(?:,|and|or|to|through|–)\s*\ue004)*",
    re.IGNORECASE,
)
_AS_SHOWN = re.compile(
    r"(?P<lead>^|[.;:(]\s+|,\s*)(?:as|like)\s+(?:[a-z]+ly\s+)?(?:shown|seen|given|illustrated|depicted|listed|described|summari[sz]ed|presented|discussed|noted|indicated|mentioned|outlined)?\s*(?:in|by|on|from)\s+(?:the\s+)?\ue004(?P<tail>,\s*)?",
    re.IGNORECASE,
)
_AS_REF = re.compile(r"(^|[.!?]\s+)As \ue004 \w+,\s*")
# Beside what it belongs to, or in front of a sentence: nothing says where it leads.
_LABEL = re.compile(
    r"(?<=[a-z]{4})[ ]\ue004(?=[.,;])|(?:(?<=\A)|(?<=[.!?][ ])|(?<=\n))\ue004[:.]?[ \t]+(?=[A-Z])",
    re.MULTILINE,
)
_SENTENCE = re.compile(r"(?<=[.!?])[\"”’)]?\s+(?=[\"“‘(*\[]?[A-Z0-9\ue004])")


def mend_references(text: str, *, labels: Mapping[str, str] | None = None) -> str:
    """Markdown whose references say what they refer to; nothing is left of one that leads nowhere.

    A piece of a page refers to what the whole page calls its pictures and tables.
    """
    if not _ANY.search(text):
        return text
    labels = {**(labels or {}), **labels_of(text)}
    parts = re.split(r"(\n[ \t]*\n)", text)
    for place in range(0, len(parts), 2):
        if _ANY.search(parts[place]):
            near = "".join(parts[place + 1 : place + 2 * _NEAR])
            parts[place] = _mended(parts[place], labels=labels, table_follows="<table" in near)
    return "".join(parts)


def labels_of(text: str) -> Mapping[str, str]:
    """What each picture and table of the page is called, by its id."""
    found: dict[str, str] = {}
    for pattern, kind in ((_PICTURE, "Figure"), (_TABLE, "Table")):
        number = 0
        for each in pattern.finditer(text):
            named = _ATTRIBUTE_ID.search(each["attributes"] or "")
            if named is None:
                continue
            number += 1
            title = (each["title"] or each["title1"] or "") if kind == "Figure" else ""
            own = _NUMBERED.match(unescape(title))
            found[named["id"]] = own["label"] if own else f"{kind} {number}"
    return found


def _mended(paragraph: str, *, labels: Mapping[str, str], table_follows: bool) -> str:
    is_first = True

    def said(ref: re.Match[str]) -> str:
        nonlocal is_first
        if not paragraph[: ref.start()].strip() and _A_SENTENCE.match(paragraph, ref.end()):
            return ""  # only a label before what is said
        target = _ID.search(ref["target"])
        label = labels.get(target[1], "") if target else ""
        if label:
            panel = re.sub(r"[*\s()]", "", ref["targetpanel"] or "")
            return f"{label}({panel})" if panel else label
        if table_follows and is_first and ref["target"].startswith("#") and "ig" not in ref["target"]:
            is_first = False
            return "the table below"
        return "\ue004"

    text = _ONE.sub(said, paragraph)
    text = re.sub(r"(?:(?<=\A)|(?<=[.!?]\s))the table below", "The table below", text)
    text = re.sub(r"\bthe the table", "the table", text)
    return _without_holes(text) if "\ue004" in text else text


def _without_holes(text: str) -> str:
    """The text without references that lead nowhere: the phrase around one goes, or its sentence."""
    text = _BRACKETED.sub(_in_brackets, text)
    text = _AS_SHOWN.sub(_as_shown, text)
    text = _AS_REF.sub(lambda found: f"{found[1]}{_BEGINS}", text)
    text = _LABEL.sub("", _PREPOSITION.sub(_phrase, text))
    if "\ue004" in text:
        text = " ".join(each for each in _SENTENCE.split(text) if "\ue004" not in each)
    text = re.sub(rf"{_BEGINS}[,;]?\s*(\w?)", lambda found: found[1].upper(), text)
    return re.sub(r"(?<![ \t])[ \t]+([.,;:?!)])", r"\1", text)


def _as_shown(found: re.Match[str]) -> str:
    lead = str(found["lead"])
    if lead.startswith(","):
        return ", " if found["tail"] else ""
    return lead + (_BEGINS if found[0][len(lead) :].startswith("As") else "")


def _phrase(found: re.Match[str]) -> str:
    """A phrase that goes; where a sentence began with it, the rest begins it."""
    return _BEGINS if found[0][:1].isupper() else ""


def _in_brackets(found: re.Match[str]) -> str:
    """Brackets that say more than where to look keep it."""
    parts = [each.strip() for each in re.split(r"[;]", found[0].strip()[1:-1]) if "\ue004" not in each]
    return f" ({'; '.join(parts)})" if parts else ""


def captioned_pictures(text: str, *, folder: Path | None, root: Path | None) -> str:
    """Every picture with its words: the long description in the picture, the caption below it.

    One whose file is not there is its caption, or what it would have shown.
    """
    labels = labels_of(text)

    def captioned(found: re.Match[str]) -> str:
        return _captioned(found, labels=labels, is_there=_lookup(folder, root))

    return _PICTURE_LINE.sub(captioned, _MEDIA.sub(lambda found: f"\n\n{captioned(found)}\n\n", text))


def _captioned(found: re.Match[str], *, labels: Mapping[str, str], is_there: Callable[[str], bool]) -> str:
    attributes = found["attributes"] or ""
    named = _ATTRIBUTE_ID.search(attributes)
    alt = _words(found["alt"]) or _words("".join(next(iter(_ALT.findall(attributes)), ())))
    caption = _BARE.sub("", " ".join((found["title"] or found["title1"] or "").split()))
    label = labels.get(named["id"], "") if named else ""
    if label and caption and not _NUMBERED.match(caption):
        caption = f"{label}: {caption}"
    if is_there(found["file"]):
        picture = f"![{alt or caption}]({found['file']})"
        return f"{picture}\n\n{caption}\n" if caption and named else picture
    # A few words only name what is not there.
    told = caption or (f"{label or 'In the picture'}: {alt}" if len(alt.split()) > _MOST_NAME else "")
    return f"\n{told}\n" if told else ""


def _words(text: str) -> str:
    return " ".join(unescape(text).replace("[", "(").replace("]", ")").split())


def _lookup(folder: Path | None, root: Path | None) -> Callable[[str], bool]:
    def is_there(target: str) -> bool:
        if folder is None or _REMOTE.match(target):
            return True  # nobody can say
        try:
            place = (root if root and target.startswith("/") else folder) / unquote(target).lstrip(
                "/"
            ).partition("#")[0]
            return place.is_file()
        except (OSError, ValueError):
            return False

    return is_there
