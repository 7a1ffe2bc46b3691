"""What the kinds have in common that ask to say something from memory and to compare: the learner marks them.

They are asked where nothing sharper can be, and count less as evidence.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from agents.language.blocks import Block, bare, blocks, items, plain, whole_sentences
from agents.language.headings import is_aside
from agents.language.words import content_set
from agents.teaching.questions.base import DraftQuestion, Kind, PassageReading

_FEW = 2  # sentences
_TO_THE_READER = re.compile(
    r"\b(?:let's|let us|let’s|we'll|we’ll|we will|we(?:['’]re| are) going to|we(?:['’]ve| have)? (?:\w+ )?(?:saw|seen)|this (?:chapter|section|course|lesson|page|notebook|slide)|"
    r"welcome|willkommen|in diesem (?:kapitel|abschnitt|kurs)|lass uns|werden wir)\b",
    re.IGNORECASE,
)
# What a line that ends in a colon says of the next one; all others say something of the subject.
_POINTS_AHEAD = re.compile(
    r"\b(?:follow\w*|below|here|examples?|let['’]s|look|see|shown?|as|so|folgend\w*|hier|beispiel\w*)\b|"
    r"\b(?:this|these|that|those):$",
    re.IGNORECASE,
)
_OF_WHAT_IS_SHOWN = re.compile(r"(?:Here|Note|Notice|Observe|See|Hier|Beachte)\b")
_FEWEST_STEMS = 5
_FEWEST_TOLD = 6  # words of a line before a colon that says something by itself
_FEWEST_WORDS = 20  # of a paragraph that has a point to remember


def kind(name: str, write: Callable[[PassageReading], Iterator[DraftQuestion]]) -> Kind:
    return Kind(
        name=name,
        write=write,
        how_to_answer="Answer in your own words, without looking; then you compare it with the course yourself.",
    )


def draft(text: str, found: Sequence[Block], concept: str) -> DraftQuestion:
    """A question whose answer is to be compared with these paragraphs."""
    shown = "\n\n".join(map(_shown, found))
    return DraftQuestion(
        kind="recall", difficulty="medium", text=text, answer=shown, concept=concept, source=shown
    )


def _shown(block: Block) -> str:
    """A paragraph on one line, a list with one line for each item."""
    lines = items(block.text) if block.kind == "list" else [block.text]
    return re.sub(r":$", ".", "\n".join(map(plain, lines)))


def told(reading: PassageReading) -> list[Block]:
    """The paragraphs and lists of a passage that tell something, without the sentences that only announce what comes."""
    found = (
        without_announcements(block)
        for block in blocks(reading.passage.chunk_text)
        if block.kind in ("paragraph", "list")
    )
    return [block for block in found if block.text and not _is_aside(block) and not _is_caption(block)]


def without_announcements(block: Block) -> Block:
    """The block without 'Let's look at an example:' at its end, and without 'Here we're going to …' at its beginning."""
    if block.kind == "list":
        return block if not block.text.rstrip().endswith(":") else Block("list", "")
    said = whole_sentences(block.text)
    while said and (_announces(said[-1]) or (len(said) > 1 and is_to_the_reader(said[-1]))):
        said.pop()
    while len(said) > 1 and is_to_the_reader(said[0]):
        said.pop(0)
    return Block("paragraph", " ".join(said))


def says_enough(sentence: str) -> bool:
    """Whether a sentence tells something beside announcing what comes."""
    return len(content_set(_POINTS_AHEAD.sub(" ", sentence))) >= _FEWEST_STEMS


def _announces(sentence: str) -> bool:
    return sentence.rstrip().endswith(":") and bool(
        _POINTS_AHEAD.search(sentence.rstrip())
        or is_to_the_reader(sentence)
        or len(sentence.split()) < _FEWEST_TOLD
    )


def has_a_point(block: Block) -> bool:
    return len(block.text.split()) >= _FEWEST_WORDS


def is_about_what_is_shown(block: Block) -> bool:
    """'Here the model …': about a picture or a piece of code beside it."""
    return bool(_OF_WHAT_IS_SHOWN.match(block.text))


def is_to_the_reader(sentence: str) -> bool:
    """Words about what is going to be done rather than about the subject."""
    return bool(_TO_THE_READER.search(sentence))


def _is_caption(block: Block) -> bool:
    """A few words without an end stop: the name of what follows."""
    said = bare(plain(block.text))
    return (
        block.kind == "paragraph" and len(said.split()) < _FEWEST_TOLD and not said.endswith((".", "!", "?"))
    )


def _is_aside(block: Block) -> bool:
    """Words about the book, or orders to the reader: nothing to remember."""
    said = items(block.text) if block.kind == "list" else whole_sentences(plain(block.text))
    if block.kind == "paragraph" and len(said) <= _FEW and any(map(is_to_the_reader, said[:1])):
        return True
    said = said if block.kind == "list" else said[:1]
    return sum(is_aside(bare(plain(each).lstrip("-*+ "))) for each in said) * 2 > len(said)
