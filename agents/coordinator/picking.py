"""Which step of a plan the learner picks: 'start with the first one', 'the one about coordinate frames'."""

import re

from agents.coordinator.followup_forms import ORDINALS
from agents.tutor.wording import content_stems

_STEP = re.compile(r"^\d+\. \*\*(.+?)\*\*", re.MULTILINE)
_LEAD = (
    r"^(?:(?:ok(?:ay)?|yes|sure|well|then|and|please|let's|let us|can we|could we|i want|i'd like|i would like|to|"
    r"start|begin|go|do|take|try|teach|me|learn|study|pick|choose|with|for)[\s,.!]+)*"
)
_THING = r"(?:one|step|topic|chapter|part|item|point|number)"
_NTH = re.compile(
    rf"{_LEAD}(?:the )?(?:(?:{_THING} |#)(?P<number>\d{{1,2}})|(?P<nth>{'|'.join(ORDINALS)}|\d(?:st|nd|rd|th))(?: {_THING})?)"
    r"(?: please| first| then)?$",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    rf"{_LEAD}the (?:{_THING} (?:about|on|with|called) (?P<x>.+)|(?P<y>.+) {_THING})$", re.IGNORECASE
)


def picked_step(message: str, plan: str) -> str:
    """The step as the plan names it; empty when the message picks none."""
    steps = _STEP.findall(plan)
    said = message.strip(" .!?").replace("’", "'")
    if match := _NTH.match(said):
        place = _place(match)
        return steps[place] if steps and -1 <= place < len(steps) else ""
    if match := _ABOUT.match(said):
        wanted = content_stems(match["x"] or match["y"])
        return next((step for step in steps if wanted and wanted <= content_stems(step)), "")
    return ""


def _place(match: re.Match[str]) -> int:
    word = (match["nth"] or "").lower()
    return ORDINALS[word] if word in ORDINALS else int(match["number"] or word[0]) - 1
