"""A word to whoever writes in a language that only a language model could teach in."""

import tomllib
from functools import cache
from pathlib import Path

_IN_ENGLISH = "(To set one up: `TUTOR_MODEL`, see the README. Or write to me in English.)"


def needs_a_model(language: str) -> str:
    """The same in their language and in ours."""
    return f"{_sentences().get(language, '')}\n\n{_IN_ENGLISH}".strip()


@cache
def _sentences() -> dict[str, str]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
