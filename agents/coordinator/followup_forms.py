"""Left for the merge: callbacks.py, in_context.py and picking.py still read these, and `bare` through question.py."""

import re

_I = re.IGNORECASE
_IT = r"(?:it|this|that|them|these|those)"

ASKS_MORE = re.compile(
    rf"^(?:(?:tell|give) me (?:some )?more(?: details?| information)?|more(?: details?| info(?:rmation)?)?|go on|continue|"
    rf"(?:can you )?elaborate|say more|what else|explain (?:more|further|again|in more detail|{_IT}(?: again| better| more| further)?)|"
    rf"i (?:still )?(?:do not|don't|dont) (?:get|understand)(?: {_IT})?|what do you mean|i'm lost|i am lost|"
    rf"(?:tell me )?more (?:about|on) {_IT}|tell me about {_IT})$",
    _I,
)
_VERDICT = r"(?:(?:in)?correct|wrong|right|false|true|not (?:right|correct|accepted)|(?:the|my) (?:right |correct )?answer|so)"
BARE_WHY = re.compile(
    rf"(?:but )?(?:(?:why|how come|how so|why so|why not)|"
    rf"(?:why|how come) (?:is|was|are|were|am|wasn't|isn't) (?:(?:that|this|it|mine|i|(?:the|my) answer)) ?(?:that|this|it|{_VERDICT})?|"
    rf"why did (?:i|you) (?:get|mark) (?:that|this|it|me|my answer)(?: as)? wrong|"
    rf"what(?:'s| is| was| did i do) wrong(?: (?:with|about) (?:that|it|my answer))?)",
    _I,
)
ORDINALS = {
    "first": 0,
    "second": 1,
    "third": 2,
    "fourth": 3,
    "fifth": 4,
    "last": -1,
    "former": 0,
    "latter": -1,
    "other": -1,
}

# Said before the question itself.
_OPENINGS = tuple(
    re.compile(line.strip(), re.IGNORECASE)
    for line in r"""
    ^(?:hi|hello|hey|ok|okay|so|well|and|but|also|please|thanks|thank you|sorry|um+|hmm+|haha|lol|oh|ah|wait|wow|yeah|alright|quick question)\b[\s,.:!-]*
    ^(?:can|could|would|will) (?:you|u|we|i)(?: please| kindly)? (?=(?:explain|tell|show|describe|define|give|list|name|compare|see|get|have)\b)
    ^(?:i (?:want|need|would like|'d like) to (?:know|understand|learn|see)|i (?:do not|don't|dont) (?:get|understand|know)|i (?:always |still |just )?(?:forget|forgot|keep forgetting|never remember|can't remember)|do you know|remind me|tell me|help me understand|any idea)[\s,:]+(?=(?:what|why|how|when|which|where|who|if|is|are|does|do|can)\b)
    """.strip().splitlines()
)
# Said after it.
_CLOSINGS = re.compile(
    r"(?:[\s,]+(?:exactly|please|again|then|in simple terms|in short|briefly|actually|basically|thanks|"
    r"in this course|to me|for me|in detail))+$",
    re.IGNORECASE,
)


def bare(message: str) -> str:
    """The question without greeting, politeness and closing marks."""
    text = re.sub(r"\s+", " ", message[:600].replace("’", "'")).strip(" ?!.")
    shorter = text
    while shorter:
        text = shorter
        for pattern in _OPENINGS:
            shorter = pattern.sub("", shorter, count=1).strip()
        if shorter == text:
            break
    return _CLOSINGS.sub("", text)
