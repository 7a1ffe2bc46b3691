"""From an intent to a decision: an answer of our own, a look into the course, or another agent."""

from dataclasses import replace
from typing import Any

from agents.coordinator import desk, doors, lesson_desk
from agents.coordinator.desk import ask_for_course, was_looked_up, ways
from agents.coordinator.intents import Action, Intent
from agents.coordinator.letters import letter_of
from agents.coordinator.practice import practice_of, practise
from agents.coordinator.question import terms_in
from agents.coordinator.visit import Decision, HandOver, LookUp, Say, Server, Visit, before_leaving
from agents.diagnostic.offline import shortcut
from agents.language.deadline import Terms, terms_of
from agents.language.spans import topic_span
from agents.language.words import STOP, content_set, words_of
from agents.learner_record import load_record, progress_chart, progress_text
from agents.state import MOST_GOALS, SessionState
from agents.syllabus import find_topic as search_topic
from agents.teaching import loop

# These point at what was said, whatever it is about.
_OF_A_TEXT = content_set(
    "paragraph sentence part section line step point word formula example question answer lesson child"
)
_HARDLY = 0.3  # so unlikely an answer, a message that names a topic asks for it
_LEARNING = ("teach", "change_topic", "quiz_me")
# These make sense only in a course; who has several and none chosen is asked first.
_IN_A_COURSE = (
    *_LEARNING, "next", "diagnose", "plan", "goal", "greet", "progress", "recap", "mistakes", "reviews", "remaining",
    "short_time", "which_course",
)  # fmt: skip


# With the name of a lesson that was left, these want to go back to it.
_GO_BACK = ("next", "resume", "switch_course", "teach", "change_topic")
_LIKELY = 0.5
_AT_ITS_BEGINNING = 4  # words
_CLEARLY_PLANS, _SURELY_PLANS = 0.8, 0.95
_A_PLAN = frozenset(words_of("plan plans path way step steps section sections day days all every each"))
# What these are told does not depend on the course.
_SAME_FOR_ALL = ("add_material", "help", "small_talk")

# After a round that a crash or a leaving client cut short, these go on with it.
_GOES_ON = ("next", "resume", "yes", "show_question_again", "unclear")


async def decide(visit: Visit) -> Decision:
    """What to do about one message."""
    visit = replace(visit, intent=await _with_the_course_in_view(visit))
    action, state = visit.intent.action, visit.state
    if action == "answer":
        return HandOver(
            agent_name="learning_loop" if state.learning_phase == "quiz" else "diagnostic",
            changes=state.changes(confirmed_answer=visit.intent.kept),
        )
    is_again = visit.is_repeated and not visit.intent.kept
    if state.is_interrupted and (is_again or action in _GOES_ON):
        return HandOver(agent_name="learning_loop")
    names_one = visit.intent.topic or (visit.intent.wish and visit.intent.wish.course)
    if not state.course and action in _IN_A_COURSE and not names_one:
        return await ask_for_course(visit)
    if practice := practice_of(visit):
        return await practise(visit, practice)
    is_accepted = visit.intent.is_agreed and bool(state.suggestion)
    action = _as_it_stands(action, state, is_accepted=is_accepted)
    if action in ("yes", "next") and not state.suggestion and was_looked_up(state):
        return await lesson_desk.reexplain(replace(visit, intent=replace(visit.intent, manner="deeper")))
    goes_on_list = action == "tasks" and _puts_the_plan_on_the_list(visit)
    if goes_on_list or (action in ("yes", "next") and _path_is_offered(visit)):
        changes = state.changes(plan_command="to_dos" if goes_on_list else "")
        return HandOver(agent_name="pathplanner", changes=changes)
    if _leaves_the_diagnostic(visit):
        return HandOver(agent_name="diagnostic")
    if action in _LEARNING or action == "next":
        return await doors.learn(visit)
    if action == "ask":
        topic = visit.intent.topic if visit.intent.is_agreed else ""  # in the place of a lesson on it
        question = f"What is {topic}?" if topic else visit.message
        return await letter_of(visit, question) or LookUp(question=question)
    if action == "disagree":
        return HandOver(agent_name="learning_loop", changes=state.changes(**loop.command("dispute")))
    if action in ("yes", "no") and visit.intent.route == "task_manager":
        return HandOver(agent_name="task_manager")
    serve = _SERVERS.get(action)
    return await serve(visit) if serve else await _specialist(visit)


def _as_it_stands(action: Action, state: SessionState, *, is_accepted: bool) -> Action:
    """“Next” and “resume” by whether a question is open."""
    if action == "next" and state.pending_question and not is_accepted:
        return "resume" if state.quiz_paused else "show_question_again"
    return "next" if action == "resume" and not state.pending_question else action


async def _with_the_course_in_view(visit: Visit) -> Intent:
    """A doubtful message that likely asks for a lesson does so where the course has what it names under that name.

    So does “explain threads instead” in a lesson on something else. And what is close to a question and gets the same
    words in every course is a question where this one answers it: “how do I add a token to the vocabulary”.
    """
    intent = visit.intent
    if planned := await _plans(visit):
        return planned
    if intent.action == "reexplain" and not intent.wish:
        span = topic_span(visit.message)
        if _is_of_nothing_here(span, visit.state):
            reason = "names what was not spoken of"
            return replace(intent, action="ask", topic=span, is_agreed=True, reason=reason)
        named = await _taught_elsewhere(visit, span)
        reason = "names what another page teaches"
        if named and visit.state.open_lesson:  # beside a lesson, an explanation is a question
            return replace(intent, action="ask", reason=reason)
        return (
            replace(intent, action="teach", route="learning_loop", topic=named, reason=reason)
            if named
            else intent
        )
    chances = dict(intent.alternatives)
    if intent.action in _SAME_FOR_ALL and "ask" in chances and not intent.wish:
        is_about_it = await desk.is_answered(visit)
        return replace(intent, action="ask", reason="the course answers it") if is_about_it else intent
    if named := await _goes_back_to(visit):
        reason = "names a lesson that was left"
        return replace(intent, action="teach", route="learning_loop", topic=named, reason=reason)
    is_hardly_an_answer = chances.pop("answer", 0.0) <= _HARDLY
    is_doubtful = intent.action == "unsure" and bool(intent.topic) and is_hardly_an_answer
    if not is_doubtful or next(iter(chances), "") not in ("teach", "change_topic"):
        return intent
    syllabus = await visit.services.syllabus(visit.state.course)
    found = await search_topic(visit.services.library, syllabus, intent.topic)
    if not found or not found[0].is_sure:
        return intent
    return replace(intent, action="teach", route="learning_loop", reason="names what the course teaches")


async def _plans(visit: Visit) -> Intent | None:
    """What a message about the way ahead asks for, where that is something else than it reads like.

    A topic and a date, and nothing else, is a goal: “acids by next Friday”. And what is hardly a wish for a plan, with
    neither a date nor a topic of the course in it, may be a word about the last one: then it is better asked.
    """
    intent = visit.intent
    if intent.is_agreed or intent.wish or visit.state.is_asking:
        return None
    terms = _terms(visit)
    if terms.by and terms.rest and intent.action not in ("plan", "goal", "answer"):
        if not visit.state.course or not await _is_taught(visit, terms.rest):
            return None
        reason = "names what the course teaches, and a date"
        return replace(intent, action="plan", route="pathplanner", topic=terms.rest, reason=reason)
    # What a model or a button has decided has no alternatives; to show the same plan once more helps nobody.
    border = _SURELY_PLANS if visit.state.last_routed_to == "pathplanner" else _CLEARLY_PLANS
    likely = intent.confidence + sum(
        chance for action, chance in intent.alternatives if action in ("plan", "goal")
    )
    is_hardly = bool(intent.alternatives) and likely < border and not terms.are_said
    if not is_hardly or intent.action not in ("plan", "goal"):
        return None
    if set(words_of(intent.topic)) - _A_PLAN and await doors.find_topic(visit, intent.topic):
        return None
    if visit.state.course and terms_in(
        visit.message, (await visit.services.syllabus(visit.state.course)).names
    ):
        return None
    chances = ((intent.action, intent.confidence), *intent.alternatives)
    reason = "may be a word about the plan"
    return replace(intent, action="unsure", route="coordinator", reason=reason, alternatives=chances)


async def _is_taught(visit: Visit, named: str) -> bool:
    """By this very name; or surely, where the message does not plainly ask for something else."""
    syllabus = await visit.services.syllabus(visit.state.course)
    if syllabus.topic_named(named) is not None:
        return True
    found = await search_topic(visit.services.library, syllabus, named)
    return found is not None and found[0].is_sure and visit.intent.confidence < _CLEARLY_PLANS


def _terms(visit: Visit) -> Terms:
    """Until when and how long a day, in the learner's zone."""
    services = visit.services
    return terms_of(visit.message, now=services.now().astimezone(services.zone))


def _puts_the_plan_on_the_list(visit: Visit) -> bool:
    """“Put it on my to-do list”, right after a plan: a new task that is called nothing else than the plan is."""
    if visit.state.last_routed_to != "pathplanner":
        return False
    from agents.task_manager.intents import commands_in  # its weights are only needed here

    found = commands_in(visit.message)
    titles = [each.entities.title or "" for each in found]
    return all(each.intent == "create" for each in found) and all(
        set(words_of(title)) <= STOP | _A_PLAN for title in titles
    )


def _is_of_nothing_here(named: str, state: SessionState) -> bool:
    """Whether “explain torque to me” names what neither the lesson nor the last answer has a word of."""
    words = content_set(named)
    if not words or not words.isdisjoint(_OF_A_TEXT):
        return False
    heard = [
        state.explanation,
        state.topic_label,
        state.last_question,
        str(state.last_response.get("answer", "")),
    ]
    return words.isdisjoint(content_set("\n".join([*heard, *state.topic_concepts])))


async def _goes_back_to(visit: Visit) -> str:
    """The lesson that was left and is named by a message that likely wants to move; empty for any other message."""
    intent, chances = visit.intent, dict(visit.intent.alternatives)
    answer = chances.pop("answer", 0.0)
    if intent.is_agreed or (intent.topic and intent.action in ("teach", "change_topic")):
        return ""
    is_answer = intent.action == "answer"
    wish = next(iter(chances), "") if is_answer or intent.action == "unsure" else intent.action
    is_likely = chances.get(wish, 0.0) >= _LIKELY if is_answer else answer < _LIKELY
    # “go back to …” with all of a name that was left is no answer, whatever it reads like.
    says_so = is_answer and "back" in words_of(visit.message)[:_AT_ITS_BEGINNING]
    wants_to = says_so or (wish in _GO_BACK and is_likely)
    return await doors.left_lesson(visit, by_title=is_answer) if wants_to else ""


async def _taught_elsewhere(visit: Visit, named: str) -> str:
    """What is named, where the course has it under that name on another page than the one that is being taught."""
    here = visit.state.topic_place
    if not named or not visit.state.course:
        return ""
    syllabus = await visit.services.syllabus(visit.state.course)
    found = await search_topic(visit.services.library, syllabus, named)
    is_another = found and found[0].is_sure and not (here and here.chapter_id == found[1].place.chapter_id)
    return named if is_another else ""


def _path_is_offered(visit: Visit) -> bool:
    """Whether the loop on this topic ended at its limit, where the feedback offers the way out."""
    state = visit.state
    is_over = not (state.pending_question or state.pending_task or state.suggestion)
    at_limit = state.learning_cycle_count >= state.max_cycles
    return is_over and at_limit and bool(state.improvement_areas)


def _leaves_the_diagnostic(visit: Visit) -> bool:
    """“I'm new to this” would ask for a lesson anywhere else; the diagnostic offers it as an answer."""
    state = visit.state
    is_probing = state.pending_question is not None and state.learning_phase != "quiz"
    return is_probing and shortcut(visit.message, is_asked=True) == "new"


async def _progress(visit: Visit) -> Decision:
    services, state = visit.services, visit.state
    record = await load_record(services, visit.user_id, state)
    text = progress_text(record)
    if state.topic_parts > 1:
        text += f"\n\nYou are at **{state.topic_label}**."
    chart = progress_chart(record) if record.scores else None
    return Say(text=text, chart=chart)


async def _specialist(visit: Visit) -> Decision:
    state, intent = visit.state, visit.intent
    changes: dict[str, Any] = {}
    topic = await doors.find_topic(visit, intent.topic) if intent.topic else None
    if intent.route == "diagnostic":
        [choice] = ways("diagnose", topic=topic.name if topic else "")
        about = f" on **{topic.name}**" if topic else ""
        asked = f"Shall I set it aside for a few questions{about}, and come back after them?"
        if say := before_leaving(visit, choice, asked=asked):
            return say
        changes = state.with_lesson_aside(
            course=topic.course if topic else state.course,
            current_topic=topic.name if topic else state.current_topic,
            topic_concepts=list(topic.concepts) if topic else state.topic_concepts,
            topic_place=topic.place if topic else state.topic_place,
            diagnostic_complete=False,
            diagnostic_questions=[],
            diagnostic_responses=[],
            diagnostic_command="",
            **loop.set_aside(),
            suggestion="",
        )
    terms = _terms(visit) if intent.action in ("plan", "goal") else None
    if terms and terms.are_said and not intent.is_agreed:
        named = await _goal_in(visit, terms)
        changes = await doors.keep_goals(visit, [named]) if named else {}
        return HandOver(agent_name=intent.route, changes=changes)
    goal = intent.topic if intent.action == "plan" and topic else ""
    if intent.action == "goal":
        changes = await doors.keep_goals(visit, [intent.topic or visit.message])
    elif goal:
        changes = state.changes(goals=[*(each for each in state.goals if each != goal), goal][-MOST_GOALS:])
    return HandOver(agent_name=intent.route, changes=changes)


async def _goal_in(visit: Visit, terms: Terms) -> str:
    """What a message with a date in it wants to reach, of what the course teaches; empty where it names nothing."""
    topic = visit.intent.topic
    for named in (terms.rest, topic_span(terms.rest), topic):
        if named and await doors.find_topic(visit, named):
            syllabus = await visit.services.syllabus(visit.state.course)
            is_its_name = named != terms.rest or syllabus.topic_named(named) is not None
            if is_its_name:
                return named
    return ""


_SERVERS: dict[str, Server] = {
    **desk.SERVERS,
    **lesson_desk.SERVERS,
    "progress": _progress,
}
