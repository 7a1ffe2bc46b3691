"""XML of a stranger: nothing in it is looked up, unpacked or run."""

import re
from collections.abc import Iterator

from lxml import etree

from rag.loaders.document import decode
from storage.errors import DocumentError

_PROLOG = re.compile(r"\A\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*|<!DOCTYPE[^<>\[]*>\s*)*", re.DOTALL)
_DECLARED = re.compile(rb"""\A\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.-]+)""")
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_ENTITIES = "declares entities of its own, which are not read; export it again without them"


def parse_xml(data: bytes) -> tuple[etree._Element, str]:
    """The root, and what to say of a file that ends too early or is broken in the middle."""
    declared = _DECLARED.match(data)
    text = decode(data, declared=declared[1].decode("ascii") if declared else None)
    if text.startswith("<!DOCTYPE", prolog := _PROLOG.match(text).end()) and "[" in text[prolog:]:  # type: ignore[union-attr]
        raise DocumentError(_ENTITIES)
    source = _DECLARATION.sub("", text).encode()
    try:
        return etree.fromstring(source, parser=_parser(recover=False)), ""
    except etree.XMLSyntaxError as err:
        line = err.lineno or 1
        root = etree.fromstring(source, parser=_parser(recover=True))
        if root is None:
            raise DocumentError(f"is not well-formed XML (line {line}); export it again") from err
        return root, f"the file is broken at line {line}, where it may have lost some of its words"


def _parser(*, recover: bool) -> etree.XMLParser:
    return etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=recover
    )


def local(element: etree._Element) -> str:
    """An element's name without its namespace; '' for a comment or an entity."""
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def children(element: etree._Element, name: str) -> list[etree._Element]:
    return [child for child in element if local(child) == name]


def descendants(element: etree._Element, *names: str) -> Iterator[etree._Element]:
    return (each for each in element.iter() if local(each) in names)


def text_of(element: etree._Element | None) -> str:
    """All words in an element; a comment or an entity's name is none."""
    return "" if element is None else "".join(map(str, element.xpath(".//text()"))).strip()
