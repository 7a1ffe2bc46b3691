"""The task manager's turn: what the learner said, the calls that serve it, and what comes of them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from agents.briefing import clip, fenced, language_line
from agents.quiz.offline import with_question
from agents.speaking import Brief, Move
from agents.task_manager import offline
from agents.task_manager.conversation import Command, TaskConversation, TaskOutcome, Work
from agents.task_manager.intents import TOOLS
from agents.task_manager.toolset import TASK_TOOLS
from agents.turn import Clarification, ReasoningTrace, ToolChoice

_ALWAYS_ASKED = ("delete_task",)
_NEVER_ASKED = ("add_task", "list_tasks")
_ASKED_FIRST = {
    "success": False,
    "error": {"code": "CONFIRMATION_REQUIRED", "message": "The app asks the learner first. Stop here."},
}


class TaskManagerBrief(Brief):
    """Code chooses each call that it is sure of; of the rest the model decides, and code keeps the rules."""

    prompt = "task_manager/prompt.md"
    task = "tasks"
    temperature = 0.0

    async def prepare(self) -> Move | None:
        self._work: Work | None = None  # code's calls that are out
        self._used: list[
            tuple[str, Mapping[str, Any], Mapping[str, Any]]
        ] = []  # the model's, with their results
        self._to_confirm: list[tuple[str, Mapping[str, Any]]] = []
        self._talk = TaskConversation(
            state=self.state, now=self.services.now().astimezone(self.services.zone)
        )
        self._read = self._talk.begin(self.turn.meant)
        self._trace(self._read)
        return None if any(each.is_guess for each in self._read.commands) else self._go(self._read)

    def apologise(self, err: Exception) -> Move:
        return Move(text=offline.UNAVAILABLE.text)

    def without_tools(self) -> Move:
        step = self._work or Work(commands=self._read.commands)
        return self._go(self._talk.unavailable(step))

    async def told(self) -> Sequence[str]:
        listed = self.state.task_references
        shown = (
            f"Places in the last list that they saw, with their task_id: {json.dumps(listed)}"
            if listed
            else ""
        )
        spoken_of = (
            f"Spoken of last: task_id {self.state.task_spoken_of}." if self.state.task_spoken_of else ""
        )
        return [
            language_line(self.state),
            f"Now: {self._talk.now:%A, %Y-%m-%d %H:%M %z}.",
            shown,
            spoken_of,
            f"They say:\n{fenced(clip(self.turn.meant, most=2000))}",
        ]

    @property
    def message(self) -> str:
        return "Do what the learner's message asks for."

    @property
    def known(self) -> str:
        results = json.dumps([result for _, _, result in self._used], default=str)
        return f"{self._told} {results}"

    def feed(self, piece: str) -> str:
        return ""

    def may_call(self, tool: str, args: Mapping[str, Any]) -> dict[str, Any] | None:
        """What a model reads into a message is asked about first where it takes something away that code did not read."""
        if self._work is not None or tool in _NEVER_ASKED:
            return None
        read = {each.intent.intent for each in self._read.commands} | {
            other for each in self._read.commands for other, _ in each.intent.alternatives
        }
        if tool not in _ALWAYS_ASKED and any(TOOLS.get(intent) == tool for intent in read):
            return None
        self._to_confirm.append((tool, dict(args)))
        return dict(_ASKED_FIRST)

    def is_asked_first(self, result: object) -> bool:
        """Whether a call was not made yet."""
        return result == _ASKED_FIRST

    def used(self, tool: str, args: Mapping[str, Any], result: Mapping[str, Any]) -> None:
        if self._work is None and tool in TASK_TOOLS:
            self._used.append((tool, args, result.get("structuredContent") or result))

    async def go_on(self) -> Move | None:
        if self._work is not None:
            return self._go(self._talk.go_on(self._work, self._results(count=len(self._work.uses))))
        if self._to_confirm:
            tool, _ = self._to_confirm[0]
            alike = [args for name, args in self._to_confirm if name == tool]
            listed = await self.services.task_tools.call(self.ctx, "list_tasks", {"status": "all"})
            asked = self._talk.confirm(
                tool, alike, listed.get("structuredContent") or listed, commands=self._read.commands
            )
            return self._go(asked)
        self._draft = None
        return None

    async def heard(self, text: str) -> Move:
        changes = self._talk.remembered(self._used, commands=self._read.commands)
        return Move(
            text=with_question(self.commented(text), self.state), changes=self.state.changes(**changes)
        )

    async def offline(self) -> Move:
        return self._go(self._read)

    def _go(self, step: Work | TaskOutcome) -> Move:
        """Say it, or call what it takes."""
        self._trace(step)
        if isinstance(step, Work):
            self._work = step
            return Move(calls=step.uses)
        reply, turn = step.reply, self.turn
        turn.outcome.status, turn.outcome.error = reply.status, turn.outcome.error or reply.error
        turn.outcome.clarification = Clarification(question=reply.text.split("\n")[0], options=reply.options)
        return Move(text=with_question(reply.text, self.state), changes=self.state.changes(**step.changes))

    def _trace(self, step: Work | TaskOutcome) -> None:
        first, *further = (_traced(command) for command in step.commands)
        self.turn.trace = first.model_copy(update={"further": tuple(further)})

    def _results(self, *, count: int) -> list[dict[str, Any]]:
        """What the last calls returned, as the server put it."""
        found: list[dict[str, Any]] = []
        for content in self.contents:
            for part in content.parts or []:
                if part.function_response and part.function_response.name in TASK_TOOLS:
                    response = dict(part.function_response.response or {})
                    found.append(response.get("structuredContent") or response)
        return found[-count:]


def _traced(command: Command) -> ReasoningTrace:
    intent, selected = command.intent, command.selection
    return ReasoningTrace(
        intent=intent.intent,
        confidence=intent.confidence,
        entities={name: value for name, value in asdict(intent.entities).items() if value},
        alternatives=intent.alternatives,
        reason=intent.reasoning,
        tool_choice=ToolChoice(
            tool_name=selected.tool_name,
            confidence=selected.confidence,
            parameters=selected.told,
            requires_confirmation=selected.requires_confirmation,
            alternatives=selected.alternatives,
        ),
    )
