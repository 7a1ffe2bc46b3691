"""Question banks: each form as the author's questions, and what becomes of one that is broken or hostile."""

import time
import zipfile
from pathlib import Path

import pytest

from agents.teaching.values import Exercise
from rag.exercises.anki import gaps
from rag.exercises.pieces import from_html
from rag.files import find_files
from rag.loaders import load_document
from rag.loaders.document import LoadedDocument, page_kind
from storage.errors import DocumentError
from tests.support.banks import AIKEN, GIFT, MOODLE, QTI, QTI_GAP, anki_deck, new_anki_deck, qti_package


def loaded(folder: Path, name: str, data: bytes | str) -> LoadedDocument:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return load_document(path)


def told(exercise: Exercise) -> tuple[str, str | None, str]:
    return exercise.text, exercise.kind, exercise.key


def offered(exercise: Exercise) -> list[tuple[str, bool, str]]:
    return [(choice.text, choice.is_right, choice.why) for choice in exercise.choices]


def test_a_bank_has_questions_and_nothing_that_is_taught(tmp_path: Path) -> None:
    document = loaded(tmp_path, "pump-quiz.xml", MOODLE)
    assert document.title == "Pump Quiz"
    assert document.sections == ()
    assert page_kind(document, name="pump.xml") == "exercises"
    assert {each.form for each in document.exercises} == {"moodle"}


def test_moodle_choices_have_their_key_their_feedback_and_their_category(tmp_path: Path) -> None:
    one, several, *_ = loaded(tmp_path, "a.xml", MOODLE).exercises
    assert one.text == "What keeps water **in** a pump?"
    assert (one.kind, one.title, one.solution) == ("multiple_choice", "Leak", "A seal does.")
    assert one.headings == ("A", "Pumps", "Seals/rings")
    assert offered(one) == [("a seal", True, "Yes."), ("a valve", False, "It lets water out.")]
    assert several.kind == "several"
    assert [right for _, right, _ in offered(several)] == [True, True, False]


def test_moodle_keys_are_words_verdicts_and_numbers_with_tolerance_and_unit(tmp_path: Path) -> None:
    verdict, words, number = loaded(tmp_path, "a.xml", MOODLE).exercises[2:5]
    assert told(verdict) == ("Seals wear.", "true_false", "True")
    assert verdict.solution == "They rub."
    assert told(words) == ("Name the ring.", "short_answer", "seal\ngasket")
    assert told(number) == ("What is $g$?", "numeric", "9.81 ± 0.05 m/s^2")


def test_each_pair_of_a_matching_question_is_a_choice_of_its_own(tmp_path: Path) -> None:
    seal, valve = loaded(tmp_path, "a.xml", MOODLE).exercises[5:7]
    assert seal.text == "What does each do?\n\na seal"
    assert [(text, right) for text, right, _ in offered(seal)] == [
        ("keeps water in", True),
        ("lets water out", False),
        ("heats water", False),
    ]
    assert [right for _, right, _ in offered(valve)] == [False, True, False]


def test_what_cannot_be_asked_says_why_and_the_rest_is_read(tmp_path: Path) -> None:
    essay, gaps, drawn = loaded(tmp_path, "a.xml", MOODLE).exercises[7:]
    assert (essay.kind, essay.solution, essay.trouble) == ("recall", "Heat and wear.", "")
    assert "gaps" in gaps.trouble
    assert "picture" in drawn.trouble
    assert "img" not in drawn.text


def test_a_question_that_links_to_a_file_of_the_bank_is_told_of(tmp_path: Path) -> None:
    heard = MOODLE.replace('<img src="@@PLUGINFILE@@/a.png">', '<a href="@@PLUGINFILE@@/a.mp3">Listen</a>')
    assert "sound" in loaded(tmp_path, "a.xml", heard).exercises[-1].trouble


def test_gift_has_choices_verdicts_words_numbers_pairs_and_essays(tmp_path: Path) -> None:
    document = loaded(tmp_path, "a.gift", GIFT)
    leak, materials, wear, gap, fall, between, seal, valve, essay, escaped = document.exercises
    assert {each.trouble for each in document.exercises} == {""}
    assert leak.headings == ("A", "Pumps")
    assert (leak.title, leak.text) == ("Leak", "What keeps water in a pump?")
    assert offered(leak) == [("a seal", True, "Yes."), ("a valve", False, "It lets water out.")]
    assert (materials.kind, materials.solution) == ("several", "Both stand heat.")
    assert told(wear) == ("Seals wear.", "true_false", "True")
    assert told(gap) == ("A ____ keeps water in.", "short_answer", "seal\ngasket")
    assert told(fall) == ("How fast is 2:1?", "numeric", "9.81 ± 0.05")
    assert between.key == "3 ± 2"
    assert [right for _, right, _ in offered(seal)] == [True, False]
    assert valve.text.endswith("a valve")
    assert essay.kind == "recall"
    assert escaped.text == "What is written as x=1 {a}?"


def test_a_text_file_is_a_bank_only_where_its_paragraphs_are_questions(tmp_path: Path) -> None:
    assert len(loaded(tmp_path, "quiz.txt", GIFT).exercises) == 10
    assert len(loaded(tmp_path, "aiken.txt", AIKEN).exercises) == 2
    code = "Sets.\n\nA set is written {1, 2}.\n\nx = {~a}\n\nMore about it, without any."
    assert loaded(tmp_path, "notes.txt", code).sections


def test_aiken_names_the_letter_of_the_right_choice(tmp_path: Path) -> None:
    leak, wear = loaded(tmp_path, "a.txt", AIKEN).exercises
    assert (leak.text, leak.kind) == ("What keeps water in a pump?", "multiple_choice")
    assert [right for _, right, _ in offered(leak)] == [False, True]
    assert offered(wear)[0] == ("a seal", True, "")


def test_a_qti_item_has_its_prompt_its_choices_and_what_is_said_afterwards(tmp_path: Path) -> None:
    [item] = loaded(tmp_path, "a.xml", QTI).exercises
    assert (item.text, item.title) == ("Water runs out.\n\nWhat is worn?", "Leak")
    assert offered(item) == [("the valve", False, "It is meant to."), ("the seal", True, "")]
    assert item.solution == "Seals wear."


def test_a_file_may_hold_several_qti_items(tmp_path: Path) -> None:
    items = "".join(item.partition("?>")[2] for item in (QTI, QTI_GAP))
    document = loaded(tmp_path, "a.xml", f"<assessmentItems>{items}</assessmentItems>")
    assert [each.kind for each in document.exercises] == ["multiple_choice", "cloze"]


def test_a_qti_package_is_read_item_by_item(tmp_path: Path) -> None:
    choice, gap, lost = loaded(tmp_path, "bank.zip", qti_package(a=QTI, b=QTI_GAP, c="")).exercises
    assert choice.headings == ("Bank",)
    assert told(gap) == ("A ____ keeps water in.", "cloze", "seal\ngasket")
    assert "is not in it" in lost.trouble


def test_a_deck_of_cards_has_fronts_backs_reverses_and_gaps(tmp_path: Path) -> None:
    front, water, eau, ring, rest, drawn = loaded(tmp_path, "deck.apkg", anki_deck()).exercises
    assert told(front) == ("What keeps water **in**?", None, "A seal\nor a gasket")
    assert front.headings == ("Deck", "Pumps", "Seals", "wear", "slow")
    assert [told(water), told(eau)] == [("eau", None, "water"), ("water", None, "eau")]
    assert told(ring) == ("A ____ (ring) keeps water in.", "cloze", "seal")
    assert told(rest) == ("A seal keeps ____ in.", "cloze", "water")
    assert ring.solution == "It wears."
    assert "picture" in drawn.trouble


def test_a_deck_of_a_newer_program_is_unpacked(tmp_path: Path) -> None:
    front, gap = loaded(tmp_path, "deck.apkg", new_anki_deck()).exercises
    assert told(front) == ("What keeps water in?", None, "a seal")
    assert front.headings == ("Deck", "Pumps", "Seals")
    assert told(gap) == ("A ____.", "cloze", "seal")


def test_in_a_folder_only_banks_are_read_among_xml_and_archives(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("# Pumps\n\nA pump moves water.")
    (tmp_path / "bank.xml").write_text(MOODLE)
    (tmp_path / "pom.xml").write_text("<project><name>x</name></project>")
    (tmp_path / "items.zip").write_bytes(qti_package(a=QTI))
    with zipfile.ZipFile(tmp_path / "data.zip", "w") as archive:
        archive.writestr("a.csv", "1,2")
    assert [file.name for file in find_files(tmp_path).files] == ["bank.xml", "items.zip", "page.md"]


TWO_RIGHT = """<quiz><question type="multichoice"><questiontext><text>Which?</text></questiontext><single>true</single>
<answer fraction="100"><text>a</text></answer><answer fraction="100"><text>b</text></answer></question>
<question type="truefalse"><questiontext><text>Seals wear.</text></questiontext>
<answer fraction="100"><text>true</text></answer></question></quiz>"""


@pytest.mark.parametrize(
    ("name", "data", "trouble"),
    [
        ("two right", TWO_RIGHT, "2 of its choices are marked as right where only one may be"),
        ("no choice of that name", AIKEN.replace("ANSWER: B", "ANSWER: D"), "names a choice 'D'"),
        ("no question", "A. x\nANSWER: A\n\n" + AIKEN, "it has no text"),
        ("no answer", AIKEN.replace("ANSWER: B\n", ""), "no line says which answer is right"),
        ("an open brace", GIFT.replace("{TRUE #They do. #They rub.}", "{TRUE"), "never opened or closed"),
        ("none right", GIFT.replace("=a seal", "~a seal"), "none of its choices"),
        ("a key without a choice", QTI.replace("<value>B<", "<value>Z<"), "names a choice 'Z'"),
        ("a key for no question", MOODLE.replace("Seals wear.", ""), "it has no text"),
    ],
)
def test_a_broken_question_has_one_line_and_the_others_are_read(
    tmp_path: Path, name: str, data: str, trouble: str
) -> None:
    ending = "xml" if data.startswith("<") else "gift" if "{" in data else "aiken"
    exercises = loaded(tmp_path, f"a.{ending}", data).exercises
    assert [each.trouble for each in exercises if trouble in each.trouble] != []
    assert name == "a key without a choice" or any(not each.trouble for each in exercises)


ENTITIES = '<!DOCTYPE quiz [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.xml", MOODLE.replace("<quiz>", f"{ENTITIES}<quiz>").replace("Leak", "&b;"), "entities"),
        ("a.xml", '<quiz><question type="category"/></quiz>', "holds no questions"),
        ("a.xml", "<project/>", "is no question bank that is known"),
        ("a.xml", "<questestinterop/>", "QTI 1.2"),
        ("a.apkg", "not a deck", "Anki"),
        ("a.zip", b"PK\x03\x04 torn", "is no question bank that is known"),
    ],
)
def test_a_file_that_is_no_bank_is_refused_with_one_line(
    tmp_path: Path, name: str, data: bytes | str, said: str
) -> None:
    with pytest.raises(DocumentError, match=said):
        loaded(tmp_path, name, data)


def test_a_file_outside_of_the_bank_is_not_looked_up(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("hunter2")
    source = MOODLE.replace(
        "<quiz>", f'<!DOCTYPE quiz SYSTEM "{(tmp_path / "secret.txt").as_uri()}"><quiz>'
    ).replace("<text>Leak</text>", "<text>Leak &x;</text>")
    assert "hunter2" not in str(loaded(tmp_path, "a.xml", source))


def test_an_archive_that_unpacks_to_anything_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rag.loaders.document.MAX_UNPACKED", 1000)
    monkeypatch.setattr("rag.exercises.anki._MOST_BYTES", 1000)
    for name, data in (("old.apkg", anki_deck()), ("new.apkg", new_anki_deck())):
        with pytest.raises(DocumentError, match=r"unpacks to more than|holds more than"):
            loaded(tmp_path, name, data)


@pytest.mark.parametrize("ending", ["xml", "gift", "aiken"])
def test_five_thousand_questions_take_time_in_proportion(tmp_path: Path, ending: str) -> None:
    one = {
        "xml": MOODLE[
            MOODLE.index('<question type="truefalse">') : MOODLE.index('<question type="shortanswer">')
        ],
        "gift": "Seals wear. {TRUE #They do. #They rub.}\n\n",
        "aiken": AIKEN.partition("\n\n")[0] + "\n\n",
    }[ending]

    def seconds(count: int) -> float:
        whole = f"<quiz>{one * count}</quiz>" if ending == "xml" else one * count
        started = time.process_time()
        assert len(loaded(tmp_path, f"a.{ending}", whole).exercises) == count
        return time.process_time() - started

    seconds(10)
    assert seconds(5000) < 40 * max(seconds(500), 0.01)


def test_marks_that_are_never_closed_take_time_in_proportion() -> None:
    def seconds(count: int) -> float:
        started = time.process_time()
        for mark in (r"\(", r"\[", "<b", "{{c1::", "[$]"):
            from_html(mark * count)
            gaps(mark * count)
        return time.process_time() - started

    seconds(10)
    assert seconds(20_000) < 60 * max(seconds(1000), 0.01)
