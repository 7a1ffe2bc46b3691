"""What is kept about a learner: to see, to take away, to delete."""

from fastapi import APIRouter, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from agents.models.choice import choose_model
from web.export import anki_package, answers_csv, everything
from web.who import Someone, Text

router = APIRouter()


@router.get("/yours", response_class=HTMLResponse)
async def yours(caller: Someone, deleted: bool = False) -> Response:
    """What is kept, to take away or to delete; and which language model is set."""
    services = caller.services
    choice = choose_model(services.settings)
    return caller.page(
        "yours.html",
        answers=len(await services.ledger.of(caller.user_id)),
        turns=len(await services.sessions.turns(caller.user_id)),
        retention=services.settings.retention_days,
        model=None if choice.family == "embedded" else choice,
        is_deleted=deleted,
    )


@router.get("/yours/export.json")
async def export_json(caller: Someone) -> Response:
    return _download(await everything(caller.services, caller.user_id), "application/json", "json")


@router.get("/yours/answers.csv")
async def export_csv(caller: Someone) -> Response:
    rows = await caller.services.ledger.of(caller.user_id)
    return _download(answers_csv(rows), "text/csv; charset=utf-8", "csv")


@router.get("/yours/cards.apkg")
async def export_anki(caller: Someone) -> Response:
    titles = {course.name: course.title for course in await caller.services.library.courses()}
    rows = await caller.services.ledger.of(caller.user_id)
    return _download(anki_package(rows, titles=titles), "application/octet-stream", "apkg")


@router.post("/yours/delete")
async def delete(caller: Someone, sure: Text = "") -> Response:
    """Delete everything that is kept about this learner, when they have said that they mean it."""
    if sure != "yes":
        return RedirectResponse("/yours", status_code=303)
    await caller.talk.forget(caller.user_id)
    return RedirectResponse("/yours?deleted=true", status_code=303)


def _download(content: str | bytes, media_type: str, ending: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="mastery-loop.{ending}"'}
    return Response(content, media_type=media_type, headers=headers)
