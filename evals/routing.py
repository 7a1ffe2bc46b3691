"""Is a message understood? Labels that nobody had seen, and real answers and questions of others."""

import hashlib
import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from agents.coordinator.intents import ABOUT_A_QUESTION, ROUTES, Intent, Situation, classify, understand
from agents.language import understanding
from agents.language.replies import is_dear
from agents.language.understanding import OpenQuestion, Place, language_of
from evals.data import bench_data
from evals.openstax import questions
from evals.report import Report, Row, goal
from storage.errors import ConfigurationError

LABELS = Path(__file__).parent / "labels"
SETS = {
    "blind": "hard blind",
    "blind2": "second blind",
    "ordinary": "ordinary",
    "subject": "about the subject",
}
_NOTES = (
    "Ten writers, who knew the tutor's situations and nothing of its code, wrote about 3,400 messages, told to avoid stock "
    "phrases and to make them hard (an answer that looks like a request, a request that looks like an answer). A quarter "
    "of them, chosen by hash before anybody looked, is this blind set; the others, some 21,000 labels written in bulk by "
    "others who got the same page, and all labels of the first round are what the model is fitted on. The writers are "
    "language models, each with people and subjects of its own to speak for.",
    "",
    "Nobody looked at a message of the hard blind set, but its totals were looked at about nine times. At first sight: route "
    ".899, action .782, requests graded 2.5%, answers refused 10.3%; before the round that is described next: .902, .783, 2.5%, "
    "9.6%, with 14.7% of the requests and 21.2% of the answers asked about. The goals were set after easier messages (119 of "
    "which the rules routed .958); on a stranger's hard ones they are missed.",
    "",
    "Then came 1,542 labels in nine voices (hurried, old-fashioned, teenage, foreign, Indian, American, misspelt, two of "
    "borderline cases and indirect wishes), every fourth label once more with slips of the keyboard, the frame of a message "
    "(its words without those of the subject, the question and the key), and doubt by cost. The second blind set is by the "
    "same writer as those labels, in other words, and was written, committed and then not looked at until everything was "
    "fitted; its 14 messages that were among the labels already are out. Writers left out as a whole (of 3,420 requests) tell "
    "what helped: frames .840 to .851 of the actions right, requests graded from .65 on 3.3% to 2.6%; slips of the keyboard "
    ".818 to .869 for the misspelt voice. What did not, on the first ten writers: WordLlama's mean vector as 256 more features "
    "(.872, or .892 at a third of its weight, against .888), a layer of 64 in place of the linear model (.867; together .889), "
    "boosted trees or a layer as the second model, and likeness of vectors to question and key (no clear gain for a load of 0.2 s).",
    "",
    "No border reaches both goals on hard messages: of writers left out, to grade .5% of the requests means to ask about half "
    "of the answers, and to refuse 1% of the answers to ask about six in ten of the requests. The border stands where the real "
    "students' answers are still taken; about 2% of the left-out writers' requests were graded there, and 3.6% of the hard blind "
    "set's, which is worse than before (2.5%), while fewer answers are refused. Of the students' answers that are not taken "
    "some are none: 'next question please', 'tell me the answer', 'leave me alone i got it right'.",
    "",
    "With nothing open the tutor acts on the likeliest action only where being wrong (one for an answer in vain, 1.5 for a "
    "lesson or a task, 3 for another course or a reset) costs less than to ask (.4, and one where the thing meant is not "
    "among the three choices). Of 1,333 such messages by left-out writers (before frames) 17.3% were acted on wrongly and 5.3% changed "
    "something; so weighed 8.3% and 1.4%, with 16% asked about. A message that is asked about counts as not right in 'action "
    "right' and, where another agent should have it, in 'route right', though a question that the course answers is answered "
    "at once.",
    "",
    "The ordinary messages are by one more writer, told to write plainly what people usually type, after everything was "
    "fitted; 93 of the 270 are word for word among the labels. At first sight: route .981, action .981 (.983 each of the "
    "unseen), 3 of 90 requests graded (one question and two scraps of noise, and noise is asked about since), no answer of 60 refused "
    "and one asked about. The rules on the same: route .893, 12.2% of the requests graded.",
    "",
    "Since then each message that names a topic is fitted once more with another one in it, together with some 2,300 sentences with "
    "a hole for the topic by three more helper sessions (`evals chat`), and a request must be likelier an answer to be graded (.8, "
    "it was .7). The totals of the three sets were looked at about ten times more while that was chosen.",
    "",
    "Then strangers asked about their subjects in words that are also commands ('how do I stop training early', 'how long is a "
    "review period'), and a third of these questions was taken for a command. Five more helper sessions wrote 3,178 labels: "
    "questions about all kinds of subjects with such words in them, and the same words meant for the tutor. The set 'about the "
    "subject' (220 questions, 106 commands) is by a sixth, who saw none of that, and no message of it was looked at. Questions "
    "right: .586 before, .855 now; acted on wrongly .186, .041; asked about .227, .105. Its commands: .945, .962. 950 labels more, "
    "of what is said while a question is open, moved no figure by more than a message or two and are not kept. The price "
    "elsewhere: of the ordinary requests 3 of 90 are graded (2 before; that floor was lowered by one).",
    "",
    "The rules that stood here before (3,000 lines of phrases), on the same set with the same facts in view, scored once "
    "before they went: route .591, action .450 of those actions that they knew, 61.7% of the requests graded as answers, "
    "10.3% of the answers not taken as answers.",
    "",
    "'Or as good' counts the actions that the writer called just as good. A doubtful message is neither graded nor "
    "refused: the tutor asks, and that is counted by itself. Milliseconds are of processor time; they were of the clock before.",
    "",
    "Student answers and book questions are public data, halved by hash; the half shown was not fitted on.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """One message, and what it should be taken for."""

    text: str
    place: Place
    action: str
    also: tuple[str, ...]
    topic: str
    question: OpenQuestion | None

    @property
    def situation(self) -> Situation:
        awaiting = "suggestion" if self.place == "offer" else ""
        return Situation(
            place=self.place,
            question=self.question,
            awaiting=awaiting,  # type: ignore[arg-type]
            impossible=frozenset() if self.place == "question" else ABOUT_A_QUESTION,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A label, and what the message was taken for."""

    label: Label
    intent: Intent

    @property
    def action_is_right(self) -> bool:
        return self._taken == self.label.action

    @property
    def action_is_as_good(self) -> bool:
        return self._taken in (self.label.action, *self.label.also)

    @property
    def route_is_right(self) -> bool:
        """Doubt is served by the coordinator: right where the request is its own, and wrong for all others."""
        accepted = {_route(action) for action in (self.label.action, *self.label.also)}
        return self.intent.route in accepted or (self.label.action == "yes" and self.intent.action == "next")

    @property
    def _taken(self) -> str:
        """Accepting what was offered is 'next' to the coordinator."""
        is_yes = self.label.action == "yes" and self.intent.action == "next"
        return "yes" if is_yes else self.intent.action


async def run() -> Report:
    """Read every label, then what students and books really say."""
    started = time.process_time()
    understanding.read("hello")
    loading = time.process_time() - started
    started = time.process_time()
    language_of("hello")
    listening = time.process_time() - started
    sets = {part: judge(load(part)) for part in SETS}
    asked = [each.label for each in sets["blind"][0] if each.label.place == "question"]
    unseen = [Judged(label=each, intent=classify(each.text, question_pending=True)) for each in asked]
    rows = [
        *(row for part, (judged, _) in sets.items() for row in _label_rows(SETS[part], judged)),
        Row(
            measure="hard blind, without the question in view: requests graded / answers refused / asked about",
            value=f"{_share(map(_is_graded, _requests(unseen))):.3f} / {_share(map(_is_refused, _answers(unseen))):.3f} / "
            f"{_share(map(_is_doubt, unseen)):.3f}",
        ),
        *_public_rows(),
        goal("milliseconds a message", sets["blind"][1] * 1000, at_most=1.0),
        goal("milliseconds to load", loading * 1000, at_most=30),
        Row(measure="milliseconds to load the recogniser of languages", value=f"{listening * 1000:.0f}"),
        goal("megabytes of weights", understanding.WEIGHTS.stat().st_size / 1e6, at_most=2.0),
    ]
    return Report(
        name="Routing",
        command="python -m evals routing",
        rows=rows,
        notes=_NOTES,
        figures=all_figures({part: judged for part, (judged, _) in sets.items()}),
    )


def _label_rows(name: str, judged: Sequence[Judged]) -> Iterator[Row]:
    """One set: what was right, and what was graded, asked about and refused, each by itself."""
    figures = label_figures(judged)
    requests, answers, free = _requests(judged), _answers(judged), _with_nothing_open(judged)
    settled = [each for each in free if not _is_doubt(each)]
    yield goal(f"**{name}**, {len(judged)} messages: route right", figures["route"], at_least=0.97)
    yield goal(f"{name}: action right", figures["action"], at_least=0.93)
    yield Row(
        measure=f"{name}: action right or as good / of those not asked about",
        value=f"{figures['action_or_as_good']:.3f} / "
        f"{_share(each.action_is_as_good for each in judged if not _is_doubt(each)):.3f}",
    )
    yield goal(
        f"{name}, question open, {len(requests)} requests: graded",
        _share(map(_is_graded, requests)),
        at_most=0.005,
    )
    yield Row(measure=f"{name}: requests asked about", value=f"{_share(map(_is_doubt, requests)):.3f}")
    if answers:
        yield goal(
            f"{name}, {len(answers)} answers: refused", _share(map(_is_refused, answers)), at_most=0.01
        )
        yield Row(measure=f"{name}: answers asked about", value=f"{_share(map(_is_doubt, answers)):.3f}")
    yield Row(
        measure=f"{name}, nothing open, {len(free)} messages: acted on wrongly (changing something) / asked about",
        value=f"{_share(not each.action_is_as_good and not _is_doubt(each) for each in free):.3f} "
        f"({_share(not each.action_is_as_good and is_dear(each.intent.action) for each in free):.3f}) / "
        f"{_share(map(_is_doubt, free)):.3f}",
    )
    yield Row(
        measure=f"{name}: right where acted on / meant thing among the choices where asked",
        value=f"{_share(each.action_is_as_good for each in settled):.3f} / "
        f"{_share(_is_offered(each) for each in free if _is_doubt(each)):.3f}",
    )
    if "topic" in figures:
        yield Row(
            measure=f"{name}: topic found, of the messages that name one", value=f"{figures['topic']:.3f}"
        )


def all_figures(sets: Mapping[str, Sequence[Judged]]) -> dict[str, float]:
    """The figures of every set; the hard one's have no name before them."""
    return {
        name if part == "blind" else f"{part}_{name}": value
        for part, judged in sets.items()
        for name, value in label_figures(judged).items()
    }


def label_figures(judged: Sequence[Judged]) -> dict[str, float]:
    """Shares of the labels that are right; more is better."""
    named = [each for each in judged if each.label.topic and each.action_is_as_good]
    free, answers = _with_nothing_open(judged), _answers(judged)
    return {
        "route": _share(each.route_is_right for each in judged),
        "action": _share(each.action_is_right for each in judged),
        "action_or_as_good": _share(each.action_is_as_good for each in judged),
        "requests_not_graded": 1 - _share(map(_is_graded, _requests(judged))),
        **({"answers_not_refused": 1 - _share(map(_is_refused, answers))} if answers else {}),
        "not_acted_on_wrongly": _share(each.action_is_as_good or _is_doubt(each) for each in free),
        **({"topic": _share(map(_same_topic, named))} if named else {}),
    }


def load(part: str) -> list[Label]:
    lines = (LABELS / f"messages_{part}.jsonl").read_text(encoding="utf-8").splitlines()
    return [_label(json.loads(line)) for line in lines]


def judge(labels: Sequence[Label]) -> tuple[list[Judged], float]:
    """Every label as the coordinator would read it, and the seconds that one took."""
    started = time.process_time()
    judged = [Judged(label=each, intent=understand(each.text, each.situation)) for each in labels]
    return judged, (time.process_time() - started) / len(labels)


def student_answers_taken() -> list[bool]:
    """Whether each real student answer of the half not fitted on is taken as an answer."""
    lines = (bench_data("short_answers") / "train.jsonl").read_text(encoding="utf-8").splitlines()
    rows = {row["answer"]: row for row in map(json.loads, lines)}
    return [
        _taken(text, rows[text]["question"], rows[text]["references"]) for text in _other_half(sorted(rows))
    ]


def _taken(text: str, question: str, references: Sequence[str]) -> bool:
    shown = OpenQuestion(kind="short_answer", text=question, expected=next(iter(references), ""))
    return understand(text, Situation(place="question", question=shown)).action == "answer"


def book_questions_served() -> tuple[list[bool], list[bool]]:
    """Whether each book question of the other half stays with the coordinator, and is not graded in a quiz."""
    asked = _other_half([each.text for each in questions(bench_data("openstax_biology"))])
    marked = [text for text in asked if text.rstrip().endswith("?")]
    return (
        [classify(text).route == "coordinator" for text in asked],
        [classify(text, question_pending=True).action != "answer" for text in marked],
    )


def _public_rows() -> Iterator[Row]:
    """Real texts, where the data is at hand."""
    try:
        taken, (served, kept) = student_answers_taken(), book_questions_served()
    except ConfigurationError as err:
        yield Row(measure="real answers and questions", value=f"left out: {err}")
        return
    yield goal(f"{len(taken):,} real student answers taken as answers", _share(taken), at_least=0.99)
    yield goal(f"{len(served):,} book questions left to the coordinator", _share(served), at_least=0.97)
    yield goal(f"{len(kept):,} of them asked during a quiz and not graded", _share(kept), at_least=0.95)


def _label(row: dict[str, object]) -> Label:
    question = row.get("question")
    shown = OpenQuestion(**{**question, "options": tuple(question.get("options", ()))}) if isinstance(question, dict) else None  # fmt: skip
    return Label(
        text=str(row["text"]),
        place=row["place"],  # type: ignore[arg-type]
        action=str(row["action"]),
        also=tuple(row.get("also", ())),  # type: ignore[arg-type]
        topic=str(row.get("topic", "")),
        question=shown,
    )


def _same_topic(judged: Judged) -> bool:
    """Whether the words that were found share most of their letters with the words that were meant."""
    found, meant = judged.intent.topic.lower(), judged.label.topic.lower()
    return bool(found) and (found in meant or meant in found)


def _route(action: str) -> str:
    return ROUTES.get(action, "coordinator")  # type: ignore[call-overload,no-any-return]


def _requests(judged: Iterable[Judged]) -> list[Judged]:
    return [each for each in judged if each.label.place == "question" and each.label.action != "answer"]


def _answers(judged: Iterable[Judged]) -> list[Judged]:
    return [each for each in judged if each.label.action == "answer"]


def _with_nothing_open(judged: Iterable[Judged]) -> list[Judged]:
    return [each for each in judged if each.label.place != "question"]


def _is_offered(judged: Judged) -> bool:
    return any(
        action in (judged.label.action, *judged.label.also) for action, _ in judged.intent.alternatives
    )


def _is_graded(judged: Judged) -> bool:
    return judged.intent.action == "answer"


def _is_doubt(judged: Judged) -> bool:
    return judged.intent.action == "unsure"


def _is_refused(judged: Judged) -> bool:
    return judged.intent.action not in ("answer", "unsure")


def _other_half(texts: Sequence[str]) -> list[str]:
    return [text for text in texts if hashlib.sha256(text.encode()).digest()[0] >= 128]


def _share(hits: Iterable[bool]) -> float:
    found = list(hits)
    return sum(found) / len(found) if found else 0.0
