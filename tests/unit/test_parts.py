"""What is larger than one lesson is taught in parts, all of them reachable, none of them cut inside a paragraph."""

import pytest

from agents.language.words import term_key
from agents.teaching.parts import FEWEST_WORDS, MOST_CONCEPTS, MOST_PARTS, MOST_WORDS, Part, cut, pieces_of
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


def test_a_long_page_has_no_more_than_five_parts_and_all_of_its_text() -> None:
    texts = ["\n\n".join(paragraph(60, start=f"P{page}{each}") for each in range(8)) for page in range(9)]
    parts = parts_of(*texts)
    assert 2 <= len(parts) <= MOST_PARTS
    assert [piece.text for part in parts for piece in part.pieces] == [
        block for text in texts for block in text.split("\n\n")
    ]


def test_parts_begin_where_sections_begin_and_are_called_by_them() -> None:
    parts = parts_of(*("\n\n".join(paragraph(60, start=f"P{each}") for each in range(4)) for _ in range(4)))
    assert [part.title for part in parts] == ["Section 1", "Section 2", "Section 3", "Section 4"]


def test_a_worked_example_is_not_cut_in_two() -> None:
    before = passage(paragraph(300), number=1, headings=("Chapter", "Heat"))
    steps = "\n\n".join(["**Solution**", *(paragraph(80, start=f"Step {each}") for each in range(5))])
    example = passage(
        f"{paragraph(40)}\n\n{steps}", number=2, headings=("Chapter", "Heat", "Example: A kettle")
    )
    after = passage(paragraph(300), number=3, headings=("Chapter", "Heat"))
    parts = cut(pieces_of([before, example, after], {}))
    holding = [part for part in parts if any(piece.passage is example for piece in part.pieces)]
    assert len(parts) > 1
    assert len(holding) == 1


@pytest.mark.parametrize(
    "lead",
    ["The speed is given by", "The steps are as follows.", "It has three parts,", "**Solution**"],
)
def test_no_part_ends_with_words_that_lead_on(lead: str) -> None:
    for words in range(290, 380, 10):
        parts = parts_of(f"{paragraph(words)}\n\n{lead}\n\n{paragraph(300, start='Then')}")
        assert all(part.pieces[-1].text != lead for part in parts)


def test_no_part_begins_in_the_middle_of_a_sentence() -> None:
    text = f"{paragraph(340)}\n\nThe speed is\n\n$$v=\\frac{{s}}{{t}}$$\n\nwhere the way is in metres.\n\n{paragraph(300)}"
    assert all(not part.pieces[0].text.startswith(("where", "$$")) for part in parts_of(text))


def test_of_more_concepts_than_a_page_can_ask_about_those_count_that_its_author_sums_up() -> None:
    names = [f"term{number}" for number in range(40)]
    text = "\n\n".join(f"A **{name}** is one of many things. {paragraph(50)}" for name in names)
    page = [passage(text, headings=("Chapter", "Section"))]
    central = frozenset(map(term_key, names[30:34]))
    concepts = {page[0].chunk_id: [concept(name) for name in names]}
    parts = cut(pieces_of(page, concepts), central=central)
    assert len(parts) <= MOST_PARTS
    assert set(names[30:34]) <= {name for part in parts for name in part.names}
