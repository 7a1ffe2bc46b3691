"""The first commands: everything set up and the page opened, and a shell that completes the others."""

import socket

import click
from click.shell_completion import get_completion_class

from agents.commands.operator import serve


@click.command()
@click.option(
    "--port", type=int, help="The port to listen on; without it 8000, or a free one where that is taken."
)
@click.option("--open/--no-open", "opens", default=True, help="Open the page in your browser.")
@click.pass_context
def start(ctx: click.Context, port: int | None, opens: bool) -> None:
    """Open the page to study with; the first time it reads the sample course."""
    ctx.invoke(serve, port=_free() if port is None else port, opens=opens)


def _free(usual: int = 8000) -> int:
    """The usual port; 0, which takes any, where somebody else has it."""
    try:
        socket.create_server(("127.0.0.1", usual)).close()
    except OSError:
        return 0
    return usual


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print what makes SHELL complete commands and options with the Tab key."""
    made = get_completion_class(shell)
    assert made is not None
    click.echo(made(click.get_current_context().find_root().command, {}, "tutor", "_TUTOR_COMPLETE").source())
