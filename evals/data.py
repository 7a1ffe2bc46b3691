"""The public data that benchmarks read in place."""

from pathlib import Path

from agents.settings import load_settings
from storage.errors import ConfigurationError


def bench_data(name: str) -> Path:
    """The folder of one data set, or a clear word on what is missing."""
    folder = load_settings().bench_data / name
    if not folder.exists():
        raise ConfigurationError(
            f"The benchmark data '{name}' is not there. Set TUTOR_BENCH_DATA to the folder that holds it."
        )
    return folder.resolve()
