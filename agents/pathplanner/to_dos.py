"""The steps of a plan as to-dos, by the tools of the task server and in the learner's name."""

from datetime import datetime

from google.adk.agents.invocation_context import InvocationContext

from agents.language.due import END_OF_DAY
from agents.language.words import clipped, joined
from agents.pathplanner.offline import length
from agents.services import Services
from agents.study_plan import StudyPlan
from agents.task_manager.study_tasks import called
from storage.tasks import DESCRIPTION_CHARACTERS, TITLE_CHARACTERS, Tasks

MOST = 8  # at once: the steps that are shown


async def put_on_list(services: Services, ctx: InvocationContext, found: StudyPlan) -> str:
    """Add the shown steps that are not on the list yet; what the learner hears of it."""
    stops = found.days.stops[:MOST]
    if not stops:
        return found.plan.message or "There are no steps to put on your list."
    listed = await Tasks(services.database).list(ctx.user_id, now=services.now(), status="pending")
    there = {task.title for task in listed}
    added, failed = [], 0
    for stop in stops:
        section = stop.section
        title = clipped(f"Learn: {section.title}", most=TITLE_CHARACTERS)
        if title in there:
            continue
        how = f"{joined(section.concepts)}. About {length(section.minutes)}. Say 'teach me {section.concepts[0]}'."
        due = datetime.combine(stop.on, END_OF_DAY, tzinfo=services.zone)
        arguments = {
            "title": title,
            "description": clipped(how, most=DESCRIPTION_CHARACTERS),
            "due_at": due.isoformat(),
        }
        there.add(title)
        if await called(services, ctx, "add_task", arguments) is None:
            failed += 1
        else:
            added.append(title)
    if failed:
        return f"I could put only {len(added)} of {len(added) + failed} steps on your to-do list. Please try again later."
    if not added:
        return "These steps are on your to-do list already."
    more = len(found.days.stops) - len(stops)
    rest = f" The {more} after them follow when these are done." if more else ""
    return (
        f"I put {joined([repr(each) for each in added], most=4)} on your to-do list, each with its day.{rest}"
    )
