"""Doubles for what tests may not reach: services on the network."""
