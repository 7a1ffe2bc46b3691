"""What a task tool answers: data, or an error that says what to do next."""

from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict

ErrorCode = Literal["NOT_FOUND", "INVALID_INPUT", "UNAUTHENTICATED", "STORAGE_ERROR"]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True)


class TaskData(_Part):
    """One task, as clients see it; times are ISO 8601 in UTC."""

    id: int
    title: str
    description: str | None
    status: Literal["pending", "completed"]
    due_at: str | None
    origin: str
    created_at: str
    completed_at: str | None


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
