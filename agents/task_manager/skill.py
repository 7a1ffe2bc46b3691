"""The task manager under the embedded model: code has decided before the model is asked, so it only asks back."""

from agents.models.embedded import Reply, Request


def speak(request: Request) -> Reply:
    return Reply(text="I'm not sure what to do with your tasks. Try 'show my tasks' or 'remind me to …'.")
