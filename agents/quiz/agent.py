"""The quiz: writes questions from the passages, asks them one at a time, and grades the answers."""

from google.adk.agents.callback_context import CallbackContext
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.genai import types

from agents.prompts import from_prompt, unfence
from agents.services import Services
from agents.step_agent import StepAgent


def build_quiz(*, model: BaseLlm, services: Services, config: types.GenerateContentConfig) -> StepAgent:
    return StepAgent(
        name="quiz",
        step="agents.quiz.step.Quiz",
        model=model,
        description="Asks questions about the topic one at a time and grades the answers.",
        instruction=from_prompt("quiz/prompt.md"),
        include_contents="none",
        generate_content_config=config,
        before_model_callback=request_schema,
        services=services,
    )


def request_schema(callback_context: CallbackContext, llm_request: LlmRequest) -> LlmResponse | None:
    """Writing and judging answer in different schemas, so the schema goes by the brief."""
    from agents.quiz.skill import Verdict, WrittenQuiz  # with the first quiz, not at the start

    brief = unfence(str(llm_request.config.system_instruction or ""))
    llm_request.set_output_schema(Verdict if brief.get("task") == "judge" else WrittenQuiz)
    return None
