"""The contract of mastery at its first address; it lives in agents.teaching.mastery."""

from agents.teaching.mastery import Parameters, fit, is_mastered, next_answer_probability

__all__ = ["Parameters", "fit", "is_mastered", "next_answer_probability"]
