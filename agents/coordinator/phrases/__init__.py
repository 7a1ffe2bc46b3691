"""The phrase tables: which words ask for what."""
