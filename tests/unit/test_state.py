"""The state as a turn reads it: once, and change by change."""

import pytest
from pydantic import ValidationError

from agents.state import SessionState


def test_a_state_that_has_not_changed_is_not_read_again() -> None:
    stored = SessionState(user_id="ada", session_id="once", goals=["maps"]).model_dump(mode="json")
    first = SessionState.of(stored)
    assert SessionState.of({**stored, "of_a_client": 1}) is first
    assert SessionState.of({**stored, "goals": ["joints"]}).goals == ["joints"]
    assert SessionState.of(stored).goals == ["maps"]
    broken = {**stored, "quiz_score": "many"}
    assert SessionState.of(broken).quiz_score == 0.0
    assert "quiz_score" in SessionState.healing(broken)


def test_a_change_is_checked_field_by_field_as_the_whole_would_be() -> None:
    state, blank = SessionState(), SessionState().model_dump(mode="json")
    for name in SessionState.model_fields:
        assert state.changes(**{name: getattr(state, name)}) == {name: blank[name]}
    with pytest.raises(ValidationError):
        state.changes(topic_part=0)
    with pytest.raises(ValidationError):
        state.changes(task_references={"1": 5})
