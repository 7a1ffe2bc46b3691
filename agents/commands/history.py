"""tutor history: one conversation, as it was stored."""

import asyncio
import json
from collections.abc import Sequence

import click

from agents.commands.learner import as_user
from agents.settings import Settings, load_settings
from storage.errors import InvalidInputError
from storage.session_records import TurnLog


@click.command()
@click.option("--session", help="Which one; otherwise the newest.")
@as_user
@click.option("--json", "as_json", is_flag=True, help="Print the AgentSession and the Conversation.")
def history(session: str | None, user: str, as_json: bool) -> None:
    """Show a conversation: what was said, and how much was looked up for it."""
    from agents.conversation import agent_session_of, conversation_of
    from agents.prompts import prompt

    settings = load_settings()
    turns = asyncio.run(_turns(settings, user=user, session=session))
    system = "\n\n".join(filter(None, (prompt("coordinator/prompt.md"), settings.system_prompt)))
    view = agent_session_of(turns, system=system, max_history=settings.max_history)
    whole = conversation_of(turns, system=system)
    if as_json:
        both = {"session": view.model_dump(mode="json"), "conversation": whole.model_dump(mode="json")}
        click.echo(json.dumps(both, indent=2, ensure_ascii=False))
        return
    kind = "a conversation" if view.is_interactive else "a single question"
    click.echo(
        f"Session {view.session_id}, {kind} from {view.started_at:%Y-%m-%d %H:%M} with {view.model}: "
        f"turns {view.turn_count}, look-ups {view.retrieval_count}, tokens {view.total_tokens_used:,}"
    )
    for message in whole.messages:
        if message.content and message.role in ("user", "assistant"):
            speaker = user if message.role == "user" else "tutor"
            click.echo(f"\n{message.timestamp:%H:%M} {speaker}: {message.content}")
    if whole.note:
        click.echo(f"\n{whole.note}")


async def _turns(settings: Settings, *, user: str, session: str | None) -> Sequence[TurnLog]:
    from storage.database import Database
    from storage.sessions import Sessions

    database = await Database.open(settings.database)
    try:
        turns = await Sessions(database).turns(user, session_id=session)
    finally:
        await database.close()
    if not turns:
        which = f"session '{session}'" if session else "conversation"
        raise InvalidInputError(f"There is no {which} of {user}; old ones are deleted after a while.")
    newest = turns[-1].session_id
    return [turn for turn in turns if turn.session_id == newest]
