"""Answers that code can mark for certain: options and their order, true or false, gaps, and what code prints."""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import combinations

from agents.language.words import stem
from agents.teaching.grading.measures import EXACT, SLIP, align, edits, is_slip
from agents.teaching.grading.numbers import grade_number
from agents.teaching.grading.words import (
    CLOZE_FILLER,
    FALSE,
    NEGATORS,
    STOP,
    TRUE,
    Token,
    clean,
    content,
    tokens_of,
)
from agents.teaching.values import Grade, right, wrong

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_AROUND_A_LABEL = frozenset(
    "i think guess say choose pick chose would believe it its is are that my the correct right best answer answers option "
    "options choice letter letters number be must should maybe probably definitely one please both either and or".split()
)
_BETWEEN_STEPS = frozenset(
    "and then first second third fourth fifth next last lastly finally comes followed by before".split()
)
_WHY = re.compile(r"\b(?:because|since)\b.*", re.DOTALL)
_LABEL_AND_TEXT = re.compile(r"[(\[]?([a-z]|\d{1,2})[)\].:,-]\s*(.+)")
_NAMED = re.compile(r"\b(?:option|answer|choice|letter|number)s?(?: is| are|:)? ?[(\[]?([a-z]|\d{1,2})\b")
_ALL = re.compile(r"\b(?:all|both|every ?thing|any) of (?:them|these|the above|those)\b|^(?:all|both)$")
_NOT_ALL = 0.9  # of a mark
_LABEL_ROOM = 160  # a label stands at the front; longer texts are read by their words


def grade_choice(answer: str, references: Sequence[str], options: Sequence[str]) -> Grade | None:
    """Right when exactly the options of one reference (or of all) are chosen; None when nothing is keyed."""
    keys = [key for reference in references if (key := _chosen(reference, options))]
    if not keys:
        return None
    keyed = set().union(*keys)
    chosen = _chosen(answer, options)
    if not chosen:
        return _untold(answer)
    if chosen in keys or chosen == keyed:
        return right("You chose the right option." if len(chosen) == 1 else "You chose the right options.")
    return _not_chosen(answer, chosen, keyed, options)


def grade_several(answer: str, references: Sequence[str], options: Sequence[str]) -> Grade | None:
    """Right when all the keyed options are named and no other; the share of the right ones less that of the wrong ones else.

    A reference names an option on each of its lines.
    """
    keyed = {
        place
        for reference in references
        for line in reference.splitlines()
        for place in _chosen(line, options)
    }
    if not keyed:
        return None
    chosen = named_options(answer, options)
    if not chosen:
        return _untold(answer)
    if chosen == keyed:
        return right("Those are the right ones, and all of them.")
    hits, slips = len(chosen & keyed), len(chosen - keyed)
    others = len(options) - len(keyed)
    share = max(0.0, hits / len(keyed) - slips / max(others, 1))
    said = [
        f"{hits} of your {len(chosen)} {'is' if hits == 1 else 'are'} right"
        if slips
        else "What you named is right"
    ]
    if hits < len(keyed):
        left = len(keyed) - hits
        said.append(f"{left} more {'is' if left == 1 else 'are'} right, too")
    return wrong(f"{', and '.join(said)}.", score=min(share, _NOT_ALL))


def named_options(answer: str, options: Sequence[str]) -> set[int]:
    """The places of the options that an answer names, by letters ('a and c', 'ac'), numbers or texts, one after the other."""
    said = clean(answer).strip(" .!?()")
    if len(said) <= len(options) and len(set(said)) == len(said) > 1 and said.isalpha():
        places = [_place(letter, len(options)) for letter in said]
        if None not in places:
            return {place for place in places if place is not None}
    parts = [part for part in re.split(r"[,;\n]", answer) if part.strip()]
    by_part = [_chosen(part, options) for part in parts]
    return set().union(*by_part) if len(parts) > 1 and all(by_part) else _chosen(answer, options)


def in_words(answer: str, options: Sequence[str]) -> str:
    """'b' as the option that it stands for, without the marks of code, to be quoted; anything else as it was typed."""
    chosen = named_options(answer, options)
    if not 0 < len(chosen) < len(options):
        return answer
    return "; ".join(options[place].replace("`", "") for place in sorted(chosen))


def grade_true_false(answer: str, references: Sequence[str], _options: Sequence[str]) -> Grade | None:
    """Compare the verdicts; None when one cannot be told."""
    expected = {_verdict(reference) for reference in references} - {None}
    given = _verdict(answer)
    if len(expected) != 1:
        return None
    if given is None:
        return wrong("I cannot tell whether you mean true or false; please say which.", confident=False)
    said = "true" if given else "false"
    return (
        right(f"Yes, {said} is right.")
        if given in expected
        else wrong(f"You said {said}, and that is not right here.")
    )


def _verdict(text: str) -> bool | None:
    words = re.findall(r"[a-z0-9]+", clean(text))
    for at, word in enumerate(words):
        if word in TRUE or word in FALSE:
            if word == "no" and words[at + 1 : at + 2] in (["idea"], ["clue"]):
                return None
            turned = any(before in {"not", "never"} for before in words[max(0, at - 3) : at])
            return (word in TRUE) != turned
    return None


def _not_chosen(answer: str, chosen: set[int], keyed: set[int], options: Sequence[str]) -> Grade:
    if _conflict(answer, options):
        return wrong(
            "The letter and the text you gave belong to different options; which one do you mean?",
            confident=False,
        )
    if len(chosen) > len(keyed):
        hit = 0.3 if keyed <= chosen else 0.0
        return wrong("You named more options than are right; only the right ones count.", score=hit)
    if chosen < keyed:
        return wrong(
            "That is part of it, but more than one option is right.", score=len(chosen) / len(keyed) / 2
        )
    return wrong("That is not the right option.")


def _untold(answer: str) -> Grade:
    words = _key(answer).split()
    if len(words) == 1 and len(words[0]) <= 2:
        return wrong("There is no option with that label; answer with one of the options shown.")
    return wrong("I cannot tell which option you mean; answer with its letter.", confident=False)


def _chosen(text: str, options: Sequence[str]) -> set[int]:
    """Which options a text names: its whole text first, then labels, then words only one option has."""
    keys = [_key(option) for option in options]
    exact = {index for index, key in enumerate(keys) if key and key == _key(text)}
    return exact if len(exact) == 1 else _by_label(text, len(options)) or _by_text(text, keys)


def _by_label(text: str, count: int) -> set[int]:
    said = " ".join(clean(text).split()).strip(" .!?\"'")
    if len(said) > _LABEL_ROOM:
        return set()
    if _ALL.search(said) and "none of" not in said:
        return set(range(count))
    labels = _labels(_WHY.sub("", said), count, around=_AROUND_A_LABEL)
    if not labels:
        with_text = _LABEL_AND_TEXT.fullmatch(said)
        named = [with_text[1]] if with_text else _NAMED.findall(said)
        labels = [at for label in named if (at := _place(label, count)) is not None]
    return set(labels)


def _labels(text: str, count: int, *, around: Collection[str]) -> list[int]:
    """The places that a text lists by label, in its order; none where it has other words, too."""
    words = re.findall(r"[^\W_]+", text)
    said = [word for word in words if word not in around] or words
    places = [_place(word, count) for word in said]
    return [place for place in places if place is not None] if None not in places else []


def _place(label: str, count: int) -> int | None:
    """'b', '2', 'second' and 'last' as a place among so many, counted from 0."""
    if label.isdecimal():
        place = int(label[:3]) - 1
    elif label in _ORDINALS:
        place = _ORDINALS.index(label)
    else:
        place = count - 1 if label == "last" else ord(label) - ord("a") if len(label) == 1 else -1
    return place if 0 <= place < count else None


def _by_text(text: str, keys: Sequence[str]) -> set[int]:
    """Options that stand in the text whole; else the only one that the text is a part of, or has a word of its own of."""
    words = clean(text).split()
    if not NEGATORS.isdisjoint(words) and NEGATORS.isdisjoint(word for key in keys for word in key.split()):
        return set()
    said = f" {_key(text.strip(' .!?').removesuffix(' one'))} "
    inside = {index for index, key in enumerate(keys) if key and f" {key} " in said}
    if inside:
        return {
            index
            for index in inside
            if not any(index != other and f" {keys[index]} " in f" {keys[other]} " for other in inside)
        }
    part = {index for index, key in enumerate(keys) if said.strip() and said in f" {key} "}
    if len(part) == 1:
        return part
    own = [
        set(said.split())
        & set(key.split()) - {word for other in keys if other != key for word in other.split()}
        for key in keys
    ]
    named = {index for index, found in enumerate(own) if found}
    return named if len(named) == 1 and len(said.split()) <= 12 else set()


def _conflict(answer: str, options: Sequence[str]) -> bool:
    found = _LABEL_AND_TEXT.match(clean(answer).strip(" .!?\"'"))
    by_text = _by_text(found[2], [_key(option) for option in options]) if found else set()
    return bool(found and by_text and by_text != {_place(found[1], len(options))})


@lru_cache(maxsize=256)
def _key(text: str) -> str:
    words = re.findall(r"[^\W_]+", re.sub(r"^[(\[]?[a-j][)\].:]\s+", "", clean(text).strip()))
    return " ".join(stem(word) for word in [word for word in words if word not in STOP] or words)


_SEPARATOR = re.compile(
    r"\s*(?:->|→|=>|>|,|;|\bthen\b|\bfollowed by\b|\bbefore\b|\band finally\b|\bfinally\b|\|)\s*"
)
_NUMBERING = re.compile(
    r"^\s*(?:\d+[.)]\s+|(?:and|first|second|third|fourth|fifth|next|last|lastly|comes)\b[\s:,]*)+"
)


def grade_ordering(answer: str, references: Sequence[str], options: Sequence[str]) -> Grade | None:
    """The share of pairs in the right order; right only when all are."""
    best: tuple[float, bool, bool] | None = None
    for reference in references:
        items = options or _parts(reference)
        wanted, given = _sequence(reference, items), _sequence(answer, items)
        if len(wanted) > 1:
            # All items in an order that is wrong throughout is an order, too.
            found = (_in_order(given, wanted), given == wanted, sorted(given) == sorted(wanted))
            best = max(best or found, found)
    if best is None:
        return None
    share, exact, complete = best
    if exact:
        return right("All in the right order.")
    if share == 0 and not complete:
        return wrong(
            "I cannot find the order in your answer; list the items from first to last.", confident=False
        )
    return wrong(
        "Not quite the right order yet: some items come too early or too late.", score=min(0.9, share) / 2
    )


def _sequence(text: str, items: Sequence[str]) -> list[int]:
    """The places of the items that a text lists: by label ('B, A, C', 'bac'), written out, or part by part."""
    said = clean(text)
    is_run = re.fullmatch(r"\s*[a-z]{2,9}\s*|\s*[1-9]{2,9}\s*", said) and len(said.strip()) == len(items)
    if labels := _labels(" ".join(said) if is_run else said, len(items), around=_BETWEEN_STEPS):
        return labels
    # An item may hold a comma of its own, so what is written out in full is looked for before the text is cut.
    written_out = _written_out(text, items)
    if len(written_out) < len(items):
        by_part = [_item(part, items) for part in _parts(text)]
        if len(by_part) > 1 and None not in by_part:
            return [index for index in by_part if index is not None]
    return written_out


def _written_out(text: str, items: Sequence[str]) -> list[int]:
    """The items that a text has word for word, in its order; of two that overlap the longer one."""
    said, places = _step_key(text), []
    for index in sorted(range(len(items)), key=lambda index: -len(items[index])):
        key = _step_key(items[index])
        if key and (place := said.find(key)) >= 0:
            places.append((place, index))
            said = said.replace(key, "\0" * len(key), 1)
    return [index for _, index in sorted(places)]


def _parts(text: str) -> list[str]:
    """What stands between arrows, commas and 'then', without its numbering."""
    said = " ".join(clean(text.replace("\n", ";")).split())  # long gaps would take the patterns long
    parts = [_NUMBERING.sub("", part).strip(" .") for part in _SEPARATOR.split(said)]
    return [part for part in parts if part]


def _item(part: str, items: Sequence[str]) -> int | None:
    said, keys = _step_key(part), [_step_key(item) for item in items]
    if said in keys:
        return keys.index(said)
    partly = [index for index, key in enumerate(keys) if said and (said in key or key in said)]
    return partly[0] if len(partly) == 1 else None


def _in_order(given: Sequence[int], wanted: Sequence[int]) -> float:
    pairs = list(combinations(wanted, 2))
    place = {item: number for number, item in enumerate(given)}
    kept = sum(first in place and second in place and place[first] < place[second] for first, second in pairs)
    return kept / len(pairs)


def _step_key(text: str) -> str:
    return " ".join(
        stem(word) for word in re.findall(r"[^\W_]+", clean(text)) if word not in {"the", "a", "an"}
    )


def grade_cloze(answer: str, references: Sequence[str], options: Sequence[str]) -> Grade | None:
    """Right when some reference is met word by word, and no other known term is meant."""
    by_number = grade_number(answer, references)
    if by_number is not None:
        return by_number
    said = _without_filler(answer) or tokens_of(answer)
    if not said:
        return wrong("I could not read a word in that answer.", confident=False)
    expected = [content(tokens_of(reference)) or tokens_of(reference) for reference in references]
    others = [content(tokens_of(option)) or tokens_of(option) for option in options]
    others = [other for other in others if _stems(other) not in [_stems(each) for each in expected]]
    if any(_stems(said) == _stems(other) for other in others):
        return wrong("That is another of the terms here, not the one that fits.")
    grades = [_beside(said, reference, others) for reference in expected]
    return max(grades, key=lambda grade: (grade.is_correct, grade.score, grade.confident))


def _beside(said: Sequence[Token], reference: Sequence[Token], others: Sequence[Sequence[Token]]) -> Grade:
    matches = align(reference, said)
    levels = [match.level for match in matches]
    extra = len(said) - len(reference)
    if any(match.is_opposed for match in matches):
        return wrong("That says the opposite of what belongs here.")
    if all(level == EXACT for level in levels):
        return (
            right("That is the word.")
            if extra <= 2
            else right("The word is there, among others.", score=0.8, confident=False)
        )
    if all(level >= SLIP for level in levels) and extra <= 2:
        if _nearer_to(said, reference, others):
            return wrong(
                "That is as close to another of the terms here, so the spelling matters.",
                score=0.4,
                confident=False,
            )
        return right("That is the word; mind the spelling.", score=0.95)
    if all(levels) and extra <= 1:
        return right("That can stand for the expected word.", score=0.8, confident=False)
    return wrong(
        "That is not the word that fits here.", score=sum(levels) / len(levels) / 2, confident=not any(levels)
    )


def _nearer_to(said: Sequence[Token], reference: Sequence[Token], others: Sequence[Sequence[Token]]) -> bool:
    """One letter away from another term of the item: then it is no slip."""
    slipped = [token.text for token in said if token.stem not in _stems(reference)]
    wanted = [token.text for token in reference]
    near = [token.text for other in others for token in other]
    return any(
        is_slip(word, other) and edits(word, other) <= min(edits(word, right_word) for right_word in wanted)
        for word in slipped
        for other in near
    )


def _stems(tokens: Sequence[Token]) -> tuple[str, ...]:
    return tuple(token.stem for token in tokens)


_GIVE_UP = re.compile(
    r"(?:(?:well|um+|uh+|sorry|honestly|hmm+|oh|so|but)\W+)*"
    r"(?:i )?(?:really |honestly |just )?(?:(?:do not|did not|dont|can not) (?:really )?(?:know|understand|remember|get|say|answer)"
    r"(?: (?:it|this|that|the answer|this one|why|yet|at all|the question))*"
    r"|(?:have |had |ve |got )?(?:absolutely )?no (?:idea|clue)(?: (?:why|what it is|at all))?|idk|dunno"
    r"|(?:am |im |m )?(?:really )?(?:not (?:at all )?(?:sure|certain)|unsure)|forgot|forget|pass|skip(?: (?:it|this|this one))?"
    r"|next(?: (?:one|question))?|give up|no answer|nothing|n/?a|help(?: me)?|who knows|beats me|tell me(?: the answer)?)"
    r"(?:\W+(?:sorry|please|yet|really|at all|anymore))*"
)
_WORD = re.compile(r"[^\W_]")


def grade_blank(answer: str) -> Grade | None:
    """A kind word for an empty answer or an 'I don't know'; None for anything that tries."""
    text = clean(answer)
    if not _WORD.search(text):
        return wrong("There is no answer here yet; have a go, even a rough idea helps.")
    if _GIVE_UP.fullmatch(" ".join(text.split()).strip(" .!?,;:'\"-*()")):
        return wrong(
            "That is fine: not knowing yet is where learning starts, and we will look at it together."
        )
    return None


def grade_rival(answer: str, references: Sequence[str], others: Collection[str]) -> Grade | None:
    """Wrong when the whole answer is the longer name of another thing that the course has."""
    said, expected = _content_stems(answer), [_content_stems(reference) for reference in references]
    if said in expected or not any(set(term) < set(said) for term in expected if term):
        return None
    rival = next((other for other in others if _content_stems(other) == said), None)
    return wrong(f"In this course “{rival}” is something else.") if rival else None


def _content_stems(text: str) -> tuple[str, ...]:
    return _stems(_without_filler(text))


def _without_filler(text: str) -> Sequence[Token]:
    return [token for token in content(tokens_of(text)) if token.stem not in CLOZE_FILLER]


_ALIKE = str.maketrans(dict.fromkeys("'‘’“”„`´", '"') | dict.fromkeys("−–", "-") | {"\u00a0": " "})
_FENCE = re.compile(r"^\s*(?:`{3,}|~{3,})[^\n]*$", re.MULTILINE)
_PROMPT = re.compile(r"^(?:Out ?\[\d*\]:|>>>)\s*")
_LEAD = re.compile(
    r"^(?:(?:it|this|that|the code) )?(?:prints?|outputs?|shows?|gives?|returns?)\b:?\s*", re.IGNORECASE
)
_AROUND_MARKS = re.compile(r"\s*([,:;=()\[\]{}])\s*")


def grade_output(answer: str, references: Sequence[str], options: Sequence[str]) -> Grade:
    """Right when some reference is met line by line; code is always sure of it."""
    expected = [_lines(reference) for reference in references]
    if any(said == lines for said in _read(answer) for lines in expected):
        return right("That is exactly what it prints.")
    blank = grade_blank(answer)
    if blank is not None:
        return blank
    return max((_compared(_lines(answer), lines) for lines in expected), key=lambda grade: grade.score)


def _read(answer: str) -> Iterator[list[str]]:
    """The answer as it stands, without 'it prints' before it, and without a sentence's full stop behind it."""
    for text in (answer, _LEAD.sub("", answer.strip())):
        yield _lines(text)
        yield _lines(re.sub(r"(?<=[^\W\d])\.\s*$", "", text))


def _lines(text: str) -> list[str]:
    return [line for each in _FENCE.sub("", text).splitlines() if (line := _line(each))]


def _line(text: str) -> str:
    """A line as a prompt or as `print` would show it: quotes of one sort, none around the whole, one space at most."""
    line = " ".join(_PROMPT.sub("", text.strip()).translate(_ALIKE).split())
    if line.count('"') == 2 and line[0] == line[-1] == '"':
        line = line[1:-1].strip()
    return _AROUND_MARKS.sub(r"\1", line)


def _compared(said: Sequence[str], expected: Sequence[str]) -> Grade:
    met = sum(one == other for one, other in zip(said, expected, strict=False))
    score = met / max(len(said), len(expected), 1)
    if len(said) != len(expected):
        return wrong(f"It prints {_counted(len(expected))}, and yours has {len(said)}.", score=score)
    if sorted(" ".join(said).split()) == sorted(" ".join(expected).split()):
        return wrong("The values are there, but in another order.", score=score)
    if len(expected) > 1:
        first = next(at for at, pair in enumerate(zip(said, expected, strict=True), 1) if len(set(pair)) > 1)
        return wrong(f"Line {first} is not what it prints.", score=score)
    return wrong("That is not what it prints.", score=score)


def _counted(lines: int) -> str:
    return "one line" if lines == 1 else f"{lines} lines"
