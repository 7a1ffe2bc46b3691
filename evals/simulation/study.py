"""A simulated learner's days at the app, in plain messages; what happened is kept in a diary."""

import random
from datetime import timedelta
from typing import Final

from agents.language.words import flat
from agents.state import SessionState
from agents.teaching.diagnosis import diagnostic_scope
from agents.teaching.path import ConceptGraph
from agents.teaching.values import QuizQuestion
from evals.simulation.classroom import Classroom, Turn
from evals.simulation.learners import TRUE_GUESS
from evals.simulation.people import Person, arrive
from evals.simulation.records import Answer, Diagnosis, Diary, Ending, Heard, Loop, Morning, Purpose
from evals.simulation.voice import Voice

_DAYS_AWAY: Final = (2, 5, 10, 20)
_MOST_TURNS: Final = 60  # of a loop: five cycles of four questions, each of them twice, and some
_MOST_REFUSED: Final = 3
_REMEMBERS: Final = 0.5  # an answer that was shown for this very question on the same day


class Study:
    """One person at the app."""

    def __init__(
        self, person: Person, room: Classroom, graph: ConceptGraph, *, seed: int, user_id: str = ""
    ) -> None:
        self.diary = Diary(person=person)
        self._user = user_id or person.name
        self._person, self._room, self._graph = person, room, graph
        self._rng = random.Random(f"{seed}/{person.name}")
        self._learner = arrive(person, graph, rng=self._rng)
        self._voice = Voice(graph=graph, rng=self._rng)
        self._day = 0
        self._shown: set[str] = set()  # questions whose answers were shown today
        self._asked: set[str] = set()
        self._graded = 0
        self._refused = 0

    async def run(self) -> Diary:
        """Diagnosed and taught; days later reviewed and led on; days later taught the target itself."""
        await self.first_day()
        await self._return()
        turn = await self._follow_path("what should I learn next?")
        if turn.state.suggestion:
            await self._learn("yes", purpose="teach")
        await self._return()
        await self._learn(f"teach me {self._person.target}", purpose="teach")
        return self.diary

    async def first_day(self) -> Diary:
        """Name the goal, be diagnosed, and learn what the tutor suggests."""
        await self._come()
        await self._follow_path(f"my goal is to understand {self._person.target}")
        await self._be_diagnosed()
        await self._learn("yes", purpose="teach")
        return self.diary

    async def _say(self, text: str) -> Turn:
        """Say something, and confirm it where the tutor asks whether it was meant as an answer."""
        self.diary.turns += 1
        turn = await self._room.say(self._user, text, session_id=self._session)
        return await self._say("yes") if turn.state.doubtful_message else turn

    @property
    def _session(self) -> str:
        return f"{self._user}-day{self._day}"

    async def _come(self) -> Turn:
        self._day += 1
        await self._room.enter(self._user, session_id=self._session)
        return await self._say("hello")

    async def _return(self) -> None:
        """Come back after some days, and take the review that the greeting offers."""
        before = frozenset(self._learner.known)
        days = self._rng.choice(_DAYS_AWAY)
        self._room.now += timedelta(days=days)
        self._learner.sleeps(days=days)
        self._shown.clear()
        turn = await self._come()
        record = await self._room.record(self._user, turn.state)
        mastered = frozenset(record.mastered)
        morning = Morning(
            person=self._person,
            days=days,
            mastered=mastered,
            forgotten=mastered & before - self._learner.known,
            due=frozenset(record.due),
            is_offered="quiz me on" in turn.text,
        )
        self.diary.mornings.append(morning)
        if record.due:
            await self._learn(f"quiz me on {record.due[0]}", purpose="review")

    async def _follow_path(self, words: str) -> Turn:
        turn = await self._say(words)
        if "pathplanner" in turn.authors:
            self.diary.paths.append(tuple(turn.state.learning_path))
        return turn

    async def _be_diagnosed(self) -> None:
        turn = await self._say(f"where are my gaps in {self._person.target}?")
        scope = diagnostic_scope(self._graph, turn.state.topic_concepts)
        lacking = frozenset(scope) - self._learner.known
        answers: list[Answer] = []
        while question := turn.state.pending_question:
            said, meant = self._answer(question)
            turn = await self._say(said)
            marked = await self._mark()
            if marked is not None:
                answers.append(self._kept(question, said, meant=meant, marked=marked))
            elif turn.state.pending_question == question:
                break
        self.diary.diagnoses.append(
            Diagnosis(
                person=self._person,
                scope=scope,
                lacking=lacking,
                found=await self._room.gaps(self._user) & set(scope),
                answers=tuple(answers),
                has_ended=turn.state.diagnostic_complete,
            )
        )

    async def _learn(self, words: str, *, purpose: Purpose) -> None:
        """Go through a loop to its end."""
        before = frozenset(self._learner.known)
        self._refused = 0
        turn = await self._say(words)
        first = turn.state
        explained = [await self._listen(turn)]
        answers: list[Answer] = []
        for _ in range(_MOST_TURNS):
            question = turn.state.pending_question
            if question is None or turn.state.learning_phase != "quiz" or self._refused > _MOST_REFUSED:
                break
            answer, turn = await self._be_asked(question, was_told=_was_told(question, turn.state))
            if answer:
                answers.append(answer)
            if "tutor" in turn.authors:
                explained.append(await self._listen(turn))
        ending = self._ending(turn.state)
        self.diary.loops.append(
            Loop(
                person=self._person,
                purpose=purpose,
                topic=first.current_topic,
                concepts=tuple(first.topic_concepts),
                known_before=before,
                known_after=frozenset(self._learner.known),
                explained=tuple(explained),
                answers=tuple(answers),
                ending=ending,
                cycles=turn.state.learning_cycle_count,
                refused=self._refused,
                offer_taken=await self._take_offer() if ending == "limit" else None,
            )
        )
        if ending == "stuck":
            await self._say("stop")

    async def _listen(self, turn: Turn) -> Heard:
        """Hear the explanation of this turn, concept by concept as the course orders them."""
        if "tutor" not in turn.authors:
            return Heard()
        lesson = await self._room.explained(turn.state)
        heard = Heard(told=lesson.told, foundations=lesson.foundations, retold=lesson.retold)
        new = {*heard.told, *heard.foundations}
        for concept in self._graph.in_teaching_order([*new, *heard.retold]):
            self._learner.is_taught(concept, again=concept not in new)
        return heard

    async def _be_asked(self, question: QuizQuestion, *, was_told: bool) -> tuple[Answer | None, Turn]:
        """Answer one question; where the app leaves the verdict to the learner, they are honest."""
        said, meant = self._answer(question)
        turn = await self._say(said)
        checks = bool(turn.state.self_check_answer)
        if checks:
            turn = await self._say("yes" if meant else "no")
        marked = await self._mark()
        if marked is None:
            self._refused += 1
            return None, turn
        if not meant:
            self._learner.is_corrected(question.concept_name)
        answer = self._kept(question, said, meant=meant, marked=marked, checked=checks, was_told=was_told)
        self._shown.add(question.question_id)
        return answer, turn

    async def _mark(self) -> bool | None:
        """How the app marked the last message; None when it did not take it for an answer."""
        rows = await self._room.answers(self._user)
        is_new = len(rows) > self._graded
        self._graded = len(rows)
        return rows[-1].is_correct if is_new else None

    def _answer(self, question: QuizQuestion) -> tuple[str, bool]:
        guess = TRUE_GUESS[question.kind]
        if question.question_id in self._shown:
            guess = max(guess, _REMEMBERS)
        meant = self._learner.answers(question.concept_name, guess=guess)
        return (self._voice.right if meant else self._voice.wrong)(question), meant

    def _kept(
        self,
        question: QuizQuestion,
        said: str,
        *,
        meant: bool,
        marked: bool,
        checked: bool = False,
        was_told: bool = True,
    ) -> Answer:
        was_asked_before = question.question_id in self._asked
        self._asked.add(question.question_id)
        return Answer(
            concept=question.concept_name,
            kind=question.kind,
            question=question.question_text,
            expected=question.expected_answer,
            said=said,
            is_meant_right=meant,
            is_marked_right=marked,
            was_told=was_told,
            was_self_checked=checked,
            was_asked_before=was_asked_before,
        )

    def _ending(self, state: SessionState) -> Ending:
        if state.learning_phase:
            return "stuck"
        if state.learning_cycle_count and not state.improvement_areas:
            return "mastered"
        return "limit" if state.learning_cycle_count else "no quiz"

    async def _take_offer(self) -> bool:
        """At the limit the app offers a path; say yes to it, and ask for one where that was not understood."""
        turn = await self._follow_path("yes")
        if "pathplanner" in turn.authors:
            return True
        await self._follow_path("what should I learn next?")
        return False


def _was_told(question: QuizQuestion, state: SessionState) -> bool:
    told = flat("\n\n".join([*state.earlier_explanations, state.explanation]))
    return not told or flat(question.source_context) in told
