"""What a message asks the task manager to do: a linear model on its n-grams and a few facts, fitted on labels.

The weights are in intents.npz, made by `python -m evals.fit_tasks --write` from evals/labels. A phrase that is misread is a
label to add there, never a rule to add here. Titles, dates and references are read in reading.py.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.language.due import parse_due, split_due
from agents.language.replies import yes_or_no
from agents.language.understanding import letter_grams, word_grams
from agents.state import TaskTool
from agents.task_manager.offline import in_view
from agents.task_manager.reading import (
    MANY,
    MOST_CHARACTERS,
    Entities,
    Intent,
    IntentResult,
    Problem,
    ToolSelectionResult,
    WaitingFor,
    frames,
    pieces,
    read_entities,
    tidy,
    titled,
    visible,
)
from tasks_tools.references import (
    KnownTask,
    Reference,
    match_titles,
    read_reference,
    resolve_many,
    without_fillers,
)

Floats = NDArray[np.float32]
WEIGHTS = Path(__file__).with_name("intents.npz")
_KINDS = ("create", "told", "complete", "delete", "update")
_DOUBT_IF_MEANT = 0.05
_SIGNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^\W*(?:how (?:do|does|did|can|to|is|are)|why|explain|define|describe|tell me (?:about|how|why)|remind me (?:why|how|what an?))\b",
        r"\b(?:tasks?|to-?\s?do'?s?|reminders?|errands?|chores?|entry|entries|items?)\b",
        r"\b(?:my|the|ma|your) (?:[\w-]+ )?(?:list|agenda|plate|pile)\b|\bon there\b",
        r"\b(?:my|i|i've|i'm|me|mine)\b",
        r"^\w+ (?:an? |the |some )?(?:note|description|detail|comment|due date|deadline|date)s? (?:to|on|of|for|from)\b",
        r"\b(?:deadline|date|day|instead|not \w+day)\b",
        r"\b(?:overdue|due|left|still|open|pending|outstanding)\b",
        r"^\W*(?:(?:i|we)(?:'ve| have)?\s+)?(?:\w+ly |already |just )?(?:\w{2,}ed|bought|took|sent|paid|got|went|wrote|made|gave|brought|told|met|did)\b",
        r"(?:\b(?:is|are|was|were|been|got)|'s)\s+(?:now |already |finally )?(?:\w{2,}ed|done|sent|bought|paid|over|sorted)\b|✅|✔",
        r"\b(?:one|thing|stuff)\b",
        r"^(?:\w+ )?(?:\w+ )?(?:it|that|this|them)\b",
        r"^what(?:'s| is| are) an?\b|\b(?:of|in|for) an?\b",
        r"\b(?:quiz(?:zes)?|questions?|answers?|sentences?|lessons?|topics?|hints?|progress|explanations?|session|chapter|course|"
        r"subject|difficulty|level|mastery|score|examples?|understand|learn|teach)\b",
        r"\?\W*$",
        r"\"",
        r"^\W*(?:\w+\W*){1,2}$",
        r"^\W*\w+[\d\s.,+]+(?:and|to|plus)?[\d\s.]+\W*$",
    )
)  # fmt: skip


def understand(
    message: str,
    *,
    listed: bool = False,
    meant: bool = False,
    waiting_for: WaitingFor | None = None,
    options: Sequence[str] = (),
) -> IntentResult:
    """Read one message as one command.

    `meant`: whoever sent it here takes it for a command. `options` are the titles that a clarification offered.
    """
    answer = _answer(message[:MOST_CHARACTERS].strip(), waiting_for=waiting_for, options=options)
    if answer is not None:
        return answer
    text = tidy(message)
    chances = _chances(text, listed=listed)
    if meant:
        chances["none"] *= _DOUBT_IF_MEANT
        chances = {name: chance / sum(chances.values()) for name, chance in chances.items()}
    told = chances.pop("told")
    is_told = told > chances["create"]
    chances["create"] += told
    order: list[tuple[Intent, float]] = sorted(chances.items(), key=lambda each: -each[1])  # type: ignore[arg-type]
    intent, confidence = order[0]
    if waiting_for and not (intent == "list" or any(frame.start == 0 for frame in frames(text, *_KINDS))):
        # "the milk one" answers our question; only a command that is put as one is another matter.
        return IntentResult(intent="none", confidence=round(1 - confidence, 3), alternatives=tuple(order[:1]))
    return IntentResult(
        intent=intent,
        confidence=round(confidence, 3),
        entities=read_entities(text, intent=intent),
        told=intent == "create" and is_told,
        alternatives=tuple((other, round(chance, 3)) for other, chance in order[1:3]),
        reasoning="told in passing" if intent == "create" and is_told else f"reads as {intent}",
    )


def commands_in(message: str, *, listed: bool = False, meant: bool = False) -> tuple[IntentResult, ...]:
    """All commands of a message: "add eggs; also delete the dentist one" has two. In doubt it is one."""
    whole = understand(message, listed=listed, meant=meant)
    if whole.intent in ("none", "list"):
        return (whole,)
    parts = pieces(tidy(message), verbs=_weights()["verbs"])
    found: list[IntentResult] = []
    for (piece, goes_on), (_, is_begun) in zip(parts, [*parts[1:], ("", False)], strict=True):
        if goes_on and found and found[-1].intent == "create":
            found.append(replace(whole, intent="create", entities=titled(piece)))
        else:
            result = understand(piece, listed=listed)
            if is_begun and whole.intent == "create":
                result = replace(whole, entities=read_entities(piece, intent="create"))
            if result.intent not in ("none", "list"):
                found.append(replace(result, told=result.told and whole.told))
        if len(found) > 1 and found[-2].intent == found[-1].intent == "create":
            found[-2:] = _after(found[-2], found[-1], said=tidy(message))
    return tuple(found) if len(found) > 1 else (whole,)


def _after(first: IntentResult, second: IntentResult, *, said: str) -> tuple[IntentResult, ...]:
    """Two new tasks of one message: a date in front is for both, and "save a task, read about ICP" is one."""
    due, title = first.entities.due or "", first.entities.title or ""
    shared = due if due and (not title or said.find(due) < said.find(title)) else None
    second = replace(second, entities=replace(second.entities, due=second.entities.due or shared))
    return (first, second) if title else (second,)


def choose(text: str, *, options: Sequence[str]) -> tuple[int, ...]:
    """The positions of the options that a text picks."""
    reference = read_reference(text, count=len(options))
    if reference.everything:
        return tuple(range(1, len(options) + 1))
    if reference.positions:
        inside = tuple(place for place in reference.positions if 1 <= place <= len(options))
        return inside if inside == reference.positions else ()
    known = [KnownTask(id=place, title=title) for place, title in enumerate(options, 1)]
    meant = match_titles(text, known)
    return (meant[0].id,) if len(meant) == 1 else ()


def _answer(text: str, *, waiting_for: WaitingFor | None, options: Sequence[str]) -> IntentResult | None:
    """A yes, a no or a choice, where we asked for one."""
    if waiting_for == "clarification" and choose(text, options=options):
        return IntentResult(
            intent="choose", confidence=0.97, entities=Entities(reference=text), reasoning="an option"
        )
    answer = yes_or_no(text) if waiting_for else None
    if answer is False:
        return IntentResult(intent="decline", confidence=0.97, reasoning="a no")
    if answer and waiting_for == "confirmation":
        return IntentResult(intent="confirm", confidence=0.97, reasoning="a yes")
    return None


def facts(text: str, *, listed: bool, verbs: Collection[str]) -> Floats:
    """What n-grams cannot tell: which frames stand where, a date, a position, the tasks just listed."""
    places = [[frame.start for frame in frames(text, kind)] for kind in _KINDS]
    pointed = read_reference(text, count=MANY)
    first = text.split(maxsplit=1)[0].lower() if text.strip() else ""
    return np.array(
        [
            *(0 in starts for starts in places),
            *(any(start > 0 for start in starts) for starts in places),
            *(bool(sign.search(text)) for sign in _SIGNS),
            first in verbs,
            split_due(text)[1] is not None,
            bool(pointed.positions),
            bool(pointed.positions) and listed,
            pointed.everything,
            pointed.last_spoken_of,
            listed,
        ],
        dtype=np.float32,
    )


def _chances(text: str, *, listed: bool) -> dict[str, float]:
    """How likely each command is."""
    weights, text = _weights(), visible(text)
    scores = weights["bias"] + facts(text, listed=listed, verbs=weights["verbs"]) @ weights["facts"]
    for grams in (letter_grams(text), word_grams(text)):
        if grams:
            places = list(grams)
            rarity = weights["rarity"][places].astype(np.float32)
            rarity /= np.linalg.norm(rarity)
            scores = scores + rarity @ weights["grams"][places].astype(np.float32) * weights["scale"]
    chances = np.exp(scores - scores.max())
    return dict(zip(weights["names"], (chances / chances.sum()).tolist(), strict=True))


@cache
def _weights() -> dict[str, Any]:
    """As evals.fit_tasks stores them: `names` are the commands, with "told" for an errand told in passing."""
    with np.load(WEIGHTS, allow_pickle=False) as stored:
        texts = {name: stored[name].tolist() for name in ("names", "verbs")}
        return {name: texts.get(name, stored[name]) for name in stored.files}


SURE = 0.6  # below this the task manager asks instead of guessing
_PLAINLY = 0.9  # so sure of a command that nothing else can be meant, where it points at what was just shown
_CLEARLY = 0.98  # so sure of a new task or a list that it is one where another answer was asked for
_DONE_ONES = re.compile(r"\b(?:completed|done|finished) (?:ones|tasks|items|to-?dos)\b", re.IGNORECASE)
_OPEN_ONES = re.compile(r"\b(?:open|pending|remaining)\b", re.IGNORECASE)
TOOLS: Mapping[Intent, TaskTool] = {
    "create": "add_task",
    "list": "list_tasks",
    "update": "update_task",
    "complete": "complete_task",
    "delete": "delete_task",
}


def command_in_answer(message: str, *, listed: bool) -> tuple[IntentResult, ...]:
    """The commands of a message that came when something else was asked for; none where it may be just that."""
    found = commands_in(message, listed=listed)
    if any(each.intent == "none" or each.told for each in found):
        return ()
    if len(found) == 1:
        [only] = found
        border = _CLEARLY if only.intent in ("create", "list") else SURE
        is_framed = only.intent == "list" or any(frame.start == 0 for frame in frames(tidy(message), *_KINDS))
        return found if is_framed and only.confidence >= border else ()
    return found


def points_at_shown(message: str) -> bool:
    """Whether a message plainly does something to tasks that were shown or spoken of, and to no others."""
    found = commands_in(message, listed=True)
    references = [read_reference(each.entities.reference or "", count=MANY) for each in found]
    return all(
        each.intent in ("update", "complete", "delete") and each.confidence >= _PLAINLY for each in found
    ) and all(bool(each.positions) or each.of_them or each.last_spoken_of for each in references)


def select_tool(
    result: IntentResult,
    *,
    metadata: Mapping[str, Any],
    now: datetime,
    tasks: Sequence[KnownTask] | None = None,
    before: ToolSelectionResult | None = None,
) -> ToolSelectionResult:
    """Choose the tool and its parameters; `tasks` are the learner's, once list_tasks has been asked.

    `now` is in the learner's zone; `before` is what was known already when the learner was asked for the rest.
    """
    tool, entities = TOOLS.get(result.intent), result.entities
    if tool is None:
        return ToolSelectionResult(tool_name=None, confidence=result.confidence)
    selected = ToolSelectionResult(
        tool_name=tool,
        confidence=result.confidence,
        requires_confirmation=tool == "delete_task" or result.told,
        alternatives=tuple(
            (TOOLS[intent], share) for intent, share in result.alternatives if intent in TOOLS
        ),
        problem="unsure" if result.confidence < SURE else None,
    )
    if tool == "list_tasks":
        return replace(selected, parameters={"status": entities.status or "pending"})
    known = {**(before.parameters if before else {}), **_told_of(entities, now=now)}
    if tool == "add_task":
        return replace(
            selected, parameters=known, problem=selected.problem if "title" in known else "no_title"
        )
    if before and before.task_ids and entities.reference is None:
        selected = replace(selected, task_ids=before.task_ids)
    else:
        selected = _targeted(selected, entities.reference, metadata=metadata, now=now, tasks=tasks)
    if tool == "update_task":
        selected = replace(selected, parameters=known)
        if not (known or selected.problem):
            lacks: Problem = "no_date" if entities.due else "no_change"
            # Nobody is asked what to change about a task that is gone.
            return replace(selected, problem="see_tasks" if tasks is None else lacks)
    return selected


def _told_of(entities: Entities, *, now: datetime) -> dict[str, Any]:
    """What is said of a task, as the tools take it."""
    due = parse_due(entities.due, now=now) if entities.due else None
    is_ahead = due is not None and due > now
    parameters = {
        # A date that is over, or is none, was part of the title after all.
        "title": entities.title if is_ahead else entities.undated_title or entities.title,
        "description": entities.description,
        "due_at": due.astimezone(UTC).isoformat() if due and is_ahead else None,
        "clear_due_at": entities.clear_due or None,
    }
    return {name: value for name, value in parameters.items() if value is not None}


def _targeted(
    selected: ToolSelectionResult,
    words: str | None,
    *,
    metadata: Mapping[str, Any],
    now: datetime,
    tasks: Sequence[KnownTask] | None,
) -> ToolSelectionResult:
    """Find the tasks that are meant: by position, as the last one spoken of, all of a kind, or by their titles."""
    nameless = replace(selected, problem=selected.problem or "no_task")
    if words is None:
        return nameless
    shown = metadata.get("task_references") or {}
    reference = read_reference(words, count=len(shown))
    is_several = reference.everything or bool(_DONE_ONES.search(words))
    if is_several and not reference.positions:
        return _all_of(selected, words, reference=reference, metadata=metadata, now=now, tasks=tasks)
    ids = tuple(resolve_many(metadata, words))
    missing = tuple(place for place in reference.positions if str(place) not in shown)
    if missing:
        return replace(selected, task_ids=ids, missing=missing, problem="not_found")
    if not ids:
        if reference.last_spoken_of:
            return nameless
        if tasks is None:
            return replace(selected, problem="see_tasks")
        ids = tuple(task.id for task in match_titles(words, tasks))
        if len(ids) > 1:
            return replace(selected, problem="which_one", options=ids)
        if not ids:
            # "Both" of three tasks: there is no word of a title in it, so ask which.
            return replace(selected, problem="not_found" if without_fillers(words) else "no_task")
    asks = selected.requires_confirmation or (is_several and len(ids) > 1)
    return replace(selected, task_ids=ids, requires_confirmation=asks)


def _all_of(
    selected: ToolSelectionResult,
    words: str,
    *,
    reference: Reference,
    metadata: Mapping[str, Any],
    now: datetime,
    tasks: Sequence[KnownTask] | None,
) -> ToolSelectionResult:
    """Every task of a kind there is now, whatever a list showed before; "them" are those that the last list would show."""
    if tasks is None:
        return replace(selected, problem="see_tasks")
    said = read_entities(words, intent="list")
    status, due = "pending" if _OPEN_ONES.search(words) else said.status, said.due
    if reference.of_them:
        view = metadata.get("task_view") or {}
        status, due = view.get("status"), view.get("due")
    if selected.tool_name == "complete_task":
        status = "pending"
    ids = tuple(task.id for task in in_view(tasks, status=status or "all", due=due, now=now))
    # What touches every task is asked about first: a tick cannot be taken back.
    asks = selected.requires_confirmation or len(ids) > 1
    problem = selected.problem if ids else "none_there"
    return replace(selected, task_ids=ids, requires_confirmation=asks, is_all=True, problem=problem)
