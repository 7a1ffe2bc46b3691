"""What happens around every turn: its order, its record, its hand-overs, its calls of the model, and what is told of it."""
