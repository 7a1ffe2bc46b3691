"""Everything that reads what a learner wrote, by name: for fuzzing, and for how long it takes."""

from collections.abc import Callable
from datetime import UTC, datetime

from agents.coordinator import desk, intents, question
from agents.coordinator.offline import answer_question, asked_thing
from agents.coordinator.question import search_queries
from agents.coordinator.question import understand as understand_question
from agents.diagnostic.offline import shortcut
from agents.language import due, replies, understanding
from agents.language.understanding import OpenQuestion
from agents.quiz.marking import code_grade
from agents.quiz.offline import comparison
from agents.repair import sentences
from agents.screen import readable, shown
from agents.state import Choice
from agents.task_manager import intents as task_intents
from agents.task_manager.intents import select_tool
from agents.teaching.path import ConceptGraph, resolve_goals
from agents.teaching.topics import locate
from agents.teaching.values import QuizQuestion
from rag.index.embedded import query_weights
from storage.corpus import CourseSummary
from tasks_tools.references import KnownTask, match_titles, read_reference
from tests.support.passages import retrieved
from tests.support.sample_course import sample_terms

NOW = datetime(2026, 3, 6, 12, tzinfo=UTC)
TERMS = tuple(concept.name for concept in sample_terms())
_GRAPH = ConceptGraph.of(sample_terms(), [])
_COURSES = [
    CourseSummary(name="ros", title="Robots", updated_at=NOW, documents=1, chunks=1, concepts=1),
    CourseSummary(name="biology", title="Cells and more", updated_at=NOW, documents=1, chunks=1, concepts=1),
]
_TASKS = [KnownTask(id=7, title="Read chapter two"), KnownTask(id=9, title="Buy milk")]
_METADATA = {"task_references": {"1": 7, "2": 9}, "referenced_at": NOW.isoformat()}
_PASSAGE = "A topic is a named channel over which nodes exchange messages of one type. " * 6


def _question(kind: str) -> QuizQuestion:
    options = ("A named channel", "A program", "A rigid part", "A joint") if kind != "short_answer" else ()
    return QuizQuestion(
        question_id="q",
        question_text="What is a topic?",
        concept_name="topic",
        difficulty="easy",
        expected_answer=" → ".join(options)
        if kind == "ordering"
        else "A named channel for messages of one type",
        source_context=_PASSAGE,
        kind=kind,  # type: ignore[arg-type]
        options=options,
    )


def _open(kind: str) -> intents.Situation:
    question = _question(kind)
    return intents.Situation(
        place="question",
        question=OpenQuestion(
            kind="short_answer" if kind == "recall" else kind,  # type: ignore[arg-type]
            text=question.question_text,
            options=question.options,
            expected=question.expected_answer,
        ),
        topic_names=TERMS,
    )


def _commands(text: str) -> object:
    found = task_intents.commands_in(text, listed=True)
    return [select_tool(each, metadata=_METADATA, now=NOW, tasks=_TASKS) for each in found]


def _remembered(text: str) -> object:
    history = [("user", text), ("assistant", text)] * 10
    return question.resolve("and what is it for?", history=history, terms=TERMS)


READERS: dict[str, Callable[[str], object]] = {
    "the door": readable,
    "the screen": shown,
    "understanding": lambda text: intents.understand(text, intents.Situation(topic_names=TERMS)),
    "understanding, a question open": lambda text: intents.understand(text, _open("short_answer")),
    "understanding, choices open": lambda text: intents.understand(text, _open("multiple_choice")),
    "understanding, an offer made": lambda text: intents.understand(
        text,
        intents.Situation(choices=(Choice(label="URDF", action="teach", topic="URDF"),), topic_names=TERMS),
    ),
    "understanding, a task to confirm": lambda text: intents.understand(
        text, intents.Situation(awaiting="task_confirmation")
    ),
    "understanding, an answer to compare": lambda text: intents.understand(
        text, intents.Situation(awaiting="comparison", place="question")
    ),
    "its language": understanding.language_of,
    "yes or no": replies.yes_or_no,
    "likely yes or no": replies.likely_yes_or_no,
    "a verdict on oneself": replies.verdict_on_own_answer,
    "one of three": lambda text: replies.picked(text, count=3),
    "a shortcut": shortcut,
    "follow-up": lambda text: question.resolve(
        text, history=[("user", "What is a topic?"), ("assistant", _PASSAGE)], terms=TERMS
    ),
    "follow-up on it": _remembered,
    "its subject": lambda text: question.subject_of(text, terms=TERMS),
    "search queries": search_queries,
    "words of a query": query_weights,
    "a question": lambda text: understand_question(text, TERMS),
    "what is asked for": asked_thing,
    "an answer to it": lambda text: answer_question(
        text, [retrieved(_PASSAGE)], course="Robots", course_topics=["topics"], terms=TERMS
    ),
    "an answer after it": lambda text: answer_question(
        "What is a topic?",
        [retrieved(_PASSAGE)],
        course="Robots",
        course_topics=["topics"],
        terms=TERMS,
        already_said=text,
    ),
    "a course's name": lambda text: desk.matching(_COURSES, text),
    "a topic's name": lambda text: locate(text, [], []),
    "goals": lambda text: resolve_goals(_GRAPH, [text]),
    "task commands": _commands,
    "a task to confirm": lambda text: task_intents.understand(text, waiting_for="confirmation"),
    "a task to choose": lambda text: task_intents.understand(
        text, waiting_for="clarification", options=[task.title for task in _TASKS]
    ),
    "a task's name": lambda text: match_titles(text, _TASKS),
    "a task's place": lambda text: read_reference(text, count=2),
    "a due date in it": due.split_due,
    "a due date": lambda text: due.parse_due(text, now=NOW),
    "what a model said": sentences,
    **{
        f"an answer to {kind}": lambda text, kind=kind: code_grade(_question(kind), text, concept_names=TERMS)
        for kind in ("short_answer", "multiple_choice", "cloze", "true_false", "ordering", "recall")
    },
    "a comparison": lambda text: comparison(_question("recall"), answer=text),
}
