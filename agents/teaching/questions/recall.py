"""What a thing is and what it is for, from memory."""

import re
from collections.abc import Iterator, Sequence

from agents.language.blocks import Block, items, plain, whole_sentences
from agents.language.headings import heading_name, is_frame
from agents.language.words import content_set, term_key
from agents.teaching.questions import memory
from agents.teaching.questions.base import DraftQuestion, PassageReading
from agents.teaching.questions.grammar import is_plural_noun
from agents.teaching.questions.terms import bare_name
from agents.teaching.values import Concept

_EMPHASISED = re.compile(
    r"(?<![\w*_`])(?:\*\*|__|\*|_|`)([A-Za-z][^*_`\n]{2,30}?)(?:\*\*|__|\*|_|`)(?![\w*_`])"
)
_QUESTION = re.compile(r"^(?:what|why|how|when|where|who|which|was|warum|wie|wann|wo|wer)\b", re.IGNORECASE)
_TITLE = re.compile(r"^\w+ing\b|\b(?:and|or|with|vs\.?|und|oder|mit)\b|[:,!&]", re.IGNORECASE)
_CALLED = r"\b(?:called|known as|named|termed|referred to as|heißt|heißen|genannt)(?: the| an?)?"
_IS = re.compile(
    r"[^\w\s]*\s*(?:\([^)]*\)[^\w\s]*\s*)?(?:is|are|refers? to|means?|allows?|lets?|ist|sind|bezeichnet|bedeutet)\b"
)
_DEFINES = 5  # as good as so many sentences that only begin with it
_MOST_WORDS = 90  # to compare with
_FEWEST_TO_SAY = 6  # words with a meaning that say what a thing is
_MOST_TERM_WORDS = 4


def write(reading: PassageReading) -> Iterator[DraftQuestion]:
    """First what the passage is about, then the terms that it stresses."""
    told = memory.told(reading)
    used: set[str] = set()
    for concept in reading.about:
        if is_frame(term_key(concept.name)):
            continue
        found = _about(concept, told, reading)
        used |= {block.text for block in found[:1]}
        if len(content_set(" ".join(block.text for block in found))) >= _FEWEST_TO_SAY:
            yield memory.draft(_asked(concept, found, reading), found, concept.name)
    for block in told:
        term = next((term for term in _stressed(block) if _fits(term, reading) and _begins(term, block)), "")
        if term and block.text not in used and memory.has_a_point(block):
            used.add(block.text)
            asked = f"Close the text: what is “{term}”, and what is it for? Then compare."
            yield memory.draft(asked, [_with(term, block)], reading.concept_of(block.text))


def _asked(concept: Concept, found: Sequence[Block], reading: PassageReading) -> str:
    name = heading_name(concept.name)
    if _QUESTION.match(name):
        return f"Close the text and answer: {name}? Then compare."
    is_thing = any(_says_of(concept, block) for block in found)
    if concept.kind in ("section", "heading") and (
        _TITLE.search(name) or len(name.split()) > _MOST_TERM_WORDS or not is_thing
    ):
        above = "" if is_thing else _heading_above(name, reading)
        where = f" (under “{above}”)" if above else ""
        return f"Close the text and explain “{name}”{where} to somebody who has not read it. Then compare."
    if is_plural_noun(bare_name(name).rsplit(maxsplit=1)[-1]):
        return f"Close the text: what are “{name}”, and what are they for? Then compare."
    return f"Close the text: what is “{name}”, and what is it for? Then compare."


def _heading_above(name: str, reading: PassageReading) -> str:
    """Where a heading stands that says little alone: 'Mechanism' under 'Osmosis'."""
    path = [heading_name(heading) for heading in reading.passage.heading_hierarchy]
    place = next((at for at, heading in enumerate(path) if heading.lower() == name.lower()), 0)
    return path[place - 1] if place else ""


def _about(concept: Concept, told: Sequence[Block], reading: PassageReading) -> list[Block]:
    """The paragraph that says most of the concept; of what a heading names, those from there on; none that only mentions it."""
    saying = [at for at, block in enumerate(told) if _says_of(concept, block)]
    is_elsewhere = concept.chunk_id != reading.passage.chunk_id
    if is_elsewhere and _goes_on(concept, reading):
        return []  # what it is was told where its section began
    if is_elsewhere and concept.kind not in ("term", "glossary"):
        # What has a section of its own is told there, unless another place says what it is.
        saying = [at for at in saying if _introduces(concept, told[at])]
    if is_elsewhere or concept.kind in ("term", "glossary"):
        best = max(saying, key=lambda at: _says_of(concept, told[at]), default=None)
        return [_narrowed(concept, told[best])] if best is not None else []
    found: list[Block] = []
    for block in told[saying[0] if saying else _most_of(concept, told) :]:
        if found and memory.is_about_what_is_shown(block):
            break
        if sum(len(each.text.split()) for each in (*found, block)) > _MOST_WORDS and found:
            break
        found.append(block)
    return found


def _most_of(concept: Concept, told: Sequence[Block]) -> int:
    """The first paragraph that has most of the words of a heading: before it the scene is set."""
    words = content_set(concept.name)
    shares = [len(words & content_set(plain(block.text))) for block in told]
    return shares.index(max(shares)) if shares else 0


def _goes_on(concept: Concept, reading: PassageReading) -> bool:
    """Whether the passage belongs to the section that is called after the concept."""
    path = reading.passage.heading_hierarchy
    return bool(path) and heading_name(path[-1]).lower() == heading_name(concept.name).lower()


def _narrowed(concept: Concept, block: Block) -> Block:
    """Of a list, the items about the concept; of a paragraph, what it says from there on."""
    parts = items(block.text) if block.kind == "list" else whole_sentences(block.text)
    own = [at for at, part in enumerate(parts) if _says_of(concept, Block("paragraph", part))]
    if not own:
        return block
    if block.kind == "list":
        return Block("list", "\n".join(parts[at] for at in own))
    return Block("paragraph", " ".join(parts[own[0] :]))


def _with(term: str, block: Block) -> Block:
    """Of a list, the items that begin with the term."""
    own = [item for item in items(block.text) if _begins(term, Block("paragraph", item))]
    return Block("list", "\n".join(own)) if block.kind == "list" and own else block


def _begins(term: str, block: Block) -> bool:
    """Whether a sentence of the paragraph is about the term."""
    name = re.compile(rf"(?:An? |The )?[*_`“\"]*{re.escape(term)}[*_`”\"]*[ ,:]", re.IGNORECASE)
    return any(name.match(sentence.lstrip("-*+ ")) for sentence in whole_sentences(block.text))


def _says_of(concept: Concept, block: Block) -> int:
    """How much a block is about the concept: its sentences may begin with it, and one may say what it is."""
    if _bare(concept).lower() not in " ".join(block.text.lower().split()):
        return 0  # most concepts of a course, and cutting sentences takes time
    begun = sum(bool(_after(concept, sentence)) for sentence in whole_sentences(block.text))
    return begun + _DEFINES * _introduces(concept, block)


def _introduces(concept: Concept, block: Block) -> bool:
    """Whether a sentence says what the concept is, sets it in bold, or calls something by it."""
    name = re.escape(bare_name(concept.name))
    if re.search(rf"\*\*(?:the |an? )?{name}|{_CALLED} [*_`“\"]*{name}", block.text, re.IGNORECASE):
        return True
    return any(_IS.match(_after(concept, sentence)) for sentence in whole_sentences(block.text))


def _bare(concept: Concept) -> str:
    """The name without brackets and without the ending of a plural."""
    return re.sub(r"(?<=\w{3})s$", "", bare_name(concept.name))


def _after(concept: Concept, sentence: str) -> str:
    """What a sentence that begins with the concept goes on with; `Rc::clone` is another thing than `Rc`."""
    name = re.escape(_bare(concept))
    begun = re.match(
        rf"\W*(?:(?:the|an?) )?\W?{name}(?:e?s)?(?!\w|::|\.\w|\()(?P<rest>.+)",
        plain(sentence),
        re.IGNORECASE | re.DOTALL,
    )
    return begun["rest"] if begun else ""


def _stressed(block: Block) -> list[str]:
    return [match.strip() for match in _EMPHASISED.findall(block.text) if content_set(match)]


def _fits(term: str, reading: PassageReading) -> bool:
    taken = {concept.name.lower() for concept in reading.about}
    return (
        len(term.split()) <= _MOST_TERM_WORDS
        and term.lower() not in taken
        and not term.endswith((".", "!", "?", ":"))
    )


KIND = memory.kind("recall", write)
