"""A model of this machine, offered to whoever sits at a terminal, and the keeping of what was chosen."""

import asyncio
import sys

import click

from agents.chosen_model import ChosenModel, keep_choice
from agents.models.choice import choose_model
from agents.models.nearby import NearbyModel, find_models
from agents.settings import Settings, with_choice


def use(settings: Settings, chosen: ChosenModel) -> None:
    """Keep a choice that can be used, and say so."""
    now = choose_model(with_choice(settings, chosen))
    keep_choice(settings.data_dir, chosen)
    says = (
        "The tutor works without a model" if now.family == "embedded" else f"The tutor speaks with {now.name}"
    )
    click.echo(f"{says} from now on, also where it is running. 'tutor doctor --model' tries it.")


def nearby(settings: Settings) -> tuple[NearbyModel, ...]:
    """What is running on this machine, unless nobody shall look."""
    return asyncio.run(find_models()) if settings.find_models else ()


def offer(settings: Settings) -> Settings:
    """Where nobody has said which model and one is running here: say so, and ask whoever sits at a terminal."""
    if not settings.looks_for_models:
        return settings
    found = nearby(settings)
    if not found:
        return settings
    first = found[0]
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        click.echo(f"A model is running here: {first.name}. 'tutor model {first.setting}' uses it.", err=True)
        return settings
    if not click.confirm(f"A model is running here: {first.name}. Use it?", default=False, err=True):
        return settings
    chosen = ChosenModel(model=first.setting, url=first.url)
    use(settings, chosen)
    return with_choice(settings, chosen)
