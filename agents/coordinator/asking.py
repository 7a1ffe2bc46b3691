"""The ways in which people ask: patterns, from the most telling to the least."""

import re
from typing import Literal

QuestionKind = Literal[
    "definition",
    "purpose",
    "why",
    "how",
    "difference",
    "choice",
    "yesno",
    "list",
    "example",
    "quantity",
    "fact",
]


def _compiled(patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(line.strip(), re.IGNORECASE) for line in patterns.strip().splitlines())


# Said before the question itself.
OPENINGS = _compiled(
    r"""
    ^(?:hi|hello|hey|ok|okay|so|well|and|but|also|please|thanks|thank you|sorry|um+|hmm+|haha|lol|oh|ah|wait|wow|yeah|alright|quick question)\b[\s,.:!-]*
    ^(?:can|could|would|will) (?:you|u|we|i)(?: please| kindly)? (?=(?:explain|tell|show|describe|define|give|list|name|compare|see|get|have)\b)
    ^(?:i (?:want|need|would like|'d like) to (?:know|understand|learn|see)|i (?:do not|don't|dont) (?:get|understand|know)|i (?:always |still |just )?(?:forget|forgot|keep forgetting|never remember|can't remember)|do you know|remind me|tell me|help me understand|any idea)[\s,:]+(?=(?:what|why|how|when|which|where|who|if|is|are|does|do|can)\b)
    """
)
# Said after it.
CLOSINGS = re.compile(
    r"(?:[\s,]+(?:exactly|please|again|then|in simple terms|in short|briefly|actually|basically|thanks|"
    r"in this course|to me|for me|in detail))+$",
    re.IGNORECASE,
)

COMPARISONS = _compiled(
    r"""
    \b(?:differences?|distinction|distinguish|contrast) (?:is there )?between (?P<a>.+?) and (?P<b>.+)
    ^(?P<a>(?!how |what |why |when |which |is |are |do |does )(?:[^\s]+\s+){1,5}?)(?:vs\.?|versus|as opposed to|compared (?:to|with))\s+(?P<b>.+)
    ^(?:how |why |in what way )?(?:is|are|does|do) (?P<a>.+?) (?:different (?:from|to|than)|differ from|compare (?:to|with)|not the same as|the same as) (?P<b>.+)
    ^(?:how |in what way )?(?:is|are|does|do) (?P<a>.+?) and (?P<b>.+?) (?:different|differ|compare|the same)\b
    ^(?:compare|contrast) (?P<a>.+?) (?:and|with|to|against) (?P<b>.+)
    ^(?P<a>.+?) (?:or|and) (?P<b>.+?)[,:]? (?:what(?:'s| is) the difference|difference)$
    ^(?:how (?:can|do) (?:i|we|you) )?tell (?P<a>.+?) (?:from|and) (?P<b>.+?)(?: apart)?$
    """
)

# Said around the name of a thing: 'the concept of drift' is drift.
ABOUT_A_THING = re.compile(
    r"^(?:the )?(?:process|concept|idea|term|notion|meaning|definition|principle|basics|function|structure) of (?:an? |the )?",
    re.IGNORECASE,
)

_PLURALS = (
    "types|kinds|steps|sources|parts|ways|reasons|advantages|disadvantages|benefits|stages|phases|options|rules|"
    "policies|components|forms|categories|elements|properties|uses|causes"
)
_TABLE: tuple[tuple[QuestionKind, str], ...] = (
    (
        "example",
        r"""
        \b(?:examples?|sample|demo|illustration)\b (?:code )?(?:of|for|with|about|in|on)\s+(?P<x>.+)
        ^(?:give|show)(?: me)? (?:(?:an|some|the|another|one) )?(?:code|snippet|listing)s?(?: (?:of|for|to|with) (?P<x>.+))?$
        \bexamples? (?P<x>.+)$
        \bexamples?$
        """,
    ),
    ("how", r"^show(?: me)? how\b"),
    ("example", r"^show(?: me)? (?P<x>.+)$"),
    (
        "why",
        r"^(?:why|how come|for what reason|what(?:'s| is| are) the (?:reasons?|causes?)|what (?:causes|makes))\b",
    ),
    (
        "list",
        rf"""
        ^(?:list|name|enumerate)\b
        ^what are (?:the |some |all )?(?:[\w-]+ ){{0,2}}(?:{_PLURALS})\b
        ^(?:what|which) (?:[\w-]+ )?(?:{_PLURALS}|numbers|fields)\b
        ^(?:in |by )?(?:what|which) (?:two|three|four|five|six|seven|eight)\b
        ^what are (?:typical|common|possible|usual|good|some)\b
        """,
    ),
    (
        "quantity",
        r"^(?:by |at |to |for |after )?how (?:many|much|long|far|fast|large|big|often|high|heavy|wide|deep|old|tall|small|close)\b",
    ),
    ("choice", r"^what(?:'s|s| is| are) (?:better|best|worse|faster|slower|easier|safer|more)\b"),
    (
        "purpose",
        r"""
        ^what(?:'s|s| is| are) (?P<x>[^,]+?) (?:good |used |meant |there |needed |useful )?for$
        ^what(?:'s|s| is| are) (?:the )?(?:use|purpose|point|job|role|task|benefit|advantage|aim) of (?P<x>.+)$
        ^what (?:does|do|can|will) (?P<x>.+?) do$
        """,
    ),
    ("fact", r"^what (?:happens|would happen|if)\b"),
    (
        "definition",
        r"""
        ^what (?:does|do) (?:the (?:term|word|name) )?(?P<x>.+?) (?:mean|stand for|refer to)$
        ^what(?:'s|s| is| are) (?:meant by|the meaning of|the definition of) (?P<x>.+)$
        ^(?:define|explain|describe|teach me|introduce|what about|how about|(?:tell me |know |learn )?(?:more )?about)\s+(?:to me )?(?:(?:what|how) )?(?P<x>.+?)(?: is| are| works?| means?)?$
        ^what(?:'s|s| is| are| was) (?:the )?(?:term|word|name) (?:for )?(?P<x>.+)$
        ^(?:what(?:'s|s| is| are| was)|who(?:'s| is| are))\s+(?P<x>.+)$
        ^what (?P<x>.+?) (?:is|are|means?)$
        """,
    ),
    ("how", r"^(?:how|in what way|steps? (?:to|for))\b|\bhow (?:to|does|do|is|are|can)\b"),
    (
        "choice",
        r"^(?:when|which|whose|should|do i (?:need|use))\b|\bbetter\b|^(?:at|on|in|from|to|for|by|with) (?:which|what)\b",
    ),
    (
        "yesno",
        r"^(?:is|are|was|were|do|does|did|can|could|will|would|has|have|must|may|isn't|aren't|doesn't|don't|can't)\b",
    ),
)
KINDS: tuple[tuple[QuestionKind, re.Pattern[str]], ...] = tuple(
    (kind, pattern) for kind, patterns in _TABLE for pattern in _compiled(patterns)
)
