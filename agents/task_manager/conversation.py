"""One message about tasks, from what was said to what is answered: what to call, what to ask first, what came of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from agents.language.replies import asks_back, yes_or_no
from agents.language.understanding import read
from agents.state import AgentContext, Lacking, PendingTask, SessionState, TaskView
from agents.task_manager import offline
from agents.task_manager.answers import read_change, read_value
from agents.task_manager.intents import (
    SURE,
    TOOLS,
    choose,
    command_in_answer,
    commands_in,
    select_tool,
    understand,
)
from agents.task_manager.offline import Reply, ShownTask, in_order, in_view
from agents.task_manager.reading import Entities, IntentResult, ToolSelectionResult
from agents.task_manager.toolset import UNREACHABLE
from tasks_tools.references import Reference, match_titles, read_reference

ToolUse = tuple[str, Mapping[str, Any]]

_LOOK_UP: ToolUse = ("list_tasks", {"status": "all"})
_REMEMBERED = 3  # confidences of the last commands
_SUPPLIED = 0.8  # how sure an answer is to what we asked for
_SURELY = 0.9  # that a message would be a wish to the tutor, had we not asked for a title
_NAMELESS = "that task"


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What was understood, and the tool that serves it."""

    intent: IntentResult
    selection: ToolSelectionResult
    before: PendingTask | None = None  # our question that this answers

    @property
    def is_guess(self) -> bool:
        """Too unsure to act on: what is wanted is unclear, or told in passing."""
        is_offer = self.selection.tool_name == "add_task" and self.selection.requires_confirmation
        return self.selection.tool_name is None or self.intent.confidence < SURE or is_offer

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
            waiting_for="confirmation" if pending.waiting_for == "confirmation" else "clarification",
            options=pending.names if pending.waiting_for == "clarification" else (),
        )
        if pending.lacks and answer.intent != "decline":
            return self._answered(message, pending, lacks=pending.lacks)
        if answer.intent in ("confirm", "decline", "choose", "none"):
            return self._continued(answer, message, pending)
        return self.take(commands_in(message, listed=listed))

    def take(self, found: Sequence[IntentResult], before: PendingTask | None = None) -> Work | TaskOutcome:
        """Choose the calls for what was read."""
        return self._next(Work(commands=tuple(self._chosen(each, before=before) for each in found)))

    def go_on(self, work: Work, results: Sequence[Mapping[str, Any]]) -> Work | TaskOutcome:
        """Choose again, now that the learner's tasks are known; or say what came of the calls."""
        if not work.is_look_up:
            return self._finish(work, results)
        [looked_up] = results
        if not looked_up.get("success"):
            return self.unavailable(work, self._failure(_LOOK_UP, looked_up))
        tasks = self._tasks(looked_up)
        commands = tuple(
            self._chosen(each.intent, before=each.before, tasks=tasks)
            if each.selection.problem == "see_tasks"
            else each
            for each in work.commands
        )
        return self._next(Work(commands=commands, tasks=tasks))

    def unavailable(self, work: Work, reply: Reply = offline.UNAVAILABLE) -> TaskOutcome:
        """Nothing could be done; a question of ours that this was to answer stays open."""
        before = work.commands[0].before
        is_waiting = before is not None and reply == offline.UNAVAILABLE
        return self.said(offline.WAITING if is_waiting else reply, work.commands, pending_task=before)

    def said(self, reply: Reply, commands: Sequence[Command], **changes: Any) -> TaskOutcome:
        """End the work; every message leaves behind how sure we were."""
        before, sure = self.state.agent_context, [each.intent.confidence for each in commands]
        context = AgentContext(
            confidence_history=(*before.confidence_history, *sure)[-_REMEMBERED:],
            clarification_count=before.clarification_count,
        )
        kept = {"pending_task": None, "agent_context": context, **changes}
        return TaskOutcome(reply=reply, commands=tuple(commands), changes=kept)

    def confirm(
        self,
        tool: str,
        calls: Sequence[Mapping[str, Any]],
        listed: Mapping[str, Any],
        *,
        commands: Sequence[Command],
    ) -> TaskOutcome:
        """Ask before a call that a model wants to make."""
        if not listed.get("success"):
            return self.said(self._failure(_LOOK_UP, listed), commands)
        ids = tuple(int(call["task_id"]) for call in calls if str(call.get("task_id", "")).isdecimal())
        given = {name: value for name, value in calls[0].items() if name != "task_id"} if calls else {}
        selection = ToolSelectionResult(
            tool_name=tool,  # type: ignore[arg-type]
            confidence=commands[0].intent.confidence,
            parameters=given,
            task_ids=ids,
            requires_confirmation=True,
        )
        return self._ask_to_confirm([replace(commands[0], selection=selection)], self._tasks(listed))

    def remembered(
        self,
        used: Sequence[tuple[str, Mapping[str, Any], Mapping[str, Any]]],
        *,
        commands: Sequence[Command],
    ) -> Mapping[str, Any]:
        """What the conversation keeps of the calls that a model made."""
        changes: dict[str, Any] = {}
        for tool, args, result in used:
            if not result.get("success"):
                continue
            if tool == "list_tasks":
                view = TaskView(status=args.get("status") or "all")
                changes |= self._references(in_order(self._tasks(result)), view=view)
            elif isinstance(result.get("data"), Mapping) and "id" in result["data"]:
                changes["task_spoken_of"] = result["data"]["id"] if tool != "delete_task" else None
        return self.said(offline.DROPPED, commands, **changes).changes

    def _references(self, tasks: Sequence[ShownTask], *, view: TaskView) -> dict[str, Any]:
        return {
            "task_references": {str(place): task.id for place, task in enumerate(tasks, 1)},
            "referenced_at": self.now,
            "task_view": view,
            "task_spoken_of": None,
        }

    # Our open question.

    def _answered(self, message: str, pending: PendingTask, *, lacks: Lacking) -> Work | TaskOutcome:
        """What we asked for is in the answer, unless that clearly is a command of its own."""
        change = read_change(message) if lacks in ("no_change", "no_date") else None
        if isinstance(change, str):  # "the title", and not which
            return self._ask_again(pending, lacks=change)
        entities = change or read_value(message, lacks=lacks)
        value = self._answer_of(pending, entities)
        commands = () if change else command_in_answer(message, listed=bool(self.state.task_references))
        if commands and all(self._points(each) for each in commands):
            return self.take(commands)
        if len(commands) == 1:
            return self.take((replace(commands[0], otherwise=value),), before=pending)
        if entities == Entities() or (not change and (yes_or_no(message) or asks_back(message))):
            return self._ask_again(pending, lacks=lacks)
        is_doubtful = lacks in ("no_change", "no_title") and not change and _reads_as_request(message)
        return self._offer_value(value, pending) if is_doubtful else self.take((value,), before=pending)

    def _offer_value(self, value: IntentResult, pending: PendingTask) -> Work | TaskOutcome:
        """ "Learn about nodes" may be a title, or a wish: better asked than renamed."""
        if pending.tool_name == "add_task":
            return self.take((replace(value, told=True),), before=pending)
        command = self._chosen(value, before=pending)
        title = command.selection.parameters.get("title")
        if not (title and pending.options):
            return self.take((value,), before=pending)
        about = {"options": pending.options, "names": pending.names}
        asking = _asking("confirmation", command.selection, **about)
        return self.said(offline.offer_title(title), (command,), pending_task=asking)

    def _answer_of(self, pending: PendingTask, entities: Entities) -> IntentResult:
        wanted = next(name for name, tool in TOOLS.items() if tool == pending.tool_name)
        reason = "answers what we asked"
        return IntentResult(intent=wanted, confidence=_SUPPLIED, entities=entities, reasoning=reason)

    def _points(self, command: IntentResult) -> bool:
        """Whether it says beyond doubt what it is about: nobody takes "finish it" for a title."""
        words = command.entities.reference
        if command.intent in ("create", "list") or words is None:
            return command.intent in ("create", "list")
        return read_reference(words, count=len(self.state.task_references)) != Reference()

    def _ask_again(self, pending: PendingTask, *, lacks: Lacking) -> TaskOutcome:
        command = Command(intent=self._answer_of(pending, Entities()), selection=_of(pending), before=pending)
        asked = offline.asking(lacks, tool_name=pending.tool_name)
        return self.said(asked, (command,), pending_task=pending.model_copy(update={"lacks": lacks}))

    def _continued(self, answer: IntentResult, message: str, pending: PendingTask) -> Work | TaskOutcome:
        """Do what we asked about, or leave it."""
        tool, chosen, is_choice = pending.tool_name, pending.options, answer.intent == "choose"
        if is_choice:
            chosen = tuple(chosen[place - 1] for place in choose(message, options=pending.names))
        selection = replace(
            _of(pending),
            confidence=answer.confidence,
            task_ids=chosen,
            requires_confirmation=tool == "delete_task" and is_choice,
        )
        command = Command(intent=answer, selection=selection, before=pending)
        if answer.intent == "decline":
            return self.said(offline.KEPT if tool == "delete_task" else offline.DROPPED, (command,))
        if answer.intent == "none":
            return self.said(offline.unanswered(tool), (command,))
        if tool == "add_task":
            errands = (replace(selection, parameters=task) for task in pending.tasks)
            return Work(commands=tuple(replace(command, selection=each) for each in errands))
        if tool == "update_task" and not pending.parameters:
            return self._ask_for_the_rest(
                replace(command, selection=replace(selection, problem="no_change")), None
            )
        # What was added since we asked about all tasks has to be told from them.
        return Work(commands=(command,), is_look_up=selection.requires_confirmation or selection.is_all)

    # What has to be asked or looked up first.

    def _chosen(
        self,
        intent: IntentResult,
        *,
        before: PendingTask | None = None,
        tasks: Sequence[ShownTask] | None = None,
    ) -> Command:
        other = intent.otherwise
        if other and tasks is not None:
            words = intent.entities.reference or ""
            said = other.entities.reference or other.entities.title or other.entities.description or ""
            is_title = any(task.title.casefold() == said.strip().casefold() for task in tasks)
            intent = other if is_title or not match_titles(words, tasks) else replace(intent, otherwise=None)
        answers = before if before and (other is None or intent is other) else None
        metadata = self.state.model_dump(include={"task_references", "task_spoken_of", "task_view"})
        known = _of(answers) if answers else None
        selection = select_tool(intent, metadata=metadata, now=self.now, tasks=tasks, before=known)
        if intent.otherwise:
            return Command(intent=intent, selection=replace(selection, problem="see_tasks"), before=before)
        return Command(intent=intent, selection=selection, before=answers)

    def _next(self, work: Work) -> Work | TaskOutcome:
        if work.tasks is None and any(each.needs_titles for each in work.commands):
            return replace(work, is_look_up=True)
        return work if work.uses else self._ask(work)

    def _ask(self, work: Work) -> TaskOutcome:
        """One question at a time: what the first open command needs, with all others that need the same."""
        first, tasks = work.commands[0], work.tasks or ()
        selected, asked_now = first.selection, [first]
        alike = (selected.tool_name, None)
        if selected.problem == "which_one":
            asked = self._ask_which(first, tasks)
        elif selected.problem in ("no_title", "no_task", "no_change", "no_date"):
            asked = self._ask_for_the_rest(first, work.tasks)
        elif selected.tool_name is None or selected.problem is not None:
            asked = self.said(_problem(first), asked_now)
        else:
            asked_now = [
                each for each in work.commands if (each.selection.tool_name, each.selection.problem) == alike
            ]
            is_offer = selected.tool_name == "add_task"
            asked = self._offer(asked_now) if is_offer else self._ask_to_confirm(asked_now, tasks)
        later = len(work.commands) > len(asked_now)
        return replace(asked, reply=offline.with_more_to_come(asked.reply)) if later else asked

    def _offer(self, commands: Sequence[Command]) -> TaskOutcome:
        """An errand told in passing: whether it belongs on the list is the learner's to say."""
        tasks = tuple(dict(each.selection.parameters) for each in commands)
        pending = PendingTask(waiting_for="confirmation", tool_name="add_task", tasks=tasks)
        shown = [ShownTask.of({"id": 0, "status": "pending", **task}, now=self.now) for task in tasks]
        return self.said(offline.offer(shown), commands, pending_task=pending)

    def _ask_for_the_rest(self, command: Command, tasks: Sequence[ShownTask] | None) -> TaskOutcome:
        selected = command.selection
        there, gone = (selected.task_ids, ()) if tasks is None else self._sorted(command, tasks)
        if gone and not there:
            return self.said(offline.not_found(gone), (command,))
        lacks = selected.problem or "no_change"
        pending = _asking(
            "answer",
            selected,
            options=there,
            names=tuple(self._name(command, task_id, tasks or ()) for task_id in there),
            lacks=lacks,
        )
        # "Rename it to …" then means the task that we just asked about.
        spoken_of = {"task_spoken_of": there[0]} if there else {}
        asked = offline.asking(lacks, tool_name=pending.tool_name)
        return self.said(asked, (command,), pending_task=pending, **spoken_of)

    def _ask_which(self, command: Command, tasks: Sequence[ShownTask]) -> TaskOutcome:
        options = [task for task in tasks if task.id in command.selection.options]
        pending = _asking(
            "clarification",
            command.selection,
            options=tuple(task.id for task in options),
            names=tuple(task.title for task in options),
        )
        return self.said(
            offline.which_one(options, tool_name=pending.tool_name), (command,), pending_task=pending
        )

    def _ask_to_confirm(self, commands: Sequence[Command], tasks: Sequence[ShownTask]) -> TaskOutcome:
        is_all = any(each.selection.is_all for each in commands)
        names: dict[int, str] = {}
        gone: list[str] = []
        for each in commands:
            there, lost = self._sorted(each, tasks)
            names |= {task_id: self._name(each, task_id, tasks) for task_id in there}
            gone += lost
        if not names:
            return self.said(offline.not_found(gone), commands)
        chosen = [task for task in tasks if task.id in names]
        pending = _asking(
            "confirmation",
            commands[0].selection,
            options=tuple(task.id for task in chosen),
            names=tuple(names[task.id] for task in chosen),
            newest=max(task.id for task in tasks) if is_all else None,
        )
        reply = offline.confirm(chosen, tool_name=pending.tool_name, is_all=is_all)
        if gone:
            reply = replace(reply, text=f"{offline.not_found(gone).text} {reply.text}")
        return self.said(reply, commands, pending_task=pending)

    def _sorted(
        self, command: Command, tasks: Iterable[ShownTask]
    ) -> tuple[tuple[int, ...], tuple[str, ...]]:
        """The tasks that are still there, and what the learner called those that are not."""
        present, ids = {task.id for task in tasks}, command.selection.task_ids
        lost = (self._name(command, task_id) for task_id in ids if task_id not in present)
        return tuple(task_id for task_id in ids if task_id in present), tuple(dict.fromkeys(lost))

    def _name(self, command: Command, task_id: int, tasks: Iterable[ShownTask] = ()) -> str:
        """What a task is called, should it be gone: by its position or in the words that the learner used for it."""
        asked = dict(zip(command.before.options, command.before.names, strict=True)) if command.before else {}
        if task_id in asked:
            is_title = command.before is not None and command.before.waiting_for == "clarification"
            return f"'{asked[task_id]}'" if is_title else asked[task_id]
        words = command.intent.entities.reference or ""
        shown = self.state.task_references
        reference = read_reference(words, count=len(shown))
        for place in reference.positions:
            if shown.get(str(place)) == task_id:
                return f"task {place}"
        title = next((f"'{task.title}'" for task in tasks if task.id == task_id), _NAMELESS)
        return f"'{words}'" if words and reference == Reference() else title

    # After the calls.

    def _finish(self, work: Work, results: Sequence[Mapping[str, Any]]) -> TaskOutcome:
        """Say what each call did or did not do, then ask what is still to be asked."""
        done: list[Reply] = []
        changes: dict[str, Any] = {}
        left = iter(results)
        unserved: list[ToolUse] = []
        for command in (each for each in work.commands if each.is_ready):
            came = [next(left, {}) for _ in command.uses]
            reply, remembered = self._outcome(command, came)
            done.append(self._with_what_came_since(command, reply, tasks=work.tasks or ()))
            changes |= remembered
            unserved += (
                use for use, each in zip(command.uses, came, strict=True) if _may_be_tried_again(use, each)
            )
        if unserved:
            changes["pending_task"] = self._still_open(work.commands[0].before, unserved)
        if open_ones := tuple(each for each in work.commands if not each.is_ready):
            asked = self._ask(replace(work, commands=open_ones))
            done.append(asked.reply)
            changes["pending_task"] = asked.changes["pending_task"]
        last = next((reply for reply in reversed(done) if reply.status != "success"), done[-1])
        together = replace(last, text=" ".join(reply.text for reply in done))
        return self.said(together, work.commands, **changes)

    def _with_what_came_since(self, command: Command, reply: Reply, *, tasks: Sequence[ShownTask]) -> Reply:
        newest = command.before.newest if command.before else None
        since = [task for task in tasks if newest is not None and task.id > newest and not task.done]
        return replace(reply, text=f"{reply.text} {offline.added_since(since)}") if since else reply

    def _outcome(
        self, command: Command, results: Sequence[Mapping[str, Any]]
    ) -> tuple[Reply, dict[str, Any]]:
        """What one command came to, and what the conversation remembers of it."""
        failed = [
            (use, result)
            for use, result in zip(command.uses, results, strict=True)
            if not result.get("success")
        ]
        if command.selection.tool_name == "list_tasks" and not failed:
            return self._listed(command, results[0])
        tasks = [ShownTask.of(result["data"], now=self.now) for result in results if result.get("success")]
        remembered: dict[str, Any] = {"task_spoken_of": tasks[-1].id} if tasks else {}
        replies = [self._done(command, tasks)] if tasks else []
        gone = [use for use, result in failed if _code(result) == "NOT_FOUND"]
        if gone:
            names = (self._name(command, use[1].get("task_id", 0)) for use in gone)
            replies.append(offline.not_found(tuple(dict.fromkeys(names))))
        others = [each for each in failed if each[0] not in gone]
        if others:
            replies.append(self._failure(*others[0]))
        return replace(replies[-1], text=" ".join(reply.text for reply in replies)), remembered

    def _still_open(self, before: PendingTask | None, unserved: Sequence[ToolUse]) -> PendingTask | None:
        """Our question stays, about what its answer could not be carried out for."""
        if before is None or before.waiting_for == "answer":
            return before
        calls = [arguments for _, arguments in unserved]
        ids = {arguments.get("task_id") for arguments in calls}
        names = {
            number: name for number, name in zip(before.options, before.names, strict=True) if number in ids
        }
        left = {"options": tuple(names), "names": tuple(names.values())}
        return before.model_copy(
            update={**left, "tasks": tuple(task for task in before.tasks if task in calls)}
        )

    def _done(self, command: Command, tasks: Sequence[ShownTask]) -> Reply:
        match command.selection.tool_name:
            case "add_task":
                return offline.created(tasks[0])
            case "update_task":
                return offline.updated(tasks, changes=command.selection.parameters)
            case "complete_task":
                return offline.completed(tasks)
            case _:
                return offline.deleted(tasks)

    def _failure(self, use: ToolUse, result: Mapping[str, Any]) -> Reply:
        code, error = _code(result), result.get("error")
        if code == "INVALID_INPUT" and isinstance(error, Mapping):
            return offline.refused(str(error["message"]))
        # Whoever does not answer may still have done it.
        unknown = code == UNREACHABLE and use[0] != "list_tasks"
        return offline.UNCERTAIN if unknown else offline.UNAVAILABLE

    def _listed(self, command: Command, result: Mapping[str, Any]) -> tuple[Reply, dict[str, Any]]:
        entities = command.intent.entities
        view = TaskView(status=entities.status or "pending", due=entities.due)
        tasks = in_order(in_view(self._tasks(result), status=view.status, due=view.due, now=self.now))
        shown = offline.listed(tasks, status=view.status, due=view.due)
        return shown, self._references(tasks, view=view)

    def _tasks(self, result: Mapping[str, Any]) -> list[ShownTask]:
        return [ShownTask.of(row, now=self.now) for row in result["data"]["tasks"]]


def _reads_as_request(message: str) -> bool:
    action, chance = read(message).actions[0]
    return action != "tasks" and chance >= _SURELY


def _code(result: Mapping[str, Any]) -> str:
    error = result.get("error")
    return str(error.get("code")) if isinstance(error, Mapping) else UNREACHABLE


def _may_be_tried_again(use: ToolUse, result: Mapping[str, Any]) -> bool:
    """Whether the server failed, and doing it once more would not do it twice."""
    if result.get("success") or _code(result) in ("NOT_FOUND", "INVALID_INPUT"):
        return False
    return use[0] != "add_task" or _code(result) != UNREACHABLE


def _asking(waiting_for: str, selected: ToolSelectionResult, **about: Any) -> PendingTask:
    """A question about the call, as far as that is known."""
    known = {"tool_name": selected.tool_name, "parameters": dict(selected.parameters)}
    return PendingTask.model_validate({"waiting_for": waiting_for, **known, **about})


def _of(pending: PendingTask) -> ToolSelectionResult:
    """The call that we asked about, as far as it was known."""
    return ToolSelectionResult(
        tool_name=pending.tool_name,
        confidence=_SUPPLIED,
        parameters=pending.parameters,
        task_ids=pending.options,
        is_all=pending.newest is not None,
    )


def _problem(command: Command) -> Reply:
    selected, intent = command.selection, command.intent
    others = [other for other, _ in intent.alternatives]
    if selected.tool_name is None or selected.problem == "unsure":
        return offline.unsure(others if selected.tool_name is None else [intent.intent, *others])
    if selected.problem == "none_there":
        return offline.none_there(tool_name=selected.tool_name)
    if selected.missing:
        return offline.not_found([f"task {place}" for place in selected.missing])
    return offline.not_found([f"a task like '{intent.entities.reference}'"])
