"""Make a follow-up question stand on its own, and leave alone what already does."""

import re
from collections.abc import Sequence

from agents.coordinator.followup_forms import (
    ABOUT_OTHER,
    ANOTHER_ONE,
    ASKS_EXAMPLE,
    ASKS_FORM,
    ASKS_KINDS,
    ASKS_MORE,
    BARE_WH,
    IN_OTHER,
    ORDINAL,
    ORDINALS,
    WHICH_OF_THEM,
)
from agents.coordinator.followup_pronouns import replace_pronoun
from agents.coordinator.followup_spelling import spelled_as_in_course
from agents.coordinator.followup_subject import Subject, subject_of, with_article
from agents.coordinator.plain_question import plainly
from agents.coordinator.question import bare
from rag.terms import singular

_REMEMBERED_TURNS = 6
_LISTED = re.compile(r"^\s*(?:\d{1,2}[.)]|[-*])\s+(.+)$", re.MULTILINE)
_ASKS = re.compile(
    r"(?:what|which|who|where|when|why|how|is|are|do|does|can|could|should|will|tell|give|show)\b",
    re.IGNORECASE,
)
_POINTS = re.compile(r"it|that|this|them|those|these", re.IGNORECASE)
_ORDERS = re.compile(r"(?:tell|give|show|explain|describe|list|name)\b", re.IGNORECASE)
_MARKER = re.compile(r"\s*\[\d+\]")
_MOST_ITEM_CHARS = 80


def resolve(
    question: str, *, history: Sequence[tuple[str, str]], topic: str = "", terms: Sequence[str] = ()
) -> str:
    """The question as it would be asked first; history is (role, text), oldest first.

    terms are the course's concept names: they tell what a question is about, and how its words are spelled.
    """
    question = spelled_as_in_course(plainly(question, terms), terms)
    asked, subject = "", Subject(names=(topic.strip(),)) if topic.strip() else None
    for role, text in history[-2 * _REMEMBERED_TURNS :]:
        if role == "user":
            said = _resolved(plainly(text, terms), asked=asked, subject=subject, listed=())
            about = subject_of(said, terms=terms)
            asked, subject = (said, about) if about else (asked, subject)
    return _resolved(question, asked=asked, subject=subject, listed=_listed(history))


def _resolved(question: str, *, asked: str, subject: Subject | None, listed: Sequence[str]) -> str:
    text = bare(question)
    if not text or subject is None:
        return question
    found = (
        _of_other_things(question, asked=asked, subject=subject, listed=listed)
        or _on_the_same(text, subject=subject)
        or _picking(text, asked=asked, subject=subject, listed=listed)
        or replace_pronoun(question.strip(" ?!."), subject=subject)
    )
    return _as_sentence(found) if found else question


def _as_sentence(text: str) -> str:
    closing = "." if _ORDERS.match(text) else "?"
    return f"{text[:1].upper()}{text[1:]}{closing}"


def _on_the_same(text: str, *, subject: Subject) -> str | None:
    """More of it, an example of it, its kinds, its formula."""
    if ASKS_MORE.match(text):
        return f"tell me more about {subject}"
    if example := ASKS_EXAMPLE.match(text):
        another = (example["which"] or "").lower() in ("another", "one more", "more")
        return f"give me {'another' if another else 'an'} example of {subject.bare}"
    if kinds := ASKS_KINDS.match(text):
        return f"{kinds['ask']} of {subject.bare} are there"
    if form := ASKS_FORM.match(text):
        return f"what is the {form['what']} of {subject}"
    return None


def _picking(text: str, *, asked: str, subject: Subject, listed: Sequence[str]) -> str | None:
    """'Why?', 'which one is faster?', 'explain the second one'."""
    if wh := BARE_WH.match(text):
        return _asked_anew(wh["wh"].lower().split()[0], asked=asked, subject=subject)
    if len(subject.names) > 1 and WHICH_OF_THEM.match(text):
        return f"{text}, {' or '.join(subject.names)}"
    if (nth := ORDINAL.search(text)) and (item := _nth(nth["nth"], subject=subject, listed=listed)):
        return f"{text[: nth.start()]}{item}"
    return None


def _of_other_things(question: str, *, asked: str, subject: Subject, listed: Sequence[str]) -> str | None:
    """'And services?': the last question again, of something else."""
    match = ABOUT_OTHER.match(question)
    if not match or _ASKS.match(match["x"]):
        return None
    other = match["x"].strip()
    if nth := ORDINAL.fullmatch(other):
        item = _nth(nth["nth"], subject=subject, listed=listed)
        return f"tell me more about {item}" if item else None
    if _POINTS.fullmatch(other):
        return f"tell me more about {subject}"
    if one := ANOTHER_ONE.match(other):
        other = f"{one['before'].strip()} {subject.head}"
    if not asked:
        return f"what is {with_article(_singular(other))}"
    if place := IN_OTHER.match(other):
        return _elsewhere(asked, place)
    name = subject.names[0]
    return _swapped(bare(asked), name, other) if name.lower() in asked.lower() else f"what is {other}"


def _elsewhere(asked: str, place: re.Match[str]) -> str:
    """The last question with its own 'in Gazebo' replaced, or with the new one added."""
    text = bare(asked)
    old = re.search(rf"\b{place['prep']}\s+.+$", text, re.IGNORECASE)
    return f"{text[: old.start()] if old else text + ' '}{place.group()}"


def _swapped(asked: str, name: str, other: str) -> str:
    """'What is a topic' of services is 'what is a service'."""
    start = asked.lower().find(name.lower())
    if re.match(r"an?\s", name, re.IGNORECASE):
        other = with_article(_singular(re.sub(r"^(?:an?|the)\s+", "", other)))
    return f"{asked[:start]}{other}{asked[start + len(name) :]}"


def _singular(noun: str) -> str:
    *before, last = noun.split()
    return " ".join([*before, singular(last)])


def _asked_anew(wh: str, *, asked: str, subject: Subject) -> str:
    """'Why?' after 'how does loop closure remove drift' is 'why does loop closure remove drift'."""
    text = bare(asked)
    if match := re.match(
        r"(?:how|when|where|why)\s+(?=(?:do|does|did|is|are|can|should|must)\b)", text, re.IGNORECASE
    ):
        return f"{wh} {text[match.end() :]}"
    if re.match(r"(?:do|does|did|is|are|can|should|must)\b", text, re.IGNORECASE):
        return f"{wh} {text[:1].lower()}{text[1:]}"
    return {"how": f"how does {subject} work", "when": f"when should I use {subject}"}.get(
        wh, f"{wh} {subject}"
    )


def _nth(word: str, *, subject: Subject, listed: Sequence[str]) -> str:
    """The first, second or last of what was listed or compared."""
    items = listed or (subject.names if len(subject.names) > 1 else ())
    place = ORDINALS[word.lower()]
    return items[place] if items and place < len(items) else ""


def _listed(history: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """The items of the list in the last answer, if it had one."""
    last = next((text for role, text in reversed(history) if role != "user"), "")
    items = [_MARKER.sub("", item).strip(" .*") for item in _LISTED.findall(last.split("**Sources", 1)[0])]
    return tuple(item[:_MOST_ITEM_CHARS] for item in items)
