"""A text of a large model in the making: each sentence is kept, marked by code, or held back with what is wrong."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from agents.repair.check import Fault, carrier, faults, is_strange, remarked, strange_numbers
from agents.repair.sentences import Sentence, Stream, sentences
from agents.turn import Repair
from rag.results import RetrievalResult


@dataclass(slots=True)
class _Piece:
    """One sentence of the draft; `said` is None while it is held back."""

    sentence: Sentence
    said: Sentence | None
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
            piece.said = Sentence(f"{words.rstrip()}{space}") if words else None
            self._note(piece, "mended" if words else "dropped", piece.faults[0])
            piece.faults = []

    def _take(self, sentence: Sentence) -> str:
        ahead, self._ahead = self._ahead, ""
        piece = self._judged(sentence)
        self._pieces.append(piece)
        if piece.said is None:
            return ""
        return piece.said.text.removeprefix(ahead)

    def _judged(self, sentence: Sentence) -> _Piece:
        found = faults(sentence, self.passages, known=self._known)
        if not sentence.is_words:
            return _Piece(sentence, sentence)
        if all(fault.kind == "unknown_mark" for fault in found):
            said = self._marked(sentence)
            if said:
                return _Piece(sentence, said)
        return _Piece(sentence, None, found) if found else _Piece(sentence, sentence)

    def _marked(self, sentence: Sentence) -> Sentence | None:
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

    def _remark(self, sentence: Sentence, mark: int, *, kind: str) -> Sentence:
        self.repairs.append(Repair(action="marked", kind=kind, sentence=sentence.words))
        return remarked(sentence, mark)

    def _note(self, piece: _Piece, action: str, fault: Fault) -> None:
        self.repairs.append(
            Repair.model_validate({"action": action, "kind": fault.kind, "sentence": piece.sentence.words})
        )
