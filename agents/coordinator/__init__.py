"""The coordinator: understands what a message asks for, and who should serve it."""
