"""reStructuredText, with the directives and roles that Sphinx and others add."""

import re
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.core import publish_string
from docutils.parsers.rst import Directive, directives
from docutils.parsers.rst.languages import en
from docutils.statemachine import StringList
from docutils.utils import SystemMessage

from rag.loaders.document import LoadedDocument, read_text
from rag.loaders.html import parse as parse_html
from storage.errors import DocumentError

_DIRECTIVE = re.compile(r"^[ \t]*\.\.[ \t]+([\w:+.-]+)::", re.MULTILINE)
_ROLE = re.compile(r":(?:[\w+-]+:)*([\w+-]+):`(?:[!~]?([^`<>]+?)\s*<[^`<>]*>|[!~]?([^`]+))`")
_KNOWN_ROLES = frozenset("math sub sup subscript superscript strong emphasis code literal".split())
_PROSE_ROLES = frozenset("ref doc term numref abbr index guilabel menuselection cite eq".split())
_CODE = frozenset("code-block sourcecode literalinclude ipython plot doctest testcode prompt".split())
# They lead elsewhere, or are for the tools that make the site.
_DROPPED = frozenset("toctree index highlight currentmodule module py:module contents tabularcolumns".split())
_SETTINGS: dict[str, Any] = {
    "report_level": 5,
    "halt_level": 5,
    "file_insertion_enabled": False,  # a course says what is read, not its pages
    "raw_enabled": False,
    "initial_header_level": 2,
    "math_output": "MathJax",
    "syntax_highlight": "none",
    "stylesheet_path": "",
    "embed_stylesheet": False,
    "_disable_config": True,
}


class _AnyOption(dict[str, Any]):
    def __getitem__(self, name: str) -> Any:
        return directives.unchanged


class _Unknown(Directive):  # type: ignore[misc]  # docutils has no types
    """A directive of the course's own tools: its content is read, its options are not."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[Any] = _AnyOption(any=None)  # an empty one would mean: none

    def run(self) -> list[nodes.Node]:
        if self.name in _DROPPED or self.name.startswith("auto"):
            return []
        if self.name in _CODE:
            text = "\n".join(self.content)
            language = (self.arguments or [""])[0]
            return [nodes.literal_block(text, text, classes=["code", f"language-{language}"])] if text else []
        box = nodes.container(classes=[self.name])
        if self.arguments:
            name, _, text = self.arguments[0].partition("\n")
            box += nodes.paragraph("", "", nodes.strong(text=name))
            self.state.nested_parse(StringList(text.split("\n")), self.content_offset, box)
        self.state.nested_parse(self.content, self.content_offset, box)
        return [box]


def load(path: Path) -> LoadedDocument:
    source = _ROLE.sub(_role, read_text(path))
    for name in set(_DIRECTIVE.findall(source)):
        if name.lower() not in en.directives or name.lower() in _CODE | _DROPPED:
            directives.register_directive(name.lower(), _Unknown)
    try:
        html = publish_string(source, writer="html5", settings_overrides=_SETTINGS)
    except (SystemMessage, RecursionError, ValueError, LookupError, AttributeError, AssertionError) as err:
        raise DocumentError("cannot be read as reStructuredText; check its headings and directives") from err
    return parse_html(_plain_html(html.decode("utf-8")), path=path)


def _plain_html(html: str) -> str:
    """Notes are part of the text, not beside it; literals are code."""
    html = re.sub(r"<(/?)aside\b", r"<\1div", re.sub(r"<title>.*?</title>", "", html, flags=re.DOTALL))
    html = re.sub(r'<pre class="code literal-block" lang="([^"]*)">', r'<pre class="language-\1">', html)
    return re.sub(r'<span class="docutils literal">([^<]*)</span>', r"<code>\1</code>", html)


def _role(found: re.Match[str]) -> str:
    """A role that docutils does not know, as its text: code, or plain where it only names a place."""
    role, text = found[1], found[2] or found[3]
    if role in _KNOWN_ROLES:
        return found[0]
    return text if role in _PROSE_ROLES else f"``{text.strip()}``"
