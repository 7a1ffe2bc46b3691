"""The `tutor` command."""

import os
import sys
from collections.abc import Mapping

import click

from agents.commands.course import concepts, courses, ingest, outline, preview, reindex, search
from agents.commands.doctor import doctor
from agents.commands.learner import ask, calibrate, dispute, grade, history, plan, progress
from agents.commands.model import model
from agents.commands.operator import backup, export, forget, import_all, mcp, restore, serve, token, user
from agents.commands.questions import exercises
from agents.commands.start import completion, start
from storage.errors import TutorError
from storage.files import only_mine


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="mastery-loop")
def tutor() -> None:
    """Mastery Loop: a tutor over your own course material.

    `tutor start` opens the page to study with; drop your own material there, or `tutor ingest FOLDER`.
    """


_EXAMPLES: Mapping[click.Command, str] = {
    start: "tutor start",
    ingest: "tutor ingest ~/courses/biology --course biology",
    courses: "tutor courses --json",
    search: 'tutor search "What do mitochondria do?" --top-k 3',
    concepts: "tutor concepts --course biology --json",
    outline: "tutor outline --course biology",
    preview: "tutor preview photosynthesis --course biology",
    exercises: "tutor exercises --course biology",
    ask: 'tutor ask "What do mitochondria do?"',
    grade: "tutor grade --jsonl < answers.jsonl",
    progress: "tutor progress --html progress.html",
    plan: 'tutor plan --by "next Friday" --ics plan.ics',
    history: "tutor history --user ada",
    dispute: "tutor dispute --user ada --answer 7 --right",
    calibrate: "tutor calibrate",
    backup: "tutor backup ~/tutor-copy.db",
    restore: "tutor restore ~/tutor-copy.db",
    export: "tutor export --user ada --file ada.json",
    forget: "tutor forget --user ada",
    reindex: "tutor reindex",
    doctor: "tutor doctor --model",
    model: "tutor model ollama:qwen3:8b",
    mcp: "tutor mcp --http 8765",
    import_all: "tutor import school.zip",
    serve: "tutor serve --port 8080 --open",
    user: "tutor user add ada --teacher",
    token: "tutor token add --user ada --label notebook",
    completion: "tutor completion bash >> ~/.bashrc",
}
for command, example in _EXAMPLES.items():
    command.epilog = f"Example: {example}"
    tutor.add_command(command)


def main() -> None:
    """Run the command; a failure is one line that says what to do, never a traceback."""
    only_mine()
    try:
        tutor.main(standalone_mode=False)
    except TutorError as err:
        _stop(str(err), code=1)
    except click.exceptions.Abort:
        _stop("Stopped. What was finished is kept; run the command again to go on.", code=130)
    except click.ClickException as err:
        err.show()
        sys.exit(err.exit_code)
    except BrokenPipeError:
        # Whoever read our output had enough of it.
        sys.stderr.close()
        sys.exit(0)
    except Exception as err:
        if os.environ.get("TUTOR_DEBUG"):
            raise
        _stop(
            f"Something went wrong inside the tutor ({type(err).__name__}); nothing that was finished is lost. "
            "Try 'tutor doctor', or run again with TUTOR_DEBUG=1 to see the details.",
            code=70,
        )


def _stop(message: str, *, code: int) -> None:
    click.echo(f"Error: {message}", err=True)
    sys.exit(code)
