"""The ADK app: wiring only."""

from google.adk.apps.app import App

from agents.adk_compat import silence_cache_remark
from agents.adk_sessions import APP_NAME
from agents.coordinator.agent import build_coordinator
from agents.diagnostic.agent import build_diagnostic
from agents.feedback.agent import build_feedback
from agents.learning_loop.agent import build_learning_loop
from agents.models.choice import build_model
from agents.pathplanner.agent import build_pathplanner
from agents.plugins.closing import ClosingPlugin
from agents.plugins.door import DisplayPlugin, DoorPlugin, ModelCallsPlugin
from agents.plugins.recorder import RecorderPlugin, RetentionPlugin, TransitionsPlugin, speak_up
from agents.plugins.serialise import SerialisePlugin
from agents.plugins.telemetry import TelemetryPlugin
from agents.quiz.agent import build_quiz
from agents.services import Services
from agents.settings import load_settings
from agents.task_manager.agent import build_task_manager
from agents.tutor.agent import build_tutor


def build_app(services: Services) -> App:
    """Every agent and plugin, around one set of services."""
    settings = services.settings
    if settings.verbose:
        speak_up()
    model = services.model = build_model(settings)
    diagnostic = build_diagnostic(model=model, services=services)
    pathplanner = build_pathplanner(model=model, services=services)
    learning_loop = build_learning_loop(
        tutor=build_tutor(model=model, services=services),
        quiz=build_quiz(model=model, services=services),
        feedback=build_feedback(model=model, services=services),
        max_cycles=settings.max_cycles,
    )
    task_manager = build_task_manager(model=model, services=services)
    specialists = [diagnostic, pathplanner, task_manager, learning_loop]
    coordinator = build_coordinator(model=model, services=services, sub_agents=specialists)
    recorder = RecorderPlugin(services, model_name=model.model)
    return App(
        name=APP_NAME,
        root_agent=coordinator,
        plugins=[
            DoorPlugin(services),
            ClosingPlugin(services, recorder),  # at a turn's end the next one gives the session free
            SerialisePlugin(services),
            RetentionPlugin(services),
            TransitionsPlugin(services),
            TelemetryPlugin(services, model_name=model.model),
            DisplayPlugin(services),
            # After these: it changes events and closes the turn, and nobody after it is asked.
            recorder,
            ModelCallsPlugin(services),
        ],
    )


silence_cache_remark()
app = build_app(Services(load_settings()))
root_agent = app.root_agent
