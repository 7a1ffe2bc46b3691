"""The language model on the page: found, tried, chosen, and changed while the tutor runs; by its operator only."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from agents.chosen_model import FILE_NAME, read_choice
from agents.models.nearby import LocalServer
from evals.doubles.openai_server import OpenAiServer, openai_server
from tests.support.pages import OpenSite
from tests.support.site import Site, site_in, words
from web.access import Doors
from web.models import Neighbourhood

KEY = "sk-very-secret"


@pytest.fixture
def server() -> Iterator[OpenAiServer]:
    with openai_server() as found:
        yield found


@pytest.fixture
async def free(folder: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Site]:
    """A tutor whose model nobody has named."""
    for name in ("GOOGLE_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    async with site_in(folder, TUTOR_MODEL="") as opened:
        opened.web.state.neighbourhood = Neighbourhood(opened.services.settings, servers=())
        yield opened


async def choose(site: Site, **form: str) -> httpx.Response:
    return await site.client.post("/model", data={"then": "use", **form})


def beside(site: Site, server: OpenAiServer) -> None:
    """A model server runs on this machine."""
    here = LocalServer(name="LM Studio", port=urlsplit(server.url).port or 0)
    site.web.state.neighbourhood = Neighbourhood(site.services.settings, servers=[here], seconds=30)


async def test_a_model_that_runs_here_is_offered_and_used_with_one_press(
    free: Site, server: OpenAiServer, folder: Path
) -> None:
    beside(free, server)
    await free.see("/")  # looks beside the page
    await free.web.state.neighbourhood.close()
    offer = (await free.see("/")).select_one(".offer")
    assert offer is not None
    assert offer.get_text().strip().startswith("A model is running here: strong. Use it?")
    form = {str(each["name"]): str(each["value"]) for each in offer.select("input")}
    assert (await choose(free, **form)).status_code == 303
    assert not (await free.see("/")).select(".offer")
    await free.start()
    assert server.requests, "the next message goes to it, without a new start"
    assert "strong" in words(await free.see("/yours"))


async def test_a_key_is_kept_and_never_shown_again(free: Site, server: OpenAiServer, folder: Path) -> None:
    await choose(free, where="server", model_name="strong", url=server.url, key=KEY)
    kept = read_choice(folder / "data")
    assert kept is not None
    assert kept.key == KEY
    assert (folder / "data" / FILE_NAME).stat().st_mode & 0o077 == 0
    for path in ("/model", "/yours", "/", "/yours/export.json"):
        assert KEY not in (await free.client.get(path)).text
    await free.start()
    assert set(server.keys) == {f"Bearer {KEY}"}


async def test_a_model_is_tried_before_it_is_used(free: Site, server: OpenAiServer, folder: Path) -> None:
    tried = await choose(free, where="server", model_name="strong", url=server.url, then="test")
    assert tried.status_code == 200
    assert "answered after" in tried.text
    nobody = await choose(free, where="server", model_name="strong", url="http://127.0.0.1:9/v1", then="test")
    assert nobody.status_code == 422
    assert "did not answer" in nobody.text
    nothing = await choose(free, where="none", then="test")
    assert "nothing to try" in nothing.text
    assert read_choice(folder / "data") is None


async def test_what_cannot_be_a_model_is_refused_with_a_word(free: Site, folder: Path) -> None:
    for form in (
        {"where": "server", "model_name": "phi", "url": "ftp://x"},
        {"where": "server", "model_name": ""},
        {"where": "gemini", "model_name": "gpt-5"},
        {"where": "gemini"},
        {"where": "here", "here": "ollama:gone"},
        {"where": "server", "model_name": "a\nb", "url": "http://127.0.0.1:9/v1"},
    ):
        assert (await choose(free, **form)).status_code in (409, 422), form
    assert read_choice(folder / "data") is None


async def test_what_the_environment_names_stays(site: Site, folder: Path) -> None:
    assert "named where the tutor is started" in words(await site.see("/model"))
    assert (await choose(site, where="none")).status_code == 409
    assert read_choice(folder / "data") is None


async def test_learners_choose_no_model_and_teachers_no_address(open_site: OpenSite) -> None:
    site = open_site(doors=Doors(way="accounts"), TUTOR_MODEL="")
    ada, tess = await site.member("ada"), await site.member("tess", is_teacher=True)
    assert (await ada.get("/model")).status_code == 403
    assert (await ada.submit("/model", {"where": "none"})).status_code == 403
    typed = {"where": "server", "model_name": "x", "url": "http://127.0.0.1:9/v1"}
    assert (await tess.submit("/model", typed)).status_code == 422
