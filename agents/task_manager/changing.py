"""Messages that change, tick off or delete a task, and the words in them that say which."""

import re
from collections.abc import Iterator
from dataclasses import replace

from agents.task_manager.creating import titled
from agents.task_manager.due_words import DUE, is_due, is_when
from agents.task_manager.understanding import Entities, Intent, Reading
from tasks_tools.references import Reference, read_reference

_MANY = 200  # more tasks than a list shows, so that every position counts as one

_EDIT = r"(?:rename|change|update|edit|modify|alter|replace|reword|correct)"
_MOVE = r"(?:move|postpone|push|reschedule|delay|snooze|shift|defer|extend|put off|bring forward)"
_TICK = r"(?:complete|finish|close|tick(?: off)?|check off|cross(?: off| out)?|strike(?: off| out)?)"
_CHANGE_TO = r"(?::\s*|\s+(?:to (?:say|read|be)|to|into|with|so (?:that )?it (?:says|reads|is)|say|=|as)\s+)"
_POINTED = r"(?:it|that|this|(?:the )?\S*(?:task|number|item|#|first|second|third|last|one)\b.*?)"
_DROP = (
    r"(?:delete|remove|erase|drop|trash|bin|scrap|scratch|kill|discard|cancel|get rid of|throw (?:away|out)|"
    r"forget(?: about)?|deleting|removing|dropping|wipe)"
)
_DONE = r"(?:all )?(?:done|complete|completed|finished|closed|ticked off|over)"
_FROM_LIST = r"(?:\s+(?:off|from|on|out of)\s+(?:my|the)\s+(?:to-?do\s+|task\s+)?(?:list|tasks))"
_BY = r"(?:back\s+)?(?:to|until|till|for|by|on|from)"
_THE_DATE = r"(?:the\s+)?(?:due date|deadline|date|due time)"

_RULES: tuple[tuple[Intent, str, float, str], ...] = (
    ("update", "remove the due date", 0.96, rf"^{_DROP}\s+{_THE_DATE}\s+(?:from|of|for|on)\s+(?P<ref>.+)$"),
    ("update", "add a note", 0.98, r"^(?:add|put|attach|write)\s+(?:a |an |the |this |some )?(?:note|description|detail|comment)s?\s+(?:to|on|for)\s+(?P<ref>[^:]+?)\s*(?::|,|\bsaying\b|\bthat says\b|\bthat\b)\s*(?P<note>.+)$"),
    ("update", "change the note", 0.97, rf"^(?:{_EDIT}|set)\s+(?:the\s+)?(?:description|note|details?)\s+(?:of|for|on)\s+(?P<ref>.+?)\s*(?::\s*|\s+to\s+)(?P<note>.+)$"),
    ("update", "its due date", 0.97, rf"^(?:set|change|move|make)\s+(?P<ref>.+?)(?:'s|s')\s+{_THE_DATE}\s+(?:to|as|:)\s+(?P<due>.+)$"),
    ("update", "add a due date", 0.97, r"^(?:add|give|put)\s+(?:a\s+|the\s+)?(?:due date|deadline)\s+(?:to|on|for)\s+(?P<ref>.+?)\s*(?::|,|\bof\b|=)\s*(?P<due>.+)$"),
    ("update", "remind me of it", 0.97, rf"^remind me (?:about|of)\s+(?P<ref>it|that(?: one)?|this(?: one)?|(?:task |number |#)+\w+|\d+|the \w+ (?:one|task))\s+(?P<due>{DUE})\W*$"),
    ("update", "set the due date", 0.95, rf"^(?:set|change|move|make)\s+{_THE_DATE}\s+(?:of|for|on)\s+(?P<ref>.+?)\s+(?:to|as|:)\s+(?P<due>.+)$"),
    ("update", "the deadline is", 0.95, rf"^{_THE_DATE}\s+(?:of|for|on)\s+(?P<ref>.+?)(?:\s+(?:is|was|has)\s+(?:now\s+|moved to\s+|changed to\s+)*|:\s*)(?P<due>{DUE})\W*$"),
    ("update", "is due", 0.94, rf"^(?:make\s+)?(?P<ref>.+?)\s+(?:is\s+|are\s+)?(?:now\s+)?(?P<due>due\s+{DUE})\W*$"),
    ("update", "move to a date", 0.95, rf"^{_MOVE}\s+(?P<ref>.+?)\s+{_BY}\s+(?P<due>.+)$"),
    ("update", "call it", 0.93, r"^(?:call|name)\s+(?P<ref>it|that|this|(?:task|number|#)\s*\S+|the \w+ one)\s+(?P<new>.+)$"),
    ("update", "change to", 0.93, rf"^{_EDIT}\s+(?P<ref>.+?)\s*{_CHANGE_TO}(?P<new>.+)$"),
    ("update", "make it say", 0.93, rf"^(?:make|turn|set)\s+(?P<ref>{_POINTED})\s*{_CHANGE_TO}(?P<new>.+)$"),
    ("update", "change", 0.88, r"^(?:rename|change|update|edit|modify|alter|reword)\s+(?P<ref>.+)$"),
    ("complete", "mark as done", 0.97, rf"^(?:mark|set|tick|check|flag)\s+(?P<ref>.+?)\s+(?:off\s+)?(?:as|to)\s+{_DONE}\b.*$"),
    ("complete", "is done", 0.92, rf"^(?P<ref>.+?)(?:\s+(?:is|are|was|were|has been|have been)|'s)?\s+(?:now |already |finally )*{_DONE}\W*$"),
    ("complete", "I did it", 0.92, r"^(?:(?:i|we)(?:'ve|'m|'re| am| are| have)?\s+)?(?:just |already |finally |now |also )*(?:did|done|finished|completed|ticked off|through)\b(?: with)?\s*:?\s*(?P<ref>.+)$"),
    ("complete", "check it off", 0.93, r"^(?:check|tick|cross|strike)\s+(?P<ref>.+?)\s+(?:off|out)\W*$"),
    ("complete", "complete", 0.92, rf"^{_TICK}\s+(?P<ref>.+?)(?:\s+off)?\W*$"),
    ("complete", "done, you can close it", 0.92, r"^(?P<ref>.+),\s*(?:so )?you can (?:close|tick(?: off)?|complete|check off|cross off) (?:it|that|this)(?: one)?(?: off)?\W*$"),
    ("complete", "you can close it", 0.9, r"^[^,]*\byou can (?:close|tick(?: off)?|complete|check off|cross off) (?P<ref>.+?)(?: off)?\W*$"),
    ("complete", "got it done", 0.6, r"^(?:i(?:'ve| have)?|we(?:'ve| have)?)\s+(?:just |already |finally )*(?P<ref>(?:bought|called|sent|wrote|read|paid|emailed|submitted|handed in|booked|cleaned|prepared|reviewed|fixed|made|got|watched|turned in|returned)\s+.+)$"),
    ("delete", "delete", 0.95, rf"^{_DROP}\s+(?P<ref>.+?){_FROM_LIST}?\W*$"),
    ("delete", "take off my list", 0.95, rf"^(?:take|strike|clear|cross)\s+(?P<ref>.+?){_FROM_LIST}\W*$"),
    ("delete", "not needed", 0.85, r"^(?:i )?(?:no longer|don't|do not) (?:need|want)\s+(?:to (?:do|keep) )?(?P<ref>.+?)(?:\s+any ?more)?(?:,.*)?\W*$"),
    ("delete", "clear the done ones", 0.95, r"^(?:clear|clean up|tidy up|purge)\s+(?P<ref>(?:all )?(?:my |the )?(?:completed|done|finished) \w+)\W*$"),
    ("delete", "clear the list", 0.95, r"^(?:clear|empty|wipe|delete|erase)\s+(?P<ref>(?:my |the )?(?:whole |entire )?(?:to-?do |task )?list)\W*$"),
)  # fmt: skip
_COMPILED = tuple(
    (intent, rule, confidence, re.compile(pattern, re.IGNORECASE | re.DOTALL))
    for intent, rule, confidence, pattern in _RULES
)
# What belongs to the lesson is not a task, unless the learner calls it one.
_LESSON = re.compile(
    r"\b(?:quiz(?:zes)?|questions?|answers?|sentences?|lessons?|topic|hints?|progress|history|tutorial|explanations?|"
    r"session|conversation|course|subject|difficulty|level|mastery|score|example|friction|tutor|me|you)\b",
    re.IGNORECASE,
)
_TASK = re.compile(r"\b(?:tasks?|to-?\s?dos?|reminders?|items?)\b|#\d", re.IGNORECASE)
_NOBODY = re.compile(
    r"^(?:i|i am|i'm|we|we are|well|it is|already|\W+|mark|set|mark as|for (?:today|now|the day|tonight)|today|now|here|learning|studying|"
    r"(?:a|an|any|some|another)(?: \w+)? (?:task|to-?\s?do|reminder|item)s?|(?:add|create|new|remind|todo|put|note|show|list|i)\b.*)$",
    re.IGNORECASE,
)
_TASK_NUMBER = re.compile(r"\d|\b(?:first|second|third|last|one|two|three)\b", re.IGNORECASE)
_INDEFINITE = re.compile(
    r"^(?:(?:a|an|any|some|another)(?: \w+)?|my|the)?\s*(?:task|to-?\s?do|reminder|item)s?\W*$", re.IGNORECASE
)


def read_change(text: str) -> Iterator[Reading]:
    """All ways in which a message changes, ticks off or deletes a task."""
    for intent, rule, confidence, pattern in _COMPILED:
        match = pattern.match(text)
        if match and _can_be_task(match["ref"]) and _makes_sense(match, rule=rule):
            yield Reading(
                intent=intent,
                confidence=round(confidence * _certainty(match["ref"]), 3),
                entities=_entities(match, rule=rule),
                rule=rule,
            )


def _makes_sense(match: re.Match[str], *, rule: str) -> bool:
    """ "Move the arm to the left" moves no task, and "tasks due Friday" asks to see some."""
    if rule == "move to a date":
        return is_when(match["due"])
    return rule != "is due" or _reference(match["ref"]) is not None


def _can_be_task(reference: str) -> bool:
    if _TASK.search(reference):
        return True
    return not (_LESSON.search(reference) or _NOBODY.match(reference.strip()))


def _certainty(reference: str) -> float:
    """Words of a title are a weaker sign than a number or the word task."""
    pointed = read_reference(reference, count=_MANY)
    if pointed != Reference() or _TASK.search(reference):
        return 1.0
    return 0.85 if len(reference.split()) <= 8 else 0.6


def _entities(match: re.Match[str], *, rule: str) -> Entities:
    named = match.groupdict()
    reference = _reference(named["ref"])
    if rule == "remove the due date":
        return Entities(reference=reference, clear_due=True)
    if named.get("note"):
        return Entities(reference=reference, description=named["note"].strip())
    if named.get("due"):
        return Entities(reference=reference, due=named["due"].strip())
    if new := named.get("new"):
        return _renamed(new, reference=reference)
    return Entities(reference=reference)


def _renamed(new: str, *, reference: str | None) -> Entities:
    if is_due(new):
        return Entities(reference=reference, due=new.strip())
    found = titled(new)
    return replace(found, reference=reference)


def _reference(words: str) -> str | None:
    """The words that point; "a task" points at none."""
    words = words.strip(" ,:;")
    return None if not words or (_INDEFINITE.match(words) and not _TASK_NUMBER.search(words)) else words
