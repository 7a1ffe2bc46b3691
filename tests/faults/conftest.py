"""What the fault tests share: learners at the real tutor, as in the journeys."""

from tests.journey.conftest import ada, meet

__all__ = ["ada", "meet"]
