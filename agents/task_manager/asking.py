"""Messages that ask to see the tasks."""

import re
from collections.abc import Iterator

from agents.task_manager.due_words import DUE, split_due
from agents.task_manager.understanding import Entities, Reading, Status

_TASKS = r"(?:tasks|to-?\s?dos|to-?\s?do list|task list|reminders|(?:my|the|that|this)(?: \w+)? list|list again|my task)"
_SEE = (
    r"(?:show|list|display|view|see|give|get|read|pull up|bring up|open|print|tell|check|refresh|look at|go over|"
    r"what(?:'s| is| are)|remind me (?:of|what(?:'s| is| are)))"
)
_RULES = (
    ("show my tasks", 0.95, rf"^{_SEE}\b(?:(?!\bof (?!my\b)).)*?\b{_TASKS}(?! of (?!my\b|tasks\b|to-?dos\b))\b"),
    ("my tasks", 0.93, r"^(?:my |all |the |open |pending )*(?:tasks?|to-?\s?dos?|reminders|(?:to-?\s?do |task |my |the )?list)\W*$"),
    ("show list", 0.85, r"^(?:show|view|open|see|display)(?: me)? (?:a |the )?list\W*$"),
    ("tasks for a day", 0.95, rf"^(?:show |list |my |all |open |pending |overdue |today's |tomorrow's |this week's |next week's )*(?:tasks|to-?dos|reminders)(?:\s+{DUE})?\W*$"),
    ("show done ones", 0.8, r"^(?:show|list|see|view|display)\s+(?:me\s+)?(?:all |the |my )*(?:completed|done|finished|open|pending|overdue|everything|all)\W*$"),
    ("what do I have today", 0.85, r"^what(?:'s| is| do i have| have i got)(?: due| on| planned| going on)? (?:for )?(?:today|tomorrow|this week|tonight)\W*$"),
    ("what do I have to do", 0.9, r"\bwhat(?: else)? (?:do|must|should) i (?:still )?(?:have|need)(?: left)? to (?:do|get done|finish|complete)\b(?! to\b| in order\b| with\b)"),
    ("what is left", 0.88, r"^what(?:'s| is| else is)? (?:still )?(?:left|open|due|overdue|pending|outstanding)\b(?! of\b)"),
    ("on my list", 0.93, r"\bon my (?:to-?do |task )?(?:list|plate|agenda)\b"),
    ("which tasks", 0.92, rf"^(?:which|what|how many|are there(?: any)?|do i have(?: any| some)?|have i(?: got)?(?: any)?|any|got any)\b.*\b{_TASKS}(?! in\b)(?:\W*$| (?:do|did|are|have|left|due|open|today|still|for|i)\b)"),
    ("anything due", 0.9, r"\b(?:anything|something|what)\b.*\b(?:overdue|due(?: (?:today|tomorrow|soon|this week|next week))?|left to do)\W*$"),
    ("asked to remind", 0.85, r"^what did i (?:ask|tell|want) you to remind\b"),
)  # fmt: skip
_AGAIN = re.compile(
    r"^(?:show|list|read|see|display|pull up|repeat)\b.*\b(?:them|those|it|these|list)\b(?: all)? again\W*$",
    re.IGNORECASE,
)
_COMPILED = tuple(
    (rule, confidence, re.compile(pattern, re.IGNORECASE)) for rule, confidence, pattern in _RULES
)
_BOTH = re.compile(r"\b(?:all|everything|including|every)\b", re.IGNORECASE)
_DONE = re.compile(r"\b(?:completed?|done|finished|ticked off|closed)\b", re.IGNORECASE)
_GET_DONE = re.compile(
    r"\b(?:get|to be|not|isn't|aren't|un)\s*done\b|\bhave to (?:complete|finish)\b", re.IGNORECASE
)


def read_list(text: str, *, listed: bool) -> Iterator[Reading]:
    """All ways in which a message asks for the list."""
    for rule, confidence, pattern in _COMPILED:
        if pattern.search(text):
            yield Reading(intent="list", confidence=confidence, entities=_wanted(text), rule=rule)
    if listed and _AGAIN.match(text):
        yield Reading(intent="list", confidence=0.9, entities=_wanted(text), rule="show them again")


def _wanted(text: str) -> Entities:
    due = "overdue" if re.search(r"\boverdue\b", text, re.IGNORECASE) else split_due(text)[1]
    return Entities(status=_status(text), due=due)


def _status(text: str) -> Status:
    done = bool(_DONE.search(_GET_DONE.sub("", text)))
    if done and not re.search(r"\bincluding\b|\band done\b", text, re.IGNORECASE):
        return "completed"
    return "all" if done or _BOTH.search(text) else "pending"
