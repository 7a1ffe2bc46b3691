"""Who may come in: by which door, with which cookie, and what everybody else is told."""

import asyncio
import re
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.routing import APIRoute

from storage.accounts import Accounts
from storage.errors import ConfigurationError
from tests.support.pages import PASSWORD, Clock, OpenSite, Person, Site
from web.access import KEY_FILE, BrowserVisit, Doors, Seal, choose_doors, own_key
from web.yours import Tries

ACCOUNTS = choose_doors(host="0.0.0.0", has_accounts=True)
PROXY = choose_doors(host="0.0.0.0", has_accounts=False, header="X-User", addresses="10.0.0.7, 10.1.0.0/24")


@pytest.fixture
async def home(open_site: OpenSite) -> Site:
    """The tutor on somebody's own machine."""
    return open_site()


@pytest.fixture
async def school(open_site: OpenSite) -> Site:
    """A tutor that several people reach, with accounts."""
    return open_site(doors=ACCOUNTS)


# --- Which door -------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "[::1]", "localhost", "127.8.0.1"])
def test_on_loopback_nobody_signs_in(host: str) -> None:
    assert choose_doors(host=host, has_accounts=True).way == "local"


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "::", "tutor.example.org"])
def test_beyond_loopback_there_is_no_start_without_accounts_or_a_proxy(host: str) -> None:
    with pytest.raises(ConfigurationError, match=r"tutor user add NAME.*proxy_header"):
        choose_doors(host=host, has_accounts=False)
    assert choose_doors(host=host, has_accounts=True).way == "accounts"


def test_sign_in_can_be_asked_for_on_loopback_too() -> None:
    assert choose_doors(host="127.0.0.1", has_accounts=True, signs_in=True).way == "accounts"
    with pytest.raises(ConfigurationError, match="tutor user add"):
        choose_doors(host="127.0.0.1", has_accounts=False, signs_in=True)


def test_a_proxys_header_needs_the_proxys_addresses() -> None:
    with pytest.raises(ConfigurationError, match="TUTOR_PROXY_ADDRESSES"):
        choose_doors(host="0.0.0.0", has_accounts=True, header="X-User")
    with pytest.raises(ConfigurationError, match="has 'the'"):
        choose_doors(host="0.0.0.0", has_accounts=True, header="X-User", addresses="the proxy")
    assert PROXY.way == "proxy"
    assert PROXY.is_proxy("10.1.0.9")
    assert not PROXY.is_proxy("10.2.0.9")
    assert not PROXY.is_proxy("testclient")


# --- On one's own machine ---------------------------------------------------------------------------


async def test_at_home_there_is_one_learner_who_is_the_teacher_too(home: Site) -> None:
    page = await home.person().get("/")

    assert page.status_code == 200
    assert "/teacher" in page.text
    assert "Sign out" not in page.text
    assert (await home.person().get("/sign-in")).headers["location"] == "/"


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "", "[", "10.0.0.4"]
)
async def test_a_name_that_points_here_from_elsewhere_is_refused(home: Site, host: str) -> None:
    """A page elsewhere can make its own name mean this machine (DNS rebinding)."""
    refused = await home.person().get("/", headers={"host": host})

    assert refused.status_code == 403
    assert "127.0.0.1 and localhost only" in refused.text


@pytest.mark.parametrize("home_url", ["http://localhost:8000", "http://[::1]:8000", "http://127.0.0.1"])
async def test_this_machines_own_names_are_welcome(home: Site, home_url: str) -> None:
    assert (await home.person(home=home_url).get("/")).status_code == 200


async def test_without_sign_in_neither_another_machine_nor_a_proxy_is_let_in(home: Site) -> None:
    other = await home.person(address="192.168.1.9").get("/")
    proxied = await home.person().get("/", headers={"x-forwarded-for": "203.0.113.5"})

    assert (other.status_code, proxied.status_code) == (403, 403)
    assert "--sign-in" in other.text
    assert (await home.person(address="192.168.1.9").get("/static/page.css")).status_code == 403


# --- Accounts ---------------------------------------------------------------------------------------


async def test_who_is_not_signed_in_is_sent_to_the_door_and_back(school: Site) -> None:
    await school.member("ada")
    stranger = school.person()
    sent = await stranger.get("/?course=ros")
    back = await stranger.submit(
        "/sign-in", {"username": "Ada", "password": PASSWORD, "next": "/?course=ros"}, on="/sign-in"
    )

    assert sent.headers["location"] == "/sign-in?next=/%3Fcourse%3Dros"
    assert (back.status_code, back.headers["location"]) == (303, "/?course=ros")
    assert "ada" in (await stranger.get("/")).text


@pytest.mark.parametrize("path", ["/", "/teacher", "/api/progress", "/study", "/openapi.json"])
async def test_nothing_is_shown_to_a_stranger(school: Site, path: str) -> None:
    await school.account("ada")
    answer = await school.person(follow_redirects=True).get(path)

    assert answer.status_code in (200, 401)
    assert "Sign in" in answer.text or "sign in" in answer.json()["message"]


async def test_a_wrong_password_and_an_unknown_name_hear_the_same(school: Site) -> None:
    await school.member("ada")
    person = school.person()
    wrong = await person.submit("/sign-in", {"username": "ada", "password": "guess"}, on="/sign-in")
    unknown = await person.submit("/sign-in", {"username": "eve", "password": "guess"}, on="/sign-in")

    assert (wrong.status_code, unknown.status_code) == (401, 401)
    assert "do not go together" in wrong.text
    assert _words(wrong) == _words(unknown)
    assert (await person.get("/")).status_code == 303


async def test_after_five_wrong_passwords_the_right_one_has_to_wait(school: Site) -> None:
    await school.member("ada")
    person = school.person()
    for _ in range(5):
        await person.submit("/sign-in", {"username": "ada", "password": "guess"}, on="/sign-in")
    limited = await person.submit("/sign-in", {"username": "ADA", "password": PASSWORD}, on="/sign-in")
    elsewhere = school.person(address="192.168.1.9")
    from_elsewhere = await elsewhere.submit(
        "/sign-in", {"username": "ada", "password": PASSWORD}, on="/sign-in"
    )
    school.clock.passes(minutes=16)
    later = await person.submit("/sign-in", {"username": "ada", "password": PASSWORD}, on="/sign-in")

    assert limited.status_code == 429
    assert "Wait 15 minutes" in limited.text
    assert limited.headers["retry-after"] == "900"
    assert from_elsewhere.status_code == 303, "whoever guesses cannot lock the learner out elsewhere"
    assert later.status_code == 303


def test_tries_are_counted_by_name_and_by_address() -> None:
    clock = Clock()
    tries = Tries(clock)
    for number in range(20):
        assert tries.wait(f"name{number}", "a") is None
        tries.failed(f"name{number}", "a")

    assert tries.wait("another", "a") is not None, "one address may not try many names"
    assert tries.wait("name1", "b") is None
    clock.passes(minutes=15)
    assert tries.wait("another", "a") is None


async def test_a_password_is_set_once_by_its_link(school: Site) -> None:
    link = await school.account("ada")
    person = school.person()
    page = await person.get(link)
    short = await person.submit(link, {"password": "short", "again": "short"}, on=link)
    unlike = await person.submit(link, {"password": PASSWORD, "again": PASSWORD + "!"}, on=link)
    in_ = await person.submit(link, {"password": PASSWORD, "again": PASSWORD}, on=link)
    used = await school.person().get(link)

    assert "Welcome, ada" in page.text
    assert (short.status_code, unlike.status_code) == (422, 422)
    assert "10 to 200 characters" in short.text
    assert "differ" in unlike.text
    assert in_.status_code == 303
    assert (await person.get("/")).status_code == 200
    assert used.status_code == 410
    assert "used already, or has expired" in used.text


async def test_a_password_is_kept_as_a_slow_hash_only(school: Site) -> None:
    await school.member("ada")
    account = await Accounts(school.services.database).get("ada")

    assert account is not None
    assert (account.password_hash or "").startswith("$argon2id$")
    assert PASSWORD not in str(account)


async def test_a_link_expires_and_an_invented_one_is_none(school: Site) -> None:
    link = await school.account("ada")
    school.clock.passes(days=8)

    assert (await school.person().get(link)).status_code == 410
    assert (await school.person().get("/invite/made-up")).status_code == 410


async def test_who_signs_out_is_out(school: Site) -> None:
    ada = await school.member("ada")
    out = await ada.submit("/sign-out", {})

    assert out.headers["location"] == "/sign-in"
    assert (await ada.get("/")).headers["location"].startswith("/sign-in")


async def test_an_expired_cookie_is_told_so_and_a_visit_keeps_it_fresh(school: Site) -> None:
    ada = await school.member("ada")
    for _ in range(3):
        school.clock.passes(days=10)
        assert (await ada.get("/")).status_code == 200, "who comes often stays signed in"
    school.clock.passes(days=15)
    sent = await ada.get("/")
    ada.cookies.clear()
    fresh = await ada.get("/sign-in?why=expired")

    assert sent.headers["location"] == "/sign-in?next=/&why=expired"
    assert "go on where you stopped" in fresh.text


@pytest.mark.parametrize("cookie", ["made-up", "", "a.b.c", "eyJuYW1lIjoiYWRhIn0.c2lnbmF0dXJl", "é"])
async def test_a_forged_cookie_lets_nobody_in(school: Site, cookie: str) -> None:
    await school.member("ada")
    name = Seal(own_key(school.services.settings.data_dir)).cookie
    sent = await school.person().get("/", headers={"cookie": f"{name}={cookie}".encode()})

    assert sent.status_code == 303
    assert sent.headers["location"].startswith("/sign-in")


async def test_a_cookie_sealed_with_another_key_or_for_a_closed_account_is_none_of_ours(school: Site) -> None:
    await school.member("ada")
    ours = Seal(own_key(school.services.settings.data_dir))
    visit = BrowserVisit(id="x", at=school.clock(), name="ada")
    forged = await school.person(cookies={ours.cookie: Seal(b"x" * 32).close(visit)}).get("/")
    genuine = await school.person(cookies={ours.cookie: ours.close(visit)}).get("/")
    nobody = ours.close(BrowserVisit(id="x", at=school.clock(), name="eve"))
    closed = await school.person(cookies={ours.cookie: nobody}).get(
        "/", headers={"accept": "application/json"}
    )

    assert forged.headers["location"].endswith("why=unknown")
    assert genuine.status_code == 200
    assert closed.status_code == 401
    assert "none of ours" in closed.json()["message"]


async def test_a_new_password_ends_the_visits_of_the_old_one(school: Site) -> None:
    ada = await school.member("ada")
    school.clock.passes(hours=1)
    accounts = Accounts(school.services.database)
    await accounts.use_link("none", password_hash="", now=school.clock())
    await accounts.renew_link("ada", link="again", expires_at=school.clock.time.replace(year=2030))
    assert (await ada.get("/")).status_code == 200
    await accounts.use_link("again", password_hash="another", now=school.clock())

    assert (await ada.get("/")).headers["location"].endswith("why=unknown")


async def test_the_cookie_is_shut_away_and_secure_behind_tls(open_site: OpenSite) -> None:
    site = open_site(doors=Doors(way="accounts", proxies=PROXY.proxies))
    plain = await site.person().get("/sign-in")
    tls = await site.person(home="https://127.0.0.1").get("/sign-in")
    proxied = await site.person(address="10.0.0.7").get("/sign-in", headers={"x-forwarded-proto": "https"})
    claimed = await site.person(address="10.9.9.9").get("/sign-in", headers={"x-forwarded-proto": "https"})

    for answer in (plain, tls, proxied, claimed):
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie
    assert ["Secure" in each.headers["set-cookie"] for each in (plain, tls, proxied, claimed)] == [
        False,
        True,
        True,
        False,
    ]


def test_the_key_is_made_once_and_for_its_owner_only(tmp_path: Path) -> None:
    key = own_key(tmp_path / "data")
    file = tmp_path / "data" / KEY_FILE

    assert own_key(tmp_path / "data") == key
    assert len(key) == 32
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.write_bytes(b"")
    with pytest.raises(ConfigurationError, match="broken"):
        own_key(tmp_path / "data")


@pytest.mark.parametrize(
    "next_", ["//evil.example", "https://evil.example", "/\\evil.example", "", "/a\r\nX: y"]
)
async def test_signing_in_never_leads_to_somebody_elses_page(school: Site, next_: str) -> None:
    await school.member("ada")
    values = {"username": "ada", "password": PASSWORD, "next": next_}
    in_ = await school.person().submit("/sign-in", values, on="/sign-in")

    assert in_.headers["location"] == "/"


# --- A proxy that asks ------------------------------------------------------------------------------


async def test_a_listed_proxy_says_who_comes_and_nobody_else_can(open_site: OpenSite) -> None:
    site = open_site(doors=PROXY)
    await site.account("tess", is_teacher=True)
    proxy, stranger = site.person(address="10.0.0.7"), site.person(address="10.0.0.8")
    ada = await proxy.get("/", headers={"x-user": "Ada"})
    tess = await proxy.get("/", headers={"x-user": "tess"})
    nobody = await proxy.get("/")
    claimed = await stranger.get("/", headers={"x-user": "tess"})

    assert ada.status_code == 200
    assert "ada" in ada.text
    assert "/teacher" not in ada.text
    assert "/teacher" in tess.text
    assert nobody.status_code == 401
    assert "did not say who you are" in nobody.text
    assert claimed.status_code == 403
    assert "through its proxy only" in claimed.text


# --- Every form and every header --------------------------------------------------------------------


async def test_no_change_is_made_without_our_pages_token(home: Site) -> None:
    """Whatever page is open beside ours, it cannot send a form in the learner's name."""
    person = home.person()
    await person.get("/")
    for path, method in _changes(home):
        sent = await person.request(method, path, data={"csrf_token": "0" * 64})
        assert sent.status_code == 403, path
        assert "Reload it and try again" in sent.text, path
        assert (await home.person().request(method, path, content=b"{}")).status_code == 403, path


async def test_a_token_of_one_visit_is_of_no_use_in_another(school: Site) -> None:
    ada, bob = await school.member("ada"), await school.member("bob")
    stolen = await ada.post("/sign-out", data={"csrf_token": await bob.token()})
    own = await ada.post("/sign-out", headers={"x-csrf-token": await ada.token()})

    assert stolen.status_code == 403
    assert own.status_code == 303


async def test_every_answer_forbids_foreign_script_and_frames(school: Site) -> None:
    for path in ("/", "/sign-in", "/invite/none", "/static/page.css", "/api/progress", "/nowhere"):
        policy = (await school.person().get(path)).headers["content-security-policy"]
        assert "default-src 'none'" in policy, path
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy


async def test_pages_hold_no_inline_script_or_style(school: Site) -> None:
    tess = await school.member("tess", is_teacher=True)
    link = await school.account("ada")
    for path in ("/", "/sign-in", link, "/teacher"):
        text = (await tess.get(path)).text
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=\"", text), path


def _changes(site: Site) -> list[tuple[str, str]]:
    def walk(routes: Iterable[Any]) -> Iterator[tuple[str, str]]:
        for route in routes:
            if isinstance(route, APIRoute):
                path = re.sub(r"{[^}]*}", "1", route.path)
                yield from ((path, method) for method in route.methods - {"GET", "HEAD"})
            elif hasattr(route, "original_router"):
                yield from walk(route.original_router.routes)

    found = list(walk(site.web.routes))
    assert ("/sign-in", "POST") in found
    return found


def _words(answer: httpx.Response) -> list[str]:
    return re.findall(r'role="alert">([^<]*)', answer.text)


async def test_two_at_once_use_one_link_and_one_of_them_is_in(school: Site) -> None:
    link = await school.account("ada")
    people: list[Person] = [school.person(), school.person()]
    tokens = [await person.token(link) for person in people]
    answers = await asyncio.gather(
        *(
            person.post(link, data={"password": PASSWORD, "again": PASSWORD, "csrf_token": token})
            for person, token in zip(people, tokens, strict=True)
        )
    )

    assert sorted(answer.status_code for answer in answers) == [303, 410]
