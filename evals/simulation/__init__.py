"""Simulated learners with a known true state: what the models say of them is checked against it."""
