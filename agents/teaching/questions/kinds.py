"""All kinds of questions that we write."""

from agents.teaching.questions import (
    because,
    cloze,
    code,
    finish,
    meaning,
    name_in_code,
    order,
    output,
    point,
    purpose,
    recall,
    term,
    true_false,
)
from agents.teaching.questions.base import Kind
from agents.teaching.values import QuizQuestion

# Those that the learner marks come last, and are asked in this order.
KINDS: tuple[Kind, ...] = (
    term.KIND,
    meaning.KIND,
    cloze.KIND,
    true_false.KIND,
    because.KIND,
    order.KIND,
    output.KIND,
    code.KIND,
    name_in_code.KIND,
    recall.KIND,
    purpose.KIND,
    finish.KIND,
    point.KIND,
)
_BY_NAME = {kind.name: kind for kind in KINDS}
# What a model's question is answered like, which has a kind of answer but is none of ours.
_LIKE = {"cloze": cloze.KIND, "true_false": true_false.KIND, "recall": recall.KIND, "output": output.KIND}


def preference(question: QuizQuestion) -> int:
    """Among questions of last resort: which to ask rather; all others are as good as each other."""
    kind = kind_of(question)
    return KINDS.index(kind) if kind and question.kind == "recall" else 0


def kind_of(question: QuizQuestion) -> Kind | None:
    """The kind that a question was written as; of a model's question, ours that is answered the same way."""
    return _BY_NAME.get(question.written_as) or _LIKE.get(question.kind)
