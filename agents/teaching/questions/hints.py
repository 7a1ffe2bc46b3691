"""Three hints to a question, each closer than the one before; none of them says the answer."""

import re
from collections.abc import Iterator, Sequence
from string import ascii_uppercase

from agents.language.blocks import plain, whole_sentences
from agents.language.words import contains_phrase, content_words, stem, term_key, words_of
from agents.language.words import content_set as content_stems
from agents.teaching.questions.writing import kind_of
from agents.teaching.values import QuizQuestion

_LONG_ANSWER = 4  # words
_FEWEST_BESIDE, _MOST_BESIDE = 4, 40  # words of a sentence that is worth hearing again
_STRONG = re.compile(
    r"\b(?:only|always|never|every|all|no|none|must|cannot|any|each|both|exactly)\b", re.IGNORECASE
)
# Said when everything better would give the answer away.
_VAGUE = "Go back to the explanation and read it once more with this question in mind."


def hint(question: QuizQuestion, *, number: int) -> str:
    """The first says where to look, the next gives a part, the last nearly all; later ones repeat the last.

    One that would give the answer away is left out, and the next takes its place.
    """
    kind = kind_of(question)
    if kind and kind.hint:
        return kind.hint(question, number)
    found = [_first(ways(question), question) for ways in (_where, _part, _nearly)]
    fit = list(dict.fromkeys(text for text in found if text)) or [_VAGUE]
    return fit[min(max(number, 1), len(fit)) - 1]


def _first(offered: Iterator[str], question: QuizQuestion) -> str:
    return next((text for text in offered if not gives_away(text, question)), "")


def gives_away(text: str, question: QuizQuestion) -> bool:
    """Whether the text holds the expected answer, however inflected."""
    answer = question.expected_answer.strip()
    if question.kind == "true_false":
        return bool(re.search(rf"\b{re.escape(answer)}\b", text, re.IGNORECASE)) if answer else False
    found = contains_phrase(words_of(text), term_key(answer))
    return found or (len(answer) > 2 and answer.lower() in text.lower())


def _sentence(question: QuizQuestion, answer: str) -> str:
    """The sentence of the passage that has most of the answer."""
    wanted = content_stems(answer)
    found = map(plain, whole_sentences(question.source_context))
    return max(found, key=lambda sentence: len(wanted & content_stems(sentence)), default="")


def _beside(question: QuizQuestion) -> list[str]:
    """The sentences before and after the one that has most of the answer."""
    found = list(map(plain, whole_sentences(question.source_context)))
    own = _sentence(question, question.expected_answer)
    place = found.index(own) if own in found else 0
    around = found[max(0, place - 1) : place] + found[place + 1 : place + 2]
    return [each for each in around if _FEWEST_BESIDE <= len(each.split()) <= _MOST_BESIDE]


def _where(question: QuizQuestion) -> Iterator[str]:
    for beside in _beside(question):
        if not content_stems(question.question_text) >= content_stems(beside):
            yield f"Right beside it the course says: “{beside}”"
    asked = content_stems(question.question_text) | content_stems(question.expected_answer)
    sentence = _sentence(question, question.expected_answer)
    clues = [word for word in content_words(sentence) if stem(word) not in asked]
    if len(clues) >= 2:
        yield f"Look for the sentence that speaks of “{clues[0]}” and “{clues[1]}”."


def _part(question: QuizQuestion) -> Iterator[str]:
    match question.kind:
        case "multiple_choice":
            yield from _excluding(question, how_many=1)
        case "true_false":
            if strong := _STRONG.search(question.question_text.split(":", 1)[-1]):
                yield f"Mind the word “{strong.group()}” in the statement: does the course put it like that?"
            yield "Compare the statement with the course word by word: one word decides."
        case "ordering":
            steps = _steps(question)
            yield from (f"It does not begin with “{step}”." for step in steps[1:2])
    yield from _letters(question, nearly=False)


def _nearly(question: QuizQuestion) -> Iterator[str]:
    match question.kind:
        case "multiple_choice":
            yield from _excluding(question, how_many=2)
        case "true_false":
            words = _sentence(question, question.question_text).split()
            if len(words) > 5:
                yield f"The course begins like this: “{' '.join(words[: len(words) * 2 // 3])} …”. Does the statement go on the same way?"
        case "ordering":
            steps = _steps(question)
            yield from (
                f"It begins with “{step}”, and “{steps[-1]}” comes last."
                for step in steps[:1]
                if len(steps) > 3
            )
            yield from (f"It begins with “{step}”." for step in steps[:1])
    yield from _letters(question, nearly=True)


def _excluding(question: QuizQuestion, *, how_many: int) -> Iterator[str]:
    """Wrong options, the least likely first; at least one wrong one stays."""
    right = term_key(question.expected_answer)
    wrong = [
        (letter, option)
        for letter, option in zip(ascii_uppercase, question.options, strict=False)
        if term_key(option) != right and letter != question.expected_answer.strip()
    ]
    near = content_stems(question.source_context)
    wrong.sort(key=lambda pair: len(content_stems(pair[1]) & near))
    for count in range(min(how_many, len(wrong) - 1), 0, -1):
        letters = [letter for letter, _ in wrong[:count]]
        yield f"You can rule out {' and '.join(letters)}."


def _steps(question: QuizQuestion) -> Sequence[str]:
    return [step.strip() for step in question.expected_answer.split("→") if step.strip()]


def _letters(question: QuizQuestion, *, nearly: bool) -> Iterator[str]:
    """First letters and lengths: of the answer if it is short, of its key words if it is long."""
    words = question.expected_answer.replace("`", "").split()
    if not words or question.kind in ("true_false", "ordering"):
        return
    if len(words) <= _LONG_ANSWER:
        shape = " ".join(_masked(word, nearly=nearly) for word in words)
        size = "one word" if len(words) == 1 else f"{len(words)} words"
        yield (
            f"The answer has this shape: {shape}."
            if nearly
            else f"It is {size}, and begins with “{words[0][0]}”."
        )
        return
    asked = content_stems(question.question_text)
    keys = [
        word for word in content_words(question.expected_answer) if stem(word) not in asked and word.isalpha()
    ]
    if nearly:
        yield f"Fill in the gaps: {' '.join(_gapped(word, keys) for word in words)}"
    elif keys:
        yield f"A good answer names things that begin with {' and '.join(f'“{word[0]}”' for word in keys[:2])}."


def _masked(word: str, *, nearly: bool) -> str:
    shown = 2 if nearly and len(word) > 4 else 1
    return word[:shown] + "_" * max(1, len(word) - shown)


def _gapped(word: str, keys: Sequence[str]) -> str:
    bare = re.sub(r"\W+", "", word).lower()
    hidden = bare and any(stem(bare) == stem(key) for key in keys)
    return f"{word[0]}____" if hidden else word
