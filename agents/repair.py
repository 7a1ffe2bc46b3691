"""What a large model wrote, checked sentence by sentence: marks, numbers and addresses hold, or the sentence is mended or left out."""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from pydantic import BaseModel

from agents.briefing import remark
from agents.models.jsontext import read_json
from agents.models.voice import ModelFailureError
from agents.teaching.values import RetrievalResult
from agents.turn import Repair

MARK = re.compile(r"\[\s*\d{1,3}(?:\s*[,;]\s*\d{1,3})*\s*\]")
_SPACED_MARK = re.compile(rf"\s*{MARK.pattern}")
_MARKS = rf"(?:\s*{MARK.pattern})*"
# A stop, what closes after it, its marks, then white space and something new; ideographic stops need no space.
_END = re.compile(
    rf"(?:(?<=[^\W\d_]{{3}})|(?<=[)\]\d\"”’`*_%]))[.!?…]+[\"'”’)*_`]*{_MARKS}(?:[ \t]+(?=\S))|[。！？]{_MARKS}"
)
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_HELD = 12  # characters that must follow before a sentence counts as over: a mark may still come
_UNSAFE = re.compile(r"[\d\[@`|.!?…。！？\n]|://|www", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SpokenSentence:
    """One sentence with the white space after it, or a whole block of code."""

    text: str

    @property
    def is_words(self) -> bool:
        return bool(self.text.strip()) and not _FENCE.match(self.text)

    @property
    def marks(self) -> tuple[int, ...]:
        found = (int(number) for mark in MARK.findall(self.text) for number in re.findall(r"\d+", mark))
        return tuple(dict.fromkeys(found))

    @property
    def words(self) -> str:
        """Without its marks."""
        return _SPACED_MARK.sub("", self.text).strip()


def sentences(text: str) -> list[SpokenSentence]:
    """The sentences in order; a line break ends one too, a block of code is one."""
    found: list[str] = []
    code: list[str] = []
    for line in text.splitlines(keepends=True):
        if code or _FENCE.match(line):
            code.append(line)
            if len(code) > 1 and _FENCE.match(line):
                found.append("".join(code))
                code = []
        elif not line.strip() and found:
            found[-1] += line
        else:
            found += _split(line)
    if code:
        found.append("".join(code))
    return [SpokenSentence(each) for each in found]


def _split(line: str) -> list[str]:
    ends = [match.end() for match in _END.finditer(line)]
    places = [0, *(end for end in ends if end < len(line)), len(line)]
    return [line[start:end] for start, end in pairwise(places)]


class Stream:
    """Pieces of a text as they come, given on as soon as nothing in them can still turn out wrong."""

    def __init__(self) -> None:
        self._text = ""
        self._shown = 0

    @property
    def text(self) -> str:
        return self._text

    def feed(self, piece: str) -> list[SpokenSentence]:
        """The sentences that are over now."""
        self._text += piece
        waiting = sentences(self._text[self._shown :])
        done = waiting[:-1] if len(waiting) > 1 and len(waiting[-1].text) >= _HELD else waiting[:-2]
        self._shown += sum(len(each.text) for each in done)
        return done

    def harmless(self) -> str:
        """The beginning of the sentence under way, up to what needs a check."""
        beginning = _UNSAFE.split(self._text[self._shown :], maxsplit=1)[0]
        return beginning[: beginning.rfind(" ") + 1]

    def rest(self) -> list[SpokenSentence]:
        """What is left when the text is over."""
        left = sentences(self._text[self._shown :])
        self._shown = len(self._text)
        return left


FaultKind = Literal["unknown_mark", "foreign_number", "foreign_address", "no_marks"]

_ADDRESS = re.compile(
    r"(?:https?|file|ftp)://[^\s)\]>\"'`]+|\bwww\.[^\s)\]>\"'`]+|\b[\w.+-]+@[\w-]+\.[\w.]+", re.IGNORECASE
)
_CODE = re.compile(r"`[^`\n]*`")
_LIST_NUMBER = re.compile(r"^\s*(?:[-*+>]\s+)?(?:\*\*)?\d{1,3}[.)]\s")
_NUMBER = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*")
_WORD = re.compile(r"[^\W\d_]{4,}")
_STEM = 6  # letters that two forms of a word share
_CARRIED, _FEWEST = 0.7, 4  # of a sentence's longer words in one passage, and at least so many
_STRANGE = 0.2  # a marked passage that has less of them than this is not where it comes from
_COUNTED = "zero one two three four five six seven eight nine ten eleven twelve once twice".split()
_COUNTS = {**{word: str(value) for value, word in enumerate(_COUNTED[:13])}, "once": "1", "twice": "2"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What is wrong, in words that a model can act on."""

    kind: FaultKind
    detail: str


def faults(sentence: SpokenSentence, passages: Sequence[RetrievalResult], *, known: str = "") -> list[Fault]:
    """Everything that makes the sentence unfit to be shown; `known` is what else it may take numbers from."""
    if not sentence.is_words:
        return []
    found = [
        Fault(kind="unknown_mark", detail=f"there is no passage [{mark}]")
        for mark in sentence.marks
        if not 1 <= mark <= len(passages)
    ]
    texts = [_all_of(passage) for passage in passages]
    for address in _ADDRESS.findall(sentence.text):
        bare = address.rstrip(".,;:*_")
        if not any(bare in text for text in (*texts, known)):
            found.append(Fault(kind="foreign_address", detail=f"{bare} is in no passage"))
    for number in strange_numbers(sentence, (*texts, known)):
        found.append(Fault(kind="foreign_number", detail=f"{number} is in no passage"))
    return found


def strange_numbers(sentence: SpokenSentence, texts: Sequence[str]) -> list[str]:
    """The numbers of a sentence that none of the texts has."""
    said = _ADDRESS.sub(" ", _CODE.sub(" ", _LIST_NUMBER.sub("", sentence.words)))
    told = {number for text in texts for number in numbers_of(text)}
    return [number for number in dict.fromkeys(_NUMBER.findall(said)) if _plain(number) not in told]


@lru_cache(maxsize=256)
def numbers_of(text: str) -> frozenset[str]:
    """The numbers of a text, in digits or in small words."""
    spelt = (_COUNTS[word] for word in re.findall(r"[a-z]+", text.lower()) if word in _COUNTS)
    parts = (
        _plain(part)
        for number in re.findall(r"\d+(?:[.,]\d+)*", text)
        for part in (number, *number.split("."))
    )
    return frozenset([*spelt, *parts])


def carrier(sentence: SpokenSentence, passages: Sequence[RetrievalResult]) -> int | None:
    """The number of the passage that clearly says this; None when no one does."""
    shares = [share(sentence, passage) for passage in passages]
    best = max(range(len(shares)), key=shares.__getitem__, default=None)
    if best is None or shares[best] < _CARRIED or len(_stems(sentence.words)) < _FEWEST:
        return None
    return best + 1


def is_strange(sentence: SpokenSentence, passage: RetrievalResult) -> bool:
    """Whether the passage has next to nothing of the sentence."""
    return len(_stems(sentence.words)) >= _FEWEST and share(sentence, passage) < _STRANGE


def share(sentence: SpokenSentence, passage: RetrievalResult) -> float:
    """How much of the sentence's longer words the passage has."""
    said = _stems(sentence.words)
    return len(said & _stems(_all_of(passage))) / len(said) if said else 0.0


def remarked(sentence: SpokenSentence, mark: int) -> SpokenSentence:
    """The sentence with this mark alone, before its stop."""
    text = re.sub(r"\s*" + MARK.pattern, "", sentence.text)
    body = text.rstrip()
    return SpokenSentence(f"{body} [{mark}]{text[len(body) :]}")


def _all_of(passage: RetrievalResult) -> str:
    return (
        f"{' '.join((passage.title, *passage.heading_hierarchy))}\n{passage.source_url}\n{passage.chunk_text}"
    )


@lru_cache(maxsize=512)
def _stems(text: str) -> frozenset[str]:
    return frozenset(word[:_STEM] for word in _WORD.findall(text.lower()))


def _plain(number: str) -> str:
    """1,000 and 1.000 and 1000 are one number, 0,5 and 0.5 too."""
    digits = number.replace(",", ".")
    whole, _, rest = digits.rpartition(".")
    is_thousands = bool(whole) and len(rest) == 3 and all(len(part) == 3 for part in whole.split(".")[1:])
    return digits.replace(".", "") if is_thousands else digits


@dataclass(slots=True)
class _Piece:
    """One sentence of the draft; `said` is None while it is held back."""

    sentence: SpokenSentence
    said: SpokenSentence | None
    faults: list[Fault] = field(default_factory=list)


class Draft:
    """Feed it what the model says; it tells what may be shown at once, and in the end what is wrong."""

    def __init__(self, passages: Sequence[RetrievalResult], *, known: str = "") -> None:
        self.passages = passages
        self._known = known
        self._stream = Stream()
        self._pieces: list[_Piece] = []
        self._ahead = ""  # of the sentence under way, shown already
        self.repairs: list[Repair] = []

    def feed(self, piece: str) -> str:
        """What the learner may read now."""
        shown = "".join(map(self._take, self._stream.feed(piece)))
        harmless = self._stream.harmless()
        if harmless.startswith(self._ahead):
            shown += harmless[len(self._ahead) :]
            self._ahead = harmless
        return shown

    def finish(self) -> str:
        """The last of it."""
        return "".join(map(self._take, self._stream.rest()))

    @property
    def raw(self) -> str:
        return self._stream.text

    @property
    def text(self) -> str:
        return "".join(piece.said.text for piece in self._pieces if piece.said).strip()

    @property
    def is_grounded(self) -> bool:
        """Whether anything in it rests on the course."""
        return any(piece.said and piece.said.marks for piece in self._pieces)

    @property
    def faulty(self) -> list[tuple[str, str]]:
        """The sentences held back, each with what is wrong with it."""
        return [
            (piece.sentence.text.strip(), "; ".join(fault.detail for fault in piece.faults))
            for piece in self._pieces
            if piece.faults
        ]

    def mend(self, instead: Sequence[str] = ()) -> None:
        """Put the model's second tries in the places of the faulty ones; what is still wrong goes."""
        held = [piece for piece in self._pieces if piece.faults]
        tries = [*instead, *[""] * len(held)]
        for piece, text in zip(held, tries, strict=False):
            space = piece.sentence.text[len(piece.sentence.text.rstrip()) :]
            anew = [self._judged(each) for each in sentences(text.strip())]
            is_better = bool(anew) and not any(each.faults for each in anew)
            words = "".join(each.said.text for each in anew if each.said) if is_better else ""
            piece.said = SpokenSentence(f"{words.rstrip()}{space}") if words else None
            self._note(piece, "mended" if words else "dropped", piece.faults[0])
            piece.faults = []

    def _take(self, sentence: SpokenSentence) -> str:
        ahead, self._ahead = self._ahead, ""
        piece = self._judged(sentence)
        self._pieces.append(piece)
        if piece.said is None:
            return ""
        return piece.said.text.removeprefix(ahead)

    def _judged(self, sentence: SpokenSentence) -> _Piece:
        found = faults(sentence, self.passages, known=self._known)
        if not sentence.is_words:
            return _Piece(sentence, sentence)
        if all(fault.kind == "unknown_mark" for fault in found):
            said = self._marked(sentence)
            if said:
                return _Piece(sentence, said)
        return _Piece(sentence, None, found) if found else _Piece(sentence, sentence)

    def _marked(self, sentence: SpokenSentence) -> SpokenSentence | None:
        """The sentence with marks that hold; None where code cannot tell which."""
        real = [mark for mark in sentence.marks if 1 <= mark <= len(self.passages)]
        fitting = [mark for mark in real if not is_strange(sentence, self.passages[mark - 1])]
        source = carrier(sentence, self.passages)
        if len(real) == len(sentence.marks) and (fitting or not source or not real):
            here = [self.passages[mark - 1].chunk_text for mark in real]
            if real and strange_numbers(sentence, (*here, self._known)) and source and source not in real:
                return self._remark(sentence, source, kind="foreign_number")
            if real or not source:
                return sentence
            return self._remark(sentence, source, kind="unmarked")
        if source:
            return self._remark(sentence, source, kind="unknown_mark")
        if real:
            return self._remark(sentence, real[0], kind="unknown_mark")
        return None

    def _remark(self, sentence: SpokenSentence, mark: int, *, kind: str) -> SpokenSentence:
        self.repairs.append(Repair(action="marked", kind=kind, sentence=sentence.words))
        return remarked(sentence, mark)

    def _note(self, piece: _Piece, action: str, fault: Fault) -> None:
        self.repairs.append(
            Repair.model_validate({"action": action, "kind": fault.kind, "sentence": piece.sentence.words})
        )


_MOST = 6  # sentences; a text with more of them is beyond mending


class Mended(BaseModel):
    """The sentences anew; an empty one goes."""

    sentences: list[str]


async def mend(draft: Draft, *, ask: Callable[[str], Awaitable[str]]) -> None:
    """Leave nothing wrong in the draft."""
    wrong = draft.faulty
    if not wrong:
        return
    anew: list[str] = []
    if len(wrong) <= _MOST:
        listed = "\n".join(
            f"{number}. {said}\n   wrong: {why}" for number, (said, why) in enumerate(wrong, 1)
        )
        try:
            reply = read_json(await ask(f"{remark('mend.md')}\n\n{listed}"), Mended)
            anew = reply.sentences if reply else []
        except ModelFailureError:
            pass
    draft.mend(anew)
