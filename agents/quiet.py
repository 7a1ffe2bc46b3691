"""ADK's remarks that do not apply here, kept from learners' terminals."""

import logging

_NO_CACHE = "has no context_cache_config"


def silence_cache_remark() -> None:
    """Every request carries a brief of its own, so a cached prompt would never be used twice."""
    # Not by a context_cache_config that never caches: with Gemini that one switches on an experimental part.
    logging.getLogger("google_adk.google.adk.runners").addFilter(_is_of_use)


def _is_of_use(record: logging.LogRecord) -> bool:
    return _NO_CACHE not in str(record.msg).replace("\n", " ")
