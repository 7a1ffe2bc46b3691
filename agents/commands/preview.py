"""tutor preview: what a learner would be taught and asked, without a chat."""

import json

import click

from agents.commands.setup import as_json, in_course, on_course
from agents.preview import Preview, preview_topic
from agents.settings import Settings
from rag.library import Library


@click.command()
@click.argument("topic")
@in_course
@as_json
def preview(topic: str, course: str | None, as_json: bool) -> None:
    """Show what a learner who asks for TOPIC would be taught and asked.

    TOPIC may name a part: "Ownership, part 2".
    """

    async def work(settings: Settings, library: Library, names: list[str]) -> Preview:
        return await preview_topic(library, topic, course=course, count=settings.quiz_questions)

    shown = on_course(course, work)
    click.echo(json.dumps(shown.as_json(), indent=2, ensure_ascii=False) if as_json else shown.as_page())
