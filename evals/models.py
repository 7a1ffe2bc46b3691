"""A large model at work: what of a strong one's words arrives, what its failures do, and how a real one gets on."""

import asyncio
import json
import os
import re
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from google.adk.agents.run_config import RunConfig
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import Runner
from google.adk.sessions.in_memory_session_service import InMemorySessionService
from google.genai import types
from pydantic import Field

from agents.adk_compat import StreamingMode
from agents.adk_sessions import APP_NAME
from agents.agent import build_app
from agents.briefing import CLOSE, OPEN
from agents.models.choice import choose_model, is_slow
from agents.models.jsontext import read_json
from agents.models.voice import PATIENCE, Voice, calls_of, text_of
from agents.quiz.writer import LooseQuiz, proposals_in, question_of, read_items
from agents.repair import Draft, sentences
from agents.services import Services
from agents.settings import Settings, load_settings
from agents.state import SessionState
from agents.teaching.evidence import LedgerRow
from agents.teaching.values import RetrievalResult
from agents.turn import AgentResponse
from evals.data import bench_data
from evals.doubles.openai_server import Fault, OpenAiServer, openai_server
from evals.report import Report, Row, goal

_TEXTS = ("tutor", "coordinator")
_OFF_BRIEF = (19, 26, 27, 28, 29)  # they answer another request, or say that the course does not have it
_HUNG = 15.0  # seconds
_SILENCE = 3.0  # seconds, in the place of the 30 of the default
_FAULTS = {
    "429": Fault(status=429),
    "503": Fault(status=503),
    "empty": Fault(text=""),
    "blocked": Fault(text="", finish="content_filter"),
    "silent": Fault(hangs=True),
    "stream cut off": Fault(cut_after=1),
    "refusal": Fault(text="I apologize, but I cannot assist with that request."),
    "invalid JSON": Fault(text="Sure! {verdict: great"),
}
_TURNS = 60
_CLOSES = "an answer that closes a round: its mark, the feedback, the next lesson and quiz"
_OWN_WORDS = "it is what makes the parts work together, more or less"


class Overheard(BaseLlm):
    """A model, and what it said."""

    inner: BaseLlm = Field(exclude=True)
    texts: list[str] = Field(default=[], exclude=True)
    questions: list[str] = Field(default=[], exclude=True)
    tools: Counter[str] = Field(default=Counter(), exclude=True)

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        said = ""
        async for response in self.inner.generate_content_async(llm_request, stream=stream):
            said += text_of(response) if response.partial else ""
            for call in calls_of(response):
                self.tools[call.name or ""] += 1
                proposed = (call.args or {}).get("questions") or []
                self.questions += [str(each.get("question_text")) for each in proposed]
            yield response
        self.texts.append(said)
        self.questions += [str(each.get("question_text")) for each in proposals_in(said)]


@dataclass(slots=True)
class Turn:
    """One turn as the learner had it."""

    text: str
    seconds: float
    first_word: float
    longest_silence: float
    response: AgentResponse


@dataclass(slots=True)
class Learner:
    """Somebody at the real Runner."""

    services: Services
    runner: Runner
    sessions: InMemorySessionService
    user_id: str = "ada"
    turns: list[Turn] = field(default_factory=list)

    async def say(self, message: str) -> Turn:
        began = last = time.monotonic()
        first, longest, texts = 0.0, 0.0, []
        async for event in self.runner.run_async(
            user_id=self.user_id,
            session_id="s1",
            new_message=types.Content(role="user", parts=[types.Part(text=message)]),
            run_config=RunConfig(streaming_mode=StreamingMode.SSE),
        ):
            text = "".join(part.text or "" for part in (event.content.parts or [])) if event.content else ""
            if text.strip():
                now = time.monotonic()
                first = first or now - began
                longest, last = max(longest, now - last), now
            if text and not event.partial:
                texts.append(text)
        response = AgentResponse.model_validate((await self.state()).last_response)
        turn = Turn("\n".join(texts), time.monotonic() - began, first, longest, response)
        self.turns.append(turn)
        return turn

    async def state(self) -> SessionState:
        session = await self.sessions.get_session(app_name=APP_NAME, user_id=self.user_id, session_id="s1")
        return SessionState.of(session.state if session else {})

    async def evidence(self) -> Sequence[LedgerRow]:
        return await self.services.ledger.of(self.user_id)


@asynccontextmanager
async def learner(settings: Settings) -> AsyncIterator[Learner]:
    with tempfile.TemporaryDirectory() as folder:
        here = settings.model_copy(update={"data_dir": Path(folder), "database_url": ""})
        services = Services(here)
        services.model_is_slow = is_slow(settings)  # as the doctor found it, wherever its data are
        sessions = InMemorySessionService()
        runner = Runner(app=build_app(services), session_service=sessions)
        await sessions.create_session(app_name=APP_NAME, user_id="ada", session_id="s1")
        try:
            yield Learner(services, runner, sessions)
        finally:
            await runner.close()
            await services.close()


async def run() -> Report:
    settings = load_settings()
    rows = [*_strong(), *await _first_word(settings), *await _calls(settings)]
    rows += [*await _hung(settings), *await _faults(settings)]
    notes = [
        "Strong replies: the texts of `shared/data/model_replies` checked sentence by sentence against the passages of "
        "their own briefs, fed in pieces of seven characters. Planted faults: in each of those texts one sentence with a "
        "mark of no passage, one with an invented number and one with a foreign address.",
        f"Faults: every call of the model fails the same way, through the real Runner over OpenAI's protocol on loopback; the "
        f"limit of silence is {_SILENCE:g} s here, so the longest silence of a turn may be {_SILENCE + 5:g} s. "
        "A learner is taught, answers, disputes, asks, plans and keeps a to-do.",
    ]
    if choose_model(settings).family != "embedded":
        rows += await _real(settings)
        notes.append(
            f"The real model: {choose_model(settings).name}, {_TURNS} turns over whole learning loops."
        )
    return Report(
        name="Models: a large model at work", command="python -m evals models", rows=rows, notes=notes
    )


def _strong() -> Iterator[Row]:
    folder = bench_data("model_replies")
    rows = [json.loads(line) for line in (folder / "strong.jsonl").read_text(encoding="utf-8").splitlines()]
    said = arrived = faults = planted = 0
    for row in rows:
        text = row["reply"].get("content") or ""
        passages = _passages(row)
        if row["kind"] not in _TEXTS or not text or not passages or row["n"] in _OFF_BRIEF:
            continue
        draft = _drafted(text, passages, known=_known(row))
        said += sum(each.is_words for each in sentences(text))
        shown_words = " ".join(each.words for each in sentences(draft.text))
        arrived += sum(each.is_words and each.words in shown_words for each in sentences(text))
        spoilt = f"{text.strip()} It was patented in 1731 [1]. See https://example.com/more [1]. Whales sing about it [999]."
        shown = _drafted(spoilt, passages, known=_known(row)).text
        planted += 3
        faults += sum(sign in shown for sign in ("1731", "example.com", "Whales"))
    yield goal(
        "strong replies: sentences that reach the learner",
        arrived / said,
        at_least=0.95,
        shown=f"{arrived} of {said}",
    )
    yield goal(f"planted faults that reach the learner, of {planted}", faults, at_most=0, shown=str(faults))
    used = written = 0
    for row in rows:
        reply = read_json(row["reply"].get("content") or "", LooseQuiz) if row["kind"] == "quiz" else None
        for item in read_items(reply) if reply else []:
            written += 1
            used += not isinstance(question_of(item, _passages(row), concepts=_concepts(row)), str)
    yield Row(measure="strong replies: questions that are used", value=f"{used} of {written}")


def _brief(row: dict[str, Any]) -> dict[str, Any]:
    """Of the time when a brief was sent as fenced JSON in the system prompt."""
    system = "\n".join(m["content"] or "" for m in row["messages"] if m["role"] == "system")
    found = re.findall(rf"{re.escape(OPEN)}\n(.*?)\n{re.escape(CLOSE)}", system, re.DOTALL)
    return dict(json.loads(found[-1])) if found else {}


def _passages(row: dict[str, Any]) -> list[RetrievalResult]:
    return [RetrievalResult.model_validate(each) for each in _brief(row).get("passages", [])]


def _concepts(row: dict[str, Any]) -> list[str]:
    return list(_brief(row).get("topic_concepts", []))


def _known(row: dict[str, Any]) -> str:
    brief = _brief(row)
    return f"{brief.get('topic', '')} {brief.get('question', '')}"


def _drafted(text: str, passages: Sequence[RetrievalResult], *, known: str) -> Draft:
    draft = Draft(passages, known=known)
    for start in range(0, len(text), 7):
        draft.feed(text[start : start + 7])
    draft.finish()
    draft.mend()
    return draft


async def _first_word(settings: Settings) -> list[Row]:
    """The learner's first word against the model's, with a model that thinks for a second and then streams."""
    ratios = []
    with openai_server() as server:
        server.first_after, server.piece_after = 1.0, 0.02
        async with learner(_at(settings, server)) as ada:
            await ada.say("hello")
            for message in (
                "teach me ROS 2 topics",
                "What is Isaac Sim?",
                "What is URDF?",
                "What is a node?",
            ):
                server.first_words.clear()
                began = time.monotonic()
                turn = await ada.say(message)
                ratios.append(turn.first_word / (server.first_words[0] - began))
    return [
        goal(
            "learner's first word ÷ model's first word, worst of four",
            max(ratios),
            at_most=1.3,
            shown=f"{max(ratios):.2f}",
        )
    ]


async def _calls(settings: Settings) -> list[Row]:
    """How often a model that answers well is asked, by what the learner does; what a turn adds counts as its own."""
    asked: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    with openai_server() as server:

        async def say(ada: Learner, message: str, *, what: str) -> None:
            before, rounds = len(server.requests), (await ada.state()).learning_cycle_count
            await ada.say(message)
            is_over = (await ada.state()).learning_cycle_count > rounds
            asked[_CLOSES if is_over else what].append(tuple(server.tasks()[before:]))

        for topic in ("ROS 2 topics", "URDF", "SLAM"):
            async with learner(_at(settings, server)) as ada:
                await say(ada, f"teach me {topic}", what="a lesson with its quiz")
                for _ in range(3):
                    await say(ada, "hint", what="a message that code is sure of")
                    await say(ada, _OWN_WORDS, what="an answer in own words")
                await say(ada, "What is a node?", what="a question")
                await say(ada, "stop", what="a message that code is sure of")
    # An answer that a judge passes although it is far from the key is put to it once more, with another question.
    most = {
        "a lesson with its quiz": 2,
        "a message that code is sure of": 0,
        "an answer in own words": 2,
        _CLOSES: 5,
    }
    return [
        goal(
            f"model calls for {what}, the most of {len(tasks)}",
            max(map(len, tasks)),
            at_most=most.get(what, 1),
            shown=str(max(map(len, tasks))),
        )
        for what, tasks in asked.items()
    ]


async def _hung(settings: Settings) -> list[Row]:
    """A model that never says a word, at a limit that is longer than anybody waits in front of nothing."""
    rows = []
    with openai_server() as server:
        async with learner(_at(settings, server).model_copy(update={"model_timeout": _HUNG})) as ada:
            await ada.say("hello")
            server.always = Fault(hangs=True)
            for what, message in (
                ("teach me", "teach me ROS 2 topics"),
                ("an answer in own words", _OWN_WORDS),
            ):
                turn = await ada.say(message)
                rows += [
                    goal(
                        f"hung model, {what}: seconds until there is something to read",
                        turn.first_word,
                        at_most=PATIENCE + 1,
                        shown=f"{turn.first_word:.1f}",
                    ),
                    goal(
                        f"hung model, {what}: until the turn ends ÷ the limit of {_HUNG:g} s",
                        turn.seconds / _HUNG,
                        at_most=1.1,
                        shown=f"{turn.seconds / _HUNG:.2f}",
                    ),
                ]
    return rows


async def _faults(settings: Settings) -> list[Row]:
    rows = []
    for name, fault in _FAULTS.items():
        with openai_server() as server:
            async with learner(_at(settings, server)) as ada:
                verdicts = await _through_a_fault(ada, server, fault)
                ended = sum(bool(turn.text.strip()) for turn in ada.turns)
                longest = max(turn.longest_silence for turn in ada.turns)
                told = sum("language model did not" in turn.text for turn in ada.turns)
        is_right = ended == len(ada.turns) and not verdicts and longest <= _SILENCE + 5
        value = (
            f"{ended} of {len(ada.turns)} turns ended, {told} said that the model failed, "
            f"longest silence {longest:.1f} s, {verdicts} failures recorded as verdicts"
        )
        rows.append(Row(measure=f"fault in every call: {name}", value=value, goal="all, 0", reached=is_right))
    return rows


async def _through_a_fault(ada: Learner, server: OpenAiServer, fault: Fault) -> int:
    """A session in which every call fails; how many answers were marked by a model that never answered."""
    server.always = fault
    for message in (
        "teach me ROS 2 topics",
        _OWN_WORDS,
        "yes",
        "What is Isaac Sim?",
        "hmm, the other thing, you know",
    ):
        await ada.say(message)
    await ada.say("I disagree, I meant the same")
    await ada.say("stop")
    for message in ("make me a plan", "test what I know about URDF", _OWN_WORDS, "I don't know", "stop"):
        await ada.say(message)
    await ada.say("remind me to call the bank")
    await ada.say("the task about the bank is history")
    return sum(row.grader == "model" for row in await ada.evidence())


def _at(settings: Settings, server: OpenAiServer) -> Settings:
    return settings.model_copy(
        update={"model": "openai:double", "model_url": server.url, "model_timeout": _SILENCE}
    )


async def _real(settings: Settings) -> list[Row]:
    """The configured model through whole learning loops."""
    turns, seconds = (
        int(os.environ.get("MODEL_TURNS", str(_TURNS))),
        float(os.environ.get("MODEL_SECONDS", "1e9")),
    )
    began = time.monotonic()
    async with learner(settings) as ada:
        await ada.services.ready()
        voice = ada.services.model
        assert isinstance(voice, Voice)
        heard = voice.inner = Overheard(model=voice.model, inner=voice.inner)
        script = _script(ada)
        while len(ada.turns) < turns and time.monotonic() - began < seconds:
            message = await anext(script)
            turn = await ada.say(message)
            _progress(len(ada.turns), message, turn)
        rows = await ada.evidence()
        failed_verdicts = sum(
            row.grader == "model" and not row.reason.strip() for row in rows if row.action == "answer"
        )
        return [
            *_real_rows(ada.turns),
            _shown(heard.texts, ada.turns),
            Row(
                measure="real model: its questions that were asked",
                value=f"{len(set(heard.questions) & {row.question_text for row in rows})} of {len(heard.questions)}",
            ),
            Row(
                measure="real model: tools that it called",
                value=", ".join(f"{name} {count}" for name, count in heard.tools.most_common()) or "none",
            ),
            goal(
                "real model: failures recorded as verdicts",
                failed_verdicts,
                at_most=0,
                shown=str(failed_verdicts),
            ),
        ]


def _shown(texts: Sequence[str], turns: Sequence[Turn]) -> Row:
    """Of the sentences of its lessons, answers and remarks, those that a learner has read."""
    read = " ".join(each.words for turn in turns for each in sentences(turn.text))
    said = [each for text in texts if "{" not in text[:20] for each in sentences(text) if each.is_words]
    arrived = sum(each.words in read for each in said)
    return Row(measure="real model: its sentences that were shown", value=f"{arrived} of {len(said)}")


def _real_rows(turns: Sequence[Turn]) -> list[Row]:
    calls = [call for turn in turns for call in turn.response.model_calls]
    repairs = Counter((r.action, r.kind) for turn in turns for r in turn.response.repairs)
    dropped = sum(count for (action, kind), count in repairs.items() if action == "dropped" and "_" in kind)
    whole = sum(count for (action, _), count in repairs.items() if action == "replaced")
    by_task: dict[str, list[Any]] = defaultdict(list)
    for call in calls:
        by_task[call.task].append(call)
    rows = [
        goal(
            "real model: turns without an end",
            sum(not turn.text.strip() for turn in turns),
            at_most=0,
            shown="0",
        ),
        Row(measure="real model: turns", value=str(len(turns))),
        Row(measure="real model: sentences dropped", value=str(dropped)),
        Row(measure="real model: texts, questions and judgements replaced", value=str(whole)),
        Row(
            measure="real model: repairs",
            value=", ".join(f"{a} {k}: {n}" for (a, k), n in repairs.most_common(8)),
        ),
    ]
    for task, made in sorted(by_task.items()):
        ok = sum(call.outcome == "ok" for call in made)
        prompt = sum(call.prompt_tokens for call in made) / len(made)
        output = sum(call.output_tokens for call in made) / len(made)
        seconds = sum(call.seconds for call in made) / len(made)
        rows.append(
            Row(
                measure=f"real model: {task}",
                value=f"{len(made)} calls, {ok} answered, {prompt:.0f} + {output:.0f} tokens, {seconds:.1f} s each",
            )
        )
    return rows


async def _script(ada: Learner) -> AsyncIterator[str]:
    """What a learner says: lessons, answers right and wrong and in own words, questions between them."""
    asides = [
        "explain that differently",
        "What is it good for?",
        "give me a hint",
        "How does it compare to a service?",
    ]
    count = 0
    for topic in (
        "ROS 2 topics",
        "URDF",
        "SLAM",
        "coordinate frames",
        "Gazebo",
        "nodes",
        "services",
        "cameras",
    ):
        yield f"teach me {topic}"
        for _ in range(12):
            question = (await ada.state()).pending_question
            if question is None:
                break
            count += 1
            if count % 5 == 0:
                yield asides[count // 5 % len(asides)]
            wrong = question.options[0] if question.options else _OWN_WORDS
            yield question.expected_answer if count % 3 else wrong
    while True:
        yield "What is a node?"


def _progress(number: int, message: str, turn: Turn) -> None:
    calls = ", ".join(f"{call.task} {call.outcome} {call.seconds:.0f}s" for call in turn.response.model_calls)
    print(f"{number}: {message[:50]!r} {turn.seconds:.0f} s [{calls}]", flush=True)


if __name__ == "__main__":
    print(asyncio.run(run()).as_markdown())
