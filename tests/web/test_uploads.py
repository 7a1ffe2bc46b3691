"""Own material: from a drop to the first question, and what cannot be taken gets a word."""

import asyncio
import io
import threading
import zipfile
from pathlib import Path

import pytest
from bs4 import Tag

import rag.ingest
from rag.ingest import IngestProgress
from rag.loaders import LoadedDocument, load_document
from tests.support.site import Site, soup, words
from web import uploads
from web.uploads import UploadReading, safe_path

LESSON = """# Sourdough

## Starter

A **starter** is a mixture of flour and water in which wild yeast lives. A starter must be fed every day.

**Hydration** is the weight of the water divided by the weight of the flour. A dough of high hydration is sticky.

## Baking

**Oven spring** is the last rise of a loaf in the first minutes in the oven. Oven spring ends when the crust is hard.

**Scoring** is a cut into the surface of a loaf that lets it rise in the oven. Without scoring the loaf bursts.
"""

QUESTIONS = """What lives in a starter of a sourdough? {=wild yeast =yeast}

Why does a loaf burst without scoring? {}
"""


async def send(site: Site, *files: tuple[str, bytes]) -> dict[str, object]:
    """Send files, and wait until they are read; the answer that the page shows last."""
    parts = [("files", (name, data)) for name, data in files]
    response = await site.client.post("/courses/upload", files=parts)
    answer = response.json()
    if response.status_code != 200:
        return {"status": response.status_code, **answer}
    return await until_read(site, answer["id"])


async def until_read(site: Site, number: str) -> dict[str, object]:
    state: dict[str, object] = {"is_over": False}
    while not state["is_over"]:
        state = (await site.client.get(f"/courses/reading/{number}")).json()
    return state


def zipped(**files: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


async def names(site: Site) -> set[str]:
    return {course.name for course in await site.services.library.courses()}


async def test_own_material_leads_to_the_first_question(site: Site) -> None:
    state = await send(site, ("bread/sourdough.md", LESSON.encode()))
    assert (state["failed"], state["message"]) == (False, "Your course “Bread” is ready.")
    begin = soup(str(state["html"]))
    assert words(begin.button) == "Begin: Sourdough"
    form = {each["name"]: each["value"] for each in begin.select("input")}
    await site.client.post("/study/start", data=form)
    page = await site.see("/study")
    assert "wild yeast" in words(page.select_one("#lesson"))
    assert (await site.state()).course == "bread"
    assert page.select_one("#question")


def torn(archive: bytes) -> bytes:
    """The same archive with another first block of what is packed in it."""
    data = bytearray(archive)
    start = 30 + len("a.md")
    data[start : start + 4] = b"\xff\xff\xff\xff"
    return bytes(data)


async def test_a_folder_may_come_as_one_zip(site: Site) -> None:
    state = await send(site, ("bread.zip", zipped(**{"bread/a.md": LESSON.encode(), "bread/.git/x": b"x"})))
    assert state["message"] == "Your course “Bread” is ready."
    assert "bread" in await names(site)


def first_course(page: Tag) -> str:
    """The course that the first button of a page begins."""
    start = page.select_one('form[action="/study/start"] input[name=course]')
    assert start is not None
    return str(start["value"])


async def test_what_was_added_last_is_offered_first(site: Site) -> None:
    """To a newcomer, and to who was in the middle of another course; whoever has begun it goes on there."""
    assert first_course(await site.see("/")) == "physical-ai"
    await send(site, ("zebras.zip", zipped(**{"zebras/a.md": LESSON.encode()})))
    assert first_course(await site.see("/")) == "zebras"
    await site.start()
    await send(site, ("yeast/sourdough.md", LESSON.encode()))
    page = await site.see("/")
    assert words(page.select_one(".ready h2")) == "Yeast"
    assert first_course(page) == "yeast"
    await site.start("Sourdough", course="yeast")
    page = await site.see("/")
    assert not page.select(".ready")
    assert words(page.select_one(".course h3")) == "Yeast"


async def test_a_course_says_what_can_be_taught_and_asked_of_it(site: Site) -> None:
    await send(site, ("bread/1-sourdough.md", LESSON.encode()), ("bread/2-checks.gift", QUESTIONS.encode()))
    page = await site.see("/course", params={"course": "bread"})
    facts = words(page.select_one("main > .small"))
    assert "3 sections to read" in facts
    assert "1 question of its author" in facts
    assert "1 question without an answer, so not asked" in facts
    assert [words(each) for each in page.select(".pages button")] == ["Sourdough"]


async def test_what_was_not_read_is_listed_with_its_reason(site: Site) -> None:
    files = [("bread/a.md", LESSON.encode()), ("bread/torn.pdf", b"%PDF-1.4 no"), ("bread/old.doc", b"x")]
    state = await send(site, *files)
    for html in (soup(str(state["html"])), await site.see("/course", params={"course": "bread"})):
        unread = {words(each.strong): words(each) for each in html.select(".unread li")}
        assert set(unread) == {"torn.pdf", "old.doc"}
        assert unread["torn.pdf"] != "torn.pdf"
        assert "format that is not read" in unread["old.doc"]


async def test_a_course_is_renamed_read_again_and_removed_where_it_is_seen(site: Site) -> None:
    await send(site, ("bread/sourdough.md", LESSON.encode()))
    named = await site.client.post("/course/rename", data={"course": "bread", "new_title": "Loaves"})
    assert words((await site.see(named.headers["location"])).h1) == "Loaves"
    path = site.web.state.uploads.folder / "bread" / "bread" / "rye.md"
    path.write_text(LESSON.replace("Sourdough", "Rye"))
    json_wanted = {"Accept": "application/json"}
    begun = await site.client.post("/courses/read", data={"course": "bread"}, headers=json_wanted)
    state = await until_read(site, begun.json()["id"])
    assert state["message"] == "“Loaves”: 1 added."
    assert "Rye" in words(await site.see("/course", params={"course": "bread"}))
    refused = await site.client.post("/course/remove", data={"course": "bread"})
    assert refused.status_code == 422
    await site.client.post("/course/remove", data={"course": "bread", "sure": "yes"})
    assert await names(site) == {"physical-ai"}


async def test_reading_says_what_it_does_how_far_it_is_and_how_long_it_takes(
    site: Site, tmp_path: Path
) -> None:
    folder = tmp_path / "bread"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.md").write_text(LESSON.replace("Sourdough", f"Bread {number}"))
    heard: list[IngestProgress] = []
    await site.services.library.ingest([folder], on_progress=heard.append)
    assert list(dict.fromkeys(each.stage for each in heard)) == [
        "reading",
        "indexing",
        "connecting",
        "saving",
    ]
    shares = [each.share for each in heard]
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1.0)
    reading = UploadReading(user_id="user", course="bread")
    reading.began -= 30
    assert reading.seconds_left is None
    reading.progressed(next(each for each in heard if each.stage == "connecting"))
    assert reading.message == "Finding what it teaches, and what its author asks"
    assert reading.seconds_left == pytest.approx(20, abs=1)


async def test_the_tutor_answers_while_it_reads(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that takes long is read beside the pages, not in front of them."""
    goes_on, reading = threading.Event(), threading.Event()

    def slow(path: Path, *, root: Path) -> LoadedDocument:
        reading.set()
        assert goes_on.wait(30)
        return load_document(path, root=root)

    monkeypatch.setattr(rag.ingest, "load_document", slow)
    parts = [("files", ("bread/a.md", LESSON.encode()))]
    number = (await site.client.post("/courses/upload", files=parts)).json()["id"]
    await asyncio.to_thread(reading.wait, 30)
    state = (await site.client.get(f"/courses/reading/{number}")).json()
    assert (state["is_over"], state["message"]) == (False, "Reading the files: 0 of 1")
    goes_on.set()
    assert not (await until_read(site, number))["failed"]


async def test_what_is_there_already_is_never_written_over(site: Site) -> None:
    await send(site, ("physical-ai/sourdough.md", LESSON.encode()))
    assert await names(site) == {"physical-ai", "physical-ai-2"}


async def test_a_hostile_file_is_read_and_can_do_nothing(site: Site) -> None:
    hostile = (
        LESSON.replace(
            "A starter must",
            '<script>alert(1)</script> <img src=x onerror="alert(1)"> [x](javascript:alert(1)) A starter must',
        )
        + "\n![p](https://tracker.example/p.png)\n"
    )
    await send(site, ("evil<b>/so'ur\"dough.md", hostile.encode()))
    [course] = await names(site) - {"physical-ai"}
    await site.start("Sourdough", course=course)
    page = (await site.client.get("/study")).text
    assert len(soup(page).find_all("script")) == 1
    assert not soup(page).select("#main img, #main [onerror], a[href^=javascript]")
    assert 'src="https://' not in page


@pytest.mark.parametrize("tells_its_size", [True, False])
async def test_what_is_too_large_is_refused_before_it_is_taken(
    site: Site, monkeypatch: pytest.MonkeyPatch, tells_its_size: bool
) -> None:
    monkeypatch.setattr(uploads, "MOST_BYTES", 50_000)
    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    size = {"Content-Length": str(200 * 1024 * 1024)} if tells_its_size else {}
    head = b'--x\r\nContent-Disposition: form-data; name="files"; filename="a.md"\r\n\r\n'
    sent = 0

    async def body():  # type: ignore[no-untyped-def]
        nonlocal sent
        yield head
        for _ in range(200):
            sent += 1000
            yield b"a" * 1000

    response = await site.client.post("/courses/upload", content=body(), headers=kind | size)
    assert response.status_code == 413
    assert "Nothing was added" in response.json()["message"]
    assert await names(site) == {"physical-ai"}
    assert not list(site.web.state.uploads.folder.glob("*"))


async def test_a_zip_bomb_is_refused_and_leaves_nothing(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "_MOST_UNPACKED", 1_000_000)
    bomb = zipped(**{"a.md": b"a" * 5_000_000})
    liar = bomb.replace((5_000_000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    for archive in (bomb, liar, zipped(**{f"{number}.md": b"a" for number in range(6000)})):
        state = await send(site, ("bomb.zip", archive))
        assert state["status"] == 400
        assert "archive" in str(state["message"])
    assert await names(site) == {"physical-ai"}
    assert not list(site.web.state.uploads.folder.glob("*"))


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("photo.jpg", b"\xff\xd8\xff", "Nothing in it could be read"),
        ("empty.md", b"", "Nothing in it could be read"),
        ("broken.pdf", b"%PDF-1.4 nothing", "Nothing in it could be read"),
        ("broken.zip", b"PK\x03\x04 nothing", "broken or has a password"),
        ("torn.zip", torn(zipped(**{"a.md": LESSON.encode()})), "broken or has a password"),
        (".hidden", b"x", "nothing in it"),
    ],
)
async def test_what_cannot_be_read_gets_a_word_and_leaves_nothing(
    site: Site, name: str, data: bytes, said: str
) -> None:
    state = await send(site, (name, data))
    assert said in str(state["message"])
    assert await names(site) == {"physical-ai"}
    assert not list(site.web.state.uploads.folder.glob("*"))


async def test_nobody_sees_how_far_anothers_upload_is(site: Site) -> None:
    parts = [("files", ("bread.md", LESSON.encode()))]
    answer = (await site.client.post("/courses/upload", files=parts)).json()
    site.client.cookies.set("who", "grace")
    assert (await site.client.get(f"/courses/reading/{answer['id']}")).status_code == 404
    site.client.cookies.delete("who")
    assert (await site.client.get(f"/courses/reading/{answer['id']}")).status_code == 200


@pytest.mark.parametrize(
    ("raw", "safe"),
    [
        ("a/b.md", "a/b.md"),
        ("../../etc/passwd", "etc/passwd"),
        ("/etc/passwd", "etc/passwd"),
        ("a\\..\\b.md", "a/b.md"),
        ("C:\\x\\b.md", "C/x/b.md"),
        (".git/config", ""),
        ("__MACOSX/a.md", ""),
        ("a\0b\n.md", "ab.md"),
        ("", ""),
    ],
)
def test_a_name_never_leads_out_of_its_folder(raw: str, safe: str, tmp_path: Path) -> None:
    assert safe_path(raw) == safe
    assert (tmp_path / safe_path(raw)).resolve().is_relative_to(tmp_path)
