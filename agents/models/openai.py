"""Any server that speaks OpenAI's chat protocol: OpenAI itself, Ollama, llama.cpp, vLLM and the like."""

import json
from collections.abc import AsyncGenerator
from typing import Any

import httpx
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.genai import types
from pydantic import BaseModel, Field, SecretStr

_CONNECT_SECONDS = 10.0
_REASONS = {"stop": types.FinishReason.STOP, "length": types.FinishReason.MAX_TOKENS}
_DATA = "data:"


class ServerError(Exception):
    """The server answered with an error."""

    def __init__(self, status: int) -> None:
        super().__init__(f"status {status}")
        self.status_code = status


class OpenAiLlm(BaseLlm):
    """Words and JSON only: our agents call their tools themselves."""

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
                    if piece := (choice.get("delta") or {}).get("content"):
                        said.append(piece)
                        yield LlmResponse(
                            content=types.ModelContent(piece), partial=True, model_version=self.model
                        )
        if finish is None:  # it broke off: no whole answer follows what was streamed
            return
        yield LlmResponse(
            content=types.ModelContent("".join(said)),
            partial=False,
            finish_reason=_REASONS.get(finish, types.FinishReason.OTHER),
            usage_metadata=_usage(usage),
            model_version=self.model,
        )

    def _body(self, llm_request: LlmRequest) -> dict[str, Any]:
        config = llm_request.config
        messages = [{"role": "system", "content": str(config.system_instruction)}]
        if not config.system_instruction:
            messages = []
        for content in llm_request.contents:
            text = "".join(part.text or "" for part in content.parts or [])
            messages.append({"role": "assistant" if content.role == "model" else "user", "content": text})
        body: dict[str, Any] = {
            "model": self.model,
            "messages": messages,
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
