"""What a search returns, to code, to the model and to people."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

EXCERPT_CHARS = 500

RetrievalError = Literal["INVALID_INPUT", "API_ERROR", "QDRANT_ERROR", "STORAGE_ERROR"]


class _Found(BaseModel):
    """A passage's place in the course and among what a query found."""

    model_config = ConfigDict(frozen=True)

    title: str
    rank: int = Field(ge=1)
    similarity_score: float = Field(ge=0, le=1)
    chunk_id: str
    course: str
    chapter_id: str
    module_name: str
    heading_hierarchy: tuple[str, ...]
    token_count: int = Field(gt=0)
    chunk_index: int = Field(ge=0)
    page: int | None = None


class RetrievalResult(_Found):
    """One passage that answers a query, and where it stands in the course."""

    chunk_text: str = Field(min_length=1)
    source_url: str

    @field_validator("source_url")
    @classmethod
    def _is_address(cls, url: str) -> str:
        if not url.startswith(("file://", "http://", "https://")):
            raise ValueError("a source is a file:// or http(s):// address")
        return url

    @property
    def is_public(self) -> bool:
        """Whether its address leads somewhere from another machine too; a file's path is nobody else's business."""
        return not self.source_url.startswith("file://")

    @property
    def place(self) -> str:
        """Where a reader finds the passage: 'ROS 2 Basics › Nodes, p. 4'."""
        headings = [heading for heading in self.heading_hierarchy if heading != self.title]
        place = " › ".join([self.title, *headings])
        return f"{place}, p. {self.page}" if self.page else place


class RetrievalContext(BaseModel):
    """The passages of one query, ready to be read by a model or a person."""

    model_config = ConfigDict(frozen=True)

    query: str
    results: tuple[RetrievalResult, ...]
    retrieved_at: datetime
    filter_applied: str | None = None  # the course, module or chapter that was searched; None: everything

    def format_for_agent(self) -> str:
        """Number, heading and text of each passage, as a model is shown them, and nothing else."""
        if not self.results:
            return "No relevant content found in the course."
        return "\n\n".join(
            f"[{number}] {result.place}\n{result.chunk_text}" for number, result in enumerate(self.results, 1)
        )

    def format_sources_footer(self) -> str:
        """The **Sources** footer of an answer; empty when there are none."""
        if not self.results:
            return ""
        lines = [
            f"[{number}] {result.place} ({result.chapter_id}, score: {result.similarity_score:.2f})"
            + (f": {result.source_url}" if result.is_public else "")
            for number, result in enumerate(self.results, 1)
        ]
        # Two spaces end a line in Markdown; without them a browser runs the sources together.
        return "\n" + "  \n".join(["---\n**Sources:**", *lines])


def context_of(query: str, results: Iterable[RetrievalResult]) -> RetrievalContext:
    """Passages to be formatted; when they were found nobody sees there."""
    return RetrievalContext(
        query=query, results=tuple(results), retrieved_at=datetime.min.replace(tzinfo=UTC)
    )


class RetrievalRow(_Found):
    """One passage as the tool shows it: its beginning, and where it is from."""

    text: str = Field(min_length=1, max_length=EXCERPT_CHARS)
    url: str
    score: float = Field(ge=0, le=1)  # three decimals

    @classmethod
    def of(cls, result: RetrievalResult) -> Self:
        return cls(
            text=excerpt(result.chunk_text),
            url=result.source_url,
            score=round(result.similarity_score, 3),
            **result.model_dump(exclude={"chunk_text", "source_url"}),
        )


class RetrievalToolResponse(BaseModel):
    """The retrieve_context tool's answer: results, or an error and what to do about it."""

    model_config = ConfigDict(frozen=True)

    results: tuple[RetrievalRow, ...] = ()
    total: int = 0
    query: str = ""
    filter_applied: str | None = None
    error: RetrievalError | None = None
    message: str | None = None
    execution_time_seconds: float = 0.0

    @model_validator(mode="after")
    def _is_consistent(self) -> Self:
        if self.total != len(self.results):
            raise ValueError("total is the number of results")
        if self.error and self.results:
            raise ValueError("an error comes without results")
        return self

    @property
    def is_error(self) -> bool:
        return self.error is not None

    def to_json(self) -> str:
        """As a tool's answer travels and a command prints it."""
        return self.model_dump_json(indent=2)

    @classmethod
    def found(cls, context: RetrievalContext, *, seconds: float) -> Self:
        message = None if context.results else "No passage of the course matches. Try other words."
        return cls(
            results=tuple(map(RetrievalRow.of, context.results)),
            total=len(context.results),
            query=context.query,
            filter_applied=context.filter_applied,
            message=message,
            execution_time_seconds=round(seconds, 4),
        )

    @classmethod
    def failed(cls, query: str, error: RetrievalError, message: str, *, seconds: float = 0.0) -> Self:
        return cls(
            query=query[:EXCERPT_CHARS],
            error=error,
            message=message,
            execution_time_seconds=round(seconds, 4),
        )


def excerpt(text: str) -> str:
    """The first 500 characters, cut at a word."""
    if len(text) <= EXCERPT_CHARS:
        return text
    return text[: EXCERPT_CHARS - 1].rsplit(" ", 1)[0].rstrip() + "…"


def merged(found: Iterable[Sequence[RetrievalResult]]) -> list[RetrievalResult]:
    """The results of several queries, each passage once, ranked in the order given."""
    passages: dict[str, RetrievalResult] = {}
    for results in found:
        for result in results:
            passages.setdefault(result.chunk_id, result)
    return [result.model_copy(update={"rank": rank}) for rank, result in enumerate(passages.values(), 1)]
