"""JavaScript literals as data: objects, lists, strings, numbers, and markup as a string. Nothing is ever run.

What is an expression (a call, a sum of variables, a function) is read over and becomes `UNREAD`.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

_MOST_DEPTH = 50
_SPACE = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*")
_NUMBER = re.compile(
    r"[-+]?(?:0[xX][0-9a-fA-F]{1,12}|\d{1,18}(?:\.\d{0,18})?(?:[eE][-+]?\d{1,3})?|\.\d{1,18})"
)
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"|\'((?:[^\'\\]|\\.)*)\'|`((?:[^`\\]|\\.)*)`', re.DOTALL)
_ESCAPE = re.compile(r"\\(u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r?\n|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "", "b": "", "f": "", "v": "", "0": ""}
_WORDS: Mapping[str, object] = {"true": True, "false": False, "null": None, "undefined": None, "NaN": None}
_ELEMENT = re.compile(r"<(/?)([A-Za-z][\w.:-]*)?")
_OPEN, _CLOSE = "([{", ")]}"


class Unread:
    """What stands where there was an expression."""


UNREAD: Final = Unread()


class LiteralError(Exception):
    """The literal is broken at this place of the text."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


def read_literal(text: str, at: int, *, named: Mapping[str, Any] | None = None) -> tuple[Any, int]:
    """The value that begins at a place and where it ends; names stand for what the page gave them."""
    return _Reader(text, named or {}).value(at, depth=0)


def read_tag(
    text: str, at: int, *, named: Mapping[str, Any] | None = None
) -> tuple[dict[str, Any], bool, int]:
    """A tag's attributes from behind its name, whether it closes itself, and where it ends."""
    return _Reader(text, named or {}).attributes(at)


class _Reader:
    def __init__(self, text: str, named: Mapping[str, Any]) -> None:
        self._text = text
        self._named = named

    def value(self, at: int, *, depth: int) -> tuple[Any, int]:
        """One value with all that is added to it: 'a' + 'b' is a string too."""
        value, at = self._operand(self._skip(at), depth=depth)
        while True:
            at = self._skip(at)
            sign = self._text[at : at + 1]
            if sign == "+" and isinstance(value, str):
                more, at = self._operand(self._skip(at + 1), depth=depth)
                value = value + more if isinstance(more, str) else UNREAD
            elif sign in ("", ",", ";", *_CLOSE):
                return value, at
            elif self._text.startswith(("as const", "satisfies "), at):
                return value, self._expression(at)
            else:
                return UNREAD, self._expression(at)

    def _operand(self, at: int, *, depth: int) -> tuple[Any, int]:
        if depth > _MOST_DEPTH:
            raise LiteralError(at)
        sign = self._text[at : at + 1]
        if sign == "{":
            return self._object(at + 1, depth=depth + 1)
        if sign == "[":
            return self._list(at + 1, depth=depth + 1)
        if sign and sign in "\"'`":
            return self._string(at)
        if sign == "(":
            value, at = self.value(at + 1, depth=depth + 1)
            return value, self._expect(")", at)
        if sign == "<":
            return self._markup(at)
        if number := _NUMBER.match(self._text, at):
            return _number(number[0]), number.end()
        if name := _IDENTIFIER.match(self._text, at):
            known = {**_WORDS, **self._named} if name[0] in self._named else _WORDS
            return known.get(name[0], UNREAD), name.end()
        return UNREAD, self._expression(at)

    def _object(self, at: int, *, depth: int) -> tuple[dict[str, Any], int]:
        found: dict[str, Any] = {}
        while True:
            at = self._skip(at)
            if self._text.startswith("}", at):
                return found, at + 1
            if self._text.startswith("...", at):
                at = self._expression(at + 3)
            else:
                key, at = self._key(at)
                at = self._skip(at)
                if self._text.startswith(":", at):
                    found[key], at = self.value(at + 1, depth=depth)
                else:  # a name that stands for its value, or a method
                    found[key] = self._named.get(key, UNREAD)
                    at = self._expression(at)
            at = self._separator(at, "}")

    def _key(self, at: int) -> tuple[str, int]:
        if self._text[at : at + 1] in ('"', "'", "`"):
            return self._string(at)
        if found := _IDENTIFIER.match(self._text, at) or _NUMBER.match(self._text, at):
            return found[0], found.end()
        raise LiteralError(at)

    def _list(self, at: int, *, depth: int) -> tuple[list[Any], int]:
        found: list[Any] = []
        while True:
            at = self._skip(at)
            if self._text.startswith("]", at):
                return found, at + 1
            if self._text.startswith("...", at):
                more, at = self.value(at + 3, depth=depth)
                found += more if isinstance(more, list) else []
            else:
                value, at = self.value(at, depth=depth)
                found.append(value)
            at = self._separator(at, "]")

    def _separator(self, at: int, closing: str) -> int:
        at = self._skip(at)
        if self._text.startswith(",", at):
            return at + 1
        if self._text.startswith(closing, at):
            return at
        raise LiteralError(at)

    def _string(self, at: int) -> tuple[str, int]:
        found = _STRING.match(self._text, at)
        if found is None:
            raise LiteralError(at)
        inside = next(part for part in found.groups() if part is not None)
        return _ESCAPE.sub(_unescaped, inside) if "\\" in inside else inside, found.end()

    def _markup(self, at: int) -> tuple[Any, int]:
        """An element as its source, without the empty tags that only hold it together."""
        start, depth = at, 0
        while tag := _ELEMENT.search(self._text, at):
            closes_itself = False
            if not tag[2] and not self._text.startswith(">", tag.end()):
                at = tag.end()  # a "<" of the text
                continue
            if tag[1]:
                at = self._text.find(">", tag.end()) + 1
                depth -= 1
            else:
                _, closes_itself, at = self.attributes(tag.end())
                depth += not closes_itself
            if not at:
                break
            if depth <= 0:
                return re.sub(r"^<>\s*|\s*</>$", "", self._text[start:at]), at
        raise LiteralError(start)

    def attributes(self, at: int) -> tuple[dict[str, Any], bool, int]:
        """What stands in a tag behind its name; whether it closes itself; where it ends."""
        found: dict[str, Any] = {}
        while True:
            at = self._skip(at)
            if self._text.startswith("/>", at):
                return found, True, at + 2
            if self._text.startswith(">", at):
                return found, False, at + 1
            if self._text.startswith("{", at):  # {...props}
                at = self._expect("}", self._expression(at + 1))
                continue
            name = re.compile(r"[^\s=<>/{}\"'`]+").match(self._text, at)
            if name is None:
                raise LiteralError(at)
            at = self._skip(name.end())
            found[name[0]], at = (
                self._attribute(at + 1) if self._text.startswith("=", at) else (True, name.end())
            )

    def _attribute(self, at: int) -> tuple[Any, int]:
        at = self._skip(at)
        if self._text.startswith("{", at):
            value, at = self.value(at + 1, depth=1)
            return value, self._expect("}", at)
        # Backslashes mean nothing in markup.
        for quote in "\"'":
            if self._text.startswith(quote, at):
                end = self._text.find(quote, at + 1)
                if end < 0:
                    break
                return self._text[at + 1 : end], end + 1
        raise LiteralError(at)

    def _expression(self, at: int) -> int:
        """Behind what cannot be read: up to the comma or the bracket that ends it."""
        depth = 0
        while at < len(self._text):
            sign = self._text[at]
            if sign in "\"'`":
                found = _STRING.match(self._text, at)
                if found is None:
                    raise LiteralError(at)
                at = found.end()
                continue
            if sign in _OPEN:
                depth += 1
            elif sign in _CLOSE:
                if not depth:
                    return at
                depth -= 1
            elif sign in ",;" and not depth:
                return at
            at += 1
        raise LiteralError(at)

    def _expect(self, sign: str, at: int) -> int:
        at = self._skip(at)
        if not self._text.startswith(sign, at):
            raise LiteralError(at)
        return at + len(sign)

    def _skip(self, at: int) -> int:
        found = _SPACE.match(self._text, at)
        return found.end() if found else at


def _number(text: str) -> int | float:
    if "x" in text.lower():
        return int(text, 16)
    return float(text) if re.search(r"[.eE]", text) else int(text)


def _unescaped(found: re.Match[str]) -> str:
    sign = found[1]
    if sign[0] in "ux" and len(sign) > 1:
        code = int(sign[1:].strip("{}"), 16)
        return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else ""
    return "" if sign.endswith("\n") else _ESCAPED.get(sign, sign)
