"""tutor mcp: the task server for any MCP client."""

import asyncio

import click

from agents.settings import load_settings


@click.command()
@click.option("--http", "port", type=int, help="Serve HTTP on this port of loopback instead of stdio.")
@click.option("--user", help="Serve this one user, for clients that cannot name theirs.")
def mcp(port: int | None, user: str | None) -> None:
    """Serve the learner's to-dos over MCP, on stdio or HTTP."""
    from tasks_tools.serve import say_where, serve_http, serve_stdio

    settings = load_settings()
    log_file = settings.data_dir / "tasks.log"
    if port is None:
        asyncio.run(serve_stdio(settings.database, user=user, log_file=log_file))
    else:
        asyncio.run(
            serve_http(settings.database, port=port, user=user, log_file=log_file, on_ready=say_where)
        )
