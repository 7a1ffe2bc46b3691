"""The embedded language model: deterministic, offline, and speaking the same protocol as Gemini."""

import json
import re
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.models.registry import LLMRegistry
from google.genai import types

from agents.prompts import unfence

NAME = "embedded"
_CHARS_A_TOKEN = 4
_PIECE = re.compile(r"\S+\s*|\s+")
_WORDS_A_CHUNK = 12

# Each agent's language skill is plain code in its own folder.
_SKILLS = {
    name: f"agents.{name}.skill"
    for name in ("coordinator", "diagnostic", "tutor", "quiz", "feedback", "pathplanner", "task_manager")
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a skill sees of a model request: the brief, the last message, and tool results."""

    brief: dict[str, Any]
    message: str
    tool_results: dict[str, dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a skill answers: words, a JSON object, or a tool call."""

    text: str = ""
    data: dict[str, Any] | None = None
    tool: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)


Skill = Callable[[Request], Reply]


class EmbeddedLlm(BaseLlm):
    """Answers each agent's requests with that agent's skill."""

    model: str = NAME

    @classmethod
    def supported_models(cls) -> list[str]:
        return [NAME]

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        reply = answer(llm_request)
        part = _part(reply)
        if stream and part.text:
            for piece in _pieces(part.text):
                yield LlmResponse(content=_content(types.Part(text=piece)), partial=True, model_version=NAME)
        yield LlmResponse(
            content=_content(part),
            partial=False,
            finish_reason=types.FinishReason.STOP,
            usage_metadata=_usage(llm_request, part),
            model_version=NAME,
        )


def answer(llm_request: LlmRequest) -> Reply:
    """The skill's reply to a request; also what serves when a large model fails."""
    agent = (llm_request.config.labels or {}).get("adk_agent_name", "")
    skill: Skill = import_module(_SKILLS[agent]).speak
    return skill(_read(llm_request))


def _read(llm_request: LlmRequest) -> Request:
    message, results = "", {}
    for content in llm_request.contents:
        for part in content.parts or []:
            if part.function_response and part.function_response.name:
                results[part.function_response.name] = dict(part.function_response.response or {})
            elif content.role == "user" and part.text:
                # A new message starts a new turn; results of earlier turns are history.
                message, results = part.text, {}
    return Request(brief=unfence(_instruction(llm_request)), message=message, tool_results=results)


def _instruction(llm_request: LlmRequest) -> str:
    instruction = llm_request.config.system_instruction
    return instruction if isinstance(instruction, str) else str(instruction or "")


def _part(reply: Reply) -> types.Part:
    if reply.tool:
        return types.Part(function_call=types.FunctionCall(name=reply.tool, args=reply.arguments))
    if reply.data is not None:
        return types.Part(text=json.dumps(reply.data, ensure_ascii=False))
    return types.Part(text=reply.text)


def _content(part: types.Part) -> types.Content:
    return types.Content(role="model", parts=[part])


def _pieces(text: str) -> list[str]:
    words = _PIECE.findall(text)
    return ["".join(words[start : start + _WORDS_A_CHUNK]) for start in range(0, len(words), _WORDS_A_CHUNK)]


def _usage(llm_request: LlmRequest, part: types.Part) -> types.GenerateContentResponseUsageMetadata:
    asked = len(_instruction(llm_request)) + sum(
        len(part.text or "") for content in llm_request.contents for part in content.parts or []
    )
    said = len(part.text or "") or len(str(part.function_call))
    prompt, output = asked // _CHARS_A_TOKEN + 1, said // _CHARS_A_TOKEN + 1
    return types.GenerateContentResponseUsageMetadata(
        prompt_token_count=prompt, candidates_token_count=output, total_token_count=prompt + output
    )


LLMRegistry.register(EmbeddedLlm)
