"""The seeds are told as journeys: the same learners at the same tutor."""

from tests.journey.conftest import ada, meet

__all__ = ["ada", "meet"]
