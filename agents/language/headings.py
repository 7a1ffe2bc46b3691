"""What a heading and its page are for: to teach something, to set work, to point elsewhere, or to tell about the book."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from agents.language.words import TermKey, term_key

_NUMBERING = re.compile(
    r"^(?:(?:chapter|module|lesson|part|unit|step|section)\s+)?[\dIVX]+(?:\.\d+)*[.:)]?\s+", re.IGNORECASE
)
_FIRST_PICTURE = 0x2190  # below it are signs such as ° that belong to the words
_JOINERS = frozenset("\u200d\u20e3\ufe0e\ufe0f")

_WORK = re.compile(
    # the word by itself, or numbered, or followed by what is to be done
    r"(?:exercises?|challenges?|tasks?|practice|problems?|projects?|activity|activities|labs?|solutions?|answers?|questions?|"
    r"review|quizzes|worksheets?|try it(?: out| yourself)?|your turn|test yourself)(?:$|\s*[:–—-]\s|\s+#?\d)"
    r"|(?:assignments?|homework|rubrics?|quiz|instructions?$|free response|multiple choice|critical thinking|review &|review and|"
    r"answer key|(?:art|visual|interactive) connections?$|links? to learning|check your|test your|try it in|knowledge check|"
    r"concept check|(?:pre|post)[- ]?(?:lecture|lesson|class))\b"
    r"|.*\bend[- ]of[- ](?:chapter|section|unit|lesson) (?:questions?|exercises?|problems?)$"
    r"|.*\b(?:quiz|self[- ]?(?:study|check|test|assessment)|worksheet)$"
    r"|(?:(?:review|practice|discussion|study|test|exam|essay|homework|end[- ]of[- ]chapter|chapter|section|additional|further) )+"
    r"(?:questions?|exercises?|problems?|tasks?)$",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"(?:references?|footnotes?|endnotes?|bibliography|resources|sources?|credits?|acknowledge?ments?|links|licen[cs]es?|"
    r"copyright|change ?log|contributing|contributors|preface|foreword|about (?:the authors?|(?:this|the) (?:book|course)))$"
    r"|(?:further|additional|suggested|recommended) (?:readings?|research)\b"
    r"|(?:further|additional|suggested|recommended|online|other|useful|helpful|more|learning) (?:resources|links|materials?)\b",
    re.IGNORECASE,
)
_AIMS = re.compile(
    r"(?:learning |lesson |chapter |course )?(?:objectives?|outcomes?|goals)$|what you(?: will|'ll|’ll)\b",
    re.IGNORECASE,
)
_WORKED_EXAMPLE = re.compile(r"(?:worked )?examples?\b", re.IGNORECASE)
_ORDER = re.compile(
    # 'Explore bar charts': hardly ever anything but an order
    r"(?:install|explore|navigate|configure|customi[sz]e|observe|visit|dive into|get to know|set ?up)\s"
    # 'Open the database' but not 'Open systems'
    r"|(?:download|clone|run|open|click|start|launch|create|build|add|import|upload|copy|deploy|connect|select|sign|log|get|make|write|tell|"
    r"prepare|load|watch|read|try)(?: and \w+)?\s(?:an?|the|this|these|it|its|some|all|our|in|on|up|started)\b"
    # 'Filter your data' but neither 'Styling your charts' nor 'Inside your cells'
    r"|(?!\w+ing\b|(?:in|inside|within|on|at|from|for|about|around|behind|under|of|and|with)\b)\w+(?: up)?(?: and \w+)? your\b",
    re.IGNORECASE,
)
_NOT_A_NAME = re.compile(
    r"(?:worked )?examples?\b|how\b|what\b|why\b|when\b|where\b|step\b|choosing\b|a procedure\b|try\b"
    r"|summary of (?:the )?(?:main|key|most)\b",
    re.IGNORECASE,
)
_WHAT_IS = re.compile(r"what(?: is| are|['’]s)(?: an?| the)? ([^?]{2,60})$", re.IGNORECASE)
# 'Transformers are big models': a heading with a verb says something instead of naming it.
_SENTENCE = re.compile(
    r"\w (?:is|are|was|were|isn['’]t|aren['’]t|has|have|had|can|cannot|can['’]t|does|do|don['’]t|doesn['’]t|will|must|should|may|might)\b(?! not$)|"
    r"\b(?:let['’]s|we|you|i|it['’]s|they)\b",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"(?:aside|notes?|tips?|warning|examples?|step|part|day|case study|project|practical exercise|hands[- ]on|bonus|update|"
    r"problem|solution|demo|walkthrough|approach|option|method|stage|phase|exercise|challenge)\b[\s\d]*$",
    re.IGNORECASE,
)
_IN_CODE = re.compile(r"[{}<>=;$\\]|::|\(\d*\)$|\w\(")
# 'Running the binaries', 'Polishing your demo': a step on the way, and a way of speaking about the book.
_ON_THE_WAY = re.compile(
    r"[\w-]+ing (?:and [\w-]+ing )?(?:(?:up|out|in|down|off) )?(?:the|an?|your|our|this|these|it|them|everything|it all)\b|"
    r"(?:don['’]t|do not|never|and|hands[- ]on|about|more|putting|getting|moving|going|wrapping|next|other|some|further|final|another|in this|where to|how to)\b|"
    r"(?:the|an?|our) (?:first|second|third|last|next|quick|brief|bit|full|complete|simple|closer|final|whole)\b|"
    r"(?:key|main|learning|course) (?:takeaways?|points?|concepts?|ideas?|structure|outcomes?|differences?)\b",
    re.IGNORECASE,
)
_FRAMES = (
    "summary, section summary, sections summary, chapter summary, introduction, overview, glossary, notes, conclusion, common mistakes, "
    "key terms, prerequisites, background, appendix, contents, table of contents, welcome, next steps, "
    "definition, definitions, details, rationale, discussion, setup, installation, requirements, usage, results, outline, schedule, "
    "context, purpose, scope, remarks, observations, advantages, disadvantages, benefits, limitations, "
    "recap, readme, index, faq, conclusions, motivation, basic definitions, case studies, examples"
)
_FRAME_KEYS = frozenset(term_key(name) for name in _FRAMES.split(", "))
# 'Five-number summary' is a thing to learn, 'Key concepts and summary' is none.
_RECAP = re.compile(
    r"(?:(?:sections?|chapter|lesson|module|unit|in|quick|key (?:concepts|points|terms|ideas) and) )?(?:summary|recap|conclusions?)$"
    r"|key (?:points|takeaways|ideas|equations|concepts|facts)$|takeaways$|in a nutshell$",
    re.IGNORECASE,
)
_WORK_FILES = frozenset(
    "assignment assignments quiz quizzes quiz-app exercise exercises homework rubric solution solutions answers starter "
    "license licence copying notice source sources changelog contributing contributors code_of_conduct security credits".split()
)


@lru_cache(maxsize=4096)
def heading_name(heading: str) -> str:
    """The heading's words: no number in front, no pictures, no full stop or exclamation mark behind."""
    words = " ".join("".join(" " if is_picture(sign) else sign for sign in heading).split())
    return _NUMBERING.sub("", words).strip(" .:?!*")


def is_apart(heading: str) -> bool:
    """Whether nothing is taught under it: work to do, sources to look up, or what the chapter is going to teach."""
    name = heading_name(heading)
    return any(pattern.match(name) for pattern in (_WORK, _ELSEWHERE, _AIMS))


def is_aims(heading: str) -> bool:
    """Whether it is what a reader will be able to do afterwards that is told under it."""
    return bool(_AIMS.match(heading_name(heading)))


def is_worked_example(heading: str) -> bool:
    """Whether something is worked through under it: taught, but true only there."""
    return bool(_WORKED_EXAMPLE.match(heading_name(heading)))


def teaches(headings: Sequence[str], *, chapter_id: str = "") -> bool:
    """Whether a passage in this place tells something, rather than set work or belong to a tool or a licence."""
    places = {re.sub(r"^[\d._-]+", "", part) for part in chapter_id.lower().split("/")}
    return not places & _WORK_FILES and not any(map(is_apart, above_examples(headings)))


def above_examples(headings: Sequence[str]) -> Sequence[str]:
    """The headings down to a worked example: a 'Solution' below it belongs to it, and is read with it."""
    example = next(
        (place for place, heading in enumerate(headings) if is_worked_example(heading)), len(headings)
    )
    return headings[:example]


def concept_name(heading: str) -> str:
    """What a heading names: X of 'What is X?', A of 'A: and how to use it'; '' where it names nothing."""
    words = " ".join(heading.split())
    asked = _WHAT_IS.match(heading_name(words))
    if asked:
        return heading_name(asked[1])
    cries = words.endswith(("!", "?", "…", "...")) and (len(words.split()) > 2 or "," in words)
    if cries or _SENTENCE.search(words):
        return ""
    before, colon, _ = words.partition(": ")
    name = heading_name(before) if colon else heading_name(words)
    if colon and (_LABEL.match(name) or not name):
        return ""
    return "" if _IN_CODE.search(name) or _ON_THE_WAY.match(name) else name


def names_a_concept(name: str) -> bool:
    """Whether a heading's words can be the name of something to learn."""
    is_sentence = bool(_NOT_A_NAME.match(name) or _ORDER.match(name))
    return not is_sentence and not is_apart(name) and not is_frame(term_key(name))


def is_list_of_terms(headings: Sequence[str]) -> bool:
    """A glossary, or a chapter's key terms."""
    return any("glossary" in heading.lower() or heading.lower() == "key terms" for heading in headings)


def tells_again(headings: Sequence[str]) -> bool:
    """A summary of what was told before."""
    return any(_RECAP.match(heading_name(heading)) for heading in headings)


def guides(headings: Sequence[str]) -> bool:
    """Whether it says what matters in its chapter: what one will be able to do, the key terms, the summary."""
    aims = any(_AIMS.match(heading_name(heading)) for heading in headings)
    return aims or is_list_of_terms(headings) or tells_again(headings)


def is_frame(key: TermKey) -> bool:
    """'Summary', 'Overview': every chapter has one."""
    return key in _FRAME_KEYS


def is_picture(sign: str) -> bool:
    """Whether a character is an emoji or part of one."""
    return sign in _JOINERS or (
        ord(sign) >= _FIRST_PICTURE and unicodedata.category(sign) in ("So", "Sk", "Cs")
    )


_QUESTION = re.compile(
    r"\?[\"'”’)]*(?:\s*\([^)]*\))?$|^(?:question|answer|solution)s?(?: \d+)?:", re.IGNORECASE
)
_BLANK = re.compile(r"_{3,}|\.{5,}|…{2,}")
_ABOUT_THE_BOOK = re.compile(
    r"^(?:after|in) this (?:chapter|lesson|section|module)\b|\bby the end of this\b|^welcome\b|"
    r"\byou(?: will|'ll|’ll) (?:also )?(?:be able|learn|explore)\b|\b(?:next|now|then),? you(?: will|'ll|’ll)\b|"
    r"\bwe are (?:also )?going to\b|\b(?:we|you) will (?:also |now |then )?(?:see|use|look|discuss|cover|build|complete|review|start)\b|"
    r"\bin this (?:directory|folder|repository)\b|"
    r"^now(?: that)? you (?:know|have|can)\b|"
    r"^(?:we|you)(?:'ve| have|’ve) (?:just |now |already )?(?:talked|learn|seen|covered|explored|discussed|looked)|"
    r"\b(?:this|these|our|first|next) (?:assignments?|quiz|tutorials?|curriculum|lessons|notebook|video)\b|"
    r"\b(?:in|for) (?:this|these|the next) (?:challenge|exercise)s?\b|"
    r"\b(?:next|previous|last|coming|earlier|later) (?:\w+ )?(?:chapter|lesson|section|module)s?\b|"
    r"\b(?:in|am Ende|zu Beginn) (?:diese[mrs]|der|den|des) (?:\w+ )?(?:Kapiteln?|Kapitels|Abschnitts?|Kurs(?:es)?|Teils?|Lektion)\b|"
    r"\bdiese[ms]? (?:Kapitels?|Kurs(?:es)?)\b|\b(?:wirst|solltest) du (?:\w+ )?in der Lage\b|"
    r"\bin the (?:\w+ )?lesson\b|\byou may have noticed\b|\b[\w-]*notebook(?: file|\.ipynb)",
    re.IGNORECASE,
)
_POINTS_AWAY = re.compile(
    r"\b(?:learn|read|find out|know|see) more\b|\bfor (?:more|further|additional) (?:information|details|reading)\b|"
    r"\b(?:more|further|additional) (?:information|details) (?:can|may) be found\b|"
    r"\b(?:have|take) a (?:closer )?look\b|\bcheck out\b|\bthis (?:web ?site|link|site|animation|interactive|article|webpage|page)\b|"
    r"^(?:to|for) [^,]{3,80}, (?:visit|see|watch|consult|check|click|read)\b|"
    r"https?:|\bwww\.|\bclick (?:on|through|here|the|this)\b|"
    r"\bhere (?:is|are) (?:an?|some|a few|two|three|several|the)\b",
    re.IGNORECASE,
)
_SAYS_WHAT_TO_DO = re.compile(
    r"^(?:please )?(?:visit|explore|see|navigate|browse|refer to|turn to|go (?:to|on)|look (?:at|up|through|around)|test your|"
    r"challenge yourself|take a (?:moment|tour)|do (?:some|a bit|a little)|think (?:about|of)|reflect on|filter your|build your|"
    r"write (?:about|your)|fill in|choose one|use the interactive|"
    # 'Check the valves' but not 'Check valves stop the water'
    r"(?:watch|view|click|check|listen|download|install|search|play|follow|name|list|describe|explain|discuss|compare|identify|"
    r"decide|propose|summari[sz]e|try|practi[cs]e|research|create|edit|pick)"
    r"(?= (?:an?|the|how|why|what|whether|which|if|about|of|on|for|your|yourself|this|these|it|its|their|to|one|two|three|four|"
    r"five|each|some|at|any|all|both|in|using|here|through|out|around|\w+ing)\b|[, ]*$))\b",
    re.IGNORECASE,
)
_PICTURE = re.compile(
    r"^in (?:the|this) (?:figure|diagram|picture|photo(?:graph)?|chart|graph|plot|micrograph|illustration)\b|"
    r"^(?:the |this |our |next )?(?:figure|diagram|picture|photo(?:graph)?|image|chart|graph|micrograph|illustration)s?(?: [\d.]+)? "
    r"(?:above |below )?(?:shows?|illustrates?|depicts?|summari[sz]es|compares|lists|gives)\b",
    re.IGNORECASE,
)
_CREDIT = re.compile(
    r"\b(?i:photo(?:graph)?|image|picture|sketchnote|infographic|illustration|drawing|graphic|written|authored|video)s? "
    r"(?:credit|courtesy|by|with)\b.{0,4} ?[@A-Z❤♥]|\bcredit:"
)
_MOTTO = re.compile(r"^[\"“].+[\"”]\s*[-–—]{1,2}\s*[A-Z]")
_MOST_CREDIT_WORDS = 14


def is_left_open(text: str) -> bool:
    """A question, or a sentence with a gap to fill."""
    return bool(_QUESTION.search(text) or _BLANK.search(text))


def is_about_the_book(text: str) -> bool:
    """'In these lessons you will learn …'."""
    return bool(_ABOUT_THE_BOOK.search(text))


def is_aside(text: str) -> bool:
    """Whether the sentence, without its markup, has nothing to teach: a credit, say, or something to do or to look at."""
    is_credit = len(text.split()) <= _MOST_CREDIT_WORDS and bool(_CREDIT.search(text))
    sends_away = _POINTS_AWAY.search(text) or _SAYS_WHAT_TO_DO.match(text) or _PICTURE.match(text)
    return bool(
        is_left_open(text) or is_about_the_book(text) or is_credit or _MOTTO.match(text) or sends_away
    )
