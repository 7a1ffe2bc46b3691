"""Presses what can be pressed on a page, as it is found there, and says what came of it: nothing is listed by hand.

Without Playwright's own locators, whose helpers cost each new document more than it costs itself.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urljoin, urlsplit

from playwright.sync_api import ConsoleMessage, Error, Page, Request, Response

_MOST_PAGES = 4  # that follow each other on one press
NOTHING = "nothing changed"
_WENT_WRONG = re.compile(r"Something went wrong (?:inside|on my)|That did not work")
_ONE_OF_MANY = re.compile(r"(?<=/)(?:passage|picture|invite)/[^/?#]+")

# Everything that can be pressed and is shown, with folded parts opened.
_FIND = """() => {
  document.querySelectorAll("[data-press]").forEach((each) => each.removeAttribute("data-press"));
  document.querySelectorAll("details").forEach((each) => { each.open = true; });
  const hidden = [...document.forms].flatMap((form) => [...form.elements]).flatMap(({ name, id }) => [name, id])
    .filter((name) => name && name in document.createElement("form"));
  const controls = [...document.querySelectorAll("a[href], button, summary, label:has(input[type=file])")]
    .filter((each) => each.checkVisibility({ checkVisibilityCSS: true }) && !each.disabled);
  return [hidden, controls.map((each, number) => {
    each.dataset.press = number;
    const form = each.form;
    return {
      number, tag: each.tagName, kind: each.className, action: form?.getAttribute("action") ?? "",
      label: (each.getAttribute("aria-label") ?? each.innerText).trim().replace(/\\s+/g, " ").slice(0, 60),
      href: each.getAttribute("href") ?? "", is_download: each.hasAttribute("download"),
      takes_files: Boolean(each.querySelector("input[type=file]")),
      takes_folder: Boolean(each.querySelector("input[webkitdirectory]")),
      marks: Object.keys(each.dataset).filter((name) => name !== "press").sort().join(" "),
      in_list: Boolean(each.closest("li, article, td")), on_top: Boolean(each.closest("header.top")),
      fields: form ? [...new FormData(form, each.type === "submit" ? each : null)].map(([name, value]) => [name, String(value)]) : [],
    };
  })];
}"""
# Fills in what a person would, brings it into view, and returns where it is; null where something lies over it.
_AIM = """([number, typed]) => {
  const it = document.querySelector(`[data-press="${number}"]`);
  for (const each of it.form?.elements ?? []) {
    if (each.type === "radio") each.checked ||= !it.form.querySelector(`[name="${each.name}"]:checked`);
    else if (each.readOnly || each.type === "hidden" || !each.checkVisibility()) continue;
    else if (each.type === "checkbox") each.checked = true;
    else if (["text", "password", "textarea"].includes(each.type)) each.value ||= typed[each.name] ?? typed[""];
  }
  it.focus({ preventScroll: true });
  it.scrollIntoView({ block: "center", behavior: "instant" });
  const { left, top } = it.getClientRects()[0], x = left + Math.min(8, it.offsetWidth / 2), y = top + it.getClientRects()[0].height / 2;
  const found = document.elementFromPoint(x, y);
  return found && (it.contains(found) || found.contains(it)) ? [x, y] : null;
}"""
# From now on any change of what is shown is noted; it settles when the turn is over.
_WATCH = """() => {
  const was_at = location.href, seen = ({ target, attributeName: name }) =>
    target !== document.body && name !== "aria-busy" && !target.parentElement?.closest("#toast") && target.id !== "toast";
  let has_changed = false;
  window.settled = new Promise((settle) => {
    const look = () => {
      if (document.body.classList.contains("busy")) return;
      if (has_changed || location.href !== was_at || document.querySelector("#toast.shown")) settle(has_changed || location.href !== was_at);
    };
    new MutationObserver((changes) => { has_changed ||= changes.some(seen); look(); })
      .observe(document.documentElement, { subtree: true, childList: true, attributes: true, characterData: true });
    addEventListener("hashchange", look);
    setTimeout(() => { if (!document.body.classList.contains("busy")) settle(false); }, 5000);
  });
}"""
_QUIET = """() => new Promise((quiet) => {
  const look = () => { if (!document.body.classList.contains("busy")) quiet(); };
  new MutationObserver(look).observe(document.body, { attributes: true });
  look();
})"""
# What a person could see of it: words, what is filled in, and what is open.
_SEE = """() => [location.href, document.body.innerText,
  [...document.querySelectorAll("input:not([type=hidden]), textarea")]
    .map((each) => ["radio", "checkbox"].includes(each.type) ? each.checked : each.value).join("|"),
  document.querySelector("#toast.shown")?.innerText ?? ""]"""
# What leads through the pages and is cut off, by what lies around it or by the screen, or has something over it.
_CUT_OFF = """() => {
  const entries = [...document.querySelectorAll("header.top a, header.top button, nav a")];
  return entries.filter((each) => {
    each.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    const { left, right, top, bottom } = each.getBoundingClientRect();
    const around = [document.documentElement];
    for (let part = each.parentElement; part; part = part.parentElement)
      if (getComputedStyle(part).overflowX !== "visible") around.push(part);
    const is_inside = around.every((part) => {
      const box = part.getBoundingClientRect();
      return part.scrollWidth <= part.clientWidth && left >= box.left && right <= box.right;
    });
    return !is_inside || !each.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
  }).map((each) => each.innerText.trim() || each.className);
}"""
_KEEP = "() => { window.at_first = document.querySelector('#main') && document.querySelector('#content').innerHTML; }"
# The study page is drawn anew by its script, so what was drawn first can be put back without another visit.
_DRAW_AGAIN = """() => {
  if (!window.at_first || !document.querySelector("#main")) return false;
  document.querySelector("#content").innerHTML = window.at_first;
  document.querySelector("#toast").className = "";
  sessionStorage.clear();
  scrollTo(0, 0);
  return true;
}"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """One thing to press, as it stands on the page."""

    number: int
    tag: str
    kind: str
    label: str
    href: str
    marks: str
    action: str
    fields: tuple[tuple[str, str], ...]
    is_download: bool
    takes_files: bool
    takes_folder: bool
    in_list: bool
    on_top: bool

    @property
    def is_elsewhere(self) -> bool:
        """Somebody else's page."""
        return self.href.startswith(("http:", "https:", "mailto:"))

    @property
    def leads_on(self) -> bool:
        """A link that only leads to another page; our script answers those that have marks, and sources."""
        return bool(self.href) and not self.marks and not {"cite", "source"} & set(self.kind.split())

    @property
    def is_everywhere(self) -> bool:
        """The same on every page that has it: what it does, does not depend on where it stands."""
        return self.leads_on or self.on_top

    @property
    def alike(self) -> tuple[object, ...]:
        """Of things in a list that say the same to the server about different things, one stands for all."""
        if self.href:
            address = urlsplit(_ONE_OF_MANY.sub("*", self.href))
            return (address.path, tuple(sorted(parse_qs(address.query))), self.marks, self.kind)
        asks = tuple(
            (name, value if name in ("wish", "ruling", "manner", "said_in") else "")
            for name, value in self.fields
        )
        return (self.tag, self.kind, self.action, asks, self.marks, "" if self.in_list else self.label)


@dataclass(slots=True)
class Heard:
    """What the browser noticed since the page was opened."""

    troubles: list[str] = field(default_factory=list)
    wrote: bool = False


class Walker:
    """A browser's page that is pressed all over."""

    def __init__(self, page: Page, *, typed: Mapping[str, str], material: Path) -> None:
        self.page = page
        self.heard = Heard()
        self.posted: set[str] = set()  # where to
        self.wishes: set[str] = set()  # what buttons stood for
        self._typed, self._material = dict(typed), material
        self._address = ""
        page.on("pageerror", lambda error: self.heard.troubles.append(f"script: {error}"))
        page.on("console", self._note_words)
        page.on("response", self._note_response)
        page.on("request", self._note_request)
        page.on("filechooser", lambda _: None)  # somebody always listens, or the second one is missed
        page.set_default_timeout(60_000)

    def look(self, address: str) -> list[Control]:
        """Open a page as if for the first time; returns what can be pressed."""
        self.heard = Heard()
        if self.page.url.startswith("http"):
            self.page.evaluate("() => sessionStorage.clear()")
        self.page.goto(address)
        self.page.evaluate(_QUIET)
        self.page.evaluate(_KEEP)
        self._address = address
        return self.controls()

    def look_again(self) -> list[Control]:
        """The same page as before anything was pressed on it."""
        if not self.page.evaluate(_DRAW_AGAIN):
            return self.look(self._address)
        self.heard = Heard()
        return self.controls()

    def controls(self) -> list[Control]:
        """What can be pressed on the page as it is now."""
        hidden, found = self.page.evaluate(_FIND)
        assert not hidden, f"controls hide what their form has of itself: {hidden}"
        self.heard.troubles.clear()
        return [Control(**{**each, "fields": tuple(map(tuple, each["fields"]))}) for each in found]

    def cut_off(self, *, width: int) -> list[str]:
        """The ways to other pages that cannot be seen whole on a screen of this width."""
        before = self.page.viewport_size
        self.page.set_viewport_size({"width": width, "height": 740})
        found = self.page.evaluate(_CUT_OFF)
        if before:
            self.page.set_viewport_size(before)
        return list(found)

    def press(self, control: Control) -> list[str]:
        """Press it; returns what is wrong with what came of it."""
        place = self.page.evaluate(_AIM, [control.number, self._typed])
        if place is None:
            return ["something lies over it"]
        if control.is_download:
            with self.page.expect_download() as waiting:
                self.page.mouse.click(*place)
            return [] if waiting.value.path().stat().st_size else ["an empty file"]
        before = self.page.evaluate(_SEE)
        self.page.evaluate(_WATCH)
        if control.takes_files:
            with self.page.expect_file_chooser() as chooser:
                self.page.mouse.click(*place)
            chooser.value.set_files(
                self._material if control.takes_folder else sorted(self._material.iterdir())
            )
            self.page.wait_for_selector("#upload-state form, #upload-state.bad")
        elif control.leads_on:
            with suppress(Error), self.page.expect_navigation(timeout=10_000):
                self.page.mouse.click(*place)
        else:
            self.page.mouse.click(*place)
        has_changed = control.leads_on or self._settled()
        return list(self._wrong(control, before, has_changed=has_changed))

    def _settled(self) -> bool:
        """Whether the page shows anything else than before, or is another one, once the turn is over."""
        for _ in range(_MOST_PAGES):
            # Where a document goes away under the question, the next one is asked.
            with suppress(Error):
                has_changed = bool(self.page.evaluate("() => window.settled ?? true"))
                self.page.wait_for_load_state("load")
                self.page.evaluate(_QUIET)
                return has_changed
        return False

    def _wrong(self, control: Control, before: list[Any], *, has_changed: bool) -> Iterator[str]:
        after = self.page.evaluate(_SEE)
        if control.leads_on:
            to = urljoin(before[0], control.href)
            if after[0] != to:
                yield f"leads to {after[0]} and not to {to}"
        elif not has_changed or after == before:
            yield NOTHING
        yield from self.heard.troubles
        if after[3]:
            yield f"toast: {after[3]}"
        if found := _WENT_WRONG.search(after[1]):
            yield f"the page says: {found[0]}"

    def _note_words(self, said: ConsoleMessage) -> None:
        if said.type == "error":
            self.heard.troubles.append(f"console: {said.text}")

    def _note_response(self, response: Response) -> None:
        if response.status >= 400:
            self.heard.troubles.append(f"{response.status} {urlsplit(response.url).path}")

    def _note_request(self, request: Request) -> None:
        if request.method != "GET":
            self.heard.wrote = True
            self.posted.add(urlsplit(request.url).path)
            self.wishes.update(parse_qs(request.post_data or "").get("wish", ()))
