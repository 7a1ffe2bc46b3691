"""What is wrong in a text goes back to the model once, named; what is then still wrong is dropped."""

from collections.abc import Awaitable, Callable, Sequence

from pydantic import BaseModel

from agents.briefing import passages_text
from agents.models.asking import Consultation, read_json
from agents.models.voice import ModelFailureError
from agents.prompts import prompt
from agents.repair.draft import Draft
from rag.results import RetrievalResult

_MOST = 6  # sentences; a text with more of them is beyond mending


class Mended(BaseModel):
    """The sentences anew; an empty one goes."""

    sentences: list[str]


async def mend(
    draft: Draft,
    passages: Sequence[RetrievalResult],
    *,
    ask: Callable[[Consultation], Awaitable[str]],
) -> None:
    """Leave nothing wrong in the draft."""
    wrong = draft.faulty
    if not wrong:
        return
    anew: list[str] = []
    if len(wrong) <= _MOST:
        listed = "\n".join(
            f"{number}. {said}\n   wrong: {why}" for number, (said, why) in enumerate(wrong, 1)
        )
        asked = Consultation(
            task="mend",
            system=prompt("repair/mend.md"),
            brief=f"{passages_text(passages)}\n\nThe sentences:\n{listed}",
            schema=Mended,
            max_tokens=1000,
        )
        try:
            reply = read_json(await ask(asked), Mended)
            anew = reply.sentences if reply else []
        except ModelFailureError:
            pass
    draft.mend(anew)
