"""The short forms of follow-up questions: 'why?', 'and services?', 'another example', 'the second one'."""

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
ASKS_EXAMPLE = re.compile(
    rf"^(?:(?:give|show) me |can i (?:see|have|get) |do you have |is there |any |got )?"
    rf"(?P<which>another|an?|one more|some|more|the)?\s*(?:other |concrete |simple |worked |code |real )*"
    rf"(?:examples?|code|code snippets?|snippets?)(?: (?:of|for) {_IT})?$",
    _I,
)
BARE_WH = re.compile(
    r"^(?P<wh>why|how|when|where|how come|how so|why so|why not|why is (?:that|this|it)(?: so)?|how is that)$",
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
# Said of another thing in the same way: 'and services?', 'what about in Gazebo?'
ABOUT_OTHER = re.compile(
    r"^\s*(?:ok(?:ay)?,? )?(?:and|what about|how about|and what about|but what about|what of|same for|and for)\s+(?P<x>[^?]+?)\s*\??$",
    _I,
)
IN_OTHER = re.compile(r"^(?P<prep>in|for|with|without|on|from|at|by|under|over|between)\s+(?P<x>.+)$", _I)
ORDINAL = re.compile(
    r"\b(?:the )?(?P<nth>first|second|third|fourth|fifth|last|latter|former|other)(?: (?:one|step|point|item|option|way|kind|type|thing))?$",
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
ANOTHER_ONE = re.compile(r"^(?P<before>(?:an?|the)?\s*(?:[\w-]+\s)+?)ones?$", _I)
WHICH_OF_THEM = re.compile(
    r"^which (?:one |of (?:them|the two|these|those) |is |has |does |can |should |uses |needs )", _I
)
ASKS_KINDS = re.compile(
    r"^(?P<ask>(?:what|which|how many)(?: different| other| common)? (?:types|kinds|sorts|parts|steps|options|forms|policies|versions|ways))"
    r"(?P<rest>(?: (?:are there|exist|does it have|do they have|is there))?)$",
    _I,
)
ASKS_FORM = re.compile(
    r"^what(?:'s|s| is| are) (?:the|its|their) (?P<what>formula|equation|syntax|command|name|purpose|default|unit|units|definition|"
    r"advantages?|disadvantages?|benefits?|point|reason|steps|parts|goal|use|type|file|drawbacks?|limits?)$",
    _I,
)
