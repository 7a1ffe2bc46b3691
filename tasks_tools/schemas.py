"""What the task tools take and give. Who is calling is not among it: that comes with the request, not from a model."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

_MOST_LISTED = 500


class InvalidArgumentsError(Exception):
    """The arguments do not fit; the message says what to send instead."""


def _not_a_truth_value(value: Any) -> Any:
    # Pydantic reads True as 1, which would complete somebody's first task.
    if isinstance(value, bool):
        raise ValueError("must be a whole number")
    return value


# Lengths are said here for the model that fills them in, and checked by the storage after trimming.
_Title = Annotated[str, Field(json_schema_extra={"minLength": 1, "maxLength": 255})]
_Description = Annotated[str, Field(json_schema_extra={"maxLength": 1000})]
_DueAt = Annotated[
    str,
    Field(
        description="When it is due: ISO 8601 with the offset from UTC, such as 2026-03-06T17:00:00+01:00.",
        json_schema_extra={"format": "date-time"},
    ),
]
_TaskId = Annotated[
    int, BeforeValidator(_not_a_truth_value), Field(description="The task's id, as list_tasks gives it.")
]


class _Arguments(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


T = TypeVar("T", bound=_Arguments)


class AddTask(_Arguments):
    """Add a task to the learner's list."""

    title: Annotated[_Title, Field(description="What to do, in a few words.")]
    description: Annotated[_Description | None, Field(description="Details, if there are any.")] = None
    due_at: _DueAt | None = None


class ListTasks(_Arguments):
    """List the learner's tasks, overdue ones first."""

    status: Annotated[Literal["pending", "completed", "all"], Field(description="Which tasks.")] = "all"
    # The bounds come before the validator, or JSON Schema would call them ge and le.
    limit: Annotated[int, Field(ge=1, le=_MOST_LISTED), BeforeValidator(_not_a_truth_value)] = _MOST_LISTED


class UpdateTask(_Arguments):
    """Change a task's title, details or due date; what is left out stays."""

    task_id: _TaskId
    title: Annotated[_Title | None, Field(description="The new title.")] = None
    description: Annotated[_Description | None, Field(description="New details; empty removes them.")] = None
    due_at: _DueAt | None = None
    clear_due_at: Annotated[bool, Field(description="True removes the due date.")] = False


class CompleteTask(_Arguments):
    """Mark a task as done."""

    task_id: _TaskId


class DeleteTask(_Arguments):
    """Delete a task for good. Ask the learner first."""

    task_id: _TaskId


def parse(model: type[T], arguments: Mapping[str, Any]) -> T:
    """Check a call's arguments."""
    try:
        return model.model_validate(arguments)
    except ValidationError as err:
        raise InvalidArgumentsError(_explain(err)) from None


def due(text: str | None) -> datetime | None:
    """Read a due date; one without an offset is refused, because we cannot know whose clock it means."""
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text.strip())
        if moment.tzinfo is not None:
            return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise InvalidArgumentsError(
        "due_at must be a date and time with its offset, such as 2026-03-06T17:00:00+01:00."
    )


def _explain(err: ValidationError) -> str:
    return " ".join(
        _explain_one(dict(problem)) for problem in err.errors(include_url=False, include_input=False)
    )


def _explain_one(problem: dict[str, Any]) -> str:
    name = str(problem["loc"][0])[:40] if problem["loc"] else "The arguments"
    match problem["type"]:
        case "extra_forbidden":
            return f"{name} is not something this tool takes; leave it out."
        case "missing":
            return f"{name} is missing."
        case _:
            reason = str(problem["msg"]).removeprefix("Value error, ")
            return f"{name}: {reason[0].lower()}{reason[1:]}."


ErrorCode = Literal["NOT_FOUND", "INVALID_INPUT", "UNAUTHENTICATED", "STORAGE_ERROR"]


_Moment = Annotated[
    str,
    Field(json_schema_extra={"format": "date-time"}),
    BeforeValidator(lambda moment: moment.isoformat()),
]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, from_attributes=True)


class TaskData(_Part):
    """One task, as clients see it; times are ISO 8601 in UTC."""

    id: int
    title: str
    description: str | None
    status: Literal["pending", "completed"]
    due_at: _Moment | None
    origin: str
    created_at: _Moment
    completed_at: _Moment | None


class TaskListData(_Part):
    """Tasks in the order to show them, overdue ones first."""

    tasks: tuple[TaskData, ...]
    total: int  # how many there are, shown or not


class ToolError(_Part):
    """Why a call was refused."""

    code: ErrorCode
    message: str


class ToolResult(_Part):
    """Data on success, an error otherwise."""

    success: bool
    data: TaskData | TaskListData | None = None
    error: ToolError | None = None

    @classmethod
    def of(cls, data: TaskData | TaskListData) -> Self:
        return cls(success=True, data=data)

    @classmethod
    def failed(cls, code: ErrorCode, message: str) -> Self:
        return cls(success=False, error=ToolError(code=code, message=message))

    @property
    def code(self) -> str:
        """The error's code, or OK."""
        return self.error.code if self.error else "OK"

    def as_json(self) -> dict[str, Any]:
        """With data or with an error, never both."""
        absent = {name for name in ("data", "error") if getattr(self, name) is None}
        return self.model_dump(mode="json", exclude=absent)


def output_schema(data: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a tool's result."""
    schema = data.model_json_schema()
    definitions = schema.pop("$defs", {})
    return {
        "type": "object",
        "properties": {
            "success": {"type": "boolean"},
            "data": schema,
            "error": ToolError.model_json_schema(),
        },
        "required": ["success"],
        **({"$defs": definitions} if definitions else {}),
    }
