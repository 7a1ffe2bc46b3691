"""Fitting what the task manager understands: which labels are kept apart."""

from agents.language.understanding import plain
from agents.task_manager.reading import tidy, visible
from evals.fit_tasks import examples
from evals.tasks import labels


def test_what_is_kept_back_or_held_out_is_never_fitted() -> None:
    known, kept = examples()
    fitted = {each.text for each in known}

    assert len(kept) > 100
    assert fitted.isdisjoint(each.text for each in kept)
    written = {plain(label["text"]) for name in ("tasks_fit", "tasks_intents") for label in labels(name)}
    assert written.isdisjoint(plain(label["text"]) for label in labels("tasks_heldout"))


def test_the_model_sees_what_stands_around_a_title_and_not_the_title() -> None:
    assert "delete" not in visible(tidy("add a task: delete the old files"))
    assert "delete" not in visible(tidy("please remind me to delete the old files"))
    assert "delete" in visible(tidy("delete the task to call Ann"))


def test_every_label_has_a_source_and_a_known_intent() -> None:
    written = labels("tasks_fit") + labels("tasks_intents")

    assert {label["source"] for label in written} <= {"writers", "bulk", "routing", "own"}
    assert {label["intent"] for label in written} <= {
        "create",
        "list",
        "update",
        "complete",
        "delete",
        "none",
    }
