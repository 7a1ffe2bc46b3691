"""Plain text files."""

from pathlib import Path

import pytest

from rag.loaders import load_document
from rag.loaders.text import parse


def sections(source: str) -> list[tuple[tuple[str, ...], str]]:
    return [
        (section.headings, section.text) for section in parse(source, path=Path("field-notes.txt")).sections
    ]


def test_a_short_first_line_is_the_title():
    assert sections("Robot Arms\n\nAn arm has joints.\n\nAnd links.") == [
        (("Robot Arms",), "An arm has joints.\n\nAnd links.")
    ]


@pytest.mark.parametrize("first", ["A whole sentence.", "Two lines\nof text", "long " * 30])
def test_otherwise_the_file_name_is(first: str):
    assert sections(f"{first}\n\nMore.") == [(("Field Notes",), f"{first.strip()}\n\nMore.")]


def test_a_single_line_is_text_and_no_title():
    assert sections("Robot Arms") == [(("Field Notes",), "Robot Arms")]


def test_underlined_lines_are_headings():
    source = "Robots\n======\n\nIntro.\n\nArms\n----\nText of it.\nMore.\n\nJoints\n~~~~~~\n\nDeep.\n\nLegs\n----\n\nEnd."
    assert sections(source) == [
        (("Robots",), "Intro."),
        (("Robots", "Arms"), "Text of it.\nMore."),
        (("Robots", "Arms", "Joints"), "Deep."),
        (("Robots", "Legs"), "End."),
    ]


def test_markup_in_plain_text_is_just_text():
    assert (
        sections("Use <b> & *x* [y](z).\n\n# not a heading")[0][1]
        == "Use <b> & *x* [y](z).\n\n# not a heading"
    )


def test_a_file_loads(tmp_path: Path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"One.\r\nStill one.\r\n\r\nTwo.")
    assert load_document(path).sections[0].text == "One.\nStill one.\n\nTwo."
