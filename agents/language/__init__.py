"""What is known of language: how a message is cut up, what was fitted on labels, and which tongue it is in."""
