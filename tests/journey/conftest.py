"""What the journeys share: learners who come to the real tutor."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.talk import Learner, Meet


@pytest.fixture
async def meet(tmp_path: Path) -> AsyncIterator[Meet]:
    """Brings a learner to the tutor; several may come to the same one."""
    present: list[Learner] = []

    async def bring(state: dict[str, Any] | None = None, **options: str) -> Learner:
        learner = await Learner(tmp_path, **options).begin(state)
        present.append(learner)
        return learner

    yield bring
    for learner in present:
        await learner.close()


@pytest.fixture
async def ada(meet: Meet) -> Learner:
    """A learner whom the tutor has not met before."""
    return await meet()
