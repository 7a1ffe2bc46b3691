"""Say it from memory and compare: asked where nothing sharper can be, and marked by the learner."""

import re
from collections.abc import Iterator, Sequence

from agents.state import QuizQuestion
from agents.teaching.blocks import Block, blocks, items, whole_sentences
from agents.teaching.markup import plain
from agents.teaching.questions.base import Draft, Kind, Reading
from agents.teaching.questions.sentences import whole_thoughts
from agents.teaching.topics import key_words
from agents.teaching.words import content_set
from rag.asides import is_aside
from rag.headings import heading_name
from storage.course import Concept

_EMPHASISED = re.compile(
    r"(?<![\w*_`])(?:\*\*|__|\*|_|`)([A-Za-z][^*_`\n]{2,30}?)(?:\*\*|__|\*|_|`)(?![\w*_`])"
)
_QUESTION = re.compile(r"^(?:what|why|how|when|where|who|which|was|warum|wie|wann|wo|wer)\b", re.IGNORECASE)
_TITLE = re.compile(r"^\w+ing\b|\b(?:and|or|with|vs\.?|und|oder|mit)\b|[:,!&]", re.IGNORECASE)
_MOST_WORDS = 90  # to compare with
_FEWEST_WORDS = 20  # of a paragraph that has a point to remember
_MOST_TERM_WORDS = 4
_FEWEST_TO_CUT = 11  # words of a sentence
_FEWEST_BEFORE = 5
_CUE = 7
_ENOUGH_NAMED = 2
_OPEN = re.compile(r"\b(?:he|she|they|it|this|these|those|such|them|er|sie|es|dies\w*)\b", re.IGNORECASE)
_JOINTS = frozenset(
    "because that which who when where while so to by for if unless until whereas and but or than into with "
    "weil dass die der das wenn wo während um durch für und aber oder als mit".split()
)


def write(reading: Reading) -> Iterator[Draft]:
    """First what the passage is about, then the terms it stresses, then its paragraphs one by one."""
    told = [
        block
        for block in blocks(reading.passage.chunk_text)
        if block.kind in ("prose", "list") and not block.text.rstrip().endswith(":") and not _is_aside(block)
    ]
    used: set[str] = set()
    for concept in reading.about:
        found = _about(concept, told, reading)
        used |= {block.text for block in found[:1]}
        if found:
            yield _draft(_asked(concept), found, concept.name)
    for block in told:
        term = next((term for term in _stressed(block) if _fits(term, reading)), "")
        if term and block.text not in used and _has_a_point(block):
            used.add(block.text)
            asked = f"Close the text: what is “{term}”, and what is it for? Then compare."
            yield _draft(asked, [block], reading.concept_of(block.text))
    yield from _unfinished(reading)
    for block in told:
        if block.text not in used and _has_a_point(block):
            cue = " ".join(plain(block.text).split()[:_CUE])
            asked = f"Close the text. One part begins: “{cue} …”. What is its point? Then compare."
            yield _draft(asked, [block], reading.concept_of(block.text))


def _unfinished(reading: Reading) -> Iterator[Draft]:
    """The first half of a sentence, to be gone on with."""
    for sentence in whole_thoughts(reading.passage.chunk_text):
        words = sentence.text.split()
        middle = _middle(words)
        if middle and not _is_open(words[:middle]):
            yield Draft(
                kind="recall",
                difficulty="medium",
                text=f"Close the text and finish this sentence: “{' '.join(words[:middle])} …” Then compare.",
                answer=sentence.text,
                concept=reading.concept_of(sentence.text),
                source=sentence.source,
            )


def _is_open(words: Sequence[str]) -> bool:
    """Whether a word stands for something that the words before it do not name."""
    named = 0
    for word in words:
        if _OPEN.fullmatch(word.strip(",;")) and named < _ENOUGH_NAMED:
            return True
        named += bool(content_set(word))
    return False


def _middle(words: Sequence[str]) -> int:
    """Where a sentence can be cut so that the second half is what there is to know; 0 when nowhere."""
    if len(words) < _FEWEST_TO_CUT:
        return 0
    third = len(words) // 3
    places = range(max(_FEWEST_BEFORE, third), len(words) - third)
    joints = [
        at for at in places if words[at].lower().strip("(") in _JOINTS and not words[at - 1].endswith(",")
    ]
    joints = joints or [at for at in places if words[at - 1].endswith(",")]
    return min(joints, key=lambda at: abs(at - len(words) // 2), default=0)


def _is_aside(block: Block) -> bool:
    """Words about the book, or orders to the reader: nothing to remember."""
    said = items(block.text) if block.kind == "list" else whole_sentences(plain(block.text))[:1]
    return sum(is_aside(plain(each).lstrip("-*+ ")) for each in said) * 2 > len(said)


def _has_a_point(block: Block) -> bool:
    return len(block.text.split()) >= _FEWEST_WORDS


def _asked(concept: Concept) -> str:
    name = heading_name(concept.name)
    if _QUESTION.match(name):
        return f"Close the text and answer: {name}? Then compare."
    if concept.kind in ("section", "heading") and (
        _TITLE.search(name) or len(name.split()) > _MOST_TERM_WORDS
    ):
        return f"Close the text and explain “{name}” to somebody who has not read it. Then compare."
    return f"Close the text: what is “{name}”, and what is it for? Then compare."


def _about(concept: Concept, told: Sequence[Block], reading: Reading) -> list[Block]:
    """The paragraph that says most of the concept; what a heading names is told from its first paragraph on."""
    if concept.kind in ("term", "glossary") or concept.chunk_id != reading.passage.chunk_id:
        words = set(key_words(concept.name))
        naming = [block for block in told if words and words <= set(key_words(block.text))]
        return sorted(naming, key=lambda block: -_says_of(concept, block))[:1]
    found: list[Block] = []
    for block in told:
        if sum(len(each.text.split()) for each in (*found, block)) > _MOST_WORDS and found:
            break
        found.append(block)
    return found


def _says_of(concept: Concept, block: Block) -> int:
    """How many of its sentences begin with the concept; one that sets it in bold introduces it."""
    name = re.compile(rf"(?:An? |The )?[*_`“\"]*{re.escape(concept.name)}", re.IGNORECASE)
    begun = sum(bool(name.match(sentence)) for sentence in whole_sentences(block.text))
    return begun + 2 * (f"**{concept.name.lower()}" in block.text.lower())


def _stressed(block: Block) -> list[str]:
    return [match.strip() for match in _EMPHASISED.findall(block.text) if content_set(match)]


def _fits(term: str, reading: Reading) -> bool:
    taken = {concept.name.lower() for concept in reading.about}
    return (
        len(term.split()) <= _MOST_TERM_WORDS
        and term.lower() not in taken
        and not term.endswith((".", "!", "?"))
    )


def _draft(text: str, found: Sequence[Block], concept: str) -> Draft:
    shown = "\n\n".join(plain(block.text) for block in found)
    return Draft(kind="recall", difficulty="medium", text=text, answer=shown, concept=concept, source=shown)


def _hint(question: QuizQuestion, number: int) -> str:
    """A little more of the beginning each time, never the whole."""
    first = next(iter(whole_sentences(question.source_context)), question.source_context).split()
    shown = " ".join(first[: max(2, len(first) * min(number, 3) // 4)])
    return f"The paragraph to remember begins: “{shown} …”"


def _is_fair(question: QuizQuestion) -> bool:
    return bool(question.source_context.strip())


KIND = Kind(
    name="recall",
    write=write,
    how_to_answer="Answer in your own words, without looking; then you compare it with the course yourself.",
    marked_by="learner",
    hint=_hint,
    lint=_is_fair,
    is_last_resort=True,
)
