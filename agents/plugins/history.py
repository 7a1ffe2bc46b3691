"""The history window: the model sees the last messages, and none from before a reset."""

from google.adk.agents.callback_context import CallbackContext
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.plugins.base_plugin import BasePlugin
from google.genai import types

from agents.services import Services

_CHARS_A_TOKEN = 4
_MOST_TOKENS = 24_000


class HistoryPlugin(BasePlugin):
    """Cuts the request's contents; nothing that is stored changes."""

    def __init__(self, services: Services) -> None:
        super().__init__(name="history")
        self._services = services

    async def before_model_callback(
        self, *, callback_context: CallbackContext, llm_request: LlmRequest
    ) -> LlmResponse | None:
        reset_turn = int(callback_context.state.get("history_reset_turn") or 0)
        turn = self._services.turns.of(callback_context.invocation_id)
        turns_to_keep = turn.turn_number - reset_turn
        contents = (
            last_turns(llm_request.contents, count=turns_to_keep) if reset_turn else llm_request.contents
        )
        kept = window(contents, most_messages=self._services.settings.max_history)
        within = within_tokens(kept, most_tokens=_MOST_TOKENS)
        turn.was_cut = len(within) < len(kept)
        llm_request.contents = within
        return None


def last_turns(contents: list[types.Content], *, count: int) -> list[types.Content]:
    """The contents from the count-th last message of the learner on."""
    starts = [place for place, content in enumerate(contents) if _is_message(content)]
    return contents[starts[-max(1, count)] :] if len(starts) >= max(1, count) else contents


def window(contents: list[types.Content], *, most_messages: int) -> list[types.Content]:
    """The last messages, beginning with one of the learner's, so that no tool result stands alone."""
    kept = contents[-most_messages:]
    starts = [place for place, content in enumerate(kept) if _is_message(content)]
    if starts:
        return kept[starts[0] :]
    last = [place for place, content in enumerate(contents) if _is_message(content)]
    return contents[last[-1] :] if last else kept


def within_tokens(contents: list[types.Content], *, most_tokens: int) -> list[types.Content]:
    """Drop the oldest messages until the rest fits; the current turn always stays."""
    kept = list(contents)
    while _tokens(kept) > most_tokens:
        starts = [place for place, content in enumerate(kept) if _is_message(content)]
        if len(starts) < 2:
            break
        kept = kept[starts[1] :]
    return kept


def _is_message(content: types.Content) -> bool:
    return content.role == "user" and any(part.text for part in content.parts or [])


def _tokens(contents: list[types.Content]) -> int:
    return sum(len(part.text or "") for content in contents for part in content.parts or []) // _CHARS_A_TOKEN
