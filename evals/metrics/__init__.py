"""Our own metrics for ADK eval sets; each function is named in evals/test_config.json."""
