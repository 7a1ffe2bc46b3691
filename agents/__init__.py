"""The ADK app of Mastery Loop."""

from types import ModuleType


def __getattr__(name: str) -> ModuleType:
    """`adk eval` reads the attribute `agent` of the package; everyone else is spared importing the whole app."""
    if name != "agent":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import agents.agent as module

    return module
