"""Any server that speaks OpenAI's chat protocol: OpenAI itself, Ollama, llama.cpp, vLLM and the like."""

import json
from collections.abc import AsyncGenerator, Iterable
from dataclasses import dataclass, field
from typing import Any

import httpx
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.genai import types
from pydantic import BaseModel, Field, SecretStr

from agents.models.declared import declarations, schema_of

_CONNECT_SECONDS = 10.0
_REASONS = {
    "stop": types.FinishReason.STOP,
    "tool_calls": types.FinishReason.STOP,
    "length": types.FinishReason.MAX_TOKENS,
}
_DATA = "data:"


class ServerError(Exception):
    """The server answered with an error."""

    def __init__(self, status: int) -> None:
        super().__init__(f"status {status}")
        self.status_code = status


class OpenAiLlm(BaseLlm):
    """Words, tool calls and JSON."""

    url: str = Field(exclude=True)
    key: SecretStr | None = Field(default=None, exclude=True)

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """Streams whether or not anybody asks: whoever listens for silence has to hear something."""
        # How long to wait for a word is the Voice's to say.
        timeout = httpx.Timeout(None, connect=_CONNECT_SECONDS)
        headers = {"authorization": f"Bearer {self.key.get_secret_value()}"} if self.key else {}
        said: list[str] = []
        calls: dict[int, _Call] = {}
        finish, usage = None, None
        async with (
            httpx.AsyncClient(timeout=timeout, headers=headers) as client,
            client.stream(
                "POST", f"{self.url.rstrip('/')}/chat/completions", json=self._body(llm_request)
            ) as answer,
        ):
            if answer.status_code != httpx.codes.OK:
                raise ServerError(answer.status_code)
            async for line in answer.aiter_lines():
                if _is_end(line):
                    finish = finish or "stop"
                chunk = _chunk(line)
                if chunk is None:
                    continue
                if chunk.get("error"):
                    raise ServerError(int(chunk["error"].get("code") or 500))
                usage = chunk.get("usage") or usage
                for choice in (chunk.get("choices") or [])[:1]:
                    finish = choice.get("finish_reason") or finish
                    delta = choice.get("delta") or {}
                    _gather(calls, delta.get("tool_calls") or ())
                    if piece := delta.get("content"):
                        said.append(piece)
                        yield LlmResponse(
                            content=types.ModelContent(piece), partial=True, model_version=self.model
                        )
        if finish is None:  # it broke off: no whole answer follows what was streamed
            return
        words = [types.Part(text="".join(said))] if said or not calls else []
        yield LlmResponse(
            content=types.Content(role="model", parts=[*words, *(call.part() for call in calls.values())]),
            partial=False,
            finish_reason=_REASONS.get(finish, types.FinishReason.OTHER),
            usage_metadata=_usage(usage),
            model_version=self.model,
        )

    def _body(self, llm_request: LlmRequest) -> dict[str, Any]:
        config = llm_request.config
        messages: list[dict[str, Any]] = []
        if config.system_instruction:
            messages.append({"role": "system", "content": str(config.system_instruction)})
        for content in llm_request.contents:
            messages += _messages(content)
        tools = [
            {
                "type": "function",
                "function": {
                    "name": each.name,
                    "description": each.description or "",
                    "parameters": schema_of(each),
                },
            }
            for each in declarations(llm_request)
        ]
        body: dict[str, Any] = {
            "model": self.model,
            "messages": messages,
            "tools": tools or None,
            "stream": True,
            "stream_options": {"include_usage": True},
            "temperature": config.temperature,
            "max_tokens": config.max_output_tokens,
        }
        schema = config.response_schema
        if isinstance(schema, type) and issubclass(schema, BaseModel):
            shape = {"name": schema.__name__, "schema": schema.model_json_schema()}
            body["response_format"] = {"type": "json_schema", "json_schema": shape}
        return {name: value for name, value in body.items() if value is not None}


@dataclass(slots=True)
class _Call:
    """A tool call as its pieces come."""

    id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)

    def part(self) -> types.Part:
        try:
            arguments = json.loads("".join(self.arguments) or "{}")
        except ValueError:
            arguments = {}
        arguments = arguments if isinstance(arguments, dict) else {}
        return types.Part(
            function_call=types.FunctionCall(id=self.id or None, name=self.name, args=arguments)
        )


def _gather(calls: dict[int, _Call], pieces: Iterable[dict[str, Any]]) -> None:
    for piece in pieces:
        call = calls.setdefault(int(piece.get("index") or 0), _Call())
        told = piece.get("function") or {}
        call.id = piece.get("id") or call.id
        call.name += told.get("name") or ""
        call.arguments.append(told.get("arguments") or "")


def _messages(content: types.Content) -> list[dict[str, Any]]:
    """One content as the protocol has it: words, calls, and what each call returned."""
    parts = content.parts or []
    returned = [
        {
            "role": "tool",
            "tool_call_id": part.function_response.id or part.function_response.name,
            "content": json.dumps(part.function_response.response, default=str),
        }
        for part in parts
        if part.function_response
    ]
    text = "".join(part.text or "" for part in parts if not part.thought)
    calls = [
        {
            "id": part.function_call.id or part.function_call.name,
            "type": "function",
            "function": {
                "name": part.function_call.name,
                "arguments": json.dumps(part.function_call.args or {}),
            },
        }
        for part in parts
        if part.function_call
    ]
    said: dict[str, Any] = {"role": "assistant" if content.role == "model" else "user", "content": text}
    if calls:
        said["tool_calls"] = calls
    return [*([said] if text or calls or not returned else []), *returned]


def _is_end(line: str) -> bool:
    return line.startswith(_DATA) and line.removeprefix(_DATA).strip() == "[DONE]"


def _chunk(line: str) -> dict[str, Any] | None:
    """One event of the stream; None for the end and for what is none."""
    if not line.startswith(_DATA) or _is_end(line):
        return None
    chunk = json.loads(line.removeprefix(_DATA))
    return chunk if isinstance(chunk, dict) else None


def _usage(usage: dict[str, int] | None) -> types.GenerateContentResponseUsageMetadata | None:
    if not usage:
        return None
    return types.GenerateContentResponseUsageMetadata(
        prompt_token_count=usage.get("prompt_tokens", 0),
        candidates_token_count=usage.get("completion_tokens", 0),
        total_token_count=usage.get("total_tokens", 0),
    )
