"""What several unit tests share and nobody should compute twice."""

import pytest

from agents.teaching.values import Concept
from tests.support.sample_course import sample_terms


@pytest.fixture(scope="session")
def terms() -> list[Concept]:
    """The terms of the sample course, in the order in which it teaches them."""
    return sample_terms()
