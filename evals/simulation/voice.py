"""How a simulated learner words an answer: as a person types, right or wrong."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase

from agents.teaching.path import ConceptGraph
from agents.teaching.values import QuizQuestion

_TERM_WORDS = 4  # an answer of up to so many words names a thing; a longer one says something about it
_MISTYPED = 0.1  # of the right answers that are typed in words
_GIVES_UP = 0.25  # of the wrong answers to an open question
_NO_ANSWER = ("I don't know", "no idea", "not sure", "I can't remember")
_LEADS = ("", "", "I think it's ", "it is ")
_SHORTEST_MISTYPED = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """Puts answers into words, with the course's other concepts at hand for plausible wrong ones."""

    graph: ConceptGraph
    rng: random.Random

    def right(self, question: QuizQuestion) -> str:
        """The expected answer, by letter or in words, sometimes mistyped."""
        expected = question.expected_answer
        match question.kind:
            case "multiple_choice":
                return self._option(question.options, expected)
            case "true_false":
                return expected.lower()
            case "ordering":
                return _letters(_right_order(question))
            case "several" | "numeric" | "formula":
                return expected  # a slip of the keyboard in a number is another number
            case _:
                words = expected.rstrip(".")
                lead = self.rng.choice(_LEADS) if question.kind == "short_answer" else ""
                plain = f"{lead}{words}" if _is_noun_phrase(words) else words
                return self._mistyped(plain) if self.rng.random() < _MISTYPED else plain

    def wrong(self, question: QuizQuestion) -> str:
        """Another option, another order, another concept's answer, or none."""
        others = [option for option in question.options if option != question.expected_answer]
        match question.kind:
            case "true_false":
                return "false" if question.expected_answer.lower() == "true" else "true"
            case "multiple_choice":
                return self._option(question.options, self.rng.choice(others))
            case "several":
                keyed = question.expected_answer.splitlines()
                return self._option(
                    question.options, self.rng.choice([each for each in others if each not in keyed])
                )
            case "ordering":
                return self._misordered(question)
            case _:
                return (
                    self.rng.choice(_NO_ANSWER) if self.rng.random() < _GIVES_UP else self._mix_up(question)
                )

    def _option(self, options: Sequence[str], chosen: str) -> str:
        place = options.index(chosen)
        return self.rng.choice(
            (ascii_lowercase[place], ascii_uppercase[place], f"{ascii_uppercase[place]})", chosen)
        )

    def _misordered(self, question: QuizQuestion) -> str:
        """Two neighbours swapped."""
        order = _right_order(question)
        place = self.rng.randrange(len(order) - 1)
        order[place : place + 2] = order[place + 1], order[place]
        return _letters(order)

    def _mix_up(self, question: QuizQuestion) -> str:
        """What would be right of another concept, of the same chapter where there is one."""
        here = self.graph.concepts.get(question.concept_name)
        others = [
            concept
            for concept in self.graph.concepts.values()
            if concept.name != question.concept_name
            and concept.name.lower() not in question.question_text.lower()
        ]
        near = [concept for concept in others if here and concept.chapter_id == here.chapter_id]
        other = self.rng.choice(near or others)
        names_a_thing = len(question.expected_answer.split()) <= _TERM_WORDS
        return other.name if names_a_thing or not other.definition else other.definition

    def _mistyped(self, text: str) -> str:
        """Two letters inside one longer word swapped."""
        words = text.split(" ")
        long = [
            place for place, word in enumerate(words) if len(word) >= _SHORTEST_MISTYPED and word.isalpha()
        ]
        if not long:
            return text
        place = self.rng.choice(long)
        word, at = words[place], self.rng.randrange(1, len(words[place]) - 2)
        words[place] = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        return " ".join(words)


def _right_order(question: QuizQuestion) -> list[int]:
    """The options of an ordering question by their places, in the right order."""
    places = range(len(question.options))
    return sorted(places, key=lambda place: question.expected_answer.index(question.options[place]))


def _letters(places: Sequence[int]) -> str:
    return ", ".join(ascii_uppercase[place] for place in places)


def _is_noun_phrase(words: str) -> bool:
    return not words.lower().startswith(("because", "when", "if ", "to ", "by ", "so ", "only ", "it "))
