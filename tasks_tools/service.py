"""The five task tools, without the protocol around them."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

from storage.database import Database
from storage.errors import InvalidInputError
from storage.tasks import Origin, Task, Tasks
from tasks_tools.schemas import (
    AddTask,
    CompleteTask,
    DeleteTask,
    InvalidArgumentsError,
    ListTasks,
    TaskData,
    TaskListData,
    ToolResult,
    UpdateTask,
    due,
    parse,
)

_Tool = Callable[[Mapping[str, Any], "_Call"], Awaitable[ToolResult]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Call:
    """For whom, on whose behalf, and when."""

    user_id: str
    origin: Origin
    now: datetime


class TaskService:
    """Serves one call at a time for one user at a time; holds no user of its own."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._tasks = Tasks(database)
        self._tools: Mapping[str, _Tool] = {
            "add_task": self._add,
            "list_tasks": self._list,
            "update_task": self._update,
            "complete_task": self._complete,
            "delete_task": self._delete,
        }

    @classmethod
    async def open(cls, database_url: str) -> Self:
        return cls(await Database.open(database_url))

    async def close(self) -> None:
        await self._database.close()

    async def call(
        self,
        tool: str,
        *,
        arguments: Mapping[str, Any],
        user_id: str,
        now: datetime,
        origin: Origin = "learner",
    ) -> ToolResult:
        """Run a tool for a user; what they typed wrong comes back as a result."""
        if tool not in self._tools:
            return ToolResult.failed(
                "INVALID_INPUT", f"There is no tool with that name. There are {', '.join(self._tools)}."
            )
        try:
            return await self._tools[tool](arguments, _Call(user_id=user_id, origin=origin, now=now))
        except (InvalidArgumentsError, InvalidInputError) as err:
            return ToolResult.failed("INVALID_INPUT", str(err))

    async def _add(self, arguments: Mapping[str, Any], call: _Call) -> ToolResult:
        wanted = parse(AddTask, arguments)
        task = await self._tasks.add(
            call.user_id,
            title=wanted.title,
            description=wanted.description,
            due_at=due(wanted.due_at),
            origin=call.origin,
            now=call.now,
        )
        return ToolResult.of(TaskData.model_validate(task))

    async def _list(self, arguments: Mapping[str, Any], call: _Call) -> ToolResult:
        wanted = parse(ListTasks, arguments)
        status = None if wanted.status == "all" else wanted.status
        tasks = await self._tasks.list(call.user_id, now=call.now, status=status)
        shown = tuple(TaskData.model_validate(task) for task in tasks[: wanted.limit])
        return ToolResult.of(TaskListData(tasks=shown, total=len(tasks)))

    async def _update(self, arguments: Mapping[str, Any], call: _Call) -> ToolResult:
        wanted = parse(UpdateTask, arguments)
        if wanted == UpdateTask(task_id=wanted.task_id):
            raise InvalidArgumentsError("Say what to change: title, description, due_at or clear_due_at.")
        if wanted.due_at is not None and wanted.clear_due_at:
            raise InvalidArgumentsError("Send due_at or clear_due_at, not both.")
        task = await self._tasks.update(
            wanted.task_id,
            user_id=call.user_id,
            title=wanted.title,
            description=wanted.description,
            due_at=due(wanted.due_at),
            clear_due_at=wanted.clear_due_at,
        )
        return _found(task, task_id=wanted.task_id)

    async def _complete(self, arguments: Mapping[str, Any], call: _Call) -> ToolResult:
        wanted = parse(CompleteTask, arguments)
        task = await self._tasks.complete(
            wanted.task_id, user_id=call.user_id, now=call.now, origin=call.origin
        )
        return _found(task, task_id=wanted.task_id)

    async def _delete(self, arguments: Mapping[str, Any], call: _Call) -> ToolResult:
        wanted = parse(DeleteTask, arguments)
        task = await self._tasks.delete(wanted.task_id, user_id=call.user_id, now=call.now)
        return _found(task, task_id=wanted.task_id)


def _found(task: Task | None, *, task_id: int) -> ToolResult:
    if task is None:
        return ToolResult.failed(
            "NOT_FOUND", f"There is no task {task_id}. Use list_tasks to see what is current."
        )
    return ToolResult.of(TaskData.model_validate(task))
