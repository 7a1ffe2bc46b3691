"""Anki's decks: each card with its front as the question and its back as the answer."""

import json
import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from zipfile import BadZipFile, ZipFile

import zstandard

from agents.teaching.values import Exercise
from rag.exercises.pieces import GAP, from_html, headed, judged
from rag.loaders.document import MAX_BYTES
from storage.errors import DocumentError

FORM = "anki"
BROKEN = "cannot be read as an Anki deck; export it again"
_COLLECTIONS = ("collection.anki21b", "collection.anki21", "collection.anki2")  # the newest first
_MOST_BYTES = 4 * MAX_BYTES
_MOST_STEPS = 50_000  # of a thousand of SQLite's: no deck needs more, and a hostile one would never end
_BETWEEN_FIELDS = "\x1f"
_ANSWER_LINE = re.compile(r"<hr[^>]*\bid\s*=\s*[\"']?answer[^>]*>", re.IGNORECASE)
_FIELD = re.compile(r"\{\{\s*([^{}#^/][^{}]*?)\s*\}\}")
_WHERE = re.compile(
    r"\{\{\s*([#^])\s*([^{}]+?)\s*\}\}((?:(?!\{\{\s*[#^]).)*?)\{\{\s*/\s*\2\s*\}\}", re.DOTALL
)
# Neither runs over another's beginning: one that is never closed would be looked for to the end, each time.
_INSIDE = r"(?:(?!\{\{c\d|\}\}).)*?"
_CLOZE = re.compile(rf"\{{\{{c(\d+)::({_INSIDE})(?:::({_INSIDE}))?\}}\}}", re.DOTALL)
_FORMULA = re.compile(r"\[(\$\$?|latex)\]((?:(?!\[\1\]).)*?)\[/\1\]", re.DOTALL)
_SOUND = re.compile(r"\[sound:[^\]]*\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteType:
    """How the notes of one kind become cards: the names of their fields, and the front and back of each card."""

    fields: tuple[str, ...]
    cards: tuple[tuple[str, str], ...]
    has_gaps: bool


def is_deck(names: Sequence[str]) -> bool:
    """Whether an archive of these files is a deck."""
    return any(name in _COLLECTIONS for name in names)


def read(archive: ZipFile, *, name: str) -> Sequence[Exercise]:
    """The cards of a deck in the order in which they were made, each under its deck and its first tag."""
    data = _collection(archive)
    try:
        with closing(sqlite3.connect(":memory:")) as database:
            database.deserialize(_without_journal(data))
            return list(_cards(database, name=name))
    except (sqlite3.Error, ValueError, KeyError, TypeError, AttributeError, RecursionError) as err:
        raise DocumentError(BROKEN) from err


def _collection(archive: ZipFile) -> bytes:
    name = next(each for each in _COLLECTIONS if each in archive.namelist())
    try:
        if archive.getinfo(name).file_size > _MOST_BYTES:
            raise DocumentError("holds more than 200 MB of cards; export a smaller deck")
        data = archive.read(name)
        if not name.endswith("b"):
            return data
        with zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(data) as packed:
            unpacked = packed.read(_MOST_BYTES + 1)
    except (BadZipFile, OSError, EOFError, RuntimeError, NotImplementedError, ValueError) as err:
        raise DocumentError(BROKEN) from err
    except zstandard.ZstdError as err:
        raise DocumentError(BROKEN) from err
    if len(unpacked) > _MOST_BYTES:
        raise DocumentError("holds more than 200 MB of cards; export a smaller deck")
    return bytes(unpacked)


def _without_journal(data: bytes) -> bytes:
    """A database that kept its changes in a file beside it cannot be opened in memory: its header says that it has none."""
    return data[:18] + b"\x01\x01" + data[20:] if data[18:20] == b"\x02\x02" else data


def _cards(database: sqlite3.Connection, *, name: str) -> Iterator[Exercise]:
    steps = iter(range(_MOST_STEPS))
    database.set_progress_handler(lambda: next(steps, None) is None, 1000)
    database.execute("PRAGMA trusted_schema = OFF")
    database.create_collation("unicase", lambda one, other: (one > other) - (one < other))
    tables = {row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not {"notes", "cards"} <= tables:
        raise DocumentError(BROKEN)
    is_new = "notetypes" in tables
    types = dict(_new_types(database) if is_new else _old_types(database))
    decks = _deck_names(database, is_new=is_new)
    seen: set[tuple[int, str]] = set()
    rows = database.execute(
        "SELECT n.id, n.mid, n.tags, n.flds, c.ord, c.did FROM notes n JOIN cards c ON c.nid = n.id "
        "ORDER BY n.id, c.ord"
    )
    for note, kind, tags, values, number, deck in rows:
        note_type = types.get(kind)
        if note_type is None:
            continue
        fields = dict(zip(note_type.fields, values.split(_BETWEEN_FIELDS), strict=False))
        exercise = _exercise(note_type, fields, number)
        if exercise is None or (note, exercise.text) in seen:
            continue
        seen.add((note, exercise.text))
        # Decks and tags stand in each other: 'Biology::Cells'.
        tag = next(iter((tags or "").split()), "").replace("_", " ")
        yield replace(exercise, headings=headed(name, [*decks.get(deck, "").split("::"), *tag.split("::")]))


def _exercise(note_type: NoteType, fields: Mapping[str, str], number: int) -> Exercise | None:
    if note_type.has_gaps:
        return _gap(note_type, fields, number + 1)
    if number >= len(note_type.cards):
        return None
    front, back = note_type.cards[number]
    asked = _side(front, fields)
    # What stands above the line is the front once more.
    told = _ANSWER_LINE.split(back)[-1]
    answer = _side(re.sub(r"\{\{\s*FrontSide\s*\}\}", "", told), fields)
    question, key = from_html(asked), from_html(answer)
    return judged(
        Exercise(
            text=question.text, form=FORM, key=key.text, trouble="" if key.text else "its back has no words"
        ),
        has_media=question.has_media or bool(_SOUND.search(asked)),
    )


def _gap(note_type: NoteType, fields: Mapping[str, str], number: int) -> Exercise | None:
    source = next((value for value in fields.values() if f"{{{{c{number}::" in value), "")
    keys = [key for gap, key in gaps(source) if gap == number]
    if not keys:
        return None

    def shown(found: re.Match[str]) -> str:
        if int(found[1]) != number:
            return found[2]
        return f"{GAP} ({found[3]})" if found[3] else GAP

    text = from_html(_formulas(_CLOZE.sub(shown, source)))
    others = [value for value in fields.values() if value != source]
    told = "\n\n".join(filter(None, (from_html(_formulas(_SOUND.sub("", value))).text for value in others)))
    exercise = Exercise(
        text=_SOUND.sub("", text.text).strip(),
        form=FORM,
        kind="cloze",
        key=", ".join(from_html(_formulas(key)).text for key in keys),
        solution=told,
    )
    return judged(exercise, has_media=text.has_media)


def gaps(source: str) -> list[tuple[int, str]]:
    """The gaps of a text by their numbers, with what belongs into each."""
    return [(int(found[1]), found[2]) for found in _CLOZE.finditer(_formulas(source))]


def _side(template: str, fields: Mapping[str, str]) -> str:
    """One side of a card: the fields in their places, and what stands there only where a field has words."""
    for _ in range(5):  # conditions stand in each other
        filled, times = _WHERE.subn(
            lambda found: found[3] if bool(fields.get(found[2], "").strip()) == (found[1] == "#") else "",
            template,
        )
        if not times:
            break
        template = filled
    # 'type:Back' asks for the field to be typed in; 'text:Front' is the field.
    shown = _FIELD.sub(
        lambda found: "" if found[1].startswith("type:") else fields.get(found[1].rpartition(":")[2], ""),
        template,
    )
    return _formulas(shown)


def _formulas(source: str) -> str:
    return _FORMULA.sub(
        lambda found: rf"\[{found[2]}\]" if found[1] == "$$" else rf"\({found[2].strip().strip('$')}\)",
        source,
    )


def _old_types(database: sqlite3.Connection) -> Iterator[tuple[int, NoteType]]:
    (models,) = database.execute("SELECT models FROM col").fetchone()
    for number, model in json.loads(models).items():
        yield (
            int(number),
            NoteType(
                fields=tuple(each["name"] for each in sorted(model["flds"], key=lambda each: each["ord"])),
                cards=tuple(
                    (each["qfmt"], each["afmt"])
                    for each in sorted(model["tmpls"], key=lambda each: each["ord"])
                ),
                has_gaps=model.get("type") == 1,
            ),
        )


def _new_types(database: sqlite3.Connection) -> Iterator[tuple[int, NoteType]]:
    fields: dict[int, list[str]] = defaultdict(list)
    for kind, name in database.execute("SELECT ntid, name FROM fields ORDER BY ntid, ord"):
        fields[kind].append(name)
    cards: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for kind, config in database.execute("SELECT ntid, config FROM templates ORDER BY ntid, ord"):
        message = _message(config)
        front, back = (message.get(number, b"") for number in (1, 2))
        cards[kind].append((_text(front), _text(back)))
    for kind, config in database.execute("SELECT id, config FROM notetypes"):
        has_gaps = _message(config).get(1) == 1
        yield kind, NoteType(fields=tuple(fields[kind]), cards=tuple(cards[kind]), has_gaps=has_gaps)


def _text(value: bytes | int) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""


def _deck_names(database: sqlite3.Connection, *, is_new: bool) -> dict[int, str]:
    if is_new:
        return {
            number: name.replace(_BETWEEN_FIELDS, "::")
            for number, name in database.execute("SELECT id, name FROM decks")
        }
    (decks,) = database.execute("SELECT decks FROM col").fetchone()
    return {int(number): str(deck["name"]) for number, deck in json.loads(decks).items()}


def _message(data: bytes) -> dict[int, bytes | int]:
    """The numbered fields of a protobuf message, as far as numbers and texts go: what Anki keeps its settings in."""
    found: dict[int, bytes | int] = {}
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        kind = tag & 7
        if kind == 0:
            found[tag >> 3], at = _varint(data, at)
        elif kind == 2:
            size, at = _varint(data, at)
            found[tag >> 3] = data[at : at + size]
            at += size
        else:
            at += {1: 8, 5: 4}[kind]
    return found


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
