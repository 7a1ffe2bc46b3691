"""What a task command names: a title and when it is due, or the task that it points at.

A command has a frame and a body: "could you put | water the plants | on my list". The frame says what is wanted (a note, a
duty told, a tick, ...). The body follows it, or stands before it where only a pointer follows: "the oven needs cleaning,
write that down". Which of the five commands it is, the fitted model says (intents.py); here only its parts are found.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Any, Literal

from rapidfuzz.distance import OSA

from agents.language.due import is_due, is_when, split_due
from agents.state import Lacking, TaskStatus, TaskTool
from tasks_tools.references import Reference, read_reference

Intent = Literal["create", "list", "update", "complete", "delete", "none", "confirm", "decline", "choose"]
WaitingFor = Literal["confirmation", "clarification"]
Problem = Lacking | Literal["which_one", "not_found", "none_there", "see_tasks", "unsure"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entities:
    """What a message names; None where it names nothing."""

    title: str | None = None  # of the new task, or the new title of one that is there
    description: str | None = None
    due: str | None = None  # in the learner's words
    clear_due: bool = False
    status: TaskStatus | None = None
    reference: str | None = None  # the words that point at a task
    undated_title: str | None = None  # the title with its date in it, should that be no due date


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentResult:
    """What a message asks for, how sure that is, and what else it could be."""

    intent: Intent
    confidence: float
    entities: Entities = field(default_factory=Entities)
    told: bool = False  # an errand told in passing, to be offered, not added
    alternatives: tuple[tuple[Intent, float], ...] = ()
    reasoning: str = ""
    otherwise: "IntentResult | None" = None  # what it is instead, should its words name no task


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSelectionResult:
    """The tool call that serves an intent, or what is missing before there can be one."""

    tool_name: TaskTool | None
    confidence: float
    parameters: Mapping[str, Any] = field(default_factory=dict)
    requires_confirmation: bool = False
    alternatives: tuple[tuple[str, float], ...] = ()
    task_ids: tuple[int, ...] = ()  # one call for each, when there are several
    problem: Problem | None = None
    is_all: bool = False  # all of a kind, as there are now
    options: tuple[int, ...] = ()  # the tasks to choose from, when the problem is which one
    missing: tuple[int, ...] = ()  # positions that the last list did not have

    @property
    def told(self) -> dict[str, Any]:
        """All parameters that were found, whether or not there can be a call yet."""
        ids = {"task_ids": list(self.task_ids)} if len(self.task_ids) > 1 else {}
        one = {"task_id": self.task_ids[0]} if len(self.task_ids) == 1 else {}
        return {**ids, **one, **self.parameters}

    @property
    def calls(self) -> tuple[Mapping[str, Any], ...]:
        """The parameters of each call to make."""
        if self.problem is not None or self.tool_name is None:
            return ()
        if self.tool_name in {"add_task", "list_tasks"}:
            return (self.parameters,)
        return tuple({"task_id": task_id, **self.parameters} for task_id in self.task_ids)


_any_case = partial(re.compile, flags=re.IGNORECASE)

MOST_CHARACTERS = 2000  # a command, with the longest title and description there can be
MANY = 200  # more tasks than a list shows, so that every position counts as one
_ITEM = r"(?:to-?\s?do(?:'?s)?(?: item| list)?|tasks?|reminders?|items?|entry|entries|notes?|memo|nudge|errands?|things?|chores?)"
_LIST = r"(?:(?:my|the|your|our|ma|tomorrow's|today's)\s+(?:(?:to-?\s?do|task|reminder|shopping)\s+)?(?:list|tasks|to-?\s?do'?s?|reminders|agenda|pile|plate))"
_POINTER = r"(?:it|this|that|these|those|them|both|something|sth|the following|that one|this one|one|another(?: one)?|a new one|so)"
_DETERMINER = r"(?:(?:it|a|an|the|another|one more|my|this|that|new|quick|recurring|two|three|some|me)\s+)*"
# "add a note to the John task" changes that task.
_NO_NOTE_ON = (
    r"(?!\w+ (?:an? |the |some )?(?:note|description|detail|comment|due date|deadline)s? (?:to|on|of|for) "
    rf"(?!{_LIST}|self))"
)
_ASIDE = _any_case(
    r"(?:(?:please|pls|plz|kindly|hey|hi|hello|yo|ok|okay|so|well|and|also|then|now|actually|ugh|hm+|um|uh|oh(?: (?:no|shoot))?|omg|"
    r"wait|hold on|fine|alright|right|yes|yeah|yep|no(?=,)|nvm|just|quick(?:ly)?|finally|great|thanks|sorry|btw|fyi|anyway|perhaps|"
    r"maybe|plus|or|but|n|tutor|by the way|before (?:i forget|it goes)[^,!:.]{0,25}|that reminds me|"
    r"(?:i )?(?:just |also )?(?:remembered|forgot(?: to say)?)|when you (?:have|get) (?:a|some) \w+|"
    r"if you (?:can|could|don't mind)|would you (?:mind|be so kind as to)|would it be possible to|"
    r"(?:can|could|would|will|may) (?:you|u|i|we)|i(?:'d| would)? (?:like|want|wanna)(?: you)?(?: to)?|i wanna|let'?s|let us|"
    r"you (?:can|could|should)|go ahead and)(?:\s*[,:;!.…]+\s*|\s+))+(?=\S)"
)
_CLOSING = _any_case(
    r"(?:[\s,;.!?🙏]{1,4}(?:please|pls|plz|thanks|thank you|thx|cheers|already|too|for me|ok|okay|will you|would you|if you can|dear|"
    r"ha|lol|btw|somewhere|real quick|after all|any ?more|for good|instead|phew|🙏))+[\s.!?🙏]*$"
)
_FRAMES: dict[str, re.Pattern[str]] = {
    name: _any_case(pattern)
    for name, pattern in {
        "create": (
            r"(?:(?:remind|ping|nudge|poke|nag|alert|tell)\s+me\b(?:\s+(?:later|again)\b)?(?!\s+(?:about|of)\s+(?:it|that|task|number|#|\d)\b)|"
            r"(?:i (?:must|need to) )?remember\b(?: for me\b)?|be reminded\b|get me(?=\s+to\b)|"
            r"(?:do not|don'?t|never)\s+(?:let me\s+)?forget\b|(?:i )?(?:must not|mustn'?t|shouldn'?t|should not|can'?t) forget\b|"
            r"make sure(?: that)? i(?: don'?t forget| remember| don'?t miss)?\b|note to self\b|for later\b|"
            rf"{_NO_NOTE_ON}(?:create|make|set(?: up)?|start|open|give me|get|have|leave|keep|need|i need|new|add(?:ing)?|put|schedule|save|log|write|note)\s+"
            rf"{_DETERMINER}{_ITEM}\b(?!\s+(?:number\s+)?#?\d)(?:\s+(?:down|in|of)\b)?(?:\s+(?:to|on)\s+{_LIST}\b)?(?:\s+(?:for me|please)\b)?|"
            rf"{_NO_NOTE_ON}(?:add(?:ing)?|append|insert|put(?:ting)?|write|note|jot|log|save|record|enter|schedule|track|stick|pop|throw|keep(?=\s+(?:in mind|track|a note|this|that|it))|hold on ?to)\b"
            rf"(?:\s+(?:down|in mind|track of|me down)\b)?(?:\s+(?:a|an)\s+{_ITEM}\b|\s+{_POINTER}(?=\W|$)(?!\s+(?:one|thing)\b))?"
            rf"(?:\s+(?:down|in|on there|somewhere|real quick)\b)*(?:\s+(?:to|on|onto|in)\s+{_LIST}\b)?(?:\s+(?:for me|please|real quick)\b)*|"
            rf"{_DETERMINER}{_ITEM}(?:\s+for me\b)?(?=\s*[:–—-]\s|\s+for\b.{1,30}[:–—]\s)|(?:another|one more)(?: one)?(?: for {_LIST})?(?=\s*[:,–—-])|new (?:one|to-?do|task)\b)"
        ),
        "told": (
            r"(?:(?:i|we|someone|somebody)(?:'ve|'ll|'d|'m|ve|\s+am|\s+will|\s+have|\s+had)?\s+)?"
            r"(?:(?:really|realy|still|also|probably|definitely|just|going|gonna|keep thinking i)\s+)*"
            r"(?:(?:need|have|has|got|had|supposed|ought|wanted|promised|been meaning|keep forgetting|have got|huv)\s+(?:to|2|tae)\b|"
            r"gotta\b|must(?: to)?\b|should\b|shud\b|better(?!\s+(?:at|than|in)\b)|(?<=i )(?:have|got|have got)\s+an?\b)"
            r"(?:\s+(?:really|realy|probably|also|still)\b)*"
        ),
        "complete": (
            r"(?:mark|set|flag|complete|finish|close|tick(?: off)?|check(?: off)?|cross(?: off| out)?|strike(?: off| out)?|scratch|clear|"
            r"(?:(?:i|we)(?:'ve|'m|'re| am| are| have)?\s+)?(?:just |already |finally |now |also )*(?:did|done|finished|completed|ticked off|through)(?: with)?)\b:?"
        ),
        "delete": (
            r"(?:delete|deleting|del|remove|removing|erase|drop|dropping|trash|bin|scrap|scratch|kill|discard|cancel|get rid of|"
            r"throw (?:away|out)|toss(?: out)?|lose|skip|undo|forget(?: about)?|never mind|nvm|wipe|clear|clean up|tidy up|empty|purge|take|strike|cross|"
            r"stop reminding me(?: to| about| of)?|(?:don'?t|no need to) remind me(?: to| about| of)?|unsubscribe me from|"
            r"(?:i )?(?:no longer|don'?t|do not|won'?t) (?:need|want|going to|do)(?: to (?:do|keep))?)\b"
        ),
        "update": (
            r"(?:rename|change|update|edit|modify|alter|amend|adjust|fix|correct|replace|reword|shorten|move|postpone|push(?: back)?|"
            r"reschedule|delay|snooze|shift|defer|extend|put off|bring forward|bring|bump|make|turn|set|call|name|swap|merge|uncheck|reopen|"
            r"(?:add|put|give|attach|write)(?=\s.*\b(?:to|on)\b)|put)\b"
        ),
    }.items()
}  # fmt: skip
_CLAUSE = _any_case(
    r"(?:^|(?<![,.;:!?…])[,.;:!?…]+\s+|\s[–—-]\s+|\b(?:and|but|so|because|then|anyway|n)\s+|"
    r"(?<!that)(?<!what)\s(?=i(?:'ve|'ll|'d|'m| still| also| really| just)*\s+(?:need|have|got|must|should|ought)\b))\s*"
)
_LINK = _any_case(
    r"[\s:,.!–—-]*(?:please\b[\s:,]*)?(?:(?:it should (?:say|be)|which says|that says|saying|called|named|titled|namely|with the title|about|to|2|for|of|"
    r"that|like|plus|as)\b(?:\s+(?:to|that)\b)?[\s:,–—-]*)?"
)
_ONLY_POINTS = _any_case(
    rf"(?:[\W_]|\b(?:{_POINTER}|down|on|in|off|out|there|with|for|me|please|to|both|somewhere|would you|{_LIST})\b)*(?:\bso (?:i|we|that)\b.*)?"
)
_ON_LIST = _any_case(rf"\s+(?:(?:to|on|onto|in|under)\s+{_LIST}|on there|down)\b[\s.!?]*")
_IS_DUE = _any_case(r"(?:,?\s+(?:it|this|that|which)(?:'s|\s+is)|\s+(?:is|are))\s*$")
# "meeting notes in two weeks" has no description: it takes a "with", or a colon.
_WORDS_FOR_IT = r"(?:description|details?|notes?)\b"
_DESCRIBED = _any_case(
    rf"[,;]?\s*(?:\(|\b)(?:with (?:the |a )?{_WORDS_FOR_IT}\s*:?|{_WORDS_FOR_IT}\s*:)\s*(?P<text>[^)]+)\)?$"
)
_QUOTED = re.compile(r"(?<!\w)(?P<quote>[\"'])(?P<title>(?:(?!(?P=quote)(?!\w)).)+)(?P=quote)(?!\w)")
_NOTE = _any_case(
    r"^(?:(?:add|put|attach|write|change|update|edit|set)\s+)(?:a |an |the |this |some )?(?:note|description|detail|comment)s?\s+"
    r"(?:to|on|for|of)\s+(?P<ref>[^:]+?)\s*(?::|,|\bsaying\b|\bthat says\b|\bthat\b|\bto\b)\s*(?P<note>.+)$"
)
_THE_DATE = r"(?:the |a )?(?:due date|deadline|date|due time)"
_CLEAR_DATE = _any_case(
    rf"\b(?:remove|delete|clear|drop|take|no)\s+{_THE_DATE}(?:\s+(?:from|of|for|on|off)\s+(?P<ref>.+))?$"
)
_DATE_NOUN = _any_case(rf"^{_THE_DATE}\s+(?:of|for|on|to)\s+|(?:'s)?\s+(?:due date|deadline)(?=\s)")
_TO = _any_case(
    r":\s+|,?\s+it should (?:say|be)\s+|\s+(?:to (?:say|be|just)|to|into|with|so (?:that )?it (?:says|reads|is)|say|=|as|until|till|for|by)\s+|(?<=^it)\s+|(?<=^that)\s+"
)
_STATE = _any_case(rf"\s+(?:as\s+(?:done|completed?|finished)|(?:from|off|on)\s+{_LIST})\W*$")
_INDEFINITE = _any_case(rf"(?:(?:a|an|any|some|another)(?: \w+)?|my|the)?\s*(?:{_ITEM})\W*")
_AFTERTHOUGHT = _any_case(r",\s+(?=(?:i|he|she|they|we|you)\b)|\s+(?=they're\b)")
_SOFT = _any_case(
    r"(?:make|turn|set|bump|push|move|bring|swap|merge|put|uncheck|reopen|delay|postpone|shift)\b"
)
_WHOLE_LIST = _any_case(
    r"(?:all )?(?:my|the) (?:whole |entire )?(?:to-?\s?do |task )?(?:list|tasks|to-?\s?dos|reminders)"
)
_GAP = _any_case(
    r"(?<![,.;!?])[,.;!?]+\s+(?:(?:and|then|n|plus|also|&)\b[\s:,]*)*|\s+(?:and|n|plus|then|&)\s+(?:(?:also|then)\b[\s:,]*)*"
)
_LABELLED = re.compile(r"[^:]{0,40}:\s")
_SAME_ERRAND = _any_case(r"\b(?:it|him|her|them|that|there)\b")
_MOST_COMMANDS = 8
_EVERY = _any_case(r"\b(?:all|everything|including|every)\b")
_DONE = _any_case(r"\b(?:completed?|done|finished|ticked off|closed)\b")
_GET_DONE = _any_case(r"\b(?:get|to be|not|isn't|aren't|un)\s*done\b|\bhave to (?:complete|finish)\b")
_ITEM_WORDS = ("task", "tasks", "reminder", "reminders", "list")
_COMMAND_WORDS = (
    "add", "remind", "remember", "create", "show", "list", "display", "delete", "remove", "complete", "update", "change", "rename",
    "finish", "cancel", "postpone", "schedule", "reschedule", "mark", "edit", *_ITEM_WORDS,
)  # fmt: skip
_INTRODUCES = _any_case(r".?.?\s*:|me\s+to\b(?=\s+\w)")
_REQUEST = _any_case(r"\b(?:can|could|would|will|may) (?:you|u|i|we|it)\b")
_STARTS_POINTING = _any_case(rf"{_POINTER}\b")
_EDGES = " \t,;:–—-"
_MOST_SEEN, _MOST_CLAUSES = 480, 40  # a longer message is no plain command any more


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Where a frame stands in a text."""

    kind: str
    start: int
    end: int


def tidy(message: str) -> str:
    """A message on one line, with plain quotes, its command words spelt right, and no politeness around it."""
    quotes = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "’": "'", "‘": "'", "`": "'"})
    text = " ".join(message[:MOST_CHARACTERS].translate(quotes).split())
    aside = _ASIDE.match(text)
    bare = _CLOSING.sub("", text[aside.end() :] if aside else text).strip()
    # "Could you …?" is a request, no question.
    return _mended((bare.rstrip(" ?") if aside and _REQUEST.search(aside[0]) else bare) or text)


def visible(text: str) -> str:
    """What a reader of commands may look at: not into quotes, nor into what "add a task:" or "remind me to" introduce."""
    text = _QUOTED.sub('"…"', text[:_MOST_SEEN])
    frame = _frame_at(text, 0, "create")
    introduced = frame and _INTRODUCES.match(text, max(0, frame.end - 2))
    return f"{introduced.string[: introduced.end()]} …" if introduced else text


def frames(text: str, *kinds: str) -> Iterator[Frame]:
    """Every place at the start of a clause where a frame of these kinds stands, the first one first."""
    for clause in islice(_CLAUSE.finditer(text), _MOST_CLAUSES):
        if frame := _frame_at(text, clause.end(), *kinds):
            yield replace(frame, start=clause.start())


def _frame_at(text: str, place: int, *kinds: str) -> Frame | None:
    aside = _ASIDE.match(text, place)
    found = ((kind, _FRAMES[kind].match(text, aside.end() if aside else place)) for kind in kinds)
    return next((Frame(kind=kind, start=place, end=match.end()) for kind, match in found if match), None)


def pieces(text: str, *, verbs: Collection[str]) -> list[tuple[str, bool]]:
    """A tidied message where further commands begin: at a frame of their own, or (True) as a further "to …"."""
    text = _without_afterword(text)
    quoted = [match.span() for match in _QUOTED.finditer(text)]
    starts = [(0, 0, False)]
    literal = bool(_LABELLED.match(text)) or bool(_DESCRIBED.search(text))
    for gap in islice(_GAP.finditer(text), _MOST_CLAUSES):
        inside = any(start < gap.start() < end for start, end in quoted)
        if inside or len(starts) == _MOST_COMMANDS:
            continue
        before, also = text[starts[-1][1] : gap.start()], "also" in gap[0].lower()
        begins = _begins(text[gap.end() :], before=before, verbs=verbs, literal=literal and not also)
        if begins is not None:
            starts.append((gap.start(), gap.end(), begins))
    ends = [start for start, _, _ in starts[1:]] + [len(text)]
    return [(text[begin:end], goes_on) for (_, begin, goes_on), end in zip(starts, ends, strict=True)]


def _begins(rest: str, *, before: str, verbs: Collection[str], literal: bool) -> bool | None:
    """Whether a command begins here: False by a frame of its own, True as a further "to …", None not at all."""
    clause = _GAP.split(rest, maxsplit=1)[0]
    first, _, more = clause.removeprefix("to ").partition(" ")
    # "email Ana and ask her": still the same errand.
    if more and not _SAME_ERRAND.search(more):
        both_dated = split_due(before)[1] and split_due(clause)[1] and len(split_due(clause)[0].split()) > 1
        if first.lower() in verbs or clause.startswith("to ") or both_dated:
            return True
    frame = _frame_at(rest, 0, "create", "told", *(() if literal else ("complete", "delete", "update")))
    is_own = frame is not None and not _ONLY_POINTS.fullmatch(rest[frame.end :])
    return False if is_own else None


def read_entities(text: str, *, intent: Intent) -> Entities:
    """What a tidied message names, read as the command that it is."""
    match intent:
        case "create":
            return _new_task(text)
        case "list":
            overdue = re.search(r"\boverdue\b", text, re.IGNORECASE)
            return Entities(status=_status(text), due="overdue" if overdue else split_due(text)[1])
        case "update":
            return _change(text)
        case "complete" | "delete":
            return Entities(reference=_reference(_object(text, kind=intent)))
        case _:
            return Entities()


def _new_task(text: str) -> Entities:
    body = _date_last(_without_afterword(text))
    # "remind me that I have to write to Ann": a duty may follow a command, but "write to Ann" is the task.
    for kinds in (("create", "told"), ("told",)):
        frame = next(frames(body, *kinds), None)
        if frame is None:
            break
        before, after = body[: frame.start].strip(_EDGES), body[frame.end :]
        if before and len(kinds) == 1:
            break
        body = _LINK.sub("", _date_last(after.strip(_EDGES)), count=1)
        if frame.kind == "told":
            break
    return titled(_AFTERTHOUGHT.split(body, maxsplit=1)[0])


def _without_afterword(text: str) -> str:
    """A text without "…, write that down" at its end: what it is about was said before."""
    ends = (frame.start for frame in frames(text, "create") if _ONLY_POINTS.fullmatch(text[frame.end :]))
    return text[: next((start for start in ends if start > 0), None)].strip(_EDGES)


def _date_last(text: str) -> str:
    """ "on Friday to call Ann" with its date behind, where the title's reader looks for it."""
    title, due = split_due(text)
    return f"{_LINK.sub('', title, count=1)} {due}" if due and text.startswith(due) else text


def titled(text: str) -> Entities:
    """The title, description and due words of what was asked for, its frame taken away."""
    text = _CLOSING.sub("", text.strip(_EDGES)).strip(_EDGES).removeprefix("to ")
    if (listed := _ON_LIST.search(text)) and split_due("x " + text[listed.end() :])[0] in ("x", "x "):
        text = f"{text[: listed.start()]} {text[listed.end() :]}".strip()
    if (quoted := _QUOTED.match(text)) and (due := _only_due(text[quoted.end() :])) is not None:
        return Entities(title=quoted["title"].strip() or None, due=due or None)
    if is_due(text) or re.fullmatch(rf"{_POINTER}\W*", text, re.IGNORECASE):
        return Entities(due=text if is_due(text) else None)
    described = _DESCRIBED.search(text, 1)
    if described:
        text = text[: described.start()].strip()
    title, due = split_due(text)
    return Entities(
        title=_unpunctuated(_IS_DUE.sub("", title) if due else title) or None,
        description=described["text"].strip() if described else None,
        due=due,
        undated_title=(_unpunctuated(text) or None) if due else None,
    )


def _only_due(after: str) -> str | None:
    """The due words behind a quoted title, "" for none; None when something else follows it."""
    rest = after.strip(" ,;.!?")
    before, due = split_due("x " + rest)
    return "" if not rest else due if re.fullmatch(r"x(?: and make it| and it(?: i)?s)?", before) else None


def _change(text: str) -> Entities:
    """Which task, and what about it is to be new."""
    if match := _NOTE.search(text):
        return Entities(reference=_reference(match["ref"]), description=match["note"].strip())
    if match := _CLEAR_DATE.search(text):
        return Entities(reference=_reference(match["ref"] or "it"), clear_due=True)
    frame = next(frames(text, "update"), None)
    body = (text[frame.end :] if frame else text).strip(_EDGES)
    if frame and frame.start > 0 and (_ONLY_POINTS.fullmatch(body) or _STARTS_POINTING.match(body)):
        body = f"{text[: frame.start].strip(_EDGES)} {body}".strip()
    body, about_date = _DATE_NOUN.subn("", body)
    pointed, due = split_due(body)
    if due and pointed != body and not body.startswith(due):
        return Entities(reference=_reference(pointed), due=due.removeprefix("to "))
    if frame and (match := _TO.search(body)):
        reference, new = body[: match.start()], body[match.end() :]
        if re.fullmatch(r"\d{1,2}(?:[:.]\d\d)?", new):
            new = f"at {new}"
        due = split_due(new)[1]
        if about_date or is_when(new) or (due and new.startswith(due)):
            return Entities(reference=_reference(reference), due=(due or new).strip(" .!?"))
        # "set it to high priority" gives no new title; "make it say", "rename it to" do.
        renames = not _SOFT.match(text, frame.start) or re.search(r"say|read|be", match[0]) or '"' in new
        return replace(titled(new) if renames else Entities(), reference=_reference(reference))
    return Entities(reference=_reference(body))


def _object(text: str, *, kind: str) -> str:
    """The words for the task that a command is about: behind its verb, or all there are."""
    frame = next(frames(text, kind), None)
    after = text[frame.end :] if frame else ""
    is_all = frame is None or (frame.start > 0 and _ONLY_POINTS.fullmatch(after))
    return _STATE.sub("", text if is_all else after)


def _reference(words: str) -> str | None:
    """The words that point; "a task" points at none."""
    words = words.strip(_EDGES + ".!?")
    if _WHOLE_LIST.fullmatch(words):
        return "all my tasks"
    indefinite = _INDEFINITE.fullmatch(words) and read_reference(words, count=MANY) == Reference()
    return None if not words or indefinite else words


def _status(text: str) -> TaskStatus:
    done = bool(_DONE.search(_GET_DONE.sub("", text)))
    if done and not re.search(r"\bincluding\b|\band done\b", text, re.IGNORECASE):
        return "completed"
    return "all" if done or _EVERY.search(text) else "pending"


def _unpunctuated(text: str) -> str:
    return re.sub(r"(?<=[\w)\"'])[.!?]+$", "", text.strip(" ,;:–—")).strip()


def _mended(text: str) -> str:
    """Mend slips of the keyboard in the command and the noun after it, and nowhere else."""
    known: tuple[str, ...] = _COMMAND_WORDS
    for word in list(re.finditer(r"[^\W\d_]+", text[:80]))[:4]:
        spelt = word[0].lower()
        if spelt in _ITEM_WORDS:
            break
        if right := next((right for right in known if _slipped(spelt, right)), None):
            return _mended(text[: word.start()] + right + text[word.end() :])
        known = _ITEM_WORDS if spelt in _COMMAND_WORDS else known
    return text


def _slipped(word: str, right: str) -> bool:
    """One letter missing or too many, or two swapped: a wrong letter, a first or a last one is more often another word."""
    if word == "ad" and right == "add":
        return True
    if len(word) < 4 or word[0] != right[0] or word in _COMMAND_WORDS or OSA.distance(word, right) != 1:
        return False
    return sorted(word) == sorted(right) or (len(word) != len(right) and not word.startswith(right))
