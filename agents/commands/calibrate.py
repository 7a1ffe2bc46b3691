"""tutor calibrate: does a forecast of 80% come true in 80%? And if not, better parameters."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import click

from agents.commands.setup import as_json, on_services
from agents.feedback import calibrating
from agents.services import Services
from agents.teaching.calibration import Bin

_BAR = 20


@click.command()
@click.option("--undo", "is_undo", is_flag=True, help="Bring back the parameters before the last fit.")
@as_json
def calibrate(is_undo: bool, as_json: bool) -> None:
    """Compare what was said of the learners here with what came, and refit where that forecasts better."""

    async def work(services: Services) -> dict[str, Any] | str:
        if not is_undo:
            report = await calibrating.calibrate(services)
            return asdict(report) if as_json else "\n".join(_lines(report))
        parameters = await calibrating.undo(services)
        if as_json:
            return {
                "undone": parameters is not None,
                "parameters": asdict(parameters) if parameters else None,
            }
        if parameters is None:
            return "There is no fit to undo: the parameters are those that the tutor comes with."
        return "Undone: mastery is again what the parameters before the last fit say."

    said = on_services(work)
    click.echo(json.dumps(said, indent=2) if as_json else said)


def _lines(report: calibrating.CalibrationReport) -> Iterator[str]:
    if not report.quality.answers:
        yield "No concept has been asked about twice yet, so there is no forecast to compare with what came."
        return
    yield (
        f"{report.quality.answers:,} forecasts, from {report.answers:,} answers of {report.learners} learners: "
        "what was said before an answer, and how often it was right."
    )
    yield ""
    yield "   said  answers   came"
    yield from map(_row, report.bins)
    yield ""
    yield (
        f"Off by {report.quality.calibration_error:.1%} on average; right answers had the higher forecast "
        f"in {report.quality.auc:.0%} of all pairs (50% is chance)."
    )
    if report.refit is None:
        yield f"The parameters are fitted anew from {calibrating.FEWEST_ANSWERS} answers on."
    else:
        yield from _refit_lines(report.refit)


def _row(each: Bin) -> str:
    """A bar for what came, and a mark where what was said would end."""
    bar = ["█" if place < round(each.came * _BAR) else "░" for place in range(_BAR)]
    bar[min(_BAR - 1, round(each.said * _BAR))] = "│"
    return f"{each.said:>7.0%} {each.count:>8,} {each.came:>6.0%}  {''.join(bar)}"


def _count(fewest: int | None) -> str:
    return "-" if fewest is None else str(fewest)


def _refit_lines(refit: calibrating.Refit) -> Iterator[str]:
    before, after = refit.before, refit.after
    yield ""
    yield (
        f"Fitted anew on {refit.fitted_on:,} forecasts; on the {before.answers:,} of the other learners, "
        "as it was and with the fit:"
    )
    yield f"  off by           {before.calibration_error:>6.1%} {after.calibration_error:>6.1%}"
    yield f"  pairs in order   {before.auc:>6.1%} {after.auc:>6.1%}"
    yield f"  log loss         {before.log_loss:>6.3f} {after.log_loss:>6.3f}"
    yield f"  right answers    {_count(refit.fewest_before):>6} {_count(refit.fewest_after):>6}  master the largest topic"
    if refit.is_taken:
        yield "The fit counts from now on; 'tutor calibrate --undo' brings the old parameters back."
    else:
        yield f"The parameters stay as they are: {refit.reason}."
