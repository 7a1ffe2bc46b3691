"""Small question banks of every form that is read."""

import io
import sqlite3
import tempfile
import zipfile
from pathlib import Path

import genanki
import zstandard

MOODLE = """<?xml version="1.0" encoding="UTF-8"?>
<quiz>
<question type="category"><category><text>$course$/top/Pumps/Seals//rings</text></category></question>
<question type="multichoice"><name><text>Leak</text></name>
 <questiontext format="html"><text><![CDATA[<p>What keeps water <b>in</b> a pump?</p>]]></text></questiontext>
 <generalfeedback format="html"><text><![CDATA[<p>A seal does.</p>]]></text></generalfeedback>
 <single>true</single>
 <answer fraction="100" format="html"><text><![CDATA[<p>a seal</p>]]></text><feedback><text>Yes.</text></feedback></answer>
 <answer fraction="0" format="html"><text>a valve</text><feedback format="html"><text>It lets water out.</text></feedback></answer>
</question>
<question type="multichoice"><name><text>Materials</text></name>
 <questiontext format="html"><text>Which are used for seals?</text></questiontext><single>false</single>
 <answer fraction="50"><text>rubber</text></answer><answer fraction="50"><text>graphite</text></answer>
 <answer fraction="-50"><text>glass</text></answer>
</question>
<question type="truefalse"><name><text>Wear</text></name><questiontext><text>Seals wear.</text></questiontext>
 <answer fraction="100"><text>true</text><feedback><text>They rub.</text></feedback></answer>
 <answer fraction="0"><text>false</text></answer></question>
<question type="shortanswer"><name><text>Ring</text></name><questiontext><text>Name the ring.</text></questiontext>
 <answer fraction="100"><text>seal</text></answer><answer fraction="100"><text>gasket*</text></answer>
 <answer fraction="50"><text>ring</text></answer></question>
<question type="numerical"><name><text>Fall</text></name>
 <questiontext format="html"><text>What is \\(g\\)?</text></questiontext>
 <answer fraction="100"><text>9.81</text><tolerance>0.05</tolerance></answer>
 <units><unit><multiplier>100</multiplier><unit_name>cm/s^2</unit_name></unit>
 <unit><multiplier>1</multiplier><unit_name>m/s^2</unit_name></unit></units></question>
<question type="matching"><name><text>Parts</text></name><questiontext><text>What does each do?</text></questiontext>
 <subquestion><text>a seal</text><answer><text>keeps water in</text></answer></subquestion>
 <subquestion><text>a valve</text><answer><text>lets water out</text></answer></subquestion>
 <subquestion><text></text><answer><text>heats water</text></answer></subquestion></question>
<question type="essay"><name><text>Why</text></name><questiontext><text>Why do seals fail?</text></questiontext>
 <graderinfo format="html"><text>Heat and wear.</text></graderinfo></question>
<question type="cloze"><name><text>Gaps</text></name><questiontext><text>A {1:SHORTANSWER:=seal}.</text></questiontext></question>
<question type="multichoice"><name><text>Drawn</text></name>
 <questiontext format="html"><text><![CDATA[<p>Which is it? <img src="@@PLUGINFILE@@/a.png"></p>]]></text>
 <file name="a.png" encoding="base64">AAAA</file></questiontext>
 <answer fraction="100"><text>a</text></answer><answer fraction="0"><text>b</text></answer></question>
</quiz>
"""
GIFT = """// a comment
$CATEGORY: $course$/Pumps

::Leak:: What keeps water in a pump? {
 =a seal # Yes.
 ~a valve # It lets water out. }

::Materials:: Which are used? {~%50%rubber ~%50%graphite ~%-100%glass ####Both stand heat.}

Seals wear. {TRUE #They do. #They rub.}

A {=seal =gasket} keeps water in.

::Fall:: How fast is 2\\:1? {#9.81:0.05}

A number from 1 to 5? {#1..5}

What does each do? {=a seal -> keeps water in =a valve -> lets water out}

Why do seals fail? {}

What is written as x\\=1 \\{a\\}? {=an assignment ~a comparison}
"""
AIKEN = """What keeps water in a pump?
A. a valve
B. a seal
ANSWER: B

Which of these wears?
A) a seal
B) a number
ANSWER: A
"""
_QTI_HEAD = '<?xml version="1.0"?><assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="i" title="Leak">'
QTI = f"""{_QTI_HEAD}
<responseDeclaration identifier="R" cardinality="single" baseType="identifier"><correctResponse><value>B</value></correctResponse></responseDeclaration>
<itemBody><p>Water runs out.</p><choiceInteraction responseIdentifier="R" maxChoices="1"><prompt>What is worn?</prompt>
<simpleChoice identifier="A">the valve<feedbackInline identifier="A" outcomeIdentifier="F">It is meant to.</feedbackInline></simpleChoice>
<simpleChoice identifier="B">the seal</simpleChoice></choiceInteraction></itemBody>
<modalFeedback outcomeIdentifier="F" identifier="x" showHide="show"><p>Seals wear.</p></modalFeedback></assessmentItem>
"""
QTI_GAP = f"""{_QTI_HEAD}
<responseDeclaration identifier="R" cardinality="single" baseType="string"><correctResponse><value>seal</value></correctResponse>
<mapping defaultValue="0"><mapEntry mapKey="seal" mappedValue="1"/><mapEntry mapKey="gasket" mappedValue="1"/>
<mapEntry mapKey="ring" mappedValue="0.5"/></mapping></responseDeclaration>
<itemBody><p>A <textEntryInteraction responseIdentifier="R"/> keeps water in.</p></itemBody></assessmentItem>
"""


def qti_package(**items: str) -> bytes:
    """A content package with these items."""
    resources = "".join(
        f'<resource identifier="{name}" type="imsqti_item_xmlv2p1" href="items/{name}.xml"/>'
        for name in items
    )
    manifest = f'<manifest xmlns="http://www.imsglobal.org/xsd/imscp_v1p1"><resources>{resources}</resources></manifest>'
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("imsmanifest.xml", manifest)
        for name, item in items.items():
            if item:
                archive.writestr(f"items/{name}.xml", item)
    return out.getvalue()


def anki_deck() -> bytes:
    """A deck as older programs and ours export it: one card, one with its reverse, one with gaps."""
    deck = genanki.Deck(1, "Pumps::Seals")
    deck.add_note(
        genanki.Note(
            genanki.BASIC_MODEL, ["What keeps water <b>in</b>?", "A seal<br>or a gasket"], tags=["wear::slow"]
        )
    )
    deck.add_note(genanki.Note(genanki.BASIC_AND_REVERSED_CARD_MODEL, ["eau", "water"]))
    gaps = "A {{c1::seal::ring}} keeps {{c2::water}} in."
    deck.add_note(genanki.Note(genanki.CLOZE_MODEL, [gaps, "It wears."]))
    deck.add_note(genanki.Note(genanki.BASIC_MODEL, ['Which is it? <img src="a.png">', "a seal"]))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.apkg"
        genanki.Package(deck).write_to_file(str(path), timestamp=1.0)
        return path.read_bytes()


def new_anki_deck() -> bytes:
    """A deck as newer programs export it: packed, with a collection for older ones that only says so."""
    database = sqlite3.connect(":memory:")
    database.create_collation("unicase", lambda one, other: (one > other) - (one < other))
    database.executescript(
        "CREATE TABLE notetypes (id INTEGER, name TEXT COLLATE unicase, config BLOB);"
        "CREATE TABLE fields (ntid INTEGER, ord INTEGER, name TEXT COLLATE unicase);"
        "CREATE TABLE templates (ntid INTEGER, ord INTEGER, name TEXT, config BLOB);"
        "CREATE TABLE decks (id INTEGER, name TEXT COLLATE unicase);"
        "CREATE TABLE notes (id INTEGER, mid INTEGER, tags TEXT, flds TEXT);"
        "CREATE TABLE cards (nid INTEGER, did INTEGER, ord INTEGER);"
        "INSERT INTO fields VALUES (1, 0, 'Front'), (1, 1, 'Back'), (2, 0, 'Text');"
        "INSERT INTO decks VALUES (5, 'Pumps\x1fSeals');"
        "INSERT INTO notes VALUES (1, 1, '', 'What keeps water in?\x1fa seal'), (2, 2, '', 'A {{c1::seal}}.');"
        "INSERT INTO cards VALUES (1, 5, 0), (2, 5, 0);"
    )
    front, back = b"{{Front}}", b"{{FrontSide}}<hr id=answer>{{Back}}"
    config = bytes([0x0A, len(front)]) + front + bytes([0x12, len(back)]) + back
    database.execute("INSERT INTO templates VALUES (1, 0, 'Card 1', ?)", (config,))
    database.execute("INSERT INTO notetypes VALUES (1, 'Basic', ?), (2, 'Cloze', ?)", (b"", b"\x08\x01"))
    database.commit()
    whole = database.serialize()
    database.close()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("collection.anki2", b"Please update.")
        archive.writestr("collection.anki21b", zstandard.ZstdCompressor().compress(whole))
    return out.getvalue()


def bank_of(suffix: str) -> bytes:
    """A bank with this ending; nothing where no bank has it."""
    match suffix:
        case ".xml":
            return MOODLE.encode()
        case ".gift":
            return GIFT.encode()
        case ".aiken":
            return AIKEN.encode()
        case ".zip":
            return qti_package(a=QTI, b=QTI_GAP)
        case ".apkg" | ".colpkg":
            return anki_deck()
        case _:
            return b""
