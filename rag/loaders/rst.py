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

from rag.exercises.roles import Role, role_of_label, role_of_name, role_of_title
from rag.loaders.document import LoadedDocument, read_text
from rag.loaders.html import parse as parse_html
from storage.errors import DocumentError

_DIRECTIVE = re.compile(r"^[ \t]*\.\.[ \t]+([\w:+.-]+)::", re.MULTILINE)
_ROLE = re.compile(r":(?:[\w+-]+:)*([\w+-]+):`(?:[!~]?([^`<>]+?)\s*<[^`<>]*>|[!~]?([^`]+))`")
_KNOWN_ROLES = frozenset("math sub sup subscript superscript strong emphasis code literal".split())
_PROSE_ROLES = frozenset("ref doc term numref abbr index guilabel menuselection cite eq".split())
_CODE = frozenset("code-block sourcecode literalinclude ipython plot doctest testcode prompt".split())
# They lead elsewhere, or are for the tools that make the site.
_DROPPED = frozenset(
    "toctree index highlight currentmodule module py:module contents tabularcolumns "
    "parsonsprob clickablearea dragndrop fillintheblank poll".split()  # puzzles whose keys are in their text
)
_CHOICES = frozenset({"mchoice", "multiplechoice"})
_FOLDED = frozenset({"dropdown", "toggle", "reveal", "collapse", "details", "spoiler"})
_CLASSES: dict[Role, str] = {"asks": "exercise", "answers": "solution", "helps": "hint"}
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
        box = nodes.container()
        title, _, text = "".join(self.arguments).partition("\n")
        if role := self._role(title):
            # Named as pages on the web name it: the reader of exercises is theirs.
            box["classes"] += [_CLASSES[role], *(["dropdown"] if self.name in _FOLDED else [])]
            box["ids"] += [
                nodes.make_id(self.options[name]) for name in ("label", "name") if name in self.options
            ]
        if title and role == "answers" and re.fullmatch(r"[\w:.-]+", title):
            box += nodes.paragraph("", "", nodes.reference("", "", refuri=f"#{nodes.make_id(title)}"))
        elif title and self.name not in _CHOICES:
            box += nodes.paragraph("", "", nodes.strong(text=title), classes=["title"] if role else [])
        self._parse(text, into=box)
        self.state.nested_parse(self.content, self.content_offset, box)
        if self.name in _CHOICES:
            _mark_listed(box)
            box += self._choices()
        return [box]

    def _role(self, title: str) -> Role | None:
        if self.name in _CHOICES:
            return "asks"
        return role_of_name(self.name) or (role_of_title(title) if self.name in _FOLDED else None)

    def _choices(self) -> list[nodes.Node]:
        """Choices that are options: `:answer_a:`, `:correct: a`, `:feedback_a:`."""
        right = set(re.findall(r"\w+", self.options.get("correct", "").lower()))
        items = nodes.bullet_list()
        for name in sorted(name for name in self.options if name.startswith("answer_")):
            letter = name.removeprefix("answer_")
            item = nodes.list_item(classes=["correct" if letter in right else "incorrect"])
            self._parse(self.options[name], into=item)
            told = nodes.container(classes=["feedback"])
            self._parse(self.options.get(f"feedback_{letter}", ""), into=told)
            item += told
            items += item
        return [items] if len(items) else []

    def _parse(self, text: str, *, into: nodes.Element) -> None:
        self.state.nested_parse(StringList(text.split("\n")), self.content_offset, into)


def _mark_listed(box: nodes.Element) -> None:
    """Choices that are a list, under each the word on it: behind '+' for the right ones, '-' for the others."""
    for items in [each for each in box.children if isinstance(each, nodes.bullet_list)]:
        for item in items.children:
            for told in [each for each in item.children if isinstance(each, nodes.bullet_list)]:
                item["classes"] += ["correct" if told.get("bullet") == "+" else "incorrect"]
                item.replace(told, nodes.container("", *told.children[0].children, classes=["feedback"]))


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


_ADMONITION = re.compile(
    r'<div class="(admonition\b[^"]*)"([^<>]*)>\s*<p class="admonition-title">([^<>]*)</p>'
)


def _plain_html(html: str) -> str:
    """Notes are part of the text, not beside it, unless their title says that they ask or answer; literals are code."""
    html = re.sub(r"<(/?)aside\b", r"<\1div", re.sub(r"<title>.*?</title>", "", html, flags=re.DOTALL))
    html = _ADMONITION.sub(_admonition, html)
    html = re.sub(r'<pre class="code literal-block" lang="([^"]*)">', r'<pre class="language-\1">', html)
    html = re.sub(r'<span class="pre">([^<]*)</span>', r"\1", html)
    return re.sub(r'<span class="docutils literal">([^<]*)</span>', r"<code>\1</code>", html)


def _admonition(found: re.Match[str]) -> str:
    classes, attributes, title = found.groups()
    role = role_of_title(title) if _FOLDED & set(classes.split()) else role_of_label(title)
    return f'<div class="{_CLASSES[role]}"{attributes}><p class="title">{title}</p>' if role else found[0]


def _role(found: re.Match[str]) -> str:
    """A role that docutils does not know, as its text: code, or plain where it only names a place."""
    role, text = found[1], found[2] or found[3]
    if role in _KNOWN_ROLES:
        return found[0]
    return text if role in _PROSE_ROLES else f"``{text.strip()}``"
