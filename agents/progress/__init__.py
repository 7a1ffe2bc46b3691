"""How far a learner is, in words and in a picture."""
