"""Items from single details: what something is called, made of or for, where it is, and how many there are."""

import re
from collections.abc import Iterator

from agents.quiz.item_draft import Draft, Reading, ReadSentence
from agents.quiz.item_grammar import DETERMINERS, base_of, split_clause, without_asides
from agents.quiz.item_reasons import is_generic, pronouns_resolve, topic_of
from agents.quiz.item_terms import Mention
from agents.quiz.item_words import word_count, word_set

_CALLED = re.compile(
    r"^(?P<what>[^,;]+?) (?P<be>is|are) (?:called|known as|referred to as|termed) (?P<name>(?:an? |the )?[^,;]+?)(?:$|,| \()"
)
_ALSO_CALLED = re.compile(
    r"^(?P<what>[^,;]+?), (?:also (?:called|known as|referred to as)|otherwise known as) (?P<name>[^,;]+), "
)
_MADE_OF = re.compile(
    r"^(?P<what>[^,;]+?) (?:consists? of|(?:is|are) (?:made up of|composed of|made of)) (?P<parts>[^;]+)$"
)
_USED = re.compile(r"^(?P<what>[^,;]+?) (?P<be>is|are) used (?P<use>(?:to|for) [^;]+)$")
_FUNCTION = re.compile(
    r"^(?:The|One) (?P<role>(?:main |primary |major )?(?:function|role|purpose|job|task|goal)) of (?P<what>[^,;]+?) is (?P<use>to [^;]+)$"
)
_FOUND = re.compile(
    r"^(?P<what>[^,;]+?) (?P<be>is|are) (?P<how>found|located|situated|produced|stored|published|written|attached) "
    r"(?P<where>(?:in|on|at|between|near|inside|within|along|above|beneath|throughout|behind|outside) [^;]+)$"
)
_HAPPENS = re.compile(
    r"^(?P<what>[^,;]+?) (?P<verb>occurs?|takes? place|happens?) (?P<where>(?:in|on|at|within|inside|during) [^;]+)$"
)
_NUMBER = r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,4})"
_COUNT = re.compile(
    rf"^(?P<what>[^,;]+?) (?P<verb>has|have|contains?|needs?|requires?|possess(?:es)?) (?:exactly |only )?(?P<number>{_NUMBER}) "
    r"(?P<things>[a-z][\w-]*(?: [\w-]+){0,2}?)(?=$|,| (?:that|which|in|on|for|with|at|per|and|called|from|whose)\b)"
)
_NOT_A_SUBJECT = word_set(
    "similar two three four several many some most approximately about both because if when while although though since unless whereas once after before as so but and"
)
_NO_PLACE = re.compile(
    r"(?:in|at|on) (?:\w+ )?(?:stages?|steps?|ways?|phases?|response|order|addition|general|terms|turn|people|"
    r"patients|individuals|cases?|conditions?|times?|rates?)\b"
)
_FIGURES = re.compile(r"\b(?:1[5-9]|20)\d\d\b|\b\d+ percent|\d%|\b(?:percent|million|billion)\b")


def detail_items(reading: Reading) -> Iterator[Draft]:
    """Short questions of recall, each with a short answer."""
    for sentence in reading.sentences:
        if not is_generic(sentence.text, reading) or _FIGURES.search(sentence.text):
            continue
        yield from _names(sentence, reading)
        yield from _parts_and_uses(sentence, reading)
        yield from _places(sentence, reading)
        yield from _counts(sentence, reading)


def _names(sentence: ReadSentence, reading: Reading) -> Iterator[Draft]:
    called = _CALLED.match(sentence.body)
    if called and _is_name(called["name"]) and _is_described(called):
        text = f"What {called['be']} {reading.lower(called['what'])} called?"
        yield from _detail(
            sentence, reading, text, called["name"], part=called["name"] + " " + called["what"], basis="name"
        )
    also = _ALSO_CALLED.match(sentence.body)
    if also and _is_name(also["name"]) and word_count(also["what"]) <= 5:
        text = f"What is another name for {reading.lower(also['what'])}?"
        yield from _detail(sentence, reading, text, also["name"], part=also["what"], basis="name")


def _parts_and_uses(sentence: ReadSentence, reading: Reading) -> Iterator[Draft]:
    made = _MADE_OF.match(sentence.body)
    if made and _subject(made["what"], sentence):
        do = "do" if re.search(r"\b(?:consist|are made|are composed)\b", sentence.body) else "does"
        text = f"What {do} {reading.lower(made['what'])} consist of?"
        parts = _short(made["parts"].replace(":", ","))
        if re.match(rf"(?:{_NUMBER}|several|many) \w+(?: \w+)?(?:,|$)", parts):
            return  # 'three types' does not say which
        yield from _detail(sentence, reading, text, parts, part=made["what"], basis="parts")
    used = _USED.match(sentence.body)
    if used and _subject(used["what"], sentence):
        text = f"What {used['be']} {reading.lower(used['what'])} used for?"
        yield from _detail(sentence, reading, text, _short(used["use"]), part=used["what"], basis="purpose")
    function = _FUNCTION.match(sentence.body)
    if function and word_count(function["what"]) <= 6:
        text = f"What is the {function['role']} of {function['what']}?"
        yield from _detail(
            sentence, reading, text, _short(function["use"]), part=function["what"], basis="purpose"
        )


def _places(sentence: ReadSentence, reading: Reading) -> Iterator[Draft]:
    found = _FOUND.match(sentence.body)
    if found and _subject(found["what"], sentence):
        text = f"Where {found['be']} {reading.lower(found['what'])} {found['how']}?"
        yield from _detail(sentence, reading, text, _short(found["where"]), part=found["what"], basis="place")
    happens = _HAPPENS.match(sentence.body)
    if happens and _subject(happens["what"], sentence) and not _NO_PLACE.match(happens["where"]):
        verb = happens["verb"]
        do, base = ("does", _base(verb)) if verb.split()[0].endswith("s") else ("do", verb)
        word = "When" if happens["where"].startswith("during") else "Where"
        text = f"{word} {do} {reading.lower(happens['what'])} {base}?"
        yield from _detail(
            sentence, reading, text, _short(happens["where"]), part=happens["what"], basis="place"
        )


def _base(verb: str) -> str:
    first, _, rest = verb.partition(" ")
    return f"{first.removesuffix('s')} {rest}".strip()


def _counts(sentence: ReadSentence, reading: Reading) -> Iterator[Draft]:
    match = _COUNT.match(sentence.body)
    if match is None or not _subject(match["what"], sentence) or not match["things"].split()[0].isalpha():
        return
    base = base_of(match["verb"])
    do, verb = ("does", base) if base else ("do", match["verb"])
    text = f"How many {match['things']} {do} {reading.lower(match['what'])} {verb}?"
    yield from _detail(sentence, reading, text, match["number"], part=match["what"], basis="quantity")


def _detail(
    sentence: ReadSentence, reading: Reading, text: str, answer: str, *, part: str, basis: str
) -> Iterator[Draft]:
    about = topic_of(part, reading)
    if about and pronouns_resolve(text):
        yield Draft(
            kind="short_answer",
            difficulty="easy",
            text=text,
            answer=answer,
            concept=about.name,
            source=sentence.source,
            basis=basis,
        )


def _subject(what: str, sentence: ReadSentence) -> bool:
    """A short subject that is a term of the course, maybe with words around it."""
    return (
        word_count(what) <= 8
        and what.partition(" ")[0].lower() not in _NOT_A_SUBJECT
        and _named_in(what, sentence.mentions)
        and split_clause(what + " end.") is None
    )


def _named_in(what: str, mentions: tuple[Mention, ...]) -> bool:
    return any(mention.end <= len(what) for mention in mentions)


def _is_described(called: re.Match[str]) -> bool:
    """'The link without a parent is called …': a whole noun phrase, with its article."""
    first = called["what"].partition(" ")[0].lower()
    relative = re.search(r"\b(?:that|which|who|whose|where)\b", called["what"])
    if re.search(r"\b(?:is|are|was|were|has|have|can)\b", called["what"]) and not relative:
        return False
    if split_clause(f"{called['what']} end") and not relative:
        return False
    whole = called["be"] == "are" or first in DETERMINERS or first.endswith("ing")
    after = called.string[called.end("name") :]
    is_list = after.startswith(",") and not re.match(r", (?:which|because|so|where|but|whereas)\b", after)
    return whole and not is_list and 2 <= word_count(called["what"]) <= 22 and first not in _NOT_A_SUBJECT


def _is_name(name: str) -> bool:
    return 1 <= word_count(name) <= 7 and not re.search(r"\b(?:because|that|which|it|they|when|if)\b", name)


def _short(answer: str) -> str:
    return without_asides(answer, fewest_words=2)
