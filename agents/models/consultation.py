"""One question to a large model: what never changes first, then the brief, and how to read what comes back."""

import json
import re
from dataclasses import dataclass
from typing import Literal, TypeVar

from google.adk.models.llm_request import LlmRequest
from google.genai import types
from pydantic import BaseModel, ValidationError

Task = Literal[
    "intent", "answer", "lesson", "quiz", "judge", "feedback", "plan", "diagnosis", "tasks", "mend"
]
Shape = TypeVar("Shape", bound=BaseModel)

_THINKING_TOKENS = 512
_JSON_TOKENS = 8192
_FENCE = re.compile(r"^\s*```[\w-]*\s*\n(.*?)\n?\s*```\s*$", re.DOTALL)
_JSON_ONLY = "Answer with one JSON object of this schema, and nothing else:\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Consultation:
    """What to ask for, and how freely it may be answered."""

    task: Task
    system: str  # the same for every learner, so that a provider's cache holds it
    brief: str
    schema: type[BaseModel] | None = None
    temperature: float = 0.0
    max_tokens: int = _JSON_TOKENS

    @property
    def tokens(self) -> int:
        """About how long the whole request is."""
        return (len(self.system) + len(self.brief)) // 4

    def shape(self, llm_request: LlmRequest, *, model: str) -> None:
        """Make this the request: nothing of the conversation, no tools, no transcripts of other agents."""
        thinks = model.startswith("gemini-2.5")  # whose thoughts count against the longest answer
        llm_request.contents = [types.Content(role="user", parts=[types.Part(text=self.brief)])]
        config = llm_request.config
        config.system_instruction = self._instruction()
        config.tools = config.response_schema = config.response_mime_type = None
        config.temperature = self.temperature
        config.max_output_tokens = self.max_tokens + (_THINKING_TOKENS if thinks else 0)
        config.thinking_config = types.ThinkingConfig(thinking_budget=_THINKING_TOKENS) if thinks else None
        if self.schema:
            llm_request.set_output_schema(self.schema)

    def request(self, *, model: str) -> LlmRequest:
        request = LlmRequest(model=model)
        self.shape(request, model=model)
        return request

    def _instruction(self) -> str:
        """Also in words: not every model takes a schema."""
        if self.schema is None:
            return self.system
        return f"{self.system}\n\n{_JSON_ONLY}{json.dumps(_slim(self.schema.model_json_schema()))}"


def read_json(text: str, schema: type[Shape]) -> Shape | None:
    """The object in a reply, out of its code fence or from between other words; None when there is none."""
    fenced = _FENCE.match(text)
    text = fenced[1] if fenced else text
    for candidate in (text, text[text.find("{") : text.rfind("}") + 1]):
        try:
            return schema.model_validate_json(candidate)
        except ValidationError:
            continue
    return None


def _slim(schema: object) -> object:
    """A schema without its titles, which only cost tokens."""
    if isinstance(schema, dict):
        return {
            key: _slim(value)
            for key, value in schema.items()
            if not (key == "title" and isinstance(value, str)) and key != "default"
        }
    return [_slim(each) for each in schema] if isinstance(schema, list) else schema
