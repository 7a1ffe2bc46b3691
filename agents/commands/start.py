"""The first command: everything set up, and the page opened."""

import socket

import click

from agents.commands.operator import serve


@click.command(epilog="Example: tutor start")
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
