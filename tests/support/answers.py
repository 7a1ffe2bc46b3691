"""What tests look at in an answer to a question about a course."""

import re

from agents.coordinator.offline import GroundedAnswer

TOPICS = ["ROS 2 basics", "Topics and messages", "Links and joints", "Gazebo", "SLAM and loop closure"]


def body(found: GroundedAnswer) -> str:
    """What is said before the sources."""
    return found.text.split("\n---\n")[0].strip()


def letters(text: str) -> str:
    """A text without markup and markers, so that a cleaned quote can be found in its passage."""
    return re.sub(r"[\W_]+", "", re.sub(r"\[\d+\]", "", text)).lower()
