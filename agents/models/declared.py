"""The tools that a request declares: as JSON Schema, and in words for servers that take none."""

import json
from collections.abc import Sequence
from typing import Any

from google.adk.models.llm_request import LlmRequest
from google.genai import types

from agents.models.jsontext import objects_in

_IN_WORDS = (
    "You can use tools. To use one, answer with one JSON object and nothing else:\n"
    '{"tool": "<its name>", "arguments": {…}}\n'
    "You are then told what it returned. Otherwise answer in plain words. The tools:\n"
)


def declarations(llm_request: LlmRequest) -> list[types.FunctionDeclaration]:
    """What the agent of this request may call."""
    tools = llm_request.config.tools or []
    return [
        each for tool in tools if isinstance(tool, types.Tool) for each in tool.function_declarations or []
    ]


def schema_of(declaration: types.FunctionDeclaration) -> dict[str, Any]:
    """Its parameters as JSON Schema, without titles, which only cost tokens."""
    schema: Any = declaration.parameters_json_schema
    if schema is None and declaration.parameters is not None:
        schema = declaration.parameters.json_schema.model_dump(mode="json", exclude_none=True)
    return slim(schema) if schema else {"type": "object", "properties": {}}


def slim(schema: Any) -> Any:
    """A schema without its titles and defaults."""
    if isinstance(schema, dict):
        return {
            key: slim(value)
            for key, value in schema.items()
            if not (key == "title" and isinstance(value, str)) and key != "default"
        }
    return [slim(each) for each in schema] if isinstance(schema, list) else schema


def put_in_words(llm_request: LlmRequest) -> bool:
    """Tell of the tools in the instruction instead of declaring them; False when there are none."""
    declared = declarations(llm_request)
    if not declared:
        return False
    lines = [
        f"- {each.name}: {' '.join((each.description or '').split())} "
        f"Arguments: {json.dumps(schema_of(each).get('properties', {}))}"
        for each in declared
    ]
    llm_request.config.tools = None
    llm_request.append_instructions([_IN_WORDS + "\n".join(lines)])
    llm_request.contents = [_worded(content) for content in llm_request.contents]
    return True


def _worded(content: types.Content) -> types.Content:
    parts = [_worded_part(part) for part in content.parts or []]
    return types.Content(role=content.role, parts=parts)


def _worded_part(part: types.Part) -> types.Part:
    if part.function_call:
        called = {"tool": part.function_call.name, "arguments": part.function_call.args or {}}
        return types.Part(text=json.dumps(called))
    if part.function_response:
        told = json.dumps(part.function_response.response, default=str)
        return types.Part(text=f"{part.function_response.name} returned: {told}")
    return part


def calls_in(text: str, *, names: Sequence[str]) -> list[types.FunctionCall]:
    """The tool calls that a reply is, where the tools were told in words; none when it is plain words."""
    found = []
    for each in objects_in(text):
        name, arguments = each.get("tool") or each.get("name"), each.get("arguments", each.get("parameters"))
        if name in names and isinstance(arguments, dict | None):
            found.append(types.FunctionCall(name=str(name), args=arguments or {}))
    return found
