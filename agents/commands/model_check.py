"""`tutor doctor --model`: one call of each kind, what works, how fast, and which time-out fits."""

import math
import time
from collections.abc import AsyncIterator, Callable
from functools import partial

from google.adk.models.base_llm import BaseLlm
from pydantic import BaseModel

from agents.briefing import fitting, passages_text, prompt
from agents.commands.doctor import Finding
from agents.commands.setup import open_library
from agents.coordinator.large_model import ModelIntent
from agents.models.choice import SLOW_FROM, Measured, build_model, choose_model, remember
from agents.models.consultation import Consultation, read_json
from agents.models.voice import ModelFailureError, text_of
from agents.quiz.judging import Judgement, judge_request
from agents.quiz.writer import WrittenQuiz
from agents.repair import Draft
from agents.settings import SAMPLE_COURSE, Settings
from agents.teaching.values import QuizQuestion
from rag.index.port import Scope
from rag.results import RetrievalResult
from storage.errors import ConfigurationError

_TOPIC = "topic"
_MARGIN = 2.0  # times the longest silence seen
_SHORTEST, _STEP = 30, 10  # seconds


async def try_model(settings: Settings) -> AsyncIterator[Finding]:
    """Each kind of call once, the slowest first: it tells whether the model has to be spared."""
    if choose_model(settings).family == "embedded":
        raise ConfigurationError(
            "No large model is set up. Set TUTOR_MODEL, or GOOGLE_API_KEY, and run this again."
        )
    model = build_model(settings.model_copy(update={"model_timeout": max(600.0, settings.model_timeout)}))
    passages = await _passages(settings)
    lesson = await _try(
        model, _lesson(settings, passages), kind="lesson", reads=partial(_is_grounded, passages=passages)
    )
    yield lesson
    if lesson.is_ok:
        measured = Measured(
            model=model.model,
            first_word_seconds=round(lesson.first_word, 2),
            tokens_a_second=round(lesson.speed, 1),
        )
        remember(settings, measured)
    for kind, asked, schema in _json_calls(passages):
        yield await _try(model, asked, kind=kind, reads=partial(_reads, schema=schema))


def advice(tried: list[Finding]) -> str:
    """The time-out to set, from the longest silence."""
    longest = max((each.first_word for each in tried if each.is_ok), default=0.0)
    if not longest:
        return "No call came back: check TUTOR_MODEL, TUTOR_MODEL_URL and the key. Without a model the tutor works offline."
    wanted = max(_SHORTEST, _STEP * math.ceil(_MARGIN * longest / _STEP))
    slow = " It is slow, so its briefs will have half the passages." if longest >= SLOW_FROM else ""
    return f"Set TUTOR_MODEL_TIMEOUT={wanted}.{slow}"


async def _try(model: BaseLlm, asked: Consultation, *, kind: str, reads: Callable[[str], str]) -> Finding:
    began, first, text, tokens = time.perf_counter(), 0.0, "", 0
    try:
        async for response in model.generate_content_async(asked.request(model=model.model), stream=True):
            first = first or time.perf_counter() - began
            if not response.partial:
                text = text_of(response)
                usage = response.usage_metadata
                tokens = (usage.candidates_token_count or 0) if usage else 0
    except ModelFailureError as failure:
        return Finding(part=kind, is_ok=False, detail=f"failed ({failure})")
    speed = (tokens or len(text) // 4) / max(time.perf_counter() - began - first, 1e-3)
    problem = reads(text)
    detail = (
        f"first word after {first:.1f} s, {speed:.0f} tokens a second, brief of about {asked.tokens} tokens"
    )
    return Finding(
        part=kind,
        is_ok=not problem,
        detail=f"{problem}; {detail}" if problem else detail,
        first_word=first,
        speed=speed,
    )


async def _passages(settings: Settings) -> tuple[RetrievalResult, ...]:
    async with open_library(settings) as library:
        await library.ensure_course(SAMPLE_COURSE)
        courses = await library.courses()
        found = await library.retrieve(_TOPIC, top_k=5, scope=Scope(course=courses[0].name))
        return tuple(found)


def _lesson(settings: Settings, passages: tuple[RetrievalResult, ...]) -> Consultation:
    shown = passages_text(fitting(passages, tokens=1500))
    return Consultation(
        task="lesson",
        system=prompt("tutor/prompt.md"),
        brief=f"{shown}\n\nTeach: {_TOPIC}. Language: English.",
        temperature=settings.temperature,
        max_tokens=settings.max_tokens,
    )


def _json_calls(
    passages: tuple[RetrievalResult, ...],
) -> list[tuple[str, Consultation, type[BaseModel]]]:
    shown = passages_text(fitting(passages, tokens=800))
    question = QuizQuestion(
        question_id="1", question_text=f"What is a {_TOPIC}?", concept_name=_TOPIC, difficulty="easy",
        expected_answer=passages[0].chunk_text.partition("\n")[0], source_context=passages[0].chunk_text,
    )  # fmt: skip
    quiz = Consultation(
        task="quiz",
        system=prompt("quiz/prompt.md"),
        brief=f"{shown}\n\nWrite 2 questions, difficulty easy, medium. Concepts: {_TOPIC}. First: {_TOPIC}.",
        schema=WrittenQuiz,
    )
    intent = Consultation(
        task="intent",
        system=prompt("coordinator/intent.md"),
        brief="No question is open.\n\nThe message: could we maybe do the thing with the channels next?",
        schema=ModelIntent,
        max_tokens=400,
    )
    judge = judge_request(question, "a channel with a name", passage=passages[0].chunk_text, learner="")
    return [("judge", judge, Judgement), ("quiz", quiz, WrittenQuiz), ("intent", intent, ModelIntent)]


def _is_grounded(text: str, *, passages: tuple[RetrievalResult, ...]) -> str:
    draft = Draft(passages, known=_TOPIC)
    draft.feed(text)
    draft.finish()
    return "" if draft.is_grounded else "its text rests on no passage"


def _reads(text: str, *, schema: type[BaseModel]) -> str:
    return "" if read_json(text, schema) else "its reply is not the JSON that was asked for"
