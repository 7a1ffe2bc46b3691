"""tutor history: one conversation, as it was stored."""

import json

import click

from agents.commands.setup import as_user, on_database
from agents.conversation import agent_session_of, conversation_of
from agents.prompts import prompt
from agents.settings import load_settings
from storage.errors import InvalidInputError
from storage.sessions import Sessions


@click.command()
@click.option("--session", help="Which one; otherwise the newest.")
@as_user
@click.option("--json", "as_json", is_flag=True, help="Print the AgentSession and the Conversation.")
def history(session: str | None, user: str, as_json: bool) -> None:
    """Show a conversation: what was said, and how much was looked up for it."""
    settings = load_settings()
    turns = on_database(lambda database: Sessions(database).turns(user, session_id=session))
    if not turns:
        which = f"session '{session}'" if session else "conversation"
        raise InvalidInputError(f"There is no {which} of {user}; old ones are deleted after a while.")
    turns = [turn for turn in turns if turn.session_id == turns[-1].session_id]
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
