"""Where ADK keeps its sessions: beside the learner's record, never in the program's own folder.

`python -m agents.adk_sessions web|run|api_server …` is `adk` with that place filled in. It is filled in here and
not on the command line, because a PostgreSQL address may hold a password, which `ps` shows to everybody.
"""

import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.settings import Settings, load_settings
from storage.errors import StorageError, TutorError

if TYPE_CHECKING:
    from google.adk.artifacts.base_artifact_service import BaseArtifactService
    from google.adk.sessions.base_session_service import BaseSessionService
    from google.adk.sessions.session import Session

    from storage.database import Database

FILE_NAME = "sessions.db"
APP_NAME = "agents"

SessionKey = tuple[str, str]  # whose, and its id


def sessions_uri(settings: Settings) -> str:
    """The address of the sessions as ADK's commands take it: a file in the data folder, or the PostgreSQL server."""
    from storage.engines import is_postgresql, normalised

    url = normalised(settings.database)
    if is_postgresql(url):
        return url.render_as_string(hide_password=False)
    # As it is: ADK takes what stands after the third slash for the path, percent signs and all.
    return f"sqlite:///{_file(settings)}"


def session_service(settings: Settings) -> "BaseSessionService":
    """ADK's sessions of this installation, for whoever runs the Runner."""
    from storage.engines import is_postgresql, normalised

    # Imported on use: `adk run` shows its prompt before that.
    if is_postgresql(normalised(settings.database)):
        from agents.recent_sessions import on_server

        return on_server(sessions_uri(settings))
    from agents.recent_sessions import in_file

    return in_file(str(_file(settings)))


@asynccontextmanager
async def open_sessions(settings: Settings) -> "AsyncIterator[BaseSessionService]":
    """The same for who runs no Runner, which would close them."""
    service: Any = session_service(settings)
    try:
        yield service
    finally:
        await service.close()


def register(settings: Settings) -> None:
    """From now on ADK's own commands make our service for the addresses of `sessions_uri`."""
    from google.adk.cli.service_registry import get_service_registry

    for scheme in ("sqlite", "postgresql", "postgresql+asyncpg"):
        get_service_registry().register_session_service(scheme, lambda *_, **__: session_service(settings))


def artifacts_uri(settings: Settings) -> str:
    """Where ADK keeps a session's pictures."""
    return (_folder(settings) / "artifacts").as_uri()


async def forget_before(
    service: "BaseSessionService",
    moment: datetime,
    *,
    app_name: str,
    artifacts: "BaseArtifactService | None" = None,
    but: SessionKey | None = None,
) -> int:
    """Delete what was said before a moment, and whole sessions that nobody used since; returns how many of these.

    The session that is being used stays, but for its old messages.
    """
    from agents.adk_compat import delete_events_before

    idle = [key for key in await _idle(service, moment, app_name=app_name) if key != but]
    for user_id, session_id in idle:
        await service.delete_session(app_name=app_name, user_id=user_id, session_id=session_id)
        if artifacts is not None:
            await _delete_artifacts(artifacts, app_name=app_name, user_id=user_id, session_id=session_id)
    await delete_events_before(service, moment, app_name=app_name)
    return len(idle)


async def kept_about(settings: Settings, database: "Database", user_id: str) -> dict[str, list[Any]]:
    """Everything of a learner as JSON values: the rows of every table, and the conversations that ADK keeps.

    What answers a question that they have not answered yet is no record of theirs, and stays.
    """
    from storage.learners import records_of

    conversations = [
        session.model_dump(mode="json", by_alias=False, exclude_none=True)
        for session in await _conversations(settings, user_id)
    ]
    kept = {**await records_of(database, user_id), "conversations": conversations}
    answered = {each["question_id"] for each in _dicts(kept) if "learner_answer" in each}
    for each in _dicts(kept):
        if "expected_answer" in each and each.get("question_id") not in answered:
            each.update({name: type(each[name])() for name in _ANSWERING & each.keys()})
    return kept


_ANSWERING = {"expected_answer", "source_context", "solution", "points", "whys"}  # fields of a question


def _dicts(value: object) -> Iterator[dict[str, Any]]:
    """All dictionaries in a JSON value, at any depth."""
    if isinstance(value, dict):
        yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _dicts(each)


async def forget_everywhere(
    settings: Settings, database: "Database", user_id: str
) -> tuple[dict[str, int], int]:
    """Delete all of a learner; how many rows went from which table, and from how many copies of the database."""
    from storage.engines import is_postgresql, normalised, sqlite_file
    from storage.files import copies
    from storage.learners import forget_in_copy, forget_learner

    gone = await forget_learner(database, user_id)
    gone["conversations"] = await _forget_conversations(settings, user_id)
    url = normalised(settings.database)
    kept = [] if is_postgresql(url) else copies(sqlite_file(url))
    return gone, sum(forget_in_copy(copy, user_id) > 0 for copy in kept)


async def _conversations(settings: Settings, user_id: str) -> "list[Session]":
    """All sessions of a learner, wherever ADK keeps them."""
    found = []
    for service in _services(settings):
        listed = (await service.list_sessions(app_name=APP_NAME, user_id=user_id)).sessions
        for each in listed:
            session = await service.get_session(app_name=APP_NAME, user_id=user_id, session_id=each.id)
            found += [session] if session else []
    return found


async def _forget_conversations(settings: Settings, user_id: str) -> int:
    """Delete all sessions of a learner with their pictures, and what ADK remembers across them; how many."""
    from google.adk.artifacts.file_artifact_service import FileArtifactService

    from agents.adk_compat import delete_user_state

    artifacts = FileArtifactService(_folder(settings) / "artifacts")
    count = 0
    for service in _services(settings):
        for each in (await service.list_sessions(app_name=APP_NAME, user_id=user_id)).sessions:
            await _delete_artifacts(artifacts, app_name=APP_NAME, user_id=user_id, session_id=each.id)
            await service.delete_session(app_name=APP_NAME, user_id=user_id, session_id=each.id)
            count += 1
        await delete_user_state(service, user_id)
    return count


def _services(settings: Settings) -> "list[BaseSessionService]":
    """Ours, and the one that a plain `adk web` makes in the program's folder."""
    from google.adk.sessions.sqlite_session_service import SqliteSessionService

    plain = Path(__file__).parent / ".adk" / "session.db"
    beside: list[BaseSessionService] = [SqliteSessionService(db_path=str(plain))] if plain.exists() else []
    return [session_service(settings), *beside]


async def _idle(service: "BaseSessionService", moment: datetime, *, app_name: str) -> list[SessionKey]:
    found = (await service.list_sessions(app_name=app_name)).sessions
    return [(each.user_id, each.id) for each in found if each.last_update_time < moment.timestamp()]


async def _delete_artifacts(
    artifacts: "BaseArtifactService", *, app_name: str, user_id: str, session_id: str
) -> None:
    of_session = {"app_name": app_name, "user_id": user_id, "session_id": session_id}
    for name in await artifacts.list_artifact_keys(**of_session):
        if not name.startswith("user:"):
            await artifacts.delete_artifact(**of_session, filename=name)


def _file(settings: Settings) -> Path:
    return _folder(settings) / FILE_NAME


def _folder(settings: Settings) -> Path:
    """The data folder, made if need be: ADK makes none."""
    folder = settings.data_dir.absolute()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as err:
        raise StorageError(
            "The data folder cannot be made. Check that it may be written, or choose another one with TUTOR_DATA_DIR."
        ) from err
    return folder


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one of ADK's commands over this installation's sessions."""
    command, *rest = sys.argv[1:] if arguments is None else arguments
    try:
        settings = load_settings()
        places = [
            "--session_service_uri",
            sessions_uri(settings),
            "--artifact_service_uri",
            artifacts_uri(settings),
        ]
    except TutorError as err:
        sys.exit(f"Error: {err}")
    if command in ("run", "web") and not {"-h", "--help"} & set(rest):
        from agents.models.offer import offer

        offer(settings)
    from google.adk.cli import main as adk

    from agents.adk_compat import quiet_cli

    quiet_cli()
    register(settings)
    is_served = command in ("web", "api_server") and not {"-v", "--verbose", "--log_level"} & set(rest)
    adk([command, *places, *(["--log_level", "WARNING"] if is_served else []), *rest], prog_name="adk")


if __name__ == "__main__":
    main()
