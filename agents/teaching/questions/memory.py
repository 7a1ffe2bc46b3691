"""What the kinds have in common that ask to say something from memory and to compare: the learner marks them.

They are asked where nothing sharper can be, and count less as evidence.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from agents.teaching.blocks import Block, blocks, items, plain, whole_sentences
from agents.teaching.questions.base import DraftQuestion, Kind, Reading
from agents.teaching.values import QuizQuestion
from rag.headings import is_aside

_FEW = 2  # sentences
_TO_THE_READER = re.compile(
    r"\b(?:let's|let us|let’s|we'll|we’ll|we will|we are going to|in this (?:chapter|section|course|lesson|page|notebook)|"
    r"welcome|willkommen|in diesem (?:kapitel|abschnitt|kurs)|lass uns|werden wir)\b",
    re.IGNORECASE,
)
_FEWEST_WORDS = 20  # of a paragraph that has a point to remember


def kind(name: str, write: Callable[[Reading], Iterator[DraftQuestion]]) -> Kind:
    return Kind(
        name=name,
        write=write,
        how_to_answer="Answer in your own words, without looking; then you compare it with the course yourself.",
        marked_by="learner",
        hint=_hint,
        lint=_is_fair,
        is_last_resort=True,
    )


def draft(text: str, found: Sequence[Block], concept: str) -> DraftQuestion:
    """A question whose answer is to be compared with these paragraphs."""
    shown = "\n\n".join(plain(block.text) for block in found)
    return DraftQuestion(
        kind="recall", difficulty="medium", text=text, answer=shown, concept=concept, source=shown
    )


def told(reading: Reading) -> list[Block]:
    """The paragraphs and lists of a passage that tell something."""
    return [
        block
        for block in blocks(reading.passage.chunk_text)
        if block.kind in ("prose", "list") and not block.text.rstrip().endswith(":") and not _is_aside(block)
    ]


def has_a_point(block: Block) -> bool:
    return len(block.text.split()) >= _FEWEST_WORDS


def is_to_the_reader(sentence: str) -> bool:
    """Words about what is going to be done rather than about the subject."""
    return bool(_TO_THE_READER.search(sentence))


def _is_aside(block: Block) -> bool:
    """Words about the book, or orders to the reader: nothing to remember."""
    said = items(block.text) if block.kind == "list" else whole_sentences(plain(block.text))
    if block.kind == "prose" and len(said) <= _FEW and any(map(is_to_the_reader, said[:1])):
        return True
    said = said if block.kind == "list" else said[:1]
    return sum(is_aside(plain(each).lstrip("-*+ ")) for each in said) * 2 > len(said)


def _hint(question: QuizQuestion, number: int) -> str:
    """A little more of the beginning each time, never the whole."""
    first = next(iter(whole_sentences(question.source_context)), question.source_context).split()
    shown = " ".join(first[: max(2, len(first) * min(number, 3) // 4)])
    return f"What is to be remembered begins: “{shown} …”"


def _is_fair(question: QuizQuestion) -> bool:
    return bool(question.source_context.strip())
