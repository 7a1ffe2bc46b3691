"""Eval sets for a large model: rubrics, and learners that a model plays. They need a key."""
