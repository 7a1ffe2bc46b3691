"""One message about tasks, from what was said to what is answered: what to call, what to ask first, what came of it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any

from agents.language.due import is_due
from agents.state import AgentContext, PendingTask, SessionState
from agents.task_manager import offline
from agents.task_manager.intents import SURE, TOOLS, choose, commands_in, select_tool, understand
from agents.task_manager.offline import Reply, ShownTask, due_by, in_order
from agents.task_manager.reading import Entities, IntentResult, ToolSelectionResult, read_entities, tidy
from agents.task_manager.toolset import UNREACHABLE

ToolUse = tuple[str, Mapping[str, Any]]

_LOOK_UP: ToolUse = ("list_tasks", {"status": "all"})
_REMEMBERED = 3  # confidences of the last commands
_SUPPLIED = 0.8  # how sure an answer is to what we asked for
_ASKED_FOR = ("no_title", "no_task", "no_change", "no_date")


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What was understood, and the tool that serves it."""

    intent: IntentResult
    selection: ToolSelectionResult

    @property
    def is_guess(self) -> bool:
        """Too unsure to act on."""
        return self.selection.tool_name is None or self.intent.confidence < SURE

    @property
    def is_ready(self) -> bool:
        """Nothing is left to ask."""
        selected = self.selection
        return selected.tool_name is not None and not selected.problem and not selected.requires_confirmation

    @property
    def needs_titles(self) -> bool:
        """The learner's tasks have to be known first, to find one or to name it in a question."""
        problem, asks = self.selection.problem, self.selection.requires_confirmation
        return problem == "see_tasks" or (problem is None and asks and not self.intent.told)

    @property
    def uses(self) -> tuple[ToolUse, ...]:
        return tuple((self.selection.tool_name or "", call) for call in self.selection.calls)


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """The commands of a message in progress; calls are out for those that are ready, or to look at the tasks."""

    commands: tuple[Command, ...]
    tasks: Sequence[ShownTask] | None = None  # the learner's, once they were looked up
    is_look_up: bool = False

    @property
    def uses(self) -> tuple[ToolUse, ...]:
        """The calls that are out."""
        ready = tuple(use for command in self.commands if command.is_ready for use in command.uses)
        return (_LOOK_UP,) if self.is_look_up else ready


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskOutcome:
    """The end of a message's work: the reply, what was understood, and what the conversation remembers of it."""

    reply: Reply
    commands: tuple[Command, ...]
    changes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskConversation:
    """A learner here and now, and what was said before."""

    state: SessionState
    now: datetime  # in the learner's zone

    def begin(self, message: str) -> Work | TaskOutcome:
        """Read the message and choose the calls; a question of ours that is still open comes first."""
        pending, listed = self.state.pending_task, bool(self.state.task_references)
        if pending is None:
            return self.take(commands_in(message, listed=listed, meant=True))
        answer = understand(
            message,
            listed=listed,
            waiting_for="clarification" if pending.waiting_for == "clarification" else "confirmation",
            options=_titles(pending),
        )
        if supplied := self._supplied(message, answer, pending):
            return self.take((supplied,))
        if answer.intent in ("confirm", "decline", "choose", "none"):
            return self._continued(answer, message, pending)
        return self.take(commands_in(message, listed=listed))

    def take(self, found: Sequence[IntentResult]) -> Work | TaskOutcome:
        """Choose the calls for what was read."""
        return self._next(Work(commands=tuple(self._chosen(each) for each in found)))

    def go_on(self, work: Work, results: Sequence[Mapping[str, Any]]) -> Work | TaskOutcome:
        """Choose again, now that the learner's tasks are known; or say what came of the calls."""
        if not work.is_look_up:
            return self._finish(work, results)
        [looked_up] = results
        if not looked_up.get("success"):
            return self.said(self._failure(_LOOK_UP, looked_up), work.commands)
        tasks = self._tasks(looked_up)
        commands = tuple(
            self._chosen(each.intent, tasks) if each.selection.problem == "see_tasks" else each
            for each in work.commands
        )
        return self._next(Work(commands=commands, tasks=tasks))

    def said(self, reply: Reply, commands: Sequence[Command], **changes: Any) -> TaskOutcome:
        """End the work; every message leaves behind how sure we were and how often we had to ask."""
        before, sure = self.state.agent_context, [each.intent.confidence for each in commands]
        context = AgentContext(
            confidence_history=(*before.confidence_history, *sure)[-_REMEMBERED:],
            clarification_count=before.clarification_count + (reply.status == "clarification_needed"),
        )
        kept = {"pending_task": None, "agent_context": context, **changes}
        return TaskOutcome(reply=reply, commands=tuple(commands), changes=kept)

    # Our open question.

    def _supplied(self, message: str, answer: IntentResult, pending: PendingTask) -> IntentResult | None:
        """The command, complete with what the learner now says; None where that is no answer."""
        if pending.waiting_for != "answer" or not (answer.intent in ("none", "confirm") or answer.told):
            return None
        entities = Entities(**pending.parameters["entities"])
        match pending.parameters["problem"]:
            case "no_title":
                entities = read_entities(tidy(message), intent="create")
            case "no_task":
                entities = replace(entities, reference=message)
            case _ if is_due(message):
                entities = replace(entities, reference="it", due=message)
            case _:
                return None
        wanted = next(name for name, tool in TOOLS.items() if tool == pending.tool_name)
        return IntentResult(
            intent=wanted, confidence=_SUPPLIED, entities=entities, reasoning="answers what we asked"
        )

    def _continued(self, answer: IntentResult, message: str, pending: PendingTask) -> Work | TaskOutcome:
        """Do what we asked about, or leave it."""
        tool, chosen, is_choice = pending.tool_name, pending.options, answer.intent == "choose"
        if is_choice:
            chosen = tuple(chosen[place - 1] for place in choose(message, options=_titles(pending)))
        given = {name: value for name, value in pending.parameters.items() if name != "titles"}
        selection = ToolSelectionResult(
            tool_name=tool,  # type: ignore[arg-type]
            confidence=answer.confidence,
            parameters=given,
            task_ids=chosen,
            requires_confirmation=tool == "delete_task" and is_choice,
        )
        command = Command(intent=answer, selection=selection)
        if answer.intent == "decline":
            return self.said(offline.KEPT if tool == "delete_task" else offline.DROPPED, (command,))
        if answer.intent == "none" or pending.waiting_for == "answer":
            return self.said(offline.unanswered(tool), (command,))
        if tool == "add_task":
            tasks = (replace(selection, parameters=task) for task in pending.parameters["tasks"])
            return Work(commands=tuple(replace(command, selection=each) for each in tasks))
        if tool == "update_task" and not given:
            return self._ask_for_the_rest(replace(command, selection=replace(selection, problem="no_change")))
        return Work(commands=(command,), is_look_up=selection.requires_confirmation)

    # What has to be asked or looked up first.

    def _chosen(self, intent: IntentResult, tasks: Sequence[ShownTask] | None = None) -> Command:
        metadata = self.state.model_dump(include={"task_references", "task_spoken_of"})
        return Command(
            intent=intent, selection=select_tool(intent, metadata=metadata, now=self.now, tasks=tasks)
        )

    def _next(self, work: Work) -> Work | TaskOutcome:
        if work.tasks is None and any(each.needs_titles for each in work.commands):
            return replace(work, is_look_up=True)
        return work if work.uses else self._ask(work)

    def _ask(self, work: Work) -> TaskOutcome:
        """One question at a time: what the first open command needs, with all others that need the same."""
        first, tasks = work.commands[0], work.tasks or ()
        selected, asked_now = first.selection, [first]
        if selected.problem == "which_one":
            asked = self._ask_which(first, tasks)
        elif selected.problem in _ASKED_FOR:
            asked = self._ask_for_the_rest(first)
        elif selected.tool_name is None or selected.problem is not None:
            asked = self.said(_problem(first), asked_now)
        else:
            alike = (selected.tool_name, None)
            asked_now = [
                each for each in work.commands if (each.selection.tool_name, each.selection.problem) == alike
            ]
            is_offer = selected.tool_name == "add_task"
            asked = self._offer(asked_now) if is_offer else self._ask_to_confirm(asked_now, tasks)
        later = len(work.commands) > len(asked_now)
        return replace(asked, reply=offline.with_more_to_come(asked.reply)) if later else asked

    def _offer(self, commands: Sequence[Command]) -> TaskOutcome:
        """An errand told in passing: whether it belongs on the list is the learner's to say."""
        tasks = [dict(each.selection.parameters) for each in commands]
        pending = PendingTask(waiting_for="confirmation", tool_name="add_task", parameters={"tasks": tasks})
        shown = [ShownTask.of({"id": 0, "status": "pending", **task}, now=self.now) for task in tasks]
        return self.said(offline.offer(shown), commands, pending_task=pending)

    def _ask_for_the_rest(self, command: Command) -> TaskOutcome:
        selected = command.selection
        tool, problem = selected.tool_name or "", selected.problem or "no_change"
        lacking = {"problem": problem, "entities": asdict(command.intent.entities)}
        pending = PendingTask(waiting_for="answer", tool_name=tool, parameters=lacking)
        # "Rename it to …" then means the task that we just asked about.
        spoken_of = {"task_spoken_of": selected.task_ids[0]} if selected.task_ids else {}
        asked = offline.asking(problem, tool_name=tool)
        return self.said(asked, (command,), pending_task=pending, **spoken_of)

    def _ask_which(self, command: Command, tasks: Sequence[ShownTask]) -> TaskOutcome:
        options = [task for task in tasks if task.id in command.selection.options]
        tool = command.selection.tool_name or ""
        pending = PendingTask(
            waiting_for="clarification",
            tool_name=tool,
            parameters={**command.selection.parameters, "titles": [task.title for task in options]},
            options=tuple(task.id for task in options),
        )
        return self.said(offline.which_one(options, tool_name=tool), (command,), pending_task=pending)

    def _ask_to_confirm(self, commands: Sequence[Command], tasks: Sequence[ShownTask]) -> TaskOutcome:
        tool = commands[0].selection.tool_name or ""
        ids = {task_id for each in commands for task_id in each.selection.task_ids}
        chosen = [task for task in tasks if task.id in ids]
        if not chosen:
            return self.said(_problem(commands[0]), commands)
        pending = PendingTask(
            waiting_for="confirmation",
            tool_name=tool,
            parameters=dict(commands[0].selection.parameters),
            options=tuple(task.id for task in chosen),
        )
        return self.said(offline.confirm(chosen, tool_name=tool), commands, pending_task=pending)

    # After the calls.

    def _finish(self, work: Work, results: Sequence[Mapping[str, Any]]) -> TaskOutcome:
        """Say what each call did or did not do, then ask what is still to be asked."""
        done: list[Reply] = []
        changes: dict[str, Any] = {}
        left = iter(results)
        for command in (each for each in work.commands if each.is_ready):
            reply, remembered = self._outcome(command, [next(left, {}) for _ in command.uses])
            done.append(reply)
            changes |= remembered
        if open_ones := tuple(each for each in work.commands if not each.is_ready):
            asked = self._ask(replace(work, commands=open_ones))
            done.append(asked.reply)
            changes["pending_task"] = asked.changes["pending_task"]
        last = next((reply for reply in reversed(done) if reply.status != "success"), done[-1])
        together = replace(last, text=" ".join(reply.text for reply in done))
        return self.said(together, work.commands, **changes)

    def _outcome(
        self, command: Command, results: Sequence[Mapping[str, Any]]
    ) -> tuple[Reply, dict[str, Any]]:
        """What one command came to, and what the conversation remembers of it."""
        failures = [
            self._failure(use, result)
            for use, result in zip(command.uses, results, strict=True)
            if not result.get("success")
        ]
        if command.selection.tool_name == "list_tasks" and not failures:
            return self._listed(command, results[0])
        tasks = [ShownTask.of(result["data"], now=self.now) for result in results if result.get("success")]
        if not tasks:
            return failures[0], {}
        reply = self._done(command, tasks)
        if failures:
            reply = replace(failures[0], text=f"{reply.text} {failures[0].text}")
        return reply, {"task_spoken_of": tasks[-1].id}

    def _done(self, command: Command, tasks: Sequence[ShownTask]) -> Reply:
        match command.selection.tool_name:
            case "add_task":
                return offline.created(tasks[0])
            case "update_task":
                return offline.updated(tasks[0], changes=command.selection.parameters)
            case "complete_task":
                return offline.completed(tasks)
            case _:
                return offline.deleted(tasks)

    def _failure(self, use: ToolUse, result: Mapping[str, Any]) -> Reply:
        tool, arguments = use
        error = result.get("error")
        code = error.get("code") if isinstance(error, Mapping) else UNREACHABLE
        if code == "NOT_FOUND":
            shown = {task_id: int(position) for position, task_id in self.state.task_references.items()}
            return offline.not_found(position=shown.get(arguments.get("task_id", 0)))
        if code == "INVALID_INPUT" and isinstance(error, Mapping):
            return offline.refused(str(error["message"]))
        # Whoever does not answer may still have done it.
        unknown = code == UNREACHABLE and tool != "list_tasks"
        return offline.UNCERTAIN if unknown else offline.UNAVAILABLE

    def _listed(self, command: Command, result: Mapping[str, Any]) -> tuple[Reply, dict[str, Any]]:
        tasks, entities = self._tasks(result), command.intent.entities
        if entities.due:
            tasks = due_by(tasks, entities.due, now=self.now)
        tasks = in_order(tasks)
        return offline.listed(tasks, status=entities.status or "pending", due=entities.due), {
            "task_references": {str(place): task.id for place, task in enumerate(tasks, 1)},
            "referenced_at": self.now,
            "task_spoken_of": None,
        }

    def _tasks(self, result: Mapping[str, Any]) -> list[ShownTask]:
        return [ShownTask.of(row, now=self.now) for row in result["data"]["tasks"]]


def _titles(pending: PendingTask) -> list[str]:
    return [str(title) for title in pending.parameters.get("titles", ())]


def _problem(command: Command) -> Reply:
    selected, intent = command.selection, command.intent
    others = [other for other, _ in intent.alternatives]
    if selected.tool_name is None or selected.problem == "unsure":
        return offline.unsure(others if selected.tool_name is None else [intent.intent, *others])
    position = selected.missing[0] if selected.missing else None
    # Words that only pointed, "it", say nothing about the title.
    return offline.not_found(
        position=position, words=None if selected.task_ids else intent.entities.reference
    )
