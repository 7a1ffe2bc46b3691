"""Arrows point one way: whoever reads a room needs to know only the rooms below it."""

from graphlib import TopologicalSorter

import pytest

from evals.house import MODULES, arrows, imports, room, shared_names

# Who asks is put beside a task call outside any model's reach, and positions are read before there is a call.
BESIDE_MCP = {
    "tasks_tools.identity",
    "tasks_tools.references",
}


def test_a_class_name_stands_for_one_class() -> None:
    assert shared_names() == {}


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
    """Storage keeps the domain's records; what is decided with them is none of its business.

    But for one thing: what an author's exercise asks is decided once, when it is read.
    """
    values = {"agents.teaching.values", "agents.teaching.evidence", "agents.teaching.questions.author"}
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
