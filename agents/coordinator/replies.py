"""The old address of agents.coordinator.language.replies."""

from agents.coordinator.language.replies import says_no, says_yes

__all__ = ["says_no", "says_yes"]
