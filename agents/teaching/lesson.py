"""A lesson without a language model: guided reading of the author's own paragraphs, whole and in order."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

from agents.language.blocks import BlockKind, items, plain, split_blocks, whole_sentences
from agents.language.headings import heading_name, is_list_of_terms, is_worked_example, tells_again
from agents.language.words import bold, joined, same_text
from agents.teaching.parts import MOST_WORDS, announces, is_title_line
from agents.teaching.topics import key_words
from agents.teaching.values import RetrievalResult, part_label

_SPAN = re.compile(r"(`+).+?\1|\$[^$\n]+\$|!?\[[^\]\n]*\]\([^)\n]*\)|\*\*.+?\*\*|__.+?__", re.DOTALL)
_MARKS = re.compile(r"(?:\s*\[\d{1,3}\])+\s*\Z")
_BY_EXAMPLE = re.compile(r"\b(?:for example|for instance|e\.g\.|as an example)(?!\w)", re.IGNORECASE)
_READ = ("paragraph", "list")  # the mark of the source goes behind what else there is
_LISTED = 4

_FEWEST_WORDS = 15  # of prose; less is no explanation

ALL_THERE_IS = (
    "This is all that the course says about {about}. Read it once more with this question in mind: "
)
_AFTER_A_ROUND = "what would you have to know to get the last questions right?"
_IN_BETWEEN = "which sentence is it that does not make sense yet? Ask me about that one."


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """The text, and what it tells: for the first time, or again."""

    text: str
    sources: tuple[RetrievalResult, ...]  # in the order in which they are cited
    way_on: str = ""  # what comes after it
    told: tuple[str, ...] = ()
    retold: tuple[str, ...] = ()
    foundations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What a lesson is to be about."""

    topic: str
    concepts: tuple[str, ...]
    part: int = 1
    parts: int = 1
    missed: tuple[str, ...] = ()
    foundations: tuple[tuple[str, tuple[str, ...]], ...] = ()  # what the missed ones build on
    definitions: tuple[tuple[str, str], ...] = ()  # of the glossary
    solutions: tuple[
        tuple[str, str, str], ...
    ] = ()  # to what was missed: the concept, what was asked, the author's answer
    title: str = ""  # of the part
    has_quiz: bool = True
    is_aside: bool = False  # asked for in between: only what is new, and no quiz is announced


def first_lesson(order: Order, passages: Sequence[RetrievalResult]) -> Lesson:
    """The part as its author wrote it, with a line before and a line after."""
    page = _Page(order.concepts)
    page.say(_before(order, passages))
    page.show(passages)
    return Lesson(text=page.text, sources=page.sources, way_on=_after(order), told=order.concepts)


def another_way(
    order: Order,
    own: Sequence[RetrievalResult],
    elsewhere: Sequence[RetrievalResult],
    *,
    already_told: str,
) -> Lesson:
    """What was missed, from another place of the course; else the glossary; else the same place once more."""
    missed = order.missed or order.concepts
    said = same_text(already_told)
    page = _Page(missed)
    told: list[str] = []
    founded: list[str] = []
    for name in missed:
        if _shows_elsewhere(page, name, order, elsewhere, said=said):
            told.append(name)
    needed = dict.fromkeys(each for _, names in order.foundations for each in names if each not in missed)
    for name in needed if not told else ():
        place = _other_place(name, elsewhere, said=said, shown=page.shown)
        if place and page.words + len(place.chunk_text.split()) <= MOST_WORDS:
            page.show([place], lead=f"It builds on **{name}**, which {place.place} explains:")
            founded.append(name)
    retold = [name for name in missed if name not in told]
    if retold and not (order.is_aside and (told or founded)):
        lead = ALL_THERE_IS.format(about=joined(bold(retold[:_LISTED]))) + (
            _IN_BETWEEN if order.is_aside else _AFTER_A_ROUND
        )
        page.show(_about(retold, own) or own[:1], lead=lead)
    return Lesson(
        text=page.text,
        sources=page.sources,
        way_on="" if order.is_aside else _after(order),
        told=tuple(told),
        retold=tuple(retold),
        foundations=tuple(founded),
    )


def _shows_elsewhere(
    page: "_Page", name: str, order: Order, elsewhere: Sequence[RetrievalResult], *, said: str
) -> bool:
    """The author's own answer, a summary, another place, an example or the glossary: the first that is new."""
    solved = _shows_solution(page, name, order, said=said)
    told: list[RetrievalResult] = []
    examples: list[RetrievalResult] = []
    recaps: list[RetrievalResult] = []
    for each in elsewhere:
        if any(map(is_worked_example, each.heading_hierarchy)):
            examples.append(each)
        elif tells_again(each.heading_hierarchy):
            recaps.append(each)
        elif not is_list_of_terms(each.heading_hierarchy):
            told.append(each)
    ways = (
        (_summed_up(name, recaps, said=said), f"**{name}** in short, from {{place}}:"),
        (_other_place(name, told, said=said, shown=page.shown), f"**{name}** another way, from {{place}}:"),
        (_worked(name, examples, said=said), f"**{name}** in an example, from {{place}}:"),
    )
    for place, lead in ways:
        if place and (not page.words or page.words + len(place.chunk_text.split()) <= MOST_WORDS):
            page.show([place], lead=lead.format(place=place.place))
            return True
    definition = dict(order.definitions).get(name, "")
    entry = next((each for each in elsewhere if definition and definition in each.chunk_text), None)
    if entry and same_text(definition) not in said:
        page.show(
            [entry.model_copy(update={"chunk_text": definition})], lead=f"**{name}**, from the glossary:"
        )
        return True
    return solved


def _shows_solution(page: "_Page", name: str, order: Order, *, said: str) -> bool:
    """What the author answers to a question that was missed."""
    for concept, question, solution in order.solutions:
        if concept == name and same_text(solution) not in said:
            page.say(f"You were asked: {question.strip()}\n\nThe author’s answer:\n\n{solution.strip()}")
            return True
    return False


def _summed_up(name: str, recaps: Sequence[RetrievalResult], *, said: str) -> RetrievalResult | None:
    """Of a summary, what it says about the concept."""
    for each in recaps:
        blocks = [text for _, text in split_blocks(each.chunk_text) if _names(text, name)]
        kept = [_naming_items(text, name) for text in blocks]
        if kept and same_text(kept[0]) not in said:
            return each.model_copy(update={"chunk_text": "\n\n".join(kept)})
    return None


def _naming_items(text: str, name: str) -> str:
    """Of a list, the items that name it; a paragraph is told whole."""
    every = items(text)
    return "\n".join(each for each in every if _names(each, name)) if len(every) > 1 else text


def _worked(name: str, examples: Sequence[RetrievalResult], *, said: str) -> RetrievalResult | None:
    """An example that names the concept, whole."""
    naming = (each for each in examples if _names(f"{each.heading_hierarchy[-1]} {each.chunk_text}", name))
    return next((each for each in naming if same_text(each.chunk_text) not in said), None)


class _Worth(NamedTuple):
    """How much a passage is about a concept: what comes first counts most."""

    is_headed: bool  # its heading names the concept
    opens: bool  # a sentence opens with it
    share: float  # of the sentences name it


_MENTIONS = _Worth(False, False, 0.0)  # at most


class _Page:
    """A lesson while it is written: what stands on it, and where that is from."""

    def __init__(self, terms: Iterable[str]) -> None:
        self._parts: list[str] = []
        self._sources: dict[str, RetrievalResult] = {}
        self._terms = {
            name: re.compile(rf"(?<![\w*`-]){re.escape(name)}(?:e?s)?(?![\w*`-])", re.IGNORECASE)
            for name in terms
        }
        self.words = 0

    @property
    def text(self) -> str:
        return "\n\n".join(self._parts)

    @property
    def sources(self) -> tuple[RetrievalResult, ...]:
        return tuple(self._sources.values())

    @property
    def shown(self) -> frozenset[str]:
        return frozenset(self._sources)

    def say(self, line: str) -> None:
        self._parts.append(line)

    def show(self, passages: Iterable[RetrievalResult], *, lead: str = "") -> None:
        """The blocks of passages, each with the mark of its source, under the headings of their sections."""
        if lead:
            self.say(lead)
        section: tuple[str, ...] | None = None
        for passage in passages:
            is_new = section is not None or any(map(is_worked_example, passage.heading_hierarchy[1:]))
            if is_new and passage.heading_hierarchy not in ((), section):
                self.say(f"#### {heading_name(passage.heading_hierarchy[-1])}")
            section = passage.heading_hierarchy
            self._sources.setdefault(passage.chunk_id, passage)
            number = list(self._sources).index(passage.chunk_id) + 1
            blocks = split_blocks(passage.chunk_text)
            followed = [kind for kind, _ in blocks[1:]]
            for (kind, text), after in zip_longest(blocks, followed):
                # A formula is part of its sentence, and a title of what it is above: the mark comes behind both.
                is_inside = after is not None and (after == "formula" or is_title_line(text))
                told = self._with_terms(text) if kind in _READ else text
                self._parts.append(told.rstrip() if is_inside else self._cited(kind, told, number=number))
            self.words += len(passage.chunk_text.split())

    def _cited(self, kind: BlockKind, text: str, *, number: int) -> str:
        if kind in _READ:
            return f"{text.rstrip()} [{number}]"
        return f"{text}\n\n[{number}]"

    def _with_terms(self, text: str) -> str:
        """Each key term in bold where it is first named, outside of code, formulas and links."""
        for name, pattern in list(self._terms.items()):
            marked = text if f"**{name.lower()}" in text.lower() else _outside_spans(text, pattern)
            if f"**{name.lower()}" in marked.lower():
                del self._terms[name]
            text = marked
        return text


def examples_in(text: str) -> list[str]:
    """What a lesson shows by example: its code, what it works through, and what it says is one."""
    found: list[str] = []
    is_worked = False
    for kind, block in split_blocks(text):
        if block.startswith("#"):
            is_worked = is_worked_example(block.lstrip("# "))
        elif kind == "code" or is_worked or _BY_EXAMPLE.search(block):
            found.append(_MARKS.sub("", block).strip())
    return [example for example in found if example]


def _before(order: Order, passages: Sequence[RetrievalResult]) -> str:
    """What this is about, and why now."""
    label = part_label(f"**{order.topic}**", order.part, order.parts)
    title = order.title if order.parts > 1 else ""  # the one part of a topic is the topic
    taken = {heading_name(order.topic).lower(), title.lower()}
    others = [name for name in order.concepts if name.lower() not in taken]
    under = f", “{title}”" if title and title.lower() != heading_name(order.topic).lower() else ""
    about = f"{under}: {joined(bold(others[:_LISTED]))}" if others else under
    warning = "" if order.has_quiz else "There are no questions on this one: it is too short for a fair quiz."
    return " ".join(filter(None, [f"{label}{about}.", _where(order, passages), warning]))


def _where(order: Order, passages: Sequence[RetrievalResult]) -> str:
    title = heading_name(passages[0].title) if passages else ""
    is_named = bool(title) and title.lower() != heading_name(order.topic).lower()
    if not is_named:
        return ""
    if order.part > 1:
        return f"It stands in “{title}”."
    return f"The course explains it in “{title}”, so we begin there."


def _after(order: Order) -> str:
    if not order.has_quiz:
        return "Ask me anything about it, or name another topic."
    return "Read it at your own pace; then a few questions on what stands here."


def _outside_spans(text: str, pattern: re.Pattern[str]) -> str:
    spans = [match.span() for match in _SPAN.finditer(text)]
    for match in pattern.finditer(text):
        if not any(start <= match.start() < end for start, end in spans):
            return f"{text[: match.start()]}**{match.group()}**{text[match.end() :]}"
    return text


def _other_place(
    name: str, elsewhere: Sequence[RetrievalResult], *, said: str, shown: Collection[str]
) -> RetrievalResult | None:
    """The place that explains the concept best and was not read yet, cut to what does."""
    best, most = None, _MENTIONS
    for result in elsewhere:
        worth, kept = _explanation(name, result)
        if worth > most and result.chunk_id not in shown and same_text(kept[0]) not in said:
            best, most = result.model_copy(update={"chunk_text": "\n\n".join(kept)}), worth
    return best


def _explanation(name: str, result: RetrievalResult) -> tuple[_Worth, list[str]]:
    """How much a passage is about a concept, and its blocks from the paragraph on that is."""
    every = [(kind, text) for kind, text in split_blocks(result.chunk_text) if not announces(kind, text)]
    worths = [_keeps_to(name, text) if kind == "paragraph" else _MENTIONS for kind, text in every]
    best = max(worths, default=_MENTIONS)
    if result.heading_hierarchy and _names(result.heading_hierarchy[-1], name):
        worth = _Worth(True, best.opens, best.share)
        kept = every if any(_names(text, name) for _, text in every) else []
    else:
        worth = best
        kept = every[worths.index(best) :] if best > _MENTIONS else []
    if sum(len(text.split()) for kind, text in kept if kind in _READ) < _FEWEST_WORDS:
        return _MENTIONS, []
    return worth, list(_as_long_as_a_lesson(text for _, text in kept))


def _keeps_to(name: str, paragraph: str) -> _Worth:
    """A paragraph speaks of what a sentence of it opens with, or of what most of its sentences name."""
    sentences = whole_sentences(plain(paragraph))
    wanted = key_words(name)
    opens = bool(wanted) and any(key_words(each)[: len(wanted)] == wanted for each in sentences)
    naming = sum(_names(each, name) for each in sentences)
    if not opens and (naming == 1 or 2 * naming < len(sentences)):
        return _MENTIONS
    return _Worth(False, opens, naming / len(sentences) if sentences else 0.0)


def _names(text: str, name: str) -> bool:
    wanted = set(key_words(name))
    return bool(wanted) and wanted <= set(key_words(text))


def _as_long_as_a_lesson(texts: Iterable[str]) -> Iterator[str]:
    words = 0
    for text in texts:
        words += len(text.split())
        if words > MOST_WORDS and words > len(text.split()):
            return
        yield text


def _about(names: Sequence[str], own: Sequence[RetrievalResult]) -> list[RetrievalResult]:
    """Of the part's passages, those that name what was missed."""
    return [result for result in own if any(_names(result.chunk_text, name) for name in names)]
