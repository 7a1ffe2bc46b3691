"""What a term means: the definitions that a course gives."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agents.language.blocks import sentences
from agents.language.words import content_set, likeness, without_article, word_count
from agents.teaching.questions.grammar import is_third_person, without_asides
from agents.teaching.questions.sentences import (
    Sentence,
    is_balanced,
    is_example,
    prose,
    standalone_sentences,
    without_marks,
)
from agents.teaching.questions.terms import Casing, TermBook, bare_name, is_quality, name_stems
from agents.teaching.values import Concept, PassageLike

WITH_ARTICLE = re.compile(r"^(?:an?|the|one|any|each|every)\s", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:(A|An|The) )?", re.IGNORECASE)
_IS = re.compile(
    r"^`?\s*(?:\([^()]*\)\s*)?(?:,[^,]{3,60},\s*)?"
    r"(is|are|refers to|means|is defined as|are defined as|ist|sind|bezeichnet|bedeutet)\s+(?=\S)"
)
_ENTRY = re.compile(
    r"^[ \t]*(?:[-*+][ \t]+)?(?:\W{1,3} )?(?:\*\*|`)([^*`\n]{2,60}?):?(?:\*\*|`)[ \t]*(?::|—|–|-(?=\s))[ \t]*(\S[^\n]*)",
    re.MULTILINE,
)
_NOT_A_THING = re.compile(
    r"(?:found|located|used|made|composed|also|often|usually|not|no|in|on|at|by|for|from|to|very|more|most|less|called|"
    r"known|able|capable|responsible|present|common|important|how|when|if|what|that|states|because|about|another|see|same|"
    r"opposite|synonym|those|where|what|the (?:most|best|first|only|same|least)|one (?:that|in|which|who)|it|they|there|\w+ly|\w{3,}ed)\b",
    re.IGNORECASE,
)
_A_WHOLE_SENTENCE = re.compile(r"(?!.{0,40}\b(?:that|which|who|where)\b)(?:[\w-]+ ){1,5}(?:is|are) ")
_HEDGE = re.compile(
    r"^(?:essentially|basically|simply|just|really|actually|in essence|im Grunde|einfach),?\s+", re.IGNORECASE
)
_KNOWN_ANYWAY = 0.45
_FEWEST_WORDS, _MOST_WORDS = 4, 32
_WORDS_TO_PIN_DOWN = 8
_MOST_TERM_WORDS = 4
_A_DATE = re.compile(r"\b\d{4}\b|^\W*\d")


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A term, and what the passage says that it is."""

    concept: Concept
    written: str  # the term as the sentence writes it, with its article
    article: str
    verb: str
    meaning: str
    sentence: str  # whole, or empty for a glossary's line
    source: str

    @property
    def names_itself(self) -> bool:
        return name_stems(self.concept) <= content_set(self.meaning)

    @property
    def is_loose(self) -> bool:
        """'one of the earliest reptiles' fits more than one term."""
        return self.meaning.lower().startswith("one of") and word_count(self.meaning) < _WORDS_TO_PIN_DOWN

    @property
    def has_article(self) -> bool:
        return bool(WITH_ARTICLE.match(self.meaning))


def definitions(passage: PassageLike, *, book: TermBook, casing: Casing) -> Iterator[Definition]:
    """Definitions in sentences, and in a glossary's lines."""
    for sentence in [] if is_example(passage) else standalone_sentences(passage.chunk_text):
        found = _in_sentence(sentence, book, casing, chapter_id=passage.chapter_id)
        if found:
            yield found
    for name, meaning in _ENTRY.findall(passage.chunk_text):
        found = _in_entry(name, meaning, book, casing)
        if found:
            yield found


def _in_sentence(sentence: Sentence, book: TermBook, casing: Casing, *, chapter_id: str) -> Definition | None:
    """What a sentence that begins with a term says that it is, if that is the term's meaning."""
    article = _ARTICLE.match(sentence.text)
    start = article.end() if article else 0
    mention = next(
        (each for each in book.mentions(sentence.text, chapter_id=chapter_id) if each.start == start), None
    )
    body = sentence.text.removesuffix(".")
    verb = _IS.match(body[mention.end :]) if mention else None
    if mention is None or verb is None:
        return None
    meaning = main_part(body[mention.end + verb.end() :])
    said = likeness(meaning, mention.concept.definition)
    if said < _KNOWN_ANYWAY or not is_meaning(meaning, mention.concept):
        return None
    return Definition(
        concept=mention.concept,
        written=_written(sentence.text[: mention.end], mention.concept, casing),
        article=sentence.text[:start].strip(),
        verb=verb.group(1),
        meaning=meaning,
        sentence=sentence.text[: mention.end + verb.end()] + meaning + ".",
        source=sentence.source,
    )


_STRESSED = re.compile(
    r"^(?:(?:An?|The|Ein|Eine|Der|Die|Das) )?(?:\*\*|__|\*|_|`)(?P<term>[^*_`\n]{2,40}?)(?:\*\*|__|\*|_|`)"
    r"(?: \([^)]*\))? (?:is|are|refers to|means|ist|sind|bezeichnet|bedeutet) (?P<meaning>[^\n]+?)\.?$",
    re.IGNORECASE,
)


# 'A data point is a single unit of data': an article on both sides defines, whatever the words.
_FRAMED = re.compile(
    r"^(?P<article>An? )?(?P<term>[A-Za-z][\w-]+(?: [\w-]+){0,2}) (?:is|are) (?P<meaning>(?:an?|the) [^\n]+?)\.?$"
)
_NOT_A_TERM = re.compile(
    r"\b(?:this|that|these|those|it|there|here|what|which|who|one|other|another|first|second|next|last|main|common|good|great|"
    r"best|better|example|problem|result|goal|idea|way|thing|key|point|reason|difference|advantage|answer|question|you|we|they|"
    r"he|she|i|and|or|of|to|in|for|not|also|only|same|useful|important|simple|nice)\b",
    re.IGNORECASE,
)


def local_terms(passage: PassageLike) -> Iterator[Concept]:
    """Terms that a passage stresses and defines, whether the course has them as concepts or not."""
    for name, meaning in _ENTRY.findall(passage.chunk_text):
        if word_count(name) <= _MOST_TERM_WORDS and WITH_ARTICLE.match(meaning) and not _A_DATE.search(name):
            yield _local(name, re.split(r"(?<=[.!?])\s", meaning)[0].rstrip("."), passage, kind="glossary")
    for raw in sentences(prose(passage.chunk_text)):
        found = _STRESSED.match(raw.strip()) or _framed(raw.strip(), passage)
        if found and word_count(found["term"]) <= _MOST_TERM_WORDS:
            yield _local(found["term"], found["meaning"], passage, kind="term")


def _local(name: str, meaning: str, passage: PassageLike, *, kind: str) -> Concept:
    return Concept(
        name=name.strip(),
        definition=without_marks(meaning),
        kind=kind,
        chapter_id=passage.chapter_id,
        chunk_id=passage.chunk_id,
        position=0,
    )


def _framed(sentence: str, passage: PassageLike) -> re.Match[str] | None:
    """A thing in general, or one that the passage names again."""
    found = _FRAMED.match(without_marks(sentence))
    if found is None or _NOT_A_TERM.search(found["term"]):
        return None
    again = passage.chunk_text.lower().count(found["term"].lower()) > 1
    return found if again else None


def _in_entry(name: str, meaning: str, book: TermBook, casing: Casing) -> Definition | None:
    concept = book.find(name)
    line = re.split(r"(?<=[.!?])\s", without_marks(meaning))[0].rstrip(".")
    text = main_part(without_spelled_out(line, name))
    if concept is None or not is_meaning(text, concept):
        return None
    return Definition(
        concept=concept,
        written=casing.shown(concept),
        article="",
        verb="is",
        meaning=casing.inside(text),
        sentence="",
        source=f"{without_marks(name)}: {line}",
    )


def is_meaning(meaning: str, concept: Concept) -> bool:
    """Whether a text says what the term is, in a form that can be asked for."""
    return (
        _FEWEST_WORDS <= word_count(meaning) <= _MOST_WORDS
        and (is_quality(concept) or not _NOT_A_THING.match(meaning))
        and not _starts_with_verb(meaning)
        and not _A_WHOLE_SENTENCE.match(meaning)
        and not without_article(meaning).lower().startswith(bare_name(concept.name).lower())
        and is_balanced(meaning)
        and not re.search(
            r"\b(?:figure|above|below|this|these)\b|[|{}\\$=<>\[\]*;]| [-–—] (?:it|they|he|she|you|we)\b",
            meaning,
        )
    )


def _starts_with_verb(meaning: str) -> bool:
    """'drains blood from the veins …' says what a thing does, not what it is."""
    first, _, rest = meaning.partition(" ")
    return is_third_person(first) and not rest.startswith(("of ", "that ", "which ", "in ", "for "))


def main_part(meaning: str) -> str:
    """What the meaning cannot do without: no '(also, …)' before it and no aside after it."""
    bare = _HEDGE.sub("", re.sub(r"^\([^()]*\)\s*", "", meaning.strip()))
    return without_asides(bare, fewest_words=_FEWEST_WORDS + 1)


def without_spelled_out(line: str, name: str) -> str:
    """'Random sample consensus, a method that …' spells RANSAC out: keep what comes after."""
    head, comma, tail = line.partition(", ")
    spelled = name.isupper() and comma and word_count(head) <= 6 and WITH_ARTICLE.match(tail)
    return tail if spelled else line


def _written(written: str, concept: Concept, casing: Casing) -> str:
    """The term with its article as it reads in the middle of a sentence."""
    article, name = re.match(r"((?:an?|the) )?(.*)", written, re.IGNORECASE | re.DOTALL).groups("")  # type: ignore[union-attr]
    same = name.lower() == concept.name.lower()
    return article.lower() + (casing.shown(concept) if same else name if article else casing.inside(name))
