"""What to learn next, in which order, and why."""
