"""What a block of code prints, where the course shows its output and nothing else decides it."""

import ast
import builtins
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from agents.language.blocks import TEXT_LANGUAGES, Block, blocks, fenced, is_only_text
from agents.language.words import same_text
from agents.teaching.questions.base import DraftQuestion, Kind, PassageReading

_MOST_CODE, _MOST_OUTPUT = 12, 60  # lines, and characters
_PYTHON = ("python", "python3", "py", "ipython", "ipython3")
# Anything else may read a clock, a file, a network or chance.
_SAME_EVERY_TIME = frozenset(
    "__future__ abc bisect cmath collections copy dataclasses decimal enum fractions functools heapq itertools json math "
    "operator re statistics string textwrap typing".split()
)
_NOT_CERTAIN = frozenset(
    "breakpoint dir eval exec globals hash help id input locals memoryview object open vars".split()
)
_KNOWN = (frozenset(dir(builtins)) | {"__name__"}) - _NOT_CERTAIN
_PROGRAM = re.compile(r"\bmain\s*\(")
_NOT_CERTAIN_IN_A_PROGRAM = re.compile(
    r"rand|time|now\b|clock|thread|spawn|async|stdin|cin\b|scan|env\b|args\b|argv|\{:p\}|%p", re.IGNORECASE
)
# An address, a failure, an object's own way to write itself, or a set, whose order nobody can know.
_BY_CHANCE = re.compile(
    r"\b0x[0-9a-f]{6,}|^<|Traceback|Error\b|^\{[^:]+\}$|^[A-Za-z_.]+\(.*\)$", re.IGNORECASE
)


def write(reading: PassageReading) -> Iterator[DraftQuestion]:
    every = list(blocks(reading.passage.chunk_text))
    for place, (block, after) in enumerate(pairwise(every)):
        if (
            not _is_code(block)
            or after.kind != "code"
            or fenced(after)[0].lower() not in ("", *TEXT_LANGUAGES)
        ):
            continue
        printed = fenced(after)[1].strip()
        is_short = not re.search(r"[\n\t]|  ", printed) and len(printed) <= _MOST_OUTPUT
        code = _whole(every, place) if is_short and printed and not _BY_CHANCE.search(printed) else ""
        if code and same_text(printed):
            shown = f"```{fenced(block)[0]}\n{code}\n```"
            source = f"{block.text}\n\n{after.text}"
            yield DraftQuestion(
                kind="output",
                difficulty="medium",
                text=f"What does this code print?\n\n{shown}",
                answer=printed,
                concept=reading.concept_of(source, _said_before(every[:place])),
                source=source,
                about=reading.headed,
            )


def _said_before(before: Sequence[Block]) -> str:
    """What the author says last before the code."""
    return next((each.text for each in reversed(before) if each.kind == "paragraph"), "")


def _is_code(block: Block) -> bool:
    return block.kind == "code" and bool(fenced(block)[0]) and not is_only_text(block)


def _whole(every: Sequence[Block], place: int) -> str:
    """The code with what it needs from the blocks right before it; empty where it needs more, or is not sure to print this."""
    language, code = fenced(every[place])
    earlier = _without_output(every[:place], language)
    while len(code.splitlines()) <= _MOST_CODE:
        if is_certain(code, language=language):
            return code
        if not earlier:
            return ""
        code = f"{earlier.pop()}\n\n{code}"
    return ""


def _without_output(before: Sequence[Block], language: str) -> list[str]:
    """The code blocks up to here, back to the last one that prints something."""
    found: list[str] = []
    for block in reversed([each for each in before if each.kind == "code"]):
        if fenced(block)[0] != language:
            break
        found.insert(0, fenced(block)[1])
    return found


def is_certain(code: str, *, language: str) -> bool:
    """Whether a program says all that its output depends on."""
    if language.lower() not in _PYTHON:
        return bool(_PROGRAM.search(code)) and not _NOT_CERTAIN_IN_A_PROGRAM.search(code)
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError):
        return False
    nodes = list(ast.walk(tree))
    modules = [
        name
        for node in nodes
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module or ""] if isinstance(node, ast.ImportFrom) else [each.name for each in node.names]
        )
    ]
    is_tame = all(name.partition(".")[0] in _SAME_EVERY_TIME for name in modules)
    return is_tame and _says_all(tree)


def _says_all(tree: ast.Module) -> bool:
    """Whether every name is given before it is used: 'L = [n for n in L]' needs an L from elsewhere."""
    known = set(_KNOWN)
    for statement in tree.body:
        nodes = list(ast.walk(statement))
        used = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
        within = nodes if not isinstance(statement, ast.Assign) else list(ast.walk(statement.value))
        if not used <= known | _named(within):
            return False
        known |= _named(nodes)
    return True


def _named(nodes: Sequence[ast.AST]) -> frozenset[str]:
    """The names that a program gives by itself."""
    found: set[str] = set()
    for node in nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.alias(name=name, asname=other):
                found.add(other or name.partition(".")[0])
            case ast.ExceptHandler(name=str(name)):
                found.add(name)
    return frozenset(found)


KIND = Kind(
    name="output",
    write=write,
    how_to_answer="Type exactly what it prints; spaces and the sort of quotes do not matter.",
)
