"""Items from reasons and consequences: why something is so, and what happens when."""

import re
from collections.abc import Iterator

from agents.quiz.item_draft import Draft, Reading, ReadSentence
from agents.quiz.item_grammar import ask, inverts_cleanly, split_clause, without_asides
from agents.quiz.item_words import content_set, share_of, word_count, word_set
from agents.state import Difficulty
from storage.course import Concept

_BECAUSE = re.compile(r"^(?P<main>.+?),? (?P<reason>because (?!of this)\S.*)$")
_BECAUSE_FIRST = re.compile(r"^Because (?P<reason>(?!of this)[^,]+(?:, [^,]+ and [^,]+)?), (?P<main>[^,]+)$")
_SO_THAT = re.compile(r"^(?P<main>.+?),? (?P<reason>(?:so that|in order to|in order for) \S.*)$")
_SO = re.compile(
    r"^(?P<reason>[^,;]+(?:, [^,;]+)?), so (?!that\b|far\b|much\b|many\b|called\b)(?P<main>[^;]+)$"
)
_WHEN_FIRST = re.compile(r"^(?P<word>If|When|Once|Whenever) (?P<condition>[^,;]+), (?P<main>[^;]+)$")
_WHEN_LAST = re.compile(r"^(?P<main>[^,;]+?) (?P<condition>(?:only )?(?:when|if|unless|until) [^;]+)$")
_ADVICE = re.compile(r"^use (?:an? |the )?(?P<name>[\w -]+)$")
_BY = re.compile(r"^(?P<main>[^,;]+?) (?P<means>by (?!being)\w+ing\b[^;]*)$")
_OPEN_PRONOUN = re.compile(
    r"\b(?:it|its|they|their|them|themselves|itself|he|she|his|her|him|one|ones|others|nothing|this|these|those|such|do so|does so)\b",
    re.IGNORECASE,
)
_SEVERAL_CLAUSES = re.compile(r"[;:]|, (?:and|but|or|so|whereas|while|although|which|where|who)\b")
_VAGUE_REASON = re.compile(r"^because (?:it|this|that|they) (?:is|are|does|do)\b.{0,12}$")
_OPEN_START = re.compile(
    r"(?:it|they|this|that|there|not|only|such|everything|nothing|as|while|although|if|when|since|whether|unless|others?|another|some|many|a few|both|either)\b",
    re.IGNORECASE,
)
_OPEN_END = re.compile(
    r"\b(?:partly|simply|just|mainly|primarily|largely|probably|perhaps|is|are|was|even|especially|particularly|both|first|instead|otherwise)$"
    r"|\bboth\b(?! [\w-]+(?: [\w-]+)? and\b)"
)
_NARROWED = re.compile(
    r"[Tt]he [\w-]+(?: [\w-]+){0,2} (?:of|for|between|that|which|in|without|on|from|by|to) "
)
_STATES = word_set("is are was were has have can could may might should must cannot")
_IS_A_PURPOSE = re.compile(r"(?:it|they|he|she) (?:may|can|could|might)\b")
_UNREAL = re.compile(r"\b(?:had|were|would|could)\b")
_MOST_ANSWER_WORDS = 30
_CIRCULAR = 0.6
_MOST_STATED_WORDS = 18


def reason_items(reading: Reading) -> Iterator[Draft]:
    """Why-questions, what-happens-questions and how-questions."""
    for sentence in reading.sentences:
        yield from _whys(sentence, reading)
        yield from _what_follows(sentence, reading)
        yield from _consequences(sentence, reading)
        yield from _ways(sentence, reading)


def _whys(sentence: ReadSentence, reading: Reading) -> Iterator[Draft]:
    for pattern in (_BECAUSE, _BECAUSE_FIRST, _SO_THAT, _SO):
        match = pattern.match(sentence.body)
        if match is None:
            continue
        main, reason = match["main"].strip(), _first_clause(match["reason"])
        comes_first = sentence.body.startswith(main)
        about = topic_of(main, reading) or (topic_of(reason, reading) if comes_first else None)
        relative = re.search(r"\b(?:that|which|who)\b", main)
        inner = is_equation(main) and (pattern is _SO_THAT or relative)
        inner = inner or (pattern is _SO_THAT and re.search(r"\bby \w+ing\b", main))
        if (
            about
            and not inner
            and _can_be_asked(main, reading, comes_first=comes_first)
            and _is_answer(reason)
            and share_of(main, whole=reason) < _CIRCULAR
        ):
            text = _why(main, reading)
            given = reason if comes_first else f"because {reading.lower(reason)}"
            if text:
                yield _draft(sentence, text, given, about, difficulty="hard", basis="reason")
        return


def _what_follows(sentence: ReadSentence, reading: Reading) -> Iterator[Draft]:
    match = _SO.match(sentence.body)
    about = topic_of(match["reason"], reading) if match else None
    if (
        match
        and about
        and _can_be_asked(match["reason"], reading, comes_first=True)
        and _is_answer(match["main"])
        and is_generic(match["main"], reading)
        and not _IS_A_PURPOSE.match(match["main"])
        and " means that " not in match["reason"]
    ):
        text = f"What follows from the fact that {reading.lower(match['reason'])}?"
        yield _draft(sentence, text, match["main"], about, difficulty="hard", basis="consequence")


def topic_of(part: str, reading: Reading) -> Concept | None:
    """The concept that a part of a sentence is about: the first that it names."""
    mentions = reading.book.mentions(part, chapter_id=reading.passage.chapter_id)
    return mentions[0].concept if mentions else reading.section


def is_equation(main: str) -> bool:
    """'X is the …': what follows belongs to the noun, not to the whole clause."""
    clause = split_clause(main)
    return bool(clause and clause.verb in {"is", "are"} and re.match(r"(?:an?|the|one)\b", clause.rest))


def is_generic(text: str, reading: Reading) -> bool:
    """Whether a clause speaks of things in general, not of one that was introduced before."""
    if re.match(r"\d|[A-Z]?\w*ing (?:makes?|is|gives?|helps?|allows?)\b", text):
        return False
    if not re.match(r"(?:The|the) ", text):
        return True
    mentions = reading.book.mentions(text, chapter_id=reading.passage.chapter_id)
    return any(mention.start == 4 for mention in mentions) or bool(_NARROWED.match(text))


def pronouns_resolve(text: str) -> bool:
    """Whether every pronoun comes after something it can stand for."""
    match = _OPEN_PRONOUN.search(text)
    return match is None or (match.start() > 0 and len(content_set(text[: match.start()])) >= 2)


def _can_be_asked(main: str, reading: Reading, *, comes_first: bool) -> bool:
    return (
        3 <= word_count(main) <= 28
        and not _SEVERAL_CLAUSES.search(main)
        and (pronouns_resolve(main) if comes_first else not _OPEN_PRONOUN.search(main))
        and is_generic(main, reading)
        and not _OPEN_START.match(main)
        and not _OPEN_END.search(main)
    )


def _is_answer(reason: str) -> bool:
    return (
        3 <= word_count(reason) <= _MOST_ANSWER_WORDS
        and not _VAGUE_REASON.match(reason)
        and not reason.endswith((" both", " so"))
    )


def _first_clause(reason: str) -> str:
    cut = re.search(
        r", (?:so|whereas|but|although|even though|and therefore|which means|as when)\b|;", reason
    )
    return reason[: cut.start()].strip() if cut else reason.strip()


def _why(main: str, reading: Reading) -> str:
    """'Why does …?', or the statement and 'Why?'; empty where neither reads well."""
    clause = split_clause(reading.lower(main))
    if clause and inverts_cleanly(clause) and "," not in main:
        return f"{ask(clause, opening='Why')}?"
    return f"{main[0].upper()}{main[1:]}. Why?" if word_count(main) <= _MOST_STATED_WORDS else ""


def _consequences(sentence: ReadSentence, reading: Reading) -> Iterator[Draft]:
    first = _WHEN_FIRST.match(sentence.body)
    if first:
        yield from _advice(sentence, reading, first)
        yield from _what_happens(sentence, reading, first)
        return
    last = _WHEN_LAST.match(sentence.body)
    if last and "because" not in sentence.body:
        yield from _when(sentence, reading, last)


def _what_happens(sentence: ReadSentence, reading: Reading, match: re.Match[str]) -> Iterator[Draft]:
    condition, main = match["condition"], _first_clause(match["main"])
    about = topic_of(condition, reading) or topic_of(main, reading)
    clause = split_clause(main)
    happens = clause and clause.verb not in _STATES
    passive = clause and clause.verb in {"is", "are"} and re.match(r"(?:not )?\w+ed\b", clause.rest)
    specific = split_clause(condition) and is_generic(condition, reading)
    specific = specific and not _OPEN_PRONOUN.search(condition) and not _UNREAL.search(f"{condition} {main}")
    if "called" in main:
        return
    if about and (happens or passive) and specific and _is_answer(main):
        text = f"What happens {match['word'].lower()} {condition}?"
        yield _draft(sentence, text, main, about, difficulty="hard", basis="consequence")


def _advice(sentence: ReadSentence, reading: Reading, match: re.Match[str]) -> Iterator[Draft]:
    advice = _ADVICE.match(match["main"])
    concept = reading.book.find(advice["name"]) if advice else None
    if concept is None or not pronouns_resolve(match["condition"]):
        return
    others = [reading.shown(other) for other in reading.confusable(concept, beside=sentence.text)]
    if len(others) >= 3:
        text = f"Which of these would you use {match['word'].lower()} {match['condition']}?"
        yield Draft(
            kind="multiple_choice",
            difficulty="medium",
            text=text,
            answer=reading.shown(concept),
            concept=concept.name,
            source=sentence.source,
            basis="advice",
            options=(reading.shown(concept), *others[:3]),
        )


def _when(sentence: ReadSentence, reading: Reading, match: re.Match[str]) -> Iterator[Draft]:
    main, condition = match["main"], _first_clause(match["condition"])
    clause = split_clause(reading.lower(main))
    about = topic_of(clause.subject, reading) if clause else None
    dangling = re.search(r"\b(?:even|only|especially|particularly|and|or|than|as)$", main)
    if clause is None or about is None or dangling or is_equation(main) or clause.verb in {"has", "have"}:
        return
    if not inverts_cleanly(clause):
        return
    circular = share_of(main, whole=condition) >= _CIRCULAR
    if _can_be_asked(main, reading, comes_first=True) and _is_answer(condition) and not circular:
        opening = "Until when" if condition.startswith("until") else "When"
        text = f"{ask(clause, opening=opening)}?"
        yield _draft(sentence, text, condition, about, difficulty="medium", basis="condition")


def _ways(sentence: ReadSentence, reading: Reading) -> Iterator[Draft]:
    match = _BY.match(sentence.body)
    if match is None:
        return
    main, means = match["main"], without_asides(_first_clause(match["means"]), fewest_words=3)
    clause = split_clause(reading.lower(main))
    about = topic_of(main, reading)
    negative = re.search(r"\b(?:not|never|no|cannot|without|that|which|who)\b", main)
    if clause is None or about is None or negative or is_equation(main) or not inverts_cleanly(clause):
        return
    if _can_be_asked(main, reading, comes_first=True) and word_count(means) <= 24:
        text = f"{ask(clause, opening='How')}?"
        yield _draft(sentence, text, means, about, difficulty="medium", basis="way")


def _draft(
    sentence: ReadSentence, text: str, answer: str, about: Concept, *, difficulty: Difficulty, basis: str
) -> Draft:
    return Draft(
        kind="short_answer",
        difficulty=difficulty,
        text=text,
        answer=answer,
        concept=about.name,
        source=sentence.source,
        basis=basis,
    )
