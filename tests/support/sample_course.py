"""The sample course as the quiz gets it: its sections and its terms."""

from collections.abc import Iterator
from pathlib import Path

import rag
from agents.teaching.values import Concept, Passage
from rag.concepts import CoursePassage, extract_concepts
from tests.support.passages import passage

_COURSE = Path(rag.__file__).parent / "courses" / "physical-ai"
_CHAPTER = "module-1-ros2/ch3-services-actions.md"


def section(file: str, heading: str, *, number: int = 1) -> Passage:
    text = (_COURSE / file).read_text(encoding="utf-8")
    body = text.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0].strip()
    return passage(body, number=number, headings=("Chapter", heading))


def services(*, number: int = 1) -> Passage:
    return section(_CHAPTER, "Services: ask once, get one answer", number=number)


def chapter() -> list[Passage]:
    """Three sections of one chapter, as a search would find them."""
    return [
        services(),
        section(_CHAPTER, "Actions: long tasks with progress", number=2),
        section(_CHAPTER, "Choosing the right tool", number=3),
    ]


def sample_terms() -> list[Concept]:
    """The terms of the sample course, in the order in which it teaches them."""
    return list(extract_concepts(list(_course())).concepts)


def _course() -> Iterator[CoursePassage]:
    for file in [*sorted(_COURSE.glob("module-*/*.md")), _COURSE / "glossary.md"]:
        text = file.read_text(encoding="utf-8")
        title = "Glossary" if file.stem == "glossary" else text.split("\n# ", 1)[1].split("\n", 1)[0]
        for number, part in enumerate(text.split("\n## ")):
            heading, _, body = part.partition("\n")
            yield CoursePassage(
                chunk_id=f"{file.stem}-{number}",
                chapter_id=f"{file.parent.name}/{file.stem}",
                headings=(title, heading) if number else (title,),
                text=body,
            )
