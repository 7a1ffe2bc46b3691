"""The author's questions as what can be asked: of which kind each is, and what is marked against what."""

from dataclasses import dataclass

from agents.teaching.values import Difficulty, Exercise, QuestionKind

_FEW_WORDS = 6  # of a key that a learner can be expected to write as it stands


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorItem:
    """One thing to ask: an exercise, or one of its parts."""

    question_text: str
    kind: QuestionKind
    expected_answer: str = ""
    solution: str = ""
    options: tuple[str, ...] = ()
    whys: tuple[str, ...] = ()
    points: tuple[str, ...] = ()
    difficulty: Difficulty = "medium"
    part: int = 0  # 1 for (a); 0 where there are no parts
    trouble: str = ""  # why it cannot be asked, in a clause for people


def items_of(exercise: Exercise) -> tuple[AuthorItem, ...]:
    """What one exercise asks, its parts one after the other."""
    return (_whole(exercise),)


def _whole(exercise: Exercise) -> AuthorItem:
    text, solution = exercise.text.strip(), exercise.solution.strip()
    if exercise.trouble:
        return AuthorItem(question_text=text, kind="recall", solution=solution, trouble=exercise.trouble)
    if exercise.choices:
        right = [each.text for each in exercise.choices if each.is_right]
        return AuthorItem(
            question_text=text,
            kind=exercise.kind or ("several" if len(right) > 1 else "multiple_choice"),
            expected_answer="\n".join(right),
            solution=solution,
            options=tuple(each.text for each in exercise.choices),
            whys=tuple(each.why for each in exercise.choices),
            difficulty="easy",
            trouble="" if right else "the author gives no right answer",
        )
    key = exercise.key.strip() or solution
    if not key:
        return AuthorItem(question_text=text, kind="recall", trouble="the author gives no answer")
    kind: QuestionKind = exercise.kind or ("short_answer" if len(key.split()) <= _FEW_WORDS else "recall")
    return AuthorItem(question_text=text, kind=kind, expected_answer=key, solution=solution)
