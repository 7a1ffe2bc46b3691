// Our own few lines: turns as they stream, buttons, keys, sources, uploads. Every form works without them too.

const $ = (selector, within = document) => within.querySelector(selector);
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];
const token = () => $('meta[name="csrf-token"]').content;
const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;

function toast(words) {
  const place = $("#toast");
  place.textContent = words;
  place.classList.toggle("shown", Boolean(words));
  clearTimeout(toast.timer);
  if (words) toast.timer = setTimeout(() => toast(""), 8000);
}

// ---- how it is read: kept in this browser ----------------------------------------------------------------------

const reading = (name) => localStorage.getItem(`reading-${name}`) ?? "";

function applyReading() {
  for (const name of ["text", "contrast"]) {
    if (reading(name)) document.documentElement.dataset[name] = reading(name);
    else delete document.documentElement.dataset[name];
  }
}

applyReading();
for (const choice of $$("[data-reading]")) {
  choice.value = reading(choice.dataset.reading);
  choice.addEventListener("change", () => { localStorage.setItem(`reading-${choice.dataset.reading}`, choice.value); applyReading(); });
}

// ---- one turn -------------------------------------------------------------------------------------------------

let busy = false;

function setBusy(is) {
  busy = is;
  document.body.classList.toggle("busy", is);
  $$("#main, #side").forEach((part) => part.setAttribute("aria-busy", is));
}

async function* events(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    rest += value;
    const whole = rest.split("\n\n");
    rest = whole.pop();
    for (const block of whole) {
      const name = /^event: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (name && data) yield [name, JSON.parse(data)];
    }
  }
}

function show(parts, saidIn) {
  $("#head").innerHTML = parts.head;
  $("#main").innerHTML = parts.main;
  $("#talk").innerHTML = parts.talk;
  $("#talk").scrollTop = $("#talk").scrollHeight;
  prepare();
  if (saidIn !== "talk") {
    scrollTo({ top: 0, behavior: calm ? "auto" : "smooth" });
    focusOnAnswer();
  } else $("#ask")?.focus();
}

function live(words, inTalk) {
  let place = inTalk ? $("#talk .live") : $("#live");
  if (!place && inTalk) {
    place = document.createElement("div");
    place.className = "theirs live";
    $("#talk").append(place);
  }
  place.hidden = false;
  const text = inTalk ? place : $(".prose", place);
  text.textContent += words;
  if (inTalk) $("#talk").scrollTop = $("#talk").scrollHeight;
}

const CHOICES = "input[type=radio], input[type=checkbox]";

async function say(form, button) {
  if (busy) return;
  const data = new FormData(form);
  if (button?.name) data.set(button.name, button.value);
  const text = String(data.get("text") ?? "").trim();
  const saidIn = String(data.get("said_in") ?? "button");
  if (!text) return toast("Write or choose something first.");
  if (!$("#main")) return form.submit();
  setBusy(true);
  if (saidIn === "talk") {
    const mine = document.createElement("div");
    mine.className = "mine";
    mine.textContent = text;
    $("#talk > .small")?.remove();
    $("#talk").append(mine);
    $("#talk").scrollTop = $("#talk").scrollHeight;
    form.reset();
  }
  try {
    const response = await fetch(form.action, {
      method: "POST",
      body: new URLSearchParams(data),
      headers: { Accept: "text/event-stream", "X-CSRF-Token": token() },
    });
    if (response.redirected || response.status === 401) { keep(data); return location.reload(); }
    if (!response.ok) return toast((await response.json().catch(() => ({}))).message ?? "That did not work. Reload the page and try again.");
    for await (const [name, value] of events(response)) {
      // What the quiz says is shown as a mark and a question, not as words.
      if (name === "words" && value.author !== "quiz") live(value.text, saidIn === "talk");
      if (name === "mark" && $("#mark")) {
        $("#mark").innerHTML = value.html;
        $("#question")?.setAttribute("hidden", "");
        scrollTo({ top: 0, behavior: calm ? "auto" : "smooth" });
      }
      if (name === "trouble") toast(value.message);
      if (name === "page") { document.body.dataset.seconds = value.seconds; show(value, saidIn); }
    }
  } catch {
    if (saidIn === "talk") $("#ask").value = text;
    toast("The tutor cannot be reached. Your place is kept: reload the page in a moment.");
  } finally {
    setBusy(false);
  }
}

// What the keyboard goes on with: the question's field, the question, or the way on at the end of a round.
function focusOnAnswer() {
  const question = $("#question:not([hidden])");
  const on = $("#main .next button") ?? $("#main > .row button") ?? $("#lesson:not([hidden])");
  const next = question ? $("#answer", question) ?? question : on;
  next?.focus({ preventScroll: true });
}

// Who has to sign in again finds what was typed; somebody else at the same machine does not.
function keep(data) {
  const { said_in = "", question_id = "" } = Object.fromEntries(data);
  const text = data.getAll("text").join(", ");
  sessionStorage.setItem("unsent", JSON.stringify({ text, said_in, question_id, who: document.body.dataset.who }));
}

function putBack() {
  const kept = JSON.parse(sessionStorage.getItem("unsent") ?? "null");
  if (!kept) return;
  sessionStorage.removeItem("unsent");
  if (kept.who !== document.body.dataset.who) return;
  if (kept.said_in === "talk") { $("#ask").value = kept.text; return; }
  const form = $("#question form.answer");
  if (!form || kept.said_in !== "answer" || $("#question").dataset.question !== kept.question_id) return;
  swap("question");
  const list = $(".order", form), chosen = $$(CHOICES, form).filter((each) => kept.text.split(", ").includes(each.value));
  if (list) {
    kept.text.split(", ").forEach((letter) => list.append($$("li", list).find((item) => item.dataset.letter === letter) ?? ""));
    reorder(list);
  } else if (chosen.length) chosen.forEach((each) => { each.checked = true; });
  else if ($("#answer", form)) $("#answer", form).value = kept.text;
}

function swap(to) {
  const lesson = $("#lesson"), question = $("#question");
  if (!lesson || !question) return;
  turnTo(to);
  sessionStorage.setItem("view", `${question.dataset.question} ${to}`);
  scrollTo({ top: 0, behavior: calm ? "auto" : "smooth" });
  if (to === "question") focusOnAnswer();
}

// A term of the lesson says what it means at a hover, or where the keyboard stops at it.
function explainTerms() {
  const meanings = new Map($$(".terms dt").map((name) => [name.textContent.trim().toLowerCase(), name.nextElementSibling.textContent.trim()]));
  for (const term of $$("#lesson > .prose strong")) {
    const meaning = meanings.get(term.textContent.trim().toLowerCase());
    if (!meaning) continue;
    Object.assign(term, { title: meaning, tabIndex: 0, className: "term" });
  }
}

// After a reload: the lesson or the question, whichever was on the screen.
function prepare() {
  explainTerms();
  const question = $("#question");
  const [id, to] = (sessionStorage.getItem("view") ?? "").split(" ");
  if (question && $("#lesson") && question.dataset.question === id) {
    turnTo(to);
  }
}

function turnTo(to) {
  $("#lesson").hidden = to !== "lesson";
  $("#question").hidden = to !== "question";
  $$("[data-with]").forEach((part) => { part.hidden = part.dataset.with !== to; });
}

// ---- the order of things --------------------------------------------------------------------------------------

function reorder(list) {
  $("input[name=text]", list.closest("form")).value = $$("li", list).map((item) => item.dataset.letter).join(", ");
}

let dragged = null;
addEventListener("dragstart", (event) => { dragged = event.target.closest?.(".order li"); });
addEventListener("dragover", (event) => {
  const over = event.target.closest?.(".order li");
  if (!dragged || !over || over === dragged) return;
  event.preventDefault();
  const { top, height } = over.getBoundingClientRect();
  over[event.clientY < top + height / 2 ? "before" : "after"](dragged);
  reorder(over.parentElement);
});
addEventListener("dragend", () => { dragged = null; });

// ---- sources --------------------------------------------------------------------------------------------------

let openedBy = null;

async function openPassage(link) {
  const panel = $("#passage");
  const response = await fetch(link.href, { headers: { "X-Part": "1" } });
  if (!response.ok) return toast("This passage is not in the course any more.");
  panel.innerHTML = await response.text();
  panel.hidden = false;
  openedBy = link;
  $("#side").classList.add("open");
  panel.scrollTop = ($("#it", panel)?.offsetTop ?? 0) - $("header", panel).offsetHeight - 8;
  panel.focus({ preventScroll: true });
}

function closePassage() {
  $("#passage").hidden = true;
  $("#side").classList.remove("open");
  openedBy?.focus();
}

// ---- clicks, keys, forms --------------------------------------------------------------------------------------

addEventListener("click", (event) => {
  const link = event.target.closest("a.cite, a.source");
  if (link && $("#passage") && !event.ctrlKey && !event.metaKey) { event.preventDefault(); openPassage(link); return; }
  const turned = event.target.closest("[data-show]");
  if (turned) { event.preventDefault(); swap(turned.dataset.show); return; }
  const button = event.target.closest("button");
  if (!button) return;
  // What is not shown cannot be scrolled, so its newest message comes into view only now.
  if ("openSide" in button.dataset) { $("#side").classList.add("open"); $("#talk").scrollTop = $("#talk").scrollHeight; $("#ask").focus(); }
  if ("closeSide" in button.dataset) { $("#side").classList.remove("open"); $("[data-open-side]").focus(); }
  if ("closePassage" in button.dataset) closePassage();
  if (button.dataset.move) {
    const item = button.closest("li");
    const other = button.dataset.move < 0 ? item.previousElementSibling : item.nextElementSibling;
    if (other) { other[button.dataset.move < 0 ? "before" : "after"](item); reorder(item.parentElement); button.focus(); }
  }
});

addEventListener("submit", (event) => {
  const form = event.target;
  if ("say" in form.dataset) {
    if ($("#main")) { event.preventDefault(); say(form, event.submitter); }
  } else if ("wait" in form.dataset) {
    if (busy) event.preventDefault();
    setBusy(true);
  }
});
addEventListener("pageshow", () => setBusy(false));

addEventListener("keydown", (event) => {
  const field = event.target.closest("textarea, input:not([type=radio], [type=checkbox])");
  if (field) {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing && field.matches("textarea") && field.form?.dataset.say !== undefined) {
      event.preventDefault();
      field.form.requestSubmit();
    }
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const form = $("#question:not([hidden]) :is(form.answer, form.ticks)");
  const options = form ? $$(CHOICES, form) : [];
  if (/^[1-9]$/.test(event.key) && options[event.key - 1]) {
    options[event.key - 1].checked = options[event.key - 1].type === "radio" || !options[event.key - 1].checked;
    options[event.key - 1].focus();
  } else if (event.key === "Enter" && !event.target.closest("a, button") && form) {
    event.preventDefault();
    form.requestSubmit();
  } else if (event.key === "Enter" && event.target.matches("body, #lesson") && $("#lesson:not([hidden])") && $("#question")) swap("question");
  else if (event.key === "Escape" && $("#side.open")) closePassage();
});

// ---- own material ---------------------------------------------------------------------------------------------

const upload = $("#upload");

async function filesOf(items) {
  const found = [];
  const walk = async (entry, path) => {
    if (entry.isFile) found.push([await new Promise((ok, no) => entry.file(ok, no)), path + entry.name]);
    else {
      const reader = entry.createReader();
      for (let batch = [null]; batch.length; ) {
        batch = await new Promise((ok, no) => reader.readEntries(ok, no));
        for (const each of batch) await walk(each, `${path}${entry.name}/`);
      }
    }
  };
  for (const entry of [...items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean)) await walk(entry, "");
  return found;
}

function tell(words, share, isBad = false) {
  const place = $("#upload-state");
  place.hidden = false;
  place.classList.toggle("bad", isBad);
  $("p", place).textContent = words;
  const bar = $("progress", place);
  bar.hidden = share === undefined;
  if (share !== undefined) bar.value = share;
}

function inWords(seconds) {
  return seconds < 90 ? `about ${seconds} s` : `about ${Math.round(seconds / 60)} min`;
}

async function follow(id) {
  for (;;) {
    const response = await fetch(`/courses/reading/${id}`);
    if (!response.ok) return tell("The reading was interrupted. Add the material again; nothing else was touched.", undefined, true);
    const state = await response.json();
    const left = state.seconds_left ? ` · ${inWords(state.seconds_left)} left` : "";
    tell(state.message + left, state.is_over ? undefined : state.share, state.failed);
    if (state.is_over) {
      if (state.failed) return;
      $("#upload-state").insertAdjacentHTML("beforeend", state.html);
      $("#upload-state .ready button")?.focus();
      return;
    }
  }
}

function send(files) {
  if (!files.length) return;
  $("#upload-state .ready")?.remove();
  const size = files.reduce((sum, [file]) => sum + file.size, 0);
  if (size > Number(upload.dataset.most)) return tell(`That is ${Math.ceil(size / 1e6)} MB; at most ${Math.floor(upload.dataset.most / 1e6)} MB can be added at once. Add it in parts, or leave pictures and videos out.`, undefined, true);
  const data = new FormData();
  for (const [file, path] of files) data.append("files", file, path);
  const request = new XMLHttpRequest();
  request.open("POST", upload.action);
  request.setRequestHeader("X-CSRF-Token", token());
  request.setRequestHeader("Accept", "application/json");
  request.upload.onprogress = (event) => tell(`Sending ${Math.ceil(size / 1e6)} MB`, event.total ? event.loaded / event.total : 0);
  request.onerror = () => tell("The connection broke off. Nothing was added; try it again.", undefined, true);
  request.onload = () => {
    let answer = {};
    try { answer = JSON.parse(request.responseText); } catch { /* told below */ }
    if (request.status === 200) follow(answer.id);
    else tell(answer.message ?? "That could not be added.", undefined, true);
  };
  request.send(data);
}

if (upload) {
  upload.addEventListener("submit", (event) => event.preventDefault());
  for (const input of $$("input[type=file]", upload)) {
    input.addEventListener("change", () => { send([...input.files].map((file) => [file, file.webkitRelativePath || file.name])); input.value = ""; });
  }
  for (const name of ["dragenter", "dragover"]) upload.addEventListener(name, (event) => { event.preventDefault(); upload.classList.add("over"); });
  for (const name of ["dragleave", "drop"]) upload.addEventListener(name, () => upload.classList.remove("over"));
  upload.addEventListener("drop", async (event) => { event.preventDefault(); send(await filesOf(event.dataTransfer.items)); });
}

const readAgain = $("#read-again");
readAgain?.addEventListener("submit", async (event) => {
  event.preventDefault();
  $("#upload-state .ready")?.remove();
  const headers = { Accept: "application/json", "X-CSRF-Token": token() };
  const response = await fetch(readAgain.action, { method: "POST", body: new URLSearchParams(new FormData(readAgain)), headers });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) follow(answer.id);
  else tell(answer.message ?? "That did not work. Reload the page and try again.", undefined, true);
});

// ---- at the beginning -----------------------------------------------------------------------------------------

if ($("#main")) {
  prepare();
  putBack();
  $("#talk").scrollTop = $("#talk").scrollHeight;
  if ($("#main").dataset.busy === "1") {
    setBusy(true);
    fetch("/study/now").then((response) => response.json()).then((parts) => show(parts, "button")).finally(() => setBusy(false));
  }
}
