"""A question as what it asks about: its words, how telling each is, and the two sides of a comparison."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, takewhile

from rapidfuzz import process
from rapidfuzz.distance import OSA

from agents.language.blocks import BlockKind
from agents.language.vectors import telling, tokens
from agents.language.words import (
    STOP_WORDS,
    TermFinder,
    is_generic,
    pieces,
    root,
    singular,
    subject_words,
    term_key,
    words_of,
)
from agents.turn import NO_INFORMATION

# What somebody asks stands at the beginning or at the end, however long the message.
_HEAD_CHARS, _TAIL_CHARS = 400, 200
_MOST_NAME_WORDS = 3
_GENERIC = 0.3  # what a word of asking counts, such as 'purpose': a course need not say it to say the thing
_TOKEN = re.compile(r"[\w+#*'-]+")
COMPARING = frozenset(
    map(
        root,
        "difference differ different distinguish distinction compare comparison contrast versus vs".split(),
    )
)
ORDERS = frozenset("tell give show explain describe list name compare".split())
_JOINS = frozenset("and or vs versus from to with than against".split())
FORMS: Mapping[BlockKind, frozenset[str]] = {
    "code": frozenset(map(root, "example code snippet demo".split())),
    "formula": frozenset(map(root, "formula equation maths".split())),
    "table": frozenset(map(root, "table types kinds options".split())),
    "list": frozenset(map(root, "list steps types kinds parts reasons ways order".split())),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedQuestion:
    """One stand-alone question, read."""

    text: str
    words: Mapping[str, str]  # by stem, as they were typed
    weights: Mapping[str, float]  # by stem: how telling each is
    names: tuple[str, ...]  # what it may want to be defined
    pairs: frozenset[tuple[str, str]]  # stems that stand side by side
    sides: tuple[str, ...]  # the two things that are compared, or none
    forms: frozenset[BlockKind]  # what it asks to see: code, a formula, a list

    def share(self, stems: Collection[str]) -> float:
        """How much of the question these stems cover."""
        total = sum(self.weights.values())
        return sum(weight for word, weight in self.weights.items() if word in stems) / total if total else 0.0


def understand(message: str, terms: Collection[str] = ()) -> ParsedQuestion:
    """Read a question; terms are the names of the course's concepts."""
    text = " ".join(shortened(message).split())
    words = {known: word for word in subject_words(text) if (known := root(word)) not in STOP_WORDS}
    if len(words) > 1 and (first := next(iter(words.values()))) in ORDERS and text.lower().startswith(first):
        del words[root(first)]  # 'tell me about services' is about services
    named = terms_in(text, terms)
    whole = [" ".join(words.values())] if len(words) <= _MOST_NAME_WORDS else []
    parts = {root(word): len(name.split()) for name in named for word in name.lower().split()}

    def weight(known: str, word: str) -> float:
        if known in parts:  # a name of two words is one thing
            return telling(word) / parts[known]
        return telling(word) * (_GENERIC if is_generic(word) or word.isdigit() else 1.0)

    return ParsedQuestion(
        text=text,
        words=words,
        weights={known: weight(known, word) for known, word in words.items()},
        names=tuple(dict.fromkeys([*named, *whole])),
        pairs=frozenset(pair for pair in pairwise(map(root, pieces(text))) if words.keys() >= set(pair)),
        sides=_sides(_TOKEN.findall(text)),
        forms=frozenset(kind for kind, asking in FORMS.items() if asking & words.keys()),
    )


def shortened(message: str) -> str:
    if len(message) <= _HEAD_CHARS + _TAIL_CHARS:
        return message
    return f"{message[:_HEAD_CHARS]} {message[-_TAIL_CHARS:]}"


def says(word: str) -> bool:
    """Whether the word belongs to a subject rather than to grammar."""
    return word.lower() not in STOP_WORDS and root(word.lower()) not in STOP_WORDS


def _sides(tokens: Sequence[str]) -> tuple[str, ...]:
    """The names on both sides of the first 'and', 'or', 'from' of a question that compares."""
    words = [token.lower() for token in tokens]
    if not any(root(word) in COMPARING for word in words):
        return ()
    start = words.index("between") + 1 if "between" in words else 0
    for place in range(start + 1, len(words)):
        if words[place] in _JOINS:
            before, after = _run(tokens[start:place][::-1])[::-1], _run(tokens[place + 1 :])
            if before and after:
                shared = after[len(before) :]  # 'static and dynamic transforms'
                return " ".join([*before, *shared]), " ".join(after)
    return ()


def _run(tokens: Sequence[str]) -> list[str]:
    """The first words that stand together and name something."""
    found: list[str] = []
    for token in tokens:
        names = says(token) and root(token.lower()) not in COMPARING
        if found and not names:
            break
        found += [token] if names else []
    return found


def terms_in(text: str, terms: Collection[str]) -> tuple[str, ...]:
    """The course's terms in a text, in order, as they are written there."""
    tokens = _TOKEN.findall(text)
    singles = [singular(token.lower()) for token in tokens]
    found = []
    for key in dict.fromkeys(_finder(tuple(terms)).find(text)):
        places = range(len(tokens) - len(key) + 1)
        start = next((place for place in places if tuple(singles[place : place + len(key)]) == key), None)
        found.append(" ".join(key if start is None else tokens[start : start + len(key)]))
    return tuple(found)


def named_in_list(text: str, terms: Collection[str]) -> list[str]:
    """The terms that a list with commas names, one a piece: 'ownership, traits and lifetimes'; none where it is no list."""
    pieces = re.split(r"[,;]|\band\b", text)
    named = [found[-1] for piece in pieces if (found := terms_in(piece, terms))]
    return named if "," in text and len(named) > 1 else []


@lru_cache(maxsize=8)
def _finder(terms: tuple[str, ...]) -> TermFinder:
    return TermFinder(key for term in terms if (key := term_key(term)))


def search_queries(message: str) -> tuple[str, ...]:
    """The question, each side of a comparison as well, and for an example the words of worked examples."""
    asked = understand(message)
    if asked.sides:
        return (message, *(f"What is {side}?" for side in asked.sides))
    if "code" in asked.forms:
        return message, f"worked example code {' '.join(asked.words.values())}"
    return (message,)


_REMEMBERED_TURNS = 6
_MOST_REPLY_CHARS = 20_000
_NAMES = 0.5  # how telling a word is that can be what a question is about
_WORD = re.compile(r"[\w'’+#*-]+")
_LETTERS = re.compile(r"[^\W\d_]{4,}")
_WORD_OR_SIGN = re.compile(rf"{_WORD.pattern}|[,;:]")
_CLAUSE_END = re.compile(r"(?<=[.!?,;])\s+")
_ITEM = re.compile(r"^[ \t]*(?:\d{1,2}[.)]|[-*])[ \t]+(\S.{0,80})", re.MULTILINE)


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_BARE = _set("why how when where")
_ASKING = _BARE | _set("what which who whom whose is are was were do does did can could should will would")
_MORE = _set("more else further continue elaborate again on")
_POINTING, _OWNED = _set("this that these those"), _set("its their theirs")
_PERSONAL = _OWNED | _set("it they them")
_JOINED = _set(", ; : if when while because and but that which so as before after until whether than where")
_ARTICLES = _set("a an the another any some my your")
_NO_NOUN = _set("than only just least this that which no each every")  # 'more than one'
_NOBODY = _set(
    "raining snowing late time possible true necessary worth okay"
)  # said of an 'it' that is nothing
_ITEMS = _set("one step point item option way kind type thing part")
_RELATED = frozenset(
    map(root, "advantage disadvantage benefit drawback purpose cause effect rule limit syntax".split())
)
_SELF = _set("i i'm i've i'd im ive")
_NOT = _set("don't dont not can't cant")
_ASIDE_WORDS = 2
_ASKED_WITH = _set("what which difference between explain define describe example purpose compare")
_NTH = {"first": 0, "former": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "last": -1, "latter": -1}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """The last question that was answered, as it would be asked first, and what it is about."""

    text: str
    names: tuple[str, ...]  # with their articles; a comparison has two

    def __str__(self) -> str:
        return " and ".join(self.names)

    @property
    def noun(self) -> str:
        first, _, rest = self.names[0].partition(" ")
        return rest if rest and first.lower() in _ARTICLES else self.names[0]


def resolve(
    question: str, *, history: Sequence[tuple[str, str]], topic: str = "", terms: Sequence[str] = ()
) -> str:
    """The question as it would be asked first; history is (role, text), oldest first.

    terms are the course's concept names: they tell what a question is about, and how its words are spelled.
    """
    last = _Asked(text="", names=(topic.strip()[:80],)) if topic.strip() else None
    recent, answer = history[-2 * _REMEMBERED_TURNS :], ""
    for place, (role, text) in enumerate(recent):
        if role != "user":
            answer = text[:_MOST_REPLY_CHARS].split("**Sources", 1)[0]
        elif not any(
            NO_INFORMATION in said[:200] for who, said in recent[place + 1 : place + 2] if who != "user"
        ):
            said = _resolved(plainly(text, terms), last=last, items=())
            names = _subject(said, terms)
            last = _Asked(text=said.strip(" ?!."), names=names) if names else last
    return _resolved(plainly(question, terms), last=last, items=_ITEM.findall(answer))


def subject_of(question: str, *, terms: Sequence[str] = ()) -> str:
    """What a question that stands on its own is about; empty when it names nothing."""
    return " and ".join(_subject(question, terms))


def plainly(message: str, terms: Sequence[str] = ()) -> str:
    """The message in a normal voice, its words spelled right, and without what learners say of themselves around it."""
    text = shortened(message)
    text = _spelled(text.lower() if text.isupper() and " " in text.strip() else text, terms)
    clauses = _CLAUSE_END.split(text.strip())
    kept = [clause for clause in clauses if terms_in(clause, terms) or not _is_aside(clause)]
    return kept[0] if len(kept) == 1 and _is_plain(kept[0], terms) else text


def _is_aside(clause: str) -> bool:
    words = _WORD.findall(clause.lower())
    return not _SELF.isdisjoint(words) or (len(words) <= _ASIDE_WORDS and _ASKING.isdisjoint(words))


def _resolved(question: str, *, last: _Asked | None, items: Sequence[str]) -> str:
    text = question.strip(" ?!.")
    words = [word.lower() for word in _WORD.findall(text)]
    if last is None or not words:
        return question
    found = (
        _picked(words, last, items)
        or _of_another_thing(text, words, last)
        or _on_the_same(text, words, last)
        or _with_the_name(text, last)
    )
    if not found:
        return question
    return f"{found[:1].upper()}{found[1:]}{'.' if found.split()[0].lower() in ORDERS else '?'}"


def _picked(words: Sequence[str], last: _Asked, items: Sequence[str]) -> str:
    """'Explain the second one', 'which one is faster?': one of what was listed or compared."""
    two = last.names if len(last.names) > 1 else ()
    place = len(words) - (2 if words[-1] in _ITEMS else 1)
    if place > 0 and words[place] in _NTH and words[place - 1] == "the":
        nth, listed = _NTH[words[place]], items or two
        order = next((word for word in words if word in ORDERS - {"tell"}), "tell me more about")
        return f"{order} {listed[nth].strip(' .*')}" if nth < len(listed) else ""
    return f"{' '.join(words)}, {' or '.join(two)}" if two and words[0] == "which" else ""


def _of_another_thing(text: str, words: Sequence[str], last: _Asked) -> str:
    """'And services?', 'what about in Gazebo?': the last question again, of something else."""
    lead = 1 if words[0] == "and" else 0
    lead += 2 if words[lead + 1 : lead + 2] == ["about"] else 0
    other = " ".join(_WORD.findall(text)[lead:])
    if not lead or not other or words[lead] in _ASKING | _PERSONAL | _POINTING:
        return ""
    if words[-1] in ("one", "ones"):
        other = f"{other.rsplit(' ', 1)[0]} {last.noun.split()[-1]}"
    if words[lead] in STOP_WORDS - _ARTICLES:  # 'in Isaac Sim' for the 'in Gazebo' of last time
        return f"{last.text.partition(f' {words[lead]} ')[0]} {other}"
    if last.names[0] not in last.text:
        return f"what is {other}"
    if last.names[0] != last.noun and words[lead] not in _ARTICLES:
        other = _with_article(" ".join([*other.split()[:-1], singular(other.split()[-1])]))
    return last.text.replace(last.names[0], other, 1)


def _on_the_same(text: str, words: Sequence[str], last: _Asked) -> str:
    """'Why?', 'tell me more', 'another example': nothing is named, so the same thing is meant."""
    forms = [word for word in words if understand(word).forms or root(word) in _RELATED]
    named = [word for word in words if _names(word) and word not in ORDERS and word not in forms]
    pointing, more = set(words) & (_PERSONAL | _POINTING), bool(_MORE & set(words))
    more = more or (words[0] in _SELF and not _NOT.isdisjoint(words))  # 'I don't get it'
    if named or "than" in words or (pointing and not more):
        return ""
    if words[0] in _BARE and len(words) <= 2:
        first, _, rest = last.text.partition(" ")
        if first.lower() in _BARE:
            return f"{words[0]} {rest}"
        if first.lower() in _ASKING and not first.lower().startswith("wh"):
            return f"{words[0]} {first.lower()} {rest}"
        return f"how does {last} work" if words[0] == "how" else f"{words[0]} {last}"
    own = {root(word.lower()) for name in last.names for word in _WORD.findall(name)}
    if forms and not own.isdisjoint(map(root, forms)):
        return ""  # in a lesson on lists a list is no form of telling
    if forms:
        return f"{text} for {last.noun}"
    return f"tell me more about {last}" if more else ""


def _with_the_name(text: str, last: _Asked) -> str:
    """The text with the first pronoun that points out of it spelled out."""
    found = list(_WORD_OR_SIGN.finditer(text))
    words = [match.group().lower() for match in found]
    if "it" in words and _NOBODY & set(words):
        return ""
    for place, word in enumerate(words):
        before, after, name = words[:place], words[place + 1 :], ""
        if word in _PERSONAL and not _is_bound(before, owned=word in _OWNED):
            name = f"{last}'s" if word in _OWNED else str(last)
        elif word in _POINTING and all(map(_is_small, (*before[-1:], *after[:1]))):
            name = str(last)  # 'how does that work', but not 'the node that runs'
        elif (
            word in ("one", "ones")
            and before
            and before[-1] not in _NO_NOUN
            and not any(map(_names, after[:1]))
        ):
            name = last.noun if _ARTICLES & set(before[-2:]) else _with_article(last.noun)
        if name:
            return text[: found[place].start()] + name + text[found[place].end() :]
    return ""


def _is_bound(before: Sequence[str], *, owned: bool) -> bool:
    """'When a node stops, does it …' has a noun of its own; 'does Gazebo need it' has not."""
    noun = next((place for place, word in enumerate(before) if _names(word)), None)
    return noun is not None and (owned or not _JOINED.isdisjoint(before[noun:]))


def _names(word: str) -> bool:
    return says(word) and telling(word) >= _NAMES


def _is_small(word: str) -> bool:
    return not _names(word) or root(word) in COMPARING


def _is_plain(clause: str, terms: Sequence[str]) -> bool:
    """Whether a clause asks about a term of the course and names nothing else."""
    words = _WORD.findall(clause.lower())
    named = {part for name in terms_in(clause, terms) for part in _WORD.findall(name.lower())}
    return bool(named) and not any(_names(word) for word in words if word not in named)


def _subject(text: str, terms: Sequence[str]) -> tuple[str, ...]:
    """The two things compared, the course's first term, or the first words that name something."""
    tokens = _WORD.findall(text)
    start = next((place for place, word in enumerate(tokens) if _names(word.lower())), len(tokens))
    named = takewhile(lambda word: _names(word.lower()) or word.isdigit(), tokens[start:])
    first = " ".join(named)
    names = understand(text).sides or terms_in(text, terms)[:1] or ((first,) if first else ())
    return tuple(_as_named(name, text) for name in names)


def _as_named(name: str, text: str) -> str:
    """The name with the article that it had in the message."""
    before = text[: max(0, text.lower().find(name.lower()))].split()[-1:]
    return f"{before[0]} {name}" if before and before[0].lower() in ("a", "an", "the") else name


def _with_article(noun: str) -> str:
    """'a service', 'an action'; names and plurals stay as they are."""
    first, last = noun.split(maxsplit=1)[0], noun.rsplit(maxsplit=1)[-1]
    if first.lower() in _ARTICLES or noun[:1].isupper() or singular(last) != last:
        return noun
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def _spelled(text: str, terms: Sequence[str]) -> str:
    """The text with each strange word that is one slip away from a word of the course or of asking put right.

    A slip breaks a word into more tokens than it has; that tells 'kinematik' from 'lactose', which is not 'lactase'.
    """
    known = _vocabulary(tuple(terms))

    def put_right(match: re.Match[str]) -> str:
        word = match.group().lower()
        size = tokens(word)
        asking = _ASKED_WITH if len(word) > 5 or not match.start() else ()
        among = {*asking, *(known if len(word) > 6 and size > 2 else ())}
        if size < 2 or word in among or singular(word) in among:
            return match.group()
        near = process.extract(word, among, scorer=OSA.distance, score_cutoff=1, limit=2)
        right = near[0][0] if len(near) == 1 else word
        return right if right[0] == word[0] and tokens(right) < size else match.group()

    return _LETTERS.sub(put_right, text)


@lru_cache(maxsize=8)
def _vocabulary(terms: tuple[str, ...]) -> frozenset[str]:
    return frozenset(form for term in terms for form in (*words_of(term), *_WORD.findall(term.lower())))
