"""The old address of agents.coordinator.language.messages."""

from agents.coordinator.language.messages import Message

__all__ = ["Message"]
