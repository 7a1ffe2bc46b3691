"""Documents become passages that follow the headings, fit the limits and keep their ids."""

from hypothesis import given
from hypothesis import strategies as st

from agents.language.blocks import split_blocks
from rag.chunking import MAX_TOKENS, chunk_document, searchable
from rag.loaders.document import LoadedDocument, Section
from storage.corpus import Chunk


def tokens(text: str) -> int:
    """Two bytes a token: denser than any real text."""
    return len(text.encode()) // 2


def cut(*sections: tuple[tuple[str, ...], str], course: str = "c", chapter: str = "m/ch") -> list[Chunk]:
    document = LoadedDocument(
        title="T", sections=tuple(Section(headings=h, text=t) for h, t in sections), front_matter={}
    )
    return chunk_document(document, course=course, chapter_id=chapter, count_tokens=tokens)


def words(count: int, word: str = "word") -> str:
    return " ".join([word] * count)


def test_a_heading_always_starts_a_new_passage() -> None:
    chunks = cut((("T", "A"), "Short."), (("T", "B"), "Also short."))
    assert [(chunk.heading_hierarchy, chunk.chunk_text) for chunk in chunks] == [
        (("T", "A"), "Short."),
        (("T", "B"), "Also short."),
    ]


def test_paragraphs_are_packed_up_to_the_target_and_not_cut() -> None:
    paragraphs = [words(90, f"p{number}") for number in range(5)]
    chunks = cut((("T",), "\n\n".join(paragraphs)))
    assert [chunk.chunk_text.split("\n\n") for chunk in chunks] == [
        paragraphs[0:2],
        paragraphs[2:4],
        paragraphs[4:],
    ]


def test_a_long_paragraph_stays_whole_until_it_alone_is_larger_than_a_chunk_may_be() -> None:
    sentence = words(30).capitalize() + "."
    whole, cut_up = (cut((("T",), " ".join([sentence] * times))) for times in (10, 40))
    assert len(whole) == 1
    assert len(cut_up) > 1
    assert all(chunk.chunk_text.endswith(".") for chunk in cut_up)
    assert [chunk.continues for chunk in cut_up] == [False] + [True] * (len(cut_up) - 1)


def test_lists_and_tables_and_formulas_are_not_cut() -> None:
    items = "\n\n".join(f"- {words(60, f'i{number}')}" for number in range(3))
    table = "| a | b |\n| --- | --- |\n" + "\n".join(f"| {words(30)} | x |" for _ in range(6))
    formula = "$$\na = b\n\n+ c\n$$"
    chunks = cut((("T",), "\n\n".join([words(150), items, table, formula])))
    for block in (items, table, formula):
        assert sum(block in chunk.chunk_text for chunk in chunks) == 1


def test_a_code_block_with_blank_lines_stays_whole() -> None:
    code = "```python\nfirst()\n\n\nsecond()\n```"
    [chunk] = cut((("T",), f"Before.\n\n{code}\n\nAfter."))
    assert code in chunk.chunk_text


def test_a_passage_never_has_more_tokens_than_the_limit() -> None:
    chunks = cut((("T",), "x" * 5000), (("T", "B"), "漢字" * 2000))
    assert all(tokens(searchable(chunk)) <= MAX_TOKENS for chunk in chunks)
    assert "".join(chunk.chunk_text for chunk in chunks) == "x" * 5000 + "漢字" * 2000


def test_the_same_text_keeps_its_id_when_its_surroundings_change() -> None:
    before = cut((("T", "A"), "One."), (("T", "B"), "Two."))
    after = cut((("T", "New"), "Zero."), (("T", "A"), "One."), (("T", "B"), "Two, changed."))
    assert before[0].chunk_id == after[1].chunk_id
    assert before[1].chunk_id not in {chunk.chunk_id for chunk in after}


def test_ids_differ_between_courses_chapters_and_repetitions() -> None:
    twice = cut((("T",), "Same."), (("T",), "Same."))
    elsewhere = [*cut((("T",), "Same."), course="other"), *cut((("T",), "Same."), chapter="m/other")]
    assert len({chunk.chunk_id for chunk in (*twice, *elsewhere)}) == 4


@given(st.text(), st.integers(min_value=1, max_value=4))
def test_no_text_is_lost_and_no_passage_is_empty(text: str, copies: int) -> None:
    body = "\n\n".join([text] * copies)
    chunks = cut((("T",), body))
    assert "".join("".join(chunk.chunk_text for chunk in chunks).split()) == "".join(body.split())
    assert all(chunk.chunk_text.strip() for chunk in chunks)
    assert [chunk.chunk_index for chunk in chunks] == list(range(len(chunks)))


def test_a_table_right_below_its_paragraph_is_a_block_of_its_own() -> None:
    table = "| a | b |\n| --- | --- |\n| 1 | 2 |"
    assert split_blocks(f"These are the kinds:\n{table}\n\nText.") == [
        ("paragraph", "These are the kinds:"),
        ("table", table),
        ("paragraph", "Text."),
    ]
