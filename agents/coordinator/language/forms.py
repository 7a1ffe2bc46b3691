"""Is it a question, or a guess in the form of one? Read off the shape of the sentence."""

from collections.abc import Sequence

from agents.coordinator.language.wording import (
    AUXILIARIES,
    DETERMINERS,
    PERSONS,
    POINTERS,
    PREPOSITIONS,
    WH_WORDS,
    word_set,
)

_ASKED_ABOUT = word_set(
    "happens happened mean means meant kind type sort else exactly precisely causes makes"
)
_MEASURES = word_set("many much long far often big large fast old high deep")
_ABOUT_IT = word_set("normal possible ok okay allowed common safe necessary important required bad true")
_IDLE = 0.74  # without a quiz a question is what is left when nothing else is asked for
_ASKING_VERBS = word_set("can could do does did should would will may")
_SUBJECTS = POINTERS | PERSONS | DETERMINERS | {"there"}
_SAME_AS_ASKING = word_set("explain define clarify compare derive summarise summarize elaborate translate")


def asks(words: Sequence[str], *, marked: bool, guessing: bool) -> float:
    """How surely a clause asks something, 0..1; marked: a question mark ends it; guessing: a quiz waits.

    Someone who guesses asks about 'it' ('is it a topic?'); someone who wants to know names the thing.
    """
    if not words:
        return 0.0
    if words[0] in WH_WORDS:
        return _asks_openly(words, marked=marked, guessing=guessing)
    if words[0] in PREPOSITIONS and len(words) > 2 and words[1] in ("which", "what"):
        return _IDLE if marked or AUXILIARIES & set(words[2:5]) else 0.0
    if words[0] in AUXILIARIES and (words[0] != "am" or "i" in words[1:3]):
        return _asks_yes_or_no(words, marked=marked, guessing=guessing)
    if words[0] in _SAME_AS_ASKING:
        return 0.8 if guessing else _IDLE
    return _asks_late(words, marked=marked, guessing=guessing)


def _asks_openly(words: Sequence[str], *, marked: bool, guessing: bool) -> float:
    second, third, fourth = (*words[1:4], "", "", "")[:3]
    if not second or marked or not guessing:
        return 0.9 if guessing else _IDLE
    inverted = second in AUXILIARIES or second in _ASKED_ABOUT or second in ("come", "about", "if", "to")
    counted = second in _MEASURES and fourth in AUXILIARIES and third not in _SUBJECTS
    measured = words[0] == "how" and second not in _SUBJECTS and (third in AUXILIARIES or counted)
    chosen = words[0] == "which" and (third in AUXILIARIES or fourth in AUXILIARIES)
    return 0.85 if inverted or measured or chosen else 0.0


def _asks_yes_or_no(words: Sequence[str], *, marked: bool, guessing: bool) -> float:
    rest = [word for word in words[1:] if word not in ("not", "the")]
    if not rest:
        return 0.0
    if not guessing:
        return _IDLE if marked or len(rest) > 1 else 0.0
    if rest[0] in POINTERS:
        return 0.75 if _wonders_about_it(words[0], rest) else 0.0
    if rest[0] in PERSONS or (rest[0] == "there" and marked):
        return 0.8
    if marked:
        return 0.75 if len(rest) > 2 and "answer" not in rest[:3] else 0.0
    return 0.7 if words[0] in _ASKING_VERBS and rest[0] in DETERMINERS and len(rest) > 2 else 0.0


def _wonders_about_it(verb: str, rest: Sequence[str]) -> bool:
    """'is it normal that …', 'can it run without …'; but 'is it a …' and 'could it be …' are guesses."""
    about = rest[1] if len(rest) > 1 else ""
    judged = verb in ("is", "was") and about in _ABOUT_IT and len(rest) > 2
    compared = rest[0] != "it" and about in ("same", "about", "different")
    does = verb in _ASKING_VERBS and len(rest) > 4 and about not in ("be", "have")
    return judged or compared or does or about in ("matter", "mean")


def _asks_late(words: Sequence[str], *, marked: bool, guessing: bool) -> float:
    """'stomata appear in which plants?': the question word stands inside, but does not join two clauses."""
    if not marked:
        return 0.0
    if words[0] in ("difference", "differences") or words[1:2] in (["difference"], ["differences"]):
        return 0.7
    for before, word, after in zip(words, words[1:], (*words[2:], ""), strict=False):
        asked = word in WH_WORDS and after in AUXILIARIES
        chosen = (
            word in ("which", "what") and (before in PREPOSITIONS or after == "of") and after not in _SUBJECTS
        )
        if asked or chosen:
            return 0.7
    return 0.0 if guessing else 0.6
