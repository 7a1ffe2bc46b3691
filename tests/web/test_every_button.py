"""Every button and every link of every page in every state, pressed in a real browser: each does something, and nothing fails."""

import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, get_args

import pytest

from agents.teaching.values import QuestionKind
from tests.support.school import COURSE, PASSWORD, Records, School, school_in
from tests.support.site import addresses
from tests.web.test_browser import CHROMIUM, PHONE

sync_api = pytest.importorskip("playwright.sync_api", reason="the browser tests need the playwright wheel")
from tests.support.presses import NOTHING, Control, Walker  # noqa: E402

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: no button was pressed")

DESK = {"width": 1280, "height": 800}
TYPED = {
    "username": "grace",
    "password": PASSWORD,
    "again": PASSWORD,
    "topic": "nodes",
    "concept": "topic",
    "options": "",
    "threshold": "90",
    "": "thanks",
}
LONG_NAME = "maximiliane-von-und-zu-hohenstein-wartenburg"
PHONES = (360, 390)  # wide
MOST_CYCLES = 2
# What may be pressed without effect, by its label, and why.
SILENT = {
    r"Move up: .*": "the first of a list is as far up as it can be",
    r"Move down: .*": "the last of a list is as far down as it can be",
}
Prepare = Callable[[School, str], Awaitable[object]]


@dataclass(frozen=True, kw_only=True)
class Place:
    """One page in one state."""

    address: str
    prepare: Prepare | None = None  # brings the visitor into the state
    who: str = "learner"  # or teacher, or nobody
    through: str = ""  # what is pressed first; then only what it brought is meant
    is_phone: bool = False


def lesson(*answers: bool) -> Prepare:
    async def prepare(school: School, name: str) -> None:
        await school.start(name)
        for right in answers:
            await school.answer(name, right=right)

    return prepare


def question(kind: str) -> Prepare:
    """A quiz that asks such a question, up to it."""

    async def prepare(school: School, name: str) -> None:
        course, topic = await school.quiz_with(kind)
        state = await school.start(name, topic, course=course)
        while state.pending_question and state.pending_question.kind != kind:
            state = await school.answer(name)
        assert state.pending_question, f"no question of kind {kind} about {topic}: {state.last_response}"

    return prepare


async def disputed(school: School, name: str) -> None:
    await lesson(False)(school, name)
    await school.say(name, "I disagree", action="disagree")


async def compare(school: School, name: str) -> None:
    """In words that code cannot judge."""
    await question("recall")(school, name)
    state = await school.say(name, "it has to do with how robots are built, as I remember", said_in="answer")
    assert state.self_check_answer


def to_the_end(*, right: bool) -> Prepare:
    async def prepare(school: School, name: str) -> None:
        state = await school.start(name)
        while state.pending_question:
            state = await school.answer(name, right=right)
        assert bool(state.suggestion) == right

    return prepare


def said(*texts: str, said_in: str = "talk", begins: bool = True) -> Prepare:
    async def prepare(school: School, name: str) -> None:
        if begins:
            await school.start(name)
        for text in texts:
            await school.say(name, text, said_in=said_in)

    return prepare


async def doubted(school: School, name: str) -> None:
    """A program of the learner's said something in the middle of their question."""
    await question("short_answer")(school, name)
    assert (await school.say(name, "something near it", said_in="")).doubtful_message


ASKED = "/study?see=question"
TASKS = ("remind me to call Ann today", "remind me to call Ann tomorrow")
STUDY: Mapping[str, Place] = {
    "the lesson": Place(address="/study", prepare=lesson()),
    "a passage beside the lesson": Place(address="/study", prepare=lesson(), through="Source 1"),
    **{
        f"a question: {kind}": Place(address=ASKED, prepare=question(kind)) for kind in get_args(QuestionKind)
    },
    "a right answer": Place(address=ASKED, prepare=lesson(True)),
    "a wrong answer": Place(address=ASKED, prepare=lesson(False)),
    "a dispute": Place(address=ASKED, prepare=disputed),
    "compare": Place(address=ASKED, prepare=compare),
    "the next round": Place(address="/study", prepare=lesson(*[False] * 4)),
    "mastered": Place(address="/study", prepare=to_the_end(right=True)),
    "the limit of cycles": Place(address="/study", prepare=to_the_end(right=False)),
    "paused": Place(address=ASKED, prepare=said("stop")),
    "choices": Place(address="/study", prepare=said("I'm lost", said_in="button", begins=False)),
    "choices in the chat": Place(address="/study", prepare=said("I'm lost")),
    "yes or no": Place(address="/study", prepare=doubted),
    "yes or no in the chat": Place(address="/study", prepare=said(TASKS[0], "delete it")),
    "which of two": Place(address="/study", prepare=said(*TASKS, "complete the task call Ann")),
    "an answer in the chat": Place(address="/study", prepare=said("what is a node?")),
    "the diagnostic": Place(address="/study", prepare=said("find my gaps", said_in="button")),
    "the plan": Place(address="/study", prepare=said("what next?", said_in="button", begins=False)),
    "the lesson on a phone": Place(address="/study", prepare=lesson(), is_phone=True),
    "a question on a phone": Place(address=ASKED, prepare=lesson(True), is_phone=True),
    "the chat on a phone": Place(address="/study", prepare=lesson(), is_phone=True, through="Ask"),
    "a passage on a phone": Place(address="/study", prepare=lesson(), is_phone=True, through="Source 1"),
}


async def with_account(school: School, name: str) -> None:
    await school.account("grace")


async def invited(school: School, name: str) -> None:
    await school.account("ida", has_come_in=False)


async def reviews(school: School, name: str) -> None:
    """A topic was mastered a while ago, and there is a to-do for today."""
    services, now = school.services, school.services.now
    services.now = lambda: now() - timedelta(days=25)
    await to_the_end(right=True)(school, name)
    services.now = now
    await school.say(name, TASKS[0], said_in="talk")


async def two_courses(school: School, name: str) -> None:
    await school.add_tides()


async def begun_of_two(school: School, name: str) -> None:
    await school.add_tides()
    await lesson(True)(school, name)


async def course_gone(school: School, name: str) -> None:
    await school.add_tides()
    await school.start(name, "Tides", course="tides")
    await school.services.library.corpus.delete_course("tides")


LEARNER: Mapping[str, Place] = {
    "the door": Place(address="/sign-in?next=/map", who="nobody", prepare=with_account),
    "an invitation": Place(address="/invite/link-ida", who="nobody", prepare=invited),
    "the first visit": Place(address="/"),
    "the first visit on a phone": Place(address="/", is_phone=True),
    "the first visit, two courses": Place(address="/", prepare=two_courses),
    "studying for the first time": Place(address="/study"),
    "studying for the first time, two courses": Place(address="/study", prepare=two_courses),
    "coming back": Place(address="/", prepare=reviews),
    "coming back, two courses": Place(address="/", prepare=begun_of_two),
    "a course that is gone": Place(address="/study", prepare=course_gone),
    "the map": Place(address="/map", prepare=lesson(True)),
    "today": Place(address="/today", prepare=lesson(True, False)),
    "earlier": Place(address="/earlier", prepare=lesson(True, False)),
    "a course": Place(address=f"/course?course={COURSE}", prepare=two_courses),
    "a course on a phone": Place(address=f"/course?course={COURSE}", is_phone=True),
    "the map, two courses": Place(address="/map", prepare=two_courses),
    "a concept on the map": Place(address="/map?concept=publisher", prepare=to_the_end(right=True)),
    "a passage by itself": Place(address="/map?concept=publisher", through="Where the course introduces it"),
    "progress": Place(address="/progress", prepare=said(*TASKS)),
    "yours": Place(address="/yours", prepare=lesson(True)),
    "what is not there": Place(address="/passage/nothing"),
}


async def trouble(school: School, name: str) -> None:
    """A learner who has missed two questions, and disputed the second."""
    await school.account("ada")
    await lesson(False, False)(school, "ada")
    await school.say("ada", "I disagree", action="disagree")


async def kept_questions(school: School, name: str) -> None:
    """More questions than one page shows, the first of them taken out."""
    await school.keep_questions(31)


async def no_course(school: School, name: str) -> None:
    for course in await school.services.library.courses():
        await school.services.library.corpus.delete_course(course.name)


_TEACHER: Mapping[str, Place] = {
    "the class": Place(address="/teacher/class", prepare=trouble),
    "the class, nobody yet": Place(address="/teacher/class"),
    "questions": Place(address="/teacher/questions", prepare=trouble),
    "questions, none yet": Place(address="/teacher/questions"),
    "questions, one voided": Place(address="/teacher/questions", prepare=trouble, through="Void"),
    "the bank": Place(address="/teacher/bank", prepare=kept_questions),
    "the bank, nothing kept": Place(address="/teacher/bank"),
    "people": Place(address="/teacher/people", prepare=trouble),
    "people on a phone": Place(address="/teacher/people", prepare=trouble, is_phone=True),
    "the preview": Place(address="/teacher/preview", prepare=two_courses),
    "a preview": Place(address=f"/teacher/preview?course={COURSE}&topic=ROS 2"),
    "the teacher's first visit": Place(address="/"),
    # From here on without what an index is needed for: it does not go back with the record.
    "courses": Place(address="/teacher"),
    "the language model": Place(address="/model"),
    "one course": Place(address=f"/course?course={COURSE}"),
    "no course": Place(address="/teacher", prepare=no_course),
    "the teacher's first visit, no course": Place(address="/", prepare=no_course),
}
NO_COURSE: Mapping[str, Place] = {
    f"{address}, no course": Place(address=address, prepare=no_course) for address in ("/", "/study", "/map")
}
TEACHER = {name: replace(place, who="teacher") for name, place in _TEACHER.items()}


# Nobody has named a model, so that one can be chosen; none is looked for.
SETTINGS = {"TUTOR_MAX_CYCLES": str(MOST_CYCLES), "TUTOR_MODEL": "", "TUTOR_FIND_MODELS": "false"}


class Walk:
    """All places, one after the other, in one browser at one server."""

    def __init__(self, school: School, address: str, browser: Any) -> None:
        self.school, self.address = school, address
        self.context = browser.new_context(base_url=address, reduced_motion="reduce")
        self.walker = Walker(self.context.new_page(), typed=TYPED, material=school.tides)
        self.problems: list[str] = []
        self._pressed: set[object] = set()  # what does the same wherever it stands
        self._followed: set[str] = set()

    def through(self, name: str, place: Place) -> None:
        """Press everything in a place; afterwards it is as if nobody had been there."""
        before = self.school.records()
        who = {"learner": LONG_NAME, "teacher": "tess", "nobody": ""}[place.who]
        if who:
            self.school.do(self.school.account(who, is_teacher=place.who == "teacher"))
        if place.prepare:
            self.school.do(place.prepare(self.school, who))
        here = self.school.records()
        # Signed in once: another visit would have another token.
        signed_in = [self.school.cookie(who, self.address)] if who else []
        self.walker.page.set_viewport_size(PHONE if place.is_phone else DESK)
        look = partial(self._look, place, signed_in, here)
        controls = look(partial(self.walker.look, place.address))
        self._measure(name, place)
        for control in self._to_press(place, controls):
            found = look(self.walker.look_again)[controls.index(control)]
            assert found.label == control.label, f"{name}: another page than before"
            self._press(name, found)
        self.school.put_back(here)
        for control in controls:
            self._follow(name, control)
        self.school.put_back(before)

    def _look(
        self, place: Place, signed_in: Sequence[Any], here: Records, look: Callable[[], list[Control]]
    ) -> list[Control]:
        """What can be pressed, as if nothing had been pressed before."""
        if self.walker.heard.wrote:
            self.school.put_back(here)
        self.context.clear_cookies()
        self.context.add_cookies(signed_in)
        controls = look()
        if place.through:
            known = {control.alike for control in controls}
            first = next(each for each in controls if each.label.startswith(place.through))
            assert self.walker.press(first) == []
            controls = [each for each in self.walker.controls() if each.alike not in known]
        assert controls, f"there is nothing to press at {place.address}"
        return controls

    def _to_press(self, place: Place, controls: Sequence[Control]) -> list[Control]:
        """Of those that differ only in what they are about, the first and the last."""
        alike: dict[object, list[Control]] = {}
        for control in controls:
            same = (place.who, place.is_phone, control.alike)
            if not control.is_elsewhere and same not in self._pressed:
                alike.setdefault(control.alike, []).append(control)
        for control in controls:
            if control.is_everywhere:
                self._pressed.add((place.who, place.is_phone, control.alike))
        return [each for same in alike.values() for each in dict.fromkeys((same[0], same[-1]))]

    def _measure(self, name: str, place: Place) -> None:
        """On a phone nothing of the navigation is cut off, on any page."""
        page = (place.who, place.address.partition("?")[0])
        if page in self._pressed:
            return
        self._pressed.add(page)
        for width in PHONES:
            cut = self.walker.cut_off(width=width)
            self.problems += [f"{name} at {width}: {each} is cut off" for each in cut]

    def _press(self, name: str, control: Control) -> None:
        found = self.walker.press(control)
        if found != [NOTHING] or not any(re.fullmatch(label, control.label) for label in SILENT):
            self.problems += [f"{name} › {control.label}: {each}" for each in found]

    def _follow(self, name: str, control: Control) -> None:
        """What a link leads to is there, also where another like it was pressed."""
        href = control.href.partition("#")[0]
        if href and not control.is_elsewhere and href not in self._followed:
            self._followed.add(href)
            status = self.context.request.get(href).status
            if status >= 400:
                self.problems.append(f"{name} › {control.label}: {status} {href}")


@pytest.fixture(scope="module")
def browser(read_course: Path) -> Iterator[object]:
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield started
        started.close()


def test_whatever_is_pressed_does_something_and_nothing_fails(browser: Any, folder: Path) -> None:
    """Where one fails: a button without effect belongs into SILENT with its reason, an address or a wish that nothing led to needs a place."""
    with school_in(folder, **SETTINGS) as (school, address):
        walk = Walk(school, address, browser)
        for name, place in {**STUDY, **LEARNER, **TEACHER, **NO_COURSE}.items():
            walk.through(name, place)
        walk.context.close()
        takes = {each.removeprefix("POST ") for each in addresses(school.web) if each.startswith("POST /")}
    assert walk.problems == []
    pressed = {re.sub(r"(?<=/invite/).*", "{link}", path) for path in walk.walker.posted}
    assert pressed == {path for path in takes if not path.startswith("/api/")}
    told = (
        re.findall(r'wish="(\w+)"', file.read_text("utf-8")) for file in Path("web/templates").rglob("*.html")
    )
    assert walk.walker.wishes == set(chain.from_iterable(told))
