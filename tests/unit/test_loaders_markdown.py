"""Markdown: how a document is parted into titled sections."""

from pathlib import Path

import pytest

from rag.loaders import LoadedDocument
from rag.loaders.markdown import parse
from storage.errors import DocumentError


def loaded(source: str, name: str = "ch1-basics.md") -> LoadedDocument:
    return parse(source, path=Path("/course/module-1") / name)


def headings(source: str) -> list[tuple[str, ...]]:
    return [section.headings for section in loaded(source).sections]


def test_sections_carry_their_headings_from_the_title_down():
    source = "# Robots\n\nIntro.\n\n## Arms\n\nText.\n\n### Joints\n\nMore.\n\n## Legs\n\nEnd."
    assert headings(source) == [
        ("Robots",),
        ("Robots", "Arms"),
        ("Robots", "Arms", "Joints"),
        ("Robots", "Legs"),
    ]


def test_the_front_matter_title_wins_and_an_equal_h1_is_not_repeated():
    document = loaded('---\ntitle: "Robot Arms"\nlayout: page\n---\n# Robot arms\n\nText.')
    assert document.title == "Robot Arms"
    assert document.sections[0].headings == ("Robot Arms",)
    assert document.front_matter == {"title": "Robot Arms", "layout": "page"}


def test_the_front_matter_title_loses_its_markup():
    assert loaded("---\ntitle: 'The <em>E. coli</em> &amp; *us*'\n---\nText.").title == "The E. coli & us"


def test_a_different_h1_stays_below_the_front_matter_title():
    assert headings("---\ntitle: Course\n---\n# Lesson\n\nText.") == [("Course", "Lesson")]


def test_without_title_or_h1_the_file_name_is_the_title():
    assert loaded("Just text.").title == "Ch1 Basics"


def test_a_readme_takes_the_name_of_its_folder():
    assert loaded("Just text.", name="README.md").title == "Module 1"


def test_text_before_the_first_heading_belongs_to_the_title():
    assert headings("Before.\n\n# Robots\n\nAfter.") == [("Robots",), ("Robots",)]


def test_a_later_h1_is_a_section_of_its_own():
    assert headings("# One\n\na\n\n# Two\n\nb") == [("One",), ("One", "Two")]


def test_levels_may_be_skipped():
    assert headings("---\ntitle: T\n---\n### Deep\n\na\n\n## Higher\n\nb") == [("T", "Deep"), ("T", "Higher")]


def test_sections_without_text_are_dropped_but_still_lead_to_their_parts():
    assert headings("# T\n\n## Empty\n\n### Full\n\nText.") == [("T", "Empty", "Full")]


def test_no_heading_follows_itself():
    assert headings("# T\n\n## Joints\n\n### Joints\n\nText.") == [("T", "Joints")]


def test_underlined_headings():
    assert headings("Robots\n======\n\nIntro.\n\nArms\n----\n\nText.") == [("Robots",), ("Robots", "Arms")]


def test_dashes_below_a_sentence_are_a_rule():
    (section,) = loaded("This is a whole sentence.\n---\nAnd another one.").sections
    assert section.text.split() == ["This", "is", "a", "whole", "sentence.", "And", "another", "one."]


def test_headings_lose_their_markup():
    source = (
        "# T\n\n## [The **URDF** `link`](x.md) &amp; *more* {#custom-id}\n\nText.\n\n## Closed ##\n\nText."
    )
    assert headings(source) == [("T", "The URDF link & more"), ("T", "Closed")]


def test_a_heading_with_only_an_image_opens_no_section():
    assert headings("# T\n\n## ![logo](x.png)\n\nText.") == [("T",)]


def test_formulas_in_headings_are_read_as_text():
    assert headings("# T\n\n## The $x_1$ axis\n\nText.") == [("T", "The x₁ axis")]


@pytest.mark.parametrize("line", ["#hashtag is no heading", "####### seven", "\\# escaped"])
def test_what_only_looks_like_a_heading_is_text(line: str):
    assert headings(f"# T\n\n{line}") == [("T",)]


def test_html_headings_are_headings():
    assert headings("# T\n\n<h2 align='center'>\n  The <b>arm</b>\n</h2>\n\nText.") == [("T", "The arm")]


@pytest.mark.parametrize("fence", ["```", "~~~", "````"])
def test_headings_inside_fences_are_code(fence: str):
    (section,) = loaded(f"# T\n\n{fence}bash\n# a comment\n## another\n{fence}\n\nAfter.").sections
    assert f"{fence}bash\n# a comment\n## another\n{fence}" in section.text


def test_a_shorter_or_other_fence_does_not_close_one():
    (section,) = loaded("# T\n\n````\n```\n# inside\n```\n~~~\n````\n\nAfter.").sections
    assert section.text == "````\n```\n# inside\n```\n~~~\n````\n\nAfter."


def test_an_unclosed_fence_runs_to_the_end_and_is_closed():
    (section,) = loaded("# T\n\nBefore.\n\n```python\n# not a heading\nx = 1").sections
    assert section.text == "Before.\n\n```python\n# not a heading\nx = 1\n```"


def test_headings_inside_comments_do_not_count():
    assert headings("# T\n\n<!--\n## Hidden\n-->\n\nText.") == [("T",)]


def test_windows_line_ends(tmp_path: Path):
    from rag.loaders import load_document

    path = tmp_path / "a.md"
    path.write_bytes(b"---\r\ntitle: T\r\n---\r\n\r\n## Arms\r\n\r\nOne.\r\n\r\nTwo.\r\n")
    document = load_document(path)
    assert document.sections[0].headings == ("T", "Arms")
    assert document.sections[0].text == "One.\n\nTwo."


@pytest.mark.parametrize(
    "source",
    [
        "---\n\nA rule opens this text.\n\n---\n\nAnd another one closes.",
        "---\nA sentence between rules\n---\n\nAfter.",
        "--- not even a rule\n\nText.",
        "---\ntitle: never closed\n\nText.",
    ],
)
def test_dashes_at_the_top_are_not_always_front_matter(source: str):
    document = loaded(source)
    assert document.front_matter == {}
    assert "\n\n".join(section.text for section in document.sections)


def test_front_matter_values_are_strings_as_written():
    front_matter = loaded(
        "---\ntitle: 2024\ndraft: no\ntags: [a, b]\nnested:\n  x: 1\n---\nText."
    ).front_matter
    assert front_matter == {"title": "2024", "draft": "no", "tags": "a, b"}


def test_broken_front_matter_is_tolerated_and_its_title_kept():
    document = loaded('---\ntitle: "Robot Arms"\nbad: [unclosed\n\t- x: : y\n---\nText.')
    assert document.title == "Robot Arms"
    assert document.sections[0].text == "Text."


def test_empty_front_matter_is_no_text():
    assert loaded("---\ntitle:\n---\nText.").title == "Ch1 Basics"


def test_a_document_without_words_is_refused():
    with pytest.raises(DocumentError, match="no text"):
        loaded("# Title\n\n![only](picture.png)\n\n---\n")


def test_indented_code_becomes_a_fence():
    (section,) = loaded("# T\n\nRun this:\n\n    make test\n    # not a heading\n\nDone.").sections
    assert section.text == "Run this:\n\n```\nmake test\n# not a heading\n```\n\nDone."


def test_indented_text_in_a_list_is_no_code():
    (section,) = loaded("# T\n\n- item\n\n    more of the item\n\nDone.").sections
    assert "```" not in section.text
    assert "more of the item" in section.text


def test_the_words_that_tell_of_a_picture_are_none_of_a_link() -> None:
    """A page with pictures that can be opened, each told of at length, does not send its reader elsewhere."""
    told = "A diagram of many words that describes what can be seen. " * 5
    assert loaded("# Page\n\nIt says something.\n\n" + f"[![{told}](a.png)](a.png)\n\n" * 6).linked == 0
