"""PDF files, written by hand so that every line on a page is known."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter

from rag.loaders import LoadedDocument, load_document
from rag.loaders.pdf import Line, blocks, heading_levels, is_heading, notes_apart, plain
from storage.errors import DocumentError


def pdf_bytes(pages: Sequence[Sequence[str]]) -> bytes:
    """A minimal PDF with one line of text per string."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    kids = []
    for lines in pages:
        shown = b"".join(
            b"(" + line.encode("cp1252").replace(b"(", rb"\(").replace(b")", rb"\)") + b") Tj T*\n"
            for line in lines
        )
        stream = b"BT /F1 11 Tf 14 TL 50 750 Td\n" + shown + b"ET"
        objects.append(b"<< /Length %d >>\nstream\n%b\nendstream" % (len(stream), stream))
        kids.append(len(objects) + 1)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R"
            b" /Resources << /Font << /F1 %b >> >> >>" % (len(objects), font)
        )
    objects[1] = b"<< /Type /Pages /Count %d /Kids [%b] >>" % (
        len(kids),
        b" ".join(b"%d 0 R" % kid for kid in kids),
    )
    return _file_of(objects)


def _file_of(objects: Sequence[bytes]) -> bytes:
    data = b"%PDF-1.4\n"
    offsets = []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(data))
        data += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    trailer = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (size, len(data))
    return data + b"xref\n0 %d\n0000000000 65535 f \n" % size + table + trailer


def loaded(data: bytes, folder: Path) -> LoadedDocument:
    path = folder / "robot-arms.pdf"
    path.write_bytes(data)
    return load_document(path)


def rewritten(data: bytes, folder: Path, change) -> LoadedDocument:
    """The same file after pypdf has changed something about it."""
    source = folder / "source.pdf"
    source.write_bytes(data)
    writer = PdfWriter(clone_from=PdfReader(source))
    change(writer)
    writer.write(folder / "robot-arms.pdf")
    return load_document(folder / "robot-arms.pdf")


def test_each_page_is_a_section_with_its_number(tmp_path: Path):
    document = loaded(pdf_bytes([["An arm has joints."], [], ["They turn."]]), tmp_path)
    assert [(section.headings, section.page, section.text) for section in document.sections] == [
        (("Robot Arms",), 1, "An arm has joints."),
        (("Robot Arms",), 3, "They turn."),
    ]


def test_wrapped_lines_and_hyphens_become_paragraphs(tmp_path: Path):
    lines = [
        "A revolute joint lets one link turn against the other, and kine-",
        "matics describes how the end of the arm moves when each of the",
        "joints turns.",
        "A prismatic joint slides instead.",
        "• first point that goes on to the end of the line and then wraps",
        "to the next",
        "• second point",
    ]
    (section,) = loaded(pdf_bytes([lines]), tmp_path).sections
    assert section.text == (
        "A revolute joint lets one link turn against the other, and kinematics describes how the end of the "
        "arm moves when each of the joints turns.\n\nA prismatic joint slides instead.\n\n"
        "- first point that goes on to the end of the line and then wraps to the next\n- second point"
    )


def test_running_headers_footers_and_page_numbers_go(tmp_path: Path):
    topics = ["Joints turn.", "Links are rigid.", "Motors drive.", "Sensors measure.", "Grippers hold."]
    pages = [
        ["Robot School", topic, f"{topic[:5]} so it is.", f"Chapter {n // 2}: Arms {n + 7}"]
        for n, topic in enumerate(topics)
    ]
    texts = [" ".join(section.text.split()) for section in loaded(pdf_bytes(pages), tmp_path).sections]
    assert texts == [f"{topic} {topic[:5]} so it is." for topic in topics]


def test_what_repeats_inside_a_page_stays(tmp_path: Path):
    pages = [[f"Top {n} of this page", "x", "Note well.", "y", f"End of part {n * n}"] for n in (3, 9, 27, 5)]
    assert all("Note well." in section.text for section in loaded(pdf_bytes(pages), tmp_path).sections)


def test_bookmarks_part_a_page_where_their_lines_stand(tmp_path: Path):
    pages = [
        ["1 Arms", "An arm has joints.", "1.1 Joints", "They turn."],
        ["And they stop.", "2 Legs", "Legs walk."],
    ]

    def add_bookmarks(writer: PdfWriter) -> None:
        arms = writer.add_outline_item("Arms", 0)
        writer.add_outline_item("Joints", 0, parent=arms)
        writer.add_outline_item("Legs", 1)

    document = rewritten(pdf_bytes(pages), tmp_path, add_bookmarks)
    assert [(section.headings[1:], section.page, section.text) for section in document.sections] == [
        (("Arms",), 1, "An arm has joints."),
        (("Arms", "Joints"), 1, "They turn."),
        (("Arms", "Joints"), 2, "And they stop."),
        (("Legs",), 2, "Legs walk."),
    ]


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Arms of Robots", "Arms of Robots"),
        ("Arms: a course", "Arms: a course"),
        ("Microsoft Word - draft.doc", "Robot Arms"),
        ("about:blank", "Robot Arms"),
        ("https://example.org/arms/", "Robot Arms"),
        ("", "Robot Arms"),
    ],
)
def test_the_title_is_the_authors_unless_a_program_wrote_it(tmp_path: Path, title: str, expected: str):
    document = rewritten(
        pdf_bytes([["Text."]]), tmp_path, lambda writer: writer.add_metadata({"/Title": title})
    )
    assert document.title == expected


def test_a_scan_without_text_asks_for_ocr(tmp_path: Path):
    with pytest.raises(DocumentError, match="has no text; run OCR on it first"):
        loaded(pdf_bytes([[], []]), tmp_path)


def test_a_password_is_asked_for(tmp_path: Path):
    with pytest.raises(DocumentError, match="is encrypted"):
        rewritten(
            pdf_bytes([["Secret."]]), tmp_path, lambda writer: writer.encrypt("secret", algorithm="AES-256")
        )


def test_a_file_locked_only_against_changes_opens(tmp_path: Path):
    def lock(writer: PdfWriter) -> None:
        writer.encrypt("", owner_password="owner", algorithm="AES-256")

    assert rewritten(pdf_bytes([["Open."]]), tmp_path, lock).sections[0].text == "Open."


@pytest.mark.parametrize(
    "data",
    [b"just text", b"%PDF-1.4\ntorn", pdf_bytes([["Text."]])[:200], b"%PDF-1.7\n" + bytes(range(256)) * 20],
    ids=["text", "torn", "cut", "noise"],
)
def test_a_broken_file_is_refused(tmp_path: Path, data: bytes, caplog: pytest.LogCaptureFixture):
    with pytest.raises(DocumentError, match="cannot be read as a PDF"):
        loaded(data, tmp_path)
    assert not caplog.records


def lines(*texts: str, size: float = 10, page: int = 0, **more: bool) -> list[Line]:
    return [
        Line(
            text=text, page=page, size=size, left=50, bottom=700 - 12 * number, top=710 - 12 * number, **more
        )
        for number, text in enumerate(texts)
    ]


def texts(*printed: Line) -> list[str]:
    return [block.text for block in blocks(printed)]


def test_a_short_line_before_a_capital_ends_a_paragraph():
    printed = [
        "Kinematics",
        "Kinematics is the study of motion without the forces that cause it, and it",
        "is old.",
    ]
    assert texts(*lines(*printed)) == [printed[0], f"{printed[1]} {printed[2]}"]


def test_a_paragraph_goes_on_overleaf_past_the_notes_at_the_foot():
    first = lines("A joint lets one link turn against the other, and the end of the arm", page=0)
    note = lines("1 Or slide.", size=8, page=0)
    second = lines("moves with it.", page=1)
    text, notes = notes_apart([*first, *note, *second])
    assert texts(*text) == [
        "A joint lets one link turn against the other, and the end of the arm moves with it."
    ]
    assert texts(*notes) == ["1 Or slide."]


def test_typewriter_lines_are_code():
    code = lines("for x in y:", "  print(x)", is_mono=True)
    assert texts(*lines("For example:"), *code) == ["For example:", "```\nfor x in y:\nprint(x)\n```"]


def test_larger_and_bold_lines_are_headings_and_sentences_are_not():
    body = lines(*["Text that goes on for a while and says what there is to say."] * 20)
    title, section = lines("1 Arms", size=16), lines("Joints", size=10, is_bold=True)
    sentence = lines("This is important.", is_bold=True)
    levels = heading_levels([*body, *title, *section, *sentence])
    found = [line.text for line in (*title, *section, *sentence, *body) if is_heading(line, levels=levels)]
    assert found == ["1 Arms", "Joints"]
    assert levels[(16, False)] < levels[(10, True)]


def test_typeset_letters_become_plain_ones():
    assert plain("The ﬁrst eﬀect") == "The first effect"


def test_lettered_lines_that_count_on_stand_for_themselves(tmp_path: Path) -> None:
    lines = [
        "1. Which of these keeps water in a pump that is old?",
        "a. a seal",
        "b. a valve",
        "c. sand",
        "2. Why?",
    ]
    [section] = loaded(pdf_bytes([["Pumps", *lines]]), tmp_path).sections
    assert section.text.split("\n\n")[-5:] == lines


def test_a_lone_letter_at_the_beginning_of_a_line_is_a_name(tmp_path: Path) -> None:
    lines = [
        "the first of these pumps was built in the old town by one",
        "B. Miller, who had seen another of them.",
    ]
    [section] = loaded(pdf_bytes([["Pumps were built early, and", *lines]]), tmp_path).sections
    assert "by one B. Miller" in section.text
