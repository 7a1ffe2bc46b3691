"""Benchmarks and eval sets: what is measured, and against what."""
