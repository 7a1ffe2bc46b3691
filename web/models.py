"""The language model, chosen by whoever runs the tutor: what is running on this machine, a key, a test, and none."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Form, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from google.adk.models.llm_request import LlmRequest
from google.genai import types

from agents.chosen_model import ChosenModel, keep_choice
from agents.models.choice import DEFAULT_GEMINI, build_model, choose_model
from agents.models.nearby import SECONDS, SERVERS, LocalServer, NearbyModel, find_models
from agents.models.voice import ModelFailureError, is_waiting, text_of
from agents.settings import Settings, with_choice
from storage.errors import ConfigurationError
from web.caller import Caller, Teacher, Text, TurnedAwayError

router = APIRouter()

_FRESH = 60.0  # seconds that what was found counts
_MOST_TYPED = 500
Where = Literal["none", "here", "gemini", "server"]


class Neighbourhood:
    """The models on this machine, looked for beside the pages and never in front of them."""

    def __init__(
        self, settings: Settings, *, servers: Sequence[LocalServer] = SERVERS, seconds: float = SECONDS
    ) -> None:
        self._settings, self._servers, self._seconds = settings, servers, seconds
        self._looked_at = float("-inf")
        self._looking: asyncio.Task[None] | None = None
        self.found: tuple[NearbyModel, ...] = ()

    def glance(self) -> tuple[NearbyModel, ...]:
        """What is known by now; looks again where that is old."""
        is_old = time.monotonic() - self._looked_at > _FRESH
        if is_old and self._settings.find_models and self._looking is None:
            self._looking = asyncio.create_task(self.look())
        return self.found

    async def look(self) -> None:
        try:
            if self._settings.find_models:
                self.found = await find_models(self._servers, seconds=self._seconds)
        finally:
            self._looked_at = time.monotonic()
            self._looking = None

    async def close(self) -> None:
        if self._looking:
            await asyncio.wait([self._looking])


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One sentence asked of a model, and what came."""

    is_ok: bool
    words: str


def offered(caller: Caller) -> NearbyModel | None:
    """A model of this machine to point at, where nobody has said which to use, and to nobody but who runs it."""
    settings = caller.services.settings
    if not (caller.is_teacher and settings.looks_for_models) or settings.model_is_set:
        return None
    neighbourhood: Neighbourhood = caller.request.app.state.neighbourhood
    return next(iter(neighbourhood.glance()), None)


@router.get("/model", response_class=HTMLResponse)
async def model_page(caller: Teacher, said: str = "") -> Response:
    words = {"chosen": "From the next message on the tutor speaks with this model."}.get(said, "")
    return await _page(caller, words=words)


@router.post("/model")
async def choose(
    caller: Teacher,
    where: Annotated[Where, Form()],
    here: Text = "",
    model_name: Text = "",
    url: Text = "",
    key: Text = "",
    then: Text = "use",
) -> Response:
    """Try a model, or use it from now on; a key is kept and never shown again."""
    settings = caller.services.settings
    if settings.model_is_set:
        raise TurnedAwayError(409, "The model is named by TUTOR_MODEL where the tutor was started.")
    chosen = await _chosen(caller, where=where, here=here, name=model_name, url=url, key=key)
    wanted = with_choice(settings, chosen)
    try:
        choose_model(wanted)
    except ConfigurationError as err:
        return await _page(caller, words=str(err), status=422)
    if then == "test" and where == "none":
        return await _page(caller, words="Without a model there is nothing to try: it works as it is.")
    if then == "test":
        trial = await _try(wanted)
        return await _page(caller, words=trial.words, status=200 if trial.is_ok else 422)
    keep_choice(settings.data_dir, chosen)
    caller.talk.follow_choice()
    return RedirectResponse("/model?said=chosen", status_code=303)


async def _page(caller: Caller, *, words: str = "", status: int = 200) -> Response:
    settings = caller.services.settings
    neighbourhood: Neighbourhood = caller.request.app.state.neighbourhood
    if settings.find_models and not settings.model_is_set:
        await neighbourhood.look()
    try:
        now = choose_model(settings)
    except ConfigurationError:
        now = None
    return caller.page(
        "model.html",
        status=status,
        words=words,
        now=None if now is None or now.family == "embedded" else now,
        is_set=settings.model_is_set,
        found=() if settings.model_is_set else neighbourhood.found,
        looks=settings.find_models,
        default=DEFAULT_GEMINI,
        has_google_key=settings.google_api_key is not None,
    )


async def _chosen(caller: Caller, *, where: Where, here: str, name: str, url: str, key: str) -> ChosenModel:
    name, url, key = name.strip(), url.strip(), key.strip()
    if any(len(each) > _MOST_TYPED or not each.isprintable() for each in (name, url, key)):
        raise TurnedAwayError(422, "That is no name, address or key of a model.")
    if where == "none":
        return ChosenModel(model="embedded")
    if where == "here":
        neighbourhood: Neighbourhood = caller.request.app.state.neighbourhood
        if not neighbourhood.found:
            await neighbourhood.look()
        wanted = next((each for each in neighbourhood.found if each.setting == here), None)
        if wanted is None:
            raise TurnedAwayError(409, "That model is not running here any more. Start it, and look again.")
        return ChosenModel(model=wanted.setting, url=wanted.url)
    if where == "gemini":
        return ChosenModel(model=name or DEFAULT_GEMINI, key=key)
    if url and caller.request.state.doors.way != "local":
        raise TurnedAwayError(422, "Addresses are chosen on the machine itself: 'tutor model NAME --url …'.")
    return ChosenModel(model=f"openai:{name}", url=url, key=key)


async def _try(settings: Settings) -> Trial:
    """One short sentence: is it there, does the key open it, and how long does it take?"""
    model = build_model(settings)
    config = types.GenerateContentConfig(max_output_tokens=64)
    asked = LlmRequest(contents=[types.UserContent("Say hello in one short sentence.")], config=config)
    began, said = time.perf_counter(), ""
    try:
        async for response in model.generate_content_async(asked, stream=True):
            if not is_waiting(response) and not response.partial:
                said = text_of(response).strip()
    except ModelFailureError as failure:
        return Trial(
            is_ok=False,
            words=f"{model.model} did not answer ({failure}). Check its name, its address and the key.",
        )
    seconds = time.perf_counter() - began
    return Trial(is_ok=True, words=f"{model.model} answered after {seconds:.1f} s: “{said[:200]}”")
