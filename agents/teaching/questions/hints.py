"""Hints to a question, each closer than the one before: where to look and for what, then a narrower cue.

None says the answer, two of its words, or the sentence that it stands in.
"""

import math
import re
from collections.abc import Collection, Iterator, Sequence
from string import ascii_uppercase

from agents.language.blocks import plain, whole_sentences
from agents.language.words import content_set, content_words, stem, term_key, words_of
from agents.teaching.grading.numbers import quantity_of
from agents.teaching.questions.ahead import is_said
from agents.teaching.values import QuizQuestion

_LONG_ANSWER = 4  # words
_WRITTEN_OUT = 4  # powers of ten
_LONG_WORD = 4  # letters
_FEWEST_BESIDE, _MOST_BESIDE = 4, 40  # words of a sentence that is worth hearing again
_MOST_LETTERS = 3
_FEW_STEPS = 3
_RUN = 5  # words in a row that show the sentence of the answer
_STRONG = re.compile(
    r"\b(?:only|always|never|every|all|no|none|must|cannot|any|each|both|exactly)\b", re.IGNORECASE
)
# Said when everything better would give the answer away.
_VAGUE = "Go back to the explanation and read it once more with this question in mind."


def hint(
    question: QuizQuestion, *, number: int, place: str = "", ahead: Collection[QuizQuestion] = ()
) -> str:
    """The first says where to look, the later ones give a cue each; behind the last it comes again.

    `place` is the heading that the passage stands under. A hint that would give this answer away, or that of a question
    ahead, is left out, and the next takes its place.
    """
    steps = (_where(question, place), _cue(question), _closer(question))
    found = [next((text for text in step if _is_fair(text, question, ahead)), "") for step in steps]
    fit = list(dict.fromkeys(text for text in found if text)) or [_VAGUE]
    return fit[min(max(number, 1), len(fit)) - 1]


def gives_away(text: str, question: QuizQuestion) -> bool:
    """Whether the text holds the expected answer, however inflected."""
    if question.kind == "true_false":
        answer = question.expected_answer.strip()
        return bool(re.search(rf"\b{re.escape(answer)}\b", text, re.IGNORECASE)) if answer else False
    return is_said(question, text)


def tells_too_much(text: str, question: QuizQuestion) -> bool:
    """Whether the text says the answer, two of its words that the question does not have, or the sentence it stands in."""
    if gives_away(text, question):
        return True
    asked = content_set(question.question_text)
    said = content_set(text) & (content_set(question.expected_answer) - asked)
    return (question.kind != "true_false" and len(said) > 1) or _shows_its_sentence(text, question)


def _is_fair(text: str, question: QuizQuestion, ahead: Collection[QuizQuestion]) -> bool:
    return not tells_too_much(text, question) and not any(is_said(each, text) for each in ahead)


def _shows_its_sentence(text: str, question: QuizQuestion) -> bool:
    """Whether so many words of it stand in a row that the question does not show itself."""
    said, asked = f" {' '.join(words_of(text))} ", f" {' '.join(words_of(question.question_text))} "
    words = words_of(_sentence(question))
    runs = (f" {' '.join(words[at : at + _RUN])} " for at in range(len(words) - _RUN + 1))
    return any(run in said and run not in asked for run in runs)


def _sentence(question: QuizQuestion) -> str:
    """The sentence of the passage that has most of the answer, or of the statement that is to be judged."""
    wanted = content_set(
        question.question_text if question.kind == "true_false" else question.expected_answer
    )
    found = map(plain, whole_sentences(question.source_context))
    return max(found, key=lambda sentence: len(wanted & content_set(sentence)), default="")


def _beside(question: QuizQuestion) -> list[str]:
    """The sentences before and after the one that has most of the answer."""
    found = list(map(plain, whole_sentences(question.source_context)))
    own = _sentence(question)
    at = found.index(own) if own in found else 0
    around = found[max(0, at - 1) : at] + found[at + 1 : at + 2]
    return [each for each in around if _FEWEST_BESIDE <= len(each.split()) <= _MOST_BESIDE]


# Where to look, and for what


def _where(question: QuizQuestion, place: str) -> Iterator[str]:
    kind = _kind_of_answer(question)
    asked = content_set(question.question_text)
    key = content_set(question.expected_answer) - asked
    for beside in _beside(question) if question.kind != "recall" else ():
        if not asked >= content_set(beside) and not key & content_set(beside):
            yield f"Right beside it the course says: “{beside}” {kind}"
    # What is said from memory is called after its heading anyway.
    if place and (question.kind == "recall" or not key & content_set(place)):
        yield f"Look under “{place}”. {kind}"
    yield kind


def _kind_of_answer(question: QuizQuestion) -> str:
    words = question.expected_answer.replace("`", "").split()
    match question.kind:
        case "multiple_choice":
            return "Try to say it yourself before you read the options; one of them is what the course says."
        case "true_false":
            return "Look for one word in the statement that may be in the wrong place."
        case "ordering":
            return "Ask of each step what must have happened before it."
        case "several":
            return "Take each option by itself, as if it were true or false; more than one may be right."
        case "numeric":
            return "Note what is given, each with its unit, and what is asked. What joins them?"
        case "formula":
            return "Say in words first what depends on what, and whether it grows or shrinks with it."
        case "output":
            return "Go through it line by line, as the computer does, and note what each name stands for."
        case "recall":
            count = len(whole_sentences(question.expected_answer))
            size = "one sentence" if count == 1 else f"{count} sentences"
            return f"The course says it in {size}. Say the main point first, and then what it is good for."
    if len(words) <= _LONG_ANSWER:
        return f"You are looking for a term of {'one word' if len(words) == 1 else f'{len(words)} words'}."
    if question.question_text.startswith("Why"):
        return "You are looking for a reason: what would go wrong, or be missing, otherwise?"
    return "Say what kind of thing it is, and then what sets it apart from others of its kind."


# A narrower cue, and a last one


def _cue(question: QuizQuestion) -> Iterator[str]:
    match question.kind:
        case "multiple_choice":
            yield from _excluding(question, how_many=1)
            yield "Take the options one by one: where does the course say so?"
        case "true_false":
            if strong := _STRONG.search(question.question_text.split(":", 1)[-1]):
                yield f"Mind the word “{strong.group()}” in the statement: does the course put it like that?"
            yield "Compare the statement with the course word by word: one word decides."
        case "several":
            yield from _excluding(question, how_many=1)
        case "numeric":
            yield from _size(question)
        case "formula":
            yield from _signs(question)
        case "ordering":
            yield from (f"{letter} does not come first." for letter in _letters_in_order(question)[1:2])
        case "output":
            printed = question.expected_answer.strip()
            size = "one character" if len(printed) == 1 else f"{len(printed)} characters"
            yield f"What it prints has {size}."
        case _:
            yield from _first_letters(question)


def _closer(question: QuizQuestion) -> Iterator[str]:
    match question.kind:
        case "multiple_choice" | "several":
            yield from _excluding(question, how_many=2)
        case "numeric" | "formula":
            yield "Put the units of what is given together: they must come out as the unit of what is asked."
        case "true_false":
            yield "Cover the name in the statement, and say which one you would put there yourself."
        case "ordering":
            letters = _letters_in_order(question)
            if len(letters) > _FEW_STEPS:
                yield f"{letters[0]} comes first, and {letters[-1]} comes last."
            yield from (f"{letter} comes first." for letter in letters[:1])
        case _:
            yield from _shape(question)


def _excluding(question: QuizQuestion, *, how_many: int) -> Iterator[str]:
    """Wrong options, the least likely first; at least one wrong one stays."""
    right = {term_key(line) for line in question.expected_answer.splitlines()}
    wrong = [
        (letter, option)
        for letter, option in zip(ascii_uppercase, question.options, strict=False)
        if term_key(option) not in right and letter != question.expected_answer.strip()
    ]
    near = content_set(question.source_context)
    wrong.sort(key=lambda pair: len(content_set(pair[1]) & near))
    for count in range(min(how_many, len(wrong) - 1), 0, -1):
        letters = [letter for letter, _ in wrong[:count]]
        yield f"You can rule out {' and '.join(letters)}."


def _size(question: QuizQuestion) -> Iterator[str]:
    """How large it is, roughly: between which powers of ten."""
    found = quantity_of(question.expected_answer)
    if found and found.value:
        power = math.floor(math.log10(abs(found.value)))
        sign = "It is negative, and its size" if found.value < 0 else "It"
        yield f"{sign} lies between {_power_of_ten(power)} and {_power_of_ten(power + 1)}, in the unit that the author uses."


def _power_of_ten(power: int) -> str:
    return f"{10.0**power:,g}" if abs(power) <= _WRITTEN_OUT else f"10^{power}"


def _signs(question: QuizQuestion) -> Iterator[str]:
    """How many different letters or elements it has."""
    letters = dict.fromkeys(re.findall(r"[A-Z][a-z]?|[a-zα-ω]", question.expected_answer))
    if len(letters) > 1:
        yield f"{len(letters)} different letters or elements stand in it."


def _letters_in_order(question: QuizQuestion) -> Sequence[str]:
    """The letters of the steps as they are shown, in the right order."""
    letters = dict(zip(question.options, ascii_uppercase, strict=False))
    steps = [step.strip() for step in question.expected_answer.split("→")]
    return [letters[step] for step in steps if step in letters]


def _first_letters(question: QuizQuestion) -> Iterator[str]:
    """How a short answer begins, and how long it is; of a long one the first letters of what it must name."""
    words = question.expected_answer.replace("`", "").split()
    if words and len(words) <= _LONG_ANSWER:
        yield f"It begins with “{words[0][0]}”, and has {sum(map(len, words))} letters."
        return
    if keys := _key_words(question):
        letters = ", ".join(f"“{word[0]}”" for word in keys[:_MOST_LETTERS])
        yield f"A good answer names things that begin with {letters}."


def _shape(question: QuizQuestion) -> Iterator[str]:
    """A short answer letter by letter, with its first two; of a long one the longest of its key words."""
    words = question.expected_answer.replace("`", "").split()
    if len(words) <= _LONG_ANSWER:
        yield f"It has this shape: {' '.join(map(_masked, words))}."
    for word in sorted(_key_words(question), key=len, reverse=True):
        yield f"One of the words to use is “{word}”."


def _key_words(question: QuizQuestion) -> list[str]:
    """What a long answer is made of, beside what the question has already."""
    asked = content_set(question.question_text)
    return [
        word for word in content_words(question.expected_answer) if stem(word) not in asked and word.isalpha()
    ]


def _masked(word: str) -> str:
    shown = 2 if len(word) > _LONG_WORD else 1
    return word[:shown] + "_" * max(1, len(word) - shown)
