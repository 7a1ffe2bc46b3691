"""The loop of explanation, quiz and feedback until a topic is mastered."""
