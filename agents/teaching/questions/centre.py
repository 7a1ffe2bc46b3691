"""How central something is to what it is taught with: what headings name, summaries repeat and other sentences lean on."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from agents.language.blocks import sentences
from agents.language.headings import heading_name
from agents.language.words import content_set, words_of
from agents.teaching.questions.sentences import prose, stressed
from agents.teaching.values import Concept, PassageLike

_HEADINGS = 2  # the nearest; what stands above them is what the whole book is about
_HEADED, _GUIDED, _TAUGHT, _STRESSED, _TOLD = 2.0, 1.5, 1.5, 1.0, 1.5
_OFTEN = 4  # more sentences that name a thing do not make it more central
_BEST = 3  # words that say what a text is about; the others only make a sentence of them


@dataclass(frozen=True, slots=True, kw_only=True)
class Centre:
    """What a lesson turns on, word by word (as stems)."""

    headings: frozenset[str]
    guides: frozenset[str]  # of summaries, key terms and learning objectives
    taught: frozenset[str]  # of the concepts that the course introduces here
    stressed: frozenset[str]  # set in bold or italics
    told: Mapping[str, int]  # in how many sentences each stands

    def weight(self, text: str) -> float:
        """From 0, mentioned in passing, to 7, what the lesson is about: by the text's weightiest words, the first above all."""
        best = sorted(map(self._weight, _words(text)), reverse=True)[:_BEST]
        return (best[0] + sum(best) / len(best)) / 2 if best else 0.0

    def knows(self, name: str) -> bool:
        """Whether every word of a name belongs to the lesson, rather than come by once."""
        return all(self._weight(stem) > 0 for stem in _words(name))

    def _weight(self, stem: str) -> float:
        leaning = min(self.told.get(stem, 0) - 1, _OFTEN) / _OFTEN
        return (
            _HEADED * (stem in self.headings)
            + _GUIDED * (stem in self.guides)
            + _TAUGHT * (stem in self.taught)
            + _STRESSED * (stem in self.stressed)
            + _TOLD * max(leaning, 0.0)
        )


def centre_of(
    passages: Sequence[PassageLike], *, concepts: Sequence[Concept] = (), guides: Sequence[str] = ()
) -> Centre:
    """Read off the passages of a lesson, the concepts of its course, and the texts that say what matters in it."""
    texts = [prose(each.chunk_text) for each in passages]
    told = Counter(stem for text in texts for sentence in sentences(text) for stem in content_set(sentence))
    chunks = {each.chunk_id for each in passages}
    paths = {tuple(each.heading_hierarchy[-_HEADINGS:]) for each in passages}
    return Centre(
        headings=_stems(heading_name(heading) for path in paths for heading in path),
        guides=_stems(guides),
        taught=_stems(each.name for each in concepts if each.chunk_id in chunks),
        stressed=_stems(term for text in texts for term in stressed(text)),
        told=told,
    )


def _stems(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(stem for text in texts for stem in _words(text))


def _words(text: str) -> frozenset[str]:
    """The words that carry meaning; in the names `From` and `Into` it is the small ones."""
    return content_set(text) or frozenset(words_of(text))
