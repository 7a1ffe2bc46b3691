"""What a large model is asked where code is unsure of a command; it goes through the same door as what code reads."""

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, Field

from agents.briefing import clip, fenced
from agents.models.asking import Consultation, read_json
from agents.prompts import prompt
from agents.task_manager.understanding import Entities, IntentResult

_MOST = 8
_CONFIDENCE = 0.75  # of what a model reads: enough to act on, and a delete is confirmed by the learner anyway


class TaskCommand(BaseModel):
    """One thing to do."""

    intent: Literal["create", "list", "update", "complete", "delete", "none"]
    title: str = ""
    reference: str = ""
    due: str = ""
    status: Literal["", "pending", "completed", "all"] = ""
    told: bool = False


class TaskCommands(BaseModel):
    """What a model reads in a message."""

    commands: list[TaskCommand] = Field(max_length=_MOST)


def task_request(message: str, *, listed: Sequence[str]) -> Consultation:
    shown = f"The last list that they saw:\n{fenced(chr(10).join(listed))}\n\n" if listed else ""
    return Consultation(
        task="tasks",
        system=prompt("task_manager/prompt.md"),
        brief=f"{shown}The message:\n{fenced(clip(message, most=2000))}",
        schema=TaskCommands,
        max_tokens=1000,
    )


def commands_of(reply: str) -> tuple[IntentResult, ...]:
    """The commands in a model's reply, as code would have read them."""
    read = read_json(reply, TaskCommands)
    return tuple(
        IntentResult(
            intent=each.intent,
            confidence=_CONFIDENCE,
            entities=Entities(
                title=each.title or None,
                reference=each.reference or None,
                due=each.due or None,
                status=each.status or None,
            ),
            told=each.told,
            reasoning="the language model reads it so",
        )
        for each in (read.commands if read else [])
        if each.intent != "none"
    )
