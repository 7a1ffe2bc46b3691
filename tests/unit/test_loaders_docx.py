"""Word documents, made by the library that made half of those in the world."""

import io
import zipfile
from pathlib import Path

import docx
import pytest
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from rag.loaders import LoadedDocument, load_document
from storage.errors import DocumentError


def loaded(document, folder: Path) -> LoadedDocument:
    path = folder / "robot-arms.docx"
    document.save(str(path))
    return load_document(path)


def test_heading_styles_make_sections_below_the_title(tmp_path: Path):
    document = docx.Document()
    document.add_heading("Robot Arms", 0)
    document.add_paragraph("Intro.")
    document.add_heading("Joints", 1)
    document.add_paragraph("They turn.")
    document.add_heading("Limits", 2)
    document.add_paragraph("They stop.")
    assert [(section.headings, section.text) for section in loaded(document, tmp_path).sections] == [
        (("Robot Arms",), "Intro."),
        (("Robot Arms", "Joints"), "They turn."),
        (("Robot Arms", "Joints", "Limits"), "They stop."),
    ]


def test_the_title_falls_back_to_heading_then_property_then_file_name(tmp_path: Path):
    document = docx.Document()
    document.add_paragraph("Text.")
    assert loaded(document, tmp_path).title == "Robot Arms"
    document.core_properties.title = "Arms of Robots"
    assert loaded(document, tmp_path).title == "Arms of Robots"
    document.add_heading("Arms", 1)
    assert loaded(document, tmp_path).title == "Arms"


def test_a_style_derived_from_a_heading_is_a_heading(tmp_path: Path):
    document = docx.Document()
    style = document.styles.add_style("Lesson", WD_STYLE_TYPE.PARAGRAPH)
    style.base_style = document.styles["Heading 1"]
    document.add_heading("T", 0)
    document.add_paragraph("Arms", style="Lesson")
    document.add_paragraph("Text.")
    assert loaded(document, tmp_path).sections[0].headings == ("T", "Arms")


def test_bold_runs_are_one_bold_term_without_its_spaces(tmp_path: Path):
    document = docx.Document()
    paragraph = document.add_paragraph("A ")
    paragraph.add_run("revolute").bold = True
    paragraph.add_run(" joint ").bold = True
    paragraph.add_run("turns.")
    assert loaded(document, tmp_path).sections[0].text == "A **revolute joint** turns."


def test_lists_and_code(tmp_path: Path):
    document = docx.Document()
    document.styles.add_style("Source Code", WD_STYLE_TYPE.PARAGRAPH)
    for text, style in [
        ("a", "List Bullet"), ("deep", "List Bullet 2"), ("b", "List Bullet"),
        ("first", "List Number"), ("second", "List Number"),
        ("x = 1", "Source Code"), ("  y = 2", "Source Code"),
    ]:  # fmt: skip
        document.add_paragraph(text, style=style)
    expected = "- a\n  - deep\n- b\n1. first\n2. second\n\n```\nx = 1\n  y = 2\n```"
    assert loaded(document, tmp_path).sections[0].text == expected


def test_a_table_with_a_merged_first_row(tmp_path: Path):
    document = docx.Document()
    table = document.add_table(rows=3, cols=2)
    table.cell(0, 0).merge(table.cell(0, 1)).text = "Parts"
    for row, (left, right) in enumerate([("Name", "Use"), ("a|b", "c")], start=1):
        table.cell(row, 0).text, table.cell(row, 1).text = left, right
    assert (
        loaded(document, tmp_path).sections[0].text == "Parts\n\n| Name | Use |\n| --- | --- |\n| a\\|b | c |"
    )


def test_formulas_and_inserted_text_are_not_lost(tmp_path: Path):
    document = docx.Document()
    paragraph = document.add_paragraph("So ")
    word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    math = "http://schemas.openxmlformats.org/officeDocument/2006/math"
    added = f'<w:ins xmlns:w="{word}"><w:r><w:t>E = </w:t></w:r></w:ins>'
    formula = f'<m:oMath xmlns:m="{math}"><m:r><m:t>mc²</m:t></m:r></m:oMath>'
    for xml in (added, formula):
        paragraph._p.append(docx.oxml.parse_xml(xml))
    assert loaded(document, tmp_path).sections[0].text == "So E = mc²"


def zipped(**parts: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return buffer.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        b"just text",
        b"PK\x03\x04 not really a zip",
        zipped(a="text"),
        zipped(**{"[Content_Types].xml": "<Types"}),
        zipped(
            **{
                "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'
            }
        ),
    ],
    ids=["text", "torn zip", "other zip", "broken xml", "no document"],
)
def test_what_is_no_word_document_is_refused(tmp_path: Path, data: bytes):
    path = tmp_path / "a.docx"
    path.write_bytes(data)
    with pytest.raises(DocumentError, match="cannot be read as a Word document"):
        load_document(path)


def test_a_document_without_words_is_refused(tmp_path: Path):
    with pytest.raises(DocumentError, match="no text"):
        loaded(docx.Document(), tmp_path)


def test_a_numbered_list_goes_on_after_a_paragraph_and_its_letters_stay(tmp_path: Path):
    document = docx.Document()
    numbering = document.part.numbering_part.element
    levels = "".join(
        f'<w:lvl w:ilvl="{level}"><w:numFmt w:val="{form}"/></w:lvl>'
        for level, form in enumerate(("decimal", "lowerLetter"))
    )
    numbering.insert(
        0, parse_xml(f'<w:abstractNum {nsdecls("w")} w:abstractNumId="77">{levels}</w:abstractNum>')
    )
    numbering.append(parse_xml(f'<w:num {nsdecls("w")} w:numId="77"><w:abstractNumId w:val="77"/></w:num>'))
    for level, text in ((0, "Which?"), (1, "one"), (1, "two"), (None, "See above."), (0, "Why?")):
        paragraph = document.add_paragraph(text)
        if level is not None:
            paragraph._p.get_or_add_pPr().append(
                parse_xml(f'<w:numPr {nsdecls("w")}><w:ilvl w:val="{level}"/><w:numId w:val="77"/></w:numPr>')
            )
    [section] = loaded(document, tmp_path).sections
    assert section.text == "1. Which?\n  a. one\n  b. two\n\nSee above.\n\n2. Why?"
