"""What the journeys share: learners who come to the real tutor."""

import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.folders import copy_folder
from tests.support.talk import Learner, Meet

# With one of these the tutor has other data than the sample course in an SQLite file.
_OTHER_DATA = {"TUTOR_COURSE_DIR", "TUTOR_DATABASE_URL", "TUTOR_EMBEDDER", "COHERE_API_KEY", "QDRANT_URL"}


@pytest.fixture
async def meet(read_course: Path, tmp_path: Path) -> AsyncIterator[Meet]:
    """Brings a learner to the tutor; several may come to the same one."""
    present: list[Learner] = []

    async def bring(state: dict[str, Any] | None = None, **options: str) -> Learner:
        if not (tmp_path / "data").exists() and _OTHER_DATA.isdisjoint({*options, *os.environ}):
            copy_folder(read_course / "data", tmp_path / "data")
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
