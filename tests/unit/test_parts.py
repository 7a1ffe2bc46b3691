"""What is larger than one lesson is taught in parts, all of them reachable, none of them cut inside a paragraph."""

from agents.teaching.parts import FEWEST_WORDS, MOST_CONCEPTS, MOST_WORDS, Part, cut, pieces_of
from agents.teaching.values import Concept
from tests.support.passages import passage

SENTENCE = "Every value of the language has an owner that drops it at the end of its scope. "


def paragraph(words: int, *, start: str = "Text") -> str:
    return " ".join(f"{start} {SENTENCE * (words // 16 + 1)}".split()[:words]).rstrip(".") + "."


def concept(name: str, *, number: int = 1) -> Concept:
    return Concept(
        name=name,
        definition="",
        kind="term",
        chapter_id="module/chapter",
        chunk_id=f"chunk-{number}",
        position=0,
    )


def parts_of(*texts: str, concepts: tuple[Concept, ...] = ()) -> tuple[Part, ...]:
    page = [
        passage(text, number=number, headings=("Chapter", f"Section {number}"))
        for number, text in enumerate(texts, 1)
    ]
    by_chunk = {each.chunk_id: [c for c in concepts if c.chunk_id == each.chunk_id] for each in page}
    return cut(pieces_of(page, by_chunk))


def test_parts_are_as_long_as_a_lesson_and_hold_every_paragraph_once() -> None:
    texts = ["\n\n".join(paragraph(60, start=f"P{page}{each}") for each in range(4)) for page in range(5)]
    parts = parts_of(*texts)
    assert len(parts) > 2
    assert all(FEWEST_WORDS <= part.words <= MOST_WORDS for part in parts)
    assert [piece.text for part in parts for piece in part.pieces] == [
        block for text in texts for block in text.split("\n\n")
    ]


def test_code_stays_with_the_text_that_announces_it() -> None:
    code = "```python\nprint('hello')\n```"
    parts = parts_of(f"{paragraph(340)}\n\nThis prints a greeting:\n\n{code}\n\n{paragraph(300)}")
    [holding] = [part for part in parts if any(piece.text == code for piece in part.pieces)]
    texts = [piece.text for piece in holding.pieces]
    assert texts.index(code) == texts.index("This prints a greeting:") + 1


def test_eleven_concepts_are_taught_in_parts_of_up_to_four_and_all_are_reached() -> None:
    names = [f"term{number}" for number in range(11)]
    text = "\n\n".join(f"A **{name}** is one of many things. {paragraph(70)}" for name in names)
    parts = parts_of(text, concepts=tuple(map(concept, names)))
    assert [name for part in parts for name in part.names] == names
    assert all(len(part.names) <= MOST_CONCEPTS for part in parts)


def test_a_part_that_defines_nothing_is_called_by_its_heading() -> None:
    parts = parts_of(paragraph(200), paragraph(200))
    assert [part.names for part in parts] == [("Section 1",), ("Section 2",)]


def test_parts_under_one_heading_have_names_of_their_own() -> None:
    parts = parts_of("\n\n".join(paragraph(150, start=f"P{each}") for each in range(6)))
    names = [name for part in parts for name in part.names]
    assert len(parts) > 1
    assert len(set(names)) == len(names)


def test_a_short_list_of_terms_is_not_parted() -> None:
    entries = [f"**kind {number}**: {paragraph(20)}" for number in range(4)]
    parts = parts_of("\n\n".join([paragraph(310), "There are these kinds:", *entries, paragraph(300)]))
    [holding] = [part for part in parts if any(piece.text == entries[0] for piece in part.pieces)]
    texts = [piece.text for piece in holding.pieces]
    assert texts[texts.index(entries[0]) - 1 :][:5] == ["There are these kinds:", *entries]
