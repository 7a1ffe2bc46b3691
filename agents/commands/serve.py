"""Servers: the learner's and the teacher's pages (serve), and the to-dos for any MCP client (mcp)."""

import asyncio
import socket
import webbrowser
from typing import TYPE_CHECKING

import click

from agents.commands.setup import open_database
from agents.services import Services
from agents.settings import Settings, load_settings
from storage.accounts import Accounts
from storage.errors import ConfigurationError

if TYPE_CHECKING:
    from web.access import Doors


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", default=8000, show_default=True, help="The port to listen on; 0 takes a free one.")
@click.option("--open/--no-open", "opens", default=False, help="Open the page in your browser.")
@click.option("--sign-in", "signs_in", is_flag=True, help="Ask for accounts on this machine, too.")
def serve(host: str, port: int, opens: bool, signs_in: bool) -> None:
    """Serve the page to study with in a browser.

    On this machine there is one learner and no sign-in; any other address needs accounts or a proxy that asks.
    """
    settings = load_settings()
    # Before the port is taken: nobody shall reach it while it is not known who may.
    doors = asyncio.run(doors_for(settings, host=host, signs_in=signs_in))
    listening = _listen(host, port)
    click.echo("Getting ready …")

    import uvicorn

    from web.app import build_web

    services = Services(settings)

    def tell() -> None:
        address = address_of(host, listening.getsockname()[1])
        click.echo(f"Open {address} in your browser. Ctrl+C stops; nothing is lost.")
        if opens:
            webbrowser.open(address)

    async def run() -> None:
        web = build_web(services, doors=doors, on_ready=tell)
        # What a proxy says is read at our own gate, and only from the proxies that are listed.
        config = uvicorn.Config(web, log_level="warning", proxy_headers=False)
        try:
            await uvicorn.Server(config).serve(sockets=[listening])
        finally:
            await services.close()

    asyncio.run(run())


def address_of(host: str, port: int) -> str:
    """What to open on this machine: a server that listens everywhere has no address of that name."""
    here = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{here}]:{port}" if ":" in here else f"http://{here}:{port}"


def _listen(host: str, port: int) -> socket.socket:
    """The port, taken before anything else: who waits for a busy one waits in vain."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as err:
        raise ConfigurationError(
            f"Port {port} on {host} cannot be used ({err.strerror or err}). Choose another one with --port."
        ) from err


async def doors_for(settings: Settings, *, host: str, signs_in: bool = False) -> "Doors":
    """The way in for this address; refuses where everybody could come in as anybody."""
    from web.access import choose_doors

    async with open_database(settings) as database:
        has_accounts = bool(await Accounts(database).all())
    return choose_doors(
        host=host,
        has_accounts=has_accounts,
        header=settings.proxy_header,
        addresses=settings.proxy_addresses,
        signs_in=signs_in,
    )


@click.command()
@click.option(
    "--http", "port", type=int, help="Serve HTTP on this port instead of stdio; TUTOR_TASKS_TOKEN opens it."
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address that HTTP is served on.")
@click.option("--user", help="Serve this one user, for clients that cannot name theirs.")
def mcp(port: int | None, host: str, user: str | None) -> None:
    """Serve the learner's to-dos over MCP, on stdio or HTTP."""
    from tasks_tools.serve import serve

    settings = load_settings()
    serve(
        settings.database,
        port=port,
        host=host,
        token=settings.tasks_token.get_secret_value() if settings.tasks_token else None,
        user=user,
        log_file=settings.data_dir / "tasks.log",
    )
