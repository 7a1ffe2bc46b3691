"""Arrows point one way: whoever reads a room needs to know only the rooms below it."""

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HOUSES = ("agents", "rag", "storage", "tasks_tools", "evals", "web")
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for house in HOUSES
    for path in (ROOT / house).rglob("*.py")
}
# Who asks is put beside a task call outside any model's reach, and positions are read before there is a call.
BESIDE_MCP = {
    "tasks_tools.identity",
    "tasks_tools.references",
}


def imports(module: str) -> Iterator[str]:
    """The modules of ours that it names anywhere: at its top, inside a function, or only for the types."""
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module:
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if name in MODULES else node.module for name in inner]
        yield from (name for name in names if name.partition(".")[0] in HOUSES)


def room(module: str) -> str:
    """A folder or a module of agents/; every other house is one room."""
    return ".".join(module.split(".")[: 2 if module.startswith("agents.") else 1])


@cache
def arrows() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for module in MODULES:
        found.setdefault(room(module), set()).update(room(name) for name in imports(module))
    return {here: {there for there in known if there != here} for here, known in found.items()}


def test_a_class_name_stands_for_one_class() -> None:
    places: dict[str, list[str]] = {}
    for module, path in MODULES.items():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and room(module) != "evals":
                places.setdefault(node.name, []).append(module)
    assert {name: modules for name, modules in places.items() if len(modules) > 1} == {}


def test_no_two_rooms_know_each_other_nor_in_a_circle() -> None:
    TopologicalSorter(arrows()).prepare()  # raises a CycleError that names the circle


@pytest.mark.parametrize(
    ("house", "knows"),
    [
        ("agents.language", set()),
        ("agents.teaching", {"agents.language"}),
        ("storage", {"agents.teaching"}),
        ("rag", {"storage", "agents.teaching", "agents.language"}),
        ("tasks_tools", {"storage"}),
    ],
)
def test_a_lower_room_knows_only_the_ones_below_it(house: str, knows: set[str]) -> None:
    assert arrows()[house] <= knows


def test_what_is_stored_knows_only_the_values_of_teaching() -> None:
    """Storage keeps the domain's records; what is decided with them is none of its business."""
    values = {"agents.teaching.values", "agents.teaching.evidence"}
    stored = (module for module in MODULES if room(module) in ("storage", "rag"))
    named = {name for module in stored for name in imports(module) if name.startswith("agents.teaching")}
    assert named <= values


def test_the_product_does_not_know_its_evals() -> None:
    assert not [here for here, known in arrows().items() if "evals" in known and here != "evals"]


def test_tasks_are_reached_over_mcp() -> None:
    """Apart from the command that starts the server, nobody calls it but through its tools."""
    named = {
        name
        for module in MODULES
        if module.startswith("agents.") and room(module) != "agents.commands"
        for name in imports(module)
        if name.startswith("tasks_tools")
    }
    assert named <= BESIDE_MCP
