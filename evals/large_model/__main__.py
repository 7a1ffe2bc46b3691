"""`python -m evals.large_model`: run the sets of this folder with `adk eval`, or say what is missing."""

import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from agents.models.choice import choose_model
from agents.settings import Settings, load_settings

HERE = Path(__file__).parent
_NEEDS_KEY = (
    "These eval sets need a large model, to be judged and to judge. Set GOOGLE_API_KEY (and leave TUTOR_MODEL "
    "unset, or name another model in it), then run this again. `make eval` needs no key."
)


def missing(settings: Settings) -> str:
    """What to do before these sets can run; empty when nothing is missing."""
    # The judge and the simulated learners are Gemini's, whichever model teaches.
    if settings.google_api_key is None or choose_model(settings).family == "embedded":
        return _NEEDS_KEY
    return ""


def command() -> list[str]:
    sets = sorted(str(file) for file in HERE.glob("*.evalset.json"))
    config = str(HERE / "test_config.json")
    app = str(HERE.parents[1] / "agents")
    adk = str(Path(sys.executable).with_name("adk"))
    return [adk, "eval", app, *sets, "--config_file_path", config, "--print_detailed_results"]


def main(settings: Settings, *, call: Callable[[Sequence[str]], int] = subprocess.call) -> int:
    problem = missing(settings)
    if problem:
        print(problem, file=sys.stderr)
        return 2
    return call(command())


if __name__ == "__main__":
    sys.exit(main(load_settings()))
