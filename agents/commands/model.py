"""The command that says which language model speaks, finds those on this machine, and chooses one."""

import click

from agents.chosen_model import ChosenModel
from agents.models.choice import choose_model
from agents.models.offer import nearby, use
from agents.settings import Settings, load_settings
from storage.errors import InvalidInputError


@click.command()
@click.argument("name", required=False)
@click.option("--url", default="", help="Where an openai: model is served, mostly ending in /v1.")
@click.option("--key", "asks_key", is_flag=True, help="Ask for a key; it is kept for its owner only.")
def model(name: str | None, url: str, asks_key: bool) -> None:
    """Show which language model speaks and which are running here, or use NAME from now on.

    NAME is a Gemini name, ollama:<name>, openai:<name>, or embedded for none.
    """
    settings = load_settings()
    if name is None:
        _show(settings)
        return
    if settings.model_is_set:
        raise InvalidInputError("TUTOR_MODEL names the model. Take it out of the environment and .env first.")
    found = nearby(settings) if name.startswith("openai:") and not url else ()
    known = next((each.url for each in found if each.setting == name), url)
    key = click.prompt("The key", hide_input=True, default="", show_default=False) if asks_key else ""
    use(settings, ChosenModel(model=name, url=known, key=key.strip()))


def _show(settings: Settings) -> None:
    now = choose_model(settings)
    shown = "none: it works offline" if now.family == "embedded" else f"{now.name} ({now.family})"
    click.echo(f"Now: {shown}")
    for each in nearby(settings):
        click.echo(f"Running here: {each.name} in {each.server.name}. 'tutor model {each.setting}' uses it.")
