"""What a good language model would answer to our briefs: right in form and content, in its own words."""

import json
import re

_TASKS = {
    "You are the tutor of Mastery Loop. You teach": "lesson",
    "You are the tutor of Mastery Loop. You answer": "answer",
    "You are the examiner of Mastery Loop. You write": "quiz",
    "You are the examiner of Mastery Loop. You judge": "judge",
    "You are the feedback giver": "feedback",
    "You are the path planner": "plan",
    "You are the diagnostician": "diagnosis",
    "You read one message of a learner to their tutor": "intent",
    "You read one message of a learner about their to-dos": "tasks",
    "You wrote a text over numbered passages": "mend",
}
_PASSAGE = re.compile(r"^\[(\d+)\] (.+)\n((?:.|\n)*?)(?=^\[\d+\] |^DATA>>>)", re.MULTILINE)
_SENTENCE = re.compile(r"(?:\*\*|[A-Z])[^.|`#\n]{30,200}\.(?=\s|$)")


def task_of(system: str) -> str:
    return next((task for start, task in _TASKS.items() if start in system), "")


def reply_to(system: str, brief: str) -> str:
    """The reply to one request."""
    task = task_of(system)
    said = _said(brief)
    match task:
        case "lesson" | "answer":
            told = " ".join(f"{sentence[:-1]} [{number}]." for number, sentence in said[:5])
            return f"Picture it like this. {told}\n\nLet us see what has stayed."
        case "quiz":
            return json.dumps({"items": _items(brief, said)})
        case "judge":
            return json.dumps(_judgement(brief))
        case "intent":
            return json.dumps({"action": "ask", "query": _message(brief), "confidence": 0.9})
        case "tasks":
            return json.dumps({"commands": [{"intent": "list"}]})
        case "mend":
            return json.dumps({"sentences": [""] * brief.count("wrong:")})
        case _:
            return "You kept the main idea in view, and that is what counts. Look again at what slipped."


def _said(brief: str) -> list[tuple[int, str]]:
    return [
        (int(number), sentence)
        for number, _, text in _PASSAGE.findall(brief)
        for sentence in _SENTENCE.findall(text)
    ]


def _items(brief: str, said: list[tuple[int, str]]) -> list[dict[str, object]]:
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


def _judgement(brief: str) -> dict[str, str]:
    expected = set(re.findall(r"\w{5,}", re.search(r"Expected: (.+)", brief)[1].lower()))  # type: ignore[index]
    answer = set(re.findall(r"\w{5,}", brief.split("The learner's answer:")[1].lower()))
    is_right = len(expected & answer) >= 0.5 * len(expected)
    if is_right and "decided" not in brief:
        return {"verdict": "right", "to_learner": "That is the point of it."}
    return {"verdict": "wrong", "misconception": "a mix-up", "to_learner": "The point is another one here."}


def _message(brief: str) -> str:
    return brief.rsplit("<<<DATA", 1)[-1].split("DATA>>>", maxsplit=1)[0].strip()
