"""Whether the grounded flag tells the truth, and whether citations do."""

import re
from collections.abc import Iterable

from agents.teaching.values import RetrievalResult
from agents.turn import NO_INFORMATION
from evals.metrics.heard import SOURCES, Message
from evals.metrics.scoring import Turn, metric

_MARKER = re.compile(r"\[(\d{1,3})\]")
_SOURCE = re.compile(r"^\s*\[(\d{1,3})\] (.+) \(([^(),]*)(?:, score: [\d.]+)?\)(?:: \S+)?\s*$", re.MULTILINE)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[^\[\s])|\n+")
# Code, list items and what leads up to them ("Here is the course's example [1]:") are the course's own.
_NO_CLAIMS = re.compile(r"```.*?```|^\s*(?:\d+\.|[-|]) .*$|^[^.\n]*:$", re.DOTALL | re.MULTILINE)
_GAP = re.compile(r"_{2,}")
_WORD = re.compile(r"[^\W_]+")
_QUOTE = re.compile(r"“([^”]+)”")
_ENOUGH_SHARED = 0.8
_LONGEST_UNCITED = 6  # words


def judge_flag(turn: Turn) -> list[str]:
    """grounded is what the case says, has sources to show for it, and where it is not, that is admitted."""
    grounded, wanted = turn.stored.response.grounded, turn.expects("GROUNDED")
    problems = []
    if wanted and grounded != (wanted == "yes"):
        problems.append(f"grounded is {grounded}")
    if grounded != (SOURCES in turn.heard.text):
        problems.append(f"grounded is {grounded}, but the sources say otherwise")
    if turn.stored.response.retrieval_performed and not grounded and NO_INFORMATION not in turn.heard.text:
        problems.append("nothing was found, and nobody said so")
    return problems


def judge_citations(turn: Turn) -> list[str] | None:
    """What is cited is listed, what is listed is cited, and the cited passage says what is said."""
    if not turn.stored.response.grounded and turn.expects("GROUNDED") != "yes":
        return None
    cited = [message for message in turn.heard.messages if SOURCES in message.text]
    if not cited:
        return ["no message shows its sources"]
    return [problem for message in cited for problem in _problems(message, turn)]


def _problems(message: Message, turn: Turn) -> Iterable[str]:
    listed = _listed(message.text, turn)
    used = {int(number) for number in _MARKER.findall(message.body)}
    if not used:
        yield "nothing is cited"
    for number in sorted(used ^ listed.keys()):
        yield f"[{number}] is cited or listed, not both"
    for sentence, numbers in _cited(_NO_CLAIMS.sub("", message.body)):
        # What the tutor says in a lesson between two quotes has no source, and needs none.
        own = (
            numbers
            if message.author == "coordinator"
            else [int(number) for number in _MARKER.findall(sentence)]
        )
        passages = [listed[number] for number in own if number in listed]
        if passages:
            yield from _unsupported(sentence, " ".join(passages))
        elif message.author == "coordinator" and len(_words(sentence)) > _LONGEST_UNCITED:
            yield f"nothing is cited for: {sentence}"


def _cited(body: str) -> Iterable[tuple[str, list[int]]]:
    """Each sentence with its markers, or with the next ones in its paragraph."""
    for paragraph in body.split("\n\n"):
        numbers: list[int] = []
        for sentence in reversed(_SENTENCE_END.split(paragraph)):
            numbers = [int(number) for number in _MARKER.findall(sentence)] or numbers
            yield sentence, numbers


def _listed(text: str, turn: Turn) -> dict[int, str]:
    """What each number of the footer stands for, in the words of the course as the database has them."""
    _, _, footer = text.partition(SOURCES)
    found: dict[int, str] = {}
    for number, place, chapter in _SOURCE.findall(footer):
        meant = [c for c in turn.stored.response.citations if (c.place, c.chapter_id) == (place, chapter)]
        found[int(number)] = " ".join(_passage(citation, turn) for citation in meant)
    return found


def _passage(citation: RetrievalResult, turn: Turn) -> str:
    headings = " ".join((citation.title, *citation.heading_hierarchy))
    return f"{headings} {turn.conversation.passages.get(citation.chunk_id, '')}"


def _unsupported(sentence: str, passage: str) -> Iterable[str]:
    said, known = _words(_MARKER.sub("", sentence)), set(_words(passage))
    if said and sum(word in known for word in said) / len(said) < _ENOUGH_SHARED:
        yield f"the cited passage does not say: {sentence}"
    for quote in _QUOTE.findall(sentence):
        if any(" ".join(_words(part)) not in " ".join(_words(passage)) for part in _GAP.split(quote)):
            yield f"the cited passage does not have: {quote}"


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


grounded_flag_right = metric(judge_flag)
citations_true = metric(judge_citations)
