"""Own material: from a drop to the first question, and what cannot be taken gets a word."""

import io
import zipfile
from pathlib import Path

import pytest

from tests.support.site import Site, soup, words
from web import uploads
from web.uploads import safe_path

LESSON = """# Sourdough

## Starter

A **starter** is a mixture of flour and water in which wild yeast lives. A starter must be fed every day.

**Hydration** is the weight of the water divided by the weight of the flour. A dough of high hydration is sticky.

## Baking

**Oven spring** is the last rise of a loaf in the first minutes in the oven. Oven spring ends when the crust is hard.

**Scoring** is a cut into the surface of a loaf that lets it rise in the oven. Without scoring the loaf bursts.
"""


async def send(site: Site, *files: tuple[str, bytes]) -> dict[str, object]:
    """Send files, and wait until they are read; the answer that the page shows last."""
    parts = [("files", (name, data)) for name, data in files]
    response = await site.client.post("/courses/upload", files=parts)
    answer = response.json()
    if response.status_code != 200:
        return {"status": response.status_code, **answer}
    state: dict[str, object] = {"is_over": False}
    while not state["is_over"]:
        state = (await site.client.get(f"/courses/reading/{answer['id']}")).json()
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
    assert (state["failed"], state["message"]) == (False, "Done: the course “Bread” was made of 1 file.")
    begin = soup(str(state["html"]))
    assert words(begin.button) == "Start with Bread"
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
    assert state["message"] == "Done: the course “Bread” was made of 1 file."
    assert "bread" in await names(site)


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
