"""Which language model speaks: Gemini, any LiteLLM model, or the embedded one."""
