"""What a good language model would answer to our briefs: right in form and content, in its own words."""

import json
import re
from collections.abc import Collection
from typing import Any

_TASKS = {
    "You are the tutor of Mastery Loop. You teach": "lesson",
    "You are the tutor of Mastery Loop, at the front desk": "answer",
    "You are the examiner of Mastery Loop. You write": "quiz",
    "You are the examiner of Mastery Loop. You judge": "judge",
    "You are the feedback giver": "feedback",
    "You are the path planner": "plan",
    "You are the diagnostician": "diagnosis",
    "You keep a learner's to-dos": "tasks",
}
_MENDING = "Some sentences of your last text are wrong"
Calls = list[tuple[str, dict[str, Any]]]
_PASSAGE = re.compile(r"^\[(\d+)\] (.+)\n((?:.|\n)*?)(?=^\[\d+\] |^DATA>>>)", re.MULTILINE)
_SENTENCE = re.compile(r"(?:\*\*|[A-Z])[^.|`#\n]{30,200}\.(?=\s|$)")


def task_of(system: str, last: str = "") -> str:
    """What a request asks for: by its agent's prompt, or by what was just said of the model's own words."""
    if last.startswith(_MENDING):
        return "mend"
    return next((task for start, task in _TASKS.items() if start in system), "")


def reply_to(
    system: str, last: str, *, tools: Collection[str] = (), has_results: bool = False
) -> str | Calls:
    """The reply to one request: words, or the tools that a good model would use."""
    task = task_of(system, last)
    said = _said(system)
    match task:
        case "answer" if not said and "retrieve_context" in tools and not has_results:
            return [("retrieve_context", {"query": _message(system)})]
        case "lesson" | "answer":
            told = " ".join(f"{sentence[:-1]} [{number}]." for number, sentence in said[:5])
            return f"Picture it like this. {told}\n\nLet us see what has stayed."
        case "quiz":
            return _used("propose_questions", {"questions": _items(system, said)}, tools=tools, plain="items")
        case "judge":
            return _used("give_verdict", _judgement(system), tools=tools)
        case "tasks" if not has_results:
            return [("list_tasks", {"status": "pending"})]
        case "mend":
            return json.dumps({"sentences": [""] * last.count("wrong:")})
        case _:
            return "You kept the main idea in view, and that is what counts. Look again at what slipped."


def _used(tool: str, args: dict[str, Any], *, tools: Collection[str], plain: str = "") -> str | Calls:
    """A call where the tool is on offer, else its JSON."""
    if tool in tools:
        return [(tool, args)]
    return json.dumps({plain: next(iter(args.values()))} if plain else args)


def _said(brief: str) -> list[tuple[int, str]]:
    return [
        (int(number), sentence)
        for number, _, text in _PASSAGE.findall(brief)
        for sentence in _SENTENCE.findall(text)
    ]


def _items(brief: str, said: list[tuple[int, str]]) -> list[dict[str, Any]]:
    wanted = int(re.search(r"Write (\d+) questions", brief)[1])  # type: ignore[index]
    concepts = re.search(r"Concepts: (.+?)\. First", brief)[1].split(", ")  # type: ignore[index]
    return [
        {
            "question_text": f"In your own words, number {place}: what does it mean here, and what follows from it?",
            "concept_name": concepts[place % len(concepts)],
            "kind": "short_answer",
            "expected_answer": sentence.replace("*", ""),
            "difficulty": "easy",
            "options": [],
            "passage": number,
            "source_context": sentence,
        }
        for place, (number, sentence) in enumerate(said[:wanted])
    ]


def _judgement(brief: str) -> dict[str, Any]:
    expected = set(re.findall(r"\w{5,}", re.search(r"Expected: (.+)", brief)[1].lower()))  # type: ignore[index]
    answer = set(re.findall(r"\w{5,}", brief.split("The learner's answer:")[1].lower()))
    is_right = len(expected & answer) >= 0.5 * len(expected)
    if is_right and "decided" not in brief:
        return {"verdict": "right", "to_learner": "That is the point of it."}
    return {"verdict": "wrong", "misconception": "a mix-up", "to_learner": "The point is another one here."}


def _message(brief: str) -> str:
    return brief.rsplit("<<<DATA", 1)[-1].split("DATA>>>", maxsplit=1)[0].strip()
