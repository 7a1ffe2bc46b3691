"""Finds the phrases of all tables in a message, past its courtesies, and says how much each is worth."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

from agents.coordinator.language.courtesies import LEAD_INS, TAIL_INS
from agents.coordinator.language.messages import Message, Span
from agents.coordinator.language.patterns import Match, Phrase, PhraseBook, parse_table
from agents.coordinator.language.spelling import Speller
from agents.coordinator.language.wording import DETERMINERS, LIGHT
from agents.coordinator.phrases import abroad, guidance, learning, quiz, talk, tasks
from agents.coordinator.phrases.groups import GROUPS

# While a question waits, what else the message says decides whether a phrase in it counts.
_ONLY_ALONE = frozenset({"greet", "thanks", "small_talk", "help", "yes", "no"})
_ALONE_OR_LAST = frozenset({"pause", "skip", "next", "resume", "answer", "stop"})
_MAY_HAVE_ARTICLE = frozenset({"hint", "pause"})  # 'a hint' is a command, 'a stop' is an answer
_MOST_WORDS_TO_SPELL = 40
_MOST_LEAD_INS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A phrase in a message, what it is worth (0..1), and the words it kept."""

    phrase: Phrase
    score: float
    kept: str
    is_whole: bool


@dataclass(frozen=True, slots=True)
class _Books:
    phrases: PhraseBook
    lead_ins: PhraseBook
    tail_ins: PhraseBook
    speller: Speller


def find_phrases(message: Message, *, pending: bool) -> Iterator[Found]:
    """Everything that the message may be saying, also with its slips put right."""
    books = _books(pending)
    yield from _find(message, books, pending=pending)
    corrected = (
        books.speller.correct(message.words[:_MOST_WORDS_TO_SPELL]) + message.words[_MOST_WORDS_TO_SPELL:]
    )
    if corrected != message.words:
        for found in _find(message.with_words(corrected), books, pending=pending, only_whole=pending):
            yield replace(found, score=found.score - 0.03)


def after_courtesies(message: Message, span: Span, *, pending: bool) -> int:
    """The word at which the matter begins."""
    core = _core(message, span)
    words = [message.words[place] for place in core]
    starts = _starts(words, _books(pending).lead_ins, hedged=False)
    place = core[starts[-1][0]] if len(starts) > 1 else span.start
    while place < span.end - 1 and message.words[place] in LIGHT - DETERMINERS:
        place += 1
    return place


def _find(message: Message, books: _Books, *, pending: bool, only_whole: bool = False) -> Iterator[Found]:
    for span in message.spans():
        if only_whole and not span.is_whole:
            return
        core = _core(message, span)
        words = [message.words[place] for place in core]
        for start, requested in _starts(words, books.lead_ins):
            for end in _ends(words, start, books.tail_ins):
                for match in books.phrases.find(words, start, end):
                    score = _worth(match, message, span, pending=pending, requested=requested)
                    if score:
                        first, stop = match.kept
                        kept = message.quote(core[first], core[stop - 1] + 1) if first < stop else ""
                        yield Found(phrase=match.phrase, score=score, kept=kept, is_whole=span.is_whole)


def _worth(match: Match, message: Message, span: Span, *, pending: bool, requested: bool) -> float:
    action = match.phrase.action
    named = match.named + requested
    worth = 0.80 + 0.05 * min(named, 3) + 0.001 * named + 0.01 * match.phrase.timely
    worth -= 0.02 * bool(match.free) + (0.01 * min(match.free, 8) if action == "goal" else 0.0)
    if action == "tasks" and match.phrase.line.startswith("i ") and _has_clauses(message, span):
        worth -= 0.06  # 'I have an exam on Friday, can you test me?': what is said is not what is asked for
    if action in _ONLY_ALONE and (match.free > 2 or not span.is_whole):
        worth -= 0.3  # a greeting is what a message is for only if it says nothing else
    if not pending:
        return worth if span.is_whole else worth - (0.12 if named == 1 else 0.06 if span.is_last else 0.10)
    if named == 1 and (not span.is_whole or match.keeps or _has_article(message, action)):
        return 0.0
    if action == "answer" and match.free:  # 'I don't know, give me a hint' asks for the hint
        worth -= 0.18
    if action in _ONLY_ALONE and (match.free or not span.is_whole):
        return 0.0
    if span.is_whole:
        return worth
    if action in _ALONE_OR_LAST and not (span.is_last or requested):
        return 0.0
    return worth - 0.10 if span.is_last or span.start == 0 else 0.0


def _has_clauses(message: Message, span: Span) -> bool:
    return sum(not other.is_whole for other in message.spans()) > 1 and span.is_whole


def _has_article(message: Message, action: str) -> bool:
    return action not in _MAY_HAVE_ARTICLE and message.words[0] in ("a", "an", "the")


def _core(message: Message, span: Span) -> list[int]:
    """The places of the words that count."""
    return [place for place in range(span.start, span.end) if message.words[place] not in LIGHT]


def _starts(words: list[str], lead_ins: PhraseBook, *, hedged: bool = True) -> list[tuple[int, bool]]:
    """Where the matter may begin, and whether it is asked for ('could you …', 'I want to …')."""
    starts = [(0, False)]
    while len(starts) <= _MOST_LEAD_INS:
        start, requested = starts[-1]
        lead_in, stop = lead_ins.longest_prefix(words, start, len(words))
        if lead_in is None or stop >= len(words) or (lead_in.action == "hedge" and not hedged):
            return starts
        starts.append((stop, requested or lead_in.action == "request"))
    return starts


def _ends(words: list[str], start: int, tail_ins: PhraseBook) -> list[int]:
    ends = [len(words)]
    while len(ends) <= _MOST_LEAD_INS:
        stop = tail_ins.longest_suffix(words, start + 1, ends[-1])
        if stop == ends[-1]:
            break
        ends.append(stop)
    return ends


@cache
def _books(pending: bool) -> _Books:
    english: list[Phrase] = []
    for module in (talk, quiz, learning, guidance, tasks):
        english += _phrases_of(module.ANYTIME, module.PENDING if pending else module.IDLE)
    foreign = _phrases_of(abroad.ANYTIME, abroad.PENDING if pending else abroad.IDLE)
    lead_ins = PhraseBook(parse_table(LEAD_INS, groups={}))
    return _Books(
        PhraseBook(english + foreign),
        lead_ins,
        PhraseBook(parse_table(TAIL_INS, groups={})),
        Speller(PhraseBook(english).vocabulary() | lead_ins.vocabulary()),
    )


def _phrases_of(anytime: Mapping[str, str], timely: Mapping[str, str]) -> list[Phrase]:
    return [
        *parse_table(anytime, groups=GROUPS),
        *parse_table(timely, groups=GROUPS, timely=True),
    ]
