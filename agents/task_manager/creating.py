"""Messages that ask for a new task, and the title in them."""

import re
from collections.abc import Iterator
from dataclasses import replace

from agents.task_manager.due_words import is_due, split_due
from agents.task_manager.understanding import Entities, Reading

_NOUN = r"(?:to-?\s?do(?: item)?|task|reminder|item|entry)"
_LIST = r"(?:(?:to-?do |task |reminder )?list|tasks|to-?dos|reminders|agenda)"
_ON_LIST = re.compile(
    rf"^(?:add|put|write|stick|include|save|place|get|have|note)(?: down)?:?\s+(?P<rest>.+?)\s+(?:to|on|onto|in)\s+"
    rf"(?:my|the|our)\s+(?:to-?do\s+)?{_LIST}\b[.!?]*(?P<after>.*)$"
)
_TO_LIST = re.compile(rf"^(?:add|put)\s+(?:to|on|onto)\s+(?:my|the)\s+{_LIST}\b\s*[:,]?\s*(?P<rest>.+)$")
_NEW_TASK = re.compile(
    rf"^(?!(?:set|open|start|make|schedule)\s+(?:the\s+)?{_NOUN}\s+(?:number\s+)?#?\d)(?:add|create|make|save|set(?: up)?|schedule|"
    rf"open|put(?: in)?|log|enter|record|note|new|start|give me|(?:i )?need)\s+"
    rf"(?:me\s+)?(?:(?:a|an|the|another|one more|new|my|quick)\s+)*(?:{_NOUN}|note(?= (?:to|of)\b|:))\b(?:\s+for me|\s+in(?=\s+for\b))?(?P<rest>.*)$"
)
_LINK = re.compile(
    r"^\s*(?:[:,.–—-]\s*)*(?:(?:it should (?:say|be)|it says|which says|that says|saying|called|named|titled|namely|"
    r"with the title|about|to|for|of|that)\b\s*:?\s*)?",
    re.IGNORECASE,
)
_REMIND = re.compile(r"^(?:remind me|give me a reminder|ping me|nudge me)\b(?P<rest>.*)$")
_ASKS = re.compile(
    r"^\W*(?:again\s+)?(?:what|how|why|when|where|who|whom|whose|which|if|whether|of (?:what|how|why|the difference))\b"
)
_REMEMBER = re.compile(
    r"^(?:(?:do not|don't|dont)\s+(?:let me\s+)?forget|(?:i )?(?:must )?remember|make sure i(?: don't forget)?|i (?:mustn't|must not|shouldn't|can't) forget)"
    r"\s*(?:to\b|about\b|:|that i (?:have|need) to\b)?\s*(?P<rest>(?!\s*that\b).+)$"
)
_LABEL = re.compile(
    rf"^(?:(?:new |my next |another )?(?:{_NOUN}|one)|note(?: to self)?|memo|jot (?:this |it )?down|keep track of (?:this|that)(?: for me)?|"
    r"write (?:this |it )?down|add another one)\s*[:–—,-]\s*(?P<rest>.+)$"
)
_NEW = re.compile(r"^new\s+(?:task|to-?do)\s+(?P<rest>.+)$")
_ADD = re.compile(r"^(?:add|put down|jot down|note down)\b\s*:?\s*(?P<rest>.+)$")
_SUM = re.compile(r"^[\d.\s]+(?:and|to|\+|,|plus|with)[\d.\s]+\W*$")
_MATERIAL = re.compile(
    r"^(?:(?:some |a (?:few|bit|little) |a |an |another |one |two |the )?(?:more|further|extra|detail|example|hint|explanation|"
    r"diagram|picture|citation|source|step|question|summary|context|link between|info|information)s?\b|on to\b|up\b|"
    r"(?:that|this|it)\b.* to (?:your|the) (?:answer|explanation))"
)
_MUST = re.compile(
    r"^(?:(?:i|we)(?:'ve)?\s+(?:really |still |also |probably |definitely |just )*"
    r"(?:need to|have to|has to|got to|gotta|should(?: really| probably)?|must|ought to|am supposed to|have got to)|"
    r"need to|have to|gotta|got to|must)\s+"
    r"(?:really |probably )?(?P<rest>.+)$"
)
_STUDY = re.compile(
    r"^(?:understand|learn|know|ask|say|admit|see|hear|practi[sc]e|be|get better|figure out|think|tell you|point out|go|"
    r"stop|leave|disagree|check (?:my|if)|confess)\b"
)
# "meeting notes in two weeks" has no description: it takes a "with", or a colon.
_WORDS_FOR_IT = r"(?:description|details?|notes?)\b"
_DESCRIBED = re.compile(
    rf"[,;]?\s*(?:\(|\b)(?:with (?:the |a )?{_WORDS_FOR_IT}\s*:?|{_WORDS_FOR_IT}\s*:)\s*(?P<text>[^)]+)\)?$",
    re.IGNORECASE,
)
_POINTING = re.compile(r"^(?:it|this|that|something|one|another one|a new one)\W*$", re.IGNORECASE)
_QUOTE = re.compile(r"^(?P<quote>[\"'])(?P<title>.+?)(?P=quote)(?=[\s,.;:!?]|$)\s*(?P<after>.*)$")


def read_create(text: str) -> Iterator[Reading]:
    """All ways in which a message asks for a new task."""
    if match := _match(_ON_LIST, text):
        yield _reading(match["rest"] + _trailing(match["after"]), confidence=0.97, rule="add … to my list")
    if match := _match(_TO_LIST, text):
        yield _reading(match["rest"], confidence=0.97, rule="add to my list …")
    if match := _match(_NEW_TASK, text):
        yield _reading(_LINK.sub("", _dated_first(match["rest"])), confidence=0.96, rule="add a task")
    if (match := _match(_REMIND, text)) and not _match(_ASKS, match["rest"]):
        yield _reading(_reminder(match["rest"]), confidence=0.95, rule="remind me")
    if (match := _match(_LABEL, text)) or (match := _match(_NEW, text)):
        yield _reading(match["rest"], confidence=0.93, rule="task: …")
    if (match := _match(_REMEMBER, text)) and not _match(_STUDY, match["rest"]):
        yield _reading(match["rest"], confidence=0.9, rule="don't forget")
    if (match := _match(_ADD, text)) and not (
        _match(_SUM, match["rest"]) or _match(_MATERIAL, match["rest"])
    ):
        # "add a joint" is as likely to be about the lesson.
        vague = re.match(r"(?:a|an|the)\s", match["rest"], re.IGNORECASE)
        yield _reading(match["rest"], confidence=0.7 if vague else 0.8, rule="add …")
    yield from _obligation(text)


def _obligation(text: str) -> Iterator[Reading]:
    """ "I have to …": a task, unless it is about learning, which is what the tutor is for."""
    rest, due = text, None
    if not _match(_MUST, text):
        rest, due = split_due(text)
    match = _match(_MUST, rest)
    if match is None:
        return
    reading = _reading(match["rest"], confidence=0.65, rule="I have to …")
    entities = replace(reading.entities, due=reading.entities.due or due)
    if entities.due is not None:
        yield replace(reading, entities=entities, confidence=0.85)
    elif not _match(_STUDY, match["rest"]):
        yield replace(reading, entities=entities)


def _match(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    return re.compile(pattern.pattern, pattern.flags | re.IGNORECASE | re.DOTALL).match(text)


def _trailing(after: str) -> str:
    """ "add milk to my list for tomorrow": what follows the list belongs to the task."""
    rest, due = split_due("x " + after.strip())
    return f" {due}" if due and rest == "x" else ""


def _dated_first(rest: str) -> str:
    """ "for next Monday: prepare slides" with its date behind, where the title's reader looks for it."""
    title, due = split_due(rest.strip(" ,:"))
    return f"{title} {due}" if due and not rest.rstrip(" .!?").endswith(due) else rest


def _reminder(rest: str) -> str:
    title, due = split_due(rest.strip(" ,:"))
    bare = re.sub(r"^\W*(?:to|about|of|that i (?:have|need) to|that)\b\s*", "", title, flags=re.IGNORECASE)
    return f"{bare} {due}" if due else bare


def _reading(text: str, *, confidence: float, rule: str) -> Reading:
    return Reading(intent="create", confidence=confidence, entities=titled(text), rule=rule)


def titled(text: str) -> Entities:
    """The title, description and due words of what was asked for."""
    text = text.strip(" ,;:–—-")
    if (match := _QUOTE.match(text)) and (due := _only_due(match["after"])) is not None:
        return Entities(title=match["title"].strip(), due=due or None)
    if is_due(text) or _POINTING.match(text):
        return Entities(due=text if is_due(text) else None)
    described = _DESCRIBED.search(text)
    if described and described.start() > 0:
        text, description = text[: described.start()].strip(), described["text"].strip()
    else:
        description = None
    title, due = split_due(text)
    whole = _unpunctuated(text) or None
    return Entities(
        title=_unpunctuated(title) or None,
        description=description,
        due=due,
        undated_title=whole if due else None,
    )


def _only_due(after: str) -> str | None:
    """The due words behind a quoted title, "" for none; None when something else follows it."""
    rest = after.strip(" ,;.!?")
    if not rest:
        return ""
    before, due = split_due("x " + rest)
    return due if due and re.fullmatch(r"x(?: and make it| and it(?: i)?s)?", before) else None


def _unpunctuated(text: str) -> str:
    text = text.strip(" ,;:–—")
    return re.sub(r"(?<=[\w)\"'])[.!?]+$", "", text).strip()
