"""A few questions that find out where a learner stands."""
