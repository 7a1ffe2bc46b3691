"""Database addresses as people write them, turned into what the drivers take."""

from importlib.util import find_spec
from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from storage.errors import ConfigurationError

_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "sqlite+aiosqlite": "sqlite+aiosqlite",
    "postgres": "postgresql+asyncpg",
    "postgresql": "postgresql+asyncpg",
    "postgresql+asyncpg": "postgresql+asyncpg",
}
# Long enough to wait for the ingest of a large course.
BUSY_SECONDS = 30.0
_FORMS = "Set TUTOR_DATABASE_URL to sqlite:///path/to/tutor.db or postgresql://user:password@host/database."


def normalised(text: str) -> URL:
    """Parse an address and choose its async driver."""
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        # The parser quotes the address, password and all.
        raise ConfigurationError(f"The database address cannot be read. {_FORMS}") from None
    driver = _DRIVERS.get(url.drivername)
    if driver is None:
        raise ConfigurationError(f"There is no support for {url.drivername!r} databases. {_FORMS}")
    url = url.set(drivername=driver)
    return _checked_server(url) if is_postgresql(url) else _checked_file(url)


def url_of_file(file: Path) -> str:
    """The address of a SQLite file, whatever characters its folders have."""
    return URL.create("sqlite", database=str(file)).render_as_string()


def is_postgresql(url: URL) -> bool:
    """Whether the address is a PostgreSQL server's; otherwise it is a SQLite file's."""
    return url.get_backend_name() == "postgresql"


def sqlite_file(url: URL) -> Path:
    """The file behind a SQLite address."""
    return Path((url.database or "").removeprefix("file:"))


def busy_seconds(url: URL) -> float:
    """How long a statement waits for another program's lock on a SQLite file."""
    return float(str(url.query.get("timeout", BUSY_SECONDS)))


def place_of(url: URL) -> str:
    """How messages name the database: no folder, no user, no password."""
    if not is_postgresql(url):
        return f"the database file {sqlite_file(url).name}"
    host = url.host or url.query.get("host") or "localhost"
    return f"the PostgreSQL server at {host}:{url.port or 5432}"


def _checked_file(url: URL) -> URL:
    if url.host:
        raise ConfigurationError(f"A SQLite address has three slashes before its path. {_FORMS}")
    if url.database in {None, "", ":memory:"} or url.query.get("mode") == "memory":
        raise ConfigurationError(f"A database in memory forgets the learner. {_FORMS}")
    if not str(url.query.get("timeout", "0")).replace(".", "", 1).isdigit():
        raise ConfigurationError(f"The timeout in the database address is a number of seconds. {_FORMS}")
    # mode=ro and its like are SQLite's own, and only heard in a file: address.
    return _with_known_options(url, known={"timeout", "uri", "mode"} if "uri" in url.query else {"timeout"})


def _checked_server(url: URL) -> URL:
    if find_spec("asyncpg") is None:
        raise ConfigurationError('PostgreSQL needs its driver: pip install "mastery-loop[postgres]"')
    # Hosted databases hand out libpq addresses; asyncpg calls sslmode ssl, and does not know the others.
    ignored = {"channel_binding", "connect_timeout", "application_name"}
    query = {key: value for key, value in url.query.items() if key not in ignored}
    if "sslmode" in query:
        query["ssl"] = query.pop("sslmode")
    known = {"host", "port", "ssl", "target_session_attrs", "prepared_statement_cache_size"}
    return _with_known_options(url.set(query=query), known=known)


def _with_known_options(url: URL, *, known: set[str]) -> URL:
    unknown = sorted(set(url.query) - known)
    if unknown:
        raise ConfigurationError(f"The database address has an unknown option {unknown[0]!r}. {_FORMS}")
    return url
