"""A sentence that refers to a picture says which, and one that refers to nothing has no hole."""

from pathlib import Path

import pytest

from agents.language.blocks import is_caption, sentences, split_blocks
from rag.loaders.markdown import load, parse
from rag.loaders.references import mend_references

LINK = r"[\[link\]]"
WHEEL = '![A wheel with five blades in a round housing.](wheel.png "The wheel of a pump."){: #CNX_wheel}'
TABLE = '<table id="tab-1"><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>'


def text(source: str) -> str:
    (section,) = parse(f"# T\n\n{source}\n", path=Path("t.md")).sections
    return section.text


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (f"{LINK}(#CNX_wheel) shows it.", "Figure 1 shows it."),
        (f"It turns ({LINK}(#CNX_wheel)).", "It turns (Figure 1)."),
        (f"As shown in {LINK}(#CNX_wheel)(a), it turns.", "As shown in Figure 1(a), it turns."),
        (f"It turns ({LINK}(#CNX_wheel)**b**).", "It turns (Figure 1(b))."),
        (f"The sizes are in {LINK}(#tab-1).", "The sizes are in Table 1."),
    ],
)
def test_a_reference_names_what_stands_on_the_page(sentence: str, expected: str) -> None:
    assert text(f"{sentence}\n\n{WHEEL}\n\n{TABLE}").split("\n\n")[0] == expected


def test_a_number_that_the_author_gave_is_kept() -> None:
    own = WHEEL.replace("The wheel", "Figure 4.5 The wheel")
    assert text(f"See {LINK}(#CNX_wheel).\n\n{own}").startswith("See Figure 4.5.")


def test_a_table_right_below_is_what_is_meant() -> None:
    assert mend_references(f"They are in {LINK}(#fs-1).\n\n<table><tr><td>x</td></tr></table>").startswith(
        "They are in the table below."
    )


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (f"It turns (see {LINK}(#gone)).", "It turns."),
        (f"It turns (also called a wheel; {LINK}(#gone)).", "It turns (also called a wheel)."),
        (f"As shown in {LINK}(#gone), it turns.", "It turns."),
        (f"It turns, as illustrated in {LINK}(#gone). Good.", "It turns. Good."),
        (f"Others are given in {LINK}(#gone).", "Others are given."),
        (f"In {LINK}(/m7#gone), it was said that it turns.", "It was said that it turns."),
        (f"Look. {LINK}(#gone) shows how it turns. Good.", "Look. Good."),
        (f"It is the same as for {LINK}(#gone). Good.", "Good."),
        (f"From {LINK}(#gone) and {LINK}(#lost), we know it. Good.", "We know it. Good."),
    ],
)
def test_what_leads_nowhere_leaves_the_sentence_or_takes_it_along(sentence: str, expected: str) -> None:
    assert mend_references(sentence) == expected


def read(folder: Path, source: str) -> list[tuple[str, str]]:
    (folder / "page.md").write_text(f"# T\n\nIt turns.\n\n{source}\n", encoding="utf-8")
    return [
        (kind, block)
        for section in load(folder / "page.md").sections
        for kind, block in split_blocks(section.text)
    ]


def test_a_picture_has_its_description_and_its_caption_below(tmp_path: Path) -> None:
    (tmp_path / "wheel.png").write_bytes(b"png")
    assert read(tmp_path, WHEEL)[1:] == [
        ("picture", "![A wheel with five blades in a round housing.](wheel.png)"),
        ("paragraph", "Figure 1: The wheel of a pump."),
    ]


def test_of_a_picture_that_is_not_there_the_caption_stays(tmp_path: Path) -> None:
    assert read(tmp_path, WHEEL)[1:] == [("paragraph", "Figure 1: The wheel of a pump.")]


def test_of_a_picture_without_a_caption_what_it_would_have_shown(tmp_path: Path) -> None:
    media = '<span data-type="media" data-alt="x"> ![A wheel with five blades, all of them bent.](gone.png) </span> Then on.'
    assert [block for _, block in read(tmp_path, f"It looks so:\n\n{media}")][2:] == [
        "In the picture: A wheel with five blades, all of them bent.",
        "Then on.",
    ]
    assert len(read(tmp_path, "![logo](gone.png)")) == 1


def test_a_caption_is_no_sentence_of_the_lesson() -> None:
    assert is_caption("Figure 4.5: The wheel.")
    assert not is_caption("Figure 4 shows the wheel.")
    assert sentences("It turns.\n\nFigure 1: The wheel of a pump.") == ["It turns."]


def test_pictures_on_the_web_are_left_to_whoever_shows_them(tmp_path: Path) -> None:
    assert read(tmp_path, "![A wheel](https://example.org/wheel.png)")[1][0] == "picture"
