"""How a message is read: its words, its phrases, its form."""
