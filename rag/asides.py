"""Sentences that tell nothing about the subject: questions, gaps, orders, and words about the book itself."""

import re

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
_ORDER = re.compile(
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


def is_credit(text: str) -> bool:
    """'Photo by …', or the name of the one who said a chapter's motto."""
    is_short = len(text.split()) <= _MOST_CREDIT_WORDS
    return bool(_MOTTO.match(text) or (is_short and _CREDIT.search(text)))


def sends_away(text: str) -> bool:
    """'Watch this video', 'Explain why …', 'The figure shows …': there is something to do or to look at."""
    return bool(_POINTS_AWAY.search(text) or _ORDER.match(text) or _PICTURE.match(text))


def is_aside(text: str) -> bool:
    """Whether the sentence, without its markup, has nothing to teach."""
    return is_left_open(text) or is_about_the_book(text) or is_credit(text) or sends_away(text)
