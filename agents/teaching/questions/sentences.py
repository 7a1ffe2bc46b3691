"""A passage as sentences that can stand alone: no code, no tables, no pointing at what is not shown."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from agents.language.blocks import local_names, whole_sentences
from agents.language.headings import is_apart, is_aside, is_worked_example
from agents.language.words import STOP, content_set, word_set
from agents.teaching.questions.grammar import (
    AUXILIARIES,
    DETERMINERS,
    FUNCTION_WORDS,
    PAST_FORMS,
    VERBS,
    is_third_person,
    split_clause,
)
from agents.teaching.values import PassageLike


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence as a question may use it, and as the reader finds it."""

    text: str
    source: str
    raw: str = ""  # with the author's marks


_FENCED = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[^\n]*$|\Z)", re.MULTILINE | re.DOTALL)
_DISPLAY_MATH = re.compile(r"\$\$.*?(?:\$\$|\Z)|\\\[.*?(?:\\\]|\Z)", re.DOTALL)
_NAME_IN_CODE = re.compile(r"`(\w[\w.]*)`")
_TABLE_OR_HEADING = re.compile(r"^[ \t]*(?:\||#{1,6}\s|>|!\[).*$", re.MULTILINE)
_BEFORE_CODE = re.compile(r"(?<=[.!?])\s+(?=`)")  # a name in code begins a sentence too
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d+[.)]|[a-zA-Z][.)])\s+")
_BOLD_START = re.compile(r"[-+ ]*\*\*[^*:]+\*\*(?!\s*[:—–])")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_SIMPLE_MATH = re.compile(r"\$([^$\\{}^]{1,30})\$")
_FIGURE_ASIDE = re.compile(
    r"\s*[(\[][^()\[\]]*\b(?:figure|fig\.|table|shown|see|link|illustrated)\b[^()\[\]]*[)\]]"
    r"|,? (?:as|which is) (?:shown|seen|illustrated|depicted|described|discussed)[^,.;]*(?=[,.;])"
    r"|,? (?:shown|illustrated|depicted|pictured) (?:in|by) (?:the |this |these )?(?:figure|table|diagram)s?\b,?",
    re.IGNORECASE,
)
_CONNECTIVE = re.compile(
    r"^(?:However|Therefore|Thus|Hence|Consequently|In addition|Additionally|Moreover|Furthermore|In general|"
    r"Generally|Generally speaking|In fact|Indeed|Also|Importantly|Interestingly|Notably|Of course|Accordingly|"
    r"Simply put|In short|In other words|Basically|Overall), ",
)
_INNER_LINK = re.compile(
    r",? (?:therefore|thus|hence|also|in turn|however|of course|indeed|by the way),?(?= )"
)

# A sentence that leans on its neighbours, on a picture or on the reader cannot stand alone.
_LEANS_AT_START = re.compile(
    r"^(?:It|Its|They|Their|Them|He|She|His|Her|This|These|Those|That|Such|Another|Other|Others|Both|Here|There|Then|"
    r"Instead|Similarly|Likewise|Next|Finally|First|Firstly|Second|Secondly|Third|Last|Lastly|For example|"
    r"For instance|On the other hand|In contrast|By contrast|Conversely|Otherwise|Meanwhile|Later|Still|Yet|But|And|"
    r"Or|So|Nor|As such|As a result|Because of this|Once again|Again|After that|Before that|Afterwards?|Today|Now|"
    r"Recall|Note|Notice|Remember|Consider|Suppose|Imagine|Assume|Try|Use|Let|See|Watch|Visit|Think|Look|Explain|"
    r"Describe|Define|List|Name|Which|What|Why|How|Who|Where|Unfortunately|Fortunately|Perhaps|Maybe|Neither|Either|"
    r"In (?:that|this) case|Bei (?:den|dem|der|diese\w*) |In diesem |Nun |Dies|Diese[rsmn]?|Das|Es|Sie|Er|Hier|Dabei|Damit|Dazu|Dann|Dadurch|Deshalb|Deswegen|Daher|Somit|Folglich|Also|Jedoch|Aber|Und|Wenn|Solche|"
    r"An? (?:\w+ )?example|One (?:\w+ )?example|One such|Of these|Among these|Some of these|Each of these|All of these|Many of these|Most of these|None of)\b"
)
_LEANS = re.compile(
    # what was said before or comes after
    r"\b(?:this|these|those|such(?! as\b| that\b)|the former|the latter|the following|as follows|above|below|previous(?:ly)?|earlier|then|"
    r"here|so far|aforementioned|respectively|likewise|the same (?:way|thing|is true)|said to|equally (?:common|important|likely)|usual causes?|"
    r"the (?:other|first|second|third|two|three)(?! (?:[\w-]+ ){1,3}(?:of|in|between|that)\b)|"
    r"(?:two|three|four|several|many|some|few) others?|other hand|for example|for instance|in the example|of course)\b"
    # what is not shown
    r"|\b(?:the|our|next|last|a) (?:figure|fig|table|diagram|picture|photograph|photo|image|chart|plot|map) (?:shows?|illustrates?|"
    r"depicts?|lists?|summarizes?|gives?)\b|\b(?:figures?|fig|tables?) \d|\bin the (?:figure|table|diagram|picture|photograph|photo)\b|"
    r"\b(?:chapter|section|lesson|module|exercise|assignment|quiz|tutorial|video|website|the (?:course|script|code|call))\b"
    # the reader, the writer and the day
    r"|\b(?:we|our|ours|us|let's|we'll|my|learners?|students?|researchers? found|click|hover|et al|https?|www|"
    r"recently|nowadays|for now|sometimes|by mistake)\b"
    r"|\btoo\.$|, too\b|\bI (?:am|have|will|would|can|think)\b"
    r"|\b(?:of|at|by|for|with|from|to|on|over|under|in|into|reads|than) that\b(?! (?:is|are|was|were|can|the|a|an|it|they)\b)",
    re.IGNORECASE,
)
_NOT_SHOWN = re.compile(
    r"\b(?:above|below|following|previous(?:ly)?|earlier|so far|figures?|fig|tables?|chapters?|sections?|lessons?|exercises?|"
    r"siehe|oben|unten|folgende\w*|kapitel|abschnitt)\b",
    re.IGNORECASE,
)
_MARKED_UP = re.compile(r"[|{}<>\\=\[\]#@~^]|\*\*|\$|https?:|�")
_NOT_PROSE = re.compile(r"[|{}<>\\=\[\]#@~^]|\*\*|\$|https?:|--|…|\.\.\.|�|\b\w+\(\)|[\u0400-\uFFFF]")
_AFTER_AN_ORDER = word_set(
    "it them whether that up out off on in at through with for from to how what your its their"
)
_BEFORE_A_NOUN = word_set("the a an its their his her")
_FEWEST_WORDS, _MOST_WORDS = 4, 42
# 'Supported by the monastery, he taught': what the opening says is said of somebody named before.
_OPENED_BY_A_PHRASE = re.compile(
    r"^(?:\w+(?:ed|ing)|In|On|At|By|For|With|From|After|Before|During|Within|Without|Through|Under|Over)\b(?! \w+ed\b)[^,]*, "
    r"(?:he|she|they|these|those|this|it(?! (?:is|was|can|may|takes|makes|seems|turns)\b))\b"
)
_POINTS = re.compile(r"\b(?:this|these|those)\b", re.IGNORECASE)
_POINTED_AT = re.compile(r"\b(?:this|these|those) (?P<noun>[A-Za-z-]+)", re.IGNORECASE)
_SUCH = re.compile(r"\bsuch (?!as\b|that\b)", re.IGNORECASE)
_SOMEBODY = re.compile(r"\b(?:he|she|him)\b")
_ENOUGH_NAMED = 2  # words with a meaning, that a pointing word may point at
_IN_CODE = re.compile(r"`+&?([A-Za-z_]\w*)[^`]*`+")


def is_example(passage: PassageLike) -> bool:
    """Whether a passage works an example or sets work: its facts hold only there."""
    return any(is_worked_example(heading) or is_apart(heading) for heading in passage.heading_hierarchy)


def whole_thoughts(text: str) -> list[Sentence]:
    """The sentences that say something by themselves, also to the reader; less strict than those that stand alone."""
    found = []
    for raw in _sentences(text):
        source = without_marks(raw)
        if (
            _FEWEST_WORDS < len(source.split()) <= _MOST_WORDS
            and source.endswith(".")
            and (
                source[0].isupper() or source[0] == "`"
            )  # a name in code begins a sentence in small letters too
            and is_balanced(source)
            and not _MARKED_UP.search(_without_code(source))
            and not _LEANS_AT_START.match(source)
            and not _NOT_SHOWN.search(source)
            and not is_aside(source)
            and not _is_order(source)
            and not points_outside(source)
        ):
            found.append(Sentence(text=source, source=source, raw=raw))
    return found


def prose(text: str) -> str:
    """A passage without code, formulas on their own, tables and headings."""
    for pattern in (_FENCED, _DISPLAY_MATH, _TABLE_OR_HEADING):
        text = pattern.sub("\n\n", text)
    return text


_STRESS = re.compile(
    r"(?<![\w*_`])(?:\*\*|__|\*|_|`+)([A-Za-z][^*_`\n]{2,40}?)[:.,]?(?:\*\*|__|\*|_|`+)(?![\w*_`])"
)


def stressed(text: str) -> list[str]:
    """What the author sets in bold, in italics or as code."""
    return [found.strip() for found in _STRESS.findall(text)]


def without_marks(text: str) -> str:
    """One line without emphasis, bullets, links and simple formulas' dollar signs."""
    text = _BULLET.sub("", text.strip())
    text = _LINK.sub(r"\1", text).replace("**", "")
    text = re.sub(r"(?<![\w*])[*_](?=\S)([^*_\n]{1,60})(?<=\S)[*_](?![\w*])", r"\1", text)
    return re.sub(r"\s+", " ", _SIMPLE_MATH.sub(r"\1", text)).strip()


def _sentences(text: str) -> Iterator[str]:
    """The sentences of what is said in a passage, but for those about a variable of its code; none is cut short."""
    local = local_names(text)
    for paragraph in prose(text).split("\n\n"):
        if paragraph.strip():
            found = (part for each in whole_sentences(paragraph) for part in _BEFORE_CODE.split(each))
            yield from (each for each in found if not local.intersection(_IN_CODE.findall(each)))


def neighbours(text: str) -> Iterator[tuple[str, str]]:
    """Each whole sentence of a passage with the one behind it."""
    found = (without_marks(each) for each in _sentences(text))
    return ((one, other) for one, other in pairwise(found) if one.endswith(".") and other.endswith("."))


def standalone_sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a passage that mean the same when they are read alone."""
    for raw in _sentences(text):
        source = without_marks(raw)
        clean = _INNER_LINK.sub(
            "", _without_connective(_FIGURE_ASIDE.sub("", _NAME_IN_CODE.sub(r"\1", source)))
        )
        if _stands_alone(clean) and (not clean[0].islower() or _BOLD_START.match(raw)):
            yield Sentence(text=clean, source=source)


def _stands_alone(text: str) -> bool:
    return (
        _FEWEST_WORDS <= len(text.split()) <= _MOST_WORDS
        and text.endswith(".")
        and (text[0].isalnum() or text[0] == "`")
        and not _NOT_PROSE.search(_without_code(text))
        and is_balanced(text)
        and not leans(text)
        and not re.search(
            r"[a-z)]\.\s+[a-z]|(?:\b[A-Z]\.\s?[A-Z]|\bDr|\bal|\bvs|\bcf|\bapprox|\bca)\.$", text
        )
        and not _is_order(text)
    )


def leans(text: str) -> bool:
    """Whether a sentence needs its neighbours, a picture or the writer to be understood."""
    return bool(_LEANS_AT_START.match(text) or _LEANS.search(text)) or _points_with_that(text)


def points_outside(text: str) -> bool:
    """Whether a word stands for something that the sentence itself does not name."""
    pointing = _POINTS.search(text)
    return bool(
        _SUCH.search(text)
        or _OPENED_BY_A_PHRASE.match(text)
        or (pointing and len(content_set(text[: pointing.start()])) < _ENOUGH_NAMED)
        or any(map(_is_new, _POINTED_AT.finditer(text)))
        or _names_nobody(text)
    )


def _is_new(pointed: re.Match[str]) -> bool:
    """'…, this matrix can be huge': what is pointed at was not named before."""
    noun = pointed["noun"].lower()
    is_verb = noun in AUXILIARIES or noun in VERBS or is_third_person(noun)
    named = content_set(noun)
    return bool(named) and not is_verb and not named & content_set(pointed.string[: pointed.start()])


def _names_nobody(text: str) -> bool:
    """'he' without anybody before it: no name, and no 'a monk'."""
    pronoun = _SOMEBODY.search(text)
    if pronoun is None:
        return False
    first, *others = text[: pronoun.start()].split() or [""]
    is_name = first.lower() not in STOP | FUNCTION_WORDS and not first.endswith(("ed", "ing"))
    return not (
        (is_name and first[:1].isupper())
        or any(word[:1].isupper() for word in others)
        or re.search(r"\ban? \w+", text[: pronoun.start()], re.IGNORECASE)
    )


def _is_order(text: str) -> bool:
    """'Attach a writer …' tells the reader to do something; 'Research shows …' has a verb of its own."""
    first, second, *_ = text.lower().split()
    is_plain = second in VERBS - AUXILIARIES or second in DETERMINERS or second in _AFTER_AN_ORDER
    return first in VERBS and (is_plain or split_clause(text) is None)


def _points_with_that(text: str) -> bool:
    """'A service fits that task badly.': no verb follows, so 'that' points at something said before."""
    for match in re.finditer(r"\bthat ((?:[^\s,;.]+ ?){1,7})", text):
        words = match.group(1).lower().split()
        verbs = [word for word in words if word in AUXILIARIES or word in VERBS or is_third_person(word)]
        # '… that browns the crust': what has an object is a verb, known or not.
        verbs += [word for word, after in pairwise(words) if word.endswith("s") and after in _BEFORE_A_NOUN]
        pasts = [word for word in words if word.endswith(("ed", "en")) or word in PAST_FORMS]
        if not verbs and not pasts:
            return True
    return False


def _without_code(text: str) -> str:
    return re.sub(r"`[^`]*`", "code", text)


def is_balanced(text: str) -> bool:
    """Whether brackets, quotes, back ticks and dollar signs come in pairs."""
    return (
        text.count("(") == text.count(")")
        and text.count("[") == text.count("]")
        and text.count("“") == text.count("”")
        and text.count("`") % 2 == 0
        and text.count("$") % 2 == 0
        and text.count('"') % 2 == 0
    )


def _without_connective(text: str) -> str:
    bare = _CONNECTIVE.sub("", text)
    return bare if bare == text else bare[:1].upper() + bare[1:]


def numbered_steps(text: str) -> Sequence[str]:
    """The longest run of a passage's lines that are numbered 1, 2, 3 …"""
    best: list[str] = []
    run: list[str] = []
    for number, step in re.findall(r"^[ \t]*(\d+)[.)][ \t]+(\S[^\n]*)$", prose(text), re.MULTILINE):
        if int(number[-4:]) != len(run) + 1:
            run = []
        if int(number[-4:]) == len(run) + 1:
            run.append(without_marks(step))
        best = max(best, run[:], key=len)
    return best
