"""English as far as questions need it: its verbs, and a clause turned into a question."""

import re
from dataclasses import dataclass

from agents.language.words import vocabulary, word_set

VERBS = vocabulary("verbs")
IRREGULAR_PARTICIPLES = vocabulary("participles")
PAST_FORMS = vocabulary("past_forms")
ADVERBS = word_set(
    "often never always still only just even almost rarely seldom soon now again already sometimes instead alone together "
    "once twice no longer most more less best well further both all each either not"
)
NOT_ADVERBS = word_set("family supply assembly anomaly only apply multiply rely reply imply fly")


_BE = word_set("is are was were")
_MODALS = word_set("can could may might must shall should will would")
_DO = word_set("do does did")
AUXILIARIES = _BE | _MODALS | _DO | {"has", "have", "had", "cannot"}
DETERMINERS = word_set("a an the each every all most many some any one no several few")
_ONE_THING = word_set("a an each every one another")
_PREPOSITIONS = word_set(
    "of in on at by for with from to into onto over under between among through during within without across along "
    "around against toward towards via per near inside outside behind beyond until about as than like"
)
_CONJUNCTIONS = word_set("and or nor")
_ENDS_SUBJECT_SEARCH = word_set(
    "that which who whom whose where when while if because although though whereas unless since so but to whether how "
    "why what there it they he she we you"
)
FUNCTION_WORDS = DETERMINERS | _PREPOSITIONS | _CONJUNCTIONS | _ENDS_SUBJECT_SEARCH
_PLURALS = word_set(
    "people data bacteria fungi algae mice children men women feet teeth criteria phenomena nuclei stimuli alleles larvae "
    "vertebrae archaea mitochondria stomata media genera spectra cilia flagella"
)
_SECOND_VERB = re.compile(
    r" and (is|are|was|were|can|has|have|will|must|\w+ (?=(?:an?|the|both|its|their|no|many|several|in|on|to|from|into|as|be|by|typically|along|through)\b))"
)
_ASIDE = re.compile(
    r"[;:](?= )|, (?:and|but|or|so|which|where|because|whereas|although|while|as|thus|thereby|e\.g)\b"
)
_MOST_SUBJECT_WORDS = 14
_MOST_SUBJECT_WORDS_TO_MOVE = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A plain clause, cut at its finite verb."""

    subject: str
    adverb: str
    verb: str
    rest: str


def split_clause(text: str) -> Clause | None:
    """Cut a clause at its verb; None unless it is plain which word that is."""
    words = text.strip().rstrip(".").split(" ")
    if words[0].lower() in _PREPOSITIONS:
        return None
    for place in range(1, min(len(words), _MOST_SUBJECT_WORDS)):
        word, before = words[place], words[place - 1]
        if before.endswith((",", ";", ":")) or word.strip(",;:").lower() in _ENDS_SUBJECT_SEARCH:
            return None
        if before.lower() in DETERMINERS | _PREPOSITIONS | _CONJUNCTIONS:
            continue
        adverbs = _adverbs_at(words, place)
        verb = words[place + adverbs] if place + adverbs < len(words) else ""
        if _is_finite(verb, before=words[:place], after=words[place + adverbs + 1 :]):
            return Clause(
                subject=" ".join(words[:place]),
                adverb=" ".join(words[place : place + adverbs]),
                verb=verb,
                rest=" ".join(words[place + adverbs + 1 :]),
            )
    return None


def is_adverb(word: str) -> bool:
    word = word.lower()
    return word in ADVERBS or (word.endswith("ly") and len(word) > 4 and word not in NOT_ADVERBS)


def is_plural_noun(word: str) -> bool:
    word = word.lower().strip("`,.;:)(")
    return word in _PLURALS or (
        len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "ics", "'s", "’s"))
    )


def is_third_person(verb: str) -> bool:
    return base_of(verb) != "" and verb not in VERBS


def base_of(verb: str) -> str:
    """The base form of a third person singular: 'publishes' → 'publish'; empty if it is none we know."""
    if verb in {"has", "does", "goes"}:
        return {"has": "have", "does": "do", "goes": "go"}[verb]
    if not verb.endswith("s"):
        return ""
    stems = [
        verb[:-1],
        verb[:-2] if verb.endswith("es") else "",
        verb[:-3] + "y" if verb.endswith("ies") else "",
    ]
    return next((found for found in stems if found in VERBS), "")


def ask(clause: Clause, *, opening: str) -> str:
    """'Why' + a clause → 'Why does a service finish quickly?' (without the question mark)."""
    verb, adverb = clause.verb, clause.adverb
    if verb == "cannot":
        return _join(opening, "can", clause.subject, adverb, "not", clause.rest)
    if verb in _BE | _MODALS or _is_auxiliary(clause):
        return _join(opening, verb, clause.subject, adverb, clause.rest)
    if is_third_person(verb):
        return _join(opening, "does", clause.subject, adverb, base_of(verb), clause.rest)
    return _join(opening, "do", clause.subject, adverb, verb, clause.rest)


def without_asides(text: str, *, fewest_words: int) -> str:
    """Up to the first aside or further clause; a list keeps its last part ('blood, nerves, and skin')."""
    text = re.sub(r"\s*\([^()]*\)", "", text)
    second_verb = _SECOND_VERB.search(text)
    if second_verb and _is_second_verb(second_verb[1].strip(), text[: second_verb.start()]):
        text = text[: second_verb.start()]
    text = re.split(r" and (?=(?:the|an?) [^,;]{2,40} (?:is|are|was|were) )", text)[0]
    for match in _ASIDE.finditer(text):
        head, tail = text[: match.start()], text[match.end() :]
        joins = match.group().strip(" ,") in {"and", "but", "or"}
        goes_on = "," not in head and split_clause(tail) is not None and tail.split(" ")[0] not in VERBS
        says_more = goes_on or bool(re.match(r" ?(?:as|when|if|while|then|thus|so|because)\b", tail))
        if len(head.split()) >= fewest_words and (not joins or says_more):
            return head.strip(" ,;")
    return text.strip(" .,;")


def _is_second_verb(word: str, before: str) -> bool:
    """'… osteons and forms the …': the subject goes on, unless both verbs belong to a relative clause."""
    is_verb = word in AUXILIARIES or word in VERBS or is_third_person(word)
    return is_verb and not re.search(r"\b(?:that|which|who|to)\b", before)


def _adverbs_at(words: list[str], place: int) -> int:
    count = 0
    while place + count < len(words) - 1 and is_adverb(words[place + count]) and count < 2:
        count += 1
    return count


def _is_finite(verb: str, *, before: list[str], after: list[str]) -> bool:
    if verb in AUXILIARIES:
        return True
    if verb != verb.lower() or _another_verb_follows(after):
        return False
    one_thing = before[0].lower() in _ONE_THING
    has_phrase = any(word.lower() in _PREPOSITIONS for word in before)
    if is_third_person(verb):
        return one_thing or (
            not _is_noun_before_verb(after) and (has_phrase or not is_plural_noun(before[-1]))
        )
    return verb in VERBS and bool(after) and is_plural_noun(before[-1]) and not has_phrase and not one_thing


def _another_verb_follows(after: list[str]) -> bool:
    """'Ground-truth labels in synthetic data are …': the auxiliary is the verb, so 'labels' is a noun."""
    for word in after[:8]:
        if word.lower() in AUXILIARIES:
            return True
        if word.lower() in _ENDS_SUBJECT_SEARCH | {"and", "or", "as", "than"} or word.endswith(
            (",", ";", ":")
        ):
            return False
    return False


def _is_noun_before_verb(after: list[str]) -> bool:
    """'The joint limits state the lowest …': a noun that looks like a verb is followed by the real one."""
    return len(after) > 1 and after[0] in VERBS and after[1].lower() in DETERMINERS | _PREPOSITIONS


def inverts_cleanly(clause: Clause) -> bool:
    """Whether only the first verb needs to move: a second one ('… and corrects …') would be left behind."""
    if clause.verb in {"may", "might", "had", "did"}:
        return False
    if clause.verb in _BE and len(clause.subject.split()) > _MOST_SUBJECT_WORDS_TO_MOVE:
        return False
    if re.search(rf"\b(?:and|or|but)\b.* (?:{'|'.join(sorted(_BE))})\b", clause.rest):
        return False
    if clause.verb in _MODALS or clause.verb == "cannot":
        return True
    joined = re.findall(r"\b(?:and|or|but|nor|yet|then) (?:\w+ly )?(\w+)", clause.rest)
    return not any(word in AUXILIARIES or word in VERBS or is_third_person(word) for word in joined)


def _is_auxiliary(clause: Clause) -> bool:
    """'does not move', 'has lost': the verb only helps another one."""
    words = [word.strip(",;").lower() for word in clause.rest.split(" ")]
    if clause.verb in _DO:
        return words[0] == "not" or words[0] in VERBS
    return clause.verb in {"has", "have", "had"} and _starts_with_participle(clause.rest)


def _starts_with_participle(rest: str) -> bool:
    words = [word.strip(",;").lower() for word in rest.split(" ") if not is_adverb(word)]
    return bool(words) and (words[0].endswith("ed") or words[0] in IRREGULAR_PARTICIPLES)


def _join(*parts: str) -> str:
    return " ".join(part for part in parts if part)
