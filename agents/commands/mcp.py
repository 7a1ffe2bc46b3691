"""tutor mcp: the task server for any MCP client."""

import asyncio

import click

from agents.settings import load_settings


@click.command()
@click.option(
    "--http", "port", type=int, help="Serve HTTP on this port instead of stdio; TUTOR_TASKS_TOKEN opens it."
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address that HTTP is served on.")
@click.option("--user", help="Serve this one user, for clients that cannot name theirs.")
def mcp(port: int | None, host: str, user: str | None) -> None:
    """Serve the learner's to-dos over MCP, on stdio or HTTP."""
    from tasks_tools.serve import serve_http, serve_stdio, token_for

    settings = load_settings()
    database, log_file = settings.database, settings.data_dir / "tasks.log"
    if port is None:
        asyncio.run(serve_stdio(database, user=user, log_file=log_file))
        return
    token, say = token_for(settings.tasks_token.get_secret_value() if settings.tasks_token else None)
    asyncio.run(
        serve_http(database, port=port, host=host, token=token, user=user, log_file=log_file, on_ready=say)
    )
