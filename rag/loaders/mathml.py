"""MathML as a line of text: subscripts flat (H2O), powers with a caret (10^23), fractions with a slash."""

import re
from xml.etree import ElementTree

_ANY_TAG = re.compile(r"<[^<>]*>")
_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);)")
_EXPONENT = re.compile(r"[-−–+]?\d+|\w")
_MAX_DEPTH = 60


def math_text(markup: str) -> str:
    """Read one <math> element; markup that is no XML loses only its tags."""
    try:
        # No document type can stand inside the element, so no entity can expand.
        root = ElementTree.fromstring(_ENTITY.sub("&amp;", markup))
    except ElementTree.ParseError:
        return " ".join(_ANY_TAG.sub(" ", markup).split())
    source = next((node for node in root.iter() if _name(node) == "annotation" and _is_tex(node)), None)
    if source is not None and source.text:
        return f"${source.text.strip()}$"
    return " ".join(_text(root, depth=0).split())


def exponent(raised: str, *, base: str) -> str:
    """10 and 23 make 10^23, but Ca and 2+ stay Ca2+ and 1 and st stay 1st."""
    plain = raised.strip(" *_")
    is_power = (base[-1:].isalnum() or base.endswith((")", "]", "*"))) and _EXPONENT.fullmatch(plain)
    return f"{'^' if is_power else ''}{plain}{' ' if raised.endswith(' ') else ''}"


def _is_tex(node: ElementTree.Element) -> bool:
    return "tex" in (node.get("encoding") or "").lower()


def _name(node: ElementTree.Element) -> str:
    return node.tag.rpartition("}")[2]


def _text(node: ElementTree.Element, *, depth: int) -> str:
    name = _name(node)
    if name.startswith("annotation"):
        return ""
    if depth > _MAX_DEPTH:
        return "".join(node.itertext())
    parts = [_text(child, depth=depth + 1) for child in node]
    return _composed(name, parts=parts) if parts else node.text or ""


def _composed(name: str, *, parts: list[str]) -> str:
    if name == "mfrac" and len(parts) == 2:
        return "/".join(_grouped(part) for part in parts)
    if name == "msup" and len(parts) == 2:
        base = parts[0].rstrip()
        return base + exponent(parts[1], base=base)
    if name == "msqrt":
        return f"√({''.join(parts)})"
    return (" " if name == "mtr" else "").join(parts)


def _grouped(part: str) -> str:
    part = part.strip()
    return f"({part})" if " " in part and not part.startswith("(") else part
