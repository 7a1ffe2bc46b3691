"""Answer a question in the course's own paragraphs, each whole and with its source."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from agents.coordinator.grounding import Grounding, is_answerable
from agents.coordinator.paragraphs import Candidate
from agents.coordinator.question import Question
from agents.coordinator.unknown import say_no_more, say_unknown
from agents.tutor.citations import Citation
from agents.tutor.defining import ABOUT, DEFINES, defines
from agents.tutor.quoting import Citer
from agents.tutor.reading import leans_back
from agents.tutor.wording import count_words, flat
from rag.results import RetrievalResult

_FEWEST_WORDS = 6  # less is a caption or a credit
_ENOUGH_WORDS, _MOST_WORDS = 60, 160
_WORTH = 3.0  # so much below the best one's score another paragraph is still worth reading
_ADDS = 0.2  # of the question, that a paragraph from elsewhere must add
_NEAR = 1.2  # so little below the best one's score another paragraph may be the right one
_ABOUT = 0.5  # of the question, that more of the answer must be about


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundedAnswer:
    """What the learner reads; grounded exactly when there are citations."""

    text: str
    citations: tuple[Citation, ...]
    grounded: bool


def answer_question(
    question: str,
    results: Sequence[RetrievalResult],
    *,
    course_topics: Sequence[str],
    terms: Collection[str] = (),
    already_said: str = "",
) -> GroundedAnswer:
    """The paragraphs that answer the question with a **Sources** footer, or what the course covers instead.

    terms are the names of the course's concepts; already_said is what "tell me more" should not repeat.
    """
    grounding = is_answerable(question, results, terms=terms)
    shown = compose(grounding, already_said=already_said) if grounding.answerable else []
    if not shown:
        is_more = grounding.answerable and already_said
        text = (
            say_no_more(question)
            if is_more
            else say_unknown(question, grounding, course_topics=course_topics)
        )
        return GroundedAnswer(text=text, citations=(), grounded=False)
    citer = Citer()
    body = "\n\n".join(citer.show(each.source, each.paragraph.blocks) for each in shown)
    return GroundedAnswer(text=f"{body}\n{citer.footer(question)}", citations=citer.citations, grounded=True)


def compose(grounding: Grounding, *, already_said: str = "") -> list[Candidate]:
    """The best paragraph, what else the question needs, and what stands around it; in reading order."""
    asked, told = grounding.asked, flat(already_said)
    found = list(_new(grounding, told)) if told else list(grounding.candidates)
    if not found:
        return []
    lead = _lead(asked, found)
    shown = [lead]
    before = _at(found, lead, -1)
    if before and leans_back(lead.paragraph.text):
        _add(shown, before, most=2 * _MOST_WORDS)
    for each in _both_sides(asked, found):
        _add(shown, each, most=2 * _MOST_WORDS)
    for each in _from_elsewhere(asked, lead, found):
        _add(shown, each)
    for each in _around(lead, found):
        follows = each.place > lead.place
        is_short = follows and _size(shown) < _ENOUGH_WORDS
        if is_short or each.score >= lead.score - (_WORTH if follows else _NEAR):
            _add(shown, each)
    first = {each.source.chunk_id: place for place, each in reversed(list(enumerate(shown)))}
    return sorted(shown, key=lambda each: (first[each.source.chunk_id], each.place))


def _lead(asked: Question, found: Sequence[Candidate]) -> Candidate:
    """The best paragraph, or one not far behind that itself says clearly more of what is asked."""
    best = found[0]
    fuller = [
        each
        for each in found
        if each.score >= best.score - _WORTH and asked.share(each.own) >= asked.share(best.own) + _ADDS
    ]
    return fuller[0] if fuller else best


def _new(grounding: Grounding, told: str) -> Iterator[Candidate]:
    """What is about the question and was not told, nor nearly so, as a glossary does."""
    for each in grounding.candidates:
        said = each.paragraph
        if grounding.asked.share(said.vocabulary) > _ABOUT and flat(said.text) not in told:
            yield each


def _both_sides(asked: Question, found: Sequence[Candidate]) -> Iterator[Candidate]:
    """For a comparison the paragraph that says what each side is."""
    for side in asked.sides:
        for least in (DEFINES, ABOUT):
            told = [
                each for each in found if any(defines(s, side) >= least for s in each.paragraph.sentences)
            ]
            if told:
                yield told[0]
                break


def _from_elsewhere(asked: Question, lead: Candidate, found: Sequence[Candidate]) -> Iterator[Candidate]:
    """The best paragraph that says what the lead does not, or that may be meant just as well."""
    for each in found:
        adds = asked.share(each.own - lead.own) >= _ADDS and each.score >= lead.score - _WORTH
        as_good = each.score >= lead.score - _NEAR and not asked.forms & lead.paragraph.kinds
        if each is not lead and (adds or as_good):
            yield each
            return


def _around(lead: Candidate, found: Sequence[Candidate]) -> Iterator[Candidate]:
    """The paragraphs after the lead, then the text before it, as far as they follow upon each other."""
    for steps in ((1, 2), (-1,)):
        for step in steps:
            each = _at(found, lead, step)
            if each is None or (step < 0 and each.paragraph.blocks[-1].kind not in ("prose", "list")):
                break
            yield each


def _at(found: Sequence[Candidate], lead: Candidate, step: int) -> Candidate | None:
    where = (lead.source.chunk_id, lead.place + step)
    near = (each for each in found if (each.source.chunk_id, each.place) == where)
    return next((each for each in near if each.paragraph.words >= _FEWEST_WORDS), None)


def _add(shown: list[Candidate], each: Candidate, *, most: int = _MOST_WORDS) -> None:
    """Put it in if there is room and nothing shown says the same."""
    said = flat(each.paragraph.text)
    is_said = any(said in (other := flat(one.paragraph.text)) or other in said for one in shown)
    if not is_said and _size([*shown, each]) <= most:
        shown.append(each)


def _size(shown: Sequence[Candidate]) -> int:
    """What there is to read; the code of the first paragraph is what was asked for."""
    return shown[0].paragraph.words + sum(count_words(each.paragraph.text) for each in shown[1:])
