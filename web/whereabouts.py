"""Where in the course a learner is: the unit, the page and its parts by their headings, what is next and how much is left."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from agents.language.words import same_text
from agents.state import SessionState
from agents.syllabus import Syllabus
from agents.teaching.questions.ahead import is_said
from agents.teaching.values import QuizQuestion


@dataclass(frozen=True, slots=True, kw_only=True)
class Whereabouts:
    """The place of the lesson that is open."""

    unit: str = ""  # empty where it is the course or the page itself
    page: str = ""
    parts: tuple[str, ...] = ()  # the titles of all of them; none where the page is one lesson
    number: int = 1
    next_page: str = ""
    pages_left: int = 0  # in the unit, or in a course without units

    @property
    def part(self) -> str:
        return self.parts[self.number - 1] if self.parts else ""

    @property
    def title(self) -> str:
        """What the lesson is about, in a few words."""
        return self.part or self.page

    @property
    def label(self) -> str:
        """The same with the page that it belongs to."""
        return self.page if self.title == self.page else f"{self.page}: {self.title}"

    @property
    def next(self) -> str:
        """The part or the page that comes after this one."""
        return self.parts[self.number] if self.number < len(self.parts) else self.next_page

    @property
    def parts_left(self) -> int:
        return max(0, len(self.parts) - self.number)

    def without(self, question: QuizQuestion | None) -> Self:
        """As it may stand above an open question: a heading that answers it gives way to its number."""
        if question is None:
            return self
        parts = tuple(
            f"Part {number}" if is_said(question, title) else title
            for number, title in enumerate(self.parts, 1)
        )
        return type(self)(
            unit="" if is_said(question, self.unit) else self.unit,
            page=self.page,
            parts=parts,
            number=self.number,
            next_page="" if is_said(question, self.next_page) else self.next_page,
            pages_left=self.pages_left,
        )


def whereabouts(syllabus: Syllabus, state: SessionState) -> Whereabouts:
    """Where the session's topic stands in its course; what the course does not have any more has only its name."""
    place = state.topic_place
    topic = syllabus.topic_at(place) if place else None
    if place is None or topic is None:
        return Whereabouts(page=state.current_topic)
    taught = [each for each in syllabus.documents if each.chapter_id not in syllabus.apart]
    # A page that only introduces others is taught with them: what comes next stands behind the last of these.
    chapters = {piece.passage.chapter_id for part in topic.parts for piece in part.pieces} | {
        place.chapter_id
    }
    here = [number for number, each in enumerate(taught) if each.chapter_id in chapters]
    behind = taught[here[-1] + 1 :] if here else []
    unit = next((each.module_name for each in taught if each.chapter_id == place.chapter_id), "")
    is_unit = bool(unit) and same_text(unit) not in (
        same_text(syllabus.title),
        same_text(state.current_topic),
    )
    parts = part_titles([part.title for part in topic.parts]) if len(topic.parts) > 1 else ()
    return Whereabouts(
        unit=unit if is_unit else "",
        page=state.current_topic,
        parts=parts,
        number=min(state.topic_part, max(1, len(parts))),
        next_page=behind[0].title if behind else "",
        pages_left=sum(each.module_name == unit for each in behind),
    )


def part_titles(headings: Sequence[str]) -> tuple[str, ...]:
    """A name for each part, whose headings may be one: 'Density', 'Density, continued'; without a heading its number."""
    titles: list[str] = []
    for number, heading in enumerate(headings, 1):
        again = headings[: number - 1].count(heading)
        counted = f", continued ({again + 1})" if again > 1 else ", continued" if again else ""
        titles.append(f"{heading}{counted}" if heading else f"Part {number}")
    return tuple(titles)
