"""python -m tasks_tools: the learner's to-dos for any MCP client."""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import quote, unquote

from storage.errors import TutorError
from storage.files import only_mine

LOG_NAME = "tasks.log"


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until the client goes or a signal comes; a failure is one line that says what to do."""
    only_mine()
    options = _parser(os.environ).parse_args(arguments)
    from tasks_tools.server import serve  # mcp is slow to import: --help need not wait for it

    try:
        serve(
            options.database,
            port=options.http,
            host=options.host,
            token=os.environ.get("TUTOR_TASKS_TOKEN"),
            user=options.user,
            log_file=options.log or _log_beside(options.database),
        )
    except TutorError as err:
        sys.stderr.write(f"Error: {err}\n")
        return 1
    except KeyboardInterrupt:
        # Ctrl-C before the server could listen for it.
        return 0
    return 0


def _parser(environment: Mapping[str, str]) -> argparse.ArgumentParser:
    folder = Path(environment.get("TUTOR_DATA_DIR") or ".tutor")
    parser = argparse.ArgumentParser(
        prog="python -m tasks_tools", description="An MCP server with the learner's to-dos."
    )
    parser.add_argument("--http", type=int, metavar="PORT", help="serve HTTP on this port instead of stdio")
    parser.add_argument("--host", default="127.0.0.1", help="serve HTTP on this address (%(default)s)")
    parser.add_argument(
        "--user",
        default=environment.get("TUTOR_USER") or None,
        help="serve this one user, for clients that cannot name theirs (TUTOR_USER)",
    )
    parser.add_argument(
        "--database",
        metavar="URL",
        default=environment.get("TUTOR_DATABASE_URL") or _address(folder / "tutor.db"),
        help="sqlite:///… or postgresql://… (TUTOR_DATABASE_URL)",
    )
    parser.add_argument(
        "--log", type=Path, metavar="FILE", help="where calls are logged, without their words"
    )
    return parser


def _address(file: Path) -> str:
    # storage.engines does the same, but importing it would double the time to start.
    return "sqlite:///" + quote(str(file), safe="/\\: ")


def _log_beside(database: str) -> Path | None:
    """Beside a database file; a PostgreSQL server has no such place, so there --log must say."""
    scheme, _, path = database.partition(":///")
    return Path(unquote(path.partition("?")[0])).with_name(LOG_NAME) if scheme.startswith("sqlite") else None


if __name__ == "__main__":
    sys.exit(main())
