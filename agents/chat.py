"""One question or a few, through the real app, without a front end."""

import uuid
from typing import Any

from google.adk.artifacts.in_memory_artifact_service import InMemoryArtifactService
from google.adk.runners import Runner
from google.adk.sessions.in_memory_session_service import InMemorySessionService
from google.genai import types

from agents.agent import APP_NAME, build_app
from agents.services import Services


async def ask(services: Services, question: str, *, user_id: str, course: str = "") -> dict[str, Any]:
    """The AgentResponse to one question in a session of its own, in the course that is named or the usual one."""
    sessions = InMemorySessionService()
    runner = Runner(
        app=build_app(services), session_service=sessions, artifact_service=InMemoryArtifactService()
    )
    session = await sessions.create_session(
        app_name=APP_NAME,
        user_id=user_id,
        session_id=str(uuid.uuid4()),
        state={"is_interactive": False, **({"course": course} if course else {})},
    )
    message = types.Content(role="user", parts=[types.Part(text=question)])
    async for _ in runner.run_async(user_id=user_id, session_id=session.id, new_message=message):
        pass
    after = await sessions.get_session(app_name=APP_NAME, user_id=user_id, session_id=session.id)
    return dict(after.state["last_response"]) if after else {}
